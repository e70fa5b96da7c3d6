/* Parses bytes into JSON documents, one per line. Only the current one is in memory. */

import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { invalidInput, type UsageError } from '../../runtime/carbon-error.ts';

export interface RecordFile {
  readonly name: string;
  /** Chunks, each valid until the next one. */
  readonly bytes: AsyncIterable<Uint8Array | string>;
}

export interface JsonDocument {
  readonly line: number;
  readonly value: unknown;
  readonly text: string;
}

const maxDocumentBytes = 1 << 26;
const minBufferBytes = 1 << 16;
const lineFeed = 10;
const byteOrderMark = '\ufeff';

/** Reads the JSON documents of a file from its chunks; skips blank lines and a byte order mark. */
export class DocumentReader {
  readonly #name: string;
  #lines = 0;
  /* The beginning of the current line, from earlier chunks. */
  #partial = Buffer.alloc(0);
  #partialBytes = 0;
  /** The last line, if the input ends within it. */
  truncatedAt: number | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Adds a chunk of UTF-8, and yields the documents that it completes. Chunks may reuse their
   * memory.
   * @throws UsageError with the line of invalid JSON, and for other text than UTF-8
   */
  *push(chunk: Buffer): Generator<JsonDocument> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const document = this.#parse(this.#lineTo(chunk, start, end), false);
      if (document !== undefined) yield document;
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /**
   * Returns the document of the last line, which the input may truncate.
   * @throws UsageError as `push` does
   */
  end(): JsonDocument | undefined {
    return this.#parse(this.#lineTo(this.#partial, 0, 0), true);
  }

  /*
   * Returns the current line, whose last bytes are those of a chunk. Only one line is a string at a
   * time: a string for each chunk would be old at once for V8, and collected late.
   */
  #lineTo(chunk: Buffer, start: number, end: number): string {
    let text: string;
    if (this.#partialBytes > 0) {
      this.#hold(chunk.subarray(start, end));
      text = this.#textOf(this.#partial, 0, this.#partialBytes);
      this.#partialBytes = 0;
    } else text = this.#textOf(chunk, start, end);
    this.#lines += 1;
    return this.#lines === 1 && text.startsWith(byteOrderMark) ? text.slice(1) : text;
  }

  #textOf(bytes: Buffer, start: number, end: number): string {
    const part = bytes.subarray(start, end);
    // Latin-1 is ASCII here, which Node converts fastest.
    if (isAscii(part)) return bytes.toString('latin1', start, end);
    if (isUtf8(part)) return bytes.toString('utf8', start, end);
    throw notText(this.#name);
  }

  /* The memory doubles: otherwise a line of many chunks takes quadratic time. */
  #hold(bytes: Buffer): void {
    const needed = this.#partialBytes + bytes.length;
    if (needed > maxDocumentBytes) throw tooLong(this.#name, this.#lines + 1);
    if (needed > this.#partial.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minBufferBytes, 2 * needed));
      this.#partial.copy(larger, 0, 0, this.#partialBytes);
      this.#partial = larger;
    }
    bytes.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = needed;
  }

  #parse(text: string, isLast: boolean): JsonDocument | undefined {
    if (text.trim() === '') return undefined;
    const line = this.#lines;
    try {
      return { line, value: JSON.parse(text), text };
    } catch {
      if (!isLast) throw broken(this.#name, line, 'is not JSON');
      this.truncatedAt = line;
      return undefined;
    }
  }
}

function broken(name: string, line: number, problem: string): UsageError {
  return invalidInput(
    `${name}, line ${line} ${problem}`,
    'Fix or remove the line, because figures from a part of the file would be wrong. `carbon get --json` and `jq -c` print one record per line.',
  );
}

function tooLong(name: string, line: number): UsageError {
  return broken(name, line, 'is longer than 64 MiB');
}

function notText(name: string): UsageError {
  return invalidInput(
    `${name} is not UTF-8 text`,
    'Records are lines of JSON, as `carbon get --json` prints them.',
  );
}

/**
 * Yields chunks as UTF-8. Windows shells redirect output as UTF-16; other input must be UTF-8.
 * @throws UsageError for invalid UTF-16
 */
export async function* utf8Of({
  name,
  bytes: chunks,
}: RecordFile): AsyncGenerator<Buffer, void, void> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (bytes.length === 0) continue;
    if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe)
      decoder = new TextDecoder('utf-16le', { fatal: true });
    yield decoder === undefined ? bytes : utf8From(name, decoder, bytes);
    isFirst = false;
  }
  if (decoder !== undefined) yield utf8From(name, decoder);
}

function utf8From(name: string, decoder: TextDecoder, bytes?: Buffer): Buffer {
  try {
    return Buffer.from(decoder.decode(bytes, { stream: bytes !== undefined }));
  } catch {
    throw notText(name);
  }
}
