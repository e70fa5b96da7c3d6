/*
 * Chooses the emission factor of a record: the nearest year first, then the best basis. The same
 * operations on the same figures give the same digits in a spreadsheet.
 */
import { hasEnded, isObject } from '../../api/ids.ts';
import type { Organization, Performance } from '../../api/schema.ts';
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
  CurrencyReader,
  combinedScopesOf,
  countUpstreamCategories,
  currencyCode,
  positiveFigure,
  regionOf,
  scope1Of,
  scope2Method,
  scope2Of,
  scopes1And2Of,
  totalOf,
  upstreamOf,
  usableFigure,
  yearOf,
} from './figures.ts';

/** What a line item needs a factor for. */
interface FactorNeed extends Pick<MethodOptions, 'boundary' | 'maxFactorAge'> {
  /** ISO 4217 code of the spend; null if the file has none. */
  readonly currency: string | null;
  /** Year of the spend; null if unknown. */
  readonly year: number | null;
  /** Converts the service's factors to the unit of the emissions: 1, 1000 or 0.001. */
  readonly scale: number;
  /** Currency that the record was requested in; undefined if unknown. */
  readonly requestedCurrency?: string | undefined;
}

/** What a record offers: its factor under each reading of the upstream factor. */
export interface FactorChoice {
  readonly additive: Factor | Uncovered;
  /** The same object as `additive` if the reading makes no difference. */
  readonly nested: Factor | Uncovered;
  /** The values of other choices, which show the sensitivity of the result; null without one. */
  readonly others: OtherValues;
}

/** Factors that other choices of the method would give. */
export interface OtherValues {
  /** The service's factors instead of the record's own figures. */
  readonly additive: number | null;
  readonly nested: number | null;
  readonly industry: number | null;
  /** The record's own figures with scope 2 location-based. */
  readonly location: number | null;
}

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
 * service's factors; of several performances with that basis, such as regions, the first one in the
 * record counts. The industry average replaces a missing factor from cradle to gate.
 */
export function chooseFactor(record: Organization, need: FactorNeed): FactorChoice {
  const currency = currencyCode(need.currency);
  if (currency === undefined) return noFactor(because('no_currency', 'the row has no currency'));
  const currencies = new CurrencyReader(record, need.requestedCurrency);
  const offers: Offer[] = [];
  for (const performance of record.performances ?? []) {
    if (currencies.read(performance.revenue_currency) === currency)
      offers.push(offerOf(performance, need));
  }
  // The boundary of an average is undocumented, so it replaces only the widest factor of purchases.
  const averages =
    need.boundary === 'cradle-to-gate'
      ? [...industryItems(record)].filter((item) => industryCurrency(item, currencies) === currency)
      : [];
  const age = new AgeLimit(
    need,
    offers.filter(({ own, additive, nested }) => (own ?? additive ?? nested) !== undefined),
    averages,
  );
  const average = chooseAverage(averages, need, age);
  const replace = () =>
    average === undefined
      ? explain(record, need, currencies, age)
      : { ...average, note: age.note(age.ownYear) };
  const picked = pick(offers, age, 'additive', true);
  const other = pick(offers, age, 'nested', true);
  const additive =
    picked === undefined ? replace() : factorOf(picked, offers, need, 'additive', average);
  const isSame =
    picked?.offer === other?.offer &&
    picked?.basis === other?.basis &&
    picked?.value === other?.value;
  const nested = () =>
    other === undefined ? replace() : factorOf(other, offers, need, 'nested', average);
  return {
    additive,
    nested: isSame ? additive : nested(),
    others: {
      additive: pick(offers, age, 'additive', false)?.value ?? null,
      nested: pick(offers, age, 'nested', false)?.value ?? null,
      industry: average?.value ?? null,
      location: picked?.basis === 'own' ? locationValue(picked.offer, need.boundary) : null,
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
  readonly year?: unknown;
}

/* Which figures are too old. */
class AgeLimit {
  readonly #reference: number | null;
  readonly #need: FactorNeed;
  /* The latest year of the record's figures that are too old, and of the averages as well. */
  readonly ownYear: number | null;
  readonly latestYear: number | null;

  /* Without a year of spend, the age counts from the latest usable figures. */
  constructor(need: FactorNeed, offers: readonly Dated[], averages: readonly Dated[]) {
    const yearsOf = (dated: readonly Dated[]) => dated.flatMap((each) => yearOf(each.year) ?? []);
    const [own, all] = [yearsOf(offers), yearsOf([...offers, ...averages])];
    this.#need = need;
    this.#reference = need.year ?? (all.length > 0 ? Math.max(...all) : null);
    const latestOld = (years: readonly number[]) => {
      const old = years.filter((year) => this.#isOld(year));
      return old.length > 0 ? Math.max(...old) : null;
    };
    this.ownYear = latestOld(own);
    this.latestYear = latestOld(all);
  }

  /* Ranks a year, the best rank lowest; undefined for one that is too old. */
  distance(year: unknown): number | undefined {
    const known = yearOf(year);
    if (known === null) return withoutYear;
    if (this.#isOld(known)) return undefined;
    const gap = (this.#reference ?? known) - known;
    return gap >= 0 ? gap : 0.5 - gap;
  }

  /* Explains why figures of a year were not used. */
  note(year: number | null): string | null {
    if (year === null) return null;
    const { maxFactorAge: maxAge, year: spendYear } = this.#need;
    const than = spendYear === null ? `the latest of ${this.#reference}` : 'the spend';
    return `figures of ${year} are more than ${maxAge} years older than ${than}`;
  }

  #isOld(year: number): boolean {
    return this.#reference !== null && this.#reference - year > this.#need.maxFactorAge;
  }
}

/* Figures without a year come last. */
const withoutYear = 1e6;

/* A performance in the currency of the spend, with its factors. */
interface Offer {
  readonly performance: Performance;
  readonly year: number | null;
  readonly own: number | undefined;
  readonly additive: number | undefined;
  readonly nested: number | undefined;
}

function offerOf(performance: Performance, { boundary, scale }: FactorNeed): Offer {
  const service = (reading: UpstreamReading) => {
    const value = serviceFactor(performance, boundary, reading);
    return value === undefined ? undefined : inUnit(value, scale);
  };
  return {
    performance,
    year: yearOf(performance.year),
    own: ownFactor(performance, boundary),
    additive: service('additive'),
    nested: service('nested'),
  };
}

interface Picked {
  readonly offer: Offer;
  readonly basis: 'own' | 'service';
  readonly value: number;
}

/* Picks the nearest year, then the record's own figures if they are allowed. */
function pick(
  offers: readonly Offer[],
  age: AgeLimit,
  reading: UpstreamReading,
  allowsOwn: boolean,
): Picked | undefined {
  let best: Picked | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const offer of offers) {
    const distance = age.distance(offer.year);
    if (distance === undefined) continue;
    const isOwn = allowsOwn && offer.own !== undefined;
    const value = isOwn ? offer.own : offer[reading];
    // A quarter of a year puts the record's own figures of the same distance first.
    const rank = distance + (isOwn ? 0 : 0.25);
    if (value === undefined || rank >= bestRank) continue;
    best = { offer, basis: isOwn ? 'own' : 'service', value };
    bestRank = rank;
  }
  return best;
}

function factorOf(
  { offer, basis, value }: Picked,
  offers: readonly Offer[],
  { boundary }: FactorNeed,
  reading: UpstreamReading,
  average: Factor | undefined,
): Factor {
  const { performance, year } = offer;
  const isOwn = basis === 'own';
  return {
    basis,
    value,
    year,
    region: regionOf(performance.region),
    upstream: !isOwn && boundary === 'cradle-to-gate' ? reading : null,
    scopes1And2: isOwn ? ownScopes1And2(performance) : 0,
    inputs: (isOwn ? ownInputs : serviceInputs)(performance, boundary),
    note: null,
    earlier: earlierOf(offers, offer, (each) => (isOwn ? each.own : each[reading])),
    industry: average?.value ?? null,
  };
}

/* Division by 1,000 rounds once; multiplication by 0.001 would round twice. */
function inUnit(value: number, scale: number): number {
  return scale < 1 ? value / Math.round(1 / scale) : value * scale;
}

/* The same basis in the same region, in the latest earlier year. */
function earlierOf(
  offers: readonly Offer[],
  { year, performance }: Offer,
  valueIn: (offer: Offer) => number | undefined,
): Factor['earlier'] {
  if (year === null) return null;
  const region = regionOf(performance.region);
  let earlier: Factor['earlier'] = null;
  for (const offer of offers) {
    if (offer.year === null || offer.year >= year || offer.year <= (earlier?.year ?? 0)) continue;
    if (regionOf(offer.performance.region) !== region) continue;
    const value = valueIn(offer);
    if (value !== undefined && value > 0) earlier = { year: offer.year, value };
  }
  return earlier;
}

function locationValue({ performance }: Offer, boundary: Boundary): number | null {
  if (boundary === 'total') return null;
  return ownFactor(performance, boundary, true) ?? null;
}

/**
 * Returns the record's own emissions divided by revenue; undefined without the figures that the
 * boundary requires. Cradle-to-gate requires scope 1, scope 2 and purchased goods and services.
 */
export function ownFactor(
  performance: Performance,
  boundary: Boundary,
  prefersLocation = false,
): number | undefined {
  const revenue = positiveFigure(performance.revenue);
  if (revenue === undefined) return undefined;
  const amount = ownEmissions(performance, boundary, prefersLocation);
  return amount === undefined ? undefined : usableFigure(amount / revenue);
}

function ownEmissions(
  { emissions }: Performance,
  boundary: Boundary,
  prefersLocation = false,
): number | undefined {
  if (!emissions) return undefined;
  if (boundary === 'total') return totalOf(emissions);
  const scopes1And2 = scopes1And2Of(emissions, prefersLocation);
  if (boundary === 'scope-1-2' || scopes1And2 === undefined) return scopes1And2;
  const upstream = upstreamOf(emissions.scope_3);
  return upstream === undefined ? undefined : scopes1And2 + upstream;
}

function ownScopes1And2({ emissions, revenue }: Performance): number {
  const [amount, divisor] = [emissions && scopes1And2Of(emissions), positiveFigure(revenue)];
  return amount === undefined || amount === null || divisor === undefined ? 0 : amount / divisor;
}

/**
 * Returns the service's factor. A factor of 0 is not used: no organization is without emissions.
 */
export function serviceFactor(
  performance: Performance,
  boundary: Boundary,
  reading: UpstreamReading,
): number | undefined {
  if (boundary === 'total') return positiveFigure(performance.emission_factor);
  const scopes1And2 = positiveFigure(performance.scope_1_and_2_emission_factor);
  if (boundary === 'scope-1-2') return scopes1And2;
  const upstream = positiveFigure(performance.total_upstream_emission_factor);
  if (reading === 'nested' || upstream === undefined) return upstream;
  return scopes1And2 === undefined ? undefined : scopes1And2 + upstream;
}

function ownInputs(performance: Performance, boundary: Boundary): FactorInputs {
  const emissions = performance.emissions ?? {};
  const { scope_2, scope_1_and_2, scope_3 } = emissions;
  const [scope1, scope2] = [scope1Of(emissions), scope2Of(emissions)];
  const isSeparate = scope1 !== undefined && scope2 !== undefined;
  const hasUpstream = boundary === 'cradle-to-gate';
  return {
    ...noInputs,
    revenue: usableFigure(performance.revenue) ?? null,
    scope_1: isSeparate ? scope1 : null,
    scope_2: isSeparate ? scope2 : null,
    scope_2_method: scope2Method(isSeparate ? scope_2 : scope_1_and_2),
    scope_1_and_2: isSeparate ? null : (combinedScopesOf(emissions) ?? null),
    upstream: hasUpstream ? (upstreamOf(scope_3) ?? null) : null,
    upstream_categories: hasUpstream ? countUpstreamCategories(scope_3) : null,
    total: boundary === 'total' ? (totalOf(emissions) ?? null) : null,
  };
}

function serviceInputs(performance: Performance, boundary: Boundary): FactorInputs {
  const figure = (isUsed: boolean, value: unknown) =>
    isUsed ? (usableFigure(value) ?? null) : null;
  const isTotal = boundary === 'total';
  return {
    ...noInputs,
    scope_1_and_2_emission_factor: figure(!isTotal, performance.scope_1_and_2_emission_factor),
    total_upstream_emission_factor: figure(
      boundary === 'cradle-to-gate',
      performance.total_upstream_emission_factor,
    ),
    emission_factor: figure(isTotal, performance.emission_factor),
  };
}

/** The inputs of a factor without any. */
export const noInputs: FactorInputs = {
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

type IndustryItem = Readonly<Record<string, unknown>>;

/* The specification does not describe these items, so each is checked. */
function* industryItems(record: Organization): Iterable<IndustryItem> {
  for (const item of record.industry?.performances ?? []) {
    if (isObject(item) && positiveFigure((item as IndustryItem)['emission_factor']) !== undefined)
      yield item as IndustryItem;
  }
}

function industryCurrency(item: IndustryItem, currencies: CurrencyReader): string | undefined {
  return currencies.read(currencyCode(item['revenue_currency']) ?? item['currency']);
}

function chooseAverage(
  averages: readonly IndustryItem[],
  { scale }: FactorNeed,
  age: AgeLimit,
): Factor | undefined {
  let best: IndustryItem | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const item of averages) {
    const rank = age.distance(item['year']);
    if (rank === undefined || rank >= bestRank) continue;
    best = item;
    bestRank = rank;
  }
  const factor = positiveFigure(best?.['emission_factor']);
  if (best === undefined || factor === undefined) return undefined;
  return {
    basis: 'industry',
    value: inUnit(factor, scale),
    year: yearOf(best['year']),
    region: regionOf(best['region']),
    upstream: null,
    scopes1And2: 0,
    inputs: { ...noInputs, emission_factor: factor },
    note: null,
    earlier: null,
    industry: null,
  };
}

function isUsable(performance: Performance, boundary: Boundary): boolean {
  return (
    ownFactor(performance, boundary) !== undefined ||
    serviceFactor(performance, boundary, 'additive') !== undefined ||
    serviceFactor(performance, boundary, 'nested') !== undefined
  );
}

/*
 * Returns the reason why a record has no usable factor. What the user can change comes first (the
 * age, the currency), then what time changes (the research), then what the record lacks.
 */
function explain(
  record: Organization,
  need: FactorNeed,
  reader: CurrencyReader,
  age: AgeLimit,
): Uncovered {
  const tooOld = age.note(age.latestYear);
  if (tooOld !== null) return because('too_old', tooOld);
  const currencies = usableCurrencies(record, need, reader);
  const [other] = currencies;
  if (other !== undefined) {
    // Text from outside can have any length.
    const name = /^[A-Z]{3}$/.test(other) ? other : 'another currency';
    return because('other_currency', `the record is in ${name}`);
  }
  if (currencies.size > 0) return because('no_currency', 'the record names no currency');
  const { status, performances } = record;
  if (status && !hasEnded(status)) return because('in_progress', `status ${status.slice(0, 40)}`);
  if (!performances?.length)
    return because(status === 'errored' ? 'errored' : 'no_performance', null);
  const lacksOnlyRevenue = performances.some(
    (performance) =>
      positiveFigure(performance.revenue) === undefined &&
      ownEmissions(performance, need.boundary) !== undefined,
  );
  return lacksOnlyRevenue
    ? because('no_revenue', 'the record has emissions, but no revenue')
    : because('no_factor', `the record has no factor for the boundary ${need.boundary}`);
}

/*
 * Returns the currencies of usable factors that are not in the row's currency; undefined stands for
 * a currency that nothing names.
 */
function usableCurrencies(
  record: Organization,
  need: FactorNeed,
  reader: CurrencyReader,
): Set<string | undefined> {
  const currencies = new Set<string | undefined>();
  for (const performance of record.performances ?? []) {
    if (isUsable(performance, need.boundary))
      currencies.add(reader.read(performance.revenue_currency));
  }
  if (need.boundary === 'cradle-to-gate') {
    for (const item of industryItems(record)) currencies.add(industryCurrency(item, reader));
  }
  currencies.delete(currencyCode(need.currency));
  // A named currency explains more than an unnamed one.
  if (currencies.size > 1) currencies.delete(undefined);
  return currencies;
}

function because(reason: UncoveredReason, detail: string | null): Uncovered {
  return { reason, detail };
}
