/*
 * Where the rows of a CSV text begin and end, by RFC 4180, section 2, and the ways of real files:
 * LF or CR alone, bare quotes in unquoted cells. csv-parse reads the cells; it knows neither the
 * physical line of a row when cells span lines, nor the line of a quote that never ends, so this
 * goes before it. Both see the same rows (a property tests it).
 */
import { parse } from 'csv-parse/sync';
import { UsageError } from '../../runtime/carbon-error.ts';

/* A quote that nobody closed must not swallow a file into memory; no honest row is as long. */
const maxRowLength = 4 * 1024 * 1024;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Whole rows: their text, the physical line (from 1) that each begins on, and which are badly
 * quoted.
 */
export interface Block {
  readonly text: string;
  readonly lines: readonly number[];
  /** By the row's place in `lines`: the line of a quote that closes in the middle of a cell. */
  readonly misquoted: ReadonlyMap<number, number>;
}

/*
 * One for all pieces: a new one for each would be garbage outside of the heap, by the hundred
 * megabytes.
 */
let scratch = Buffer.alloc(0);

/** Reads the cells of whole rows; an empty line is a row of one empty cell. */
export function readCells(text: string, delimiter: string): string[][] {
  if (!text.includes('"')) return splitCells(text, delimiter);
  if (scratch.length < text.length * 3) scratch = Buffer.allocUnsafeSlow(text.length * 3);
  return parse(scratch.subarray(0, scratch.write(text)), {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  });
}

/* Text without quotes, as most is, has nothing to parse. */
function splitCells(text: string, delimiter: string): string[][] {
  const rows = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
  if (rows.at(-1) === '') rows.pop();
  return rows.map((row) => row.split(delimiter));
}

/** Splits text that comes in pieces into blocks of whole rows. */
export class RowScanner {
  readonly name: string;
  readonly #lineEnd: string;
  #rest = '';
  /* Whether the rest ends within quotes. */
  #isQuoted = false;
  #quotedLine = 0;
  #line: number;
  readonly #delimiter: number;

  /**
   * @param delimiter one character
   * @param line the physical line that the text begins on
   * @param name what the user calls the file, for messages
   * @param lineEnd how the header row ends, which decides whether a lone CR counts as a line
   */
  constructor(delimiter: string, line: number, name: string, lineEnd: string = '\n') {
    this.name = name;
    this.#lineEnd = lineEnd;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#line = line;
  }

  /**
   * Takes the next piece and returns the rows that are complete with it.
   * @param isLast whether the text ends here
   * @throws UsageError for a quote that is never closed
   */
  push(piece: string, isLast: boolean): Block {
    if (!isLast && !this.#mayEnd(piece)) return this.#wait(piece);
    const text = this.#rest + piece;
    const delimiter = this.#delimiter;
    const lines: number[] = [];
    const misquoted = new Map<number, number>();
    let rowStart = 0;
    let rowLine = this.#line;
    let line = this.#line;
    let cellStart = 0;
    let quotedAt = -1;
    let quotedLine = 0;
    let at = 0;
    for (; at < text.length; at += 1) {
      let code = text.charCodeAt(at);
      if (code === quote && at === cellStart) {
        quotedAt = at;
        quotedLine = line;
        at = this.#closing(text, at + 1);
        if (at < 0) break;
        const inside = text.slice(quotedAt + 1, at);
        line += lineBreaks(inside, this.#lineEnd);
        at += 1;
        if (at >= text.length) break;
        code = text.charCodeAt(at);
        const isClosed = code === delimiter || code === lineFeed || code === carriageReturn;
        if (!isClosed && (line > quotedLine || inside.includes(String.fromCharCode(delimiter)))) {
          misquoted.set(lines.length, quotedLine);
        }
        quotedAt = -1;
      }
      if (code === delimiter) cellStart = at + 1;
      else if (code === lineFeed || code === carriageReturn) {
        const from = at;
        if (code === carriageReturn) {
          if (at + 1 === text.length && !isLast) break;
          if (text.charCodeAt(at + 1) === lineFeed) at += 1;
        }
        lines.push(rowLine);
        line += code === lineFeed || at > from ? 1 : lineBreaks('\r', this.#lineEnd);
        rowLine = line;
        rowStart = at + 1;
        cellStart = rowStart;
      }
    }
    if (at < 0 && isLast) throw this.#unclosed(quotedLine, 'is never closed');
    if (isLast && rowStart < text.length) {
      lines.push(rowLine);
      rowStart = text.length;
    }
    this.#rest = '';
    this.#line = rowLine;
    this.#isQuoted = at < 0;
    if (this.#isQuoted) this.#quotedLine = quotedLine;
    this.#wait(text.slice(rowStart));
    return { text: text.slice(0, rowStart), lines, misquoted };
  }

  /* Spares scanning a long row again for every piece of it. */
  #mayEnd(piece: string): boolean {
    return this.#isQuoted ? piece.includes('"') : this.#rest.endsWith('\r') || /[\r\n]/.test(piece);
  }

  #wait(piece: string): Block {
    this.#rest += piece;
    if (this.#rest.length > maxRowLength) {
      throw this.#unclosed(
        this.#isQuoted ? this.#quotedLine : this.#line,
        'does not end within four million characters',
      );
    }
    return { text: '', lines: [], misquoted: new Map() };
  }

  /* The place of the quote that ends the cell, past doubled ones; -1 where the text ends before. */
  #closing(text: string, from: number): number {
    let at = text.indexOf('"', from);
    while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
    return at;
  }

  #unclosed(line: number, how: string): UsageError {
    return new UsageError(
      `${this.name}, line ${line}: a quote or row that begins here ${how}`,
      'A quote within a quoted cell is written twice: "The ""Best"" Ltd".',
      'invalid_input',
    );
  }
}

/**
 * Where the first row of a text ends: the place of the first line break outside of quotes, or the
 * end of the text.
 */
export function rowEnd(text: string): number {
  const marks = /[\r\n"]/g;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] !== '"') return mark.index;
    // A quote that nobody closes is a character like others.
    const closing = text.indexOf('"', marks.lastIndex);
    if (closing >= 0) marks.lastIndex = closing + 1;
  }
  return text.length;
}

/**
 * Counts line breaks. Where rows end with CR alone, each of CRLF, LF and CR is one. In any other
 * file only LF is, as to an editor: a lone CR there is a character of a cell.
 */
export function lineBreaks(text: string, lineEnd: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  if (lineEnd !== '\r') return count;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) !== lineFeed) count += 1;
  }
  return count;
}
