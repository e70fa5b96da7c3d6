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

/** Emissions of one year. */
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

/** Summarizes the emissions of organizations; it estimates nothing. */
export function summarizeEmissions(
  entries: readonly Entry[],
  unit: Unit | undefined,
): EmissionsSummary {
  const reporting = entries.filter(({ years }) => years.length > 0);
  const byYear = new Map<number, ReportedEmissions[]>();
  for (const { years } of reporting) {
    for (const { year, figures } of years) {
      const others = byYear.get(year);
      if (others) others.push(figures);
      else byYear.set(year, [figures]);
    }
  }
  const years = [...byYear]
    .sort(([a], [b]) => b - a)
    .map(([year, figures]) => summarizeYear(year, figures, reporting.length));
  return {
    unit: unit ?? null,
    organizations: reporting.length,
    several_regions: reporting.filter(({ hasSeveralRegions }) => hasSeveralRegions).length,
    years,
    changes: pairsOf(years).map(([from, to]) => summarizeChange(from, to, reporting)),
  };
}

function summarizeYear(
  year: number,
  figures: readonly ReportedEmissions[],
  reporting: number,
): YearSummary {
  return {
    year,
    organizations: figures.length,
    partial: figures.length < reporting,
    scope_1: sumOf(figures.map(({ scope1 }) => scope1)),
    scope_2: sumOf(figures.map(({ scope2 }) => scope2)),
    scope_1_and_2: sumOf(figures.map(bothScopes)),
    only_together: sumOf(
      figures.map(({ scope1, scope2, scope1And2 }) =>
        (scope1 ?? scope2) ? undefined : scope1And2,
      ),
    ),
    scope_3: spreadOf(figures.flatMap(({ scope3 }) => scope3?.value ?? [])),
  };
}

const substitutes = { '*': 'market_based', '‡': 'location_based', '†': 'sum_of_parts' } as const;

function sumOf(figures: readonly (ReportedFigure | undefined)[]): Sum {
  const result = {
    sum: 0,
    organizations: 0,
    market_based: 0,
    location_based: 0,
    sum_of_parts: 0,
  };
  for (const figure of figures) {
    if (figure === undefined) continue;
    result.sum += figure.value;
    result.organizations += 1;
    const substitute = substitutes[figure.mark as keyof typeof substitutes];
    if (substitute !== undefined) result[substitute] += 1;
  }
  const isKnown = result.organizations > 0 && Number.isFinite(result.sum);
  return { ...result, sum: isKnown ? result.sum : null };
}

/* Pairs adjacent years of the calendar, and the first year with the last. */
function pairsOf(years: readonly YearSummary[]): (readonly [YearSummary, YearSummary])[] {
  const [last, first] = [years[0], years.at(-1)];
  const adjacent = years.flatMap((to, index) => {
    const from = years[index + 1];
    return from !== undefined && to.year - from.year === 1 ? [[from, to] as const] : [];
  });
  const isApart = first !== undefined && last !== undefined && last.year - first.year > 1;
  return isApart ? [...adjacent, [first, last]] : adjacent;
}

function summarizeChange(from: YearSummary, to: YearSummary, reporting: readonly Entry[]): Change {
  const left = { only_earlier: 0, only_later: 0, not_comparable: 0, one_scope: 0 };
  let [before, after, organizations] = [0, 0, 0];
  for (const { years, changes } of reporting) {
    let [hasEarlier, hasLater] = [false, false];
    for (const { year } of years) {
      hasEarlier ||= year === from.year;
      hasLater ||= year === to.year;
    }
    if (!hasEarlier || !hasLater) {
      left.only_earlier += Number(hasEarlier);
      left.only_later += Number(hasLater);
      continue;
    }
    const change = changes.find((each) => each.from === from.year && each.to === to.year);
    if (change === undefined) {
      left.not_comparable += 1;
      continue;
    }
    before += change.before;
    after += change.after;
    organizations += 1;
    left.one_scope += Number(change.isPart);
  }
  return {
    from: from.year,
    to: to.year,
    naive: shareOf(from.scope_1_and_2.sum, to.scope_1_and_2.sum),
    like_for_like: shareOf(before, after),
    organizations,
    left_out: left,
  };
}

function shareOf(before: number | null, after: number | null): number | null {
  const share = before !== null && after !== null && before > 0 ? after / before - 1 : Number.NaN;
  return Number.isFinite(share) ? share : null;
}
