import type { FootprintSummary } from '../footprint-summary.ts';
import type { SpendGroup, Supplier } from '../ledger.ts';
import type { Boundary, RegisterRow, UpstreamReading } from '../register-row.ts';
import { Exclusions, isCredit } from './exclusions.ts';
import { FootprintTotals } from './footprint-totals.ts';
import { type GroupResult, readingMatters, resultOf } from './group-result.ts';
import { shareOf } from './supplier-totals.ts';
import { decideReading, type EvidenceCounts } from './upstream-evidence.ts';

/** What a footprint is calculated with, and what its summary states about the method. */
export interface FootprintOptions {
  readonly boundary: Boundary;
  /** Declared unit of emissions; null without `--unit`. */
  readonly unit: 'kg' | 't' | null;
  /** Reading of the upstream factor that the user declares. */
  readonly upstream?: UpstreamReading | undefined;
  /** What the records show about the upstream factor. */
  readonly evidence: EvidenceCounts;
  /** Number of largest suppliers that set a target in `--what-if set:10`. */
  readonly whatIf?: number | undefined;
  /** Number of records for which `hasInconsistentFactor` is true. */
  readonly inconsistentFactors: number;
  /** `retrieved` comes from the suppliers. */
  readonly method: Omit<FootprintSummary['method'], 'retrieved'>;
}

/**
 * Calculates the register and its summary from grouped spend.
 *
 * It iterates the groups several times and stores a total for each supplier, but no row. Groups of
 * one supplier share one `Supplier` object. Emissions of a row are its spend as a double times the
 * factor; totals are exact sums of rows, so that the order of the groups changes no digit.
 */
export class Footprint {
  readonly #groups: Iterable<SpendGroup>;
  readonly #options: FootprintOptions;
  readonly #reading: UpstreamReading | null;
  readonly #exclusions: Exclusions;
  readonly #summary: FootprintSummary;

  /**
   * @param groups can be iterated several times, in the same order
   * @throws UsageError if a row needs the reading of the upstream factor, and nothing decides it
   */
  constructor(groups: Iterable<SpendGroup>, options: FootprintOptions) {
    this.#groups = groups;
    this.#options = options;
    let needsReading = false;
    const credited = new Set<Supplier>();
    for (const group of groups) {
      needsReading ||= group.spend !== null && readingMatters(group.factors);
      if (isCredit(group)) credited.add(group.supplier);
    }
    const upstream = decideReading(options.evidence, options.upstream, needsReading);
    this.#reading = upstream.reading;
    this.#exclusions = new Exclusions(groups, credited);
    const totals = new FootprintTotals();
    for (const group of groups) totals.add(group, this.#resultOf(group));
    this.#summary = totals.summary(groups, this.#exclusions, upstream, options);
  }

  /** Yields the rows of the register in the order of the groups. */
  *rows(): Iterable<RegisterRow> {
    for (const group of this.#groups) yield this.#row(group);
  }

  /** Returns the summary. */
  summary(): FootprintSummary {
    return this.#summary;
  }

  #resultOf(group: SpendGroup): GroupResult {
    return resultOf(group, this.#reading, this.#exclusions.of(group));
  }

  #row(group: SpendGroup): RegisterRow {
    const { supplier, currency, spend } = group;
    const { factor, emissions, uncovered, excluded } = this.#resultOf(group);
    return {
      lines: group.lines,
      line_count: group.lineCount,
      supplier: supplier.name,
      id: supplier.id,
      name: supplier.recordName,
      matched_by: supplier.matchedBy,
      currency,
      spend: spend === null ? null : Number(spend) + 0,
      spend_year: group.year,
      category: group.category,
      boundary: this.#options.boundary,
      basis: factor?.basis ?? null,
      factor: factor?.value ?? null,
      factor_year: factor?.year ?? null,
      factor_region: factor?.region ?? null,
      inputs: factor?.inputs ?? null,
      emissions,
      share:
        emissions === null || excluded !== null
          ? null
          : shareOf(emissions, this.#summary.emissions),
      sbti_near_term: supplier.target,
      retrieved_at: supplier.retrievedAt,
      synthetic: supplier.isSynthetic,
      uncovered: uncovered?.reason ?? null,
      uncovered_detail: uncovered?.detail ?? null,
      excluded,
    };
  }
}
