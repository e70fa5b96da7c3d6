/*
 * The journal is an append-only file with the outcome of each row, one per line. A line is durable
 * when `append` has resolved; carbon reports no outcome before. A kill leaves at most one truncated
 * line. The next run ends that line with a line feed and ignores it.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory, whileInUse } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { isTruncatedHeader, truncatedLine } from './journal-format.ts';

const feed = 10;

/** A journal open for appending. */
export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #inode: number;
  #size = 0;

  private constructor(path: string, file: FileHandle, inode: number) {
    this.path = path;
    this.#file = file;
    this.#inode = inode;
  }

  /**
   * Opens a journal and checks that it can be written; a new one is readable by this user only.
   *
   * @throws LocalError when it cannot be written
   */
  static async open(path: string): Promise<Journal> {
    const { O_RDWR, O_APPEND, O_CREAT } = constants;
    let file: FileHandle | undefined;
    try {
      file = await open(path, O_RDWR | O_APPEND | O_CREAT, 0o600);
      const { size, ino } = await file.stat();
      const journal = new Journal(path, file, ino);
      journal.#size = size;
      if (size > 0) await journal.#repair();
      // After a power cut, a journal with durable lines must still have its name.
      if (journal.isEmpty) await syncDirectory(dirname(await realpath(path)));
      return journal;
    } catch (error) {
      await file?.close().catch(() => undefined);
      throw toJournalError(path, error);
    }
  }

  /*
   * Ends a last line that a kill cut. A header that was cut is removed, because no row follows it.
   */
  async #repair(): Promise<void> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    if (!head.includes('\n') && isTruncatedHeader(head)) {
      await this.#file.truncate(0);
      this.#size = 0;
      return;
    }
    const last = Buffer.alloc(1);
    await this.#file.read(last, 0, 1, this.#size - 1);
    if (last[0] !== feed) await this.append(`\n${truncatedLine}`);
  }

  /**
   * Appends complete lines and waits until they are on the disk.
   *
   * @throws LocalError when the disk is full, or the file was removed or replaced
   */
  async append(lines: string): Promise<void> {
    try {
      const bytes = Buffer.from(lines);
      for (let offset = 0; offset < bytes.length; ) {
        const { bytesWritten } = await this.#file.write(bytes, offset);
        offset += bytesWritten;
        this.#size += bytesWritten;
      }
      await this.#file.datasync();
      const now = await stat(this.path).catch(() => undefined);
      // Another run may use the journal by another name, whose lock is elsewhere.
      if (now?.ino !== this.#inode || now.size !== this.#size) {
        const what = now?.ino === this.#inode ? 'changed' : 'removed or replaced';
        throw new LocalError(`The journal ${this.path} was ${what} during the run`, {
          hint: 'Restore the file and run the same command again. Without it, carbon sends every row again; no organization is registered twice.',
        });
      }
    } catch (error) {
      throw toJournalError(this.path, error);
    }
  }

  /** Whether the journal has no header yet. */
  get isEmpty(): boolean {
    return this.#size === 0;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/**
 * Renames a journal so that a new one can start. Does nothing when there is no journal.
 */
export async function setJournalAside(path: string, aside: string): Promise<void> {
  await whileInUse(() => rename(path, aside)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw toJournalError(path, error);
  });
}

/**
 * Converts the error of a system call on a journal to a LocalError; returns other errors as is.
 */
export function toJournalError(
  path: string,
  error: unknown,
  operation: 'read' | 'write' = 'write',
): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LocalError(`Cannot ${operation} the journal ${path}: ${explainSystemError(error)}`, {
    hint: 'Nothing recorded so far is lost. Fix the cause and run the same command again.',
    cause: error,
  });
}
