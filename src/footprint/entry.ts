/* What a footprint is calculated with and from. */
import type { Boundary, Factor, LineItem, Uncovered, UpstreamReading } from './line-item.ts';
import type { Method, Warning } from './summary.ts';
import type { SpendGroup } from './suppliers/ledger.ts';

/** What a footprint is calculated with, and what its summary says about the method. */
export interface FootprintOptions {
  readonly boundary: Boundary;
  /** Declared unit of emissions; null without `--unit`. */
  readonly unit: 'kg' | 't' | null;
  /** Declared unit of the service's factors. */
  readonly factorUnit?: 'kg' | 't' | undefined;
  /** Reading of the upstream factor for records that do not show their own. */
  readonly upstreamFactor?: UpstreamReading | undefined;
  /** Whether items whose factor may be wrong are left uncovered. */
  readonly excludeOutliers?: boolean | undefined;
  /** What was found while reading the file and the records. */
  readonly warnings?: readonly Warning[] | undefined;
  /** `retrieved` comes from the records. */
  readonly method: Omit<Method, 'retrieved'>;
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
