/*
 * The organizations that "scope 1 + 2" is about: those that disclose both for the latest year of
 * most of them, and those that disclose the same figures of both in the years before.
 */
import { basisOf, bothScopes } from '../organizations/emissions.ts';
import { isHalf, twoThirds } from '../organizations/statements.ts';
import { ExactSum, totalOf } from '../organizations/sum.ts';
import type { ComparedYears, Entry } from './entry.ts';

/** An organization, and its scopes 1 and 2 in the year of the population. */
export interface Member {
  readonly entry: Entry;
  readonly value: number;
  /** The method of its scope 2, as `basisOf` names it. */
  readonly basis: string;
}

export type Population = ReturnType<typeof summarizePopulation>['population'];

const statuses = ['set', 'committed', 'removed', 'none', 'with_target', 'other', 'unknown'];

/**
 * Summarizes the organizations that disclose both scopes.
 * @param entries those whose figures may be added up
 * @param organizations number of organizations of the portfolio
 * @returns the population, null if no organization discloses both; and the ranks of all
 * organizations in it, the largest emissions first
 */
export function summarizePopulation(entries: readonly Entry[], organizations: number) {
  const year = yearOf(entries, organizations);
  const members = year === undefined ? [] : membersOf(entries, year);
  if (year === undefined || members.length === 0) return { population: null, members };
  // Sorting is stable, so organizations with equal emissions keep their order.
  members.sort((a, b) => b.value - a.value);
  const values = members.map(({ value }) => value);
  const sum = totalOf(values);
  const largest = twoThirds(values);
  const population = {
    year,
    organizations: members.length,
    /** Scopes 1 and 2 of these organizations; null beyond the range of numbers. */
    sum: finite(sumOf(values)),
    /** The organizations that disclose the same figures in every one of these years. */
    like_for_like: likeForLike(entries, year, organizations),
    /** How many of the largest emitters make up two thirds of the sum; null without a sum. */
    two_thirds: largest ? { organizations: largest.count, share: largest.share } : null,
    /** Numbers of organizations by the method of their scope 2; that of the others is unknown. */
    scope_2_methods: {
      market_based: numberBy(members, 'market-based'),
      location_based: numberBy(members, 'location-based'),
    },
    /** The shares of the sum with these methods; null without a sum. */
    scope_2_shares: {
      market_based: shareBy(members, 'market-based', sum),
      location_based: shareBy(members, 'location-based', sum),
    },
    /** By status of the near-term target; `share` is that of the sum, null without a sum. */
    targets: targetsOf(members, sum),
  };
  return { population, members };
}

function numberBy(members: readonly Member[], wanted: string): number {
  return members.filter(({ basis }) => basis === wanted).length;
}

function shareBy(members: readonly Member[], wanted: string, sum: number): number | null {
  const values = members.filter(({ basis }) => basis === wanted).map(({ value }) => value);
  return sum > 0 && Number.isFinite(sum) ? totalOf(values) / sum : null;
}

/*
 * The latest year for which at least half of the organizations disclose both scopes; otherwise the
 * latest for which at least half as many do as for any year.
 */
function yearOf(entries: readonly Entry[], organizations: number): number | undefined {
  const counts = new Map<number, number>();
  for (const { years } of entries)
    for (const { year, figures, isWrong } of years)
      if (!isWrong && bothScopes(figures)) counts.set(year, (counts.get(year) ?? 0) + 1);
  const years = [...counts].sort(([a], [b]) => b - a);
  const most = years.reduce((max, [, count]) => Math.max(max, count), 0);
  const [found] =
    years.find(([, count]) => isHalf(count, organizations)) ??
    years.find(([, count]) => isHalf(count, most)) ??
    [];
  return found;
}

function membersOf(entries: readonly Entry[], year: number): Member[] {
  return entries.flatMap((entry) => {
    const own = entry.years.find((each) => each.year === year && !each.isWrong);
    const both = own && bothScopes(own.figures);
    return both === undefined ? [] : [{ entry, value: both.value, basis: basisOf(both) }];
  });
}

/*
 * Adds up scopes 1 and 2 of the organizations that disclose them in each of three years, or of two,
 * if these are at least half of the portfolio; otherwise at least half of those of the last year.
 */
function likeForLike(entries: readonly Entry[], year: number, organizations: number) {
  const runs = [3, 2].map((length) => {
    const isRun = ({ years }: ComparedYears) =>
      years.length === length && years.at(-1) === year && years[0] === year - length + 1;
    const values = entries.flatMap(({ changes }) => changes.find(isRun)?.values ?? []);
    const count = values.length / length;
    const [rose, fell] = [1, -1].map(
      (sign) =>
        values.filter(
          (value, at) => at % length === length - 1 && sign * moveOf(values[at - 1], value) > 0,
        ).length,
    ) as [number, number];
    const years = Array.from({ length }, (_, index) => ({
      year: year - length + 1 + index,
      sum: sumOf(values.filter((__, at) => at % length === index)),
    }));
    return { organizations: count, rose, fell, years };
  });
  const members = membersOf(entries, year).length;
  const isKnown = ({ organizations: count, years }: (typeof runs)[number]) =>
    count > 0 && years.every(({ sum }) => Number.isFinite(sum));
  return (
    runs.find((run) => isKnown(run) && isHalf(run.organizations, organizations)) ??
    runs.find((run) => isKnown(run) && isHalf(run.organizations, members)) ??
    null
  );
}

/* The sign of a change; sums of the same figures may differ in their last digits. */
function moveOf(before = Number.NaN, after = Number.NaN): number {
  const change = after - before;
  const size = Math.max(Math.abs(before), Math.abs(after));
  return Math.abs(change) > 1e-12 * size ? Math.sign(change) : 0;
}

function targetsOf(members: readonly Member[], sum: number) {
  return statuses.flatMap((status) => {
    const own = members.filter(({ entry: { nearTerm = 'unknown' } }) => {
      return (statuses.includes(nearTerm) ? nearTerm : 'other') === status;
    });
    const emissions = own.map(({ value }) => value);
    const share = sum > 0 && Number.isFinite(sum) ? totalOf(emissions) / sum : null;
    const known = { organizations: own.length, sum: finite(sumOf(emissions)), share };
    return own.length === 0 ? [] : [{ status, ...known }];
  });
}

function finite(sum: number): number | null {
  return Number.isFinite(sum) ? sum : null;
}

/* As in the table of years, so that one population has one sum. */
function sumOf(values: readonly number[]): number {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.written;
}
