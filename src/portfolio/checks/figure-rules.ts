/*
 * Rules that ask whether the figures of a record can be right. Figures are compared within one
 * performance, that is, within one year and region (section 2.4 of docs/service.md); changes
 * between years compare performances of one region.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { scope3Categories } from '../../client/api/vocabulary.ts';
import { changeSize, figure } from '../../display/terminal/figure.ts';
import { andMore } from '../../display/terminal/format.ts';
import {
  figureName,
  hasReportedFigure,
  type Inventory,
  partFields,
  readInventories,
  type ScopeFigures,
  unreadableValue,
} from '../organizations/emissions.ts';
import { nearTermTarget, targetsByDate } from '../organizations/targets.ts';
import { compareYears } from '../organizations/trend.ts';
import type { Finding, Observation, Rule } from './findings.ts';

/** What a rule may look at besides the record. */
export interface RuleContext {
  /** Today, `YYYY-MM-DD`. */
  readonly today: string;
}

interface FigureRule extends Rule {
  readonly find: (
    figures: Figures,
    report: (observation: Observation) => void,
    context: RuleContext,
  ) => void;
}

/* Figures are often rounded to three digits, and services round factors. */
const sumTolerance = 0.01;
const factorTolerance = 0.05;
const jumpLimit = 5;
const benchmarkRange = 10;
const firstYear = 1990;
/* Text from outside can have any length. */
const maxQuoted = 40;

const factorOfThousand = [1e-6, 1e-3, 1e3, 1e6];

const percent = (share: number) => `${share * 100}%`;

/* A record, with what several rules read of it. */
interface Figures {
  readonly record: Organization;
  readonly years: readonly Inventory[];
  readonly latest: readonly Inventory[];
  /* Inventories with one of the same region in the year before, the latest first. */
  readonly pairs: readonly (readonly [older: Inventory, newer: Inventory])[];
  readonly ratios: readonly Ratio[];
}

type Ratio = Observation & { readonly ratio: number };

/** Returns the findings for the figures of a record, whose inventories are `years`. */
export function checkRecordFigures(
  record: Organization,
  context: RuleContext,
  years: readonly Inventory[] = readInventories(record),
): Finding[] {
  return applyRules(figureRules, record, context, years);
}

/** Returns the errors of a record, as `checkRecordFigures` does without the rules of a warning. */
export function findErrors(
  record: Organization,
  context: RuleContext,
  years: readonly Inventory[],
): Finding[] {
  return applyRules(errorRules, record, context, years);
}

function applyRules(
  applied: readonly FigureRule[],
  record: Organization,
  context: RuleContext,
  years: readonly Inventory[],
): Finding[] {
  const { id = null, name = null } = record;
  const found: Finding[] = [];
  const { latest, pairs } = applied === errorRules ? nothing : compareAll(years);
  const figures = { record, years, latest, pairs, ratios: factorRatios(years) };
  // One function for all rules: making one for each takes a tenth of the time of a check.
  let current: FigureRule;
  const report = (observation: Observation) => {
    const { name: rule, severity, action = 'ask the service' } = current;
    found.push({ id, name, rule, severity, action, ...observation });
  };
  for (current of applied) current.find(figures, report, context);
  return found;
}

/* No rule of an error compares years. */
const nothing: Compared = { latest: [], pairs: [] };

type Compared = Pick<Figures, 'latest' | 'pairs'>;

/* Services send the years in this order. */
function latestFirst(years: readonly Inventory[]): readonly Inventory[] {
  let last = Number.POSITIVE_INFINITY;
  for (const { year } of years) {
    if (year === null || year > last)
      return years
        .filter((each) => each.year !== null)
        .sort((a, b) => (b.year ?? 0) - (a.year ?? 0));
    last = year;
  }
  return years;
}

function compareAll(years: readonly Inventory[]): Compared {
  const dated = latestFirst(years);
  const pairs: (readonly [Inventory, Inventory])[] = [];
  for (const newer of dated)
    for (const older of years)
      if (older.year === (newer.year ?? 0) - 1 && older.region === newer.region) {
        pairs.push([older, newer]);
        break;
      }
  const latest = dated.filter(({ year }) => year === dated[0]?.year);
  return { latest, pairs };
}

/* Ratios of factor × revenue to the emissions that differ from 1, one a year. */
function factorRatios(years: readonly Inventory[]): Ratio[] {
  const found: Ratio[] = [];
  for (const { year, performance, shown, scope_2, scope_1_and_2 } of years) {
    const { revenue, emission_factor, scope_1_and_2_emission_factor } = performance;
    if (!isNumber(revenue) || revenue <= 0) continue;
    const { scope1, scope1And2, total } = shown;
    let factor = 'emission factor';
    let ratio = otherRatio(emission_factor, revenue, total === undefined ? [] : [total.value]);
    if (ratio === undefined) {
      factor = 'scope 1 and 2 emission factor';
      const firstTwo =
        scope1And2 === undefined && scope1 !== undefined
          ? scopeTwoValues(scope_2).map((value) => scope1.value + value)
          : totalsOf(scope_1_and_2);
      ratio = otherRatio(scope_1_and_2_emission_factor, revenue, firstTwo);
    }
    if (ratio === undefined) continue;
    const value = round(ratio);
    const evidence = `${factor} × revenue is ${timesText(value)} the emissions`;
    found.push({ value, limit: 1, year, evidence, ratio });
  }
  return found;
}

/* A power of a thousand tells of mixed units; a small difference is a percentage. */
function timesText(ratio: number): string {
  const percent = isNear(ratio, factorOfThousand) || ratio >= 2 ? undefined : changeSize(ratio - 1);
  if (percent === undefined) return `${digits(ratio)} times`;
  return `${percent} ${ratio < 1 ? 'below' : 'above'}`;
}

/* Returns factor × revenue divided by the nearest of some amounts; undefined if that is 1. */
function otherRatio(factor: unknown, revenue: number, amounts: readonly number[]) {
  if (!isNumber(factor) || factor <= 0) return undefined;
  let ratio: number | undefined;
  for (const amount of amounts) {
    const each = (factor * revenue) / amount;
    if (amount > 0 && (ratio === undefined || distance(each) < distance(ratio))) ratio = each;
  }
  return ratio !== undefined && differ(ratio, 1, factorTolerance) ? ratio : undefined;
}

/* Lists the categories of scope 3 that only the second one of two years has. */
function missingIn({ parts }: ScopeFigures, { parts: others }: ScopeFigures): string[] {
  return scope3Categories
    .filter((_, index) => others[index] !== undefined && parts[index] === undefined)
    .map(figureName);
}

/** The rules for figures, in the order of the findings of one severity. */
export const figureRules: readonly FigureRule[] = [
  {
    name: 'unit',
    words: 'mixed units',
    step: 'ask the service which unit the emissions, the factor and the revenue have',
    severity: 'error',
    limit: `factor × revenue is within ${percent(factorTolerance)} of 1,000, 1,000,000, 1/1,000 or 1/1,000,000 times the emissions`,
    reason: 'A difference of exactly a thousand or a million comes from mixed units.',
    find({ ratios }, report) {
      for (const { ratio, ...observation } of ratios)
        if (isNear(ratio, factorOfThousand)) report(observation);
    },
  },
  {
    name: 'sum_scope',
    words: 'wrong sum of a scope',
    step: 'ask the service which is right: the scope or its parts',
    severity: 'error',
    limit: `one part exceeds the total, or all parts together differ from it, by more than ${percent(sumTolerance)}`,
    reason:
      'The parts of a scope cannot exceed its total (GHG Protocol, Corporate Standard, ch. 4).',
    find({ years }, report) {
      for (const inventory of years) {
        for (const scope of divided) {
          const { parts, partCount, partSum, partMax, sum: own } = inventory[scope];
          if (partCount === 0) continue;
          const differs = (value: number) => differ(partSum, value, sumTolerance);
          const totals = totalsOf(inventory[scope]);
          const total = largestOf(totals);
          // Missing parts make the sum smaller than the total, but never larger.
          const isAbove = totals.length > 0 && partSum > total * (1 + sumTolerance);
          // Parts below 0 could hide one that is too large.
          if (!isAbove && totals.length > 0 && partMax > total * (1 + sumTolerance)) {
            const name = partName(inventory, partMax);
            const evidence = `${figureName(scope)}: ${name} is ${digits(partMax)}, the total ${digits(total)}`;
            report({ value: partMax, limit: total, year: inventory.year, evidence });
            continue;
          }
          const isOther = partCount === parts.length && totals.length > 0 && totals.every(differs);
          const isOwnWrong = own !== undefined && differs(own);
          if (!isAbove && !isOther && !isOwnWrong) continue;
          const limit = isOwnWrong ? own : total;
          const sum = Number(partSum.toPrecision(12));
          const evidence = `${figureName(scope)}: ${partCount} parts add up to ${digits(sum)}, not to ${digits(limit)}`;
          report({ value: sum, limit, year: inventory.year, evidence });
        }
      }
    },
  },
  {
    name: 'sum_total',
    words: 'wrong sum of the total',
    step: 'ask the service which is right: the total or its scopes',
    severity: 'error',
    limit: `all scopes together differ from the total by more than ${percent(sumTolerance)}, or one part is above it`,
    reason: 'Scopes 1, 2 and 3 make up the total (GHG Protocol, Corporate Standard, ch. 4).',
    find({ years }, report) {
      for (const inventory of years) {
        const { year, shown, scope_2 } = inventory;
        const { scope1, scope1And2, scope3, total } = shown;
        if (total === undefined) continue;
        const { scope_1, scope_3 } = inventory;
        const largest = Math.max(scope_1.partMax, scope_2.partMax, scope_3.partMax);
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
        if (isRight && largest > total.value * (1 + sumTolerance)) {
          const name = partName(inventory, largest);
          const evidence = `${name} is ${digits(largest)}, the total ${digits(total.value)}`;
          report({ value: largest, limit: total.value, year, evidence });
        }
        if (isRight) continue;
        const evidence = `scopes add up to ${digits(sum)}, the total is ${digits(total.value)}`;
        report({ value: sum, limit: total.value, year, evidence });
      }
    },
  },
  {
    name: 'negative',
    words: 'below 0',
    step: 'ask the service for the right value',
    severity: 'error',
    limit: 'an amount, revenue or a factor below 0',
    reason: 'Emissions of an inventory, revenue and factors are not below 0.',
    find({ years }, report) {
      for (const { year, performance } of years) {
        const [first, ...others] = amountsOf(performance, (value) => value < 0);
        if (first === undefined) continue;
        const text = `${first.field} is ${digits(first.value)}`;
        const evidence = andMore(text, others.length);
        report({ value: first.value, limit: 0, year, evidence });
      }
    },
  },
  {
    name: 'year',
    words: 'impossible year',
    step: 'ask the service which year the figures are of',
    severity: 'error',
    limit: `a year before ${firstYear} or later than this one`,
    reason: 'Inventories begin with the base year of the Kyoto Protocol, and end with this year.',
    find({ years }, report, { today }) {
      const thisYear = Number(today.slice(0, 4));
      const isWrong = (year: number) => year < firstYear || year > thisYear;
      const wrong = years.filter(({ year }) => year !== null && isWrong(year));
      for (const year of new Set(wrong.map((each) => each.year ?? 0))) {
        const evidence = year > thisYear ? 'the year has not begun' : `before ${firstYear}`;
        report({ value: year, limit: year > thisYear ? thisYear : firstYear, year, evidence });
      }
    },
  },
  {
    name: 'zero',
    words: 'emissions of 0',
    step: 'ask the service whether 0 stands for unknown',
    severity: 'error',
    limit: 'all emissions of a year are 0, and revenue is not',
    reason: 'A company with revenue has emissions; 0 usually stands for unknown.',
    find({ years }, report) {
      for (const { year, performance, shown } of years) {
        const { revenue, emissions } = performance;
        if (!isNumber(revenue) || revenue <= 0 || !isObject(emissions)) continue;
        const { scope1, scope2, scope1And2, scope3, total } = shown;
        const isZero = scope1?.value === 0 || scope2?.value === 0 || scope1And2?.value === 0;
        if (!isZero && scope3?.value !== 0 && total?.value !== 0) continue;
        if (amountsOf(emissions, (value) => value !== 0).length > 0) continue;
        const evidence = `emissions are 0, revenue is ${digits(revenue)}`;
        report({ value: 0, limit: null, year, evidence });
      }
    },
  },
  {
    name: 'percent_score',
    words: 'score above 1',
    step: 'ask the service whether the score is a percentage',
    severity: 'error',
    limit: 'a score above 1',
    reason: 'A score in JSON is from 0 to 1; a higher one is probably a percentage.',
    find({ record }, report) {
      for (const [field, value] of scoresOf(record)) {
        if (!isNumber(value) || value <= 1) continue;
        const evidence = `${field} is ${digits(value)}, not from 0 to 1`;
        report({ value, limit: 1, year: null, evidence });
      }
    },
  },
  {
    name: 'out_of_range',
    words: 'out of range',
    step: 'ask the service for the right value',
    severity: 'error',
    limit: 'a score below 0, or a percentile outside 0 to 100',
    reason: 'A score in JSON is from 0 to 1, and a percentile from 0 to 100.',
    find({ record }, report) {
      const { industry_score_percentile: percentile } = record;
      for (const [field, value] of scoresOf(record)) {
        if (!isNumber(value) || value >= 0) continue;
        const evidence = `${field} is ${digits(value)}, not from 0 to 1`;
        report({ value, limit: 0, year: null, evidence });
      }
      if (!isNumber(percentile) || (percentile >= 0 && percentile <= 100)) return;
      const evidence = `industry_score_percentile is ${digits(percentile)}, not from 0 to 100`;
      report({ value: percentile, limit: percentile < 0 ? 0 : 100, year: null, evidence });
    },
  },
  {
    name: 'not_readable',
    words: 'not a number',
    step: 'ask the service for the value as a number',
    severity: 'warning',
    limit: 'a year, an amount, revenue or a factor that is not a number',
    reason: 'No calculation uses such a value; views show it as the service sent it.',
    find({ years }, report) {
      for (const inventory of years) {
        const found = unreadableValue(inventory);
        if (found === undefined) continue;
        const { field, text } = found;
        const evidence = `${field} is ${JSON.stringify(text.slice(0, maxQuoted))}, which is not a number`;
        report({ value: text.slice(0, maxQuoted), limit: null, year: inventory.year, evidence });
      }
    },
  },
  {
    name: 'repeated_year',
    words: 'year given twice',
    step: 'ask the service which figures of the year count',
    severity: 'warning',
    limit: 'several performances of one year and region',
    reason: 'Nothing says which one counts; views use the first.',
    find({ years }, report) {
      // Services send each year once, the latest first.
      const yearAt = (index: number) => years[index]?.year ?? Number.NEGATIVE_INFINITY;
      if (years.every((_, index) => index === 0 || yearAt(index) < yearAt(index - 1))) return;
      const counts = new Map<string, { count: number; year: number; region: string }>();
      for (const { year, region } of years) {
        if (year === null) continue;
        const key = `${year} ${region.trim().toLowerCase()}`;
        const known = counts.get(key) ?? { count: 0, year, region };
        counts.set(key, { ...known, count: known.count + 1 });
      }
      for (const { count, year, region } of counts.values()) {
        if (count < 2) continue;
        const evidence = `${count} sets of figures for ${year} in ${region || 'no region'}; the first one is used`;
        report({ value: count, limit: 1, year, evidence });
      }
    },
  },
  {
    name: 'scope_2_method',
    words: 'two scope 2 methods',
    step: 'ask the service which method scope 2 and the total use',
    severity: 'warning',
    limit: 'scope 2 is location-based, but the total contains it market-based',
    reason: 'An inventory uses one method for scope 2, in the scope and in the total.',
    find({ years }, report) {
      for (const { year, shown, scope_2 } of years) {
        const {
          total: second,
          total_market_based: market,
          total_location_based: location,
        } = scope_2;
        const { scope1, scope3, total } = shown;
        if (second === undefined || market === undefined || location === undefined) continue;
        if (total === undefined || differ(second, location, sumTolerance)) continue;
        const others = (scope1?.value ?? 0) + (scope3?.value ?? 0);
        const isWithMarket = !differ(others + market, total.value, sumTolerance);
        if (!isWithMarket || !differ(others + location, total.value, sumTolerance)) continue;
        const evidence = `scope 2 is ${digits(second)}, location-based; the total ${digits(total.value)} contains ${digits(market)}, market-based`;
        report({ value: second, limit: market, year, evidence });
      }
    },
  },
  {
    name: 'joint',
    words: 'wrong sum of scopes 1 and 2',
    step: 'ask the service which is right: scope 1 and 2, or their sum',
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
        const evidence = `scope 1 plus scope 2 is ${digits(sum)}, scope 1 and 2 together is ${digits(scope1And2.value)}`;
        report({ value: scope1And2.value, limit: sum, year, evidence });
      }
    },
  },
  {
    name: 'factor',
    words: 'factor and emissions disagree',
    step: 'ask the service which currency and year the factor and the revenue are of',
    severity: 'warning',
    limit: `factor × revenue differs from the emissions by more than ${percent(factorTolerance)}`,
    reason: 'A factor is emissions divided by revenue; a wrong currency shows here.',
    find({ ratios }, report) {
      for (const { ratio, ...observation } of ratios)
        if (!isNear(ratio, factorOfThousand)) report(observation);
    },
  },
  {
    name: 'copied',
    words: 'copy of the year before',
    step: 'ask the service whether the later year is disclosed or copied',
    severity: 'warning',
    limit: 'a year has exactly the figures of the year before',
    reason: 'Figures of two years are never all equal; the later ones are a copy or a placeholder.',
    find({ pairs }, report) {
      for (const [older, newer] of pairs) {
        const [before, now] = [older.performance, newer.performance];
        if (before.revenue !== now.revenue || older.shown.total?.value !== newer.shown.total?.value)
          continue;
        const amounts = amountsOf(now);
        const isCopy = isDeepStrictEqual(amounts, amountsOf(before));
        if (!isCopy || new Set(amounts.map(({ value }) => value)).size < 2) continue;
        const evidence = `all ${amounts.length} figures are equal to those of ${older.year}`;
        report({ value: amounts.length, limit: null, year: newer.year, evidence });
      }
    },
  },
  {
    name: 'jump',
    words: 'large change',
    step: 'accept it if the organization was acquired, merged or sold parts; otherwise ask the service which year is right',
    severity: 'warning',
    action: 'accept if acquired',
    limit: `an amount more than ${jumpLimit} times, or less than 1/${jumpLimit} of, that of the year before, like for like`,
    reason:
      'A fivefold change in a year needs an explanation, such as an acquisition or a shifted decimal.',
    // Reports the largest change; a total counts only where no scope can be compared.
    find({ pairs }, report) {
      for (const [older, newer] of pairs) {
        let largest: { name: string; a: number; b: number; ratio: number } | undefined;
        const compare = (name: string, a: number, b: number) => {
          if (a <= 0 || b <= 0) return;
          const ratio = b / a;
          if (largest === undefined || distance(ratio) > distance(largest.ratio))
            largest = { name, a, b, ratio };
        };
        let isKnown = false;
        for (const each of [[1], [2], [3]] as const) {
          const sums = compareYears(older, newer, each);
          if (sums === undefined) continue;
          isKnown = true;
          const [first = '', ...others] = sums.compared;
          const name = others.length > 0 ? `${sums.compared.length} categories of scope 3` : first;
          compare(name, sums.before, sums.after);
        }
        const [old, now] = [older.shown.total, newer.shown.total];
        if (!isKnown && old && old.mark === now?.mark) compare('total', old.value, now.value);
        const { revenue, revenue_currency: currency } = newer.performance;
        const earlier = older.performance;
        if (currency && earlier.revenue_currency === currency)
          if (isNumber(earlier.revenue) && isNumber(revenue))
            compare('revenue', earlier.revenue, revenue);
        if (largest === undefined || distance(largest.ratio) <= jumpLimit) continue;
        const { name, a, b, ratio } = largest;
        const evidence = `${name}: ${digits(a)} in ${older.year}, ${digits(b)} in ${newer.year}`;
        report({ value: round(ratio), limit: jumpLimit, year: newer.year, evidence });
      }
    },
  },
  {
    name: 'categories_changed',
    words: 'other scope 3 categories',
    step: 'compare only the categories that both years have',
    severity: 'warning',
    limit: 'in the latest year, different categories than the year before, or none',
    reason: 'Scope 3 totals of different categories are not comparable.',
    find({ pairs, latest }, report) {
      for (const [{ year: since, scope_3: old }, newer] of pairs) {
        const { year, scope_3: now } = newer;
        // A year without any emissions is not known yet.
        if (!latest.includes(newer) || old.partCount === 0) continue;
        if (now.partCount === 0 && !hasReportedFigure(newer.shown)) continue;
        const [added, removed] = [missingIn(old, now), missingIn(now, old)];
        if (added.length + removed.length === 0) continue;
        const list = [...added.map((each) => `+ ${each}`), ...removed.map((each) => `− ${each}`)];
        const evidence = `scope 3 does not compare with ${since}, its categories differ: ${list.join(', ')}`;
        report({ value: now.partCount, limit: old.partCount, year, evidence });
      }
    },
  },
  {
    name: 'benchmark',
    words: 'unlike industry',
    step: 'ask the service whether unit and industry are right',
    severity: 'warning',
    limit: `a factor (without one, emissions / revenue) more than ${benchmarkRange} times, or less than 1/${benchmarkRange} of, the industry average`,
    reason: 'Within an industry, factors differ by an order of magnitude at most.',
    find({ record, latest }, report) {
      for (const inventory of latest) {
        const { year } = inventory;
        const { value: own, isPart, how } = impliedFactor(inventory);
        if (own <= 0 || !Number.isFinite(own)) continue;
        const average = nearestAverage(record, year ?? 0);
        if (average === undefined) continue;
        const ratio = own / average.value;
        // The scopes that are missing could only make a factor larger.
        if (!isOffBenchmark(own, average.value) || (isPart && ratio < 1)) continue;
        const shown = how === '' ? own : round(own);
        const of = `the industry average, ${digits(average.value)} (${average.year || 'no year'})`;
        const times = `${digits(round(ratio < 1 ? 1 / ratio : ratio))} times`;
        const evidence =
          ratio < 1
            ? `${of}, is ${times} the factor, ${digits(shown)}${how}`
            : `factor ${digits(shown)}${how} is ${times} ${of}`;
        report({ value: round(ratio), limit: benchmarkRange, year, evidence });
      }
    },
  },
  {
    name: 'no_target',
    words: 'target missing',
    step: 'look the organization up at SBTi, and tell the service',
    severity: 'warning',
    limit: 'the status of the near-term target is set, but there is no target',
    reason: 'One of the two is out of date.',
    find({ record }, report) {
      const nearTerm = targetsByDate(record)[0]?.near_term;
      if (nearTerm?.has_target !== false || nearTermTarget(record) !== 'set') return;
      const evidence = `the near-term target is validated (target_status is ${nearTerm.target_status}), but has_target is false`;
      report({ value: nearTerm.target_status ?? null, limit: null, year: null, evidence });
    },
  },
];

const wordsByName = new Map(figureRules.map(({ name, words }) => [name, words]));

/** Returns the words for the code of a rule about figures. */
export function figureRuleWords(name: string): string {
  return wordsByName.get(name) ?? name;
}

const errorRules = figureRules.filter(({ severity }) => severity === 'error');

const divided = ['scope_1', 'scope_2', 'scope_3'] as const;

/* Names a part of a scope by its value. */
function partName(inventory: Inventory, value: number): string {
  const names = divided.flatMap((scope) =>
    partFields(scope).filter((_, index) => inventory[scope].parts[index] === value),
  );
  return figureName(names[0] ?? '');
}

/** Checks whether a factor is too far from the average of its industry to be right. */
export function isOffBenchmark(factor: number, average: number): boolean {
  return distance(factor / average) > benchmarkRange;
}

const scoresOf = ({ score, industry }: Organization) =>
  [
    ['score', score],
    ['industry.mean_score', industry?.mean_score],
  ] as const;

/* Returns the average of the industry whose year is nearest; the year is 0 without one. */
function nearestAverage({ industry }: Organization, year: number) {
  let nearest: { readonly value: number; readonly year: number } | undefined;
  const gap = (average: { readonly year: number }) => Math.abs(average.year - year);
  for (const item of industry?.performances ?? []) {
    if (!isObject(item)) continue;
    const { year: own, emission_factor: value } = item;
    if (!isNumber(value) || value <= 0) continue;
    const average = { value, year: isNumber(own) ? own : 0 };
    if (nearest === undefined || gap(average) < gap(nearest)) nearest = average;
  }
  return nearest;
}

/*
 * Returns the factor of a year; without one, its total by revenue; without a total, the scopes that
 * are known. 0 without any.
 */
function impliedFactor({ performance, shown, scope_3 }: Inventory) {
  const { emission_factor: stated, revenue } = performance;
  if (isNumber(stated) && stated > 0) return { value: stated, isPart: false, how: '' };
  const { scope1, scope2, scope1And2, scope3, total } = shown;
  const amount =
    total?.value ??
    (scope1And2?.value ?? (scope1?.value ?? 0) + (scope2?.value ?? 0)) +
      (scope3?.value ?? scope_3.partSum);
  const value = isNumber(revenue) && revenue > 0 ? amount / revenue : 0;
  const how = ` (${total === undefined ? 'scopes' : 'total'} / revenue)`;
  return { value, isPart: total === undefined, how };
}

const noTotals: readonly number[] = [];

/* Most scopes have all of them, none, or the one without a method; `filter` is slow. */
function totalsOf(scope: ScopeFigures): readonly number[] {
  const { total, total_market_based: market, total_location_based: location } = scope;
  if (market === undefined && location === undefined)
    return total === undefined ? noTotals : [total];
  if (total !== undefined && market !== undefined && location !== undefined)
    return [total, market, location];
  return [total, market, location].filter((each) => each !== undefined);
}

/* `Math.max` with a list takes longer than all else that is done with its three values. */
function largestOf(values: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}

/* Scope 2 by every method that the record has. */
function scopeTwoValues(scope2: ScopeFigures): readonly number[] {
  const totals = totalsOf(scope2);
  return totals.length === 0 && scope2.sum !== undefined ? [scope2.sum] : totals;
}

/* Lists the figures of a year that meet a condition, such as `emissions.scope_1.total`. */
function amountsOf(
  figures: object,
  isWanted: (value: number) => boolean = () => true,
): readonly { readonly field: string; readonly value: number }[] {
  const found: { field: string; value: number }[] = [];
  // The path is joined only where there is something to report, which is seldom.
  const path: string[] = [];
  const add = (part: object, depth: number) => {
    const members = part as Readonly<Record<string, unknown>>;
    for (const key in members) {
      const member = members[key];
      if (typeof member === 'number') {
        if (isWanted(member) && !(depth === 0 && key === 'year'))
          found.push({ field: [...path.slice(0, depth), key].join('.'), value: member });
      } else if (depth < 3 && isObject(member)) {
        path[depth] = key;
        add(member, depth + 1);
      }
    }
  };
  add(figures, 0);
  return found;
}

function digits(value: number): string {
  return figure(value).exact;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function differ(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) > tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/* Returns how many times as large the larger of two values is. */
function distance(ratio: number): number {
  return ratio < 1 ? 1 / ratio : ratio;
}

function isNear(ratio: number, powers: readonly number[]): boolean {
  return powers.some((power) => Math.abs(ratio / power - 1) <= factorTolerance);
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
