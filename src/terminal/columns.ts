import Table from 'cli-table3';
import type { Style } from './style.ts';
import { pad, width } from './text.ts';

/** A column of a frame. */
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

/* A private-use character: it stands where a cell's text goes. */
const place = '\u{e000}';

/**
 * Renders rows of styled one-line cells under a light rule, each column as wide as its widest cell.
 *
 * cli-table3 draws the frame of one row around place-holders and every row is set into it: its own
 * measure of text is older than ours, and its time grows with the square of the number of rows.
 */
export function renderFrame(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style,
): string[] {
  const widths = columns.map(({ title }, at) =>
    rows.reduce((most, row) => Math.max(most, width(row[at] ?? '')), Math.max(1, width(title))),
  );
  const holders = widths.map((size) => place.repeat(size));
  const padding = { 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({
    chars,
    head: holders,
    style: { head: [], border: [], compact: true, ...padding },
  });
  table.push(holders);
  const [head = '', rule = '', row = ''] = table.toString().split('\n');
  const set = (line: string, cells: readonly string[]) => {
    let at = -1;
    return line.replace(/\u{e000}+/gu, () => {
      at += 1;
      return pad(
        cells[at] ?? '',
        widths[at] ?? 0,
        columns[at]?.align === 'right' ? 'left' : 'right',
      );
    });
  };
  const titles = columns.map(
    ({ title }) => style.dim(title.trimEnd()) + ' '.repeat(title.length - title.trimEnd().length),
  );
  return [
    set(head, titles).trimEnd(),
    style.dim(rule),
    ...rows.map((cells) => set(row, cells).trimEnd()),
  ];
}
