/*
 * Emissions of a portfolio. Only scopes 1 and 2 are added up: scope 3 of one organization is scope
 * 1 of another (GHG Protocol, Corporate Value Chain Standard, page 27), so that it is a
 * distribution.
 */
import { bothScopes, type ReportedFigure } from '../organizations/emissions.ts';
import { comparedYears } from '../organizations/history.ts';
import { ExactSum } from '../organizations/sum.ts';
import { type Entry, valuesOf } from './entry.ts';
import { spreadOf } from './spread.ts';

/** Unit of the emissions in the records, as the user declares it. */
export type Unit = 'kg' | 't';

export type EmissionsSummary = ReturnType<typeof summarizeEmissions>;
export type YearSummary = EmissionsSummary['years'][number];
export type YearChange = EmissionsSummary['changes'][number];

/**
 * Summarizes the emissions of organizations; it estimates nothing. Each organization is visited
 * once for all years, and once for all changes, because the objects of a large portfolio are slow
 * to reach.
 */
export function summarizeEmissions(entries: readonly Entry[], unit: Unit | undefined) {
  const reporting = entries.filter(({ years }) => years.rightCount > 0);
  const byYear = new Map<number, YearSums>();
  for (const { years } of reporting) {
    for (const { year, figures, isWrong } of years) {
      if (isWrong) continue;
      const sums = byYear.get(year) ?? emptyYear();
      byYear.set(year, sums);
      const { scope1, scope2, scope1And2, scope3 } = figures;
      sums.organizations += 1;
      addTo(sums.scope_1, scope1);
      addTo(sums.scope_2, scope2);
      addTo(sums.scope_1_and_2, bothScopes(figures));
      if (!scope1 && !scope2) addTo(sums.only_together, scope1And2);
      if (scope3) sums.scope_3.push(scope3.value);
    }
  }
  const missed = missedSums(reporting, [...byYear.keys()]);
  const isPartial = (year: number, { organizations, scope_1_and_2: { exact } }: YearSums) => {
    const lost = missed.get(year) ?? 0;
    const lacksMany = 10 * (reporting.length - organizations) >= reporting.length;
    return lacksMany || (lost > 0 && 10 * lost >= lost + exact.written);
  };
  const years = [...byYear]
    .sort(([a], [b]) => b - a)
    .map(([year, sums]) => ({
      year,
      /** Organizations that disclosed any figure of the year. */
      organizations: sums.organizations,
      /** Organizations that disclose other years only. */
      missing: reporting.length - sums.organizations,
      /**
       * Whether a tenth or more is missing, of the organizations or of scopes 1 and 2 as those that
       * are missing had them in their nearest year: sums are not comparable.
       */
      partial: isPartial(year, sums),
      scope_1: knownSum(sums.scope_1),
      scope_2: knownSum(sums.scope_2),
      /** Scopes 1 and 2 of the organizations that disclose both. */
      scope_1_and_2: knownSum(sums.scope_1_and_2),
      /** The part of `scope_1_and_2` of organizations that disclose only one figure for both. */
      only_together: knownSum(sums.only_together),
      scope_3: spreadOf(sums.scope_3),
    }));
  const changes = comparedYears(years).map(([from, to]) => {
    return { from, to, before: new ExactSum(), after: new ExactSum(), organizations: 0 };
  });
  for (const entry of reporting)
    for (const sums of changes) {
      const [before, after] = valuesOf(entry, [sums.from.year, sums.to.year]) ?? [];
      if (before === undefined || after === undefined) continue;
      sums.before.add(before);
      sums.after.add(after);
      sums.organizations += 1;
    }
  return {
    /** Null because the specification documents none, unless the user declares it. */
    unit: unit ?? null,
    organizations: reporting.length,
    /** Organizations with several regions in a year, of which one stands for it. */
    several_regions: reporting.filter(({ hasSeveralRegions }) => hasSeveralRegions).length,
    years,
    /** Scope 1 + 2 from year to year, the latest first, then from the first to the last. */
    changes: changes.map(({ from, to, before, after, organizations }) => ({
      from: from.year,
      to: to.year,
      /** The change of the sums as they are, as a share; null without both sums. */
      naive: shareOf(from.scope_1_and_2.sum, to.scope_1_and_2.sum),
      /** The change of what both years have; null without any. */
      like_for_like: shareOf(before.written, after.written),
      /** The number of organizations that are compared like for like. */
      organizations,
    })),
  };
}

/*
 * Returns for each year the scopes 1 and 2 of the organizations without any figure of it, each in
 * its nearest year with both; of two, the earlier one.
 */
function missedSums(reporting: readonly Entry[], all: readonly number[]): Map<number, number> {
  const missed = new Map<number, number>();
  for (const { years } of reporting) {
    if (years.rightCount === all.length) continue;
    const known = new Set<number>();
    const sums: [year: number, sum: number][] = [];
    for (const { year, figures, isWrong } of years) {
      if (isWrong) continue;
      known.add(year);
      const sum = bothScopes(figures);
      if (sum !== undefined) sums.push([year, sum.value]);
    }
    sums.sort(([a], [b]) => a - b);
    for (const year of all) {
      if (known.has(year)) continue;
      let nearest: (typeof sums)[number] | undefined;
      for (const each of sums)
        if (nearest === undefined || Math.abs(each[0] - year) < Math.abs(nearest[0] - year))
          nearest = each;
      if (nearest !== undefined) missed.set(year, (missed.get(year) ?? 0) + nearest[1]);
    }
  }
  return missed;
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

const emptySum = () => ({ exact: new ExactSum(), organizations: 0 });

function addTo(total: ReturnType<typeof emptySum>, figure: ReportedFigure | undefined): void {
  if (figure === undefined) return;
  total.exact.add(figure.value);
  total.organizations += 1;
}

/* A sum of no organization, or one beyond the range of numbers, is null. */
function knownSum({ exact, organizations }: ReturnType<typeof emptySum>) {
  const sum = exact.written;
  return { sum: organizations > 0 && Number.isFinite(sum) ? sum : null, organizations };
}

function shareOf(before: number | null, after: number | null): number | null {
  const share = before !== null && after !== null && before > 0 ? after / before - 1 : Number.NaN;
  return Number.isFinite(share) ? share : null;
}
