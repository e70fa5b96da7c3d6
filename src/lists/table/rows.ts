/* Reads the rows of a table below its header. */
import type { CellKind } from '../workbook/cells.ts';
import type { SheetOptions } from '../workbook/open-workbook.ts';
import type { WrittenCell } from '../workbook/sheet-xml.ts';
import { isBlank } from './cell.ts';
import type { CsvDialect } from './dialect.ts';
import type { InputFile } from './input-file.ts';
import { decode, RowScanner, type ScannedRow } from './text-rows.ts';

/** One row below the header. In a sheet, its line is the number of the row. */
export interface Row extends ScannedRow {
  /** What the cells of a workbook hold; undefined for CSV. */
  readonly kinds?: readonly CellKind[] | undefined;
  /** Numbers of a workbook with the leading zeros that their formats show, by column. */
  readonly shown?: ReadonlyMap<number, string> | undefined;
  /** The addresses of links behind cells, by column, if they are read. */
  readonly links?: ReadonlyMap<number, string> | undefined;
  /** The cells of a workbook as they are stored, if they are read. */
  readonly stored?: readonly WrittenCell[] | undefined;
}

/** How rows are read. */
export interface RowOptions extends SheetOptions {
  /** Checks whether cells are certainly those of a row, not the second half of one. */
  readonly isOwnRow?: ((cells: readonly string[]) => boolean) | undefined;
}

/** Returns the cells of a row; in a workbook, one with an error such as #REF! is empty. */
export function withoutErrors({ cells, kinds }: Row): readonly string[] {
  if (!kinds?.includes('missing')) return cells;
  return cells.map((cell, column) => (kinds[column] === 'missing' ? '' : cell));
}

/** A group of some hundred rows in the order of the file. */
export interface RowGroup {
  readonly rows: readonly Row[];
  /** Lines that repeat the header, as in concatenated files. They are not in `rows`. */
  readonly headers: readonly number[];
  /** Lines of rows that follow an empty row. */
  readonly afterBlank: readonly number[];
  /** Lines of rows that got empty cells at their end. */
  readonly completed: readonly number[];
}

/**
 * Reads the rows below the header, without blank ones.
 *
 * Rows that only lack empty cells at their end are complete, unless the whole file shows that cells
 * are missing for another reason.
 *
 * @throws UsageError for invalid bytes and for a quote that is never closed; LocalError if the file
 * changed since it was first read
 */
export async function* readRows(
  source: InputFile,
  dialect: CsvDialect,
  { isOwnRow = () => false, ...options }: RowOptions = {},
): AsyncGenerator<RowGroup, void, void> {
  const { header } = dialect;
  if (dialect.sheet !== undefined) {
    const { readSheet } = await import('./sheet.ts');
    yield* readSheet(source, dialect, options);
    return;
  }
  let isAfterBlank = false;
  for await (const { rows: all } of scanRows(source, dialect)) {
    const rows: Row[] = [];
    const afterBlank: number[] = [];
    for (const row of all) {
      const isEmpty = row.cells.every(isBlank);
      if (!isEmpty) rows.push(row);
      if (!isEmpty && isAfterBlank) afterBlank.push(row.line);
      isAfterBlank = isEmpty;
    }
    if (rows.some((row) => isShort(row, header)))
      source.completesRows ??= await canCompleteRows(source, dialect, isOwnRow);
    yield { ...groupRows(rows, header, source.completesRows), afterBlank };
  }
}

/* Yields the rows below the header, blank ones too, with the text that they end in. */
async function* scanRows(
  source: InputFile,
  { delimiter, encoding, headerLine, titles }: CsvDialect,
): AsyncGenerator<{ readonly rows: readonly ScannedRow[]; readonly text: string }, void, void> {
  const scanner = new RowScanner(delimiter, headerLine, source.name);
  let titlesLeft = titles.length;
  const scan = async (text: string, isLast: boolean) => {
    const dropped = Math.min(titlesLeft, text.length);
    titlesLeft -= dropped;
    const rows = await scanner.push(text.slice(dropped), isLast);
    return { rows: rows.filter(({ line }) => line !== headerLine), text };
  };
  for await (const text of decode(source, encoding)) yield await scan(text, false);
  yield await scan('', true);
}

function isShort({ cells, problem }: ScannedRow, header: readonly string[]): boolean {
  return cells.length < header.length && problem === undefined;
}

/*
 * Checks whether short rows of a file lack nothing but empty cells, as Excel writes them. They may
 * not if a program wrote an empty last cell in another row, if the file ends without a line break,
 * so that it may be truncated, or if two short rows are the halves of one with a line break in an
 * unquoted cell. Between the halves, there may be lines of the same cell.
 */
async function canCompleteRows(
  source: InputFile,
  dialect: CsvDialect,
  isOwnRow: (cells: readonly string[]) => boolean,
): Promise<boolean> {
  const { header } = dialect;
  const width = header.length;
  let last = '';
  let firstHalf = 0;
  for await (const { rows, text } of scanRows(source, dialect)) {
    last = text.at(-1) ?? last;
    for (const row of rows) {
      const { cells } = row;
      if (cells.every(isBlank)) continue;
      if (!isShort(row, header)) {
        if (cells.length >= width && isBlank(cells.at(-1) ?? '')) return false;
        firstHalf = 0;
        continue;
      }
      if (firstHalf + cells.length === width + 1 && !isOwnRow(cells)) return false;
      if (firstHalf === 0 || cells.length > 1) firstHalf = cells.length;
    }
  }
  return /[\r\n]/.test(last);
}

/**
 * Finds the rows that repeat the header, and what is wrong with the others.
 * @param completes whether short rows get empty cells at their end
 */
export function groupRows(
  all: readonly Row[],
  header: readonly string[],
  completes = false,
): Omit<RowGroup, 'afterBlank'> {
  const rows: Row[] = [];
  const headers: number[] = [];
  const completed: number[] = [];
  for (const row of all) {
    // Cells to the right of the header of a sheet are notes.
    const expected = row.kinds === undefined ? header.length : row.cells.length;
    const isCompleted =
      completes && isShort(row, header) && !row.cells.every((cell) => drawn.test(cell));
    const problem = row.problem ?? (isCompleted ? undefined : problemOf(row.cells, expected));
    if (isHeader(row.cells, header)) headers.push(row.line);
    else if (isCompleted) {
      completed.push(row.line);
      rows.push({ ...row, cells: padCells(row.cells, header.length) });
    } else rows.push(problem === undefined ? row : { ...row, problem });
  }
  return { rows, headers, completed };
}

/** Adds empty cells up to a width. */
export function padCells(cells: readonly string[], width: number): readonly string[] {
  if (cells.length >= width) return cells;
  return [...cells, ...Array<string>(width - cells.length).fill('')];
}

/*
 * Checks whether a row repeats the header. Ignores case and surrounding blanks: no organization has
 * the same name as its column.
 */
function isHeader(cells: readonly string[], header: readonly string[]): boolean {
  const fold = (text: string) => text.trim().toLowerCase();
  const isSame = (cell: string, other: string) => cell === other || fold(cell) === fold(other);
  return (
    cells.length === header.length && cells.every((cell, at) => isSame(cell, header[at] ?? ''))
  );
}

/* Lines drawn below a header or above a total. */
const drawn = /^[\s\p{Pd}=_*~+#|.:]*$/u;

function problemOf(cells: readonly string[], expected: number): string | undefined {
  if (cells.every((cell) => drawn.test(cell)))
    return 'is a separator line without letters or digits';
  const { length } = cells;
  if (length === expected) return undefined;
  const count = `has ${length} ${length === 1 ? 'cell' : 'cells'}, the header has ${expected}`;
  return length < expected || !cells.slice(expected).every(isBlank) ? count : undefined;
}
