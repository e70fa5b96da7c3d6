import { readFileSync } from 'node:fs';
import type { WrittenCell } from '../../../src/lists/workbook/sheet-xml.ts';
import { write } from '../workbook/read.ts';

/** Makes a workbook with sheets by name. */
export async function book(
  sheets: Readonly<Record<string, readonly (readonly WrittenCell[])[]>>,
): Promise<Buffer> {
  const contents = Object.entries(sheets).map(([name, [header = [], ...rows]]) => ({
    name,
    columns: header.map((value) => ({ header: String(value ?? '') })),
    rows,
  }));
  return readFileSync((await write(...contents)).path);
}
