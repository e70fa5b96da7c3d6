import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { LocalError } from './carbon-error.ts';
import { explainSystemError } from './system-error.ts';

/** Environment variable that names the directory for temporary files. */
export const temporaryVariable = platform() === 'win32' ? 'TEMP' : 'TMPDIR';

/**
 * Stores bytes in a private temporary file that is unlinked right after creation, so that nothing
 * remains however the process ends.
 */
export class TemporaryFile {
  /** Handle of the open file. */
  readonly handle: FileHandle;
  /** Path of the file; already unlinked if the system can unlink open files. */
  readonly path: string;
  readonly #parent: string;
  /* Directory to remove on close; undefined once the open file is unlinked. */
  #directory: string | undefined;

  private constructor(file: FileHandle, path: string, parent: string, directory: string) {
    this.handle = file;
    this.path = path;
    this.#parent = parent;
    this.#directory = directory;
  }

  /** Creates a file below a directory, or throws the system's error. */
  static async open(parent: string): Promise<TemporaryFile> {
    const directory = await mkdtemp(join(parent, 'carbon-'));
    try {
      const path = join(directory, 'spool');
      const handle = await open(path, 'wx+', 0o600);
      const file = new TemporaryFile(handle, path, parent, directory);
      await file.#unlink();
      return file;
    } catch (error) {
      await remove(directory);
      throw error;
    }
  }

  /**
   * Appends bytes.
   * @throws LocalError if the write fails, such as on a full disk
   */
  async append(bytes: Uint8Array): Promise<void> {
    await this.handle.writeFile(bytes).catch((cause: unknown) => this.#fail(cause));
  }

  /** Closes the file and removes whatever is left of it. */
  async close(): Promise<void> {
    await this.handle.close();
    await this.#unlink();
  }

  async #unlink(): Promise<void> {
    if (this.#directory !== undefined && (await remove(this.#directory)))
      this.#directory = undefined;
  }

  #fail(cause: unknown): never {
    throw new LocalError(
      `A temporary file in ${this.#parent} cannot be written: ${explainSystemError(cause)}`,
      { hint: `Set ${temporaryVariable} to another directory for temporary files.` },
    );
  }
}

/* Returns whether the directory is gone. */
function remove(directory: string): Promise<boolean> {
  return rm(directory, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}
