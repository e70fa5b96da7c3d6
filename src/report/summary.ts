/*
 * Records to numbers: the one value that the terminal view, the page and `--json` show. Pure. Every figure says on how many
 * organizations it stands, and what is missing is counted.
 */
import { ranks } from '../contract.ts';
import { type Answers, countAnswers, countFlags } from './answers.ts';
import { type EmissionsSummary, summarizeEmissions } from './emissions-summary.ts';
import type { Entry } from './entry.ts';
import { type Emitter, largestEmitters } from './largest.ts';
import { type ScoreSummary, summarizeScores } from './score-summary.ts';
import type { Counts, Snapshot } from './snapshot.ts';

/** Revenue in one currency, of the latest year of each organization; currencies are never added up. */
export interface RevenueSummary {
  /** Null where the record names none. */
  readonly currency: string | null;
  readonly organizations: number;
  /** Null where it is more than a number holds. */
  readonly revenue: number | null;
}

/** What a portfolio looks like. Its JSON is what `carbon report --json` prints. */
export interface Summary {
  readonly input: {
    readonly records: number;
    readonly superseded: number;
    readonly without_id: number;
    readonly failed: number;
    readonly without_record: number;
  };
  readonly organizations: number;
  /** Organizations whose figures are the sandbox's. */
  readonly synthetic: number;
  readonly research: { readonly finished: number; readonly in_progress: number; readonly errored: number };
  readonly statuses: Answers;
  readonly score: ScoreSummary;
  readonly industry_rank: Answers;
  readonly region_rank: Answers;
  readonly commitments: {
    readonly environmental_report: Answers;
    readonly cdp: Answers;
    readonly sbti_near_term: Answers;
    readonly sbti_long_term: Answers;
    readonly sbti_net_zero: Answers;
    readonly un_initiatives: Answers;
    readonly climate_pledge: Answers;
  };
  readonly emissions: EmissionsSummary;
  readonly largest_emitters: readonly Emitter[];
  readonly revenue: readonly RevenueSummary[];
  /** Organizations that lack something. */
  readonly gaps: {
    readonly no_performances: number;
    readonly no_emissions: number;
    readonly no_score: number;
    readonly no_industry: number;
    readonly no_country: number;
  };
}

/** Summarizes a portfolio. */
export function summarize({ organizations, counts }: Snapshot<Entry>): Summary {
  const entries = [...organizations.values()];
  const { counts: statuses, missing } = countAnswers(entries.map(({ status }) => status));
  const finished = Object.hasOwn(statuses, 'synced') ? (statuses['synced'] ?? 0) : 0;
  const errored = Object.hasOwn(statuses, 'errored') ? (statuses['errored'] ?? 0) : 0;
  return {
    input: inputOf(counts),
    organizations: entries.length,
    synthetic: entries.filter(({ isSynthetic }) => isSynthetic).length,
    research: { finished, in_progress: entries.length - finished - errored, errored },
    statuses: { counts: statuses, missing },
    score: summarizeScores(entries.flatMap(({ score }) => score ?? [])),
    industry_rank: countAnswers(
      entries.map(({ industryRank }) => industryRank),
      ranks,
    ),
    region_rank: countAnswers(
      entries.map(({ regionRank }) => regionRank),
      ranks,
    ),
    commitments: commitmentsOf(entries),
    emissions: summarizeEmissions(entries),
    largest_emitters: largestEmitters(entries),
    revenue: revenueOf(entries),
    gaps: gapsOf(entries),
  };
}

function inputOf(counts: Counts): Summary['input'] {
  const { records, superseded, withoutId, failed, withoutRecord } = counts;
  return { records, superseded, without_id: withoutId, failed, without_record: withoutRecord };
}

function commitmentsOf(entries: readonly Entry[]): Summary['commitments'] {
  const takesPart = ({ initiatives }: Entry) => (initiatives === undefined ? undefined : initiatives !== '');
  return {
    environmental_report: countAnswers(
      entries.map(({ report }) => report),
      ['found', 'processing', 'not_found'],
    ),
    cdp: countFlags(
      entries.map(({ cdp }) => cdp),
      'listed',
      'not_listed',
    ),
    sbti_near_term: countAnswers(
      entries.map(({ targets }) => targets.nearTerm),
      ['set', 'committed', 'removed', 'none'],
    ),
    sbti_long_term: countFlags(
      entries.map(({ targets }) => targets.longTerm),
      'with_target',
      'none',
    ),
    sbti_net_zero: countFlags(
      entries.map(({ targets }) => targets.netZero),
      'with_target',
      'none',
    ),
    un_initiatives: countFlags(entries.map(takesPart), 'taking_part', 'none'),
    climate_pledge: countFlags(
      entries.map(({ pledge }) => pledge),
      'signed',
      'not_signed',
    ),
  };
}

function revenueOf(entries: readonly Entry[]): RevenueSummary[] {
  const sums = new Map<string | null, { organizations: number; revenue: number }>();
  for (const { revenue } of entries) {
    if (revenue === undefined) continue;
    const currency = revenue.currency ?? null;
    const sum = sums.get(currency) ?? { organizations: 0, revenue: 0 };
    sums.set(currency, sum);
    sum.organizations += 1;
    sum.revenue += revenue.amount;
  }
  return [...sums]
    .map(([currency, { organizations, revenue }]) => ({
      currency,
      organizations,
      revenue: Number.isFinite(revenue) ? revenue : null,
    }))
    .sort((a, b) => b.organizations - a.organizations);
}

function gapsOf(entries: readonly Entry[]): Summary['gaps'] {
  const lacks = (isMissing: (entry: Entry) => boolean) => entries.filter(isMissing).length;
  return {
    no_performances: lacks(({ hasPerformances }) => !hasPerformances),
    no_emissions: lacks(({ years }) => years.length === 0),
    no_score: lacks(({ score }) => score === undefined),
    no_industry: lacks(({ industry }) => !industry),
    no_country: lacks(({ region }) => !region),
  };
}
