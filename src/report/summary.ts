/*
 * Summarizes records into the value that the terminal view, the page and `--json` show. Every
 * figure states how many organizations it covers, and missing data is counted.
 */
import { ranks } from '../api/schema.ts';
import type { Counts } from '../records/records.ts';
import type { Entry } from './summary/digest.ts';
import { EmissionsSum, type EmissionsSummary } from './summary/emissions.ts';
import { RevenueSum, type RevenueSummary } from './summary/revenue.ts';
import { ScoreSpread, type ScoreSummary } from './summary/scores.ts';
import { countFlags, Tally, type TallyResult } from './summary/tally.ts';
import {
  type Emitter,
  emittersOf,
  type RankedEmitter,
  TopEmitters,
} from './summary/top-emitters.ts';
import { unpackYears } from './summary/years.ts';

const shownEmitters = 10;

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
  readonly statuses: TallyResult;
  readonly score: ScoreSummary;
  readonly industry_rank: TallyResult;
  readonly region_rank: TallyResult;
  readonly commitments: {
    readonly environmental_report: TallyResult;
    readonly cdp: TallyResult;
    readonly sbti_near_term: TallyResult;
    readonly sbti_long_term: TallyResult;
    readonly sbti_net_zero: TallyResult;
    readonly un_initiatives: TallyResult;
    readonly climate_pledge: TallyResult;
  };
  readonly emissions: EmissionsSummary;
  readonly largest_emitters: readonly Emitter[];
  readonly revenue: readonly RevenueSummary[];
  /** The numbers of organizations without certain data. */
  readonly gaps: {
    readonly no_performances: number;
    readonly no_emissions: number;
    readonly no_score: number;
    readonly no_industry: number;
    readonly no_country: number;
  };
}

/* Checks for data that an organization may lack. */
const lacks: Readonly<Record<keyof Summary['gaps'], (entry: Entry) => boolean>> = {
  no_performances: ({ hasPerformances }) => !hasPerformances,
  no_emissions: ({ years }) => years.length === 0,
  no_score: ({ score }) => score === undefined,
  no_industry: ({ industry }) => !industry,
  no_country: ({ region }) => !region,
};
const gapNames = Object.keys(lacks) as (keyof Summary['gaps'])[];

/** Summarizes a portfolio, one organization at a time. It keeps only scores and top emitters. */
export class Summarizer {
  #organizations = 0;
  #synthetic = 0;
  readonly #gaps = {
    no_performances: 0,
    no_emissions: 0,
    no_score: 0,
    no_industry: 0,
    no_country: 0,
  };
  readonly #statuses = new Tally(({ status }) => status);
  readonly #industryRanks = new Tally(({ industryRank }) => industryRank, ranks);
  readonly #regionRanks = new Tally(({ regionRank }) => regionRank, ranks);
  readonly #commitments = {
    environmental_report: new Tally(({ report }) => report, ['found', 'processing', 'not_found']),
    cdp: countFlags(({ cdp }) => cdp, 'listed', 'not_listed'),
    sbti_near_term: new Tally(
      ({ targets }) => targets.nearTerm,
      ['set', 'committed', 'removed', 'none'],
    ),
    sbti_long_term: countFlags(({ targets }) => targets.longTerm, 'with_target', 'none'),
    sbti_net_zero: countFlags(({ targets }) => targets.netZero, 'with_target', 'none'),
    un_initiatives: countFlags(({ initiatives }) => takesPart(initiatives), 'taking_part', 'none'),
    climate_pledge: countFlags(({ pledge }) => pledge, 'signed', 'not_signed'),
  };
  readonly #scores = new ScoreSpread();
  readonly #revenue = new RevenueSum();
  readonly #emissions = new EmissionsSum();
  readonly #emitters: TopEmitters;
  readonly #parts: readonly { add(entry: Entry): void }[];

  /** @param maxTopEmitters maximum number of top emitters to keep */
  constructor(maxTopEmitters = shownEmitters) {
    this.#emitters = new TopEmitters(maxTopEmitters);
    const tallies = [this.#statuses, this.#industryRanks, this.#regionRanks];
    this.#parts = [...tallies, ...Object.values(this.#commitments), this.#scores, this.#revenue];
  }

  add(entry: Entry): void {
    const years = unpackYears(entry.years);
    this.#organizations += 1;
    this.#synthetic += Number(entry.isSynthetic);
    this.#emissions.add(entry, years);
    this.#emitters.add(entry, years);
    for (const part of this.#parts) part.add(entry);
    for (const gap of gapNames) this.#gaps[gap] += Number(lacks[gap](entry));
  }

  /** Returns the top emitters, the largest first; organizations without a total come last. */
  get emitters(): readonly RankedEmitter[] {
    return this.#emitters.result();
  }

  /** @param counts numbers of the input */
  result(counts: Counts): Summary {
    const statuses = this.#statuses.result();
    const [finished = 0, errored = 0] = ['synced', 'errored'].map((status) =>
      Object.hasOwn(statuses.counts, status) ? statuses.counts[status] : 0,
    );
    const organizations = this.#organizations;
    const commitments = Object.entries(this.#commitments).map(([name, count]) => [
      name,
      count.result(),
    ]);
    return {
      input: inputOf(counts, organizations),
      organizations,
      synthetic: this.#synthetic,
      research: { finished, in_progress: organizations - finished - errored, errored },
      statuses,
      score: this.#scores.result(),
      industry_rank: this.#industryRanks.result(),
      region_rank: this.#regionRanks.result(),
      commitments: Object.fromEntries(commitments),
      emissions: this.#emissions.result(),
      largest_emitters: emittersOf(this.emitters.slice(0, shownEmitters)),
      revenue: this.#revenue.result(),
      gaps: { ...this.#gaps },
    };
  }
}

function takesPart(initiatives: string | undefined): boolean | undefined {
  return initiatives === undefined ? undefined : initiatives !== '';
}

function inputOf(counts: Counts, organizations: number): Summary['input'] {
  const { records, withoutId, failed, withoutRecord } = counts;
  const superseded = records - organizations;
  return { records, superseded, without_id: withoutId, failed, without_record: withoutRecord };
}
