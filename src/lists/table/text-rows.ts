/*
 * Decodes the bytes of a CSV file and splits the text into rows, by RFC 4180 with LF, CR or CRLF as
 * the end of a row and with bare quotes in unquoted cells. No character is replaced and no encoding
 * is guessed: invalid bytes and NUL characters are errors.
 */
import { TextDecoder } from 'node:util';
import type { Options } from 'csv-parse/sync';
import { codeOf, invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { foreignFormat, isBinary } from '../workbook/foreign-format.ts';
import { codePageDecoder, type Decoder } from './code-pages.ts';
import type { InputFile } from './input-file.ts';

/**
 * Decodes a file by its byte order mark, otherwise by a label of the Encoding Standard or MS-DOS,
 * otherwise as UTF-8.
 *
 * @throws UsageError for an unknown label, for invalid bytes, for NUL characters, and for text that
 * was certainly not written in windows-1252 if that is the label
 */
export async function* decode(
  source: InputFile,
  encoding: string | undefined,
): AsyncGenerator<string, void, void> {
  let decoder: Decoder | undefined;
  let before = '';
  let label = '';
  const invalidText = async (wrong: RegExp) => {
    const { notText } = await import('./not-text.ts');
    return notText(source, label, wrong, encoding);
  };
  const read = async (bytes?: Buffer): Promise<string> => {
    decoder ??= openDecoder(source, encoding, bytes ?? Buffer.alloc(0));
    label = decoder.encoding;
    let text: string;
    try {
      text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw await invalidText(/\ufffd/);
    }
    if (text.includes('\0')) throw await invalidText(/\0/);
    if (label === 'windows-1252') {
      if (notWindows1252.test(before + text)) throw await invalidText(notWindows1252);
      before = text.slice(-2);
    }
    return text;
  };
  for await (const bytes of source.bytes()) yield read(bytes);
  yield read();
}

/*
 * What windows-1252 shows of the letters of MS-DOS and of Central Europe: the five bytes without a
 * character, low quotation marks and daggers within a word, and a capital between small letters.
 */
export const notWindows1252 =
  /[\x81\x8d\x8f\x90\x9d]|\p{L}[\u201a\u201e\u2020\u2021]\p{L}|\p{Ll}[\u0160\u017d\u0152]\p{Ll}/u;

const byteOrderMarks: Readonly<Record<string, string>> = {
  efbbbf: 'utf-8',
  fffe: 'utf-16le',
  feff: 'utf-16be',
};

function openDecoder(source: InputFile, encoding = 'utf-8', first: Buffer): Decoder {
  if (isBinary(first)) throw foreignFormat(source.name);
  const mark = first.toString('hex', 0, 3);
  const label = byteOrderMarks[mark] ?? byteOrderMarks[mark.slice(0, 4)] ?? encoding;
  return createDecoder(label, true);
}

/** @throws UsageError for an unknown label */
export function createDecoder(label: string, fatal: boolean): Decoder {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    const decoder = codePageDecoder(label);
    if (decoder !== undefined) return decoder;
    throw new UsageError(
      `--encoding: "${label}" is not a known encoding`,
      `${/^(?:ansi|win(?:dows)?-?(?:1252)?|western.*)$/i.test(label) ? 'Did you mean --encoding windows-1252? ' : ''}Common encodings: utf-8, utf-16le, windows-1252 (Western European), ibm850 (MS-DOS), shift_jis, gb18030, big5, euc-kr.`,
    );
  }
}

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

interface ParsedText {
  readonly rows: readonly ScannedRow[];
  /** The text of a last row whose quote is not closed yet. */
  readonly open?: string;
}

/**
 * Splits chunks of text into rows: with csv-parse, or without a parser where the text has no
 * quotes, which makes reading most lists several times as fast and does not load the parser.
 */
export class RowScanner {
  readonly #name: string;
  readonly #options: Options;
  readonly #delimiter: string;
  #line: number;
  #pending = '';
  /* Length of the pending text at which it is parsed again, so that a long row costs little. */
  #wanted = 0;

  /** Takes the physical line on which the text begins, and the name of the file in messages. */
  constructor(delimiter: string, line: number, name: string) {
    this.#name = name;
    this.#delimiter = delimiter;
    this.#line = line;
    this.#options = {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
    };
  }

  /** Returns the rows that a chunk completes; throws a UsageError for a quote that stays open. */
  async push(chunk: string, isLast: boolean): Promise<readonly ScannedRow[]> {
    const all = this.#pending + chunk;
    this.#pending = all;
    if (!isLast && all.length < this.#wanted) return [];
    const end = isLast ? all.length : lastBreakOf(all);
    const text = all.slice(0, end);
    const { rows, open } = all.includes('"') ? await this.#parse(text) : this.#split(text);
    this.#pending = (open ?? '') + all.slice(end);
    const { length } = this.#pending;
    if (length > maxRowLength || (isLast && open !== undefined)) throw this.#endless(open);
    this.#wanted = rows.length === 0 ? Math.min(length * 2, maxRowLength + 1) : 0;
    return rows;
  }

  #endless(open: string | undefined): Error {
    return open === undefined
      ? this.#error(
          'the row has more than four million characters',
          'Check that the file is CSV and that each row ends with a line break.',
        )
      : this.#error(
          'a quoted cell begins here and has no closing quote',
          'Close the quote, or double each quote within a quoted cell: "The ""Best"" Ltd".',
        );
  }

  #split(text: string): ParsedText {
    const lines = text.split(text.includes('\r') ? /\r\n|\n|\r/ : '\n');
    if (lines.at(-1) === '') lines.pop();
    const row = (line: string) => ({
      line: this.#line++,
      cells: line.split(this.#delimiter),
      problem: undefined,
    });
    return { rows: lines.map(row) };
  }

  async #parse(text: string): Promise<ParsedText> {
    const { parse } = await import('csv-parse/sync');
    if (scratch.length < text.length * 3) scratch = Buffer.allocUnsafeSlow(text.length * 3);
    const bytes = scratch.subarray(0, scratch.write(text));
    const hasBackslashes = text.includes('\\"');
    try {
      const rows = parse(bytes, this.#options).map((cells) => this.#toRow(cells));
      if (hasBackslashes) this.#checkBackslashes(rows, text);
      return { rows };
    } catch (error) {
      if (codeOf(error) !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    }
    // The last line break is within quotes: only rows before the open one are complete.
    const rows: ScannedRow[] = [];
    let complete = 0;
    const keep = (cells: string[], info: { bytes: number }) => {
      rows.push(this.#toRow(cells));
      complete = info.bytes;
      return null;
    };
    try {
      parse(bytes, { ...this.#options, on_record: keep });
    } catch {
      // The same error.
    }
    if (hasBackslashes) this.#checkBackslashes(rows, text);
    return { rows, open: bytes.toString('utf8', complete) };
  }

  /*
   * MySQL writes a quote within a quoted cell as \", which ends the cell for every other reader.
   * Where csv-parse kept such a cell as it stands in the text, the following cells and rows may be
   * parts of it.
   */
  #checkBackslashes(rows: readonly ScannedRow[], text: string): void {
    // A quoted cell that begins with a quote has another quote before it.
    const isKept = (cell: string) => {
      const at = text.indexOf(cell);
      return at >= 0 && text[at - 1] !== '"';
    };
    for (const { line, cells } of rows) {
      const index = cells.findIndex(
        (cell) => /^".*\\"/s.test(cell) && (isKept(cell) || isKept(cell.replaceAll('\\"', '\\""'))),
      );
      if (index < 0) continue;
      const opened = line + breaksOf(cells.slice(0, index));
      throw invalidInput(
        `${this.#name}, line ${opened}: \\" within a quoted cell is not CSV`,
        'Double each quote within a quoted cell: "The ""Best"" Ltd". To export the list again from MySQL, use ESCAPED BY \'"\'.',
      );
    }
  }

  #toRow(cells: readonly string[]): ScannedRow {
    const line = this.#line;
    this.#line += 1 + breaksOf(cells);
    // csv-parse keeps the quotes of a cell that does not end at its closing quote.
    const index = cells.findIndex((cell) => /^"[^"]*[\r\n]/.test(cell));
    if (index < 0) return { line, cells, problem: undefined };
    const opened = line + breaksOf(cells.slice(0, index));
    const problem = `has a quote that opens on line ${opened} and closes in the middle of a cell`;
    return { line, cells, problem };
  }

  #error(problem: string, hint: string): Error {
    return invalidInput(`${this.#name}, line ${this.#line}: ${problem}`, hint);
  }
}

/* Returns where the last line ends; a CR at the end may be half of a CRLF. */
function lastBreakOf(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.slice(0, -1).lastIndexOf('\r')) + 1;
}

/* Shared by all chunks: one buffer per chunk would leave hundreds of megabytes outside the heap. */
let scratch = Buffer.alloc(0);

function breaksOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
}

/** Counts line breaks: each of CRLF, LF and CR is one, as in VS Code. */
export function lineBreaks(text: string): number {
  return /[\r\n]/.test(text) ? text.split(/\r\n|\n|\r/).length - 1 : 0;
}
