/* Finds the header of a table whose first lines are titles. */

import { fieldsOfHeader } from '../registration/fields.ts';
import { isBlank } from './cell.ts';
import { RowScanner, readCells } from './scanner.ts';

const maxText = 64 * 1024;
const maxRows = 50;

/** The row below the titles that seems to be the header. */
export interface HeaderBelow {
  /** Physical line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface Candidate extends HeaderBelow {
  /** Number of rows with as many cells. */
  readonly rows: number;
  readonly isFirst: boolean;
}

/**
 * Finds the header of a text that begins with titles: the first row that has as many cells as most
 * rows, more than half of them not blank.
 *
 * @param line the physical line on which the text begins
 * @returns undefined if that is the first row, or if no number of cells prevails
 */
export function findHeaderBelow(
  text: string,
  line: number,
  delimiters: readonly string[],
): HeaderBelow | undefined {
  const candidates = delimiters.flatMap(
    (delimiter) => findHeader(readRows(text, line, delimiter)) ?? [],
  );
  // Prefer the delimiter that splits more rows, then the one that makes more cells.
  const [best] = candidates.sort((a, b) => b.rows - a.rows || b.cells.length - a.cells.length);
  return best === undefined || best.isFirst ? undefined : { line: best.line, cells: best.cells };
}

/** Finds the header of a table that begins with titles, such as a sheet. */
export function findHeaderBelowRows(rows: readonly HeaderBelow[]): HeaderBelow | undefined {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const padded = rows
    .slice(0, maxRows)
    .map(({ line, cells }) => ({ line, cells: padCells(cells, width) }));
  const best = findHeader(padded);
  return best === undefined || best.isFirst ? undefined : { line: best.line, cells: best.cells };
}

/** Adds empty cells to a row that is shorter than others. */
export function padCells(cells: readonly string[], width: number): readonly string[] {
  if (cells.length >= width) return cells;
  return [...cells, ...Array<string>(width - cells.length).fill('')];
}

function findHeader(rows: readonly HeaderBelow[]): Candidate | undefined {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [[width, count] = [0, 0]] = [...counts].sort(([a, x], [b, y]) => y - x || b - a);
  const index = rows.findIndex(({ cells }) => cells.length === width && filled(cells) > width / 2);
  const header = rows[index];
  if (width < 2 || count < 2 || count * 2 < rows.length || header === undefined) return undefined;
  return { ...header, rows: count, isFirst: index === 0 };
}

function readRows(text: string, line: number, delimiter: string): HeaderBelow[] {
  try {
    const block = new RowScanner(delimiter, line, '').push(
      text.slice(0, maxText),
      text.length <= maxText,
    );
    return readCells(block.text, delimiter)
      .map((cells, index) => ({ cells, line: block.lines[index] ?? line }))
      .filter(({ cells }) => !cells.every(isBlank))
      .slice(0, maxRows);
  } catch {
    return [];
  }
}

function filled(cells: readonly string[]): number {
  return cells.filter((cell) => !isBlank(cell)).length;
}

/**
 * Returns the header below a title if it contains an alias of the name and has more filled cells
 * than the first row; undefined if the first row is the header.
 */
export function headerBelowTitle(
  first: readonly string[],
  below: HeaderBelow | undefined,
): HeaderBelow | undefined {
  const isHeader =
    below?.cells.some((cell) => fieldsOfHeader(cell).includes('name')) &&
    filled(first) < filled(below.cells);
  return isHeader ? below : undefined;
}
