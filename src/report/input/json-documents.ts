/*
 * Bytes to JSON documents: one a line, as `--json` prints them, or spread over the lines between
 * `{` and `}` that stand alone, as a formatter writes them. Nothing but the document at work is
 * kept.
 */
import { TextDecoder } from 'node:util';
import { UsageError } from '../../runtime/carbon-error.ts';

/** A file or stream of records. */
export interface RecordFile {
  /** As messages name it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array | string>;
}

/** A JSON value and the line where it begins; `torn` when the input ends within it. */
export type Document =
  | { readonly line: number; readonly value: unknown }
  | { readonly torn: number };

const longest = 1 << 26;

/**
 * Yields the JSON documents of a file; lists are yielded item by item. Blank lines and a byte order
 * mark are skipped.
 * @throws UsageError that names the line of what is no JSON, unless it is a last line without its
 * end
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
    if (size > longest) throw broken(file, from, 'is longer than 64 MiB');
    const isOpen = opening.test(held[0] ?? '') && !closing.test(text);
    if (isOpen && !isCut) continue;
    const value = parse(held.join('\n'));
    held = [];
    if (value === undefined && !isCut) throw broken(file, from, 'is not JSON');
    if (value === undefined) yield { torn: from };
    else
      for (const item of Array.isArray(value) ? value : [value]) yield { line: from, value: item };
  }
}

/*
 * A formatter's document begins with a brace or bracket alone on its line and ends with one that is
 * not indented.
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
  let rest = '';
  for await (const text of textOf(file)) {
    // Only what is new is looked through: a line of many pieces would take their square.
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    for (const one of lines) {
      yield { text: one, line, isCut: false };
      line += 1;
    }
    if (rest.length > longest) throw broken(file, line, 'is longer than 64 MiB');
  }
  yield { text: rest, line, isCut: true };
}

/*
 * Shells of Windows redirect as UTF-16; everything else is UTF-8, and nothing is replaced where it
 * is not.
 */
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
    'Remove or mend the line: a figure that stands on part of a file would be wrong. `carbon get --json` writes one record a line.',
    'invalid_input',
  );
}
