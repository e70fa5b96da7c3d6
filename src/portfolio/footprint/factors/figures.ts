/*
 * Which figures of a record count, the currency that they are in, and what they show about what the
 * specification does not describe: whether the service's upstream factor contains scopes 1 and 2,
 * and whether its factors have the unit of the emissions.
 */
import type { Emissions, Organization, Performance, Scope3 } from '../../../client/api/schema.ts';
import { scope3Categories } from '../../../client/api/vocabulary.ts';
import { figure, numberFormats } from '../../../display/terminal/figure.ts';
import { plural } from '../../../display/terminal/format.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { isYear } from '../../organizations/history.ts';
import { type FactorInputs, type UpstreamReading, upstreamReadings } from '../line-item.ts';

/* No figure of an organization comes near; below it, no product and no sum is infinite. */
const maxFigure = 1e100;

/** Returns a figure from 0 to 1e100; any other value is not used. */
export function usableFigure(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= maxFigure
    ? Math.abs(value)
    : undefined;
}

/** Returns a figure above 0 and up to 1e100; any other value is not used. */
export function positiveFigure(value: unknown): number | undefined {
  return usableFigure(value) || undefined;
}

/* Returns scope 1: the total, otherwise the sum of its disclosed parts. */
function scope1Of({ scope_1 }: Emissions): number | undefined {
  return usableFigure(scope_1?.total) ?? usableFigure(scope_1?.sum);
}

/**
 * Returns scopes 1 and 2, otherwise the figure for both together: market-based where disclosed,
 * otherwise location-based, otherwise by an undisclosed method. The method of a factor is named, so
 * a figure with one precedes the total, which views prefer.
 */
export function readScopes1And2(emissions: Emissions, byLocation = false) {
  const { scope_2, scope_1_and_2 } = emissions;
  const scope1 = scope1Of(emissions);
  const scope2 = figureOf(scope_2, byLocation) ?? usableFigure(scope_2?.sum);
  if (scope1 !== undefined && scope2 !== undefined)
    return { both: scope1 + scope2, scope1, scope2 };
  const both = figureOf(scope_1_and_2, byLocation);
  return both === undefined ? undefined : { both, scope1: undefined, scope2: undefined };
}

type Methods = Emissions['scope_2'] | Emissions['scope_1_and_2'];

function figureOf(scope: Methods, byLocation: boolean): number | undefined {
  const market = usableFigure(scope?.total_market_based);
  const location = usableFigure(scope?.total_location_based);
  return (byLocation ? (location ?? market) : (market ?? location)) ?? usableFigure(scope?.total);
}

/** Names the method of a figure by the methods that its scope discloses. */
export function scope2MethodOf(scope: Methods): FactorInputs['scope_2_method'] {
  if (usableFigure(scope?.total_market_based) !== undefined) return 'market-based';
  return usableFigure(scope?.total_location_based) === undefined ? null : 'location-based';
}

/** The upstream categories of the GHG Protocol, 1 to 8. */
const upstreamCategories = scope3Categories.slice(0, 8);

/**
 * Returns the sum of the upstream categories with a value, and their numbers in order, such as
 * `1 4 6`; undefined unless purchased goods and services are above 0, because every organization
 * buys something.
 */
export function upstreamOf(
  scope3: Scope3 | null | undefined,
): { readonly sum: number; readonly categories: string } | undefined {
  if (!scope3 || positiveFigure(scope3.purchased_goods_and_services) === undefined)
    return undefined;
  let sum = 0;
  let bits = 0;
  for (let at = 0; at < upstreamCategories.length; at += 1) {
    const category = upstreamCategories[at];
    const amount = category && usableFigure(scope3[category]);
    if (amount === undefined) continue;
    sum += amount;
    bits |= 1 << at;
  }
  return { sum, categories: categoryLists[bits] ?? '' };
}

/**
 * Returns the numbers of the upstream categories without a value, in order; all of them without
 * emissions. Purchased goods and services of 0 have none.
 */
export function missingUpstream(scope3: Scope3 | null | undefined): string {
  const bits = upstreamCategories.reduce((set, category, at) => {
    const amount = scope3?.[category];
    const isThere = at === 0 ? positiveFigure(amount) : usableFigure(amount);
    return isThere === undefined ? set | (1 << at) : set;
  }, 0);
  return categoryLists[bits] ?? '';
}

/* The numbers of the categories whose bits are set: one text for all records with the same ones. */
const categoryLists = Array.from({ length: 1 << upstreamCategories.length }, (_, bits) =>
  upstreamCategories.flatMap((_category, at) => (bits & (1 << at) ? at + 1 : [])).join(' '),
);

/**
 * Returns the total emissions: the disclosed total, else the sum of the disclosed parts if all
 * three scopes are among them.
 */
export function disclosedTotal(emissions: Emissions): number | undefined {
  const total = usableFigure(emissions.total);
  if (total !== undefined || readScopes1And2(emissions) === undefined) return total;
  const { scope_3 } = emissions;
  const scope3 =
    usableFigure(scope_3?.total) ?? usableFigure(scope_3?.sum) ?? upstreamOf(scope_3)?.sum;
  return scope3 === undefined ? undefined : usableFigure(emissions.sum);
}

/*
 * Returns every figure for scopes 1 and 2 that an organization discloses: with scope 2
 * market-based, location-based and without a method, and the combined figures.
 */
function allScopes1And2(emissions: Emissions): number[] {
  const { scope_2, scope_1_and_2 } = emissions;
  const scope1 = scope1Of(emissions);
  const all: number[] = [];
  const add = (first: number | undefined, figure: unknown) => {
    const usable = usableFigure(figure);
    if (first !== undefined && usable !== undefined) all.push(first + usable);
  };
  add(scope1, scope_2?.total_market_based);
  add(scope1, scope_2?.total_location_based);
  add(scope1, scope_2?.total);
  add(scope1, scope_2?.sum);
  add(0, scope_1_and_2?.total_market_based);
  add(0, scope_1_and_2?.total_location_based);
  add(0, scope_1_and_2?.total);
  return all;
}

/**
 * Returns a function that reads the currency of a record's figures. Those that name none have the
 * only currency that its performances name, otherwise the requested one, because a response has one
 * currency (section 2.4). It is undefined if the performances name several, or if nothing is known.
 */
export function currencyReader(record: Organization, requested: string | undefined) {
  let named: string | undefined;
  let isOne = true;
  for (const { revenue_currency } of record.performances ?? []) {
    const code = currencyCode(revenue_currency);
    isOne &&= code === undefined || named === undefined || code === named;
    named ??= code;
  }
  const ofRecord = isOne ? (named ?? currencyCode(requested)) : undefined;
  return (stated: unknown): string | undefined => currencyCode(stated) ?? ofRecord;
}

/** Returns the currencies that the performances of a record name, in capitals. */
export function currenciesOf({ performances }: Organization): ReadonlySet<string> {
  return new Set((performances ?? []).flatMap((each) => currencyCode(each.revenue_currency) ?? []));
}

/** Returns a currency in capitals; undefined without one. */
export function currencyCode(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return (isCode.test(value) ? value : value.trim().toUpperCase()) || undefined;
}

const isCode = /^[A-Z]{3}$/;

/** Returns a plausible year of figures (1900 to 2200), else null. */
export function yearOf(year: unknown): number | null {
  return isYear(year as number) ? (year as number) : null;
}

/** What one record shows about what the specification does not describe. */
export interface Evidence {
  readonly upstream: UpstreamReading | undefined;
  /** `emission_factor` times revenue divided by emissions in the latest year with all three. */
  readonly unitRatio: number | undefined;
}

/* Relative difference up to which a factor agrees with the record's own figures. */
const tolerance = 0.01;
/* Relative difference of the two readings below which a record is no evidence for either. */
const minDifference = 0.03;
/* Percentage of the records with evidence that must agree. */
const minAgreement = 95;

/** Returns the reading that a record shows; undefined if its years show none, or both. */
export function upstreamEvidence({ performances }: Organization): Evidence['upstream'] {
  let found: Evidence['upstream'];
  for (const performance of performances ?? []) {
    const reading = performanceEvidence(performance);
    if (found !== undefined && reading !== undefined && reading !== found) return undefined;
    found ??= reading;
  }
  return found;
}

function performanceEvidence(performance: Performance): Evidence['upstream'] {
  const { emissions } = performance;
  const stated = positiveFigure(performance.total_upstream_emission_factor);
  const revenue = positiveFigure(performance.revenue);
  if (stated === undefined || revenue === undefined || !emissions) return undefined;
  const upstream = upstreamOf(emissions.scope_3)?.sum;
  if (upstream === undefined) return undefined;
  const agree = (expected: number) => Math.abs(stated - expected) <= tolerance * expected;
  // The service may have used the market-based or the location-based figure of scope 2.
  const all = allScopes1And2(emissions);
  const isSmall = (own: number) => own === 0 || own < minDifference * (own + upstream);
  if (all.length === 0 || all.some(isSmall)) return undefined;
  if (agree(upstream / revenue)) return 'additive';
  return all.some((own) => agree((own + upstream) / revenue)) ? 'nested' : undefined;
}

/** The reading of the upstream factor for records that do not show their own. */
export type UpstreamSummary = ReturnType<typeof decideReading> & {
  /** The records of the suppliers bought from; the other counts are of all records. */
  readonly of_suppliers: ReturnType<typeof countReadings> & {
    /** Fewer than records if some have one for each of several currencies. */
    readonly organizations: number;
  };
};

/** Counts records by the reading that they show. */
export function countReadings(records: readonly Evidence[]) {
  const counts = { additive: 0, nested: 0, undecided: 0 };
  for (const { upstream = 'undecided' } of records) counts[upstream] += 1;
  return counts;
}

/**
 * Decides the reading of the upstream factor for records that do not show their own:
 * `--upstream-factor`, otherwise the other records.
 *
 * @param items how many line items depend on the reading
 * @param resultOf returns what a reading leads to: words, and the emissions if they are of one year
 * @throws UsageError if a line item needs the reading, and nothing decides it
 */
export function decideReading(
  records: readonly Evidence[],
  option: UpstreamReading | undefined,
  items: number,
  resultOf: (reading: UpstreamReading) => ReadingResult,
) {
  const counts = countReadings(records);
  const { additive, nested } = counts;
  if (items === 0) return { reading: null, decided_by: null, ...counts };
  const most = additive < nested ? ('nested' as const) : ('additive' as const);
  const isAgreed = counts[most] > 0 && counts[most] * 100 >= minAgreement * (additive + nested);
  const reading = option ?? (isAgreed ? most : null);
  const decided_by = option === undefined ? ('records' as const) : ('option' as const);
  if (reading !== null) return { reading, decided_by, ...counts };
  const results = { additive: resultOf('additive'), nested: resultOf('nested') };
  const shown = additive + nested;
  const counted =
    shown === 0
      ? 'no record shows it'
      : `of ${plural(shown, 'record that shows', 'records that show')} it, ${plural(additive, 'says', 'say')} additive, ${nested} nested`;
  const reason = additive === nested ? 'the higher total' : 'as most records that show it do';
  throw new UsageError(
    `Choose how to read the service's upstream factor: ${counted}${differenceText(results, items)}`,
    `If you don't know, add --upstream-factor ${most} (${reason}), and ask the service. Additive: without scopes 1 and 2 of the supplier, which are added (${results.additive.text}). Nested: with them (${results.nested.text}).`,
    'usage',
    () => ({
      question: "Does the service's upstream factor contain scopes 1 and 2?",
      options: [most, ...upstreamReadings.filter((each) => each !== most)].map((each) => ({
        label: each === 'additive' ? 'No (additive)' : 'Yes (nested)',
        hint: `${results[each].text}${each === most ? "; take it if you don't know" : ''}`,
        add: ['--upstream-factor', each],
      })),
    }),
  );
}

/** What a reading leads to. */
export interface ReadingResult {
  readonly text: string;
  readonly emissions: number | null;
}

/* Returns how much of the total the choice changes; empty without one total. */
function differenceText(
  { additive, nested }: Readonly<Record<UpstreamReading, ReadingResult>>,
  items: number,
): string {
  const larger = Math.max(additive.emissions ?? 0, nested.emissions ?? 0);
  if (additive.emissions === null || nested.emissions === null || larger <= 0) return '';
  const share = Math.abs(additive.emissions - nested.emissions) / larger;
  return `; the choice changes ${numberFormats.share(share)} of the total (${plural(items, 'line item')})`;
}

/** Only the latest year counts: older figures are seldom used. */
export function unitRatio({ performances }: Organization): number | undefined {
  let latest = Number.NEGATIVE_INFINITY;
  let ratio: number | undefined;
  for (const { year, emission_factor, revenue, emissions } of performances ?? []) {
    const known = yearOf(year) ?? 0;
    const factor = positiveFigure(emission_factor);
    const divisor = positiveFigure(revenue);
    const amount = usableFigure(emissions?.total) ?? usableFigure(emissions?.sum);
    if (known <= latest || factor === undefined || divisor === undefined || !amount) continue;
    latest = known;
    ratio = (factor * divisor) / amount;
  }
  return ratio;
}

/* Relative difference up to which a ratio is a power of ten. A wrong currency differs more. */
const unitTolerance = 0.05;

/**
 * Checks that the service's factors and the emissions of the records have one unit. A single record
 * in another unit is a finding of `carbon check`.
 *
 * @throws UsageError if at least half of the records that show it, and two of them, differ by the
 * same power of a thousand
 */
export function checkUnits(records: readonly Evidence[]): void {
  const ratios = records.flatMap(({ unitRatio: ratio }) => ratio ?? []);
  for (const power of [3, -3, 6, -6]) {
    const near = ratios.filter((ratio) => Math.abs(ratio / 10 ** power - 1) <= unitTolerance);
    if (near.length < 2 || near.length * 2 < ratios.length) continue;
    throw new UsageError(
      `Emission factors and emissions have different units: the factor times revenue is ${figure(10 ** power).exact} times the emissions in ${near.length} of ${plural(ratios.length, 'record')}`,
      'Ask the service for the units of its emissions, revenue and emission factors. To see the records: carbon check',
    );
  }
}
