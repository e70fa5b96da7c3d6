import Table from 'cli-table3';
import type { Style } from './style.ts';
import { pad, truncate, width, wrap } from './text.ts';

export interface FrameColumn {
  readonly title: string;
  /** What it is called if it was left out and has no title. */
  readonly heading?: string | undefined;
  /** Whether it draws what another column says. */
  readonly isPicture?: boolean;
  readonly align?: 'left' | 'right';
  /** Whether its cells, which are unstyled, may break between words. */
  readonly wraps?: boolean;
  /** How many columns of its cells, which are unstyled, remain if the table is too wide. */
  readonly cutsTo?: number;
  /** Columns with the lowest number are left out first of a table that is too wide otherwise. */
  readonly leavesFirst?: number | undefined;
}

export interface Frame {
  readonly lines: readonly string[];
  /** The columns that had no room. */
  readonly leftOut: readonly FrameColumn[];
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
 * If the table is wider than `maxColumns`, columns that can be cut become narrower, down to 20,
 * then those that wrap, down to their longest word. Then columns are left out; without any to leave
 * out, more is cut, or wraps next to cells that do. If that is not enough, each row becomes a list
 * with a line for each cell.
 */
export function renderFrame(
  all: readonly FrameColumn[],
  allRows: readonly (readonly string[])[],
  style: Style,
  maxColumns = Number.POSITIVE_INFINITY,
): Frame {
  const measured = all.map((column, index) => ({
    ...column,
    index,
    size: allRows.reduce(
      (max, row) => Math.max(max, width(row[index] ?? '')),
      Math.max(1, width(column.title)),
    ),
  }));
  const sizesOf = (columns: readonly Measured[], keptWidth: number) =>
    fitted(columns, allRows, maxColumns, keptWidth);
  let shown = measured;
  let widths = sizesOf(shown, cutWidth);
  while (widths === undefined) {
    const first = Math.min(...shown.flatMap(({ leavesFirst }) => leavesFirst ?? []));
    const next = shown.findLastIndex(({ leavesFirst }) => leavesFirst === first);
    if (next < 0) break;
    shown = shown.toSpliced(next, 1);
    widths = sizesOf(shown, cutWidth);
  }
  const isTight = widths === undefined;
  if (shown === measured) widths ??= sizesOf(shown, 0);
  if (widths === undefined)
    return { lines: allRows.flatMap((row) => listed(all, row, style, maxColumns)), leftOut: [] };
  const sizes = widths;
  const leftOut = measured.filter((column) => !shown.includes(column));
  const hasLines = shown.some(({ wraps }) => wraps);
  const cellsOf = (row: readonly string[]) =>
    shown.map(({ index, wraps, cutsTo }, place) => {
      const cell = row[index] ?? '';
      const size = sizes[place] ?? 1;
      // Next to cells with several lines, a name needs no cut.
      const isWhole = isTight && hasLines && !cell.includes('\u001b');
      if (cutsTo && !isWhole) return truncate(cell, size);
      return wraps || isWhole ? wrap(cell, size).join('\n') : cell;
    });
  const heads = cellsOf(all.map(({ title }) => title)).map((title) =>
    title.split('\n').map(style.bold).join('\n'),
  );
  const lines = printRows(shown, sizes, heads, allRows.slice(0, rowsAtOnce).map(cellsOf));
  for (let first = rowsAtOnce; first < allRows.length; first += rowsAtOnce) {
    const next = allRows.slice(first, first + rowsAtOnce).map(cellsOf);
    for (const line of printRows(shown, sizes, [], next)) lines.push(line);
  }
  return { lines, leftOut };
}

interface Measured extends FrameColumn {
  /** The place of its cells in a row. */
  readonly index: number;
  /** The width of its widest cell. */
  readonly size: number;
}

function fitted(
  columns: readonly Measured[],
  rows: readonly (readonly string[])[],
  maxColumns: number,
  keptWidth: number,
): number[] | undefined {
  const longestWord = ({ title, index }: Measured) =>
    rows
      .flatMap((row) => (row[index] ?? '').split(/ +/))
      .concat(title.split(/ +/))
      .reduce((max, word) => Math.max(max, width(word)), 1);
  const widths = columns.map(({ size }) => size);
  let excess = widths.reduce((sum, size) => sum + size + gap, -gap) - maxColumns;
  const narrow = (index: number, least: number) => {
    const known = widths[index] ?? 0;
    const narrowed = Math.min(known, Math.max(least, known - Math.max(0, excess)));
    excess -= known - narrowed;
    widths[index] = narrowed;
  };
  for (const [index, { cutsTo }] of columns.entries())
    if (cutsTo) narrow(index, Math.max(cutsTo, cutWidth));
  for (const [index, column] of columns.entries())
    if (column.wraps && excess > 0) narrow(index, longestWord(column));
  for (const [index, { cutsTo }] of columns.entries())
    if (cutsTo) narrow(index, Math.max(cutsTo, keptWidth));
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
