import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LocalError, UsageError } from '../../runtime/carbon-error.ts';

/* Larger pieces make strings that only a full garbage collection takes away. */
const chunkBytes = 16 * 1024;

interface Fingerprint {
  readonly size: number;
  readonly modifiedMs: number;
  readonly file: number;
  readonly hash: string;
}

/**
 * The input file, read as often as needed. The first whole reading takes its fingerprint (size,
 * time of change, hash of the content); every later one must find the same file.
 */
export class InputFile {
  readonly path: string;
  readonly name: string;
  readonly #file: FileHandle | undefined;
  #known: Fingerprint | undefined;

  /**
   * @param path the file that is read
   * @param name what the user calls it, for messages
   * @param file the open file where it has no path, as a copy of standard input; it stays open
   */
  constructor(path: string, name: string = path, file?: FileHandle) {
    this.path = path;
    this.name = name;
    this.#file = file;
  }

  /** Whether the input is the file of this path, and not a copy of standard input. */
  get isFile(): boolean {
    return this.#file === undefined;
  }

  /**
   * Reads the bytes in pieces that belong to the caller only until the next one is asked for.
   * @throws UsageError when there is no such file; LocalError when it changed since it was first
   * read
   */
  async *bytes(): AsyncGenerator<Buffer, void, void> {
    const handle = this.#file ?? (await this.#open());
    try {
      const before = await this.#stat(handle);
      if (this.#known !== undefined && !isSame(before, this.#known)) throw this.changed();
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafeSlow(chunkBytes);
      for (let at = 0; ; ) {
        const { bytesRead } = await handle.read(buffer, 0, chunkBytes, at).catch(this.#unreadable);
        if (bytesRead === 0) break;
        at += bytesRead;
        const bytes = buffer.subarray(0, bytesRead);
        hash.update(bytes);
        yield bytes;
      }
      const found = { ...before, hash: hash.digest('hex') };
      this.#known ??= found;
      const after = await this.#stat(handle);
      if (!isSame(after, this.#known) || found.hash !== this.#known.hash) throw this.changed();
    } finally {
      if (handle !== this.#file) await handle.close();
    }
  }

  /** The error of a file that is not what was checked. */
  changed(): LocalError {
    return new LocalError(`${this.name} changed while it was being read`, {
      hint: 'Run the same command again: it checks the file anew and sends only what is left.',
    });
  }

  async #open(): Promise<FileHandle> {
    const found = await stat(this.path).catch(this.#unreadable);
    // Opening a pipe waits for its writer, and what it brings can be read only once. A file behind
    // a device has another name tomorrow.
    const isDevice = /^\/(?:dev\/(?:stdin$|fd\/)|proc\/[^/]+\/fd\/)/.test(resolve(this.path));
    if (found.isFile() && !isDevice) return open(this.path, 'r').catch(this.#unreadable);
    const what = found.isDirectory() ? 'a folder' : 'a pipe or device';
    throw new UsageError(
      `${this.name} is ${what}`,
      'Give the path of a CSV file, or - for standard input.',
    );
  }

  async #stat(handle: FileHandle): Promise<Omit<Fingerprint, 'hash'>> {
    const { size, mtimeMs, ino } = await handle.stat();
    return { size, modifiedMs: mtimeMs, file: ino };
  }

  readonly #unreadable = (cause: NodeJS.ErrnoException): never => {
    if (cause.code === 'ENOENT') throw new UsageError(`There is no file ${this.name}`);
    throw new LocalError(`${this.name} cannot be read: ${cause.message}`, { cause });
  };
}

function isSame(a: Omit<Fingerprint, 'hash'>, b: Omit<Fingerprint, 'hash'>): boolean {
  return a.size === b.size && a.modifiedMs === b.modifiedMs && a.file === b.file;
}
