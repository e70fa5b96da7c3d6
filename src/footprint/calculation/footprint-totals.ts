/* The totals of a footprint, from one pass over the groups. */
import type { FootprintSummary, UpstreamSummary } from '../footprint-summary.ts';
import type { SpendGroup, Supplier } from '../ledger.ts';
import {
  type Basis,
  type Match,
  matches,
  type UncoveredReason,
  uncoveredReasons,
} from '../register-row.ts';
import { CategoryTotals } from './category-totals.ts';
import { DateRange } from './date-range.ts';
import { toDecimal } from './decimal-sum.ts';
import { ExactSum } from './exact-sum.ts';
import { ExcludedTotals } from './excluded-totals.ts';
import type { Exclusions } from './exclusions.ts';
import { FactorGaps } from './factor-gaps.ts';
import type { FootprintOptions } from './footprint.ts';
import type { GroupResult } from './group-result.ts';
import { largestSuppliers, suppliersForShare, whatIf } from './largest-suppliers.ts';
import { SbtiTally } from './sbti-tally.ts';
import { SpendTotals } from './spend-totals.ts';
import { rankSuppliers, SupplierTotals, shareOf } from './supplier-totals.ts';

/** Adds up the groups of a footprint. */
export class FootprintTotals {
  readonly #emissions = new ExactSum();
  readonly #byBasis: Record<Basis, ExactSum> = {
    disclosed: new ExactSum(),
    factor: new ExactSum(),
    industry: new ExactSum(),
  };
  readonly #spend = new SpendTotals();
  readonly #categories = new CategoryTotals();
  readonly #suppliers = new Map<Supplier, SupplierTotals>();
  #latest: SupplierTotals | undefined;
  readonly #sbti = new SbtiTally();
  readonly #gaps = new FactorGaps();
  readonly #uncovered = new Map<UncoveredReason, number>();
  readonly #matchedBy = new Map<Match, number>();
  readonly #excluded = new ExcludedTotals();
  readonly #retrieved = new DateRange();
  #rows = 0;
  #coveredRows = 0;
  #synthetic = 0;

  /** Adds a group with its result. */
  add(group: SpendGroup, result: GroupResult): void {
    const { supplier, currency, spend, category } = group;
    const { factor, emissions, uncovered, excluded } = result;
    if (excluded !== null || spend === null) {
      this.#excluded.add(group, result);
      return;
    }
    const totals = this.#supplier(supplier);
    const amount = toDecimal(spend);
    this.#rows += 1;
    this.#spend.add(currency, amount, emissions !== null);
    this.#categories.add(category, currency, amount, emissions);
    this.#sbti.addRow(supplier.target, amount, emissions);
    if (supplier.matchedBy !== null) count(this.#matchedBy, supplier.matchedBy);
    if (uncovered !== null) count(this.#uncovered, uncovered.reason);
    if (factor === null || emissions === null) return;
    this.#coveredRows += 1;
    this.#emissions.add(emissions);
    this.#byBasis[factor.basis].add(emissions);
    this.#gaps.add(group.year, factor.year);
    totals.add(emissions, factor);
  }

  /** Returns the summary; it reads the groups of the largest suppliers again. */
  summary(
    groups: Iterable<SpendGroup>,
    exclusions: Exclusions,
    upstream: UpstreamSummary,
    options: FootprintOptions,
  ): FootprintSummary {
    const emissions = this.#coveredRows === 0 ? null : this.#emissions.value();
    const spend = this.#spend.result();
    const currency = this.#spend.onlyCurrency;
    const totals = {
      emissions,
      spend: currency === null ? null : (spend[currency]?.total ?? null),
    };
    const ranked = rankSuppliers(this.#suppliers.values());
    return {
      emissions,
      unit: options.unit,
      boundary: options.boundary,
      upstream,
      rows: this.#rows,
      covered_rows: this.#coveredRows,
      suppliers: this.#suppliers.size,
      spend,
      supplier_data_share: shareOf(this.#byBasis.disclosed.value(), emissions),
      factor_share: shareOf(this.#byBasis.factor.value(), emissions),
      industry_share: shareOf(this.#byBasis.industry.value(), emissions),
      sbti_coverage: this.#sbti.result(totals),
      uncovered: inOrder(uncoveredReasons, this.#uncovered),
      excluded: this.#excluded.result(),
      categories: this.#categories.result(emissions),
      largest: largestSuppliers(ranked, emissions, groups, exclusions),
      suppliers_for_80_percent: suppliersForShare(ranked, emissions, 0.8),
      what_if:
        options.whatIf === undefined
          ? null
          : whatIf(options.whatIf, ranked, totals, groups, exclusions),
      ...this.#gaps.result(),
      matched_by: inOrder(matches, this.#matchedBy),
      inconsistent_factors: options.inconsistentFactors,
      synthetic: this.#synthetic,
      method: { ...options.method, retrieved: this.#retrieved.result() },
    };
  }

  #supplier(supplier: Supplier): SupplierTotals {
    // The groups of a supplier follow each other.
    if (this.#latest?.supplier === supplier) return this.#latest;
    this.#latest = this.#suppliers.get(supplier) ?? this.#create(supplier);
    return this.#latest;
  }

  #create(supplier: Supplier): SupplierTotals {
    const totals = new SupplierTotals(supplier);
    this.#suppliers.set(supplier, totals);
    this.#sbti.addSupplier(supplier.target);
    this.#retrieved.add(supplier.retrievedAt);
    if (supplier.isSynthetic) this.#synthetic += 1;
    return totals;
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/* The order of the groups must not change the order of members. */
function inOrder<Key extends string>(
  keys: readonly Key[],
  counts: ReadonlyMap<Key, number>,
): Partial<Record<Key, number>> {
  const counted = keys.filter((key) => counts.has(key)).map((key) => [key, counts.get(key)]);
  return Object.fromEntries(counted);
}
