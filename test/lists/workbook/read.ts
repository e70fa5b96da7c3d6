import { appendFileSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { openArchive } from '../../../src/lists/workbook/archive.ts';
import { openWorkbook, type Workbook } from '../../../src/lists/workbook/open-workbook.ts';
import type { SheetRow } from '../../../src/lists/workbook/sheet-rows.ts';
import type { SheetContent } from '../../../src/lists/workbook/sheet-xml.ts';
import { writeWorkbook } from '../../../src/lists/workbook/write-workbook.ts';
import { newFolder } from '../../support/run.ts';

/** The chosen sheet, and the name of the file in messages. */
interface OpenOptions {
  readonly sheet?: string;
  readonly name?: string;
}

/** Opens a workbook from its bytes, a path or an open file. */
export function openBook(
  source: Buffer | string | FileHandle,
  { sheet, name = 'the workbook' }: OpenOptions = {},
): Promise<Workbook> {
  if (!Buffer.isBuffer(source)) return openWorkbook(source, name, sheet);
  const path = join(newFolder(), 'book.xlsx');
  writeFileSync(path, source);
  return openWorkbook(path, name, sheet);
}

/** Reads all rows of a workbook. */
export async function readBook(
  source: Buffer | string | FileHandle,
  options?: OpenOptions,
): Promise<Workbook & { readonly all: readonly SheetRow[] }> {
  const book = await openBook(source, options);
  try {
    const all: SheetRow[] = [];
    for await (const rows of book.rows()) all.push(...rows);
    return { ...book, all };
  } finally {
    await book.close();
  }
}

/** Reads the texts of all cells. */
export async function readCells(
  source: Buffer | string | FileHandle,
  options?: OpenOptions,
): Promise<readonly (readonly string[])[]> {
  return (await readBook(source, options)).all.map(({ cells }) => cells);
}

/** Reads the XML of a part of a workbook. */
export async function partOf(path: string, part: string): Promise<string> {
  const archive = await openArchive(path, path);
  const blocks: Buffer[] = [];
  for await (const bytes of archive.bytes(part)) blocks.push(Buffer.from(bytes));
  await archive.close();
  return Buffer.concat(blocks).toString();
}

/** Writes a workbook into a new folder. */
export async function write(...sheets: readonly SheetContent[]) {
  const path = join(newFolder(), 'book.xlsx');
  const written = await writeWorkbook((block) => appendFileSync(path, block), sheets);
  return { ...written, path };
}
