/* What a footprint is calculated with and from. */
import type { Factor, LineItem, Uncovered, UpstreamReading } from './line-item.ts';
import type { Method, Warning } from './summary.ts';
import type { SpendGroup } from './suppliers/ledger.ts';

/** Where a footprint comes from. */
export interface Provenance extends Omit<Method, 'retrieved' | 'max_factor_age' | 'factor_unit'> {
  /** What was found while reading the file and the records. */
  readonly warnings?: readonly Warning[] | undefined;
}

/** A group of spend with its result. */
export interface Entry {
  readonly group: SpendGroup;
  /** The spend as the nearest double; null without spend. */
  readonly spend: number | null;
  /** The reading of the upstream factor that applies to its record. */
  readonly reading: UpstreamReading;
  factor: Factor | null;
  /** Spend times factor; null without one of them. */
  emissions: number | null;
  uncovered: Uncovered | null;
  readonly excluded: LineItem['excluded'];
  warning: string | null;
}
