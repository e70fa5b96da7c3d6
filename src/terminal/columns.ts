import Table from 'cli-table3';
import type { Style } from './style.ts';
import { pad, width } from './text.ts';

/** A column of a table on a terminal. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const none = '';
const chars = {
  top: none,
  'top-mid': none,
  'top-left': none,
  'top-right': none,
  bottom: none,
  'bottom-mid': none,
  'bottom-left': none,
  'bottom-right': none,
  left: none,
  'left-mid': none,
  right: none,
  'right-mid': none,
  mid: '─',
  'mid-mid': '  ',
  middle: '  ',
};

/* A private-use character that reserves the columns of a cell. */
const placeholder = '\u{e000}';

/**
 * Renders rows of styled one-line cells under a light rule, each column as wide as its widest cell.
 *
 * cli-table3 lays out a single row of placeholders, which every row then fills: its text
 * measurement is older than ours, and its time grows with the square of the number of rows.
 */
export function renderFrame(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
): string[] {
  const widths = columns.map(({ title }, index) =>
    rows.reduce((max, row) => Math.max(max, width(row[index] ?? '')), Math.max(1, width(title))),
  );
  const holders = widths.map((size) => placeholder.repeat(size));
  const padding = { 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({
    chars,
    head: holders,
    style: { head: [], border: [], compact: true, ...padding },
  });
  table.push(holders);
  const [head = '', rule = '', row = ''] = table.toString().split('\n');
  const fill = (line: string, cells: readonly string[]) => {
    let index = -1;
    return line.replace(/\u{e000}+/gu, () => {
      index += 1;
      return pad(
        cells[index] ?? '',
        widths[index] ?? 0,
        columns[index]?.align === 'right' ? 'left' : 'right',
      );
    });
  };
  const titles = columns.map(
    ({ title }) => style.dim(title.trimEnd()) + ' '.repeat(title.length - title.trimEnd().length),
  );
  return [
    fill(head, titles).trimEnd(),
    style.dim(rule),
    ...rows.map((cells) => fill(row, cells).trimEnd()),
  ];
}
