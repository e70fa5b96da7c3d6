/*
 * The failed-rows file holds the user's cells, unchanged, the line of each row and the reason why
 * it failed. It is a valid input: a fixed copy of it registers the remaining rows.
 *
 * carbon replaces or removes the file that it wrote itself, whose digest is in the journal. A file
 * that the user edited is renamed, because it may be the only record of hours of work.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, rename, rm, stat } from 'node:fs/promises';
import { FileInUseError, whileInUse, writeAtomically } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { errorColumn, isAddedColumn, lineColumn } from '../table/header.ts';
import { guardCell, writeRow } from '../table/output-cell.ts';
import { cut } from '../terminal/format.ts';
import { sanitize } from '../terminal/sanitize.ts';
import type { WrittenCell } from '../workbook/sheet-writer.ts';
import type { IdentifiedRow, IdentifiedTable } from './identified-rows.ts';
import type { Journals } from './journal/journals.ts';
import { unusedName } from './journal/paths.ts';
import { planRows, type RowProblem } from './row-action.ts';

/** Describes the failed-rows file after a run. */
export interface FailedRows {
  readonly rows: number;
  /** Whether the file differs from that of the previous run. */
  readonly changed: boolean;
  /** New path of the previous file, if carbon had not written it or the user edited it. */
  readonly kept?: string | undefined;
}

/** The place of the failed-rows file, and what decides whether carbon may replace it. */
export interface FailedRowsFile {
  readonly path: string;
  /** SHA-256 digests of the files that carbon wrote. */
  readonly digests: ReadonlySet<string>;
  /** Records the digest of a file before it gets its name. */
  record(digest: string): Promise<void>;
}

/**
 * Replaces the file of the previous run atomically, or removes it when no row failed.
 *
 * @throws LocalError when the file cannot be written; UsageError or LocalError when the input has
 * changed
 */
export async function writeFailedRows(
  file: FailedRowsFile,
  table: IdentifiedTable,
  journals: Journals,
): Promise<FailedRows> {
  const { path, digests } = file;
  try {
    return await writeAtomically(path, async (pending) => {
      const rows = await writeFailures(pending.handle, table, journals);
      if (rows === 0) return await removeFailedRows(file);
      const [before, after] = [await digest(path), (await digest(pending.path)) as string];
      if (!digests.has(after)) await file.record(after);
      const isEdited = before !== undefined && before !== after && !digests.has(before);
      const kept = isEdited ? unusedName(path) : undefined;
      if (kept !== undefined) await whileInUse(() => rename(path, kept));
      await pending.commit();
      return { rows, changed: before !== after, kept };
    });
  } catch (error) {
    throw error instanceof LocalError ? error : unwritable(path, error);
  }
}

/** Removes the failed-rows file of the previous run, unless the user edited it. */
export async function removeFailedRows({ path, digests }: FailedRowsFile): Promise<FailedRows> {
  const before = await digest(path).catch(() => undefined);
  if (before === undefined || !digests.has(before)) return { rows: 0, changed: false };
  await whileInUse(() => rm(path, { force: true })).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  return { rows: 0, changed: true };
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

function unwritable(path: string, cause: unknown): LocalError {
  const remedy =
    cause instanceof FileInUseError ? 'Close the file in the other program' : 'Fix the cause';
  return new LocalError(`Cannot write the failed-rows file ${path}: ${explainSystemError(cause)}`, {
    hint: `The journal has the outcome of every row. ${remedy} and run the same command to write the file.`,
    cause,
  });
}

/*
 * Writes the rows that are invalid, that the service rejected, or that failed in too many runs, and
 * returns their number. They keep their order, delimiter, columns and the lines above the header;
 * the text starts with a byte order mark. A workbook stays a workbook.
 */
async function writeFailures(
  file: FileHandle,
  table: IdentifiedTable,
  journals: Journals,
): Promise<number> {
  if (table.dialect.sheet !== undefined)
    return writeFailedWorkbook(file, table, failedRows(table, journals));
  const { titles, delimiter, lineEnd, header } = table.dialect;
  const own = header.filter((column) => !isAddedColumn(column));
  const line = (cells: readonly string[], ...added: string[]) => {
    const kept = cells.filter((_, index) => !isAddedColumn(header[index]));
    const missing = Array<string>(Math.max(0, own.length - kept.length)).fill('');
    // A row with too many cells keeps them all, so its reason follows them.
    return writeRow([...kept, ...missing, ...added], delimiter, lineEnd);
  };
  let text = `\ufeff${titles}${line(header, lineColumn, errorColumn)}`;
  let failed = 0;
  for await (const { row, listLine, error } of failedRows(table, journals)) {
    // Only the reason is escaped: the user's cells stay unchanged.
    text += line(row.cells, listLine, guardCell(error, delimiter));
    failed += 1;
    if (text.length < 64 * 1024) continue;
    await file.writeFile(text);
    text = '';
  }
  await file.writeFile(text);
  return failed;
}

/*
 * Writes the failed rows of a workbook as a workbook: the user's own cells with their types, and
 * the reason why each row failed. The header keeps its row number, for --skip-lines.
 */
async function writeFailedWorkbook(
  file: FileHandle,
  { dialect, source }: IdentifiedTable,
  rows: AsyncIterable<FailedRow>,
): Promise<number> {
  const [{ readTitles }, { copiedCell }, { writeWorkbook }] = await Promise.all([
    import('../table/sheet.ts'),
    import('../workbook/cell-value.ts'),
    import('../workbook/write-workbook.ts'),
  ]);
  const copy = (cells: readonly string[], kinds: IdentifiedRow['kinds'] = []): WrittenCell[] =>
    cells.map((cell, column) => copiedCell(cell, kinds[column] ?? 'text'));
  const titles = await readTitles(source, dialect);
  const { sheet: name = 'Failed rows', header, headerLine } = dialect;
  const own = header.filter((column) => !isAddedColumn(column));
  const columns = [...own, lineColumn, errorColumn];
  const hasHeader = titles.length === 0 && headerLine === 1;
  let failed = 0;
  async function* written(): AsyncGenerator<readonly WrittenCell[], void, void> {
    if (!hasHeader) {
      const above = new Map(titles.map(({ number, cells, kinds }) => [number, copy(cells, kinds)]));
      for (let line = 1; line < headerLine; line += 1) yield above.get(line) ?? [];
      yield columns;
    }
    for await (const { row, listLine, error } of rows) {
      failed += 1;
      // A note to the right of the table stays there, so a reason never replaces it.
      const cells = copy(row.exported ?? row.cells, row.kinds);
      const kept = cells.filter((_, index) => !isAddedColumn(header[index]));
      yield kept.toSpliced(own.length, 0, Number(listLine), sanitize(error));
    }
  }
  const headers = columns.map((text) => ({ header: text }));
  await writeWorkbook(file, [{ name, columns: headers, rows: written(), hasHeader }]);
  return failed;
}

/** A row that failed in this run or an earlier one. */
interface FailedRow {
  readonly row: IdentifiedRow;
  /** Its line in the list; a failed-rows file keeps that of its own input. */
  readonly listLine: string;
  /** Why it failed. */
  readonly error: string;
}

async function* failedRows(
  table: IdentifiedTable,
  journals: Journals,
): AsyncGenerator<FailedRow, void, void> {
  const lineAt = table.dialect.header.indexOf(lineColumn);
  for await (const plan of planRows(table, journals)) {
    const { row, line } = plan;
    const listLine = row.cells[lineAt] || `${line}`;
    if (plan.step === 'refused') yield { row, listLine, error: plan.error.message };
    if (plan.step === 'invalid')
      yield { row, listLine, error: plan.problems.map(reportProblem).join('; ') };
  }
}

/** Describes one problem with the user's header, such as `LEI Code "529" is not an LEI`. */
export function reportProblem({ field, column, value, problem, meant }: RowProblem): string {
  const named = /^\d+$/.test(column ?? '') ? `column ${column}` : column || field;
  const subject = `${cut(named ?? 'the row', 60)}${value === '' ? '' : ` "${cut(value, 60)}"`}`;
  return `${subject} ${problem}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
