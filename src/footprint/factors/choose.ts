/*
 * Chooses the emission factor of a record: the nearest year first, then the best basis. The same
 * operations on the same figures give the same digits in a spreadsheet.
 */
import { hasEnded, isObject } from '../../api/ids.ts';
import type { Organization, Performance } from '../../api/schema.ts';
import { regionRank } from '../../organizations/history.ts';
import type {
  Boundary,
  Factor,
  FactorInputs,
  MethodOptions,
  Uncovered,
  UncoveredReason,
  UpstreamReading,
} from '../line-item.ts';
import {
  currencyCode,
  currencyReader,
  positiveFigure,
  readScopes1And2,
  regionOf,
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
  /** The values of other choices, which show the sensitivity of the result; null without one. */
  readonly others: OtherValues;
}

/*
 * Factors that other choices of the method would give: those of the service under each reading, the
 * average of the industry, and the record's own figures with scope 2 location-based.
 */
type OtherValues = Readonly<Record<'additive' | 'nested' | 'industry' | 'location', number | null>>;

const noOthers: OtherValues = { additive: null, nested: null, industry: null, location: null };

/** Checks whether a choice is a reason instead of a factor. */
export function isUncovered(choice: Factor | Uncovered): choice is Uncovered {
  return 'reason' in choice;
}

/** Returns a choice without a factor, for the same reason under both readings. */
export function noFactor(uncovered: Uncovered): FactorChoice {
  return { additive: uncovered, nested: uncovered, others: noOthers };
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
  const currency = currencyCode(need.currency);
  if (currency === undefined) return noFactor(because('no_currency', 'the row has no currency'));
  const usable = usableFigures(record, need);
  const offers = usable.offers.filter((offer) => offer.currency === currency);
  const averages = usable.averages.filter((each) => each.currency === currency);
  // Without a year of spend, the latest of the usable figures.
  const reference = spendYear ?? latestYear([...offers, ...averages]);
  const isOld = ({ year }: Dated) =>
    year !== null && reference !== null && reference - year > method.maxFactorAge;
  const near = nearestFirst(offers, isOld, reference, record);
  const averagesByYear = nearestFirst(averages, isOld, reference, record);
  const [average] = averagesByYear;
  const replace = () => {
    if (average !== undefined) return averageFactor(average, averagesByYear);
    const old = latestYear([...offers, ...averages].filter(isOld));
    if (old === null) return explain(record, usable, need);
    const than = spendYear === null ? `the latest of ${reference}` : 'the spend';
    const detail = `figures of ${old} are more than ${method.maxFactorAge} years older than ${than}`;
    return because('too_old', detail);
  };
  const factor = (offer: Offer | undefined, reading: UpstreamReading) =>
    offer === undefined ? replace() : factorOf(offer, reading, method.boundary, near);
  const [additive, nested] = [pick(near, 'additive'), pick(near, 'nested')];
  const isSame =
    additive === nested && (additive?.own !== undefined || additive?.additive === nested?.nested);
  const chosen = factor(additive, 'additive');
  return {
    additive: chosen,
    nested: isSame ? chosen : factor(nested, 'nested'),
    others: {
      additive: near.find((offer) => offer.additive !== undefined)?.additive ?? null,
      nested: near.find((offer) => offer.nested !== undefined)?.nested ?? null,
      industry: average?.value ?? null,
      location: (additive?.own && ownFactor(additive.performance, method.boundary, true)) ?? null,
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

interface Dated {
  readonly year: number | null;
  readonly region: string | null;
}

function latestYear(figures: readonly Pick<Dated, 'year'>[]): number | null {
  return figures.reduce<number | null>(
    (latest, { year }) => (year !== null && year > (latest ?? 0) ? year : latest),
    null,
  );
}

/*
 * Returns the figures that are not too old, the nearest year first: of two equally near ones, the
 * earlier. Figures without a year come last; those of one year are in the order of their regions.
 */
function nearestFirst<Item extends Dated>(
  items: readonly Item[],
  isOld: (item: Item) => boolean,
  reference: number | null,
  record: Organization,
): readonly Item[] {
  const known = items.filter((item) => !isOld(item));
  if (known.length < 2) return known;
  const distance = ({ year }: Dated) => {
    if (year === null) return withoutYear;
    const gap = (reference ?? year) - year;
    return gap >= 0 ? gap : 0.5 - gap;
  };
  return known.sort(
    (a, b) =>
      distance(a) - distance(b) || regionRank(a.region, record) - regionRank(b.region, record),
  );
}

const withoutYear = 1e6;

/* Picks the nearest year; within it, the record's own figures come first. */
function pick(near: readonly Offer[], reading: UpstreamReading): Offer | undefined {
  const first = near.find((offer) => (offer.own ?? offer[reading]) !== undefined);
  return near.find(({ year, own }) => year === first?.year && own !== undefined) ?? first;
}

/* A performance with a factor of its own or of the service. */
interface Offer extends Dated {
  readonly performance: Performance;
  readonly currency: string | undefined;
  readonly own: number | undefined;
  readonly additive: number | undefined;
  readonly nested: number | undefined;
}

/* An average of the industry. */
interface Average extends Dated {
  readonly currency: string | undefined;
  readonly value: number;
}

interface UsableFigures {
  readonly offers: readonly Offer[];
  readonly averages: readonly Average[];
}

/* Returns all figures that yield a factor, whatever their currency. */
function usableFigures(record: Organization, need: FactorNeed): UsableFigures {
  const { boundary } = need.method;
  const currencyOf = currencyReader(record, need.requestedCurrency);
  const offers: Offer[] = [];
  for (const performance of record.performances ?? []) {
    const own = ownFactor(performance, boundary);
    const { additive, nested } = serviceFactors(performance, boundary);
    if (own === undefined && additive === undefined && nested === undefined) continue;
    const currency = currencyOf(performance.revenue_currency);
    const [year, region] = [yearOf(performance.year), regionOf(performance.region)];
    offers.push({ performance, year, region, currency, own, additive, nested });
  }
  // The boundary of an average is undocumented, so it replaces only the widest factor of purchases.
  const industry = boundary === 'cradle-to-gate' ? record.industry?.performances : undefined;
  // The specification does not describe these items, so each is checked.
  const averages = (industry ?? []).flatMap((item): Average[] => {
    if (!isObject(item)) return [];
    const value = positiveFigure(item['emission_factor']);
    if (value === undefined) return [];
    const currency = currencyOf(currencyCode(item['revenue_currency']) ?? item['currency']);
    const [year, region] = [yearOf(item['year']), regionOf(item['region'])];
    return [{ year, region, currency, value }];
  });
  return { offers, averages };
}

function factorOf(
  offer: Offer,
  reading: UpstreamReading,
  boundary: Boundary,
  near: readonly Offer[],
): Factor {
  const { performance, year, region, own } = offer;
  const isOwn = own !== undefined;
  return {
    basis: isOwn ? 'own' : 'service',
    value: own ?? offer[reading] ?? 0,
    year,
    region,
    regions: near.filter(
      (each) => each.year === year && (isOwn ? each.own : each[reading]) !== undefined,
    ).length,
    upstream: !isOwn && boundary === 'cradle-to-gate' ? reading : null,
    scopes1And2: isOwn ? (ownFactor(performance, 'scope-1-2') ?? 0) : 0,
    inputs: (isOwn ? ownInputs : serviceInputs)(performance, boundary),
  };
}

function averageFactor({ value, year, region }: Average, near: readonly Average[]): Factor {
  return {
    basis: 'industry',
    value,
    year,
    region,
    regions: near.filter((each) => each.year === year).length,
    upstream: null,
    scopes1And2: 0,
    inputs: { ...noInputs, emission_factor: value },
  };
}

/* Returns the record's own emissions divided by revenue. */
function ownFactor(
  performance: Performance,
  boundary: Boundary,
  prefersLocation = false,
): number | undefined {
  const revenue = positiveFigure(performance.revenue);
  if (revenue === undefined) return undefined;
  const own = ownEmissions(performance, boundary, prefersLocation);
  return own && usableFigure(own.amount / revenue);
}

/*
 * Returns the record's own emissions and what they consist of; undefined without the figures that
 * the boundary requires. Cradle-to-gate requires scope 1, scope 2 and purchased goods and services.
 */
function ownEmissions({ emissions }: Performance, boundary: Boundary, prefersLocation = false) {
  if (!emissions) return undefined;
  const scopes = readScopes1And2(emissions, prefersLocation);
  const upstream = boundary === 'cradle-to-gate' ? upstreamOf(emissions.scope_3) : undefined;
  const total = boundary === 'total' ? totalOf(emissions) : undefined;
  const amount = {
    'cradle-to-gate': scopes && upstream && scopes.both + upstream.sum,
    'scope-1-2': scopes?.both,
    total,
  }[boundary];
  return amount === undefined ? undefined : { amount, scopes, upstream, total };
}

/*
 * Returns the service's factors under both readings. A factor of 0 is not used: no organization is
 * without emissions.
 */
function serviceFactors(
  performance: Performance,
  boundary: Boundary,
): Pick<Offer, 'additive' | 'nested'> {
  const { emission_factor, scope_1_and_2_emission_factor } = performance;
  const base = positiveFigure(
    boundary === 'total' ? emission_factor : scope_1_and_2_emission_factor,
  );
  const isUpstream = boundary === 'cradle-to-gate';
  const upstream = positiveFigure(performance.total_upstream_emission_factor);
  return {
    additive: isUpstream ? base && upstream && base + upstream : base,
    nested: isUpstream ? upstream : base,
  };
}

function ownInputs(performance: Performance, boundary: Boundary): FactorInputs {
  const { scopes, upstream, total } = ownEmissions(performance, boundary) ?? {};
  return {
    ...noInputs,
    revenue: usableFigure(performance.revenue) ?? null,
    scope_1: scopes?.scope_1 ?? null,
    scope_2: scopes?.scope_2 ?? null,
    scope_2_method: scopes?.scope_2_method ?? null,
    scope_1_and_2: scopes?.scope_1_and_2 ?? null,
    upstream: upstream?.sum ?? null,
    upstream_categories: upstream?.categories ?? null,
    total: total ?? null,
  };
}

function serviceInputs(performance: Performance, boundary: Boundary): FactorInputs {
  const inputs = { ...noInputs };
  for (const field of factorFields[boundary])
    inputs[field] = usableFigure(performance[field]) ?? null;
  return inputs;
}

/* The factors of the service within each boundary. */
const factorFields = {
  'cradle-to-gate': ['scope_1_and_2_emission_factor', 'total_upstream_emission_factor'],
  'scope-1-2': ['scope_1_and_2_emission_factor'],
  total: ['emission_factor'],
} as const;

/* The inputs of a factor without any. */
const noInputs: FactorInputs = {
  revenue: null,
  scope_1: null,
  scope_2: null,
  scope_2_method: null,
  scope_1_and_2: null,
  upstream: null,
  upstream_categories: null,
  total: null,
  scope_1_and_2_emission_factor: null,
  total_upstream_emission_factor: null,
  emission_factor: null,
};

/*
 * Returns the reason why a record has no usable factor. What the user can change comes first (the
 * currency), then what time changes (the research), then what the record lacks.
 */
function explain(
  record: Organization,
  { offers, averages }: UsableFigures,
  { currency, method }: FactorNeed,
): Uncovered {
  const others = [...offers, ...averages].filter(
    (each) => each.currency !== currencyCode(currency),
  );
  // A named currency explains more than an unnamed one.
  const other = others.find((each) => each.currency !== undefined)?.currency;
  if (other !== undefined) {
    // Text from outside can have any length.
    const name = /^[A-Z]{3}$/.test(other) ? other : 'another currency';
    return because('other_currency', `the record is in ${name}`);
  }
  if (others.length > 0) return because('no_currency', 'the record names no currency');
  const { status, performances } = record;
  if (status && !hasEnded(status)) return because('in_progress', `status ${status.slice(0, 40)}`);
  if (!performances?.length)
    return because(status === 'errored' ? 'errored' : 'no_performance', null);
  const lacksOnlyRevenue = performances.some(
    (performance) =>
      positiveFigure(performance.revenue) === undefined &&
      ownEmissions(performance, method.boundary) !== undefined,
  );
  return lacksOnlyRevenue
    ? because('no_revenue', 'the record has emissions, but no revenue')
    : because('no_factor', `the record has no factor for the boundary ${method.boundary}`);
}

function because(reason: UncoveredReason, detail: string | null): Uncovered {
  return { reason, detail };
}
