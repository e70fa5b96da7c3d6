/*
 * Rules that ask whether the figures of a record can be right. Each rule is one entry of the table
 * at the end: its name, severity, limit, reason, and a pure function.
 *
 * Figures are compared within one performance, that is, within one year and region (section 2.4 of
 * the specification); changes between years compare performances of one region.
 */

import { isObject } from '../api/ids.ts';
import { type Organization, scope3Categories } from '../api/schema.ts';
import { type Inventory, readInventories, type ScopeFigures } from '../organizations/emissions.ts';
import { compareYears } from '../organizations/trend.ts';
import type { Finding, Observation, Rule } from './findings.ts';

/** What a rule may look at besides the record. */
export interface RuleContext {
  /** Today, `YYYY-MM-DD`. */
  readonly today: string;
}

/** A rule that looks at one record. */
interface FigureRule extends Rule {
  /** Reports what is wrong; a callback, because every record of a portfolio meets every rule. */
  readonly find: (
    figures: Figures,
    report: (observation: Observation) => void,
    context: RuleContext,
  ) => void;
}

/** How far a sum may differ from its parts: figures are often rounded to three digits. */
export const sumTolerance = 0.01;
/** How far factor × revenue may differ from the emissions: services round factors. */
export const factorTolerance = 0.05;
/** Growth between two years above which a change needs an explanation, such as an acquisition. */
export const jumpLimit = 5;
/** Share of scope 3 above which scopes 1 and 2 look like a unit error. Banks do exceed it. */
export const scope3ShareLimit = 0.99;
/** How far an organization's factor may be from the average of its industry, up or down. */
export const benchmarkRange = 10;
/** Age in years of the latest figures; reports appear up to two years after their year. */
export const oldYears = 2;
/** Age in years of evidence; the programs publish their lists at least once a year. */
export const staleYears = 1;

const factorOfThousand = [1e-6, 1e-3, 1e3, 1e6];
const factorOfTen = [1e-3, 1e-1, 1e1, 1e3];

const percent = (share: number) => `${share * 100}%`;

/* A record, with what several rules read of it. */
interface Figures {
  readonly record: Organization;
  readonly years: readonly Inventory[];
  /* The inventories of the latest year. */
  readonly latest: readonly Inventory[];
  /* Inventories with one of the same region in the year before, the latest first. */
  readonly pairs: readonly (readonly [older: Inventory, newer: Inventory])[];
  readonly ratios: readonly Ratio[];
  readonly changes: readonly Ratio[];
}

type Ratio = Observation & { readonly ratio: number };

/**
 * Returns the findings for the figures of a record, which need nothing else.
 * @param years the inventories of the record
 */
export function checkRecordFigures(
  record: Organization,
  context: RuleContext,
  years = readInventories(record),
): Finding[] {
  const { id = null, name = null } = record;
  const found: Finding[] = [];
  const figures = figuresOf(record, years);
  let current: FigureRule | undefined;
  const report = (observation: Observation) => {
    if (current === undefined) return;
    found.push({ id, name, rule: current.name, severity: current.severity, ...observation });
  };
  for (current of figureRules) current.find(figures, report, context);
  return found;
}

function figuresOf(record: Organization, years: readonly Inventory[]): Figures {
  const dated = years.filter(({ year }) => year !== null);
  dated.sort((a, b) => (b.year ?? 0) - (a.year ?? 0));
  const latest = dated.filter(({ year }) => year === dated[0]?.year);
  const pairs: [Inventory, Inventory][] = [];
  for (const newer of dated) {
    const older = years.find(
      ({ year, region }) => year === (newer.year ?? 0) - 1 && region === newer.region,
    );
    if (older !== undefined) pairs.push([older, newer]);
  }
  return { record, years, latest, pairs, ratios: factorRatios(years), changes: changesOf(pairs) };
}

/* Ratios of factor × revenue to the emissions that differ from 1, one a year. */
function factorRatios(years: readonly Inventory[]): Ratio[] {
  const found: Ratio[] = [];
  for (const { year, performance, shown, scope_2, scope_1_and_2 } of years) {
    const { revenue, emission_factor, scope_1_and_2_emission_factor } = performance;
    if (!isNumber(revenue) || revenue <= 0) continue;
    const { scope1, scope1And2, total } = shown;
    const check = (field: string, factor: unknown, amounts: readonly number[]) => {
      if (!isNumber(factor) || factor <= 0) return false;
      const ratio = nearestToOne(amounts, factor * revenue);
      if (ratio === undefined || !differ(ratio, 1, factorTolerance)) return false;
      const value = round(ratio);
      const evidence = `${field} × revenue is ${value} times the emissions`;
      return found.push({ value, limit: 1, year, evidence, ratio }) > 0;
    };
    if (check('emission_factor', emission_factor, total === undefined ? [] : [total.value]))
      continue;
    const firstTwo =
      scope1And2 === undefined && scope1 !== undefined
        ? scopeTwoValues(scope_2).map((value) => scope1.value + value)
        : totalsOf(scope_1_and_2);
    check('scope_1_and_2_emission_factor', scope_1_and_2_emission_factor, firstTwo);
  }
  return found;
}

/* The ratio of a product to one of the amounts that is nearest to 1. */
function nearestToOne(amounts: readonly number[], product: number): number | undefined {
  let nearest: number | undefined;
  for (const amount of amounts) {
    if (amount <= 0) continue;
    const ratio = product / amount;
    if (nearest === undefined || distance(ratio) < distance(nearest)) nearest = ratio;
  }
  return nearest;
}

const singleScopes = [[1], [2], [3]] as const;

/*
 * The largest change between consecutive years of one region: scope 2 by one method, scope 3 in the
 * same categories, one figure for several scopes only where there is no other.
 */
function changesOf(pairs: Figures['pairs']): Ratio[] {
  const found: Ratio[] = [];
  for (const [older, newer] of pairs) {
    let largest: { name: string; a: number; b: number; ratio: number } | undefined;
    const compare = (name: string, a: number, b: number) => {
      if (a <= 0 || b <= 0) return;
      const ratio = b / a;
      if (largest === undefined || distance(ratio) > distance(largest.ratio))
        largest = { name, a, b, ratio };
    };
    let isKnown = false;
    for (const each of singleScopes) {
      const { before, after, compared } = compareYears(older, newer, each);
      if (before === undefined || after === undefined) continue;
      isKnown = true;
      const [first = ''] = compared;
      compare(
        compared.length > 1 ? `${compared.length} categories of scope 3` : first,
        before,
        after,
      );
    }
    if (!isKnown) {
      for (const key of ['scope1And2', 'total'] as const) {
        const [a, b] = [older.shown[key], newer.shown[key]];
        if (a !== undefined && b !== undefined && a.mark === b.mark)
          compare(key === 'total' ? key : 'scope 1 and 2', a.value, b.value);
      }
    }
    const { revenue, revenue_currency: currency } = newer.performance;
    const earlier = older.performance;
    if (currency && earlier.revenue_currency === currency)
      if (isNumber(earlier.revenue) && isNumber(revenue))
        compare('revenue', earlier.revenue, revenue);
    // The limit of a change by a power of ten is lower.
    if (largest === undefined || distance(largest.ratio) <= Math.log(jumpLimit)) continue;
    const { name, a, b, ratio } = largest;
    const evidence = `${name}: ${a} in ${older.year}, ${b} in ${newer.year}`;
    found.push({ value: round(ratio), limit: jumpLimit, year: newer.year, evidence, ratio });
  }
  return found;
}

/* Lists the categories of scope 3 that only the second one of two years has. */
function missingIn({ parts }: ScopeFigures, { parts: others }: ScopeFigures): string[] {
  return scope3Categories
    .filter((_, index) => others[index] !== undefined && parts[index] === undefined)
    .map(words);
}

/** The rules for figures, in the order of the findings of one severity. */
export const figureRules: readonly FigureRule[] = [
  {
    name: 'unit',
    severity: 'error',
    limit: `factor × revenue is within ${percent(factorTolerance)} of 1,000, 1,000,000, 1/1,000 or 1/1,000,000 times the emissions`,
    reason: 'A thousand or a million between factor × revenue and emissions is a unit, not a rate.',
    find({ ratios }, report) {
      for (const { ratio, ...observation } of ratios)
        if (isNear(ratio, factorOfThousand)) report(observation);
    },
  },
  {
    name: 'sum_scope',
    severity: 'error',
    limit: `parts above the total, or all parts and another total, by more than ${percent(sumTolerance)}`,
    reason:
      'The parts of a scope cannot exceed its total (GHG Protocol, Corporate Standard, ch. 4).',
    find({ years }, report) {
      for (const inventory of years) {
        for (const scope of ['scope_1', 'scope_2', 'scope_3'] as const) {
          const { parts, partCount, partSum, sum: own } = inventory[scope];
          if (partCount === 0) continue;
          const differs = (value: number) => differ(partSum, value, sumTolerance);
          const isOwnWrong = own !== undefined && differs(own);
          const totals = totalsOf(inventory[scope]);
          const total = Math.max(...totals);
          // Missing parts make the sum smaller than the total, but never larger.
          const isWrong =
            isOwnWrong ||
            (totals.length > 0 &&
              (partSum > total * (1 + sumTolerance) ||
                (partCount === parts.length && totals.every(differs))));
          if (!isWrong) continue;
          const sum = Number(partSum.toPrecision(12));
          const limit = isOwnWrong ? own : total;
          const evidence = `${words(scope)}: ${partCount} parts add up to ${sum}, not to ${limit}`;
          report({ value: sum, limit, year: inventory.year, evidence });
        }
      }
    },
  },
  {
    name: 'sum_total',
    severity: 'error',
    limit: `the scopes and the total differ by more than ${percent(sumTolerance)}`,
    reason: 'Scopes 1, 2 and 3 make up the total (GHG Protocol, Corporate Standard, ch. 4).',
    find({ years }, report) {
      for (const { year, shown, scope_2 } of years) {
        const { scope1, scope1And2, scope3, total } = shown;
        if (total === undefined) continue;
        const second = scopeTwoValues(scope_2);
        const isComplete =
          scope3 !== undefined &&
          (scope1And2 !== undefined || (scope1 !== undefined && second.length > 0));
        const sums =
          second.length > 0
            ? second.map((value) => (scope1?.value ?? 0) + value + (scope3?.value ?? 0))
            : [(scope1And2?.value ?? scope1?.value ?? 0) + (scope3?.value ?? 0)];
        const isRight = sums.some((sum) =>
          isComplete
            ? !differ(sum, total.value, sumTolerance)
            : sum <= total.value * (1 + sumTolerance),
        );
        const [sum = 0] = sums;
        if (isRight) continue;
        const evidence = `scopes add up to ${sum}, the total is ${total.value}`;
        report({ value: sum, limit: total.value, year, evidence });
      }
    },
  },
  {
    name: 'negative',
    severity: 'error',
    limit: 'an amount, revenue or a factor below 0',
    reason: 'Emissions of an inventory, revenue and factors are not below 0.',
    find({ years }, report) {
      for (const { year, performance } of years) {
        const fields: NegativeAmount[] = [];
        addNegative(fields, '', performance, 0);
        const [first, ...others] = fields;
        if (first === undefined) continue;
        const more = others.length === 0 ? '' : ` and ${others.length} more`;
        const evidence = `${first.field} is ${first.value}${more}`;
        report({ value: first.value, limit: 0, year, evidence });
      }
    },
  },
  {
    name: 'future',
    severity: 'error',
    limit: 'a year later than this one',
    reason: 'Nobody reports a year that has not begun.',
    find({ years }, report, { today }) {
      const limit = Number(today.slice(0, 4));
      const reported = new Set<number>();
      for (const { year } of years) {
        if (!isNumber(year) || year <= limit || reported.has(year)) continue;
        reported.add(year);
        report({ value: year, limit, year, evidence: 'the year has not begun' });
      }
    },
  },
  {
    name: 'percent_score',
    severity: 'error',
    limit: 'a score above 1',
    reason: 'A score is from 0 to 1; a higher one is probably a percentage.',
    find({ record }, report) {
      const check = (field: string, value: unknown) => {
        if (isNumber(value) && value > 1)
          report({ value, limit: 1, year: null, evidence: `${field} is not from 0 to 1` });
      };
      check('score', record.score);
      check('industry.mean_score', record.industry?.mean_score);
    },
  },
  {
    name: 'joint',
    severity: 'warning',
    limit: `scope 1 plus scope 2 and the figure for both differ by more than ${percent(sumTolerance)}`,
    reason: 'Scope 1 and 2 together is the sum of both.',
    find({ years }, report) {
      for (const { year, shown, scope_2, scope_1_and_2 } of years) {
        const { scope1, scope1And2 } = shown;
        if (scope1 === undefined || scope1And2 === undefined) continue;
        const sums = scopeTwoValues(scope_2).map((value) => scope1.value + value);
        if (sums.length === 0) continue;
        const both = totalsOf(scope_1_and_2);
        if (both.some((value) => sums.some((sum) => !differ(sum, value, sumTolerance)))) continue;
        const [sum = 0] = sums;
        const evidence = `scope 1 plus scope 2 is ${sum}, scope 1 and 2 together is ${scope1And2.value}`;
        report({ value: scope1And2.value, limit: sum, year, evidence });
      }
    },
  },
  {
    name: 'factor',
    severity: 'warning',
    limit: `factor × revenue differs from the emissions by more than ${percent(factorTolerance)}`,
    reason: 'A factor is emissions divided by revenue; a wrong currency shows here.',
    find({ ratios }, report) {
      for (const { ratio, ...observation } of ratios)
        if (!isNear(ratio, factorOfThousand)) report(observation);
    },
  },
  {
    name: 'magnitude',
    severity: 'warning',
    limit: `an amount within ${percent(factorTolerance)} of 10, 1,000, 1/10 or 1/1,000 times that of the year before, like for like`,
    reason: 'A change by a power of ten from one year to the next is usually a shifted decimal.',
    find({ changes }, report) {
      for (const { ratio, ...observation } of changes)
        if (isNear(ratio, factorOfTen)) report({ ...observation, limit: null });
    },
  },
  {
    name: 'jump',
    severity: 'warning',
    limit: `an amount above ${jumpLimit} or below 1/${jumpLimit} times that of the year before, like for like`,
    reason: 'A fivefold change in a year needs an explanation, such as an acquisition.',
    find({ changes }, report) {
      for (const { ratio, ...observation } of changes)
        if (!isNear(ratio, factorOfTen)) report(observation);
    },
  },
  {
    name: 'categories_changed',
    severity: 'warning',
    limit: 'other categories than the year before, in the latest year',
    reason: 'Totals of scope 3 with other categories are not comparable.',
    find({ pairs, latest }, report) {
      for (const [{ year: since, scope_3: old }, newer] of pairs) {
        const { year, scope_3: now } = newer;
        if (!latest.includes(newer) || old.partCount === 0 || now.partCount === 0) continue;
        const [added, removed] = [missingIn(old, now), missingIn(now, old)];
        if (added.length + removed.length === 0) continue;
        const list = [
          added.length > 0 ? `new: ${added.join(', ')}` : '',
          removed.length > 0 ? `missing: ${removed.join(', ')}` : '',
        ];
        const evidence = `scope 3 categories since ${since}: ${list.filter(Boolean).join('; ')}`;
        report({ value: now.partCount, limit: old.partCount, year, evidence });
      }
    },
  },
  {
    name: 'benchmark',
    severity: 'warning',
    limit: `a factor above ${benchmarkRange} or below 1/${benchmarkRange} times the industry average`,
    reason: 'Within an industry, factors differ by an order of magnitude at most.',
    find({ record, latest }, report) {
      const averages: readonly unknown[] = record.industry?.performances ?? [];
      for (const { year, performance } of latest) {
        const own = performance.emission_factor;
        if (!isNumber(own) || own <= 0) continue;
        let average: { value: number; year: number; gap: number } | undefined;
        for (const item of averages) {
          if (!isObject(item)) continue;
          const { year: its, emission_factor: value } = item as Readonly<Record<string, unknown>>;
          if (!isNumber(value) || value <= 0) continue;
          const gap = Math.abs((isNumber(its) ? its : 0) - (year ?? 0));
          if (average === undefined || gap < average.gap)
            average = { value, year: isNumber(its) ? its : 0, gap };
        }
        if (average === undefined) continue;
        const ratio = own / average.value;
        if (distance(ratio) <= Math.log(benchmarkRange)) continue;
        const evidence = `factor ${own}, industry average ${average.value} (${average.year || 'no year'})`;
        report({ value: round(ratio), limit: benchmarkRange, year, evidence });
      }
    },
  },
  {
    name: 's3_share',
    severity: 'notice',
    limit: `scope 3 above ${percent(scope3ShareLimit)} of the total`,
    reason: 'Scopes 1 and 2 below 1% of the total are rare outside finance.',
    find({ latest }, report) {
      for (const { year, shown } of latest) {
        const { scope3, total } = shown;
        if (scope3 === undefined || total === undefined || total.value <= 0) continue;
        const share = scope3.value / total.value;
        if (share <= scope3ShareLimit || share > 1 + sumTolerance) continue;
        const evidence = `scope 3 is ${scope3.value} of ${total.value}`;
        report({ value: round(share), limit: scope3ShareLimit, year, evidence });
      }
    },
  },
  {
    name: 'old',
    severity: 'notice',
    limit: `the latest year is more than ${oldYears} years ago`,
    reason: 'Reports appear within two years.',
    find({ latest }, report, { today }) {
      const limit = Number(today.slice(0, 4)) - oldYears;
      const year = latest[0]?.year;
      if (!isNumber(year) || year >= limit) return;
      report({ value: year, limit, year, evidence: `the latest figures are those of ${year}` });
    },
  },
  {
    name: 'stale_evidence',
    severity: 'notice',
    limit: `CDP, SBTi or UN data retrieved more than ${staleYears * 12} months ago`,
    reason: 'CDP, SBTi and UN lists change at least once a year.',
    find({ record }, report, { today }) {
      const limit = `${Number(today.slice(0, 4)) - staleYears}${today.slice(4)}`;
      for (const source of ['cdp', 'sbti', 'un'] as const) {
        const date = record[source]?.last_retrieved_at?.slice(0, 10);
        if (date === undefined || date >= limit || !/^\d{4}-\d\d-\d\d$/.test(date)) continue;
        const evidence = `${source} was last retrieved on ${date}`;
        report({ value: date, limit, year: null, evidence });
      }
    },
  },
  {
    name: 'confidence_low',
    severity: 'notice',
    limit: 'the confidence in the industry is low',
    reason: 'The service itself doubts the industry that its assumptions rest on.',
    find({ record }, report) {
      if (record.industry_confidence !== 'low') return;
      const evidence = `industry: ${record.industry?.name ?? 'none'}`;
      report({ value: 'low', limit: null, year: null, evidence });
    },
  },
  {
    name: 'no_sources',
    severity: 'notice',
    limit: 'figures, but no source',
    reason: 'Nobody can verify figures without a source.',
    find({ record, years }, report) {
      if (years.length === 0 || (record.sources ?? []).length > 0) return;
      report({ value: 0, limit: 1, year: null, evidence: 'the record has figures, but no source' });
    },
  },
];

function totalsOf({ total, total_market_based, total_location_based }: ScopeFigures): number[] {
  return [total, total_market_based, total_location_based].filter((each) => each !== undefined);
}

/* Scope 2 by every method that the record has. */
function scopeTwoValues(scope2: ScopeFigures): number[] {
  const totals = totalsOf(scope2);
  return totals.length === 0 && scope2.sum !== undefined ? [scope2.sum] : totals;
}

interface NegativeAmount {
  readonly field: string;
  readonly value: number;
}

function addNegative(found: NegativeAmount[], path: string, value: object, depth: number): void {
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'number') {
      if (member < 0 && !(depth === 0 && key === 'year'))
        found.push({ field: path + key, value: member });
    } else if (depth < 3 && isObject(member))
      addNegative(found, `${path}${key}.`, member, depth + 1);
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
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
