import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkbookSource } from '../../src/workbook/archive.ts';
import { type OpenOptions, openWorkbook, type Workbook } from '../../src/workbook/open-workbook.ts';
import type { SheetRow } from '../../src/workbook/sheet-rows.ts';
import { newFolder } from '../support/run.ts';

/** Opens a workbook from its bytes, a path or an open file. */
export function openBook(
  source: WorkbookSource | Buffer,
  options?: OpenOptions,
): Promise<Workbook> {
  if (!Buffer.isBuffer(source)) return openWorkbook(source, options);
  const path = join(newFolder(), 'book.xlsx');
  writeFileSync(path, source);
  return openWorkbook(path, { name: 'the workbook', ...options });
}

/** Reads all rows of a workbook. */
export async function readBook(
  source: WorkbookSource | Buffer,
  options?: OpenOptions,
): Promise<Workbook & { readonly all: readonly SheetRow[] }> {
  const book = await openBook(source, options);
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
  source: WorkbookSource | Buffer,
  options?: OpenOptions,
): Promise<readonly (readonly string[])[]> {
  return (await readBook(source, options)).all.map(({ cells }) => cells);
}
