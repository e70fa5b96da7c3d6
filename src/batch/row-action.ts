import type { Problem } from '../registration/fields.ts';
import { State } from './journal/key-index.ts';

/** What a run does with a row: send it, or say why not. */
export type RowAction = 'new' | 'done' | 'refused' | 'duplicate' | 'invalid';

/** What the plan may be told by the user. */
export interface RowActionOptions {
  /** Sends rows again that the service refused in an earlier run. */
  readonly retryFailed?: boolean | undefined;
}

/**
 * Decides what to do with a row. Resuming is nothing but this: what a journal calls done is
 * skipped, whatever became of the file meanwhile, and everything else is sent once.
 * @param state of the row's key, as the journals tell it
 * @param isFirst whether no earlier row of the file has the same key
 * @param isValid asked only for rows that are not done
 */
export function chooseAction(
  state: number,
  isFirst: boolean,
  isValid: () => boolean,
  { retryFailed = false }: RowActionOptions = {},
): RowAction {
  if ((state & State.done) !== 0) return 'done';
  if (!isValid()) return 'invalid';
  if ((state & State.refused) !== 0 && !retryFailed) return 'refused';
  return isFirst ? 'new' : 'duplicate';
}

/** What is wrong with a row of the file. */
export interface RowProblem extends Omit<Problem, 'field'> {
  /** Physical line of the file, from 1. */
  readonly line: number;
  /** Undefined where the row as a whole is wrong. */
  readonly field: string | undefined;
}

/** How many rows there are of each kind. */
export type RowActionCounts = Record<RowAction, number>;
