/*
 * Chooses the emission factor of a record: the nearest year first, then the best basis. The same
 * operations on the same figures give the same digits in a spreadsheet.
 */
import { hasEnded, isObject } from '../../api/ids.ts';
import type { Organization, Performance } from '../../api/schema.ts';
import { regionRank } from '../../organizations/history.ts';
import {
  type Boundary,
  type Factor,
  type MethodOptions,
  noInputs,
  type Uncovered,
  type UncoveredReason,
  type UpstreamReading,
} from '../line-item.ts';
import {
  currencyCode,
  currencyReader,
  methodOf,
  positiveFigure,
  readScopes1And2,
  totalOf,
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
}

export function isUncovered(choice: Factor | Uncovered): choice is Uncovered {
  return 'reason' in choice;
}

/** Returns a choice without a factor, for the same reason under both readings. */
export function noFactor(uncovered: Uncovered): FactorChoice {
  const others = { additive: null, nested: null, industry: null, location: null };
  return { additive: uncovered, nested: uncovered, others };
}

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
  const all = offersOf(record, need);
  const usable = all.filter((offer) => offer.currency === currency);
  // Without a year of spend, the latest of the usable figures.
  const reference = spendYear ?? latestYear(usable);
  const isOld = ({ year }: Offer) =>
    year !== null && reference !== null && reference - year > maxFactorAge;
  const near = nearestFirst(
    usable.filter((offer) => !isOld(offer)),
    reference,
    record,
  );
  const average = pick(near, 'industry');
  const uncovered = () => {
    const old = latestYear(usable.filter(isOld));
    if (old === null) return explain(record, all, need);
    const than = spendYear === null ? `the latest of ${reference}` : 'the spend';
    const detail = `figures of ${old} are more than ${maxFactorAge} years older than ${than}`;
    return because('too_old', detail);
  };
  const [additive, nested] = [pick(near, 'additive'), pick(near, 'nested')];
  const factorOr = (picked: Picked | undefined) => {
    const chosen = picked ?? average;
    return chosen === undefined ? uncovered() : factorOf(chosen, boundary, near);
  };
  const chosen = factorOr(additive);
  const isSame = additive?.offer === nested?.offer && additive?.value === nested?.value;
  const first = (field: UpstreamReading) =>
    near.find(({ factors }) => factors[field] !== undefined)?.factors[field] ?? null;
  const own = additive?.field === 'own' ? additive.offer.performance : undefined;
  return {
    additive: chosen,
    nested: isSame ? chosen : factorOr(nested),
    others: {
      additive: first('additive'),
      nested: first('nested'),
      industry: average?.value ?? null,
      location: (own && ownFigures(own, boundary, true)?.value) ?? null,
    },
  };
}

/** Checks whether the factor depends on the reading of the upstream factor. */
export function readingMatters({ additive, nested }: FactorChoice): boolean {
  if (additive === nested) return false;
  if (isUncovered(additive) || isUncovered(nested)) {
    return isUncovered(additive) !== isUncovered(nested);
  }
  return additive.value !== nested.value || additive.year !== nested.year;
}

/* The factors of a performance, or an average of the industry. */
interface Offer {
  readonly year: number | null;
  readonly region: string | null;
  readonly currency: string | undefined;
  /** Undefined for an average. */
  readonly performance?: Performance;
  readonly factors: { readonly [Name in Field]?: number | undefined };
}

type Field = 'own' | UpstreamReading | 'industry';

interface Picked {
  readonly offer: Offer;
  readonly field: Field;
  readonly value: number;
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
function nearestFirst(
  offers: Offer[],
  reference: number | null,
  record: Organization,
): readonly Offer[] {
  if (offers.length < 2) return offers;
  const distance = ({ year }: Offer) => {
    if (year === null) return withoutYear;
    const gap = (reference ?? year) - year;
    return gap >= 0 ? gap : 0.5 - gap;
  };
  return offers.sort(
    (a, b) =>
      distance(a) - distance(b) || regionRank(a.region, record) - regionRank(b.region, record),
  );
}

const withoutYear = 1e6;

/* Picks the nearest year; within it, the record's own figures come before the service's factors. */
function pick(near: readonly Offer[], field: UpstreamReading | 'industry'): Picked | undefined {
  const ownOf = ({ factors }: Offer) => (field === 'industry' ? undefined : factors.own);
  const first = near.find((each) => (ownOf(each) ?? each.factors[field]) !== undefined);
  if (first === undefined) return undefined;
  const own = near.find((each) => each.year === first.year && ownOf(each) !== undefined);
  if (own !== undefined) return { offer: own, field: 'own', value: ownOf(own) ?? 0 };
  return { offer: first, field, value: first.factors[field] ?? 0 };
}

/* Returns all figures that yield a factor, whatever their currency. */
function offersOf(record: Organization, { method, requestedCurrency }: FactorNeed): Offer[] {
  const { boundary } = method;
  const currencyOf = currencyReader(record, requestedCurrency);
  const offers: Offer[] = [];
  for (const performance of record.performances ?? []) {
    const own = ownFigures(performance, boundary)?.value;
    const { additive, nested } = serviceFactors(performance, boundary);
    if (own === undefined && additive === undefined && nested === undefined) continue;
    const [year, region] = [yearOf(performance.year), performance.region || null];
    const currency = currencyOf(performance.revenue_currency);
    offers.push({ year, region, currency, performance, factors: { own, additive, nested } });
  }
  // The boundary of an average is undocumented, so it replaces only the widest factor of purchases.
  const averages = boundary === 'cradle-to-gate' ? record.industry?.performances : undefined;
  // The specification does not describe these items, so each is checked.
  for (const item of averages ?? []) {
    if (!isObject(item)) continue;
    const industry = positiveFigure(item['emission_factor']);
    if (industry === undefined) continue;
    const region = (typeof item['region'] === 'string' && item['region']) || null;
    const currency = currencyOf(currencyCode(item['revenue_currency']) ?? item['currency']);
    offers.push({ year: yearOf(item['year']), region, currency, factors: { industry } });
  }
  return offers;
}

function factorOf({ offer, field, value }: Picked, boundary: Boundary, near: readonly Offer[]) {
  const { performance, year, region } = offer;
  const isService = field === 'additive' || field === 'nested';
  const isOwn = field === 'own';
  const inputs = performance && (isOwn ? ownInputs : serviceInputs)(performance, boundary);
  const factor: Factor = {
    basis: isService ? 'service' : field,
    value,
    year,
    region,
    regions: near.filter((each) => each.year === year && each.factors[field] !== undefined).length,
    upstream: isService && boundary === 'cradle-to-gate' ? field : null,
    scopes1And2: (isOwn && performance && ownFigures(performance, 'scope-1-2')?.value) || 0,
    inputs: { ...noInputs, ...(inputs ?? { emission_factor: value }) },
  };
  return factor;
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
  const total = boundary === 'total' ? totalOf(emissions) : undefined;
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

function ownInputs(performance: Performance, boundary: Boundary) {
  const { scopes, upstream, total } = ownFigures(performance, boundary) ?? {};
  const isSeparate = scopes?.scope1 !== undefined;
  const { scope_2, scope_1_and_2 } = performance.emissions ?? {};
  return {
    revenue: usableFigure(performance.revenue) ?? null,
    scope_1: scopes?.scope1 ?? null,
    scope_2: scopes?.scope2 ?? null,
    scope_2_method: scopes ? methodOf(isSeparate ? scope_2 : scope_1_and_2) : null,
    scope_1_and_2: scopes && !isSeparate ? scopes.both : null,
    upstream: upstream?.sum ?? null,
    upstream_categories: upstream?.categories ?? null,
    total: total ?? null,
  };
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

/* The factors of the service within each boundary. */
const factorFields = {
  'cradle-to-gate': ['scope_1_and_2_emission_factor', 'total_upstream_emission_factor'],
  'scope-1-2': ['scope_1_and_2_emission_factor'],
  total: ['emission_factor'],
} as const;

function serviceInputs(performance: Performance, boundary: Boundary) {
  const fields = factorFields[boundary];
  return Object.fromEntries(
    fields.map((field) => [field, usableFigure(performance[field]) ?? null]),
  );
}

/*
 * Returns the reason why a record has no usable factor. What the user can change comes first (the
 * currency), then what time changes (the research), then what the record lacks.
 */
function explain(
  { status, performances }: Organization,
  offers: readonly Offer[],
  { currency, method }: FactorNeed,
): Uncovered {
  const others = offers.filter((offer) => offer.currency !== currencyCode(currency));
  // A named currency explains more than an unnamed one.
  const other = others.find((offer) => offer.currency !== undefined)?.currency;
  if (other !== undefined) {
    // Text from outside can have any length.
    const name = /^[A-Z]{3}$/.test(other) ? other : 'another currency';
    return because('other_currency', `the record is in ${name}`);
  }
  if (others.length > 0) return because('no_currency', 'none in the record');
  if (status && !hasEnded(status)) return because('in_progress', `status ${status.slice(0, 40)}`);
  if (!performances?.length)
    return because(status === 'errored' ? 'errored' : 'no_performance', null);
  const lacksOnlyRevenue = performances.some(
    (performance) =>
      positiveFigure(performance.revenue) === undefined &&
      ownFigures(performance, method.boundary) !== undefined,
  );
  return lacksOnlyRevenue
    ? because('no_revenue', 'the record has emissions, but no revenue')
    : because('no_factor', `the record has no factor for the boundary ${method.boundary}`);
}

function because(reason: UncoveredReason, detail: string | null): Uncovered {
  return { reason, detail };
}
