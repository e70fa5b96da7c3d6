/*
 * The organizations that "scope 1 + 2" is about: those that disclose both for the latest year of
 * most of them, and those that disclose the same figures of both in the years before.
 */
import type { Finding } from '../checks/findings.ts';
import { basisOf, bothScopes } from '../organizations/emissions.ts';
import { isHalf, twoThirds } from '../organizations/statements.ts';
import { ExactSum } from '../organizations/sum.ts';
import { datesOf } from '../records/dates.ts';
import type { EmissionsSummary } from './emissions.ts';
import { type Entry, valuesOf } from './entry.ts';
import { largestRises } from './rises.ts';

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
 * @param years what the emissions of these entries add up to, the latest year first
 * @param organizations number of organizations of the portfolio
 * @returns the population, null if no organization discloses both; and the ranks of all
 * organizations in it, the largest emissions first; and who made the sum rise
 */
export function summarizePopulation(
  entries: readonly Entry[],
  years: EmissionsSummary['years'],
  organizations: number,
) {
  const year = yearOf(years, organizations);
  const members = year === undefined ? [] : membersOf(entries, year);
  if (year === undefined || members.length === 0)
    return { population: null, members, rises: undefined };
  // Sorting is stable, so organizations with equal emissions keep their order.
  members.sort((a, b) => b.value - a.value);
  const values = members.map(({ value }) => value);
  const sums = new ExactSum();
  for (const value of values) sums.add(value);
  const sum = sums.value;
  const largest = twoThirds(values);
  const { numbers, shares } = methodsOf(members, sum);
  const compared = likeForLike(entries, year, [members.length, organizations]);
  const rises = compared ? largestRises(entries, compared.years) : undefined;
  const population = {
    year,
    organizations: members.length,
    /** Scopes 1 and 2 of these organizations; null beyond the range of numbers. */
    sum: finite(sums.written),
    /** The organizations that disclose the same figures in every one of these years. */
    like_for_like: compared,
    /** The fewest of these that made half of the net rise; null without one, or of many. */
    largest_rises: rises ? { organizations: rises.entries.size, share: rises.share } : null,
    /** How many of the largest emitters make up two thirds of the sum; null without a sum. */
    two_thirds: largest ? { organizations: largest.count, share: largest.share } : null,
    /** Numbers of organizations by the method of their scope 2; that of the others is unknown. */
    scope_2_methods: numbers,
    /** The shares of the sum with these methods; null without a sum. */
    scope_2_shares: shares,
    /** By rule, what carbon check warns of in the figures of this year. */
    warnings: warningsOf(members, year, sum),
    /** When the service looked the targets up at SBTi. */
    sbti_lookups: lookupsOf(members, sum),
    /** By status of the near-term target; `share` is that of the sum, null without a sum. */
    targets: targetsOf(members, sum),
  };
  return { population, members, rises };
}

/*
 * Some of the members, of which a summary has the number and the sum alone: nothing else is kept of
 * 100,000, and each is looked at once.
 */
class Part {
  organizations = 0;
  readonly #sum = new ExactSum();

  add(value: number): void {
    this.organizations += 1;
    this.#sum.add(value);
  }

  /** As in the table of years, so that one population has one sum; null beyond the numbers. */
  get sum(): number | null {
    return finite(this.#sum.written);
  }

  /** The share of the sum of all; null without one. */
  shareOf(all: number): number | null {
    return all > 0 && Number.isFinite(all) ? this.#sum.value / all : null;
  }
}

function methodsOf(members: readonly Member[], sum: number) {
  const [market, location] = [new Part(), new Part()];
  for (const { basis, value } of members)
    if (basis === 'market-based') market.add(value);
    else if (basis === 'location-based') location.add(value);
  return {
    numbers: { market_based: market.organizations, location_based: location.organizations },
    shares: { market_based: market.shareOf(sum), location_based: location.shareOf(sum) },
  };
}

const maxNamed = 3;

/* The rules of warnings, the largest share first, with those concerned, the largest first. */
function warningsOf(members: readonly Member[], year: number, sum: number) {
  const byRule = new Map<string, { part: Part; last?: Member; named: [Member, Finding][] }>();
  for (const member of members)
    for (const finding of member.entry.warnings) {
      if (finding.year !== year) continue;
      const found = byRule.get(finding.rule) ?? { part: new Part(), named: [] };
      byRule.set(finding.rule, found);
      if (found.last === member) continue;
      found.last = member;
      found.part.add(member.value);
      if (found.named.length < maxNamed) found.named.push([member, finding]);
    }
  const found = [...byRule].map(([rule, { part, named }]) => ({
    rule,
    organizations: part.organizations,
    share: part.shareOf(sum),
    first: named.map(([{ entry, value }, finding]) => ({
      id: entry.id ?? null,
      name: entry.name ?? null,
      evidence: finding.evidence,
      /** Whether the sum has the value that the rule compares. */
      is_used: finding.value === value,
    })),
  }));
  return found.sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
}

/* Of those with a day of their own, how many were looked up more than six months ago. */
function lookupsOf(members: readonly Member[], sum: number) {
  const known: string[] = [];
  const old = new Part();
  for (const { entry, value } of members) {
    if (entry.targetChecked === undefined) continue;
    known.push(entry.targetChecked);
    if (entry.isOldLookup) old.add(value);
  }
  const { records_from: from, records_to: to } = datesOf(known, 0);
  const { organizations } = old;
  return { from, to, organizations: known.length, old: organizations, old_share: old.shareOf(sum) };
}

/*
 * The latest year for which at least half of the organizations disclose both scopes; otherwise the
 * latest for which at least half as many do as for any year.
 */
function yearOf(years: EmissionsSummary['years'], organizations: number): number | undefined {
  const counts = years
    .map(({ year, scope_1_and_2: both }) => ({ year, count: both.organizations }))
    .filter(({ count }) => count > 0);
  const most = counts.reduce((max, { count }) => Math.max(max, count), 0);
  const found =
    counts.find(({ count }) => isHalf(count, organizations)) ??
    counts.find(({ count }) => isHalf(count, most));
  return found?.year;
}

function membersOf(entries: readonly Entry[], year: number): Member[] {
  const members: Member[] = [];
  for (const entry of entries) {
    const figures = entry.years.right(year);
    const both = figures && bothScopes(figures);
    if (both !== undefined) members.push({ entry, value: both.value, basis: basisOf(both) });
  }
  return members;
}

/*
 * Adds up scopes 1 and 2 of the organizations that disclose them in each of three years, or of two,
 * if these are at least half of the portfolio; otherwise at least half of those of the last year.
 */
function likeForLike(
  entries: readonly Entry[],
  year: number,
  [members, organizations]: readonly [number, number],
) {
  for (const whole of [organizations, members])
    for (const length of [3, 2]) {
      const run = compareRun(
        entries,
        Array.from({ length }, (_, index) => year - length + 1 + index),
      );
      const isKnown = run.organizations > 0 && run.years.every(({ sum }) => Number.isFinite(sum));
      if (isKnown && isHalf(run.organizations, whole)) return run;
    }
  return null;
}

/* Adds up scopes 1 and 2 of those that disclose the same figures in all years of a run. */
function compareRun(entries: readonly Entry[], wanted: readonly number[]) {
  const sums = wanted.map((year) => ({ year, sum: new ExactSum() }));
  let [organizations, rose, fell] = [0, 0, 0];
  for (const entry of entries) {
    const values = valuesOf(entry, wanted);
    if (values === undefined) continue;
    organizations += 1;
    for (const [index, { sum }] of sums.entries()) sum.add(values[index] ?? Number.NaN);
    const move = moveOf(values.at(-2), values.at(-1));
    if (move > 0) rose += 1;
    if (move < 0) fell += 1;
  }
  const years = sums.map(({ year, sum }) => ({ year, sum: sum.written }));
  return { organizations, rose, fell, years };
}

/* The sign of a change; sums of the same figures may differ in their last digits. */
function moveOf(before = Number.NaN, after = Number.NaN): number {
  const change = after - before;
  const size = Math.max(Math.abs(before), Math.abs(after));
  return Math.abs(change) > 1e-12 * size ? Math.sign(change) : 0;
}

function targetsOf(members: readonly Member[], sum: number) {
  const byStatus = new Map(statuses.map((status) => [status, new Part()]));
  for (const { entry, value } of members)
    (byStatus.get(entry.nearTerm ?? 'unknown') ?? byStatus.get('other'))?.add(value);
  return [...byStatus].flatMap(([status, part]) => {
    const { organizations } = part;
    const known = { organizations, sum: part.sum, share: part.shareOf(sum) };
    return organizations === 0 ? [] : [{ status, ...known }];
  });
}

function finite(sum: number): number | null {
  return Number.isFinite(sum) ? sum : null;
}
