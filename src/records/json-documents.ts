/*
 * Parses bytes into JSON documents: one per line, as `--json` prints them, or several lines between
 * a lone `{` and `}`, as formatters write them. Only the current document is in memory.
 */
import { UsageError } from '../runtime/carbon-error.ts';
import { itemTexts } from './json-slices.ts';
import { EncodingError, type Line, LineLengthError, LineSplitter } from './text-lines.ts';

/** A file or stream of records. */
export interface RecordFile {
  /** The name for messages. */
  readonly name: string;
  /** Chunks, each valid until the next one. */
  readonly bytes: AsyncIterable<Uint8Array | string>;
}

/** A JSON value with its first line and its text. */
export interface JsonDocument {
  readonly line: number;
  readonly value: unknown;
  readonly text: () => string;
}

const maxDocumentBytes = 1 << 26;

/**
 * Reads the JSON documents of a file from its chunks, and the items of lists one by one. It skips
 * blank lines and a byte order mark.
 */
export class DocumentReader {
  readonly #name: string;
  readonly #lines: LineSplitter;
  /* The lines of the current document. */
  #held: string[] = [];
  #from = 0;
  #size = 0;
  /** The first line of the last document, if the input ends within it. */
  truncatedAt: number | undefined;

  /** @param name name of the file for messages */
  constructor(name: string) {
    this.#name = name;
    this.#lines = new LineSplitter(maxDocumentBytes);
  }

  /**
   * Adds a chunk of UTF-8, and yields the documents that it completes.
   * @throws UsageError with the line of invalid JSON
   */
  *push(chunk: Buffer): Generator<JsonDocument> {
    try {
      for (const line of this.#lines.push(chunk)) yield* this.#add(line);
    } catch (error) {
      throw this.explain(error);
    }
  }

  /**
   * Returns the documents of the last line, which the input may truncate.
   * @throws UsageError as `push` does
   */
  end(): readonly JsonDocument[] {
    try {
      return this.#add(this.#lines.end());
    } catch (error) {
      throw this.explain(error);
    }
  }

  /** Returns the error for the user if the input is no text, else the same error. */
  explain(error: unknown): unknown {
    if (error instanceof LineLengthError) {
      return broken(this.#name, error.line, 'is longer than 64 MiB');
    }
    if (!(error instanceof EncodingError)) return error;
    return new UsageError(
      `${this.#name} is not UTF-8 text`,
      'Records are lines of JSON, as `carbon get --json` prints them.',
      'invalid_input',
    );
  }

  #add({ text, line, isCut }: Line): readonly JsonDocument[] {
    const held = this.#held;
    if (held.length === 0) {
      if (text.trim() === '') return [];
      [this.#from, this.#size] = [line, 0];
    }
    const from = this.#from;
    held.push(text);
    this.#size += text.length + 1;
    if (this.#size > maxDocumentBytes) throw broken(this.#name, from, 'is longer than 64 MiB');
    const isOpen = isOpening(held[0] ?? '') && !closing.test(text);
    if (isOpen && !isCut) return [];
    this.#held = [];
    const documents = parseDocuments(held.length === 1 ? text : held.join('\n'), from);
    if (documents === undefined && !isCut) throw notJson(this.#name, from, text);
    if (documents === undefined) this.truncatedAt = from;
    return documents ?? [];
  }
}

/* Parses a text into its value, or into the items of its list; undefined if it is not JSON. */
function parseDocuments(json: string, line: number): readonly JsonDocument[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  return Array.isArray(value) ? itemsOf(value, json, line) : [{ line, value, text: () => json }];
}

function itemsOf(items: readonly unknown[], json: string, line: number): JsonDocument[] {
  let texts: readonly string[] | undefined;
  return items.map((value, index) => ({
    line,
    value,
    text: () => {
      texts ??= itemTexts(json);
      return texts[index] ?? '';
    },
  }));
}

/*
 * A document from a formatter starts with a brace or bracket alone on its line, and ends with one
 * that is not indented.
 */
const opening = /^\s*[{[]\s*$/;
const closing = /^[}\]]\s*$/;

/* Checks whether a line is the first one of a document of several lines. */
function isOpening(text: string): boolean {
  return opening.test(text);
}

function notJson(name: string, line: number, text: string): UsageError {
  // Only the first line can be the header line of a CSV file.
  if (line > 1 || !/^(?:"[^"]*"|[^{["]*)[,;\t]/.test(text))
    return broken(name, line, 'is not JSON');
  return new UsageError(
    `${name} looks like CSV, not JSON`,
    'Records are lines of JSON, as `carbon get --json` prints them.',
    'invalid_input',
  );
}

function broken(name: string, line: number, problem: string): UsageError {
  return new UsageError(
    `${name}, line ${line} ${problem}`,
    'Fix or remove the line, because figures from a part of the file would be wrong. `carbon get --json` prints one record per line.',
    'invalid_input',
  );
}
