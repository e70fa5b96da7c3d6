/*
 * Summarizes records into the value that the terminal view, the page and `--json` show. Every
 * figure states how many organizations it covers, and missing data is counted.
 */
import { addFindings } from '../checks/findings.ts';
import { bothScopes } from '../organizations/emissions.ts';
import { repeatedRecords } from '../organizations/matches.ts';
import { targetStatuses } from '../organizations/targets.ts';
import type { Counts } from '../records/records.ts';
import { summarizeEmissions, type Unit } from './emissions.ts';
import type { Entry } from './entry.ts';
import { summarizeScores, tally } from './spread.ts';

/** The summary of a portfolio. Its JSON is the output of `carbon report --json`. */
export type Summary = ReturnType<typeof summarize>['summary'];
export type Emitter = ReturnType<typeof emitterOf>[number];
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

/* The value of each commitment, and the expected ones. */
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
  return (entries: readonly Entry[]) => tally(entries.map(read), expected);
}

function flag(read: (entry: Entry) => boolean | string | undefined, yes: string, no: string) {
  const word = (value: boolean | string | undefined) =>
    typeof value === 'boolean' ? (value ? yes : no) : value;
  return field((entry) => word(read(entry)), yes, no);
}

const shownEmitters = 10;

/**
 * Summarizes a portfolio.
 * @param counts numbers of the input
 * @param unit of the emissions in the records, as the user declares it
 * @param times when the records were retrieved, as far as known
 * @returns the summary, and all organizations, the largest emitters first
 */
export function summarize(
  all: Iterable<Entry>,
  counts: Counts,
  unit?: Unit,
  times: ReadonlyMap<Entry, string | undefined> = new Map(),
) {
  const entries = [...all];
  const summed = entries.map((entry) => {
    const { matched, years } = entry;
    return [{ entry, matched, hasFigures: years.length > 0 }, times.get(entry)] as const;
  });
  const repeated = new Set([...repeatedRecords(summed)].map(({ entry }) => entry));
  const organizations = entries.length;
  const count = (test: (entry: Entry) => boolean) => entries.filter(test).length;
  const finished = count(({ status }) => status === 'synced');
  const errored = count(({ status }) => status === 'errored');
  const emitters = rank(entries);
  const { records, withoutId, failed, withoutRecord } = counts;
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
    research: { finished, in_progress: organizations - finished - errored, errored },
    score: summarizeScores(entries.flatMap(({ score }) => score ?? [])),
    commitments: mapValues(commitments, (tallyOf) => tallyOf(entries)),
    emissions: {
      ...summarizeEmissions(
        entries.filter((entry) => !repeated.has(entry)),
        unit,
      ),
      /** Organizations left out, whose matched organization has a newer record. */
      same_match: repeated.size,
    },
    largest_emitters: emitters.slice(0, shownEmitters).flatMap(emitterOf),
    checks: addFindings(entries.map(({ findings }) => findings)),
    /** The numbers of organizations without certain data. */
    gaps: mapValues(lacks, count),
  };
  return { summary, emitters };
}

function mapValues<Key extends string, Value, Result>(
  values: Readonly<Record<Key, Value>>,
  convert: (value: Value) => Result,
): Record<Key, Result> {
  const entries = Object.entries<Value>(values).map(([key, value]) => [key, convert(value)]);
  return Object.fromEntries(entries) as Record<Key, Result>;
}

/* The latest year with scopes 1 and 2 determines the rank. */
function rankingOf({ years }: Entry) {
  for (const { year, figures } of years) {
    const both = bothScopes(figures);
    if (both !== undefined) return { year, value: both.value };
  }
  return undefined;
}

/* Sorting is stable, so organizations with equal emissions keep their order. */
function rank(entries: readonly Entry[]): Entry[] {
  const emitters = entries.map((entry) => {
    return { entry, value: rankingOf(entry)?.value ?? Number.NEGATIVE_INFINITY };
  });
  emitters.sort((a, b) => (a.value === b.value ? 0 : b.value - a.value));
  return emitters.map(({ entry }) => entry);
}

function emitterOf(entry: Entry) {
  const ranking = rankingOf(entry);
  if (ranking === undefined) return [];
  const { id, name, region, industry, target } = entry;
  return [
    {
      id: id ?? null,
      name: name ?? null,
      hq_region: region ?? null,
      industry: industry ?? null,
      year: ranking.year,
      scope_1_and_2: ranking.value,
      target: target ?? null,
    },
  ];
}
