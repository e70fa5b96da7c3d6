/*
 * Writes the failed rows of a workbook as a workbook: the user's own cells with their types, and
 * the reason why each row failed. The header keeps its row number, for --skip-lines.
 */
import type { FileHandle } from 'node:fs/promises';
import { errorColumn, isAddedColumn, lineColumn } from '../table/header.ts';
import { readTitles } from '../table/sheet.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { copiedCell } from '../workbook/cell-value.ts';
import type { WrittenCell } from '../workbook/sheet-writer.ts';
import { writeWorkbook } from '../workbook/write-workbook.ts';
import type { FailedRow } from './failed-rows.ts';
import type { IdentifiedRow, IdentifiedTable } from './identified-rows.ts';

/**
 * Writes the failed-rows workbook to an open file.
 *
 * @returns the number of failed rows
 * @throws UsageError or LocalError when the input has changed; the system's error
 */
export async function writeFailedWorkbook(
  file: FileHandle,
  { dialect, source }: IdentifiedTable,
  failedRows: AsyncIterable<FailedRow>,
): Promise<number> {
  const titles = await readTitles(source, dialect);
  const { sheet: name = 'Failed rows', header } = dialect;
  const own = header.filter((column) => !isAddedColumn(column));
  let failed = 0;
  async function* rows(): AsyncGenerator<readonly WrittenCell[], void, void> {
    for await (const { row, listLine, error } of failedRows) {
      failed += 1;
      // A note to the right of the table stays there, so a reason never replaces it.
      const cells = copyRow(row).filter((_, index) => !isAddedColumn(header[index]));
      yield cells.toSpliced(own.length, 0, Number(listLine), sanitize(error));
    }
  }
  const columns = [...own, lineColumn, errorColumn].map((text) => ({
    header: text,
  }));
  const isFirst = titles.length === 0 && dialect.headerLine === 1;
  const above = isFirst
    ? []
    : [...placeTitles(titles, dialect.headerLine), columns.map((column) => column.header)];
  await writeWorkbook(file, [
    { name, columns, rows: concatenate(above, rows()), hasHeader: isFirst },
  ]);
  return failed;
}

function copyRow({ cells, kinds = [], exported = cells }: IdentifiedRow): WrittenCell[] {
  return exported.map((cell, column) => copiedCell(cell, kinds[column] ?? 'text'));
}

/* The rows above the header, with empty rows between them. */
function placeTitles(
  titles: Awaited<ReturnType<typeof readTitles>>,
  headerLine: number,
): WrittenCell[][] {
  const above = Array.from({ length: headerLine - 1 }, (): WrittenCell[] => []);
  for (const { number, cells, kinds } of titles)
    above[number - 1] = cells.map((cell, column) => copiedCell(cell, kinds[column] ?? 'text'));
  return above;
}

async function* concatenate<Item>(
  first: readonly Item[],
  others: AsyncIterable<Item>,
): AsyncGenerator<Item, void, void> {
  yield* first;
  yield* others;
}
