/*
 * Splits bytes into lines of text. Only one line is a string at a time: a string for each chunk
 * would be old at once for V8, and collected late.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** A line without its line break. */
export interface Line {
  readonly text: string;
  /** The line number, from 1. */
  readonly line: number;
  /** Whether the input ended before the line did. */
  readonly isCut: boolean;
}

/** The input is not text in UTF-8, or in UTF-16 with a byte order mark. */
export class EncodingError extends Error {}

/** A line has too many bytes. */
export class LineLengthError extends Error {
  /** The line number, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is too long`);
    this.line = line;
  }
}

const lineFeed = 10;
const byteOrderMark = '\ufeff';
const minBufferBytes = 1 << 16;

/**
 * Splits chunks of UTF-8 into lines without a byte order mark. Chunks may reuse their memory: the
 * lines of a chunk are complete before the next one.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #line = 1;
  /* The beginning of the current line, from earlier chunks. */
  #partial = Buffer.alloc(0);
  #partialBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * Adds a chunk, and yields the lines that it completes.
   * @throws EncodingError, LineLengthError
   */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    let end = chunk.indexOf(lineFeed);
    if (end !== -1 && this.#partialBytes > 0) {
      this.#hold(chunk.subarray(0, end));
      yield this.#next(this.#held());
      this.#partialBytes = 0;
      start = end + 1;
      end = chunk.indexOf(lineFeed, start);
    }
    for (; end !== -1; end = chunk.indexOf(lineFeed, start)) {
      yield this.#next(textOf(chunk, start, end));
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /**
   * Returns the last line, which is cut and may be empty.
   * @throws EncodingError
   */
  end(): Line {
    return { ...this.#next(this.#held()), isCut: true };
  }

  #next(text: string): Line {
    const line = this.#line;
    this.#line += 1;
    const hasMark = line === 1 && text.startsWith(byteOrderMark);
    return { text: hasMark ? text.slice(1) : text, line, isCut: false };
  }

  #held(): string {
    return textOf(this.#partial, 0, this.#partialBytes);
  }

  /* The memory doubles: otherwise a line of many chunks takes quadratic time. */
  #hold(bytes: Buffer): void {
    const needed = this.#partialBytes + bytes.length;
    if (needed > this.#maxLineBytes) throw new LineLengthError(this.#line);
    if (needed > this.#partial.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minBufferBytes, 2 * needed));
      this.#partial.copy(larger, 0, 0, this.#partialBytes);
      this.#partial = larger;
    }
    bytes.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = needed;
  }
}

/* Returns a part of bytes as text. */
function textOf(bytes: Buffer, start: number, end: number): string {
  const part = bytes.subarray(start, end);
  // Latin-1 is ASCII here, which Node converts fastest.
  if (isAscii(part)) return bytes.toString('latin1', start, end);
  if (isUtf8(part)) return bytes.toString('utf8', start, end);
  throw new EncodingError();
}

/**
 * Yields chunks as UTF-8. Windows shells redirect output as UTF-16; other input must be UTF-8.
 * @throws EncodingError for invalid UTF-16
 */
export async function* utf8Of(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Buffer, void, void> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : asBuffer(chunk);
    if (bytes.length === 0) continue;
    if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe) {
      decoder = new TextDecoder('utf-16le', { fatal: true });
    }
    if (decoder !== undefined) yield utf8From(decoder, bytes);
    else yield bytes;
    isFirst = false;
  }
  if (decoder !== undefined) yield utf8From(decoder);
}

function utf8From(decoder: TextDecoder, bytes?: Buffer): Buffer {
  try {
    return Buffer.from(
      bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }),
    );
  } catch {
    throw new EncodingError();
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
