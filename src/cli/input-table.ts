import { basename } from 'node:path';
import { naming, plural } from '../display/terminal/format.ts';
import type { InputFile, InputSheet } from '../lists/table/input-file.ts';
import type { Notice } from './messages.ts';
import { type OptionSpec, type OptionValues, readCount } from './options.ts';

const maxSkippedLines = 1_000_000_000;

export const tableOptions = [
  { flags: '--sheet <name>', description: 'sheet of a workbook (default: first visible)' },
  {
    flags: '--encoding <label>',
    description: 'character encoding, such as latin1 (default: UTF-8)',
  },
  {
    flags: '--skip-lines <n>',
    description: 'lines to skip before the header (default: 0)',
    parse: readCount('--skip-lines', 0, maxSkippedLines, 3),
  },
] as const satisfies readonly OptionSpec[];

export type TableFlags = Partial<OptionValues<{ readonly Table: typeof tableOptions }>> & {
  readonly map?: readonly string[] | undefined;
};

export function tableWords({ map = [], skipLines, sheet, encoding }: TableFlags): string[] {
  return [
    ...map.flatMap((pair) => ['--map', pair]),
    ...(skipLines === undefined ? [] : ['--skip-lines', `${skipLines}`]),
    ...(sheet === undefined ? [] : ['--sheet', sheet]),
    ...(encoding === undefined ? [] : ['--encoding', encoding]),
  ];
}

/** Returns what a title calls a file. */
export function fileTitle(path: string): string {
  return path === '-' ? 'standard input' : basename(path);
}

/** Returns the word of a file; a name that starts with a dash would be parsed as an option. */
export function fileWord(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

export function unusedColumns(unused: readonly string[]): string {
  return unused.length === 0 ? '' : `; not used: ${naming(unused, 5)}`;
}

/** Says which options of an earlier run are still used. */
export function keptNotices(kept: readonly string[]): Notice[] {
  return kept.map((text) => ({ level: 'detail', text }));
}

export function sheetNotices({
  sheet,
  titleLines,
}: Pick<InputFile, 'sheet' | 'titleLines'>): Notice[] {
  const notices = sheet === undefined ? [] : sheetLines(sheet);
  if (titleLines > 0) {
    const above = `skipped ${plural(titleLines, 'line')} above it`;
    notices.push({ level: 'detail', text: `Header: line ${titleLines + 1}; ${above}` });
  }
  return notices;
}

function sheetLines({ name, others, findings }: InputSheet): Notice[] {
  const { missing, firstMissing, mergedRanges, firstMerged, hiddenRows, firstHidden } = findings;
  const names = others.map((other) => `"${other.name}"${other.isVisible ? '' : ' (hidden)'}`);
  const choice = names.length > 0 ? `; choose another with --sheet: ${naming(names, 10)}` : '';
  const notices: Notice[] = [{ level: 'detail', text: `Sheet: "${name}"${choice}` }];
  const some = (first: readonly unknown[], all: number) =>
    first.join(', ') + (all > first.length ? ', ...' : '');
  if (missing > 0) {
    const cells = firstMissing.map(({ cell, value }) => `${cell} ${value}`);
    const text = `Treated as missing: ${plural(missing, 'cell')} with an error or an uncalculated formula (${some(cells, missing)})`;
    notices.push({ level: 'finding', text });
  }
  if (mergedRanges > 0) {
    const ranges = `${plural(mergedRanges, 'range')} (${some(firstMerged, mergedRanges)})`;
    const text = `Merged cells: ${ranges}; only the first cell of a range has a value`;
    notices.push({ level: 'detail', text });
  }
  if (hiddenRows > 0) {
    const rows = `${plural(hiddenRows, 'row')} (lines ${some(firstHidden, hiddenRows)})`;
    const text = `Hidden rows: ${rows}; carbon reads them like all other rows`;
    notices.push({ level: 'finding', text });
  }
  return notices;
}
