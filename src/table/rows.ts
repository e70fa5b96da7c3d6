/* Reads the rows of a table below its header. */
import type { CellKind } from '../workbook/cells.ts';
import { isBlank } from './cell.ts';
import type { CsvDialect } from './dialect.ts';
import type { InputFile } from './input-file.ts';
import { decode, RowScanner, type ScannedRow } from './text-rows.ts';

/** One row below the header. In a sheet, its line is the number of the row. */
export interface Row extends ScannedRow {
  /** What the cells of a workbook hold; undefined for CSV. */
  readonly kinds?: readonly CellKind[] | undefined;
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
}

/**
 * Reads the rows below the header, without blank ones.
 *
 * @throws UsageError for invalid bytes and for a quote that is never closed; LocalError if the file
 * changed since it was first read
 */
export async function* readRows(
  source: InputFile,
  dialect: CsvDialect,
): AsyncGenerator<RowGroup, void, void> {
  const { header, headerLine } = dialect;
  if (dialect.sheet !== undefined) {
    const { readSheet } = await import('./sheet.ts');
    yield* readSheet(source, dialect);
    return;
  }
  const scanner = new RowScanner(dialect.delimiter, headerLine, source.name);
  let titlesLeft = dialect.titles.length;
  let isAfterBlank = false;
  const group = async (text: string, isLast: boolean): Promise<RowGroup> => {
    const dropped = Math.min(titlesLeft, text.length);
    titlesLeft -= dropped;
    const rows: Row[] = [];
    const afterBlank: number[] = [];
    for (const row of await scanner.push(text.slice(dropped), isLast)) {
      const isEmpty = row.cells.every(isBlank);
      if (!isEmpty && row.line !== headerLine) {
        rows.push(row);
        if (isAfterBlank) afterBlank.push(row.line);
      }
      isAfterBlank = isEmpty;
    }
    return { ...groupRows(rows, header), afterBlank };
  };
  for await (const text of decode(source, dialect.encoding)) yield await group(text, false);
  yield await group('', true);
}

/** Finds the rows that repeat the header, and what is wrong with the others. */
export function groupRows(
  all: readonly Row[],
  header: readonly string[],
): Omit<RowGroup, 'afterBlank'> {
  const rows: Row[] = [];
  const headers: number[] = [];
  for (const row of all) {
    // Cells to the right of the header of a sheet are notes.
    const expected = row.kinds === undefined ? header.length : row.cells.length;
    const problem = row.problem ?? problemOf(row.cells, expected);
    if (isHeader(row.cells, header)) headers.push(row.line);
    else rows.push(problem === undefined ? row : { ...row, problem });
  }
  return { rows, headers };
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
