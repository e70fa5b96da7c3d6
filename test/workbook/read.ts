import type { WorkbookSource } from '../../src/workbook/archive.ts';
import { type OpenOptions, openWorkbook, type Workbook } from '../../src/workbook/open-workbook.ts';
import type { SheetRow } from '../../src/workbook/sheet-rows.ts';

/** Reads all rows of a workbook. */
export async function readBook(
  source: WorkbookSource,
  options?: OpenOptions,
): Promise<Workbook & { readonly all: readonly SheetRow[] }> {
  const book = await openWorkbook(source, options);
  try {
    const all: SheetRow[] = [];
    for await (const rows of book.rows()) all.push(...rows);
    return { ...book, findings: book.findings, all };
  } finally {
    await book.close();
  }
}

/** Reads the texts of all cells. */
export async function readCells(
  source: WorkbookSource,
  options?: OpenOptions,
): Promise<readonly (readonly string[])[]> {
  return (await readBook(source, options)).all.map(({ cells }) => cells);
}
