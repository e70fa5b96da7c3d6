import type { Command } from 'commander';
import { readCount } from './option-parsers.ts';

const maxSkippedLines = 1_000_000_000;

/** Declares the options that describe the format of an input table. */
export function addTableOptions(command: Command): Command {
  return command
    .option(
      '--encoding <label>',
      'character encoding, such as latin1 or shift_jis (default: UTF-8, or the byte order mark)',
    )
    .option(
      '--skip-lines <n>',
      'lines to skip before the header (default: 0)',
      readCount('--skip-lines', 0, maxSkippedLines),
    )
    .option('--no-header', 'treat the first line as data and name the columns 1, 2, 3')
    .option('--sheet <name>', 'sheet of a workbook (default: the first visible one)');
}

/** The options that determine how carbon reads the table of a file. */
export interface TableFlags {
  readonly map?: readonly string[] | undefined;
  readonly encoding?: string | undefined;
  readonly skipLines?: number | undefined;
  readonly header?: boolean | undefined;
  readonly sheet?: string | undefined;
}

/** Returns the options as words of a command line. */
export function tableWords({ map = [], skipLines, header, sheet, encoding }: TableFlags): string[] {
  return [
    ...map.flatMap((pair) => ['--map', pair]),
    ...(skipLines === undefined ? [] : ['--skip-lines', `${skipLines}`]),
    ...(header === false ? ['--no-header'] : []),
    ...(sheet === undefined ? [] : ['--sheet', sheet]),
    ...(encoding === undefined ? [] : ['--encoding', encoding]),
  ];
}

/** Returns the word of a file; a name that starts with a dash would be parsed as an option. */
export function fileWord(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}
