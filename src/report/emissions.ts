/*
 * Emissions of a portfolio. Only scopes 1 and 2 are added up: scope 3 of one organization is scope
 * 1 of another (GHG Protocol, Corporate Value Chain Standard, page 27), so that it is a
 * distribution.
 */
import {
  bothScopes,
  type ReportedEmissions,
  type ReportedFigure,
} from '../organizations/emissions.ts';
import { comparedYears } from '../organizations/history.ts';
import type { Entry } from './entry.ts';
import { type Spread, spreadOf } from './spread.ts';

/** A sum over the organizations that disclosed the figure. */
export interface Sum {
  /** Null if no organization disclosed the figure, or if the sum exceeds the range of numbers. */
  readonly sum: number | null;
  /** The number of organizations that the sum covers. */
  readonly organizations: number;
  /** The numbers of these organizations with a substitute for the total, by kind. */
  readonly market_based: number;
  readonly location_based: number;
  readonly sum_of_parts: number;
}

export interface YearSummary {
  readonly year: number;
  /** Organizations that disclosed any figure of the year. */
  readonly organizations: number;
  /** Whether an organization of another year is missing, so that the sums are not comparable. */
  readonly partial: boolean;
  readonly scope_1: Sum;
  readonly scope_2: Sum;
  /** Scopes 1 and 2 of the organizations that disclose both. */
  readonly scope_1_and_2: Sum;
  /** The part of `scope_1_and_2` of organizations that disclose only one figure for both. */
  readonly only_together: Sum;
  readonly scope_3: Spread;
}

/** The change of scopes 1 and 2 between two years, as a share of the earlier year. */
export interface Change {
  readonly from: number;
  readonly to: number;
  /** The change of the sums as they are; null without both sums. */
  readonly naive: number | null;
  /** The change of what both years have; null without any. */
  readonly like_for_like: number | null;
  /** The number of organizations that are compared like for like. */
  readonly organizations: number;
  readonly left_out: {
    /** Organizations that disclosed only one of the years. */
    readonly only_earlier: number;
    readonly only_later: number;
    /** Organizations without a figure, region or scope 2 method that both years have. */
    readonly not_comparable: number;
    /** Organizations that are compared by one of the two scopes. */
    readonly one_scope: number;
  };
}

/** Unit of the emissions in the records, as the user declares it. */
export type Unit = 'kg' | 't';

/** Emissions by year, the latest first. */
export interface EmissionsSummary {
  /** Null because the specification documents none, unless the user declares it. */
  readonly unit: Unit | null;
  /** Organizations that disclosed any figure of any year. */
  readonly organizations: number;
  /** Organizations with several regions in a year, of which one stands for it. */
  readonly several_regions: number;
  readonly years: readonly YearSummary[];
  /** Changes from each year to the next, the latest first, then from the first year to the last. */
  readonly changes: readonly Change[];
}

/**
 * Summarizes the emissions of organizations; it estimates nothing. Each organization is visited
 * once for all years, and once for all changes, because the objects of a large portfolio are slow
 * to reach.
 */
export function summarizeEmissions(
  entries: readonly Entry[],
  unit: Unit | undefined,
): EmissionsSummary {
  const reporting = entries.filter(({ years }) => years.length > 0);
  const byYear = new Map<number, YearSums>();
  for (const { years } of reporting) {
    for (const { year, figures } of years) {
      const sums = byYear.get(year) ?? emptyYear();
      byYear.set(year, sums);
      addFigures(sums, figures);
    }
  }
  const years = [...byYear]
    .sort(([a], [b]) => b - a)
    .map(([year, sums]): YearSummary => {
      const { organizations, scope_1, scope_2, scope_1_and_2, only_together, scope_3 } = sums;
      return {
        year,
        organizations,
        partial: organizations < reporting.length,
        scope_1: knownSum(scope_1),
        scope_2: knownSum(scope_2),
        scope_1_and_2: knownSum(scope_1_and_2),
        only_together: knownSum(only_together),
        scope_3: spreadOf(scope_3),
      };
    });
  const changes = comparedYears(years).map(([from, to]) => ({ from, to, sums: emptyChange() }));
  for (const entry of reporting)
    for (const { from, to, sums } of changes) addChange(sums, entry, from.year, to.year);
  return {
    unit: unit ?? null,
    organizations: reporting.length,
    several_regions: reporting.filter(({ hasSeveralRegions }) => hasSeveralRegions).length,
    years,
    changes: changes.map(({ from, to, sums: { before, after, ...counts } }) => ({
      from: from.year,
      to: to.year,
      naive: shareOf(from.scope_1_and_2.sum, to.scope_1_and_2.sum),
      like_for_like: shareOf(before, after),
      ...counts,
    })),
  };
}

type YearSums = ReturnType<typeof emptyYear>;

const emptyYear = () => ({
  organizations: 0,
  scope_1: emptySum(),
  scope_2: emptySum(),
  scope_1_and_2: emptySum(),
  only_together: emptySum(),
  scope_3: [] as number[],
});

const emptySum = () => ({
  sum: 0,
  organizations: 0,
  market_based: 0,
  location_based: 0,
  sum_of_parts: 0,
});

function addFigures(sums: YearSums, figures: ReportedEmissions): void {
  const { scope1, scope2, scope1And2, scope3 } = figures;
  sums.organizations += 1;
  addTo(sums.scope_1, scope1);
  addTo(sums.scope_2, scope2);
  addTo(sums.scope_1_and_2, bothScopes(figures));
  if (!scope1 && !scope2) addTo(sums.only_together, scope1And2);
  if (scope3) sums.scope_3.push(scope3.value);
}

const substitutes = { '*': 'market_based', '‡': 'location_based', '†': 'sum_of_parts' } as const;

function addTo(total: ReturnType<typeof emptySum>, figure: ReportedFigure | undefined): void {
  if (figure === undefined) return;
  total.sum += figure.value;
  total.organizations += 1;
  const substitute = substitutes[figure.mark as keyof typeof substitutes];
  if (substitute !== undefined) total[substitute] += 1;
}

function knownSum(total: ReturnType<typeof emptySum>): Sum {
  const isKnown = total.organizations > 0 && Number.isFinite(total.sum);
  return { ...total, sum: isKnown ? total.sum : null };
}

const emptyChange = () => ({
  before: 0,
  after: 0,
  organizations: 0,
  left_out: { only_earlier: 0, only_later: 0, not_comparable: 0, one_scope: 0 },
});

function addChange(
  sums: ReturnType<typeof emptyChange>,
  { years, changes }: Entry,
  from: number,
  to: number,
): void {
  const { left_out: left } = sums;
  const hasEarlier = years.some(({ year }) => year === from);
  const hasLater = years.some(({ year }) => year === to);
  if (!hasEarlier || !hasLater) {
    left.only_earlier += Number(hasEarlier);
    left.only_later += Number(hasLater);
    return;
  }
  const change = changes.find((each) => each.from === from && each.to === to);
  if (change === undefined) {
    left.not_comparable += 1;
    return;
  }
  sums.before += change.before;
  sums.after += change.after;
  sums.organizations += 1;
  left.one_scope += Number(change.isPart);
}

function shareOf(before: number | null, after: number | null): number | null {
  const share = before !== null && after !== null && before > 0 ? after / before - 1 : Number.NaN;
  return Number.isFinite(share) ? share : null;
}
