import { UsageError } from '../../runtime/carbon-error.ts';
import { isBlank } from './cell.ts';
import { errorColumn } from './columns.ts';
import { decode } from './decode.ts';
import type { InputFile } from './input-file.ts';
import { refuseOtherFormats } from './other-format.ts';
import { findHeaderBelow, type HeaderBelow } from './preamble.ts';
import { lineBreaks, RowScanner, readCells, rowEnd } from './scanner.ts';

/* How much text is looked at for the header, in characters. */
const headLength = 256 * 1024;
/* How many rows tell what the columns hold. */
const maxSample = 1_000;
const delimiters = [',', ';', '\t', '|'] as const;

/** What the user says about the form of the file. */
export interface CsvDialectOptions {
  /** A label of the Encoding Standard; UTF-8 or the byte order mark decides without it. */
  readonly encoding?: string | undefined;
  /** Physical lines above the header that are not part of the table; 0. */
  readonly skipLines?: number | undefined;
  /** False for a file without a header line: its columns are called 1, 2, 3. */
  readonly header?: boolean | undefined;
}

/** The form of a CSV file, read from its beginning. */
export interface CsvDialect {
  readonly encoding: string | undefined;
  /** The text above the header, as it is. */
  readonly titles: string;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** The cells of the header; the numbers of the columns, from 1, where there is none. */
  readonly header: readonly string[];
  readonly hasHeader: boolean;
  /** Physical line of the header, or of the first row without one, from 1. */
  readonly headerLine: number;
  /** The first rows below the header, to see what the columns hold. */
  readonly sample: readonly Sampled[];
  /** A row below that looks more like the header. */
  readonly below?: HeaderBelow | undefined;
}

/** A row of the beginning of the file. */
export interface Sampled {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads the form of a file: delimiter (from the header line), header, titles above it.
 * @throws UsageError when there is no header
 */
export async function detectDialect(
  source: InputFile,
  options: CsvDialectOptions = {},
): Promise<CsvDialect> {
  const { encoding, skipLines = 0, header: hasHeader = true } = options;
  let head = '';
  let isWhole = true;
  for await (const text of decode(source, encoding)) {
    head += text;
    isWhole = head.length <= headLength;
    if (!isWhole) break;
  }
  if (head.trim() === '') throw invalid(`${source.name} is empty`);
  const titlesLength = headerStart(head, skipLines);
  const titles = head.slice(0, titlesLength);
  const rest = head.slice(titlesLength);
  refuseOtherFormats(rest, source.name);
  // Each break above the header is one that --skip-lines counts.
  const line = 1 + lineBreaks(titles, '\r');
  const lineEnd = /^(?:\r\n|\n|\r)/.exec(rest.slice(rowEnd(rest)))?.[0] ?? '\n';
  const delimiter = separator(titles) ?? likelyDelimiter(rest);
  const block = new RowScanner(delimiter, line, source.name, lineEnd).push(rest, isWhole);
  const rows = readCells(block.text, delimiter)
    .slice(0, maxSample)
    .map((cells, place) => ({ cells, line: block.lines[place] ?? line }));
  const [first, ...others] = rows;
  if (first === undefined && !isWhole && rest.trim() !== '') {
    throw invalid(
      `${source.name}, line ${line}: the header is longer than ${headLength / 1024} KiB`,
      'Check that the rows of this file end with line breaks, and that each quote in the header is closed.',
    );
  }
  if (first === undefined || rest.trim() === '') {
    throw invalid(
      `${source.name} has no header${skipLines > 0 ? ` below the ${skipLines} skipped lines` : ''}`,
    );
  }
  const form = { encoding, titles, delimiter, lineEnd, hasHeader, headerLine: line };
  if (!hasHeader && first.cells.includes(errorColumn)) {
    // A failed-rows file has a header even where the input has none: the numbers of the columns.
    if (!first.cells.every((cell, at) => cell === `${at + 1}` || cell === errorColumn)) {
      throw invalid(
        `${source.name}, line ${line}: the first line is a header, it has the column ${errorColumn}`,
        'Leave out --no-header.',
      );
    }
    return { ...form, hasHeader: true, header: first.cells, sample: others };
  }
  if (!hasHeader) return { ...form, header: first.cells.map((_, at) => `${at + 1}`), sample: rows };
  const below = findHeaderBelow(rest, line, delimiters);
  return { ...form, header: first.cells, sample: others, below };
}

/**
 * The place where the header begins: below the skipped lines, blank lines, and the `sep=;` line
 * that some spreadsheets write.
 */
function headerStart(head: string, skipLines: number): number {
  // Not a dot: that stops at U+2028 too, and would look at one place for ever.
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

/* The one that the header line has most of, outside of quotes. */
function likelyDelimiter(text: string): string {
  const bare = text.slice(0, rowEnd(text)).replace(/"(?:[^"]|"")*"/g, '');
  const count = (delimiter: string) => bare.split(delimiter).length;
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}

function invalid(message: string, hint = 'A CSV file with a header line is expected.'): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}
