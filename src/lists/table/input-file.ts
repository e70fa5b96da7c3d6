import { closeSync, fstatSync, openSync, promises, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import { invalidInput, LocalError, UsageError } from '../../runtime/carbon-error.ts';
import { readAt, stampOf, takeTurn } from '../../runtime/file-lines.ts';
import { joinHints } from '../../runtime/hint.ts';
import { temporaryFileError } from '../../runtime/temporary-file.ts';
import { throwUnreadable } from '../../runtime/unreadable-file.ts';
import type { Workbook } from '../workbook/open-workbook.ts';

/* Larger chunks make strings that only a full garbage collection frees. */
const chunkBytes = 16 * 1024;

/** The sheet of a workbook that is read. */
export type InputSheet = Pick<
  Workbook,
  'name' | 'isMade' | 'others' | 'findings' | 'layout' | 'is1904'
>;

/**
 * Reads an input file several times and detects changes: every reading must have the size,
 * modification time and inode of the first one.
 */
export class InputFile {
  readonly path: string;
  readonly file: FileHandle | undefined;
  /** The sheet if the file is a workbook; known after the dialect was detected. */
  sheet: InputSheet | undefined;
  /** Number of lines above the header that were recognized as titles. */
  titleLines = 0;
  /** Whether short rows get empty cells at their end; known after one was read. */
  completesRows: boolean | undefined;
  /** The name of the file in messages, without its sheet. */
  readonly fileName: string;
  /** What identifies the version of the file that was read. */
  stamp: string | undefined;

  /** @param file an open file without a path, such as a copy of standard input; it stays open */
  constructor(path: string, name: string = path, file?: FileHandle) {
    this.path = path;
    this.fileName = name;
    this.file = file;
  }

  /** The name of the file and its sheet in messages. */
  get name(): string {
    return this.sheet === undefined
      ? this.fileName
      : `${this.fileName}, sheet "${this.sheet.name}"`;
  }

  /** Reads the first bytes of the file; fewer if it is shorter. */
  readStart(length: number): Buffer {
    const fd = this.file?.fd ?? this.#open();
    try {
      const start = Buffer.alloc(length);
      return start.subarray(0, readAt({ fd }, this.fileName, start, 0));
    } finally {
      if (this.file === undefined) closeSync(fd);
    }
  }

  /** Throws a LocalError if the file has changed since it was first read. */
  checkUnchanged(fd = this.file?.fd): void {
    const stats = this.#attempt(() => (fd === undefined ? statSync(this.path) : fstatSync(fd)));
    const stamp = stampOf(stats);
    this.stamp ??= stamp;
    if (stamp !== this.stamp) throw this.changed();
  }

  /**
   * Reads the bytes in chunks, each valid until the next one is requested.
   *
   * @throws UsageError if the file does not exist; LocalError if it changed since it was first read
   */
  async *bytes(): AsyncGenerator<Buffer, void, void> {
    const fd = this.file?.fd ?? this.#open();
    try {
      this.checkUnchanged(fd);
      const buffer = Buffer.allocUnsafeSlow(chunkBytes);
      for (let position = 0; ; ) {
        const bytesRead = readAt({ fd }, this.fileName, buffer, position);
        if (bytesRead === 0) break;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
        await takeTurn(bytesRead);
      }
      this.checkUnchanged(fd);
    } finally {
      if (this.file === undefined) closeSync(fd);
    }
  }

  changed(): LocalError {
    return new LocalError(`${this.fileName} changed while it was being read`, {
      hint: 'Run the same command again. It checks the file again and sends only the remaining rows.',
    });
  }

  /** Returns the error for a file that cannot be read any more, after it was read once. */
  removed(cause: unknown): LocalError {
    return new LocalError(`${this.fileName} was removed or replaced during the run`, {
      hint: 'Restore the file and run the same command again. It sends only the remaining rows.',
      cause,
    });
  }

  #open(): number {
    const stats = this.#attempt(() => statSync(this.path));
    // Opening a pipe waits for its writer, and its bytes can be read only once.
    if (stats.isFile()) return this.#attempt(() => openSync(this.path, 'r'));
    const what = stats.isDirectory() ? 'a directory' : 'a pipe or device';
    throw new UsageError(
      `${this.fileName} is ${what}`,
      'Use the path of a CSV file or workbook, or - for standard input.',
    );
  }

  #attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      throwUnreadable(this.fileName, cause);
    }
  }
}

/**
 * Copies a stream to a private temporary file that can be read several times. The file is unlinked
 * right after creation, so that nothing remains however the process ends; on Windows, which cannot
 * unlink open files, `close` does it.
 *
 * @throws LocalError if the file cannot be written; the signal's reason if it is aborted
 */
export async function spool(input: Readable, signal: AbortSignal) {
  let close: (() => Promise<void>) | undefined;
  try {
    const path = join(await promises.mkdtemp(join(tmpdir(), 'carbon-')), 'spool');
    const remove = () =>
      promises.rm(dirname(path), { recursive: true, force: true }).catch(() => undefined);
    const handle = await promises.open(path, 'wx+', 0o600).finally(remove);
    close = () => handle.close().then(remove);
    const write = async (chunks: AsyncIterable<Buffer | string>) => {
      for await (const chunk of chunks) await handle.writeFile(chunk);
    };
    await pipe(input, write, { signal });
    return { path, handle, close };
  } catch (cause) {
    await close?.();
    signal.throwIfAborted();
    throw temporaryFileError('Cannot copy standard input to a temporary file', cause);
  }
}

/**
 * Chooses the columns of a table. If that fails on a sheet that carbon chose, because `--sheet` did
 * not name one, the hint of the error names the other visible sheets: the first may be a cover.
 */
export function withSheetHint<Result>(
  source: InputFile,
  wanted: string | undefined,
  choose: () => Result,
): Result {
  try {
    return choose();
  } catch (error) {
    const hint = wanted === undefined ? otherSheets(source) : undefined;
    if (hint === undefined || !(error instanceof UsageError)) throw error;
    // The header is on this sheet.
    if (typeof error.hint === 'string' && error.hint.includes('--skip-lines')) throw error;
    throw invalidInput(error.message, joinHints(error.hint, hint), async () => {
      const choices = await error.choices?.();
      const { sheetChoices } = await import('./choices.ts');
      const sheets = await sheetChoices(source, visibleSheets(source));
      return choices && { ...choices, options: [...choices.options, ...sheets] };
    });
  }
}

/** Returns the names of the other visible sheets. */
export function visibleSheets({ sheet }: InputFile): string[] {
  return sheet?.others.filter(({ isVisible }) => isVisible).map(({ name }) => name) ?? [];
}

/** Returns a sentence that names other visible sheets; undefined if there is none. */
export function otherSheets(source: InputFile): string | undefined {
  const names = visibleSheets(source);
  if (names.length === 0) return undefined;
  const options = names.slice(0, 3).map((name) => `--sheet ${quoteWords([name])}`);
  return `For another sheet of the workbook, use ${options.join(' or ')}.`;
}
