/*
 * Parses bytes into JSON documents: one per line, as `--json` prints them, or several lines between
 * a lone `{` and `}`, as formatters write them. Only the current document is in memory.
 */
import { TextDecoder } from 'node:util';
import { UsageError } from '../../runtime/carbon-error.ts';
import { itemTexts } from './json-slices.ts';

/** A file or stream of records. */
export interface RecordFile {
  /** The name for messages. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array | string>;
}

/**
 * A JSON value with its first line and its text, or the first line of a document that the input
 * truncates.
 */
export type Document =
  | { readonly line: number; readonly value: unknown; readonly text: () => string }
  | { readonly truncatedAt: number };

const maxDocumentChars = 1 << 26;

/**
 * Yields the JSON documents of a file, and the items of lists one by one. It skips blank lines and
 * a byte order mark.
 * @throws UsageError with the line of invalid JSON, except for a truncated last line
 */
export async function* readDocuments(file: RecordFile): AsyncGenerator<Document> {
  let held: string[] = [];
  let from = 0;
  let size = 0;
  for await (const { text, line, isCut } of linesOf(file)) {
    if (held.length === 0) {
      if (text.trim() === '') continue;
      [from, size] = [line, 0];
    }
    held.push(text);
    size += text.length + 1;
    if (size > maxDocumentChars) throw broken(file, from, 'is longer than 64 MiB');
    const isOpen = opening.test(held[0] ?? '') && !closing.test(text);
    if (isOpen && !isCut) continue;
    const json = held.join('\n');
    const value = parse(json);
    held = [];
    if (value === undefined && !isCut) throw broken(file, from, 'is not JSON');
    if (value === undefined) yield { truncatedAt: from };
    else if (Array.isArray(value)) yield* itemsOf(value, json, from);
    else yield { line: from, value, text: () => json };
  }
}

function* itemsOf(items: readonly unknown[], json: string, line: number): Generator<Document> {
  let texts: readonly string[] | undefined;
  for (const [index, value] of items.entries()) {
    const text = () => {
      texts ??= itemTexts(json);
      return texts[index] ?? '';
    };
    yield { line, value, text };
  }
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

interface Line {
  readonly text: string;
  readonly line: number;
  /** Whether the input ended before the line did. */
  readonly isCut: boolean;
}

async function* linesOf(file: RecordFile): AsyncGenerator<Line> {
  let line = 1;
  let partialLine = '';
  for await (const text of textOf(file)) {
    // Only the new text is searched: otherwise a line of many chunks takes quadratic time.
    const lines = text.split('\n');
    lines[0] = partialLine + lines[0];
    partialLine = lines.pop() ?? '';
    for (const completeLine of lines) {
      yield { text: completeLine, line, isCut: false };
      line += 1;
    }
    if (partialLine.length > maxDocumentChars) throw broken(file, line, 'is longer than 64 MiB');
  }
  yield { text: partialLine, line, isCut: true };
}

/* Windows shells redirect output as UTF-16; other input must be valid UTF-8. */
async function* textOf({ name, bytes }: RecordFile): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of bytes) {
      const part = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      decoder ??= new TextDecoder(part[0] === 0xff && part[1] === 0xfe ? 'utf-16le' : 'utf-8', {
        fatal: true,
      });
      yield decoder.decode(part, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      `${name} is not UTF-8 text`,
      'Records are lines of JSON, as `carbon get --json` prints them.',
      'invalid_input',
    );
  }
}

function broken({ name }: RecordFile, line: number, problem: string): UsageError {
  return new UsageError(
    `${name}, line ${line} ${problem}`,
    'Fix or remove the line, because figures from a part of the file would be wrong. `carbon get --json` prints one record per line.',
    'invalid_input',
  );
}
