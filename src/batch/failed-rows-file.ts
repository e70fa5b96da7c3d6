/*
 * Replaces or removes the failed-rows file of the previous run, and never loses a user's edits.
 * carbon keeps copies of a file that the user had edited. It never deletes one, because the copy
 * may be the only record of hours of work. It reports when every row of one is registered.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeStaleFiles, writeAtomically } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { FileInUseError, whileInUse } from '../runtime/file-in-use.ts';
import type { MachineIdentity } from '../runtime/machine.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { detectDialect } from '../table/dialect.ts';
import { InputFile } from '../table/input-file.ts';
import { chooseColumns } from './columns.ts';
import { identifyRows } from './identified-rows.ts';
import { KeyIndex, State } from './journal/key-index.ts';
import { journalFile, journalFiles, previousName } from './journal/paths.ts';
import { JournalState } from './journal/reader.ts';

/** Describes the failed-rows file after a run. */
export interface FailedRows {
  readonly rows: number;
  /** Whether the file differs from that of the previous run. */
  readonly changed: boolean;
  /** New path of the previous file, if carbon had not written it or the user edited it. */
  readonly kept?: string | undefined;
}

/** Knows the SHA-256 digest, in hexadecimal digits, of each failed-rows file in the journals. */
export interface KnownDigests {
  has(digest: string): boolean;
  /** Records a digest before its file gets its name; does nothing for a digest on record. */
  add(digest: string): Promise<void>;
}

/** The place of the failed-rows file, and what decides whether carbon may replace it. */
export interface FailedRowsFile {
  readonly path: string;
  readonly known: KnownDigests;
  /** Identifies the processes that are alive, whose temporary files must stay. */
  readonly machine: MachineIdentity;
}

/**
 * Replaces the file of the previous run atomically, or removes it when there are no rows. A file
 * with the same content only gets a new time.
 *
 * A file that carbon did not write is renamed, because it may hold hours of manual fixes.
 *
 * @param write writes the content and returns the number of rows
 * @throws LocalError when the file cannot be written, or as `write` does
 */
export async function writeFailedRows(
  file: FailedRowsFile,
  write: (handle: FileHandle) => Promise<number>,
): Promise<FailedRows> {
  const { path, known, machine } = file;
  try {
    return await writeAtomically(path, machine, async (pending) => {
      const rows = await write(pending.handle);
      if (rows === 0) return await removeFailedRows(file);
      const [before, after] = [await digest(path), (await digest(pending.path)) as string];
      await known.add(after);
      if (before === after) {
        // The time shows that the file is newer than the journals.
        const { atime, mtime } = await pending.handle.stat();
        await utimes(path, atime, mtime).catch(() => undefined);
        return { rows, changed: false };
      }
      const kept = before === undefined || known.has(before) ? undefined : await keep(path, before);
      await pending.commit();
      return { rows, changed: true, kept };
    });
  } catch (error) {
    throw error instanceof LocalError ? error : unwritable(path, error);
  }
}

/*
 * Returns undefined if the file does not exist. An unreadable file gets a unique digest, so that it
 * never matches a known one.
 */
async function digest(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new Error('it is not a regular file');
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes);
  } catch {
    return randomUUID();
  }
  return hash.digest('hex');
}

/** Removes the failed-rows file of the previous run, unless the user edited it. */
export async function removeFailedRows({
  path,
  known,
  machine,
}: FailedRowsFile): Promise<FailedRows> {
  await removeStaleFiles(dirname(path), machine);
  const before = await digest(path).catch(() => undefined);
  if (before === undefined || !known.has(before)) return { rows: 0, changed: false };
  await whileInUse(() => rm(path, { force: true })).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  return { rows: 0, changed: true };
}

/* Renames a file to the first free name, unless a file with such a name has equal content. */
async function keep(path: string, content: string): Promise<string | undefined> {
  for (let count = 1; ; count += 1) {
    const kept = previousName(path, count);
    const existing = await digest(kept).catch(() => '');
    if (existing === content) return undefined;
    if (existing !== undefined) continue;
    await whileInUse(() => rename(path, kept));
    return kept;
  }
}

function unwritable(path: string, cause: unknown): LocalError {
  const remedy =
    cause instanceof FileInUseError ? 'Close the file in the other program' : 'Fix the cause';
  return new LocalError(`Cannot write the failed-rows file ${path}: ${explainSystemError(cause)}`, {
    hint: `The journal has the outcome of every row. ${remedy} and run the same command to write the file.`,
    cause,
  });
}

/** The registered rows, and the options that determine how carbon reads the copies. */
interface Known {
  readonly journals: JournalState;
  readonly service: string;
  readonly map?: readonly string[] | undefined;
  readonly skipLines?: number | undefined;
}

/**
 * Finds the kept copies of a failed-rows file in which every row is registered.
 *
 * A row may be registered in the journals of the input, of the failed-rows file or of the copy. An
 * unreadable copy is never among the results.
 */
export async function settledCopies(failed: string, known: Known): Promise<string[]> {
  const settled: string[] = [];
  for (let count = 1; existsSync(previousName(failed, count)); count += 1) {
    const path = previousName(failed, count);
    if (await isSettled(path, failed, known).catch(() => false)) settled.push(path);
  }
  return settled;
}

async function isSettled(
  path: string,
  failed: string,
  { journals, service, map, skipLines }: Known,
): Promise<boolean> {
  const source = new InputFile(path);
  const dialect = await detectDialect(source, { skipLines });
  const mapping = chooseColumns(dialect, map, journals.mappings(failed));
  const own = new JournalState(new KeyIndex(), journals.current, undefined);
  for (const input of [failed, path]) {
    for (const journal of journalFiles(journalFile(input), 'journals'))
      await own.read(journal.path);
  }
  const table = { source, dialect, mapping, service, shard: undefined, leavesOutTotals: true };
  let rows = 0;
  for await (const group of identifyRows(table)) {
    rows += group.rows.length;
    const isDone = ({ key }: { key: string }) =>
      [journals, own].some(({ index }) => {
        const entry = index.find(key);
        return entry >= 0 && (index.state(entry) & State.done) !== 0;
      });
    if (!group.rows.every(isDone)) return false;
  }
  return rows > 0;
}
