/*
 * Finds where the rows of a CSV text begin and end, according to RFC 4180, section 2. It also
 * accepts LF or CR alone and bare quotes in unquoted cells. csv-parse reads the cells, but it does
 * not know the physical line of a row with multi-line cells, nor the line of an unclosed quote. A
 * property test checks that both find the same rows.
 */
import { parse } from 'csv-parse/sync';
import { invalidInput, type UsageError } from '../runtime/carbon-error.ts';

/* Limits how much text an unclosed quote can hold in memory. No valid row is that long. */
const maxRowLength = 4 * 1024 * 1024;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;
const special = /["\r]/;

/** A row of CSV text; an empty line is a row of one empty cell. */
export interface ScannedRow {
  /** Physical line on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** What is wrong with the entire row. */
  readonly problem: string | undefined;
}

/* Shared by all chunks: one buffer per chunk would leave hundreds of megabytes outside the heap. */
let scratch = Buffer.alloc(0);

/* Reads the cells of complete rows. */
function readCells(text: string, delimiter: string): string[][] {
  if (!text.includes('"')) return splitCells(text, delimiter);
  if (scratch.length < text.length * 3) scratch = Buffer.allocUnsafeSlow(text.length * 3);
  return parse(scratch.subarray(0, scratch.write(text)), {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  });
}

/* Most text has no quotes and needs no parser. */
function splitCells(text: string, delimiter: string): string[][] {
  const rows = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
  if (rows.at(-1) === '') rows.pop();
  return rows.map((row) => row.split(delimiter));
}

/** Splits chunks of text into rows. */
export class RowScanner {
  readonly #name: string;
  readonly #lineEnd: string;
  #pending = '';
  /* The line of the quote that `#pending` does not close; 0 without one. */
  #quotedLine = 0;
  #line: number;
  readonly #delimiter: string;

  /**
   * @param delimiter one character
   * @param line the physical line on which the text begins
   * @param name the name of the file in messages
   * @param lineEnd the line ending of the header row, which decides whether a lone CR ends a line
   */
  constructor(delimiter: string, line: number, name: string, lineEnd: string = '\n') {
    this.#name = name;
    this.#lineEnd = lineEnd;
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
    if (!isLast && !this.#mayEnd(chunk)) {
      this.#wait(chunk);
      return [];
    }
    const text = this.#pending + chunk;
    if (!special.test(text)) return this.#pushPlain(text, isLast);
    const delimiter = this.#delimiter.charCodeAt(0);
    const lines: number[] = [];
    const misquoted = new Map<number, number>();
    let rowStart = 0;
    let rowLine = this.#line;
    let line = this.#line;
    let cellStart = 0;
    let quoteStart = -1;
    let quotedLine = 0;
    let offset = 0;
    for (; offset < text.length; offset += 1) {
      let code = text.charCodeAt(offset);
      if (code === quote && offset === cellStart) {
        quoteStart = offset;
        quotedLine = line;
        offset = this.#closing(text, offset + 1);
        if (offset < 0) break;
        const inside = text.slice(quoteStart + 1, offset);
        line += lineBreaks(inside, this.#lineEnd);
        offset += 1;
        if (offset >= text.length) break;
        code = text.charCodeAt(offset);
        const isClosed = code === delimiter || code === lineFeed || code === carriageReturn;
        if (!isClosed && (line > quotedLine || inside.includes(this.#delimiter))) {
          misquoted.set(lines.length, quotedLine);
        }
        quoteStart = -1;
      }
      if (code === delimiter) cellStart = offset + 1;
      else if (code === lineFeed || code === carriageReturn) {
        const breakStart = offset;
        if (code === carriageReturn) {
          if (offset + 1 === text.length && !isLast) break;
          if (text.charCodeAt(offset + 1) === lineFeed) offset += 1;
        }
        lines.push(rowLine);
        line += code === lineFeed || offset > breakStart ? 1 : lineBreaks('\r', this.#lineEnd);
        rowLine = line;
        rowStart = offset + 1;
        cellStart = rowStart;
      }
    }
    if (offset < 0 && isLast) throw this.#unclosed(quotedLine);
    if (isLast && rowStart < text.length) {
      lines.push(rowLine);
      rowStart = text.length;
    }
    this.#pending = '';
    this.#line = rowLine;
    this.#quotedLine = offset < 0 ? quotedLine : 0;
    this.#wait(text.slice(rowStart));
    return readCells(text.slice(0, rowStart), this.#delimiter).map((cells, index) => {
      const opened = misquoted.get(index);
      const problem =
        opened === undefined
          ? undefined
          : `has a quote that opens on line ${opened} and closes in the middle of a cell`;
      return { line: lines[index] ?? 0, cells, problem };
    });
  }

  /* Most text has no quotes and no CR, so that each LF ends a row. */
  #pushPlain(text: string, isLast: boolean): readonly ScannedRow[] {
    const end = isLast ? text.length : text.lastIndexOf('\n') + 1;
    this.#pending = '';
    this.#wait(text.slice(end));
    return readCells(text.slice(0, end), this.#delimiter).map((cells) => ({
      line: this.#line++,
      cells,
      problem: undefined,
    }));
  }

  /* Avoids scanning a long row again for each of its chunks. */
  #mayEnd(chunk: string): boolean {
    return this.#quotedLine > 0
      ? chunk.includes('"')
      : this.#pending.endsWith('\r') || /[\r\n]/.test(chunk);
  }

  #wait(chunk: string): void {
    this.#pending += chunk;
    if (this.#pending.length <= maxRowLength) return;
    if (this.#quotedLine > 0) throw this.#unclosed(this.#quotedLine);
    throw this.#error(
      this.#line,
      'the row has more than four million characters',
      'Check that the file is CSV and that each row ends with a line break.',
    );
  }

  /* Returns the offset of the closing quote after doubled quotes; -1 if the text ends before it. */
  #closing(text: string, from: number): number {
    let offset = text.indexOf('"', from);
    while (offset >= 0 && text.charCodeAt(offset + 1) === quote)
      offset = text.indexOf('"', offset + 2);
    return offset;
  }

  #unclosed(line: number): UsageError {
    return this.#error(
      line,
      'a quoted cell begins here and has no closing quote',
      'Close the quote, or double each quote within a quoted cell: "The ""Best"" Ltd".',
    );
  }

  #error(line: number, problem: string, hint: string): UsageError {
    return invalidInput(`${this.#name}, line ${line}: ${problem}`, hint);
  }
}

/** Returns the offset of the first line break outside of quotes, or the length of the text. */
export function rowEnd(text: string): number {
  const marks = /[\r\n"]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] !== '"') return mark.index;
    // An unclosed quote is an ordinary character.
    const closing = text.indexOf('"', marks.lastIndex);
    if (closing >= 0) marks.lastIndex = closing + 1;
  }
  return text.length;
}

/**
 * Counts line breaks. If rows end with CR alone, each of CRLF, LF and CR is one. In any other file
 * only LF is, as in an editor: a lone CR is part of a cell.
 */
export function lineBreaks(text: string, lineEnd: string): number {
  let count = 0;
  for (let offset = text.indexOf('\n'); offset >= 0; offset = text.indexOf('\n', offset + 1))
    count += 1;
  if (lineEnd !== '\r') return count;
  for (let offset = text.indexOf('\r'); offset >= 0; offset = text.indexOf('\r', offset + 1)) {
    if (text.charCodeAt(offset + 1) !== lineFeed) count += 1;
  }
  return count;
}
