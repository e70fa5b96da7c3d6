/* Writes the failed rows of a batch and reports how it ended. */
import type { Batch } from '../../../batch/batch.ts';
import type { FailedRows } from '../../../batch/failed-rows.ts';
import type { RunOutcome } from '../../../batch/rows.ts';
import { type CarbonError, toCarbonError } from '../../../runtime/carbon-error.ts';
import { flush, Stopped } from '../../../runtime/context.ts';
import { exitCodeOf } from '../../errors.ts';
import { exitOfSignal } from '../../exit-codes.ts';
import type { Session } from '../../session.ts';
import type { NextCommands } from './next-commands.ts';
import type { BatchScreen } from './screen.ts';
import { exitOf } from './summary.ts';

/** The failed rows that a run wrote, or why it could not. */
export interface WrittenRows extends FailedRows {
  readonly error?: CarbonError;
}

/**
 * Writes the failed-rows file. An error does not end the command, because the summary of the run
 * must still be printed.
 */
export async function writeFailed({ messages }: Session, opened: Batch): Promise<WrittenRows> {
  try {
    return await opened.writeFailed();
  } catch (thrown) {
    const error = toCarbonError(thrown);
    messages.error(error);
    return { rows: 0, changed: true, error };
  }
}

/** What the end of a run reports. */
interface BatchEnd {
  readonly outcome: RunOutcome;
  readonly failed: WrittenRows;
  readonly commands: NextCommands;
}

/**
 * Reports how the run ended, and returns the exit code.
 * @throws Stopped after a signal
 */
export async function reportEnd(
  { context }: Session,
  screen: BatchScreen,
  opened: Batch,
  { outcome, failed, commands }: BatchEnd,
): Promise<number> {
  // Print the summary only after all results were written.
  await flush(context);
  const { reason } = context.signal;
  const signalExit = reason instanceof Stopped ? exitOfSignal(reason.by) : 0;
  const exit = signalExit || (failed.error ? exitCodeOf(failed.error) : exitOf(outcome));
  screen.end(outcome, exit, { ...failed, ...commands, file: opened.failed });
  if (signalExit > 0) throw reason;
  return exit;
}
