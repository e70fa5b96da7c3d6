import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalError } from './carbon-error.ts';
import { explainSystemError } from './system-error.ts';

/**
 * A file of this user alone that has no name any more when its first byte is written: nothing is
 * left of it, however the process ends.
 */
export class TemporaryFile {
  /** The open file, to be read in other ways than by `read`. */
  readonly handle: FileHandle;
  /** Its path, where nothing is any more if the system lets open files be removed. */
  readonly path: string;
  readonly #parent: string;
  /*
   * Only where a file that is open keeps its name, as on some file systems of Windows and of
   * networks.
   */
  #folder: string | undefined;

  private constructor(file: FileHandle, path: string, parent: string, folder: string) {
    this.handle = file;
    this.path = path;
    this.#parent = parent;
    this.#folder = folder;
  }

  /** Makes one below a folder, or throws the system's error. */
  static async open(parent: string): Promise<TemporaryFile> {
    const folder = await mkdtemp(join(parent, 'carbon-'));
    try {
      const path = join(folder, 'spool');
      const made = new TemporaryFile(await open(path, 'wx+', 0o600), path, parent, folder);
      await made.#unname();
      return made;
    } catch (error) {
      await remove(folder);
      throw error;
    }
  }

  /** @throws LocalError when it takes no more, as on a full disk */
  async append(bytes: Uint8Array): Promise<void> {
    await this.handle.writeFile(bytes).catch((cause: unknown) => this.#fail('written', cause));
  }

  /** Fills a buffer with what stands at a position. */
  async read(into: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < into.length; ) {
      const { bytesRead } = await this.handle
        .read(into, at, into.length - at, position + at)
        .catch((cause: unknown) => this.#fail('read', cause));
      if (bytesRead === 0) this.#fail('read', new Error('it is shorter than what was written'));
      at += bytesRead;
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
    await this.#unname();
  }

  async #unname(): Promise<void> {
    if (this.#folder !== undefined && (await remove(this.#folder))) this.#folder = undefined;
  }

  #fail(done: 'written' | 'read', cause: unknown): never {
    throw new LocalError(
      `A temporary file in ${this.#parent} cannot be ${done}: ${explainSystemError(cause)}`,
      { hint: 'TMPDIR names another folder for temporary files.' },
    );
  }
}

/* Tells whether it is gone. */
function remove(folder: string): Promise<boolean> {
  return rm(folder, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}
