/* Describes how a batch run ended: the next command, and the summary as the last line. */
import type { RunOutcome } from '../../../batch/rows.ts';
import { count, plural, renderDuration } from '../../../terminal/format.ts';
import { exitCodeOf } from '../../errors.ts';
import type { Notice } from '../../messages.ts';
import type { Session } from '../../session.ts';
import type { BatchFlags, BatchInput } from './options.ts';

/** How a run ended. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly exit: number;
  readonly commands: NextCommands;
  readonly elapsedMs: number;
  /** Whether to name the command that follows the research. */
  readonly isResearching: boolean;
  /** Whether the registration is part of a longer run, which has its own summary. */
  readonly isPart: boolean;
}

/** Returns the exit code of a run: that of its error, 6 if the service is down, 9 or 0. */
export function exitOf({ stop, counts, isDown }: RunOutcome): number {
  if (stop !== undefined) return exitCodeOf(stop);
  if (isDown) return 6;
  return counts.rejected + counts.invalid + counts.postponed > 0 ? 9 : 0;
}

/** Prints the lines that end a run; the last one is the summary, unless it is part of another. */
export function reportEnd(session: Session, end: RunEnd): void {
  const { outcome, exit, elapsedMs, isPart } = end;
  session.messages.print(...sharedIdNotices(outcome), ...earlierFailures(end), ...reminders(end));
  if (isPart) return;
  session.summarize(summary(end), {
    exit,
    ...outcome.counts,
    remaining: outcome.left,
    elapsed_ms: Math.round(elapsedMs),
  });
}

const maxSharedIds = 20;
const maxNamedRows = 5;

function sharedIdNotices({ sharedIds }: RunOutcome): Notice[] {
  const notices = sharedIds.slice(0, maxSharedIds).map(({ id, rows, count: all }): Notice => {
    const named = rows
      .slice(0, maxNamedRows)
      .map(({ line, name }) => `line ${line} "${name.slice(0, 60)}"`);
    const more = all - named.length;
    const others = more > 0 ? ` and ${count.format(more)} more` : '';
    return {
      text: `Rows with different names got the same ID ${id}: ${named.join(', ')}${others}. Check that they are one organization`,
      level: 'warning',
    };
  });
  const more = sharedIds.length - maxSharedIds;
  if (more > 0)
    notices.push({
      text: `and ${plural(more, 'more ID')} that rows with different names got`,
      level: 'warning',
    });
  return notices;
}

/* The run that failed first has listed them. */
function earlierFailures({ outcome, isPart }: RunEnd): Notice[] {
  const { rejected, invalid } = outcome.counts;
  const rows = rejected + invalid;
  if (rows === 0 || outcome.newFailures > 0) return [];
  return [
    {
      text: `${plural(rows, 'row')} failed in an earlier run. To list ${rows === 1 ? 'it' : 'them'} with the reason, use -o results.xlsx`,
      level: isPart ? 'progress' : 'failure',
    },
  ];
}

function reminders(end: RunEnd): Notice[] {
  const { outcome, exit, commands, isResearching } = end;
  const isFinished = unfinished(outcome) === 0 && (exit === 0 || exit === 9);
  if (!isFinished || !isResearching || commands.sync === undefined) return [];
  return [
    {
      text: `To follow the research: ${commands.sync}`,
      level: 'progress',
    },
  ];
}

function summary({ outcome, exit, commands, elapsedMs }: RunEnd): Notice {
  const { counts, left } = outcome;
  const isOpen = unfinished(outcome) > 0;
  const isStopped = isOpen && !reachedEnd(outcome);
  const state = exit === 0 ? 'Done in' : isStopped ? 'Stopped after' : 'Finished with failures in';
  const parts = [
    `${count.format(counts.registered)} registered`,
    ...named(counts.skipped, 'already registered'),
    ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...named(counts.rejected, 'rejected'),
    ...named(counts.invalid, 'invalid'),
    ...named(counts.postponed, 'postponed'),
    ...named(left, 'remaining'),
  ];
  const when = isStopped ? 'again' : 'later';
  const purpose = isStopped ? 'resume' : `retry ${plural(counts.postponed, 'postponed row')}`;
  const next = isOpen ? `. Run the same command ${when}${commands.omitting} to ${purpose}` : '';
  const rows = plural(counts.skipped, 'row');
  const isNothing =
    exit === 0 && counts.skipped > 0 && parts.length === 2 && counts.registered === 0;
  return {
    text: isNothing
      ? `Nothing to do: ${counts.skipped === 1 ? 'the row is' : `all ${rows} are`} already registered`
      : `${state} ${renderDuration(elapsedMs)}: ${parts.join(', ')}${next}`,
    level: exit === 0 ? 'progress' : 'result',
  };
}

/** Returns a count with its name, or nothing for 0. */
export function named(number: number, name: string): string[] {
  return number > 0 ? [`${count.format(number)} ${name}`] : [];
}

function unfinished({ left, counts }: RunOutcome): number {
  return left + counts.postponed;
}

/* A run that reached the end of the file did not stop, although it may have postponed rows. */
function reachedEnd({ left, stop }: RunOutcome): boolean {
  return left === 0 && stop === undefined;
}

/** The commands that may follow a run. */
export interface NextCommands {
  /** Command that follows the research and keeps the records; undefined for standard input. */
  readonly sync: string | undefined;
  /** What the same command must leave out to resume the run, such as ` without --restart`. */
  readonly omitting: string;
}

/** Returns the commands that may follow a run. */
export function nextCommands(
  session: Session,
  { path, name }: BatchInput,
  options: BatchFlags,
): NextCommands {
  return {
    sync:
      path === name
        ? session.again({
            as: 'sync',
            without: ['--out', '--overwrite', '--restart', '--retry-failed', '--metrics-file'],
          })
        : undefined,
    omitting: options.restart ? ' without --restart' : '',
  };
}
