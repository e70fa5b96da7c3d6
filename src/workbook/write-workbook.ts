/*
 * Writes .xlsx workbooks as a stream: only the rows that set the column widths are in memory. Texts
 * are inline strings, so no table of shared strings grows, and never formulas.
 */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { formatStyle } from './cell-styles.ts';
import { packageParts, sheetPart } from './package-parts.ts';
import { type SheetContent, sheetXml } from './sheet-writer.ts';

/** What the writing of a workbook produced and changed. */
export interface WrittenWorkbook {
  /** Number of rows of each sheet below the header. */
  readonly rows: readonly number[];
  /** Number of texts that were longer than a cell can be. */
  readonly truncated: number;
}

/* The same content makes the same file. */
const entryOptions = { mtime: new Date(Date.UTC(2000, 0, 1)), mode: 0o100644 } as const;

/**
 * Writes a workbook to an open file.
 *
 * @param file an open file at its beginning, such as the one of `writeAtomically`; it stays open
 * @param sheets at least one sheet; their rows are read in turn
 * @param list path of the list whose records the workbook shows, from its directory
 * @throws UsageError if a sheet has more rows than Excel allows; the error of an iterator of rows;
 * the system's error
 */
export async function writeWorkbook(
  file: FileHandle,
  sheets: readonly SheetContent[],
  list?: string,
): Promise<WrittenWorkbook> {
  const columns = sheets.flatMap((sheet) => sheet.columns);
  const formats = [...new Set(columns.flatMap(({ format }) => format ?? []))];
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // yazl waits for the end of a stream that failed.
  const fail = (error: Error) => void output.destroy(error);
  const streams: Readable[] = [];
  zip.on('error', fail);
  const names = sheets.map(({ name }) => name);
  for (const [part, text] of packageParts(names, formats, list))
    zip.addBuffer(Buffer.from(text), part, entryOptions);
  const written = sheets.map((sheet, index) => {
    const styles = sheet.columns.map(({ format }) => formatStyle(formats, format));
    const counts = { rows: 0, truncated: 0 };
    zip.addReadStreamLazy(sheetPart(index), entryOptions, (use) => {
      const content = Readable.from(sheetXml(sheet, styles, counts), { objectMode: false });
      streams.push(content);
      use(null, content.on('error', fail));
    });
    return counts;
  });
  zip.end();
  try {
    for await (const block of output) await file.writeFile(block as Buffer);
  } finally {
    // After a failed write, this ends the iterators of rows.
    for (const stream of streams) stream.destroy();
  }
  return {
    rows: written.map(({ rows }) => rows),
    truncated: written.reduce((sum, { truncated }) => sum + truncated, 0),
  };
}
