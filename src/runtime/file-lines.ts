import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { throwUnreadable } from './carbon-error.ts';

const feed = 10;
const carriageReturn = 13;
const byteOrderMark = Buffer.from('\ufeff');

/** A line without its end and a byte order mark: editors and git add carriage returns and marks. */
export interface FileLine {
  readonly bytes: Buffer;
  /** Where the bytes begin in the file. */
  readonly start: number;
  /** Where the next line begins in the file. */
  readonly end: number;
  /** Whether the line feed is missing: a kill truncated the line, or a run is writing it. */
  readonly isOpen: boolean;
}

/**
 * Yields the lines of a file in groups, valid until the next one; `name` is that in messages.
 * @throws LocalError if the file cannot be read
 */
export async function* readFileLines(
  file: FileHandle,
  name: string,
): AsyncGenerator<readonly FileLine[], void, void> {
  let chunk = Buffer.allocUnsafeSlow(1 << 20);
  let start = 0;
  let held = 0;
  for (;;) {
    const { bytesRead } = await file
      .read(chunk, held, chunk.length - held, start + held)
      .catch((cause: unknown) => throwUnreadable(name, cause));
    if (bytesRead === 0) break;
    const length = held + bytesRead;
    const filled = chunk.subarray(0, length);
    const lines: FileLine[] = [];
    let from = 0;
    for (let to = filled.indexOf(feed); to >= 0; to = filled.indexOf(feed, from)) {
      lines.push(lineOf(filled.subarray(from, to), start + from, false));
      from = to + 1;
    }
    yield lines;
    chunk.copyWithin(0, from, length);
    start += from;
    held = length - from;
    if (held === chunk.length) chunk = Buffer.concat([chunk], chunk.length * 2);
  }
  if (held > 0) yield [lineOf(chunk.subarray(0, held), start, true)];
}

function lineOf(line: Buffer, start: number, isOpen: boolean): FileLine {
  const hasMark = start === 0 && line.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const from = hasMark ? byteOrderMark.length : 0;
  const to = line.length - Number(line.at(-1) === carriageReturn);
  return {
    bytes: line.subarray(from, to),
    start: from + start,
    end: start + line.length + 1,
    isOpen,
  };
}

/** Returns a stamp that changes with the file: its size, modification time and inode. */
export function stampOf({ size, mtimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ino}`;
}
