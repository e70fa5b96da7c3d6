/* Coverage of emissions and spend by suppliers with science-based targets. */
import type { SbtiCoverage, SbtiShares } from '../footprint-summary.ts';
import type { NearTermTarget } from '../register-row.ts';
import { DateRange } from './date-range.ts';
import { type Decimal, DecimalSum } from './decimal-sum.ts';
import { ExactSum } from './exact-sum.ts';
import { shareOf } from './supplier-totals.ts';

const statuses = ['set', 'committed', 'removed', 'none', 'unknown'] as const;
type Status = (typeof statuses)[number];

/** The totals that shares divide by; null where a share is not possible. */
export interface ShareTotals {
  readonly emissions: number | null;
  /** All spend, covered or not; null unless it is in one currency. */
  readonly spend: number | null;
}

/** Counts suppliers, emissions and spend by the status of the near-term target. */
export class SbtiTally {
  readonly #statuses = Object.fromEntries(
    statuses.map((status) => [
      status,
      { suppliers: 0, emissions: new ExactSum(), spend: new DecimalSum() },
    ]),
  ) as Record<Status, { suppliers: number; emissions: ExactSum; spend: DecimalSum }>;
  readonly #evidence = new DateRange();

  /** Counts a supplier, once. */
  addSupplier(target: NearTermTarget): void {
    this.#statuses[statusOf(target)].suppliers += 1;
    // When the status was retrieved, else when SBTi recorded it.
    this.#evidence.add(target.retrieved_at ?? target.created_at);
  }

  /** Adds a row; emissions are null for an uncovered one. */
  addRow(target: NearTermTarget, spend: Decimal, emissions: number | null): void {
    const sums = this.#statuses[statusOf(target)];
    sums.spend.add(spend);
    if (emissions !== null) sums.emissions.add(emissions);
  }

  result(totals: ShareTotals): SbtiCoverage {
    const { set, committed, removed, none, unknown } = this.#statuses;
    return {
      ...this.#shares('set', totals),
      set: set.suppliers,
      committed: committed.suppliers,
      removed: removed.suppliers,
      none: none.suppliers,
      unknown: unknown.suppliers,
      committed_share: this.#shares('committed', totals),
      removed_share: this.#shares('removed', totals),
      evidence: this.#evidence.result(),
    };
  }

  #shares(status: Status, totals: ShareTotals): SbtiShares {
    const { emissions, spend } = this.#statuses[status];
    return {
      by_emissions: shareOf(emissions.value(), totals.emissions),
      by_spend: totals.spend === null ? null : shareOf(spend.value(), totals.spend),
    };
  }
}

function statusOf({ status }: NearTermTarget): Status {
  return (statuses as readonly (string | null)[]).includes(status) ? (status as Status) : 'unknown';
}
