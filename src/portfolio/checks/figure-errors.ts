/* Rules that find figures that cannot be right, so that no footprint uses them. */
import { isObject } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { andMore } from '../../display/terminal/format.ts';
import { figureName, type Inventory, partFields } from '../organizations/emissions.ts';
import {
  amountsOf,
  differ,
  digits,
  type FigureRule,
  factorTolerance,
  isFactorOfThousand,
  isNumber,
  percent,
  scopeTwoValues,
  sumTolerance,
  totalsOf,
} from './compared-figures.ts';

const firstYear = 1990;

/** The rules of an error, in the order of the findings. */
export const figureErrors: readonly FigureRule[] = [
  {
    name: 'unit',
    words: 'mixed units',
    step: 'ask the service which unit the emissions, the factor and the revenue have',
    severity: 'error',
    limit: `factor × revenue is within ${percent(factorTolerance)} of 1,000, 1,000,000, 1/1,000 or 1/1,000,000 times the emissions`,
    reason: 'A difference of exactly a thousand or a million comes from mixed units.',
    find({ ratios }, report) {
      for (const { ratio, ...observation } of ratios)
        if (isFactorOfThousand(ratio)) report(observation);
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
];

const divided = ['scope_1', 'scope_2', 'scope_3'] as const;

/* Names a part of a scope by its value. */
function partName(inventory: Inventory, value: number): string {
  const names = divided.flatMap((scope) =>
    partFields(scope).filter((_, index) => inventory[scope].parts[index] === value),
  );
  return figureName(names[0] ?? '');
}

const scoresOf = ({ score, industry }: Organization) =>
  [
    ['score', score],
    ['industry.mean_score', industry?.mean_score],
  ] as const;

/* `Math.max` with a list takes longer than all else that is done with its three values. */
function largestOf(values: readonly number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}
