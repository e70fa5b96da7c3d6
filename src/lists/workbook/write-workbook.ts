/*
 * Writes .xlsx workbooks as a stream: only the rows that set the column widths are in memory. Texts
 * are inline strings, so no table of shared strings grows, and never formulas. The parts have the
 * fewest elements that Excel, LibreOffice and openpyxl accept.
 */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import {
  declaration,
  fixedParts,
  namespace,
  sheetPart,
  type WorkbookProperties,
  workbookXml,
} from './package-parts.ts';
import { rangeOf, type SheetContent, sheetXml, type WrittenParts } from './sheet-xml.ts';
import { StyleTable } from './style-table.ts';

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
 * Writes a workbook of at least one sheet, in the order of their tabs.
 *
 * @throws UsageError if a sheet has more rows than Excel allows; the error of an iterator of rows;
 * the system's error
 */
export async function writeWorkbook(
  write: (block: Buffer) => void,
  sheets: readonly SheetContent[],
  properties: WorkbookProperties = {},
): Promise<WrittenWorkbook> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // yazl waits for the end of a stream that failed.
  const fail = (error: Error) => void output.destroy(error);
  const streams: Readable[] = [];
  zip.on('error', fail);
  const { is1904 = false } = properties;
  const styles = new StyleTable();
  const addPart = (part: string, content: () => Iterable<Buffer> | AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(part, entryOptions, (use) => {
      const stream = Readable.from(content(), { objectMode: false });
      streams.push(stream);
      use(null, stream.on('error', fail));
    });
  for (const [part, text] of Object.entries(fixedParts(sheets.length, properties)))
    zip.addBuffer(Buffer.from(declaration + text), part, entryOptions);
  const written = sheets.map((): WrittenParts => ({ rows: 0, truncated: 0 }));
  const parts = sheets.map((sheet, index) => ({
    isText: sheet.isText === true,
    add: () =>
      addPart(sheetPart(index), () =>
        sheetXml(sheet, { styles, is1904, isFirst: index === 0 }, written[index] as WrittenParts),
      ),
  }));
  // A text may say what the rows of the tables were.
  for (const { isText, add } of parts) if (!isText) add();
  for (const { isText, add } of parts) if (isText) add();
  // Only now all styles and numbers of rows are known.
  addPart('xl/styles.xml', () => [Buffer.from(declaration + styles.toXml(namespace))]);
  const ranges = () =>
    sheets.map((sheet, index) => ({
      name: sheet.name,
      range: rangeOf(sheet, written[index]?.rows ?? 0),
      frozen: sheet.frozen ?? 0,
      isText: sheet.isText === true,
      isUsers: sheet.isUsers === true,
    }));
  addPart('xl/workbook.xml', () => [Buffer.from(workbookXml(ranges(), properties))]);
  zip.end();
  try {
    for await (const block of output) write(block as Buffer);
  } finally {
    // After a failed write, this ends the iterators of rows.
    for (const stream of streams) stream.destroy();
  }
  return {
    rows: written.map(({ rows }) => rows),
    truncated: written.reduce((sum, { truncated }) => sum + truncated, 0),
  };
}
