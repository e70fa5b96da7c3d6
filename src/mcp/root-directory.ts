import { constants, type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { RecordFile } from '../records/json-documents.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { explainSystemError } from '../runtime/system-error.ts';

/** Opens files below one directory, and no other file. */
export class RootDirectory {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws UsageError if the path is no directory */
  static async open(path: string): Promise<RootDirectory> {
    const found = await realpath(path)
      .then(async (real) => ({ real, isDirectory: (await stat(real)).isDirectory() }))
      .catch((error: NodeJS.ErrnoException) => {
        throw new UsageError(`--root ${path}: ${explainSystemError(error)}`);
      });
    if (!found.isDirectory) throw new UsageError(`--root ${path} is not a directory`);
    return new RootDirectory(found.real);
  }

  /** Opens a file of records, as `openFile` does. */
  async openRecords(path: string, signal: AbortSignal): Promise<RecordFile> {
    const handle = await this.openFile(path);
    return { name: path, bytes: handle.createReadStream({ signal }) };
  }

  /**
   * Opens a regular file. Its path is relative to the root; a link may lead to any file below it.
   *
   * carbon opens the file first and checks its place afterwards, so that a link that changes in
   * between has no effect.
   * @throws UsageError for a path that leaves the root, a missing file, and anything but a file
   */
  async openFile(path: string): Promise<FileHandle> {
    const file = resolve(this.#path, path);
    if (path.includes('\0') || isAbsolute(path) || !this.#contains(file)) throw outside(path);
    const real = await realpath(file).catch((error) => Promise.reject(unreadable(path, error)));
    if (!this.#contains(real)) throw outside(path);
    // A pipe without a writer would block a plain open.
    const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
      (error) => Promise.reject(unreadable(path, error)),
    );
    try {
      await this.#check(path, real, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  }

  /* Opens no link a second time: the file that is open must be the one at its real path. */
  async #check(path: string, real: string, handle: FileHandle): Promise<void> {
    const opened = await handle.stat();
    if (!opened.isFile()) throw new UsageError(`${path} is not a file`, hint, 'invalid_input');
    const now = await realpath(real).catch(() => '');
    const found = now === real ? await stat(real) : undefined;
    if (found?.ino !== opened.ino || found.dev !== opened.dev) throw outside(path);
  }

  #contains(path: string): boolean {
    const below = relative(this.#path, path);
    return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  }
}

const hint = 'Name a file with its path below the directory of --root.';

function outside(path: string): UsageError {
  return new UsageError(`${path} is not below the root directory`, hint, 'invalid_input');
}

function unreadable(path: string, error: NodeJS.ErrnoException): UsageError {
  return new UsageError(`${path}: ${explainSystemError(error)}`, hint, 'invalid_input');
}
