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
  #block: Buffer[] = [];
  #blockStart = 0;
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
      const bytes = Buffer.from(JSON.stringify(value));
      const end = this.#start(this.#ends.length) + bytes.length;
      this.#block.push(bytes);
      if (end - this.#blockStart > blockBytes) this.#write(end);
      this.#ends.push(end);
      // zlib, which has a better one, would load for every list.
      for (const byte of bytes) checksum = (Math.imul(checksum, 31) + byte) | 0;
    }
    return new StoredValues(first, checksum);
  }

  /** Returns one of the values that were added together, by its place among them. */
  get({ first }: StoredValues, place: number): unknown {
    const index = first + place;
    const [start, end = start] = [this.#start(index), this.#ends[index]];
    if (start >= this.#blockStart) {
      const inBlock = this.#block[index - (this.#ends.length - this.#block.length)];
      return JSON.parse(String(inBlock));
    }
    const bytes = Buffer.allocUnsafe(end - start);
    readSync(this.#fd as number, bytes, 0, bytes.length, start);
    return JSON.parse(bytes.toString());
  }

  #start(index: number): number {
    return this.#ends[index - 1] ?? 0;
  }

  #write(end: number): void {
    try {
      this.#fd ??= this.#open();
      const bytes = Buffer.concat(this.#block);
      for (let written = 0; written < bytes.length; )
        written += writeSync(this.#fd, bytes, written, bytes.length - written);
    } catch (cause) {
      throw temporaryFileError('Cannot keep records in a temporary file', cause);
    }
    this.#block = [];
    this.#blockStart = end;
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
