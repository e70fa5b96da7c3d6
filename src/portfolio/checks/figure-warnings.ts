/* Rules that find figures that are probably wrong, or not comparable. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { scope3Categories } from '../../client/api/vocabulary.ts';
import {
  figureName,
  hasReportedFigure,
  type Inventory,
  type ScopeFigures,
  unreadableValue,
} from '../organizations/emissions.ts';
import { nearTermTarget, targetsByDate } from '../organizations/targets.ts';
import { compareYears } from '../organizations/trend.ts';
import {
  amountsOf,
  differ,
  digits,
  distance,
  type FigureRule,
  factorTolerance,
  isFactorOfThousand,
  isNumber,
  percent,
  round,
  scopeTwoValues,
  sumTolerance,
  totalsOf,
} from './compared-figures.ts';

const jumpLimit = 5;
const benchmarkRange = 10;
/* Text from outside can have any length. */
const maxQuoted = 40;

/** The rules of a warning, in the order of the findings. */
export const figureWarnings: readonly FigureRule[] = [
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
        if (!isFactorOfThousand(ratio)) report(observation);
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

/* Lists the categories of scope 3 that only the second one of two years has. */
function missingIn({ parts }: ScopeFigures, { parts: others }: ScopeFigures): string[] {
  return scope3Categories
    .filter((_, index) => others[index] !== undefined && parts[index] === undefined)
    .map(figureName);
}

/** Checks whether a factor is too far from the average of its industry to be right. */
export function isOffBenchmark(factor: number, average: number): boolean {
  return distance(factor / average) > benchmarkRange;
}

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
