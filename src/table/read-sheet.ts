import type { SheetRow } from '../workbook/sheet-rows.ts';
import { isBlank } from './cell.ts';
import type { CsvDialect } from './dialect.ts';
import { padCells } from './header-below.ts';
import type { InputFile } from './input-file.ts';
import { openSheet } from './open-sheet.ts';
import { isHeader, isSeparator, type Row, type RowGroup, separatorProblem } from './rows.ts';

/**
 * Reads the rows of a sheet below the header, without blank ones, as `readRows` does for CSV.
 *
 * Cells to the right of the header are notes: a CSV export has them too, below an empty header.
 *
 * @throws UsageError if the workbook is damaged; LocalError if it changed since it was first read
 */
export async function* readSheet(
  source: InputFile,
  { sheet, header, hasHeader, headerLine }: CsvDialect,
): AsyncGenerator<RowGroup, void, void> {
  await source.checkUnchanged();
  const book = await openSheet(source, sheet);
  try {
    for await (const group of book.rows()) {
      const rows: Row[] = [];
      const headers: number[] = [];
      for (const row of group) {
        const isAbove = row.number < headerLine || (hasHeader && row.number === headerLine);
        if (isAbove || (row.cells.every(isBlank) && row.errors === undefined)) continue;
        const cells = padCells(row.cells, header.length);
        if (hasHeader && isHeader(cells, header)) headers.push(row.number);
        else rows.push(toRow(row, cells));
      }
      if (rows.length > 0 || headers.length > 0) yield { rows, headers };
    }
    if (source.sheet !== undefined) source.sheet = { ...source.sheet, findings: book.findings };
  } finally {
    await book.close();
  }
  await source.checkUnchanged();
}

function toRow({ number, kinds, errors }: SheetRow, cells: readonly string[]): Row {
  const problem = isSeparator(cells) ? separatorProblem : undefined;
  const row = { line: number, cells, problem, kinds };
  if (errors === undefined) return row;
  return { ...row, exported: cells.map((cell, column) => errors.get(column) ?? cell) };
}

/**
 * Reads the rows above the header, such as titles.
 *
 * @throws UsageError if the workbook is damaged
 */
export async function readTitles(
  source: InputFile,
  { sheet, headerLine }: CsvDialect,
): Promise<readonly SheetRow[]> {
  const book = await openSheet(source, sheet);
  const titles: SheetRow[] = [];
  try {
    for await (const group of book.rows()) {
      for (const row of group) {
        if (row.number >= headerLine) return titles;
        titles.push(row);
      }
    }
    return titles;
  } finally {
    await book.close();
  }
}
