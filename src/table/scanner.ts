/*
 * Splits chunks of CSV text into rows with csv-parse: RFC 4180, with LF, CR or CRLF as the end of a
 * row, and bare quotes in unquoted cells. Text without quotes needs no parser, which makes reading
 * most lists several times as fast.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { invalidInput } from '../runtime/carbon-error.ts';

/* Limits how much text an unclosed quote can hold in memory. No valid row is that long. */
const maxRowLength = 4 * 1024 * 1024;

/** A row of CSV text; an empty line is a row of one empty cell. */
export interface ScannedRow {
  /** Physical line on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What is wrong with the entire row. */
  readonly problem: string | undefined;
}

/** The complete rows of a text, and the text below them. */
interface ParsedText {
  readonly rows: readonly (readonly string[])[];
  readonly rest: string;
  /** Whether the rest has a quote that is not closed yet. */
  readonly isOpen: boolean;
}

/** Splits chunks of text into rows. */
export class RowScanner {
  readonly #name: string;
  readonly #delimiter: string;
  #line: number;
  #pending = '';
  /* Length of the pending text at which it is parsed again, so that a long row costs little. */
  #wanted = 0;

  /**
   * @param delimiter one character
   * @param line the physical line on which the text begins
   * @param name the name of the file in messages
   */
  constructor(delimiter: string, line: number, name: string) {
    this.#name = name;
    this.#delimiter = delimiter;
    this.#line = line;
  }

  /**
   * Adds a chunk and returns the rows that it completes.
   *
   * @param isLast whether the text ends here
   * @throws UsageError for a quote that is never closed
   */
  push(chunk: string, isLast: boolean): readonly ScannedRow[] {
    this.#pending += chunk;
    if (!isLast && this.#pending.length < this.#wanted) return [];
    const isPlain = !this.#pending.includes('"');
    const read = isPlain ? splitText : parseText;
    const { rows, rest, isOpen } = read(this.#pending, this.#delimiter, isLast);
    const scanned = rows.map((cells) =>
      isPlain ? { line: this.#line++, cells, problem: undefined } : this.#toRow(cells),
    );
    if (isOpen && (isLast || rest.length > maxRowLength))
      throw this.#error(
        'a quoted cell begins here and has no closing quote',
        'Close the quote, or double each quote within a quoted cell: "The ""Best"" Ltd".',
      );
    if (rest.length > maxRowLength)
      throw this.#error(
        'the row has more than four million characters',
        'Check that the file is CSV and that each row ends with a line break.',
      );
    this.#wanted = rows.length === 0 ? Math.min(rest.length * 2, maxRowLength + 1) : 0;
    this.#pending = rest;
    return scanned;
  }

  #toRow(cells: readonly string[]): ScannedRow {
    const line = this.#line;
    this.#line += 1 + cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
    // csv-parse keeps the quotes of a cell that does not end at its closing quote.
    const index = cells.findIndex((cell) => /^"[^"]*[\r\n]/.test(cell));
    if (index < 0) return { line, cells, problem: undefined };
    const before = cells.slice(0, index).map((cell) => lineBreaks(cell));
    const opened = before.reduce((sum, breaks) => sum + breaks, line);
    const problem = `has a quote that opens on line ${opened} and closes in the middle of a cell`;
    return { line, cells, problem };
  }

  #error(problem: string, hint: string): Error {
    return invalidInput(`${this.#name}, line ${this.#line}: ${problem}`, hint);
  }
}

/* Shared by all chunks: one buffer per chunk would leave hundreds of megabytes outside the heap. */
let scratch = Buffer.alloc(0);

function parseText(text: string, delimiter: string, isLast: boolean): ParsedText {
  if (scratch.length < text.length * 3) scratch = Buffer.allocUnsafeSlow(text.length * 3);
  const options = {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  };
  const lastBreak = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2));
  const end = isLast ? text.length : lastBreak + 1;
  const bytes = scratch.subarray(0, scratch.write(text.slice(0, end)));
  try {
    return { rows: parse(bytes, options), rest: text.slice(end), isOpen: false };
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
  }
  // The last line break is within quotes: only rows before the open one are complete.
  const rows: string[][] = [];
  let complete = 0;
  const keep = (row: string[], info: { bytes: number }) => {
    rows.push(row);
    complete = info.bytes;
    return null;
  };
  try {
    parse(bytes, { ...options, on_record: keep });
  } catch {
    // The same error.
  }
  return { rows, rest: bytes.toString('utf8', complete) + text.slice(end), isOpen: true };
}

function splitText(text: string, delimiter: string, isLast: boolean): ParsedText {
  const rows = text.split(text.includes('\r') ? /\r\n|\n|\r(?!$)/ : '\n');
  const rest = rows.pop() ?? '';
  if (isLast && rest !== '') rows.push(rest.replace(/\r$/, ''));
  const cells = rows.map((row) => row.split(delimiter));
  return { rows: cells, rest: isLast ? '' : rest, isOpen: false };
}

/** Counts line breaks: each of CRLF, LF and CR is one, as in VS Code. */
export function lineBreaks(text: string): number {
  return /[\r\n]/.test(text) ? text.split(/\r\n|\n|\r/).length - 1 : 0;
}
