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

function sheetLines({ name, others, findings }: InputSheet): Notice[] {
  const { missing, firstMissing, mergedRanges, firstMerged, hiddenRows, firstHidden } = findings;
  const named = others
    .slice(0, maxShown)
    .map((other) => `"${other.name}"${other.isVisible ? '' : ' (hidden)'}`);
  const more = others.length - named.length;
  if (more > 0) named.push(`and ${count.format(more)} more`);
  const choice = others.length > 0 ? `; choose another with --sheet: ${named.join(', ')}` : '';
  const some = (first: readonly unknown[], all: number) =>
    first.join(', ') + (all > first.length ? ', ...' : '');
  const cells = firstMissing.map(({ cell, value }) => `${cell} ${value}`);
  const lines = hiddenRows === 1 ? 'line' : 'lines';
  const found = [
    [
      missing,
      'finding',
      `Treated as missing: ${plural(missing, 'cell')} with an error or an uncalculated formula (${some(cells, missing)})`,
    ],
    [
      mergedRanges,
      'detail',
      `Merged cells: ${plural(mergedRanges, 'range')} (${some(firstMerged, mergedRanges)}); only the first cell of a range has a value`,
    ],
    [
      hiddenRows,
      'finding',
      `Hidden rows: ${plural(hiddenRows, 'row')} (${lines} ${some(firstHidden, hiddenRows)}); carbon reads them like all other rows`,
    ],
  ] as const;
  return [
    { level: 'detail', text: `Sheet: "${name}"${choice}` },
    ...found.filter(([number]) => number > 0).map(([, level, text]) => ({ level, text })),
  ];
}
