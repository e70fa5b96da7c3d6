import type { InputFile, InputSheet } from '../table/input-file.ts';
import { count, plural } from '../terminal/format.ts';
import type { Notice } from './messages.ts';
import { type OptionSpec, readCount } from './options.ts';

const maxSkippedLines = 1_000_000_000;

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
];

export interface TableFlags {
  readonly map?: readonly string[] | undefined;
  readonly encoding?: string | undefined;
  readonly skipLines?: number | undefined;
  readonly sheet?: string | undefined;
}

export function tableWords({ map = [], skipLines, sheet, encoding }: TableFlags): string[] {
  return [
    ...map.flatMap((pair) => ['--map', pair]),
    ...(skipLines === undefined ? [] : ['--skip-lines', `${skipLines}`]),
    ...(sheet === undefined ? [] : ['--sheet', sheet]),
    ...(encoding === undefined ? [] : ['--encoding', encoding]),
  ];
}

/** Returns the word of a file; a name that starts with a dash would be parsed as an option. */
export function fileWord(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

const maxShown = 10;
const maxUnused = 5;

export function unusedColumns(unused: readonly string[]): string {
  if (unused.length === 0) return '';
  const more = unused.length - maxUnused;
  const rest = more > 0 ? `, and ${count.format(more)} more` : '';
  return `; not used: ${unused.slice(0, maxUnused).join(', ')}${rest}`;
}

export function sheetNotices({
  sheet,
  titleLines,
}: Pick<InputFile, 'sheet' | 'titleLines'>): Notice[] {
  const notices = sheet === undefined ? [] : sheetLines(sheet);
  if (titleLines > 0)
    notices.push({
      level: 'detail',
      text: `Header: line ${titleLines + 1}; skipped ${titleLines === 1 ? 'the title line' : `${titleLines} lines`} above it`,
    });
  return notices;
}

function sheetLines(sheet: InputSheet): Notice[] {
  const { name, others, findings } = sheet;
  const named = others
    .slice(0, maxShown)
    .map((other) => `"${other.name}"${other.isVisible ? '' : ' (hidden)'}`);
  const more =
    others.length > maxShown ? `, and ${count.format(others.length - maxShown)} more` : '';
  const choice =
    others.length > 0 ? `; choose another with --sheet: ${named.join(', ')}${more}` : '';
  const notices: Notice[] = [
    {
      level: 'detail',
      text: `Sheet: "${name}"${choice}`,
    },
  ];
  const { missing, firstMissing, mergedRanges, firstMerged, hiddenRows, firstHidden } = findings;
  if (missing > 0) {
    const cells = firstMissing.map(({ cell, value }) => `${cell} ${value}`).join(', ');
    notices.push({
      level: 'finding',
      text: `Treated as missing: ${plural(missing, 'cell')} with an error or an uncalculated formula (${cells}${rest(firstMissing, missing)})`,
    });
  }
  if (mergedRanges > 0) {
    notices.push({
      level: 'detail',
      text: `Merged cells: ${plural(mergedRanges, 'range')} (${firstMerged.join(', ')}${rest(firstMerged, mergedRanges)}); only the first cell of a range has a value`,
    });
  }
  if (hiddenRows > 0) {
    const lines = `${hiddenRows === 1 ? 'line' : 'lines'} ${firstHidden.join(', ')}`;
    notices.push({
      level: 'finding',
      text: `Hidden rows: ${plural(hiddenRows, 'row')} (${lines}${rest(firstHidden, hiddenRows)}); carbon reads them like all other rows`,
    });
  }
  return notices;
}

function rest(first: readonly unknown[], all: number): string {
  return all > first.length ? ', ...' : '';
}
