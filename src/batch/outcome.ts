import type { OrganizationId } from '../api/reference.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { RowProblem } from './row-action.ts';

/**
 * What became of a row; each row of the file has at most one, and those that have none were not
 * sent.
 */
export type RowEvent =
  | {
      readonly kind: 'registered';
      readonly line: number;
      readonly id: OrganizationId;
      readonly status: string | undefined;
      /** The record as it was received, where the run keeps records. */
      readonly json: string | undefined;
    }
  /** Registered by an earlier run. */
  | { readonly kind: 'skipped'; readonly line: number; readonly id: OrganizationId }
  /** Equal to the row on `firstLine`, which this run registered. */
  | {
      readonly kind: 'duplicate';
      readonly line: number;
      readonly firstLine: number;
      readonly id: OrganizationId;
    }
  /** Refused by the service, now or (`earlier`) in a run before, and not sent again. */
  | {
      readonly kind: 'refused';
      readonly line: number;
      readonly error: CarbonError;
      readonly earlier: boolean;
    }
  /** Failed for now and for no fault of its own; the next run sends it again. */
  | {
      readonly kind: 'postponed';
      readonly line: number;
      /** The organization's name. */
      readonly name: string;
      readonly error: CarbonError;
    }
  | { readonly kind: 'invalid'; readonly line: number; readonly problems: readonly RowProblem[] };

/** How many rows had each outcome. */
export type OutcomeCounts = Readonly<Record<RowEvent['kind'], number>>;

/** How a run ended. */
export interface RunOutcome {
  readonly counts: OutcomeCounts;
  /** Rows that have no outcome: the next run sends them. */
  readonly left: number;
  /**
   * Postponed rows that earlier runs recorded as failed, so that they stay in the failed-rows file.
   */
  readonly stillFailed: number;
  /**
   * What ended the run early: a failure of this machine, the key or the service; `InterruptedError`
   * when it was asked to stop.
   */
  readonly stop: CarbonError | undefined;
  /** How many organizations the service refused in this run, or failed on once too often. */
  readonly errors: number;
  /** Whether it ended early because as many rows as permitted had failed. */
  readonly tooManyErrors: boolean;
}
