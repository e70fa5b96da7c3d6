/*
 * Writes or reads a workbook, for workbook.ts: `write` with the writer of carbon, `share` with
 * shared strings as Excel writes them, `read`. `csv` writes the same rows as a CSV file.
 */

import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { openWorkbook } from '../src/workbook/open-workbook.ts';
import { packageParts, sheetPart } from '../src/workbook/package-parts.ts';
import type { WrittenCell } from '../src/workbook/write-workbook.ts';
import { writeWorkbook } from '../src/workbook/write-workbook.ts';

const [work, path = '', count = ''] = process.argv.slice(2);
const rows = Number(count);

const headers = 'name country website id street city zip spend date score code note'.split(' ');

/* Five of the twelve cells are different in every row. */
function row(index: number): WrittenCell[] {
  return [
    `Supplier ${index} GmbH & Co. KG`,
    'DE',
    `https://supplier-${index}.example`,
    index,
    `Hauptstrasse ${index}, Haus ${index % 97}`,
    `City ${index % 1000}`,
    String(index % 99_999).padStart(5, '0'),
    index * 1.37,
    new Date(Date.UTC(2020, 0, 1 + (index % 2000))),
    (index % 1000) / 1000,
    `5299${String(index).padStart(16, '0')}`,
    `note ${index % 5}`,
  ];
}

async function write(): Promise<void> {
  const file = await open(path, 'w');
  function* content() {
    for (let index = 0; index < rows; index += 1) yield row(index);
  }
  const columns = headers.map((header) => ({ header }));
  await writeWorkbook(file, [{ name: 'Suppliers', columns, rows: content() }]);
  await file.close();
}

async function read(): Promise<void> {
  const book = await openWorkbook(path, path);
  let cells = 0;
  for await (const group of book.rows())
    for (const { cells: texts } of group) cells += texts.length;
  await book.close();
  if (cells !== (rows + 1) * headers.length) throw new Error(`read ${cells} cells`);
}

async function csv(): Promise<void> {
  function* lines() {
    yield `${headers.join(',')}\n`;
    for (let index = 0; index < rows; index += 1) yield `${row(index).map(textOf).join(',')}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

/* The text that the reader of workbooks returns for a cell. */
function textOf(value: WrittenCell): string {
  const text = value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
  return text.includes(',') ? `"${text}"` : text;
}

const escapeXml = (text: string) => text.replace(/&/g, '&amp;');

async function share(): Promise<void> {
  const indexes = new Map<string, number>();
  const cell = (value: WrittenCell) => {
    if (typeof value === 'number') return `<c><v>${value}</v></c>`;
    const text = value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
    const known = indexes.get(text) ?? indexes.size;
    indexes.set(text, known);
    return `<c t="s"><v>${known}</v></c>`;
  };
  function* sheet() {
    yield '<worksheet><sheetData>';
    yield `<row>${headers.map(cell).join('')}</row>`;
    for (let index = 0; index < rows; index += 1)
      yield `<row>${row(index).map(cell).join('')}</row>`;
    yield '</sheetData></worksheet>';
  }
  function* strings() {
    yield '<sst>';
    for (const text of indexes.keys()) yield `<si><t>${escapeXml(text)}</t></si>`;
    yield '</sst>';
  }
  const zip = new ZipFile();
  const relationship =
    '<Relationship Id="rIdS" Type="sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>';
  for (const [part, text] of packageParts(['Suppliers'], [])) {
    const content = part.endsWith('workbook.xml.rels')
      ? text.replace('</Relationships>', relationship)
      : text;
    zip.addBuffer(Buffer.from(content), part);
  }
  zip.addReadStreamLazy(sheetPart(0), (use) => use(null, Readable.from(sheet())));
  zip.addReadStreamLazy('xl/sharedStrings.xml', (use) => use(null, Readable.from(strings())));
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

const works: Readonly<Record<string, () => Promise<void>>> = { write, share, csv, read };
void works[work ?? '']?.();
