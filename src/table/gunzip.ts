/* Decompresses .csv.gz files as a stream (RFC 1952), within a limit. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../runtime/carbon-error.ts';
import { codeOf } from '../runtime/system-error.ts';

const mebibyte = 2 ** 20;
/* Tables compress by a factor of 5 to 50; deflate permits up to 1,032. */
const maxRatio = 250;
const ratioFreeBytes = 64 * mebibyte;

/**
 * Decompresses the bytes of a gzip file.
 *
 * @param name the name of the file in messages
 * @param size its size in bytes
 * @throws UsageError for a damaged file and for one that inflates to more than 250 times its size;
 * the error of `bytes`
 */
export async function* gunzip(
  bytes: AsyncIterable<Buffer>,
  { name, size }: { readonly name: string; readonly size: number },
): AsyncGenerator<Buffer, void, void> {
  const maxBytes = Math.max(ratioFreeBytes, size * maxRatio);
  const stream = pipeline(Readable.from(copies(bytes)), createGunzip(), () => undefined);
  let length = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes)
        throw invalid(
          `${name} is too large: it inflates to more than ${maxRatio} times its compressed size`,
          'Decompress the file with gunzip, then use the result.',
        );
      yield piece;
    }
  } catch (error) {
    if (!/^Z_/.test(codeOf(error))) throw error;
    throw invalid(
      `${name} is a damaged gzip file: ${(error as Error).message}`,
      'Download or copy the file again.',
    );
  }
}

/* The source reuses the memory of a chunk. */
async function* copies(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of bytes) yield Buffer.from(chunk);
}

function invalid(message: string, hint: string): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}
