/*
 * The append-only log of JSON lines that carbon keeps of a list in three files: the journal, the
 * records and their history. A line is there once it has its line feed.
 *
 * A kill leaves a part of the last line, a power failure zeros, and an editor a blank line. Readers
 * skip such a tail, and opening the log to append cuts it first. Any other text may be the user's
 * and is never cut, and neither is anything in a file whose first line is not that of the log.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
  write,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory, writeAtomically } from '../../runtime/atomic-file.ts';
import type { CarbonError } from '../../runtime/carbon-error.ts';
import {
  asOpenFile,
  byteOrderMark,
  type FileLine,
  type OpenFile,
  readAt,
  readFileLines,
} from '../../runtime/file-lines.ts';
import type { FileLock } from '../../runtime/file-lock.ts';

/** What tells the lines of a log from other text. */
export interface LogFormat {
  /** How each line begins. */
  readonly starts: readonly string[];
  /** Returns the error for text that may be the user's. */
  foreign(where: string): CarbonError;
  /** Returns the error for a file that another program changed, replaced or removed. */
  changed(path: string): CarbonError;
}

/**
 * Yields the lines of a log in groups, valid until the next one, and writes nothing.
 * @throws the error of `format.foreign` for other text at the end; LocalError if the file cannot be
 * read
 */
export async function* readLog(
  file: OpenFile,
  path: string,
  format: LogFormat,
): AsyncGenerator<readonly FileLine[], void, void> {
  const { end, isForeign } = findEnd(file, path, format);
  let count = 0;
  for await (const lines of readFileLines(file, path, end)) {
    count += lines.length;
    yield lines;
  }
  if (isForeign) throw format.foreign(`${path}, line ${count + 1},`);
}

interface LogOptions {
  readonly format: LogFormat;
  readonly lock: FileLock | undefined;
}

/** A log open for appending; it may be read meanwhile. */
export class AppendLog implements OpenFile {
  readonly path: string;
  readonly #file: OpenFile;
  readonly #format: LogFormat;
  readonly #lock: FileLock | undefined;
  readonly #inode: number;
  #size: number;
  /* Why nothing can be written any more: after a part of a line, further lines would be damaged. */
  #failure: unknown;

  private constructor(path: string, file: OpenFile, { format, lock }: LogOptions) {
    const { ino, size } = fstatSync(file.fd);
    this.path = path;
    this.#file = file;
    this.#format = format;
    this.#lock = lock;
    this.#inode = ino;
    this.#size = size;
  }

  /**
   * Opens a log, and creates its file if there is none. Cuts what is not a line at its end.
   * @param mode permissions of a new file, less the umask
   * @param lock that of the list; nothing is written after another run has taken it
   * @throws the error of `format.foreign` for other text at the end; the system's error
   */
  static async open(
    path: string,
    format: LogFormat,
    mode: number,
    lock: FileLock | undefined,
  ): Promise<AppendLog> {
    lock?.check();
    if (lock?.isTakenOver && existsSync(path)) await replaceByCopy(realpathSync(path), lock);
    const { O_RDWR, O_APPEND, O_CREAT } = constants;
    const file = asOpenFile(openSync(path, O_RDWR | O_APPEND | O_CREAT, mode));
    try {
      const log = new AppendLog(path, file, { format, lock });
      // After a power failure, a log with durable lines must still have its name.
      if (log.size === 0) await syncDirectory(dirname(realpathSync(path)));
      await log.#cut();
      return log;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #cut(): Promise<void> {
    const { end, isForeign, needsFeed } = findEnd(this, this.path, this.#format);
    // Finds the line for the error.
    if (isForeign) for await (const _ of readLog(this, this.path, this.#format));
    if (end < this.#size) {
      this.#lock?.check();
      ftruncateSync(this.fd, end);
      this.#size = end;
    }
    if (needsFeed) return this.append('\n');
    // A file of another kind, which the caller has not read, or will not accept.
    const hasFeed = end === 0 || readRange(this, this.path, end - 1, end)[0] === feed;
    if (!hasFeed) throw this.#format.foreign(`${this.path}, line 1,`);
  }

  get fd(): number {
    return this.#file.fd;
  }

  /** Size of the file in bytes: where the next line begins. */
  get size(): number {
    return this.#size;
  }

  /**
   * Checks that no write has failed, and that no other run has taken the lock.
   * @throws the failure; LocalError if another run has taken over
   */
  checkWritable(): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#lock?.check();
  }

  /**
   * Appends complete lines. They are on the disk after `sync`. Nothing can be appended after a
   * failure.
   * @throws the error of `format.changed`; that of the lock; the system's error
   */
  async append(lines: string | Buffer): Promise<void> {
    const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines;
    try {
      this.checkWritable();
      if (fstatSync(this.fd).size !== this.#size) throw this.#format.changed(this.path);
      for (let offset = 0; offset < bytes.length; ) {
        const written = await this.#write(bytes.subarray(offset));
        offset += written;
        this.#size += written;
      }
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /* It is asynchronous, because the run must continue on a slow disk. */
  #write(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) =>
      write(this.fd, bytes, (error, written) => (error ? reject(error) : resolve(written))),
    );
  }

  /**
   * Waits until the lines are on the disk.
   * @throws the error of `format.changed`; the system's error
   */
  async sync(): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      fdatasync(this.fd, (error) => (error ? reject(error) : resolve())),
    );
    this.checkUnchanged();
  }

  /**
   * Checks that the path still has this file, as this log wrote it.
   * @throws the error of `format.changed`
   */
  checkUnchanged(): void {
    let now: Stats | undefined;
    try {
      now = statSync(this.path);
    } catch {
      // It was removed.
    }
    if (now?.ino === this.#inode && now.size === this.#size) return;
    this.#lock?.check();
    // Another run may use the file by another name, whose lock is elsewhere.
    throw this.#format.changed(this.path);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/* A holder that wakes up in the middle of a write has the old file open. */
function replaceByCopy(path: string, lock: FileLock): Promise<void> {
  return writeAtomically(
    path,
    async (copy) => {
      copyFileSync(path, copy.path);
      await copy.commit();
    },
    lock,
  );
}

/* Where the lines of a log end. */
interface LogEnd {
  readonly end: number;
  /** Whether other text follows. */
  readonly isForeign?: boolean;
  /** Whether the last line lacks only its line feed, as after some editors. */
  readonly needsFeed?: boolean;
}

const feed = 10;
/* Bytes of the end that are read first: more than most lines have. */
const firstLength = 16_384;

function findEnd(file: OpenFile, path: string, format: LogFormat): LogEnd {
  const { size } = fstatSync(file.fd);
  for (let length = firstLength; ; length *= 4) {
    const from = Math.max(0, size - length);
    const found = judgeEnd(readRange(file, path, from, size), from === 0, format);
    if (found === undefined) continue;
    const end = from + found.end;
    const isOurs = () => isStart(withoutMark(readRange(file, path, 0, 64)), format);
    // The part of a first line is all that is left of one of ours.
    return end === size || end === 0 || isOurs() ? { ...found, end } : { end: size };
  }
}

function readRange(file: OpenFile, path: string, from: number, to: number): Buffer {
  const buffer = Buffer.alloc(to - from);
  // A file system on a network may read less than it was asked for.
  for (let length = 0; length < buffer.length; ) {
    const bytesRead = readAt(file, path, buffer.subarray(length), from + length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return buffer;
}

/* Judges the last bytes of a file; returns undefined if it takes more of them. */
function judgeEnd(bytes: Buffer, isWhole: boolean, format: LogFormat): LogEnd | undefined {
  for (let end = bytes.length; ; ) {
    const textEnd = trimmedEnd(bytes, end);
    if (textEnd === 0) return isWhole ? { end: end === 0 ? 0 : bytes.length } : undefined;
    // White space before the line feed belongs to the line, and zeros do not.
    const rest = bytes.subarray(textEnd, end);
    const [fed, zero] = [rest.indexOf(feed), rest.indexOf(0)];
    if (fed >= 0 && (zero < 0 || fed < zero)) return { end: textEnd + fed + 1 };
    const start = bytes.lastIndexOf(feed, textEnd - 1) + 1;
    if (start === 0 && !isWhole) return undefined;
    const line = bytes.subarray(start, textEnd);
    if (isObject(line)) return { end: textEnd, needsFeed: true };
    if (!isStart(trimmedStart(line), format) || hasJoinedLines(line, format))
      return start === 0 ? { end: bytes.length } : { end: start, isForeign: true };
    end = start;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0 || byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);
}

function trimmedEnd(bytes: Buffer, end: number): number {
  let at = end;
  while (at > 0 && isBlank(bytes[at - 1])) at -= 1;
  return at;
}

function withoutMark(bytes: Buffer): Buffer {
  const { length } = byteOrderMark;
  return bytes.subarray(0, length).equals(byteOrderMark) ? bytes.subarray(length) : bytes;
}

/* Skips a byte order mark, zeros and white space. */
function trimmedStart(bytes: Buffer): Buffer {
  const text = withoutMark(bytes);
  return text.subarray(text.findIndex((byte) => !isBlank(byte)));
}

/* Checks whether text begins as a line of the log, as far as it goes. */
function isStart(text: Buffer, { starts }: LogFormat): boolean {
  return starts.some((start) => {
    const begin = text.toString('latin1', 0, start.length);
    return begin !== '' && start.startsWith(begin);
  });
}

/*
 * Checks whether text has several lines, of which another program removed the line feeds. Inside a
 * line, no brace is before the start of another one: texts have their quotes escaped.
 */
function hasJoinedLines(text: Buffer, { starts }: LogFormat): boolean {
  const line = text.toString('latin1');
  return starts.some((start) =>
    new RegExp(String.raw`\}\s*${start.replace(/[{"]/g, String.raw`\$&`)}`).test(line),
  );
}

function isObject(text: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(trimmedStart(text).toString());
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
