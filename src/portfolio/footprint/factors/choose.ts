/*
 * Chooses the emission factor of a record: the nearest year first, then the best basis. The same
 * operations on the same figures give the same digits in a spreadsheet.
 */
import { hasEnded, isObject } from '../../../client/api/ids.ts';
import type { Organization, Performance } from '../../../client/api/schema.ts';
import { readInventories, unreadableValue } from '../../organizations/emissions.ts';
import { hasEmissions, regionRank } from '../../organizations/history.ts';
import { isOfUnknown } from '../../organizations/matches.ts';
import {
  type Boundary,
  type Factor,
  type FactorInputs,
  inputsWith,
  type Lack,
  type MethodOptions,
  type MissingFigures,
  missingWords,
  type Uncovered,
  type UncoveredReason,
  type UpstreamReading,
} from '../line-item.ts';
import {
  currencyCode,
  currencyReader,
  disclosedTotal,
  missingUpstream,
  positiveFigure,
  readScopes1And2,
  scope2MethodOf,
  upstreamOf,
  usableFigure,
  yearOf,
} from './figures.ts';

/** What a line item needs a factor for. */
export interface FactorNeed {
  /** ISO 4217 code of the spend; null if the file has none. */
  readonly currency: string | null;
  /** Year of the spend; null if unknown. */
  readonly year: number | null;
  /** Currency that the record was requested in; undefined if unknown. */
  readonly requestedCurrency: string | undefined;
  readonly method: MethodOptions;
  /** Returns one string for equal texts, such as names of industries; by default, the same text. */
  readonly share?: ((text: string) => string) | undefined;
}

/** What a record offers: its factor under each reading of the upstream factor. */
export interface FactorChoice {
  readonly additive: Factor | Uncovered;
  /** The same object as `additive` if the reading makes no difference. */
  readonly nested: Factor | Uncovered;
  /**
   * The factors that other choices of the method would give: those of the service, the average of
   * the industry, and the record's own figures with scope 2 location-based; null without one.
   */
  readonly others: Readonly<Record<UpstreamReading | 'industry' | 'location', number | null>>;
  /** The industry average to compare a factor of any boundary with; null without one. */
  readonly average: number | null;
}

export function isUncovered(choice: Factor | Uncovered): choice is Uncovered {
  return 'reason' in choice;
}

/** Returns a choice without a factor, for the same reason under both readings. */
export function noFactor(uncovered: Uncovered): FactorChoice {
  return { additive: uncovered, nested: uncovered, others: noOthers, average: null };
}

const noOthers = { additive: null, nested: null, industry: null, location: null };

/**
 * Chooses the factor of a record under both readings of the service's upstream factor.
 *
 * The year is the nearest one with a usable factor, the earlier of two equally near ones. Without a
 * year of spend, it is the latest one. Within a year, the record's own figures come first, then the
 * service's factors; of several regions, the global one, otherwise that of the headquarters,
 * otherwise the first. The industry average replaces a missing factor from cradle to gate.
 */
export function chooseFactor(record: Organization, need: FactorNeed): FactorChoice {
  const { year: spendYear, method } = need;
  const { boundary, maxFactorAge } = method;
  const currency = currencyCode(need.currency);
  if (currency === undefined) return noFactor(because('no_currency', 'none in the row'));
  const known = offersOf(record, need);
  const averages = known.filter(
    (offer) => offer.basis === 'industry' && offer.currency === currency,
  );
  // The boundary of an average is undocumented, so it replaces only the widest factor of purchases.
  const isOffered = ({ basis }: Offer) => basis !== 'industry' || boundary === 'cradle-to-gate';
  const all = known.filter(isOffered);
  const usable = all.filter((offer) => offer.currency === currency);
  // Without a year of spend, the latest of the usable figures.
  const reference = spendYear ?? latestYear(usable);
  const isOld = ({ year }: Offer) =>
    year !== null && reference !== null && reference - year > maxFactorAge;
  const near = nearestFirst(
    usable.filter((offer) => !isOld(offer)),
    reference,
  );
  const first = (basis: Origin) => near.find((offer) => offer.basis === basis);
  const factorOr = (picked: Offer | undefined) => {
    const offer = picked ?? first('industry');
    if (offer === undefined) return { ...why(all), figures: missingFigures(record, need) };
    const lack =
      offer.basis === 'industry'
        ? lackOf(record, why(all.filter(({ basis }) => basis !== 'industry')), need)
        : null;
    return factorOf(offer, boundary, near, lack);
  };
  const why = (offers: readonly Offer[]) => {
    const old = offers.filter((offer) => offer.currency === currency && isOld(offer));
    return explain(record, offers, need, ageOf(old, maxFactorAge, reference));
  };
  const [additive, nested] = [pick(near, 'additive'), pick(near, 'nested')];
  const isSame = additive?.performance === nested?.performance && additive?.value === nested?.value;
  const chosen = factorOr(additive);
  const own = additive?.basis === 'own' ? additive.performance : undefined;
  return {
    additive: chosen,
    nested: isSame ? chosen : factorOr(nested),
    others: {
      additive: first('additive')?.value ?? null,
      nested: first('nested')?.value ?? null,
      industry: first('industry')?.value ?? null,
      location: (own && ownFigures(own, boundary, true)?.value) ?? null,
    },
    average: nearestFirst(averages, reference)[0]?.value ?? null,
  };
}

/** Checks whether the factor depends on the reading of the upstream factor. */
export function readingMatters({ additive, nested }: FactorChoice): boolean {
  if (additive === nested) return false;
  if (isUncovered(additive) || isUncovered(nested)) return true;
  return additive.value !== nested.value || additive.year !== nested.year;
}

/* The basis of a factor, that of the service under one reading. */
type Origin = 'own' | UpstreamReading | 'industry';

/* A factor of a performance, or an average of the industry. */
interface Offer {
  readonly basis: Origin;
  readonly value: number;
  readonly year: number | null;
  readonly region: string | null;
  /** The place of the region among several. */
  readonly rank: number;
  readonly currency: string | undefined;
  /** Undefined for an average. */
  readonly performance?: Performance;
  /** The record's own figures, if they are the basis. */
  readonly figures?: OwnFigures | undefined;
}

function latestYear(offers: readonly Offer[]): number | null {
  return offers.reduce<number | null>(
    (latest, { year }) => (year !== null && year > (latest ?? 0) ? year : latest),
    null,
  );
}

/*
 * Orders by the distance of the year, of two equal ones the earlier first, and without a year last;
 * within a year by region.
 */
function nearestFirst(offers: Offer[], reference: number | null) {
  const distance = ({ year }: Offer) => {
    if (year === null) return withoutYear;
    const gap = (reference ?? year) - year;
    return gap >= 0 ? gap : 0.5 - gap;
  };
  return offers.sort((a, b) => distance(a) - distance(b) || a.rank - b.rank);
}

const withoutYear = 1e6;

/* Picks the nearest year; within it, the record's own figures come before the service's factors. */
function pick(near: readonly Offer[], reading: UpstreamReading): Offer | undefined {
  const first = near.find(({ basis }) => basis === 'own' || basis === reading);
  return near.find(({ basis, year }) => basis === 'own' && year === first?.year) ?? first;
}

/* Returns all figures that yield a factor, whatever their currency. */
function offersOf(record: Organization, { method, requestedCurrency }: FactorNeed): Offer[] {
  const { boundary } = method;
  const currencyOf = currencyReader(record, requestedCurrency);
  const offers: Offer[] = [];
  for (const performance of record.performances ?? []) {
    const own = ownFigures(performance, boundary);
    const { additive, nested } = serviceFactors(performance, boundary);
    const year = yearOf(performance.year);
    const region = performance.region || null;
    const rank = regionRank(region, record);
    const currency = currencyOf(performance.revenue_currency);
    const add = (basis: Origin, value: number | undefined, figures?: OwnFigures) => {
      if (value === undefined) return;
      offers.push({ basis, value, year, region, rank, currency, performance, figures });
    };
    add('own', own?.value, own);
    add('additive', additive);
    add('nested', nested);
  }
  // The specification does not describe these items, so each is checked.
  for (const item of record.industry?.performances ?? []) {
    if (!isObject(item)) continue;
    const value = positiveFigure(item['emission_factor']);
    if (value === undefined) continue;
    const region = (typeof item['region'] === 'string' && item['region']) || null;
    const currency = currencyOf(currencyCode(item['revenue_currency']) ?? item['currency']);
    const [year, rank] = [yearOf(item['year']), regionRank(region, record)];
    offers.push({ basis: 'industry', value, year, region, rank, currency });
  }
  return offers;
}

function factorOf(
  { basis, value, year, region, performance, figures }: Offer,
  boundary: Boundary,
  near: readonly Offer[],
  lack: Lack | null,
): Factor {
  const isService = basis === 'additive' || basis === 'nested';
  const revenue = positiveFigure(performance?.revenue) ?? Number.NaN;
  return {
    basis: isService ? 'service' : basis,
    value,
    year,
    region,
    regions: near.filter((each) => each.year === year && each.basis === basis).length,
    upstream: isService && boundary === 'cradle-to-gate' ? basis : null,
    scopes1And2: usableFigure((figures?.scopes?.both ?? 0) / revenue) ?? 0,
    lack,
    inputs:
      basis === 'industry'
        ? inputsWith({ emission_factor: value })
        : isService
          ? serviceInputs(performance ?? {}, boundary)
          : ownInputs(performance ?? {}, figures),
  };
}

/*
 * Returns the record's own emissions with what they consist of; undefined without the figures that
 * the boundary requires. The value is that divided by revenue. Cradle-to-gate requires scope 1,
 * scope 2 and purchased goods and services.
 */
function ownFigures({ emissions, revenue }: Performance, boundary: Boundary, byLocation = false) {
  if (!emissions) return undefined;
  const scopes = readScopes1And2(emissions, byLocation);
  const upstream = boundary === 'cradle-to-gate' ? upstreamOf(emissions.scope_3) : undefined;
  const total = boundary === 'total' ? disclosedTotal(emissions) : undefined;
  const amount = {
    'cradle-to-gate': scopes && upstream && scopes.both + upstream.sum,
    'scope-1-2': scopes?.both,
    total,
  }[boundary];
  if (amount === undefined) return undefined;
  const divisor = positiveFigure(revenue);
  const value = divisor && usableFigure(amount / divisor);
  return { value, scopes, upstream, total };
}

type OwnFigures = NonNullable<ReturnType<typeof ownFigures>>;

function ownInputs(
  { revenue, emissions }: Performance,
  { scopes, upstream, total }: Partial<OwnFigures> = {},
): FactorInputs {
  const isSeparate = scopes?.scope1 !== undefined;
  const { scope_2, scope_1_and_2 } = emissions ?? {};
  return inputsWith({
    revenue: usableFigure(revenue),
    scope_1: scopes?.scope1,
    scope_2: scopes?.scope2,
    scope_2_method: scopes && scope2MethodOf(isSeparate ? scope_2 : scope_1_and_2),
    scope_1_and_2: isSeparate ? null : scopes?.both,
    upstream: upstream?.sum,
    upstream_categories: upstream?.categories,
    total,
  });
}

/*
 * Returns the service's factors under both readings. A factor of 0 is not used: no organization is
 * without emissions.
 */
function serviceFactors(performance: Performance, boundary: Boundary) {
  const { emission_factor, scope_1_and_2_emission_factor } = performance;
  const base = positiveFigure(
    boundary === 'total' ? emission_factor : scope_1_and_2_emission_factor,
  );
  if (boundary !== 'cradle-to-gate') return { additive: base, nested: base };
  const upstream = positiveFigure(performance.total_upstream_emission_factor);
  return { additive: base && upstream && base + upstream, nested: upstream };
}

/* The factors of the service within a boundary. */
function serviceInputs(performance: Performance, boundary: Boundary): FactorInputs {
  const {
    emission_factor: all,
    scope_1_and_2_emission_factor: firstTwo,
    total_upstream_emission_factor: upstream,
  } = performance;
  return inputsWith({
    scope_1_and_2_emission_factor: boundary === 'total' ? null : usableFigure(firstTwo),
    total_upstream_emission_factor: boundary === 'cradle-to-gate' ? usableFigure(upstream) : null,
    emission_factor: boundary === 'total' ? usableFigure(all) : null,
  });
}

/* Says of which years the figures are that are too old; undefined without any. */
function ageOf(old: readonly Offer[], maxFactorAge: number, reference: number | null) {
  if (latestYear(old) === null) return undefined;
  const isAverage = ({ basis }: Offer) => basis === 'industry';
  const figures = latestYear(old.filter((offer) => !isAverage(offer)));
  const average = latestYear(old.filter(isAverage));
  const what =
    figures === average
      ? [`figures and the industry average are of ${average}`]
      : [
          ...(figures === null ? [] : [`figures are of ${figures}`]),
          ...(average === null ? [] : [`the industry average is of ${average}`]),
        ];
  return `${what.join(' and ')}, more than ${maxFactorAge} years before ${reference}`;
}

/*
 * Returns the reason why a record has no usable factor. Whose record it is comes first, then what
 * the user can change (the age allowed, the currency), then what time changes (the research), then
 * what the record lacks.
 */
function explain(
  record: Organization,
  offers: readonly Offer[],
  { currency, method }: FactorNeed,
  age: string | undefined,
): Uncovered {
  const { status, performances } = record;
  const others = offers.filter((offer) => offer.currency !== currencyCode(currency));
  // A named currency explains more than an unnamed one. Text from outside can have any length.
  const other = others.find((offer) => offer.currency !== undefined)?.currency?.slice(0, 20);
  const isInOtherCurrency = others.length > 0;
  if (isOfUnknown(record)) {
    if (!isInOtherCurrency) return because('unmatched', null);
    const detail = other === undefined ? 'the record has no currency' : `the record is in ${other}`;
    return { reason: 'unmatched', detail, isInOtherCurrency };
  }
  if (age !== undefined) return because('too_old', age);
  if (other !== undefined)
    return { reason: 'other_currency', detail: `the record is in ${other}`, isInOtherCurrency };
  if (isInOtherCurrency)
    return { reason: 'no_currency', detail: 'none in the record', isInOtherCurrency };
  if (status && !hasEnded(status)) return because('in_progress', `status ${status.slice(0, 40)}`);
  if (!performances?.length)
    return because(status === 'errored' ? 'errored' : 'no_performance', null);
  for (const inventory of readInventories({ performances })) {
    const unreadable = unreadableValue(inventory);
    if (unreadable === undefined) continue;
    const { field, text } = unreadable;
    return because('not_readable', `${field} is ${text.slice(0, 40)}`);
  }
  const lacksOnlyRevenue = performances.some(
    (performance) =>
      positiveFigure(performance.revenue) === undefined &&
      ownFigures(performance, method.boundary) !== undefined,
  );
  return lacksOnlyRevenue
    ? because('no_revenue', 'the record has emissions, but no revenue')
    : because('no_factor', `the record has no factor for the boundary ${method.boundary}`);
}

/* Returns what a record lacks, from the reason why it has no factor of its own. */
function lackOf(record: Organization, { reason, detail }: Uncovered, need: FactorNeed): Lack {
  const { share = String } = need;
  const name = record.industry?.name;
  const industry = name ? share(name) : null;
  const missing = nothing;
  const figures = missingFigures(record, need);
  // Each object lists its members: V8 would keep a hidden class for each one that is spread.
  if (reason === 'no_factor') {
    if (!hasEmissions(record))
      return { reason: 'no_emissions', detail: null, missing, figures, industry };
    const parts = missingParts(figures);
    const text = parts.detail && share(parts.detail);
    return { reason: 'incomplete', detail: text, missing: parts.missing, figures, industry };
  }
  // The detail of missing revenue repeats the reason.
  const isRepeated = reason === 'no_revenue';
  return {
    reason: reason as Lack['reason'],
    detail: isRepeated ? null : detail,
    missing,
    figures,
    industry,
  };
}

/* One array for each, because there is a lack for every record. */
const nothing: Lack['missing'] = [];
const scopes: Lack['missing'] = ['scopes_1_and_2'];
const category: Lack['missing'] = ['purchased_goods_and_services'];
const all: Lack['missing'] = [...scopes, ...category];

/* Names which emissions are missing for the boundary cradle-to-gate. */
function missingParts({
  year,
  scopes1And2,
  upstream,
}: MissingFigures): Pick<Lack, 'detail' | 'missing'> {
  const lacksCategory = upstream !== '';
  const missing = scopes1And2 ? (lacksCategory ? all : scopes) : lacksCategory ? category : nothing;
  if (missing.length === 0) return { detail: null, missing: nothing };
  const when = year === null ? '' : ` for ${year}`;
  return {
    detail: `no ${missing.map((part) => missingWords[part]).join(' and no ')}${when}`,
    missing,
  };
}

/* Finds what the performance of the year of the spend lacks, that of the first region with one. */
function missingFigures(
  record: Organization,
  { year: spendYear, method: { boundary } }: FactorNeed,
): MissingFigures {
  const performances = record.performances ?? [];
  const year =
    spendYear ??
    performances.reduce<number | null>((latest, each) => {
      const of = each.emissions ? (yearOf(each.year) ?? null) : null;
      return of !== null && of > (latest ?? 0) ? of : latest;
    }, null);
  const [first] = performances
    .filter((each) => (yearOf(each.year) ?? null) === year)
    .sort(
      (a, b) =>
        Number(!a.emissions) - Number(!b.emissions) ||
        regionRank(a.region || null, record) - regionRank(b.region || null, record),
    );
  const emissions = first?.emissions ?? {};
  const isTotal = boundary === 'total' && disclosedTotal(emissions) === undefined;
  const needsUpstream =
    isTotal || (boundary === 'cradle-to-gate' && upstreamOf(emissions.scope_3) === undefined);
  return {
    year,
    scopes1And2: isTotal || (boundary !== 'total' && readScopes1And2(emissions) === undefined),
    upstream: needsUpstream ? missingUpstream(isTotal ? undefined : emissions.scope_3) : '',
    revenue: positiveFigure(first?.revenue) === undefined,
  };
}

function because(reason: UncoveredReason, detail: string | null): Uncovered {
  return { reason, detail };
}
