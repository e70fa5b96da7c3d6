import type { Problem } from '../registration/fields.ts';
import type { KnownRow } from './journal/known-rows.ts';

/** Names what a run does with a row: `new` is sent, the others are not. */
export type RowAction = 'new' | 'done' | 'refused' | 'duplicate' | 'invalid';

/** Options that change which rows a run sends. */
export interface RowActionOptions {
  /** Sends rows again that the service refused in an earlier run. */
  readonly retryFailed?: boolean | undefined;
}

/**
 * Decides what to do with a row.
 *
 * This rule is all there is to resuming a run: a row that a journal calls done is skipped, even
 * when the file has changed, and every other row is sent once.
 * @param known undefined if nothing is known about the key
 * @param isFirst whether no earlier row of the file has the same key
 * @param isValid called only for rows that are not done
 */
export function chooseAction(
  known: KnownRow | undefined,
  isFirst: boolean,
  isValid: () => boolean,
  { retryFailed = false }: RowActionOptions = {},
): RowAction {
  if (known?.id !== undefined) return 'done';
  if (!isValid()) return 'invalid';
  if (known?.refusal !== undefined && !retryFailed) return 'refused';
  return isFirst ? 'new' : 'duplicate';
}

/** Describes what is wrong with a row of the file. */
export interface RowProblem extends Omit<Problem, 'field'> {
  /** Physical line of the file, from 1. */
  readonly line: number;
  /** Undefined when the complete row is wrong. */
  readonly field: string | undefined;
  /** The header of the field's column. */
  readonly column: string | undefined;
  /** Whether the row is sent without the value. */
  readonly isDropped?: true;
}

/** Counts rows by action. */
export type RowActionCounts = Record<RowAction, number>;
