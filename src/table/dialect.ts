import { fieldsOfHeader } from '../registration/fields.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { isZip } from '../workbook/foreign-format.ts';
import { isBlank } from './cell.ts';
import { decode } from './decode.ts';
import type { InputFile } from './input-file.ts';
import { lineBreaks, RowScanner, readCells, rowEnd } from './scanner.ts';

/** Maximum length of the text that is searched for the header, in characters. */
export const headLength = 256 * 1024;
/** Maximum number of rows from which columns are recognized. */
export const maxSample = 1_000;
/** The column of a failed-rows file with the reason. */
export const errorColumn = 'carbon_error';
/** The column of a failed-rows file with the line of the row in the list. */
export const lineColumn = 'carbon_line';

/** Returns whether carbon adds this column to a failed-rows file, and ignores it in an input. */
export function isAddedColumn(column: string | undefined): boolean {
  return column === errorColumn || column === lineColumn;
}

const delimiters = [',', ';', '\t', '|'] as const;

/** Options that describe the format of the file. */
export interface CsvDialectOptions {
  /** A label of the Encoding Standard; by default the byte order mark decides, else UTF-8. */
  readonly encoding?: string | undefined;
  /** Number of physical lines above the header; recognized by default. */
  readonly skipLines?: number | undefined;
  /** False for a file without a header line, whose columns are named 1, 2, 3. */
  readonly header?: boolean | undefined;
  /** Name of the sheet of a workbook; by default the first visible one. */
  readonly sheet?: string | undefined;
}

/** The format of a CSV file or workbook, detected from its beginning. */
export interface CsvDialect {
  /** Name of the sheet if the file is a workbook, which has no text format. */
  readonly sheet?: string | undefined;
  readonly encoding: string | undefined;
  /** The unchanged text above the header. */
  readonly titles: string;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** The cells of the header; without one, the numbers of the columns from 1. */
  readonly header: readonly string[];
  readonly hasHeader: boolean;
  /** Physical line of the header, or of the first row if there is no header; from 1. */
  readonly headerLine: number;
  /** The first rows below the header, which show what the columns hold. */
  readonly sample: readonly SampleRow[];
  /** A lower row that may be the header, because it has as many cells as most rows. */
  readonly below?: HeaderBelow | undefined;
}

/** A row near the beginning of the file. */
export interface SampleRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Detects the delimiter, the header and the titles above it from the beginning of a file. Unless
 * `skipLines` is given, lines above a row with a header of the organization name are titles.
 *
 * @throws UsageError if the file has no header, or is not CSV
 */
export async function detectDialect(
  source: InputFile,
  options: CsvDialectOptions = {},
): Promise<CsvDialect> {
  const detected = await detect(source, options);
  const { header, below } = detected;
  if (options.skipLines !== undefined || below === undefined) return detected;
  if (!below.cells.some(isNameHeader)) return detected;
  const skipLines = below.line - 1;
  if (header.some((cell) => fieldsOfHeader(cell).length > 0)) {
    if (filled(header) >= filled(below.cells)) return detected;
    throw invalid(
      `The first line seems to be a title, and line ${below.line} seems to be the header`,
      `Use --skip-lines ${skipLines}. If the first line is the header, use --skip-lines 0.`,
    );
  }
  source.titleLines = skipLines;
  return detect(source, { ...options, skipLines });
}

function isNameHeader(cell: string): boolean {
  return fieldsOfHeader(cell).includes('name');
}

async function detect(source: InputFile, options: CsvDialectOptions): Promise<CsvDialect> {
  const { encoding, skipLines = 0, header: hasHeader = true, sheet } = options;
  if (isZip(await source.readAt(0, 4))) {
    const { detectSheet } = await import('./sheet.ts');
    return detectSheet(source, options);
  }
  const { head, isComplete } = await readHead(source, encoding);
  if (sheet !== undefined) {
    throw new UsageError(
      `--sheet: ${source.name} is not an .xlsx workbook, so it has no sheet "${sheet}"`,
      'Remove --sheet, or use a workbook.',
    );
  }
  if (head.trim() === '') throw invalid(`${source.name} is empty`);
  const start = headerStart(head, skipLines);
  const titles = head.slice(0, start);
  const table = head.slice(start);
  rejectTextFormats(table, source.name);
  // Every kind of line break above the header counts, as it does for --skip-lines.
  const line = 1 + lineBreaks(titles, '\r');
  const lineEnd = /^(?:\r\n|\n|\r)/.exec(table.slice(rowEnd(table)))?.[0] ?? '\n';
  const delimiter = separator(titles) ?? likelyDelimiter(table);
  const block = new RowScanner(delimiter, line, source.name, lineEnd).push(table, isComplete);
  const rows = readCells(block.text, delimiter)
    .slice(0, maxSample)
    .map((cells, index) => ({ cells, line: block.lines[index] ?? line }));
  const [first, ...others] = rows;
  if (first === undefined && !isComplete && table.trim() !== '') {
    throw invalid(
      `${source.name}, line ${line}: the header is longer than ${headLength / 1024} KiB`,
      'Check that each row ends with a line break and that each quote in the header is closed.',
    );
  }
  if (first === undefined || table.trim() === '') {
    throw invalid(
      `${source.name} has no header${skipLines > 0 ? ` below the ${skipLines} skipped lines` : ''}`,
    );
  }
  const form = { encoding, titles, delimiter, lineEnd, headerLine: line };
  const below = () => findHeaderBelow(table, line, delimiters);
  return { ...form, ...placeHeader(source.name, [first, ...others], { hasHeader, below }) };
}

/** The header of a table and the rows below it. */
type PlacedHeader = Pick<CsvDialect, 'hasHeader' | 'header' | 'sample' | 'below'>;

/**
 * Decides whether the first row is the header.
 *
 * @param name the name of the file in messages
 * @throws UsageError if a failed-rows file is read without its header
 */
export function placeHeader(
  name: string,
  rows: readonly [SampleRow, ...SampleRow[]],
  { hasHeader, below }: { hasHeader: boolean; below(): HeaderBelow | undefined },
): PlacedHeader {
  const [{ cells, line }, ...others] = rows;
  if (!hasHeader && cells.includes(errorColumn)) {
    // A failed-rows file always has a header: the column numbers if its input file has none.
    if (!cells.every((cell, index) => cell === `${index + 1}` || isAddedColumn(cell))) {
      throw invalid(
        `${name}, line ${line}: the first line is a header with the column ${errorColumn}`,
        'Remove --no-header.',
      );
    }
    return { hasHeader: true, header: cells, sample: others };
  }
  if (!hasHeader)
    return { hasHeader, header: cells.map((_, index) => `${index + 1}`), sample: rows };
  return { hasHeader, header: cells, sample: others, below: below() };
}

async function readHead(
  source: InputFile,
  encoding: string | undefined,
): Promise<{ head: string; isComplete: boolean }> {
  let head = '';
  for await (const text of decode(source, encoding)) {
    head += text;
    if (head.length > headLength) return { head, isComplete: false };
  }
  return { head, isComplete: true };
}

/**
 * Returns the offset of the header: below the skipped lines, blank lines, and the `sep=;` line that
 * some spreadsheets write.
 */
function headerStart(head: string, skipLines: number): number {
  // A dot would also stop at U+2028, and the loop would never end.
  const lines = /([^\r\n]*)(\r\n|\n|\r|$)/gy;
  for (let skipped = 0; lines.lastIndex < head.length; skipped += 1) {
    const start = lines.lastIndex;
    const [, text = ''] = lines.exec(head) ?? [];
    if (skipped >= skipLines && !isBlank(text) && !/^sep=.$/i.test(text)) return start;
  }
  return head.length;
}

function separator(titles: string): string | undefined {
  const named = /(?:^|[\r\n])sep=(.)[\r\n]*$/i.exec(titles)?.[1];
  return delimiters.find((delimiter) => delimiter === named);
}

/* Returns the delimiter that occurs most often in the header line, outside of quotes. */
function likelyDelimiter(text: string): string {
  const bare = text.slice(0, rowEnd(text)).replace(/"(?:[^"]|"")*"/g, '');
  const count = (delimiter: string) => bare.split(delimiter).length;
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}

function invalid(
  message: string,
  hint = 'carbon expects a CSV file or workbook with a header line.',
): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}

const maxText = 64 * 1024;
const maxRows = 50;

/** The row below the titles that seems to be the header. */
export interface HeaderBelow {
  /** Physical line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface Candidate extends HeaderBelow {
  /** Number of rows with as many cells. */
  readonly rows: number;
  readonly isFirst: boolean;
}

/*
 * Finds the header of a text that begins with titles: the first row that has as many cells as most
 * rows, more than half of them not blank.
 *
 * @param line the physical line on which the text begins
 * @returns undefined if that is the first row, or if no number of cells prevails
 */
function findHeaderBelow(
  text: string,
  line: number,
  delimiters: readonly string[],
): HeaderBelow | undefined {
  const candidates = delimiters.flatMap(
    (delimiter) => findHeader(readRows(text, line, delimiter)) ?? [],
  );
  // Prefer the delimiter that splits more rows, then the one that makes more cells.
  const [best] = candidates.sort((a, b) => b.rows - a.rows || b.cells.length - a.cells.length);
  return best === undefined || best.isFirst ? undefined : { line: best.line, cells: best.cells };
}

/** Finds the header of a table that begins with titles, such as a sheet. */
export function findHeaderBelowRows(rows: readonly HeaderBelow[]): HeaderBelow | undefined {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const padded = rows
    .slice(0, maxRows)
    .map(({ line, cells }) => ({ line, cells: padCells(cells, width) }));
  const best = findHeader(padded);
  return best === undefined || best.isFirst ? undefined : { line: best.line, cells: best.cells };
}

/** Adds empty cells to a row that is shorter than others. */
export function padCells(cells: readonly string[], width: number): readonly string[] {
  if (cells.length >= width) return cells;
  return [...cells, ...Array<string>(width - cells.length).fill('')];
}

function findHeader(rows: readonly HeaderBelow[]): Candidate | undefined {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [[width, count] = [0, 0]] = [...counts].sort(([a, x], [b, y]) => y - x || b - a);
  const index = rows.findIndex(({ cells }) => cells.length === width && filled(cells) > width / 2);
  const header = rows[index];
  if (width < 2 || count < 2 || count * 2 < rows.length || header === undefined) return undefined;
  return { ...header, rows: count, isFirst: index === 0 };
}

function readRows(text: string, line: number, delimiter: string): HeaderBelow[] {
  try {
    const block = new RowScanner(delimiter, line, '').push(
      text.slice(0, maxText),
      text.length <= maxText,
    );
    return readCells(block.text, delimiter)
      .map((cells, index) => ({ cells, line: block.lines[index] ?? line }))
      .filter(({ cells }) => !cells.every(isBlank))
      .slice(0, maxRows);
  } catch {
    return [];
  }
}

function filled(cells: readonly string[]): number {
  return cells.filter((cell) => !isBlank(cell)).length;
}

/* Text formats other than CSV, recognized by their beginning. */
const textFormats = [
  {
    begins: /^\s*(?:\[\s*[[{"]|\[\s*$)/,
    what: 'JSON, not CSV',
    hint: `Convert it to CSV with a header line, for example with jq -r '["name"], (.[] | [.name]) | @csv'`,
  },
  {
    begins: /^\s*\{\s*(?:"|$)/,
    what: 'JSON, not CSV',
    hint: `Convert it to CSV with a header line, for example with jq -rn '["name"], (inputs | [.name]) | @csv'`,
  },
  {
    begins: /^\s*<(?:!doctype\s+html|html|head|body|table|script)\b/i,
    what: 'a web page (HTML), not CSV',
    hint: 'The download may be a login page. Export or download the table as CSV.',
  },
  {
    begins: /^\s*<\?xml\b/i,
    what: 'XML, not CSV',
    hint: 'Export the table as CSV.',
  },
] as const;

/*
 * Rejects JSON, HTML and XML.
 *
 * @param text the beginning of the file
 * @param name the name of the file in messages
 * @throws UsageError that names the format
 */
function rejectTextFormats(text: string, name: string): void {
  const start = text.slice(0, 1_000);
  for (const { begins, what, hint } of textFormats) {
    if (begins.test(start)) throw new UsageError(`${name} is ${what}`, hint, 'invalid_input');
  }
}
