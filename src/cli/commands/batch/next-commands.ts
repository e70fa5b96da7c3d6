/* Formats the commands that continue after a batch, with the flags that they need. */
import type { Batch } from '../../../batch/batch.ts';
import type { Session } from '../../session.ts';
import { fileWord, tableWords } from '../../table-options.ts';
import type { BatchFlags, BatchInput } from './options.ts';

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
  const words = [
    ...tableWords(options),
    ...(options.journal === undefined ? [] : ['--journal', options.journal]),
    ...(options.shard === undefined ? [] : ['--shard', options.shard]),
    ...(options.invalid === undefined ? [] : ['--invalid', options.invalid]),
    ...(options.includeTotals ? ['--include-totals'] : []),
  ];
  const ids = session.commandLine('batch', fileWord(path), ...words, '-q');
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
  const words = [
    ...tableWords({
      map: [...(options.map ?? []), ...mapping.options],
      skipLines: options.skipLines,
    }),
    ...(options.invalid === 'drop-ids' ? ['--invalid', 'drop-ids'] : []),
    ...(options.includeTotals ? ['--include-totals'] : []),
  ];
  return session.commandLine('batch', fileWord(failed), ...words);
}
