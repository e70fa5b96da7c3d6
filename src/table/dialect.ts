import { fieldsOfHeader } from '../registration/fields.ts';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import { foreignFormat, isZip } from '../workbook/foreign-format.ts';
import { isBlank } from './cell.ts';
import { decode } from './decode.ts';
import {
  type CsvDialect,
  type CsvDialectOptions,
  filled,
  findHeaderBelow,
  headLength,
  maxSample,
} from './header.ts';
import type { InputFile } from './input-file.ts';
import { lineBreaks, RowScanner } from './scanner.ts';

const delimiters = [',', ';', '\t', '|'] as const;

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
    throw invalidInput(
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
  const { encoding, skipLines = 0, sheet } = options;
  if (isZip(await source.readAt(0, 4))) {
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
  if (sheet !== undefined) {
    throw new UsageError(
      `--sheet: ${source.name} is not an .xlsx workbook, so it has no sheet "${sheet}"`,
      'Remove --sheet, or use a workbook.',
    );
  }
  if (head.trim() === '') throw invalidInput(`${source.name} is empty`, expected);
  const start = headerStart(head, skipLines);
  const titles = head.slice(0, start);
  const table = head.slice(start);
  if (otherText.test(table.slice(0, 1_000))) throw foreignFormat(source.name);
  const line = 1 + lineBreaks(titles);
  // An unclosed quote is an ordinary character.
  const [first = ''] = table.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const delimiter = separator(titles) ?? likelyDelimiter(first);
  const scanner = new RowScanner(delimiter, line, source.name);
  const [header, ...sample] = scanner.push(table, isComplete).slice(0, maxSample);
  if (header === undefined && !isComplete && table.trim() !== '') {
    throw invalidInput(
      `${source.name}, line ${line}: the header is longer than ${headLength / 1024} KiB`,
      'Check that each row ends with a line break and that each quote in the header is closed.',
    );
  }
  if (header === undefined || table.trim() === '') {
    const below = skipLines > 0 ? ` below the ${skipLines} skipped lines` : '';
    throw invalidInput(`${source.name} has no header${below}`, expected);
  }
  const form = { encoding, titles, delimiter, headerLine: line };
  const below = findHeaderBelow(table, line, delimiters);
  return { ...form, header: header.cells, sample, below };
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

/* Returns the delimiter that occurs most often in the header line without its quoted cells. */
function likelyDelimiter(line: string): string {
  const count = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}

const expected = 'carbon expects a CSV file or workbook with a header line.';

/* The beginning of JSON, HTML and XML. */
const otherText =
  /^\s*(?:\[\s*(?:[[{"]|$)|\{\s*(?:"|$)|<(?:!doctype\s+html|html|head|body|table|script)\b|<\?xml\b)/i;
