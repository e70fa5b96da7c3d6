import type { OrganizationId } from '../api/ids.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { RowProblem } from './row-action.ts';

/**
 * Describes what happened to a row. A row without an event was not sent.
 */
export type RowEvent =
  | {
      readonly kind: 'registered';
      readonly line: number;
      readonly id: OrganizationId;
      readonly status: string | undefined;
      /** The record as received, if the run prints records. */
      readonly json: string | undefined;
    }
  /** Registered by an earlier run. */
  | { readonly kind: 'skipped'; readonly line: number; readonly id: OrganizationId }
  /** Equal to the row at `firstLine`, which this run registered. */
  | {
      readonly kind: 'duplicate';
      readonly line: number;
      readonly firstLine: number;
      readonly id: OrganizationId;
    }
  /** Refused by the service in this run or an `earlier` one; not sent again. */
  | {
      readonly kind: 'refused';
      readonly line: number;
      readonly error: CarbonError;
      readonly earlier: boolean;
    }
  /** Failed because of the service; the next run sends it again. */
  | {
      readonly kind: 'postponed';
      readonly line: number;
      /** The organization's name. */
      readonly name: string;
      readonly error: CarbonError;
    }
  | { readonly kind: 'invalid'; readonly line: number; readonly problems: readonly RowProblem[] };

/** Counts rows by outcome. */
export type OutcomeCounts = Readonly<Record<RowEvent['kind'], number>>;

/** Describes how a run ended. */
export interface RunOutcome {
  readonly counts: OutcomeCounts;
  /** Number of rows without an outcome; the next run sends them. */
  readonly left: number;
  /** Number of postponed rows that stay in the failed-rows file of an earlier run. */
  readonly stillFailed: number;
  /** Why the run ended early: a local error, the key, the service, or `InterruptedError`. */
  readonly stop: CarbonError | undefined;
}
