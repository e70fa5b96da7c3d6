/*
 * Parses bytes into JSON documents: one per line, as `--json` prints them, or several lines between
 * a lone `{` and `}`, as formatters write them. Only the current document is in memory.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import { itemTexts } from './json-slices.ts';
import { EncodingError, type Line, LineLengthError, linesOf } from './text-lines.ts';

/** A file or stream of records. */
export interface RecordFile {
  /** The name for messages. */
  readonly name: string;
  /** Chunks, each valid until the next one. */
  readonly bytes: AsyncIterable<Uint8Array | string>;
}

/**
 * A JSON value with its first line and its text, or the first line of a document that the input
 * truncates.
 */
export type Document =
  | { readonly line: number; readonly value: unknown; readonly text: () => string }
  | { readonly truncatedAt: number };

const maxDocumentBytes = 1 << 26;

/**
 * Yields the JSON documents of a file in groups, and the items of lists one by one. It skips blank
 * lines and a byte order mark.
 * @throws UsageError with the line of invalid JSON, except for a truncated last line
 */
export async function* readDocuments(file: RecordFile): AsyncGenerator<Iterable<Document>> {
  const reader = new DocumentReader(file);
  try {
    for await (const lines of linesOf(file.bytes, maxDocumentBytes)) yield reader.read(lines);
  } catch (error) {
    throw reader.explain(error);
  }
}

class DocumentReader {
  readonly #file: RecordFile;
  /* The lines of the current document. */
  #held: string[] = [];
  #from = 0;
  #size = 0;

  constructor(file: RecordFile) {
    this.#file = file;
  }

  *read(lines: Iterable<Line>): Generator<Document> {
    try {
      for (const line of lines) yield* this.#add(line);
    } catch (error) {
      throw this.explain(error);
    }
  }

  #add({ text, line, isCut }: Line): readonly Document[] {
    const held = this.#held;
    if (held.length === 0) {
      if (text.trim() === '') return [];
      [this.#from, this.#size] = [line, 0];
    }
    const from = this.#from;
    held.push(text);
    this.#size += text.length + 1;
    if (this.#size > maxDocumentBytes) throw broken(this.#file, from, 'is longer than 64 MiB');
    const isOpen = opening.test(held[0] ?? '') && !closing.test(text);
    if (isOpen && !isCut) return [];
    this.#held = [];
    const json = held.length === 1 ? text : held.join('\n');
    const value = parse(json);
    if (value === undefined && !isCut) throw broken(this.#file, from, 'is not JSON');
    if (value === undefined) return [{ truncatedAt: from }];
    return Array.isArray(value)
      ? itemsOf(value, json, from)
      : [{ line: from, value, text: () => json }];
  }

  explain(error: unknown): unknown {
    const { name } = this.#file;
    if (error instanceof LineLengthError) {
      return broken(this.#file, error.line, 'is longer than 64 MiB');
    }
    if (!(error instanceof EncodingError)) return error;
    return new UsageError(
      `${name} is not UTF-8 text`,
      'Records are lines of JSON, as `carbon get --json` prints them.',
      'invalid_input',
    );
  }
}

function itemsOf(items: readonly unknown[], json: string, line: number): Document[] {
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function broken({ name }: RecordFile, line: number, problem: string): UsageError {
  return new UsageError(
    `${name}, line ${line} ${problem}`,
    'Fix or remove the line, because figures from a part of the file would be wrong. `carbon get --json` prints one record per line.',
    'invalid_input',
  );
}
