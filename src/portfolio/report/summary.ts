/*
 * Summarizes records into the value that the terminal view, the page and `--json` show. Every
 * figure states how many organizations it covers, and missing data is counted.
 */

import { addFindings, type Finding } from '../checks/findings.ts';
import type { ListToCorrect } from '../organizations/correction.ts';
import { repeatedRecords } from '../organizations/matches.ts';
import { totalOf } from '../organizations/sum.ts';
import { targetStatuses } from '../organizations/targets.ts';
import type { Counts } from '../records/records.ts';
import { type AskReason, reportAsks } from './asks.ts';
import { summarizeEmissions, type Unit } from './emissions.ts';
import type { Entry } from './entry.ts';
import { type Population, summarizePopulation } from './population.ts';
import { summarizeScores, Tally } from './spread.ts';

/** The summary of a portfolio. Its JSON is the output of `carbon report --json`. */
export type Summary = ReturnType<typeof summarizePortfolio>['summary'];
export type Emitter = ReturnType<typeof emittersOf>[number];
export type Gap = keyof typeof lacks;
export type Commitment = keyof typeof commitments;

const lacks = {
  no_performances: ({ hasPerformances }: Entry) => !hasPerformances,
  no_emissions: ({ years, isUnreadable }: Entry) => years.length === 0 && !isUnreadable,
  unreadable_emissions: ({ isUnreadable }: Entry) => isUnreadable,
  no_score: ({ score }: Entry) => score === undefined,
  no_industry: ({ industry }: Entry) => !industry,
  no_country: ({ region }: Entry) => !region,
};

/* Counts the values of each commitment; the expected ones come first. */
const commitments = {
  environmental_report: field(({ report }) => report, 'found', 'processing', 'not_found'),
  cdp: flag(({ cdp }) => cdp, 'listed', 'not_listed'),
  sbti_near_term: field(({ nearTerm }) => nearTerm, ...targetStatuses.slice(0, 4)),
  sbti_long_term: flag(({ longTerm }) => longTerm, 'with_target', 'none'),
  sbti_net_zero: flag(({ netZero }) => netZero, 'with_target', 'none'),
  un_initiatives: flag(({ initiatives }) => initiatives, 'taking_part', 'none'),
  climate_pledge: flag(({ pledge }) => pledge, 'signed', 'not_signed'),
};

function field(read: (entry: Entry) => string | undefined, ...expected: readonly string[]) {
  return (entries: readonly Entry[]) => {
    const tally = new Tally(expected);
    for (const entry of entries) tally.add(read(entry));
    return tally.result();
  };
}

function flag(read: (entry: Entry) => boolean | string | undefined, yes: string, no: string) {
  const word = (value: boolean | string | undefined) =>
    typeof value === 'boolean' ? (value ? yes : no) : value;
  return field((entry) => word(read(entry)), yes, no);
}

const shownEmitters = 10;
const shownErrors = 100;
const namedDoubtful = 3;

function hasFindings({ findings: { error, warning, notice } }: Entry): boolean {
  return error + warning + notice > 0;
}

/** The latest record of each organization, and what was found in the input besides. */
export interface Portfolio {
  /** When each record was retrieved; undefined if unknown. */
  readonly times: ReadonlyMap<Entry, string | undefined>;
  /** Numbers of the input. */
  readonly counts: Counts;
  /** Errors about matches, as `findDoubts` returns them. */
  readonly doubts: ReadonlyMap<Entry, Finding>;
  /** The list that the records are of, if they are of one. */
  readonly list?: ListToCorrect | undefined;
}

/**
 * Summarizes a portfolio.
 * @param unit of the emissions in the records, as the user declares it
 * @returns the summary, and the organizations of `both_scopes`, the largest emitters first
 */
export function summarizePortfolio({ times, counts, doubts, list }: Portfolio, unit?: Unit) {
  const entries = [...times.keys()];
  const certain = entries.filter((entry) => !doubts.has(entry));
  const summed = certain.map((entry) => {
    const { matched, years } = entry;
    return [{ entry, matched, hasFigures: years.rightCount > 0 }, times.get(entry)] as const;
  });
  const repeated = new Set([...repeatedRecords(summed)].map(({ entry }) => entry));
  const isCounted = (entry: Entry) => !doubts.has(entry) && !repeated.has(entry);
  const counted = entries.filter(isCounted);
  const leftOut = new Map<Entry, Finding>();
  for (const entry of entries) {
    const { years, error = doubts.get(entry) } = entry;
    if (error !== undefined && years.length > 0) leftOut.set(entry, error);
  }
  const doubtful = entries.filter(hasFindings);
  const otherDoubtful = doubtful.filter((entry) => !leftOut.has(entry));
  const organizations = entries.length;
  const count = (test: (entry: Entry) => boolean) => entries.filter(test).length;
  const finished = count(({ status }) => status === 'synced');
  const errored = count(({ status }) => status === 'errored');
  const emissions = summarizeEmissions(counted, unit);
  const { population, members, rises } = summarizePopulation(
    counted,
    emissions.years,
    organizations,
  );
  const { records, withoutId, failed, withoutRecord } = counts;
  const since = population?.like_for_like?.years[0]?.year ?? population?.year;
  const ask = reportAsks({ entries, isCounted, year: population?.year }, since, list, rises);
  const asked = (wanted: AskReason) => ask.find(({ why }) => why === wanted)?.organizations ?? 0;
  const summary = {
    input: {
      records,
      superseded: records - organizations,
      without_id: withoutId,
      failed,
      without_record: withoutRecord,
    },
    organizations,
    synthetic: count(({ isSynthetic }) => isSynthetic),
    /** Organizations with other data. */
    not_synthetic: count(({ hasRealData }) => hasRealData),
    research: { finished, in_progress: organizations - finished - errored, errored },
    score: summarizeScores(entries.flatMap(({ score }) => score ?? [])),
    commitments: mapValues(commitments, (tallyOf) => tallyOf(entries)),
    emissions: {
      ...emissions,
      both_scopes: population,
      /** Organizations left out, whose matched organization has a newer record. */
      same_match: repeated.size,
    },
    /** Organizations of `both_scopes`. */
    largest_emitters: emittersOf(members, population),
    /** Organizations with an error of `carbon check`: no sum has the figures that it is about. */
    left_out: {
      organizations: leftOut.size,
      records: [...leftOut.values()].slice(0, shownErrors),
    },
    /** Organizations without emissions by how far the research is, or without those compared. */
    missing: {
      no_emissions: asked('no_emissions'),
      old: asked('old'),
      incomplete: asked('incomplete'),
      unmatched: asked('unmatched'),
      in_progress: asked('in_progress'),
      failed: asked('failed'),
      /** The first year compared; since, `old` have no scope 1 or 2, `incomplete` not both. */
      since: since ?? null,
    },
    /** Whom to ask: the group with the largest known emissions first. */
    ask,
    checks: {
      ...addFindings(entries.map(({ findings }) => findings)),
      /** Number of organizations that they are about. */
      organizations: doubtful.length,
      /** Those that `left_out` does not have, and the first of them. */
      not_left_out: {
        organizations: otherDoubtful.length,
        first: otherDoubtful.slice(0, namedDoubtful).map(({ id, name, findings }) => ({
          id: id ?? null,
          name: name ?? null,
          rule: findings.worst[0]?.rule ?? null,
        })),
      },
    },
    /** The numbers of organizations without certain data. */
    gaps: mapValues(lacks, count),
  };
  return { summary, members };
}

function mapValues<Key extends string, Value, Result>(
  values: Readonly<Record<Key, Value>>,
  convert: (value: Value) => Result,
): Record<Key, Result> {
  const entries = Object.entries<Value>(values).map(([key, value]) => [key, convert(value)]);
  return Object.fromEntries(entries) as Record<Key, Result>;
}

/* `share` and `cumulative_share` are those of all organizations that disclose both scopes. */
function emittersOf(
  members: ReturnType<typeof summarizePopulation>['members'],
  population: Population,
) {
  if (population === null) return [];
  const { year } = population;
  const sum = totalOf(members.map(({ value }) => value));
  const shareOf = (part: number) =>
    sum > 0 && Number.isFinite(sum) ? Math.min(1, part / sum) : null;
  let cumulated = 0;
  return members.slice(0, shownEmitters).map(({ entry, value }) => {
    const { id, name, region, industry, target, nearTerm } = entry;
    cumulated += value;
    return {
      id: id ?? null,
      name: name ?? null,
      hq_region: region ?? null,
      industry: industry ?? null,
      year,
      scope_1_and_2: value,
      share: shareOf(value),
      cumulative_share: shareOf(cumulated),
      sbti_near_term: nearTerm ?? null,
      target: target ?? null,
    };
  });
}
