import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { UsageError } from './carbon-error.ts';
import { throwUnreadable } from './unreadable-file.ts';

/** A file to read synchronously: starting Node's threads for asynchronous reading takes 5 ms. */
export interface OpenFile {
  readonly fd: number;
  close(): Promise<void>;
}

/**
 * Opens a file or the null device.
 * @throws UsageError for anything else: opening a pipe would wait for a writer; the system's error
 */
export async function openToRead(path: string): Promise<OpenFile> {
  const stats = statSync(path);
  if (!stats.isFile() && !stats.isCharacterDevice()) throw new UsageError(`${path} is not a file`);
  return asOpenFile(openSync(path, 'r'));
}

export function asOpenFile(fd: number): OpenFile {
  let isOpen = true;
  return {
    fd,
    async close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

const feed = 10;
const carriageReturn = 13;
/** Some editors write it at the beginning of a file. */
export const byteOrderMark = Buffer.from('\ufeff');

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
 * @param end where to stop in the file
 * @throws LocalError if the file cannot be read
 */
export async function* readFileLines(
  file: OpenFile,
  name: string,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly FileLine[], void, void> {
  let chunk = Buffer.allocUnsafeSlow(1 << 20);
  let start = 0;
  let held = 0;
  for (;;) {
    const space = chunk.subarray(held, Math.min(chunk.length, end - start));
    const bytesRead = readAt(file, name, space, start + held);
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
    await takeTurn(bytesRead);
    if (held === chunk.length) chunk = Buffer.concat([chunk], chunk.length * 2);
  }
  if (held > 0) yield [lineOf(chunk.subarray(0, held), start, true)];
}

/**
 * Reads bytes into a buffer, and returns their number; `name` is that of the file in messages.
 * @throws LocalError if the file cannot be read
 */
export function readAt(
  { fd }: Pick<OpenFile, 'fd'>,
  name: string,
  buffer: Buffer,
  position: number,
): number {
  try {
    return readSync(fd, buffer, 0, buffer.length, position);
  } catch (cause) {
    throwUnreadable(name, cause);
  }
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

let bytesSinceTurn = 0;

/** Gives signals and timers a turn after each MiB that was read or written in any file. */
export function takeTurn(bytes: number): Promise<void> | undefined {
  bytesSinceTurn += bytes;
  if (bytesSinceTurn < 1 << 20) return undefined;
  bytesSinceTurn = 0;
  return new Promise((resolve) => setImmediate(resolve));
}
