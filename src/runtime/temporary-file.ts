/*
 * JSON values in a private temporary file: what a command reads again once, in another order, and
 * what would need several times as much memory as text.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainSystemError, LocalError } from './carbon-error.ts';

/** Returns the error of a temporary file that cannot be written. */
export function temporaryFileError(message: string, cause: unknown): LocalError {
  const variable = platform() === 'win32' ? 'TEMP' : 'TMPDIR';
  return new LocalError(`${message}: ${explainSystemError(cause)}`, {
    hint: `Set ${variable} to a directory with enough free space.`,
    cause,
  });
}

/* Fewer values never reach the disk. */
const blockBytes = 1 << 20;
const windowBytes = 1 << 16;

/** Values that were added together; deeply equal to others with the same content. */
export class StoredValues {
  readonly checksum: number;
  readonly #first: number;

  constructor(first: number, checksum: number) {
    this.#first = first;
    this.checksum = checksum;
  }

  /** The index of the first one. */
  get first(): number {
    return this.#first;
  }
}

/**
 * Keeps JSON values, in memory up to a mebibyte. The file is unlinked right after creation, so that
 * nothing remains however the process ends; on Windows, which cannot unlink open files, `close`
 * does it.
 */
export class ValueFile {
  /* Where each value ends; it begins where the one before ends. */
  readonly #ends: number[] = [];
  /* The last values. A buffer for each of them, or for what is read, would be freed late. */
  #block: Buffer = Buffer.alloc(0);
  #blockStart = 0;
  /* What was read last, and from where. */
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;
  #windowEnd = 0;
  #directory = '';
  #fd: number | undefined;

  /**
   * Adds values.
   * @throws LocalError if the file cannot be written
   */
  add(values: readonly unknown[]): StoredValues {
    const first = this.#ends.length;
    let checksum = 0;
    for (const value of values) {
      const text = JSON.stringify(value);
      const length = Buffer.byteLength(text);
      let start = this.#start(this.#ends.length) - this.#blockStart;
      if (start + length > this.#block.length) {
        this.#write(start);
        start = 0;
        this.#block = withSpace(this.#block, Math.max(length, blockBytes));
      }
      this.#block.write(text, start);
      this.#ends.push(this.#blockStart + start + length);
      // zlib, which has a better one, would load for every list.
      for (let at = start; at < start + length; at += 1)
        checksum = (Math.imul(checksum, 31) + (this.#block[at] ?? 0)) | 0;
      if (start + length > blockBytes) this.#write(start + length);
    }
    return new StoredValues(first, checksum);
  }

  /** Returns one of the values that were added together, by its place among them. */
  get({ first }: StoredValues, place: number): unknown {
    const index = first + place;
    const [start, end = start] = [this.#start(index), this.#ends[index]];
    if (start >= this.#blockStart)
      return JSON.parse(
        this.#block.toString('utf8', start - this.#blockStart, end - this.#blockStart),
      );
    if (start < this.#windowStart || end > this.#windowEnd) this.#read(start, end);
    return JSON.parse(
      this.#window.toString('utf8', start - this.#windowStart, end - this.#windowStart),
    );
  }

  /* Values are mostly read in their order: then one system call reads several. */
  #read(start: number, end: number): void {
    const isNext = start >= this.#windowStart && start <= this.#windowEnd + windowBytes;
    const last = isNext ? Math.min(Math.max(end, start + windowBytes), this.#blockStart) : end;
    this.#window = withSpace(this.#window, Math.max(last - start, windowBytes));
    const bytesRead = readSync(this.#fd as number, this.#window, 0, last - start, start);
    this.#windowStart = start;
    this.#windowEnd = start + bytesRead;
  }

  #start(index: number): number {
    return this.#ends[index - 1] ?? 0;
  }

  /* Writes the block, and begins the next one. */
  #write(length: number): void {
    if (length === 0) return;
    try {
      this.#fd ??= this.#open();
      for (let written = 0; written < length; )
        written += writeSync(this.#fd, this.#block, written, length - written);
    } catch (cause) {
      throw temporaryFileError('Cannot keep records in a temporary file', cause);
    }
    this.#blockStart += length;
  }

  #open(): number {
    this.#directory = mkdtempSync(join(tmpdir(), 'carbon-'));
    const fd = openSync(join(this.#directory, 'values'), 'wx+', 0o600);
    this.#remove();
    return fd;
  }

  #remove(): void {
    try {
      rmSync(this.#directory, { recursive: true, force: true });
    } catch {
      // Windows removes it in `close`.
    }
  }

  /** Closes the file; all values are gone. */
  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    this.#remove();
  }
}

/* Returns a buffer, or a new one if it is too small; what it holds is lost. */
function withSpace(buffer: Buffer, bytes: number): Buffer {
  return buffer.length < bytes ? Buffer.allocUnsafeSlow(bytes) : buffer;
}
