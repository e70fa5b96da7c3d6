/* Reports how a run ended: the rows that failed, the next command, and the summary. */

import { count, plural, renderDuration } from '../../../../display/terminal/format.ts';
import type { RunOutcome } from '../../../../lists/batch/rows.ts';
import {
  type CarbonError,
  HintedError,
  InterruptedError,
  LocalError,
} from '../../../../runtime/carbon-error.ts';
import { type Context, Stopped } from '../../../../runtime/context.ts';
import { exitCodeOf, exitOfSignal, requestedWait } from '../../../errors.ts';
import { byForm } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import type { BatchFlags, Registered } from './open-list.ts';
import { countWords } from './screen.ts';

/** Returns the exit code of the signal that stopped the run, 0 without one. */
export function exitOfStop({ signal }: Context): number {
  const { reason } = signal;
  return reason instanceof Stopped ? exitOfSignal(reason.by) : 0;
}

/** Returns the exit code of a run: that of its error, 6 if the service is down, 9 or 0. */
export function exitOf({ stop, counts, isDown }: RunOutcome): number {
  if (stop !== undefined) return exitCodeOf(stop);
  if (isDown) return 6;
  return counts.rejected + counts.invalid + counts.postponed > 0 ? 9 : 0;
}

/** Reports the rows that failed, and why the registration ended early. */
export function reportRows(
  { messages, context }: Session,
  { list: { preflight }, outcome, screen }: Registered,
  flags: BatchFlags,
  exit: number,
): void {
  const { stop, counts, newFailures } = outcome;
  // A run that fails on the same rows as the run before prints only those and the summary.
  if (exit !== 0 && (preflight.counts.new > 0 || newFailures > 0)) messages.printDeferred();
  const isWritten = exitOfStop(context) === 0 && !(stop instanceof LocalError);
  const out = (isWritten ? flags.out : undefined) ?? '-o results.xlsx';
  messages.print(...screen.notices(out));
  if (stop?.reason === 'quota') messages.error(quotaUsedUp(stop, preflight.rows, counts));
  else if (stop !== undefined && !(stop instanceof InterruptedError)) messages.error(stop);
  const { reason } = context.signal;
  // A run that did not finish has failed, although nothing is wrong with the data.
  if (reason instanceof Stopped && reason.by === 'closed output')
    messages.error(
      new LocalError('Standard output was closed before all rows were processed', {
        hint: `Run the same command ${again(flags)} to resume.`,
      }),
    );
  // The run that failed first has listed them.
  const failed = counts.rejected + counts.invalid;
  if (failed > 0 && newFailures === 0)
    messages.print({
      level: exit === 0 ? 'progress' : 'failure',
      text: `${plural(failed, 'row')} failed in an earlier run; ${out} shows why`,
    });
}

/* A shorter Retry-After is that of any 429, and says nothing about the quota. */
const maxShortWaitMs = 60_000;

function quotaUsedUp(
  stop: CarbonError,
  rows: number,
  { registered, skipped, duplicate }: RunOutcome['counts'],
): CarbonError {
  const { title, status, retryAfterMs = 0, retryAtMs } = stop;
  const hint = retryAfterMs > maxShortWaitMs ? requestedWait(stop) : undefined;
  const detail = (stop.detail ?? title)?.replace(/\.$/, '');
  const said = detail === undefined ? '' : `: ${detail}`;
  const done = `${count.format(registered + skipped + duplicate)} of ${count.format(rows)}`;
  return new HintedError(
    'rate_limited',
    `The service accepts no more organizations (429${said}): ${done} registered. The next run continues.`,
    { status, title, detail, retryAfterMs, retryAtMs, hint },
  );
}

/** Returns how to repeat a command: a run with --restart is resumed without it. */
export function again(flags: BatchFlags): string {
  return flags.restart ? 'again without --restart' : 'again';
}

/** Reports how `carbon batch` ended; the last line is the summary. */
export function reportBatch(
  session: Session,
  registered: Registered,
  flags: BatchFlags,
  exit: number,
): void {
  const { list, outcome, screen } = registered;
  const { counts, left, stop } = outcome;
  const listed = list.countListed();
  reportRows(session, registered, flags, exit);
  const isFinished = left + counts.postponed === 0;
  const isForPeople = byForm(session, { terminal: true, pipe: true, other: false });
  if (isFinished && screen.isResearching && isForPeople && !list.isStdin) {
    const without = ['--out', '--overwrite', '--restart', '--retry-failed', '--metrics-file'];
    const command = session.again({ as: 'sync', without });
    session.messages.print({ level: 'progress', text: `To follow the research: ${command}` });
  }
  // A run that reached the end of the file did not stop, although it may have postponed rows.
  const isStopped = left > 0 || (!isFinished && stop !== undefined);
  const { skipped, postponed, ...numbers } = counts;
  const state = exit === 0 ? 'Done in' : isStopped ? 'Stopped after' : 'Finished with failures in';
  const parts = [
    `${count.format(numbers.registered)} registered`,
    ...countWords(skipped, 'already registered'),
    ...countWords(numbers.duplicate, numbers.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...countWords(numbers.rejected, 'rejected'),
    ...countWords(numbers.invalid, 'invalid'),
    ...countWords(postponed, 'postponed'),
    ...countWords(left, 'remaining'),
  ];
  const command = `. Run the same command ${isStopped ? `${again(flags)} to resume` : `later to retry ${plural(postponed, 'postponed row')}`}`;
  const text = `${state} ${renderDuration(screen.elapsedMs)}: ${parts.join(', ')}${isFinished ? '' : command}`;
  session.summarize(
    { level: exit === 0 ? 'progress' : 'result', text },
    { exit, listed, ...counts, remaining: left, elapsed_ms: Math.round(screen.elapsedMs) },
  );
}
