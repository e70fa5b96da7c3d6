/* Reads the lines of a file as bytes, without a string for each. */
import type { FileHandle } from 'node:fs/promises';

const chunkBytes = 1024 * 1024;
const feed = 10;
const carriageReturn = 13;

/** Receives a line: the bytes between two indexes of a buffer, and its offset in the file. */
export type TakeLine = (bytes: Buffer, from: number, to: number, offset: number) => void;

/**
 * Reads a file to its end and passes on each line without its line end (LF or CR LF).
 *
 * The buffer is valid only during the call.
 * @returns the text after the last line feed and its offset in bytes
 */
export async function eachLine(
  file: FileHandle,
  take: TakeLine,
): Promise<{ readonly text: string; readonly offset: number }> {
  let bytes = Buffer.allocUnsafeSlow(chunkBytes);
  let held = 0;
  let offset = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, held, bytes.length - held, null);
    if (bytesRead === 0) return { text: bytes.toString('utf8', 0, held), offset };
    const length = held + bytesRead;
    let from = 0;
    for (
      let to = bytes.indexOf(feed, from);
      to >= 0 && to < length;
      to = bytes.indexOf(feed, from)
    ) {
      // Another program may have converted the line ends.
      take(bytes, from, bytes[to - 1] === carriageReturn ? to - 1 : to, offset + from);
      from = to + 1;
    }
    bytes.copyWithin(0, from, length);
    held = length - from;
    offset += from;
    if (held === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
    bytes.fill(0, held);
  }
}

/** Reads the line at this offset, of any length. */
export async function lineAt(file: FileHandle, offset: number): Promise<Buffer> {
  for (let length = 64 * 1024; ; length *= 8) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
    const end = buffer.subarray(0, bytesRead).indexOf(feed);
    if (end >= 0 || bytesRead < length) return buffer.subarray(0, end < 0 ? bytesRead : end);
  }
}
