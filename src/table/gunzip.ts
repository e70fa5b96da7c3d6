/* Decompresses .csv.gz files as a stream (RFC 1952), within a limit. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../runtime/carbon-error.ts';

const mebibyte = 2 ** 20;
/* Tables compress by a factor of 5 to 50; deflate permits up to 1,032. */
const maxRatio = 250;
const ratioFreeBytes = 64 * mebibyte;

/** A compressed file. */
export interface CompressedFile {
  /** The name of the file in messages. */
  readonly name: string;
  readonly size: number;
}

/**
 * Decompresses the bytes of a gzip file.
 *
 * @throws UsageError for a damaged file and for one that inflates to more than 250 times its size;
 * the error of `bytes`
 */
export async function* gunzip(
  bytes: AsyncIterable<Buffer>,
  { name, size }: CompressedFile,
): AsyncGenerator<Buffer, void, void> {
  const maxBytes = Math.max(ratioFreeBytes, size * maxRatio);
  const stream = createGunzip();
  const reading = pipeline(Readable.from(copies(bytes)), stream);
  // The loop below throws the same error.
  reading.catch(() => undefined);
  let length = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(name);
      yield piece;
    }
    await reading;
  } catch (error) {
    throw isZlibError(error) ? damaged(name, error) : error;
  } finally {
    stream.destroy();
    // Waits until the file is closed.
    await reading.catch(() => undefined);
  }
}

/* The source reuses the memory of a chunk. */
async function* copies(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of bytes) yield Buffer.from(chunk);
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && /^Z_/.test(String((error as NodeJS.ErrnoException).code));
}

function damaged(name: string, { message }: Error): UsageError {
  return new UsageError(
    `${name} is a damaged gzip file: ${message}`,
    'Download or copy the file again.',
    'invalid_input',
  );
}

function tooLarge(name: string): UsageError {
  return new UsageError(
    `${name} is too large: it inflates to more than ${maxRatio} times its compressed size`,
    'Decompress the file with gunzip, then use the result.',
    'invalid_input',
  );
}
