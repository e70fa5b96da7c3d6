/*
 * The failed-rows file holds the user's cells, unchanged, and the reason why each row failed. It is
 * a valid input: a fixed copy of it registers the remaining rows.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeStaleFiles, writeAtomically } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { MachineIdentity } from '../runtime/machine.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { errorColumn } from './csv/columns.ts';
import { type IdentifiedRow, type IdentifiedTable, identifyRows } from './csv/identified-rows.ts';
import { guardCell, writeRow } from './csv/output-cell.ts';
import { previousName } from './journal/paths.ts';
import type { JournalState } from './journal/reader.ts';
import { rowProblems } from './preflight/preflight.ts';
import { chooseAction, type RowProblem } from './row-action.ts';

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

/**
 * Writes the rows that are invalid, that the service refused, or that failed in too many runs.
 *
 * The rows keep their order, delimiter, columns and the lines above the header. The file is UTF-8
 * with a byte order mark, and its last column is `carbon_error`. It replaces the previous file
 * atomically; without failed rows, the previous file is removed. A file that carbon did not write
 * is renamed, because it may hold hours of manual fixes.
 * @throws LocalError when the file cannot be written, or the input has changed
 */
export async function writeFailedRows(
  table: IdentifiedTable,
  memory: JournalState,
  path: string,
  known: KnownDigests,
  machine: MachineIdentity,
): Promise<FailedRows> {
  try {
    return await writeAtomically(path, machine, async (file) => {
      const rows = await writeRows(file.handle, table, memory);
      if (rows === 0) return await removeFailedRows(path, known, machine);
      const [before, after] = [await digest(path), (await digest(file.path)) as string];
      await known.add(after);
      if (before === after) return { rows, changed: false };
      const kept = before === undefined || known.has(before) ? undefined : await keep(path, before);
      await file.commit();
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
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new Error('it is not a regular file');
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes);
  } catch {
    return randomUUID();
  }
  return hash.digest('hex');
}

/** Removes the failed-rows file of the previous run, unless the user edited it. */
export async function removeFailedRows(
  path: string,
  known: KnownDigests,
  machine: MachineIdentity,
): Promise<FailedRows> {
  await removeStaleFiles(dirname(path), machine);
  const before = await digest(path).catch(() => undefined);
  if (before === undefined || !known.has(before)) return { rows: 0, changed: false };
  await rm(path, { force: true }).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  return { rows: 0, changed: true };
}

/* Renames a file to the first free name, unless a file with such a name has equal content. */
async function keep(path: string, content: string): Promise<string | undefined> {
  for (let count = 1; ; count += 1) {
    const kept = previousName(path, count);
    const there = await digest(kept).catch(() => '');
    if (there === content) return undefined;
    if (there !== undefined) continue;
    await rename(path, kept);
    return kept;
  }
}

async function writeRows(
  file: FileHandle,
  table: IdentifiedTable,
  memory: JournalState,
): Promise<number> {
  const { titles, delimiter, lineEnd, header } = table.layout;
  const present = header.indexOf(errorColumn);
  const errorAt = present < 0 ? header.length : present;
  const line = (cells: readonly string[], error: string) => {
    const missing = Math.max(0, errorAt - cells.length);
    const full = [...cells, ...Array<string>(missing).fill('')];
    // A row with too many cells keeps them all, so its reason follows them.
    const at = present < 0 ? Math.max(errorAt, cells.length) : errorAt;
    return writeRow(full.toSpliced(at, present < 0 ? 0 : 1, error), delimiter, lineEnd);
  };
  let count = 0;
  await file.write(`\ufeff${titles}${line(header, errorColumn)}`);
  for await (const { rows } of identifyRows(table)) {
    let text = '';
    for (const row of rows) {
      const error = await failureOf(row, memory);
      if (error === undefined) continue;
      // Only the reason is escaped: the user's cells stay unchanged.
      text += line(row.cells, guardCell(error, delimiter));
      count += 1;
    }
    if (text !== '') await file.write(text);
  }
  return count;
}

/* Returns why a row failed in this run or an earlier one, undefined if it did not. */
async function failureOf(row: IdentifiedRow, memory: JournalState): Promise<string | undefined> {
  const entry = memory.index.find(row.key);
  const problems: RowProblem[] = [];
  const isValid = () => {
    problems.push(...rowProblems(row));
    return problems.length === 0;
  };
  const state = entry < 0 ? 0 : memory.index.state(entry);
  const step = chooseAction(state, true, isValid);
  if (step === 'refused') return (await memory.refusal(entry)).message;
  return step === 'invalid' ? problems.map(reportProblem).join('; ') : undefined;
}

/** Describes one problem, such as `lei_number "529" is not an LEI`. */
export function reportProblem({ field, value, problem, meant }: RowProblem): string {
  const subject =
    field === undefined ? 'the row' : value === '' ? field : `${field} "${shorten(value)}"`;
  return `${subject} ${problem}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

function unwritable(path: string, cause: unknown): LocalError {
  return new LocalError(`Can't write the failed-rows file ${path}: ${explainSystemError(cause)}`, {
    hint: 'The journal has the outcome of every row. Fix the cause and run the same command to write the file.',
    cause,
  });
}
