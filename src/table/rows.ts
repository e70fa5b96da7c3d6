import type { CellKind } from '../workbook/cell-value.ts';
import { isBlank } from './cell.ts';
import { decode } from './decode.ts';
import type { CsvDialect } from './header.ts';
import { isHeader, isSeparator, separatorProblem } from './header.ts';
import type { InputFile } from './input-file.ts';
import { RowScanner, type ScannedRow } from './scanner.ts';

/** One row below the header. In a sheet, its line is the number of the row. */
export interface Row extends ScannedRow {
  /** What the cells of a workbook hold; undefined for CSV. */
  readonly kinds?: readonly CellKind[] | undefined;
  /**
   * The cells as a CSV export has them, if it differs: with errors such as `#REF!`, which are empty
   * in `cells`.
   */
  readonly exported?: readonly string[] | undefined;
}

/** A group of some hundred rows in the order of the file. */
export interface RowGroup {
  readonly rows: readonly Row[];
  /** Lines that repeat the header, as in concatenated files. They are not in `rows`. */
  readonly headers: readonly number[];
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
  const group = (text: string, isLast: boolean): RowGroup => {
    const dropped = Math.min(titlesLeft, text.length);
    titlesLeft -= dropped;
    const rows: Row[] = [];
    const headers: number[] = [];
    for (const row of scanner.push(text.slice(dropped), isLast)) {
      const { line, cells } = row;
      if (line === headerLine || cells.every(isBlank)) continue;
      const problem = row.problem ?? problemOf(cells, header.length);
      if (isHeader(cells, header)) headers.push(line);
      else rows.push(problem === undefined ? row : { line, cells, problem });
    }
    return { rows, headers };
  };
  for await (const text of decode(source, dialect.encoding)) yield group(text, false);
  yield group('', true);
}

function problemOf(cells: readonly string[], expected: number): string | undefined {
  if (isSeparator(cells)) return separatorProblem;
  const { length } = cells;
  if (length === expected) return undefined;
  const count = `has ${length} ${length === 1 ? 'cell' : 'cells'}, the header has ${expected}`;
  return length < expected || !cells.slice(expected).every(isBlank) ? count : undefined;
}
