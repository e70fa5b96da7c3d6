import Table from 'cli-table3';
import type { Style } from './style.ts';
import { pad, truncate, width, wrap } from './text.ts';

export interface FrameColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Whether its cells, which are unstyled, may break between words. */
  readonly wraps?: boolean;
  /** How many columns of its cells, which are unstyled, remain if the table is too wide. */
  readonly cutsTo?: number;
  /** Whether to leave the column out of a table that is too wide otherwise. */
  readonly leavesOut?: boolean;
}

const gap = 2;
/* The columns that a cell which can be cut keeps, if possible. */
const cutWidth = 20;
/* The time of cli-table3 grows with the square of the number of rows. */
const rowsAtOnce = 24;

/* A light rule under the titles, and nothing between columns but a gap. */
const noLine = ['top', 'bottom', 'left', 'right']
  .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
  .map((name) => [name, '']);
const chars = { ...Object.fromEntries(noLine), mid: '─', 'mid-mid': '  ', middle: '  ' };

/* Prints rows of cells that fit, each with a line or several. Without titles, there is no rule. */
function printRows(
  columns: readonly FrameColumn[],
  widths: readonly number[],
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const padding = { 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({
    chars,
    head: [...titles],
    colWidths: [...widths],
    colAligns: columns.map(({ align = 'left' }) => align),
    style: { head: [], border: [], compact: true, ...padding },
  });
  for (const row of rows) table.push([...row]);
  const lines = table.toString().split('\n');
  return lines.map((line) => line.trimEnd());
}

/**
 * Renders rows of styled cells under a light rule, each column as wide as its widest cell.
 *
 * If the table is wider than `maxColumns`, columns that can be cut become narrower, then those that
 * wrap, down to their longest word; then columns are left out, the last one first. If that is not
 * enough, each row becomes a list with a line for each of its cells.
 * @param onLeftOut receives the titles of columns that were left out
 */
export function renderFrame(
  all: readonly FrameColumn[],
  allRows: readonly (readonly string[])[],
  style: Style,
  maxColumns = Number.POSITIVE_INFINITY,
  onLeftOut: (titles: readonly string[]) => void = () => undefined,
): string[] {
  let [columns, rows] = [all, allRows];
  let widths = fitted(columns, rows, maxColumns);
  while (widths === undefined) {
    const last = columns.findLastIndex(({ leavesOut }) => leavesOut);
    if (last < 0) return allRows.flatMap((row) => listed(all, row, style, maxColumns));
    columns = columns.toSpliced(last, 1);
    rows = rows.map((row) => row.toSpliced(last, 1));
    widths = fitted(columns, rows, maxColumns);
  }
  const [shown, sizes] = [columns, widths];
  const leftOut = all.filter((column) => !shown.includes(column));
  if (leftOut.length > 0) onLeftOut(leftOut.map(({ title }) => title));
  const cellsOf = (row: readonly string[]) =>
    shown.map(({ wraps, cutsTo }, index) => {
      const cell = row[index] ?? '';
      const size = sizes[index] ?? 1;
      if (cutsTo) return truncate(cell, size);
      return wraps ? wrap(cell, size).join('\n') : cell;
    });
  const titles = cellsOf(shown.map(({ title }) => title)).map((title) =>
    title.split('\n').map(style.bold).join('\n'),
  );
  const lines = printRows(shown, sizes, titles, rows.slice(0, rowsAtOnce).map(cellsOf));
  for (let first = rowsAtOnce; first < rows.length; first += rowsAtOnce) {
    const next = rows.slice(first, first + rowsAtOnce).map(cellsOf);
    for (const line of printRows(shown, sizes, [], next)) lines.push(line);
  }
  return lines;
}

function fitted(
  columns: readonly FrameColumn[],
  rows: readonly (readonly string[])[],
  maxColumns: number,
): number[] | undefined {
  const cellsOf = (index: number) => [
    columns[index]?.title ?? '',
    ...rows.map((row) => row[index] ?? ''),
  ];
  const largest = (texts: readonly string[]) =>
    texts.reduce((max, text) => Math.max(max, width(text)), 1);
  const widths = columns.map((_, index) => largest(cellsOf(index)));
  let excess = widths.reduce((sum, size) => sum + size + gap, -gap) - maxColumns;
  const narrow = (index: number, least: number) => {
    const known = widths[index] ?? 0;
    const narrowed = Math.min(known, Math.max(least, known - Math.max(0, excess)));
    excess -= known - narrowed;
    widths[index] = narrowed;
  };
  for (const [index, { cutsTo }] of columns.entries()) if (cutsTo) narrow(index, cutWidth);
  for (const [index, { wraps }] of columns.entries())
    if (wraps && excess > 0)
      narrow(index, largest(cellsOf(index).flatMap((text) => text.split(/ +/))));
  for (const [index, { cutsTo }] of columns.entries()) if (cutsTo) narrow(index, cutsTo);
  return excess > 0 ? undefined : widths;
}

function breaks(column: FrameColumn | undefined): boolean {
  return column?.wraps === true || column?.cutsTo !== undefined;
}

/*
 * The cell that a table may cut, such as a name, is the heading of the others, otherwise the first
 * one. A cell that a table would cut wraps.
 */
function listed(
  columns: readonly FrameColumn[],
  row: readonly string[],
  style: Style,
  maxColumns: number,
): string[] {
  const cutting = columns.findIndex(({ cutsTo }) => cutsTo);
  const heading = Math.max(cutting, 0);
  const titles = columns.map(({ title }, index) => (index === heading ? '' : title.trim()));
  const labelWidth = Math.max(...titles.map(width)) + gap;
  const lines = row.flatMap((cell, index) => {
    if (cell.trim() === '' || index === heading) return [];
    const room = Math.max(8, maxColumns - labelWidth - gap);
    const isTooWide = width(cell.trim()) > room && !cell.includes('\u001b');
    const texts = breaks(columns[index]) || isTooWide ? wrap(cell, room) : [cell.trim()];
    return texts.map((text, line) => {
      const label = line === 0 ? (titles[index] ?? '') : '';
      return `  ${pad(label, labelWidth)}${text}`.trimEnd();
    });
  });
  const title = row[heading] ?? '';
  const head = breaks(columns[heading]) ? wrap(title, maxColumns) : [title];
  return [...head.map(style.bold), ...lines];
}

const helpWidth = 80;

/**
 * Renders rows as indented columns for help, each as wide as its widest cell. The last column
 * wraps.
 */
export function renderColumns(rows: readonly (readonly string[])[]): string[] {
  const leading = rows.map((row) => row.slice(0, -1));
  const widths =
    leading[0]?.map((_, index) => Math.max(...leading.map((row) => row[index]?.length ?? 0))) ?? [];
  return rows.flatMap((row) => {
    const start = `  ${widths.map((size, index) => `${row[index]?.padEnd(size)}  `).join('')}`;
    const lines = wrap(row.at(-1) ?? '', helpWidth - start.length);
    return lines.map((line, index) => (index === 0 ? start : ' '.repeat(start.length)) + line);
  });
}
