/* Gives the rows of a batch to the recorder of the run, which writes metrics. */
import type { RunOutcome } from '../../../batch/outcome.ts';
import type { Preflight } from '../../../batch/preflight/preflight.ts';
import type { Session } from '../../session.ts';

/** Records the rows of a run that has sent nothing yet: new rows and duplicates are left. */
export function recordCheck({ recorder }: Session, { counts, rows }: Preflight): void {
  const { done: skipped, refused, invalid } = counts;
  const outcomes = { registered: 0, skipped, duplicate: 0, refused, postponed: 0, invalid };
  const left = rows - skipped - refused - invalid;
  recorder?.setWork({ subject: 'rows', outcomes, left });
}

/** Records the rows of a run that has ended. */
export function recordOutcome({ recorder }: Session, { counts, left }: RunOutcome): void {
  recorder?.setWork({ subject: 'rows', outcomes: counts, left });
}
