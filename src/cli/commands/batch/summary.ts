/*
 * Describes how a batch run ended: the files that need attention, the next command, and the summary
 * as the last line.
 */
import { basename } from 'node:path';
import type { Batch } from '../../../batch/batch.ts';
import type { FailedRows } from '../../../batch/failed-rows.ts';
import type { RunOutcome } from '../../../batch/rows.ts';
import { count, plural, renderDuration } from '../../../terminal/format.ts';
import { exitCodeOf } from '../../errors.ts';
import { fileWord, type TableFlags, tableWords } from '../../input-table.ts';
import type { Notice } from '../../messages.ts';
import { keepWords } from '../../option-parsers.ts';
import type { Session } from '../../session.ts';
import type { BatchFlags, BatchInput } from './options.ts';

/** The failed-rows file of a run, and the commands that may follow the run. */
export interface RunFiles extends FailedRows, NextCommands {
  /** Path of the failed-rows file. */
  readonly file: string;
}

/** How a run ended. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly exit: number;
  readonly files: RunFiles;
  readonly elapsedMs: number;
  /** Whether the input was a failed-rows file. */
  readonly isFailedRowsFile: boolean;
  /** Whether to name the command that follows the research. */
  readonly isResearching: boolean;
  /** Whether the registration is part of a longer run, which has its own summary. */
  readonly isPart: boolean;
}

/** Returns the exit code of a run: that of its error, 6 if the service is down, 9 or 0. */
export function exitOf({ stop, counts, isDown }: RunOutcome): number {
  if (stop !== undefined) return exitCodeOf(stop);
  if (isDown) return 6;
  return counts.refused + counts.invalid + counts.postponed > 0 ? 9 : 0;
}

/** Returns the lines that end a run; the last one is the summary, unless it is part of another. */
export function endNotices(end: RunEnd): Notice[] {
  return [
    ...sharedIdNotices(end.outcome),
    ...fileNotices(end.files),
    ...failedRowsNotices(end),
    ...reminders(end),
    ...(end.isPart ? [] : [summary(end)]),
  ];
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
      event: { event: 'shared_id', id, rows, count: all },
      level: 'warning',
    };
  });
  const more = sharedIds.length - maxSharedIds;
  if (more > 0)
    notices.push({
      text: `and ${plural(more, 'more ID')} that rows with different names got`,
      event: { event: 'truncated', more },
      level: 'warning',
    });
  return notices;
}

function fileNotices({ kept, file }: RunFiles): Notice[] {
  return kept === undefined
    ? []
    : [
        {
          text: `${basename(file)} was edited, or a run with another journal wrote it. That version was renamed to ${basename(kept)}.`,
          event: { event: 'backup_kept', file, kept },
          level: 'failure',
        },
      ];
}

function failedRowsNotices({ files, isPart }: RunEnd): Notice[] {
  const { rows, file, command, changed } = files;
  if (rows === 0) return [];
  const name = basename(file);
  const them = rows === 1 ? 'it' : 'them';
  const remedy = isPart
    ? `Fix ${them} in the list and run the same command again`
    : `Fix ${them}, then run: ${command}`;
  return [
    {
      text: `${name} lists ${plural(rows, 'failed row')} with the reason. ${remedy}`,
      event: { event: 'failed_rows', rows, file, ...(isPart ? {} : { command }) },
      level: isPart && !changed ? 'progress' : 'failure',
    },
  ];
}

function reminders(end: RunEnd): Notice[] {
  const { outcome, exit, files, isFailedRowsFile, isResearching } = end;
  const notices: Notice[] = [];
  if (isFailedRowsFile && exit === 0 && outcome.counts.registered > 0) {
    notices.push({
      text: 'Remember to fix these rows in the original file as well.',
      event: { event: 'source_reminder' },
      level: 'progress',
    });
  }
  const isFinished = unfinished(outcome) === 0 && (exit === 0 || exit === 9);
  if (isFinished && isResearching && files.watch !== undefined) {
    notices.push({
      text: `To follow the research: ${files.watch}`,
      event: { event: 'next', command: files.watch },
      level: 'progress',
    });
  }
  return notices;
}

function summary({ outcome, exit, files, elapsedMs }: RunEnd): Notice {
  const { counts, left } = outcome;
  const isOpen = unfinished(outcome) > 0;
  const isStopped = isOpen && !reachedEnd(outcome);
  const state = exit === 0 ? 'Done in' : isStopped ? 'Stopped after' : 'Finished with failures in';
  const parts = [
    `${count.format(counts.registered)} registered`,
    ...named(counts.skipped, 'already registered'),
    ...named(counts.duplicate, counts.duplicate === 1 ? 'duplicate' : 'duplicates'),
    ...named(counts.refused, 'rejected'),
    ...named(counts.invalid, 'invalid'),
    ...named(counts.postponed, 'postponed'),
    ...named(left, 'remaining'),
  ];
  const when = isStopped ? 'again' : 'later';
  const purpose = isStopped ? 'resume' : `retry ${plural(counts.postponed, 'postponed row')}`;
  const next = isOpen ? `. Run the same command ${when}${files.omitting} to ${purpose}` : '';
  const rows = plural(counts.skipped, 'row');
  const isNothing =
    exit === 0 && counts.skipped > 0 && parts.length === 2 && counts.registered === 0;
  return {
    text: isNothing
      ? `Nothing to do: ${counts.skipped === 1 ? 'the row is' : `all ${rows} are`} already registered`
      : `${state} ${renderDuration(elapsedMs)}: ${parts.join(', ')}${next}`,
    event: { event: 'summary', exit, ...counts, left, elapsed_ms: Math.round(elapsedMs) },
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
  /** Command that sends the failed-rows file. */
  readonly command: string;
  /** Command that follows the research; undefined for standard input. */
  readonly watch: string | undefined;
  /** What the same command must leave out to resume the run, such as ` without --restart`. */
  readonly omitting: string;
}

/** Returns the commands that may follow a run. */
export function nextCommands(
  session: Session,
  { path, name }: BatchInput,
  opened: Batch,
  options: BatchFlags,
): NextCommands {
  return {
    command: failedRowsCommand(session, opened, options),
    watch: path === name ? watchCommand(session, path, options) : undefined,
    omitting: options.restart ? ' without --restart' : '',
  };
}

/* Returns the command that follows the research on all rows, including those done earlier. */
function watchCommand(session: Session, path: string, options: BatchFlags): string {
  const ids = session.commandLine('batch', fileWord(path), ...rowWords(options), '-q');
  return `${ids} | ${session.commandLine('watch', '-', '--json')} > records.ndjson`;
}

/*
 * Returns the command that sends the failed-rows file. The file has the columns and title lines of
 * the input, but is UTF-8 and has a header.
 */
function failedRowsCommand(
  session: Session,
  { failed, mapping }: Batch,
  options: BatchFlags,
): string {
  const words = rowWords({
    map: [...(options.map ?? []), ...mapping.options],
    skipLines: options.skipLines,
    invalid: options.invalid === 'drop-ids' ? 'drop-ids' : undefined,
  });
  return session.commandLine('batch', fileWord(failed), ...words);
}

/** The flags that decide how a run reads the rows of a file, and which of them it sends. */
type RowFlags = TableFlags & {
  readonly [Flag in 'keep' | 'invalid']?: BatchFlags[Flag] | undefined;
};

/** Returns these flags as words of a command line. */
export function rowWords({ keep, invalid, ...table }: RowFlags): string[] {
  return [
    ...tableWords(table),
    ...keepWords(keep),
    ...(invalid === undefined ? [] : ['--invalid', invalid]),
  ];
}
