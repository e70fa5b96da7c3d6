import type { FileHandle } from 'node:fs/promises';

const feed = 10;

/** A line of a file, without its line feed. */
export interface FileLine {
  /** Valid until the next line is read. */
  readonly bytes: Buffer;
  /** Where the line begins in the file. */
  readonly start: number;
  /** Whether the line feed is missing: a kill truncated the line, or a run is writing it. */
  readonly isOpen: boolean;
}

/** Reads a file from its beginning and yields its lines. */
export async function* readFileLines(file: FileHandle): AsyncGenerator<FileLine, void, void> {
  let chunk = Buffer.allocUnsafeSlow(1 << 20);
  let start = 0;
  let held = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, held, chunk.length - held, start + held);
    if (bytesRead === 0) break;
    const length = held + bytesRead;
    const filled = chunk.subarray(0, length);
    let from = 0;
    for (let to = filled.indexOf(feed); to >= 0; to = filled.indexOf(feed, from)) {
      yield { bytes: filled.subarray(from, to), start: start + from, isOpen: false };
      from = to + 1;
    }
    chunk.copyWithin(0, from, length);
    start += from;
    held = length - from;
    if (held === chunk.length) chunk = Buffer.concat([chunk], chunk.length * 2);
  }
  if (held > 0) yield { bytes: chunk.subarray(0, held), start, isOpen: true };
}
