/*
 * Describes the form of a table, and finds its header: below titles, not among the rows, and
 * repeated where files were joined.
 */
import { isBlank } from './cell.ts';
import { RowScanner } from './scanner.ts';

/** Maximum length of the text that is searched for the header, in characters. */
export const headLength = 256 * 1024;
/** Maximum number of rows from which columns are recognized. */
export const maxSample = 1_000;

/**
 * Returns whether a header is that of a table of results, which is no list of organizations: it has
 * the columns of a result, or ends with `synthetic` as every table of a command does.
 */
export function isResultHeader(names: readonly string[]): boolean {
  const isResult = names.includes('carbon_id') && names.includes('carbon_status');
  return isResult || (names.length > 1 && names.at(-1) === 'synthetic');
}

/** Options that describe the format of the file. */
export interface CsvDialectOptions {
  /** A label of the Encoding Standard; by default the byte order mark decides, else UTF-8. */
  readonly encoding?: string | undefined;
  /** Number of physical lines above the header; recognized by default. */
  readonly skipLines?: number | undefined;
  /** Name of the sheet of a workbook; by default the first visible one. */
  readonly sheet?: string | undefined;
}

/** The format of a CSV file or workbook, detected from its beginning. */
export interface CsvDialect {
  /** Name of the sheet if the file is a workbook, which has no text format. */
  readonly sheet?: string | undefined;
  readonly encoding: string | undefined;
  /** The unchanged text above the header. */
  readonly titles: string;
  readonly delimiter: string;
  readonly header: readonly string[];
  /** Physical line of the header, from 1. */
  readonly headerLine: number;
  /** The first rows below the header, which show what the columns hold. */
  readonly sample: readonly SampleRow[];
  /** A lower row that may be the header, because it has as many cells as most rows. */
  readonly below?: SampleRow | undefined;
}

/** A row near the beginning of the file. */
export interface SampleRow {
  /** Physical line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const maxText = 64 * 1024;
const maxRows = 50;

interface Candidate {
  readonly header: SampleRow;
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
): SampleRow | undefined {
  const candidates = delimiters.flatMap(
    (delimiter) => findHeader(readRows(text, line, delimiter)) ?? [],
  );
  // Prefer the delimiter that splits more rows, then the one that makes more cells.
  const [best] = candidates.sort(
    (a, b) => b.rows - a.rows || b.header.cells.length - a.header.cells.length,
  );
  return best?.isFirst ? undefined : best?.header;
}

/** Finds the header of a sheet that begins with titles. */
export function findHeaderBelowRows(rows: readonly SampleRow[]): SampleRow | undefined {
  const head = rows.slice(0, maxRows);
  const width = Math.max(0, ...head.map(({ cells }) => cells.length));
  const found = findHeader(head.map((row) => ({ ...row, cells: padCells(row.cells, width) })));
  return found?.isFirst ? undefined : found?.header;
}

/** Adds empty cells to a row that is shorter than others. */
export function padCells(cells: readonly string[], width: number): readonly string[] {
  if (cells.length >= width) return cells;
  return [...cells, ...Array<string>(width - cells.length).fill('')];
}

function findHeader(rows: readonly SampleRow[]): Candidate | undefined {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [[width, count] = [0, 0]] = [...counts].sort(([a, x], [b, y]) => y - x || b - a);
  const index = rows.findIndex(({ cells }) => cells.length === width && filled(cells) > width / 2);
  const header = rows[index];
  if (width < 2 || count < 2 || count * 2 < rows.length || header === undefined) return undefined;
  return { header, rows: count, isFirst: index === 0 };
}

function readRows(text: string, line: number, delimiter: string): SampleRow[] {
  try {
    const scanner = new RowScanner(delimiter, line, '');
    return scanner
      .push(text.slice(0, maxText), text.length <= maxText)
      .filter(({ cells }) => !cells.every(isBlank))
      .slice(0, maxRows);
  } catch {
    return [];
  }
}

/** Counts the cells that are not blank. */
export function filled(cells: readonly string[]): number {
  return cells.filter((cell) => !isBlank(cell)).length;
}

/**
 * Checks whether a row repeats the header. Ignores case and surrounding blanks: no organization has
 * the same name as its column.
 */
export function isHeader(cells: readonly string[], header: readonly string[]): boolean {
  return (
    cells.length === header.length &&
    cells.every((cell, index) => isSame(cell, header[index] ?? ''))
  );
}

function isSame(cell: string, other: string): boolean {
  return cell === other || cell.trim().toLowerCase() === other.trim().toLowerCase();
}

/* A line drawn below a header or above a total. */
const drawn = /^[\s\p{Pd}=_*~+#|.:]*$/u;

/** Checks whether a row consists of lines that were drawn with characters. */
export function isSeparator(cells: readonly string[]): boolean {
  return cells.every((cell) => drawn.test(cell));
}

/** What is wrong with a row that only separates others. */
export const separatorProblem = 'is a separator line without letters or digits';
