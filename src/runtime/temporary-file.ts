import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { LocalError } from './carbon-error.ts';
import { explainSystemError } from './system-error.ts';

/** Environment variable that names the directory for temporary files. */
export const temporaryVariable = platform() === 'win32' ? 'TEMP' : 'TMPDIR';

/**
 * Stores bytes in a private temporary file that is unlinked right after creation, so that nothing
 * remains however the process ends. Windows cannot unlink open files, so there `close` does it.
 */
export class TemporaryFile {
  readonly handle: FileHandle;
  readonly path: string;

  private constructor(handle: FileHandle, path: string) {
    this.handle = handle;
    this.path = path;
  }

  /** Creates a file below a directory, or throws the system's error. */
  static async open(parent: string): Promise<TemporaryFile> {
    const path = join(await mkdtemp(join(parent, 'carbon-')), 'spool');
    try {
      return new TemporaryFile(await open(path, 'wx+', 0o600), path);
    } finally {
      await removeWithDirectory(path);
    }
  }

  /**
   * Appends bytes.
   * @throws LocalError if the write fails, such as on a full disk
   */
  async append(bytes: Uint8Array): Promise<void> {
    await this.handle.writeFile(bytes).catch((cause: unknown) => {
      const parent = dirname(dirname(this.path));
      throw new LocalError(
        `A temporary file in ${parent} cannot be written: ${explainSystemError(cause)}`,
        { hint: `Set ${temporaryVariable} to another directory for temporary files.` },
      );
    });
  }

  async close(): Promise<void> {
    await this.handle.close();
    await removeWithDirectory(this.path);
  }
}

async function removeWithDirectory(path: string): Promise<void> {
  await rm(dirname(path), { recursive: true, force: true }).catch(() => undefined);
}
