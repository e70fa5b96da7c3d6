import { fieldsOfHeader } from '../../client/registration/fields.ts';
import { type FindChoices, invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { foreignFormat, isZip } from '../workbook/foreign-format.ts';
import type { WrittenCell } from '../workbook/sheet-xml.ts';
import { isBlank } from './cell.ts';
import type { InputFile } from './input-file.ts';
import { isResultHeader } from './output-cell.ts';
import { decode, lineBreaks, RowScanner } from './text-rows.ts';

/** Options that describe the format of the file, which is recognized by default. */
export interface CsvDialectOptions {
  readonly encoding?: string | undefined;
  /** Number of physical lines above the header. */
  readonly skipLines?: number | undefined;
  /** Name of the sheet of a workbook; by default the first visible one. */
  readonly sheet?: string | undefined;
}

/** The format of a CSV file or workbook, detected from its beginning. Lines count from 1. */
export interface CsvDialect {
  /** Name of the sheet if the file is a workbook, which has no text format. */
  readonly sheet?: string | undefined;
  readonly encoding: string | undefined;
  /** The unchanged text above the header. */
  readonly titles: string;
  readonly delimiter: string;
  readonly header: readonly string[];
  /** Whether carbon wrote the table as a result, which is no list of organizations. */
  readonly isResult?: boolean;
  /** The cells of the header of a sheet as they are stored. */
  readonly storedHeader?: readonly WrittenCell[] | undefined;
  readonly headerLine: number;
  /** The first rows below the header, which show what the columns hold. */
  readonly sample: readonly SampleRow[];
  /** A lower row that may be the header, because it has as many cells as most rows. */
  readonly below?: SampleRow | undefined;
}

/** A row near the beginning of the file. */
export interface SampleRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Maximum length of the text that is searched for the header, in characters. */
export const headLength = 256 * 1024;
/** Maximum number of rows from which columns are recognized. */
export const maxSample = 1_000;
const delimiters = [',', ';', '\t', '|'] as const;
const expected = 'Use a CSV file or workbook with a header line.';

/** Returns the error for a table of results in place of a list. */
export function notAList(name: string, others = ''): UsageError {
  return invalidInput(
    `${name} is a table of results that carbon wrote, not a list of organizations`,
    `Use the list that it was made from.${others}`,
  );
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
  const { header, sample, below } = detected;
  if (options.skipLines !== undefined || below === undefined) return detected;
  if (!below.cells.some((cell) => fieldsOfHeader(cell).includes('name'))) return detected;
  const skipLines = below.line - 1;
  if (header.some((cell) => fieldsOfHeader(cell).length > 0)) {
    if (filled(header) >= filled(below.cells)) return detected;
    throw invalidInput(
      `The first line seems to be a title, and line ${below.line} seems to be the header`,
      `Use --skip-lines ${skipLines}. If the first line is the header, use --skip-lines 0.`,
      async () => {
        const { chooseHeader } = await import('./choices.ts');
        const first = { line: detected.headerLine, cells: header };
        return chooseHeader('The first line seems to be a title', [first, ...sample], below);
      },
    );
  }
  source.titleLines = skipLines;
  return detect(source, { ...options, skipLines });
}

async function detect(source: InputFile, options: CsvDialectOptions): Promise<CsvDialect> {
  const { encoding, skipLines = 0, sheet } = options;
  if (isZip(source.readStart(4))) {
    const { detectSheet } = await import('./sheet.ts');
    return detectSheet(source, options);
  }
  let head = '';
  let isComplete = true;
  for await (const text of decode(source, encoding)) {
    head += text;
    isComplete = head.length <= headLength;
    if (!isComplete) break;
  }
  if (sheet !== undefined)
    throw new UsageError(
      `--sheet: ${source.name} is not an .xlsx workbook, so it has no sheet "${sheet}"`,
      'Remove --sheet, or use a workbook.',
    );
  if (head.trim() === '') throw invalidInput(`${source.name} is empty`, expected);
  const start = headerStart(head, skipLines);
  const titles = head.slice(0, start);
  const table = head.slice(start);
  if (otherText.test(table.slice(0, 1_000))) throw foreignFormat(source.name, table);
  const line = 1 + lineBreaks(titles);
  const readings = await Promise.all(
    delimiters.map(async (by) => {
      const scanner = new RowScanner(by, line, '');
      const read = scanner.push(table.slice(0, maxText), table.length <= maxText);
      return { delimiter: by, rows: await read.catch(() => []) };
    }),
  );
  // A separator line decides; otherwise the delimiter that occurs most often in the header line. An
  // unclosed quote is an ordinary character.
  const [first = ''] = table.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const named = /(?:^|[\r\n])sep=(.)[\r\n]*$/i.exec(titles)?.[1];
  let delimiter: string =
    delimiters.find((known) => known === named) ??
    delimiters.reduce((best, next) =>
      first.split(next).length > first.split(best).length ? next : best,
    );
  const scan = async (by: string) =>
    (await new RowScanner(by, line, source.name).push(table, isComplete)).slice(0, maxSample);
  let rows = await scan(delimiter);
  if (named === undefined && !hasWidthOfHeader(rows)) {
    const fitting = readings.filter(({ rows: read }) => isOneTable(read));
    const [best, ...others] = fitting;
    if (best !== undefined && others.length === 0) {
      delimiter = best.delimiter;
      rows = await scan(delimiter);
    }
  }
  const [header, ...sample] = rows;
  if (header === undefined && !isComplete && table.trim() !== '')
    throw invalidInput(
      `${source.name}, line ${line}: the header is longer than ${headLength / 1024} KiB`,
      'Check that each row ends with a line break and that each quote in the header is closed.',
    );
  if (header === undefined || table.trim() === '') throw withoutHeader(source, skipLines, expected);
  const below = findHeaderBelow(readings.map(({ rows: read }) => read));
  const { cells } = header;
  const isResult = isResultHeader(cells);
  return { encoding, titles, delimiter, headerLine: line, header: cells, isResult, sample, below };
}

/* The beginning of JSON, HTML and XML. */
const otherText =
  /^\s*(?:\[\s*(?:[[{"]|$)|\{\s*(?:"|$)|<(?:!doctype\s+html|html|head|body|table|script)\b|<\?xml\b)/i;

/*
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

/** Creates the error for a table without a header. */
export function withoutHeader(
  source: InputFile,
  skipLines: number,
  hint: string,
  choices?: FindChoices,
): UsageError {
  const below = skipLines > 0 ? ` below the ${skipLines} skipped lines` : '';
  return invalidInput(`${source.name} has no header${below}`, hint, choices);
}

const maxText = 64 * 1024;
const maxRows = 50;

/**
 * Finds the header of a table that begins with titles: the first row that has as many cells as most
 * rows, more than half of them not blank.
 *
 * @param readings the first rows, as each delimiter splits them
 * @returns undefined if that is the first row, or if no number of cells prevails
 */
export function findHeaderBelow(
  readings: readonly (readonly SampleRow[])[],
): SampleRow | undefined {
  const candidates = readings.flatMap((reading) => {
    const rows = firstRows(reading);
    const counts = new Map<number, number>();
    for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
    const [[width, count] = [0, 0]] = [...counts].sort(([a, x], [b, y]) => y - x || b - a);
    const header = rows.find(({ cells }) => cells.length === width && filled(cells) > width / 2);
    if (width < 2 || count < 2 || count * 2 < rows.length || header === undefined) return [];
    return [{ header, count, width, isFirst: header === rows[0] }];
  });
  // Prefer the delimiter that splits more rows, then the one that makes more cells.
  const [best] = candidates.sort((a, b) => b.count - a.count || b.width - a.width);
  return best?.isFirst ? undefined : best?.header;
}

/* Checks whether any row below the first one has as many cells; true without such a row. */
function hasWidthOfHeader([header, ...others]: readonly SampleRow[]): boolean {
  const rows = others.filter(({ cells }) => !cells.every(isBlank));
  return rows.length === 0 || rows.some(({ cells }) => cells.length === header?.cells.length);
}

/* Checks whether a header and nine of ten of the first rows have the same number of cells. */
function isOneTable(reading: readonly SampleRow[]): boolean {
  const [header, ...rows] = firstRows(reading);
  const width = header?.cells.length ?? 0;
  const fitting = rows.filter(({ cells }) => cells.length === width).length;
  return width >= 2 && fitting > 0 && fitting * 10 >= rows.length * 9;
}

/* Looks at no more rows than it returns and the blank ones between. */
function firstRows(reading: readonly SampleRow[]): SampleRow[] {
  const rows: SampleRow[] = [];
  for (const row of reading) {
    if (!row.cells.every(isBlank)) rows.push(row);
    if (rows.length === maxRows) break;
  }
  return rows;
}

/* Counts the cells that are not blank. */
function filled(cells: readonly string[]): number {
  return cells.filter((cell) => !isBlank(cell)).length;
}
