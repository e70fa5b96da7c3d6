/*
 * The file of failed rows: the user's own cells as they were, and why each row failed. It is itself
 * an input, so a mended copy of it registers the rest.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeAbandoned, writeAtomically } from '../runtime/atomic-file.ts';
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

/** What was written: how many rows, and whether the file of the run before had others. */
export interface FailedRows {
  readonly rows: number;
  readonly changed: boolean;
  /**
   * Where the file is now that was in the place, when it was not as `carbon` had left it:
   * somebody's own, or mended.
   */
  readonly kept?: string | undefined;
}

/**
 * What the journals know of the files of failed rows that were written: the SHA-256 of each, in
 * hexadecimal digits.
 */
export interface Written {
  has(digest: string): boolean;
  /**
   * Remembers one, before it is in its place; does nothing for one that the journal names already.
   */
  add(digest: string): Promise<void>;
}

/**
 * Writes the rows that are invalid, that the service refused, or that failed in too many runs, in
 * the order of the file: same delimiter, columns and lines above the header, UTF-8 with byte order
 * mark, and `carbon_error` behind them. It replaces the file of the run before at once, and removes
 * it when no row failed; what `carbon` has not written is kept, for it may be hours of mending.
 * @param path where it is written
 * @throws LocalError when it cannot be written, or the input changed
 */
export async function writeFailedRows(
  table: IdentifiedTable,
  memory: JournalState,
  path: string,
  written: Written,
  machine: MachineIdentity,
): Promise<FailedRows> {
  try {
    return await writeAtomically(path, machine, async (file) => {
      const rows = await writeRows(file.handle, table, memory);
      if (rows === 0) return await removeFailedRows(path, written, machine);
      const [before, after] = [await digest(path), (await digest(file.path)) as string];
      await written.add(after);
      if (before === after) return { rows, changed: false };
      const kept =
        before === undefined || written.has(before) ? undefined : await keep(path, before);
      await file.commit();
      return { rows, changed: true, kept };
    });
  } catch (error) {
    throw error instanceof LocalError ? error : unwritable(path, error);
  }
}

/*
 * Undefined when there is no such file; what cannot be read is like no other, so neither ours nor
 * kept already.
 */
async function digest(path: string): Promise<string | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new Error('something else has its name');
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes);
  } catch {
    return randomUUID();
  }
  return hash.digest('hex');
}

/** Removes the file of failed rows of the run before, unless it is not as `carbon` had left it. */
export async function removeFailedRows(
  path: string,
  written: Written,
  machine: MachineIdentity,
): Promise<FailedRows> {
  await removeAbandoned(dirname(path), machine);
  const before = await digest(path).catch(() => undefined);
  if (before === undefined || !written.has(before)) return { rows: 0, changed: false };
  await rm(path, { force: true }).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  return { rows: 0, changed: true };
}

/*
 * Moves a file to the first of these names that is free, unless one of them has the same already.
 */
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
    // A row that is too long keeps all its cells; there the reason can only stand behind them.
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
      // The user's own cells stay as they are.
      text += line(row.cells, guardCell(error, delimiter));
      count += 1;
    }
    if (text !== '') await file.write(text);
  }
  return count;
}

/*
 * Why a row failed, undefined where it did not. What this run has refused counts as what an earlier
 * one has.
 */
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

/** One problem in words, such as `lei_number "529" is not an LEI`. */
export function reportProblem({ field, value, problem, meant }: RowProblem): string {
  const subject =
    field === undefined ? 'the row' : value === '' ? field : `${field} "${shorten(value)}"`;
  return `${subject} ${problem}${meant === undefined ? '' : `; ${meant} is probably meant`}`;
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

function unwritable(path: string, cause: unknown): LocalError {
  return new LocalError(
    `The file of failed rows ${path} cannot be written: ${explainSystemError(cause)}`,
    {
      hint: 'The journal has the outcome of every row; the same command writes the file when it can.',
      cause,
    },
  );
}
