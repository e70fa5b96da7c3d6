/*
 * Summarizes records into the value that the terminal view, the page and `--json` show. Every
 * figure states how many organizations it covers, and missing data is counted.
 */
import { ranks } from '../api/schema.ts';
import { addFindings, type FindingSummary } from '../checks/findings.ts';
import { bothScopes } from '../organizations/emissions.ts';
import { type Progress, targetStatuses } from '../organizations/targets.ts';
import type { Counts } from '../records/records.ts';
import { type EmissionsSummary, summarizeEmissions, type Unit } from './emissions.ts';
import type { Entry } from './entry.ts';
import { type ScoreSummary, summarizeScores, type Tally, tally } from './spread.ts';

/** Revenue in one currency, of the latest year of each organization. */
export interface RevenueSummary {
  /** Null if the record names no currency. */
  readonly currency: string | null;
  readonly organizations: number;
  /** Null if the sum exceeds the range of numbers. */
  readonly revenue: number | null;
}

/** The newest SBTi target of an organization that has a text. */
export interface TargetSummary {
  /** The sentence, as the record quotes it. */
  readonly text: string;
  /** Null unless the sentence is one absolute target whose figures the record has. */
  readonly progress: {
    readonly base_year: number;
    readonly year: number;
    readonly target_year: number;
    /** Promised and actual reduction, as shares of the base year. */
    readonly target: number;
    readonly reduction: number;
    /** The part of the promised reduction that is achieved. */
    readonly achieved: number;
  } | null;
}

export interface Emitter {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly hq_region: string | null;
  readonly industry: string | null;
  readonly year: number;
  /** Scopes 1 and 2 of that year, the latest with both. */
  readonly scope_1_and_2: number;
  readonly target: TargetSummary | null;
}

/** The summary of a portfolio. Its JSON is the output of `carbon report --json`. */
export interface Summary {
  readonly input: {
    readonly records: number;
    readonly superseded: number;
    readonly without_id: number;
    readonly failed: number;
    readonly without_record: number;
  };
  readonly organizations: number;
  /** Organizations with synthetic figures from the sandbox. */
  readonly synthetic: number;
  readonly research: {
    readonly finished: number;
    readonly in_progress: number;
    readonly errored: number;
  };
  readonly statuses: Tally;
  readonly score: ScoreSummary;
  /** Rank of each organization's industry among all industries. */
  readonly industry_rank: Tally;
  readonly region_rank: Tally;
  readonly commitments: Readonly<Record<Commitment, Tally>>;
  readonly emissions: EmissionsSummary;
  readonly largest_emitters: readonly Emitter[];
  readonly targets: {
    readonly quoted: number;
    /** Those with a progress that their own figures show. */
    readonly with_progress: number;
  };
  /** Findings of `carbon check` about figures. */
  readonly checks: FindingSummary;
  readonly revenue: readonly RevenueSummary[];
  /** The numbers of organizations without certain data. */
  readonly gaps: Readonly<Record<Gap, number>>;
}

const lacks = {
  no_performances: ({ hasPerformances }) => !hasPerformances,
  no_emissions: ({ years }) => years.length === 0,
  no_score: ({ score }) => score === undefined,
  no_industry: ({ industry }) => !industry,
  no_country: ({ region }) => !region,
} satisfies Readonly<Record<string, (entry: Entry) => boolean>>;

export type Gap = keyof typeof lacks;

/* The value of each commitment, and the expected ones. */
const commitments = {
  environmental_report: [({ report }) => report, ['found', 'processing', 'not_found']],
  cdp: flag(({ cdp }) => cdp, 'listed', 'not_listed'),
  sbti_near_term: [({ nearTerm }) => nearTerm, targetStatuses.slice(0, 4)],
  sbti_long_term: flag(({ longTerm }) => longTerm, 'with_target', 'none'),
  sbti_net_zero: flag(({ netZero }) => netZero, 'with_target', 'none'),
  un_initiatives: flag(({ initiatives }) => initiatives, 'taking_part', 'none'),
  climate_pledge: flag(({ pledge }) => pledge, 'signed', 'not_signed'),
} satisfies Readonly<Record<string, Field>>;

type Field = readonly [read: (entry: Entry) => string | undefined, expected: readonly string[]];

export type Commitment = keyof typeof commitments;

function flag(read: (entry: Entry) => boolean | undefined, yes: string, no: string): Field {
  const value = (entry: Entry) => {
    const is = read(entry);
    return is === undefined ? undefined : is ? yes : no;
  };
  return [value, [yes, no]];
}

const shownEmitters = 10;

/**
 * Summarizes a portfolio.
 * @param counts numbers of the input
 * @param unit of the emissions in the records, as the user declares it
 * @returns the summary, and all organizations, the largest emitters first
 */
export function summarize(
  all: Iterable<Entry>,
  counts: Counts,
  unit?: Unit,
): { readonly summary: Summary; readonly emitters: readonly Entry[] } {
  const entries = [...all];
  const organizations = entries.length;
  const count = (test: (entry: Entry) => boolean) => entries.filter(test).length;
  const tallyOf = (read: (entry: Entry) => string | undefined, expected?: readonly string[]) =>
    tally(entries.map(read), expected);
  const finished = count(({ status }) => status === 'synced');
  const errored = count(({ status }) => status === 'errored');
  const emitters = rank(entries);
  const { records, withoutId, failed, withoutRecord } = counts;
  const summary: Summary = {
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
    statuses: tallyOf(({ status }) => status),
    score: summarizeScores(entries.flatMap(({ score }) => score ?? [])),
    industry_rank: tallyOf(({ industryRank }) => industryRank, ranks),
    region_rank: tallyOf(({ regionRank }) => regionRank, ranks),
    commitments: mapValues(commitments, ([read, expected]) => tallyOf(read, expected)),
    emissions: summarizeEmissions(entries, unit),
    largest_emitters: emitters.slice(0, shownEmitters).flatMap(emitterOf),
    targets: {
      quoted: count(({ target }) => target !== undefined),
      with_progress: count(({ target }) => target?.progress !== undefined),
    },
    checks: addFindings(entries.map(({ findings }) => findings)),
    revenue: sumRevenue(entries),
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

function emitterOf(entry: Entry): Emitter[] {
  const ranking = rankingOf(entry);
  if (ranking === undefined) return [];
  const { id, name, region, industry, target } = entry;
  const emitter: Emitter = {
    id: id ?? null,
    name: name ?? null,
    hq_region: region ?? null,
    industry: industry ?? null,
    year: ranking.year,
    scope_1_and_2: ranking.value,
    target: target ? { text: target.text, progress: progressOf(target.progress) } : null,
  };
  return [emitter];
}

function progressOf(progress: Progress | undefined): TargetSummary['progress'] {
  if (progress === undefined) return null;
  const { target, year, reduction, achieved } = progress;
  return {
    base_year: target.baseYear,
    year,
    target_year: target.targetYear,
    target: target.reduction,
    reduction,
    achieved,
  };
}

/* Never adds up different currencies; the currency of most organizations comes first. */
function sumRevenue(entries: readonly Entry[]): RevenueSummary[] {
  const sums = new Map<string | null, { organizations: number; revenue: number }>();
  for (const { revenue } of entries) {
    if (revenue === undefined) continue;
    const currency = revenue.currency ?? null;
    const { organizations = 0, revenue: sum = 0 } = sums.get(currency) ?? {};
    sums.set(currency, { organizations: organizations + 1, revenue: sum + revenue.amount });
  }
  return [...sums]
    .map(([currency, { organizations, revenue }]) => ({
      currency,
      organizations,
      revenue: Number.isFinite(revenue) ? revenue : null,
    }))
    .sort((a, b) => b.organizations - a.organizations);
}
