import type { OptionSpec } from './declaration.ts';
import { readCount } from './option-parsers.ts';

const maxSkippedLines = 1_000_000_000;

/** The options that describe the format of an input table. */
export const tableOptions: readonly OptionSpec[] = [
  { flags: '--sheet <name>', description: 'sheet of a workbook (default: first visible)' },
  {
    flags: '--encoding <label>',
    description: 'character encoding, such as latin1 (default: UTF-8)',
  },
  {
    flags: '--skip-lines <n>',
    description: 'lines to skip before the header (default: 0)',
    parse: readCount('--skip-lines', 0, maxSkippedLines),
  },
  {
    flags: '--no-header',
    description: 'the first line is data; columns are 1, 2, 3',
  },
];

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
