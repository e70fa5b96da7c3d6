/*
 * The file of failed rows: the user's own cells as they were, and why each row failed. It is itself an input, so a mended
 * copy of it registers the rest.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { LocalError } from '../errors.ts';
import { guardCell } from '../render/csv-cell.ts';
import { errorColumn } from './mapping.ts';
import { decide, type RowProblem } from './plan.ts';
import { rowProblems } from './preflight.ts';
import type { Memory } from './recall.ts';
import { type IdentifiedRow, identifyRows, type Table } from './table.ts';

/** What was written: how many rows, and whether the file of the run before had others. */
export interface FailedRows {
  readonly rows: number;
  readonly changed: boolean;
}

/**
 * Writes the rows that are invalid or refused, in the order of the file: same delimiter, columns and lines above the header, UTF-8 with
 * byte order mark, and `carbon_error` behind them. It replaces the file of the run before at once, and removes it
 * when no row failed.
 * @param path where it is written
 * @throws LocalError when it cannot be written, or the input changed
 */
export async function writeFailedRows(table: Table, memory: Memory, path: string): Promise<FailedRows> {
  const aside = `${path}.${randomUUID()}`;
  try {
    const file = await open(aside, 'wx');
    const rows = await writeRows(file, table, memory).finally(() => file.close());
    const changed = (await digest(path)) !== (await digest(aside));
    if (rows === 0) await removeFailedRows(path);
    else if (changed) await rename(aside, path);
    return { rows, changed };
  } catch (error) {
    throw error instanceof LocalError ? error : unwritable(path, error);
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/* Undefined when there is no such file. */
async function digest(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** Removes the file of failed rows of the run before. */
export async function removeFailedRows(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw unwritable(path, error);
  });
}

async function writeRows(file: FileHandle, table: Table, memory: Memory): Promise<number> {
  const { titles, delimiter, lineEnd, header } = table.layout;
  const present = header.indexOf(errorColumn);
  const errorAt = present < 0 ? header.length : present;
  const line = (cells: readonly string[], error: string) => {
    const missing = Math.max(0, errorAt - cells.length);
    const full = [...cells, ...Array<string>(missing).fill('')];
    // A row that is too long keeps all its cells; there the reason can only stand behind them.
    const at = present < 0 ? Math.max(errorAt, cells.length) : errorAt;
    return stringify([full.toSpliced(at, present < 0 ? 0 : 1, error)], {
      delimiter,
      record_delimiter: lineEnd,
    });
  };
  let count = 0;
  await file.write(`\ufeff${titles}${line(header, errorColumn)}`);
  for await (const { rows } of identifyRows(table)) {
    let text = '';
    for (const row of rows) {
      const error = await failureOf(row, memory);
      if (error === undefined) continue;
      // The user's own cells stay as they are.
      text += line(row.cells, guardCell(error));
      count += 1;
    }
    if (text !== '') await file.write(text);
  }
  await file.datasync();
  return count;
}

/* Why a row failed, undefined where it did not. What this run has refused counts as what an earlier one has. */
async function failureOf(row: IdentifiedRow, memory: Memory): Promise<string | undefined> {
  const entry = memory.index.find(row.key);
  const problems: RowProblem[] = [];
  const isValid = () => {
    problems.push(...rowProblems(row));
    return problems.length === 0;
  };
  const state = entry < 0 ? 0 : memory.index.state(entry);
  const step = decide(state, true, isValid);
  if (step === 'refused') return (await memory.refusal(entry)).message;
  return step === 'invalid' ? problems.map(sayProblem).join('; ') : undefined;
}

/** One problem in words, such as `lei_number "529" is not an LEI`. */
export function sayProblem({ field, value, problem, meant }: RowProblem): string {
  const subject = field === undefined ? 'the row' : value === '' ? field : `${field} "${shorten(value)}"`;
  return `${subject} ${problem}${meant === undefined ? '' : `; ${meant} is probably meant`}`;
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

function unwritable(path: string, cause: unknown): LocalError {
  return new LocalError(`The file of failed rows ${path} cannot be written: ${(cause as Error).message}`, {
    hint: 'The journal has the outcome of every row; the same command writes the file when it can.',
    cause,
  });
}
