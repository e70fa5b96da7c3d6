import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenCell } from '../../src/workbook/write-workbook.ts';
import { writeWorkbook } from '../../src/workbook/write-workbook.ts';
import { newFolder } from '../support/run.ts';

/** Makes a workbook with sheets by name. */
export async function book(
  sheets: Readonly<Record<string, readonly (readonly WrittenCell[])[]>>,
): Promise<Buffer> {
  const path = join(newFolder(), 'book.xlsx');
  const file = await open(path, 'w');
  await writeWorkbook(
    file,
    Object.entries(sheets).map(([name, [header = [], ...rows]]) => ({
      name,
      columns: header.map((value) => ({ header: String(value ?? '') })),
      rows,
    })),
  );
  await file.close();
  return readFileSync(path);
}
