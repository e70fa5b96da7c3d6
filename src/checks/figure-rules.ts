/*
 * Rules that ask whether the figures of a record can be right. Each rule is one entry of the table
 * at the end: its name, severity, limit, reason, and a pure function.
 *
 * Figures are compared within one performance, that is, within one year and region (section 2.4 of
 * the specification); changes between years compare performances of one region.
 */

import { isObject } from '../api/ids.ts';
import {
  type Emissions,
  type Organization,
  type Performance,
  scope3Categories,
} from '../api/schema.ts';
import { readEmissions, scopes } from '../organizations/emissions.ts';
import { compareYears } from '../organizations/trend.ts';
import type { Finding, Observation, Rule } from './findings.ts';

/** What a rule may look at besides the record. */
export interface RuleContext {
  /** Today, `YYYY-MM-DD`. */
  readonly today: string;
}

/** A rule that looks at one record. */
export interface FigureRule extends Rule {
  readonly find: (record: Organization, context: RuleContext) => Iterable<Observation>;
}

/** Share by which a sum may differ from its parts: figures are often rounded to three digits. */
export const sumTolerance = 0.01;
/** Share by which factor × revenue may differ from the emissions: services round factors. */
export const factorTolerance = 0.05;
/** Growth between two years above which a change needs an explanation, such as an acquisition. */
export const jumpLimit = 5;
/** Share of scope 3 above which scopes 1 and 2 look like a unit error. Banks do exceed it. */
export const scope3ShareLimit = 0.99;
/** How far an organization's factor may be from the average of its industry, up or down. */
export const benchmarkRange = 10;
/** Age in years of the latest figures; reports appear up to two years after their year. */
export const oldYears = 2;
/** Age in months of evidence; the programs publish their lists at least once a year. */
export const staleMonths = 12;

const factorOfThousand = [1e-6, 1e-3, 1e3, 1e6];
const factorOfTen = [1e-3, 1e-1, 1e1, 1e3];

const percent = (share: number) => `${share * 100}%`;

/** Yields the findings of every rule for the figures of a record. */
export function* checkFigures(
  record: Organization,
  context: RuleContext,
): Iterable<Omit<Finding, 'id' | 'name'>> {
  for (const { name, severity, find } of figureRules)
    for (const observation of find(record, context)) yield { rule: name, severity, ...observation };
}

const scopeParts = (['scope_1', 'scope_2', 'scope_3'] as const).map((scope) => ({
  scope,
  parts: scopes[scope].filter((field) => !/^(?:total|sum)/.test(field)),
  totals: scopes[scope].filter((field) => /^total/.test(field)),
}));

function* sumScope(record: Organization): Iterable<Observation> {
  for (const { year, emissions } of performancesOf(record)) {
    for (const { scope, parts, totals: fields } of scopeParts) {
      const amounts = emissions?.[scope] as Amounts;
      if (!amounts) continue;
      const known = parts.map((field) => amounts[field]).filter(isNumber);
      if (known.length === 0) continue;
      const sum = add(known);
      const totals = fields.map((field) => amounts[field]).filter(isNumber);
      const stated = amounts['sum'];
      const differs = (value: number) => differ(sum, value, sumTolerance);
      // Missing parts make the sum smaller than the total, but never larger.
      const isWrong =
        (totals.length > 0 && sum > Math.max(...totals) * (1 + sumTolerance)) ||
        (known.length === parts.length && totals.length > 0 && totals.every(differs)) ||
        (isNumber(stated) && differs(stated));
      if (!isWrong) continue;
      const limit = isNumber(stated) && differs(stated) ? stated : Math.max(...totals);
      const evidence = `${words(scope)}: ${known.length} parts add up to ${sum}, not to ${limit}`;
      yield { value: sum, limit, year: year ?? null, evidence };
    }
  }
}

function* sumTotal(record: Organization): Iterable<Observation> {
  for (const { year, emissions } of performancesOf(record)) {
    const { scope1, scope1And2, scope3, total } = readEmissions(emissions);
    if (total === undefined) continue;
    const both = scopeTwoValues(emissions).map((value) => (scope1?.value ?? 0) + value);
    if (both.length === 0) both.push(scope1And2?.value ?? scope1?.value ?? 0);
    const sums = both.map((value) => value + (scope3?.value ?? 0));
    const isComplete =
      scope3 !== undefined &&
      (scope1And2 !== undefined || (scope1 !== undefined && scopeTwoValues(emissions).length > 0));
    const isRight = sums.some((sum) =>
      isComplete
        ? !differ(sum, total.value, sumTolerance)
        : sum <= total.value * (1 + sumTolerance),
    );
    const [sum = 0] = sums;
    if (isRight) continue;
    const evidence = `scopes add up to ${sum}, the total is ${total.value}`;
    yield { value: sum, limit: total.value, year: year ?? null, evidence };
  }
}

function* joint(record: Organization): Iterable<Observation> {
  for (const { year, emissions } of performancesOf(record)) {
    const { scope1, scope1And2 } = readEmissions(emissions);
    const second = scopeTwoValues(emissions);
    if (scope1 === undefined || scope1And2 === undefined || second.length === 0) continue;
    const sums = second.map((value) => scope1.value + value);
    const stated = jointValues(emissions);
    if (stated.some((value) => sums.some((sum) => !differ(sum, value, sumTolerance)))) continue;
    const [sum = 0] = sums;
    const evidence = `scope 1 plus scope 2 is ${sum}, scope 1 and 2 together is ${scope1And2.value}`;
    yield { value: scope1And2.value, limit: sum, year: year ?? null, evidence };
  }
}

/* Ratios of factor × revenue to the emissions, which is 1 in a consistent record. */
function* factorRatios(record: Organization): Iterable<Observation & { readonly ratio: number }> {
  for (const performance of performancesOf(record)) {
    const { revenue, emissions, emission_factor, scope_1_and_2_emission_factor } = performance;
    if (!isNumber(revenue) || revenue <= 0) continue;
    const { scope1, scope1And2, total } = readEmissions(emissions);
    const firstTwo = jointValues(emissions);
    if (scope1And2 === undefined && scope1 !== undefined)
      firstTwo.push(...scopeTwoValues(emissions).map((value) => scope1.value + value));
    const pairs = [
      ['emission_factor', emission_factor, total === undefined ? [] : [total.value]],
      ['scope_1_and_2_emission_factor', scope_1_and_2_emission_factor, firstTwo],
    ] as const;
    for (const [field, factor, amounts] of pairs) {
      if (!isNumber(factor) || factor <= 0) continue;
      const ratios = amounts.filter((amount) => amount > 0).map((x) => (factor * revenue) / x);
      const [ratio] = ratios.toSorted((a, b) => distance(a) - distance(b));
      if (ratio === undefined || !differ(ratio, 1, factorTolerance)) continue;
      const value = round(ratio);
      const evidence = `${field} × revenue is ${value} times the emissions`;
      yield { value, limit: 1, year: performance.year ?? null, evidence, ratio };
      break;
    }
  }
}

function* unit(record: Organization): Iterable<Observation> {
  for (const { ratio, ...observation } of factorRatios(record))
    if (isNear(ratio, factorOfThousand)) yield observation;
}

function* factor(record: Organization): Iterable<Observation> {
  for (const { ratio, ...observation } of factorRatios(record))
    if (!isNear(ratio, factorOfThousand)) yield observation;
}

/* The largest change of an amount between consecutive years of one region, like for like. */
function* changes(record: Organization): Iterable<Observation & { readonly ratio: number }> {
  for (const [older, newer] of consecutiveYears(record)) {
    const [largest] = commonAmounts(older, newer)
      .filter(({ before, after }) => before > 0 && after > 0)
      .map((amount) => ({ ...amount, ratio: amount.after / amount.before }))
      .toSorted((x, y) => distance(y.ratio) - distance(x.ratio));
    if (largest === undefined) continue;
    const { name, before, after, ratio } = largest;
    const evidence = `${name}: ${before} in ${older.year}, ${after} in ${newer.year}`;
    yield { value: round(ratio), limit: jumpLimit, year: newer.year ?? null, evidence, ratio };
  }
}

interface Change {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/* The amounts that two years have: scope 2 by one method, scope 3 in the same categories. */
function commonAmounts(older: Performance, newer: Performance): Change[] {
  const amounts = ([[1], [2], [3]] as const).flatMap((scopes) => {
    const { before, after, compared } = compareYears(older.emissions, newer.emissions, scopes);
    const [first = ''] = compared;
    const name = compared.length > 1 ? `${compared.length} categories of scope 3` : words(first);
    return before === undefined || after === undefined ? [] : [{ name, before, after }];
  });
  if (amounts.length === 0) {
    const [before, after] = [older, newer].map(({ emissions }) => readEmissions(emissions));
    for (const key of ['scope1And2', 'total'] as const) {
      const [a, b] = [before?.[key], after?.[key]];
      if (a !== undefined && b !== undefined && a.mark === b.mark)
        amounts.push({
          name: key === 'total' ? key : 'scope 1 and 2',
          before: a.value,
          after: b.value,
        });
    }
  }
  const { revenue, revenue_currency: currency } = newer;
  if (currency && older.revenue_currency === currency)
    if (isNumber(older.revenue) && isNumber(revenue))
      amounts.push({ name: 'revenue', before: older.revenue, after: revenue });
  return amounts;
}

function* jump(record: Organization): Iterable<Observation> {
  for (const { ratio, ...observation } of changes(record))
    if (distance(ratio) > Math.log(jumpLimit) && !isNear(ratio, factorOfTen)) yield observation;
}

function* magnitude(record: Organization): Iterable<Observation> {
  for (const { ratio, ...observation } of changes(record))
    if (isNear(ratio, factorOfTen)) yield { ...observation, limit: null };
}

function* scope3Share(record: Organization): Iterable<Observation> {
  for (const { year, emissions } of latestPerformances(record)) {
    const { scope3, total } = readEmissions(emissions);
    if (scope3 === undefined || total === undefined || total.value <= 0) continue;
    const share = scope3.value / total.value;
    if (share <= scope3ShareLimit || share > 1 + sumTolerance) continue;
    const value = round(share);
    const evidence = `scope 3 is ${scope3.value} of ${total.value}`;
    yield { value, limit: scope3ShareLimit, year: year ?? null, evidence };
  }
}

function* categoriesChanged(record: Organization): Iterable<Observation> {
  const latest = latestPerformances(record);
  for (const [older, newer] of consecutiveYears(record)) {
    if (!latest.includes(newer)) continue;
    const [before, after] = [categoriesOf(older), categoriesOf(newer)];
    if (before.length === 0 || after.length === 0) continue;
    const added = after.filter((name) => !before.includes(name)).map(words);
    const removed = before.filter((name) => !after.includes(name)).map(words);
    if (added.length + removed.length === 0) continue;
    const list = [
      added.length > 0 ? `new: ${added.join(', ')}` : '',
      removed.length > 0 ? `missing: ${removed.join(', ')}` : '',
    ];
    const evidence = `scope 3 categories since ${older.year}: ${list.filter(Boolean).join('; ')}`;
    yield { value: after.length, limit: before.length, year: newer.year ?? null, evidence };
  }
}

function* benchmark(record: Organization): Iterable<Observation> {
  const averages = (record.industry?.performances ?? []).filter(isObject).flatMap((item) => {
    const { year, emission_factor: value } = item as Readonly<Record<string, unknown>>;
    return isNumber(value) && value > 0 ? [{ value, year: isNumber(year) ? year : 0 }] : [];
  });
  for (const { year, emission_factor: own } of latestPerformances(record)) {
    const gap = (average: { year: number }) => Math.abs(average.year - (year ?? 0));
    const [average] = averages.toSorted((a, b) => gap(a) - gap(b));
    if (average === undefined || !isNumber(own) || own <= 0) continue;
    const ratio = own / average.value;
    if (distance(ratio) <= Math.log(benchmarkRange)) continue;
    const evidence = `factor ${own}, industry average ${average.value} (${average.year || 'no year'})`;
    yield { value: round(ratio), limit: benchmarkRange, year: year ?? null, evidence };
  }
}

function* negative(record: Organization): Iterable<Observation> {
  for (const { year, ...performance } of performancesOf(record)) {
    const fields = amountsBelow('', performance as Readonly<Record<string, unknown>>);
    const [first, ...others] = fields;
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const evidence = `${first.field} is ${first.value}${more}`;
    yield { value: first.value, limit: 0, year: year ?? null, evidence };
  }
}

function* future(record: Organization, { today }: RuleContext): Iterable<Observation> {
  const limit = Number(today.slice(0, 4));
  for (const year of new Set(performancesOf(record).map((performance) => performance.year)))
    if (isNumber(year) && year > limit)
      yield { value: year, limit, year, evidence: 'the year has not begun' };
}

function* old(record: Organization, { today }: RuleContext): Iterable<Observation> {
  const limit = Number(today.slice(0, 4)) - oldYears;
  const [latest] = latestPerformances(record);
  if (!isNumber(latest?.year) || latest.year >= limit) return;
  const { year } = latest;
  yield { value: year, limit, year, evidence: `the latest figures are those of ${year}` };
}

function* staleEvidence(record: Organization, { today }: RuleContext): Iterable<Observation> {
  const limit = monthsBefore(today, staleMonths);
  for (const source of ['cdp', 'sbti', 'un'] as const) {
    const date = record[source]?.last_retrieved_at?.slice(0, 10);
    if (date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) && date < limit)
      yield { value: date, limit, year: null, evidence: `${source} was last retrieved on ${date}` };
  }
}

function* confidenceLow(record: Organization): Iterable<Observation> {
  if (record.industry_confidence !== 'low') return;
  const evidence = `industry: ${record.industry?.name ?? 'none'}`;
  yield { value: 'low', limit: null, year: null, evidence };
}

function* noSources(record: Organization): Iterable<Observation> {
  if (performancesOf(record).length === 0 || (record.sources ?? []).length > 0) return;
  yield { value: 0, limit: 1, year: null, evidence: 'the record has figures, but no source' };
}

function* percentScore(record: Organization): Iterable<Observation> {
  const scores = { score: record.score, 'industry.mean_score': record.industry?.mean_score };
  for (const [field, value] of Object.entries(scores))
    if (isNumber(value) && value > 1)
      yield { value, limit: 1, year: null, evidence: `${field} is not from 0 to 1` };
}

/** The rules for figures, in the order of the findings of one severity. */
export const figureRules: readonly FigureRule[] = [
  {
    name: 'unit',
    severity: 'error',
    limit: `within ${percent(factorTolerance)} of 1,000, 1,000,000, 1/1,000 or 1/1,000,000 times the emissions`,
    reason: 'A thousand or a million between factor × revenue and emissions is a unit, not a rate.',
    find: unit,
  },
  {
    name: 'sum_scope',
    severity: 'error',
    limit: `parts above the total, or all parts and another total, by more than ${percent(sumTolerance)}`,
    reason:
      'The parts of a scope cannot exceed its total (GHG Protocol, Corporate Standard, ch. 4).',
    find: sumScope,
  },
  {
    name: 'sum_total',
    severity: 'error',
    limit: `a difference of more than ${percent(sumTolerance)}`,
    reason: 'Scopes 1, 2 and 3 make up the total (GHG Protocol, Corporate Standard, ch. 4).',
    find: sumTotal,
  },
  {
    name: 'negative',
    severity: 'error',
    limit: 'below 0',
    reason: 'Emissions of an inventory, revenue and factors are not below 0.',
    find: negative,
  },
  {
    name: 'future',
    severity: 'error',
    limit: 'later than this year',
    reason: 'Nobody reports a year that has not begun.',
    find: future,
  },
  {
    name: 'percent_score',
    severity: 'error',
    limit: 'above 1',
    reason: 'A score is from 0 to 1 (section 2.1); a higher one is probably a percentage.',
    find: percentScore,
  },
  {
    name: 'joint',
    severity: 'warning',
    limit: `a difference of more than ${percent(sumTolerance)}`,
    reason: 'Scope 1 and 2 together is the sum of both.',
    find: joint,
  },
  {
    name: 'factor',
    severity: 'warning',
    limit: `factor × revenue differs from the emissions by more than ${percent(factorTolerance)}`,
    reason: 'A factor is emissions divided by revenue; a wrong currency shows here.',
    find: factor,
  },
  {
    name: 'magnitude',
    severity: 'warning',
    limit: `within ${percent(factorTolerance)} of 10, 1,000, 1/10 or 1/1,000 times the year before, like for like`,
    reason: 'A change by a power of ten from one year to the next is usually a shifted decimal.',
    find: magnitude,
  },
  {
    name: 'jump',
    severity: 'warning',
    limit: `above ${jumpLimit} or below 1/${jumpLimit} times the year before, like for like`,
    reason: 'A fivefold change in a year needs an explanation, such as an acquisition.',
    find: jump,
  },
  {
    name: 'categories_changed',
    severity: 'warning',
    limit: 'other categories than the year before, in the latest year',
    reason: 'Totals of scope 3 with other categories are not comparable.',
    find: categoriesChanged,
  },
  {
    name: 'benchmark',
    severity: 'warning',
    limit: `above ${benchmarkRange} or below 1/${benchmarkRange} times the industry average`,
    reason: 'Within an industry, factors differ by an order of magnitude at most.',
    find: benchmark,
  },
  {
    name: 's3_share',
    severity: 'notice',
    limit: `above ${percent(scope3ShareLimit)} of the total`,
    reason: 'Scopes 1 and 2 below 1% of the total are rare outside finance.',
    find: scope3Share,
  },
  {
    name: 'old',
    severity: 'notice',
    limit: `the latest year is more than ${oldYears} years ago`,
    reason: 'Reports appear within two years.',
    find: old,
  },
  {
    name: 'stale_evidence',
    severity: 'notice',
    limit: `retrieved more than ${staleMonths} months ago`,
    reason: 'CDP, SBTi and UN lists change at least once a year.',
    find: staleEvidence,
  },
  {
    name: 'confidence_low',
    severity: 'notice',
    limit: 'the confidence in the industry is low',
    reason: 'The service itself doubts the industry that its assumptions rest on (section 2.1).',
    find: confidenceLow,
  },
  {
    name: 'no_sources',
    severity: 'notice',
    limit: 'figures, but no source',
    reason: 'Figures without a source cannot be verified (section 2.5).',
    find: noSources,
  },
];

type Amounts = Readonly<Record<string, number | null | undefined>> | null | undefined;

function performancesOf(record: Organization): readonly Performance[] {
  return record.performances ?? [];
}

function latestPerformances(record: Organization): Performance[] {
  const dated = performancesOf(record).filter(({ year }) => isNumber(year));
  const latest = Math.max(...dated.map(({ year }) => year ?? 0));
  return dated.filter(({ year }) => year === latest);
}

/* Pairs of performances of one region in consecutive years, the latest pair first. */
function consecutiveYears(record: Organization): [Performance, Performance][] {
  const performances = performancesOf(record);
  return performances
    .filter(({ year }) => isNumber(year))
    .toSorted((a, b) => (b.year ?? 0) - (a.year ?? 0))
    .flatMap((newer): [Performance, Performance][] => {
      const older = performances.find(
        ({ year, region }) =>
          year === (newer.year ?? 0) - 1 && (region ?? '') === (newer.region ?? ''),
      );
      return older === undefined ? [] : [[older, newer]];
    });
}

/* Scope 2 by every method that the record has. */
function scopeTwoValues(emissions: Emissions | null | undefined): number[] {
  const { total, total_market_based, total_location_based, sum } = emissions?.scope_2 ?? {};
  const totals = [total, total_market_based, total_location_based].filter(isNumber);
  return totals.length === 0 && isNumber(sum) ? [sum] : totals;
}

function jointValues(emissions: Emissions | null | undefined): number[] {
  const { total, total_market_based, total_location_based } = emissions?.scope_1_and_2 ?? {};
  return [total, total_market_based, total_location_based].filter(isNumber);
}

function categoriesOf({ emissions }: Performance): string[] {
  return scope3Categories.filter((category) => isNumber(emissions?.scope_3?.[category]));
}

function amountsBelow(
  path: string,
  value: Readonly<Record<string, unknown>>,
  depth = 0,
): { field: string; value: number }[] {
  const found: { field: string; value: number }[] = [];
  for (const key of Object.keys(value)) {
    const member = value[key];
    // The path is written only where it is needed: nearly all amounts are positive.
    const field = () => (path === '' ? key : `${path}.${key}`);
    if (typeof member === 'number') {
      if (member < 0) found.push({ field: field(), value: member });
    } else if (depth < 3 && isObject(member))
      found.push(...amountsBelow(field(), member as Readonly<Record<string, unknown>>, depth + 1));
  }
  return found;
}

function monthsBefore(date: string, months: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() - months);
  return day.toISOString().slice(0, 10);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function add(values: readonly number[]): number {
  return Number(values.reduce((sum, value) => sum + value, 0).toPrecision(12));
}

function differ(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) > tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/* How far a ratio is from 1, up or down. */
function distance(ratio: number): number {
  return Math.abs(Math.log(ratio));
}

function isNear(ratio: number, powers: readonly number[]): boolean {
  return powers.some((power) => Math.abs(ratio / power - 1) <= factorTolerance);
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

function words(field: string): string {
  return field.replaceAll('_', ' ');
}
