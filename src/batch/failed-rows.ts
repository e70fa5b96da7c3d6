/*
 * The failed-rows file holds the user's cells, unchanged, and the reason why each row failed. It is
 * a valid input: a fixed copy of it registers the remaining rows.
 */
import type { FileHandle } from 'node:fs/promises';
import { errorColumn } from '../table/dialect.ts';
import { guardCell, writeRow } from '../table/output-cell.ts';
import { type IdentifiedRow, type IdentifiedTable, identifyRows } from './identified-rows.ts';
import type { JournalState } from './journal/reader.ts';
import { rowProblems } from './preflight.ts';
import { chooseAction, type RowProblem } from './row-action.ts';

/**
 * Writes the failed-rows file: the rows that are invalid, that the service refused, or that failed
 * in too many runs.
 *
 * The rows keep their order, delimiter, columns and the lines above the header. The text starts
 * with a byte order mark, and its last column is `carbon_error`. A workbook stays a workbook.
 *
 * @returns the number of failed rows
 * @throws UsageError or LocalError when the input has changed
 */
export async function writeFailures(
  file: FileHandle,
  table: IdentifiedTable,
  journals: JournalState,
): Promise<number> {
  if (table.dialect.sheet !== undefined) {
    const { writeFailedWorkbook } = await import('./failed-rows-workbook.ts');
    return writeFailedWorkbook(file, table, journals);
  }
  let failed = 0;
  for await (const { text, rows } of failedRowsText(table, journals)) {
    await file.writeFile(text);
    failed += rows;
  }
  return failed;
}

async function* failedRowsText(
  table: IdentifiedTable,
  journals: JournalState,
): AsyncGenerator<{ readonly text: string; readonly rows: number }, void, void> {
  const { titles, delimiter, lineEnd, header } = table.dialect;
  const present = header.indexOf(errorColumn);
  const errorAt = present < 0 ? header.length : present;
  const line = (cells: readonly string[], error: string) => {
    const missing = Math.max(0, errorAt - cells.length);
    const full = [...cells, ...Array<string>(missing).fill('')];
    // A row with too many cells keeps them all, so its reason follows them.
    const index = present < 0 ? Math.max(errorAt, cells.length) : errorAt;
    return writeRow(full.toSpliced(index, present < 0 ? 0 : 1, error), delimiter, lineEnd);
  };
  yield { text: `\ufeff${titles}${line(header, errorColumn)}`, rows: 0 };
  for await (const group of identifyRows(table)) {
    let text = '';
    let rows = 0;
    for (const row of group.rows) {
      const error = await failureOf(row, journals);
      if (error === undefined) continue;
      // Only the reason is escaped: the user's cells stay unchanged.
      text += line(row.cells, guardCell(error, delimiter));
      rows += 1;
    }
    if (rows > 0) yield { text, rows };
  }
}

/** Returns why a row failed in this run or an earlier one, undefined if it did not. */
export async function failureOf(
  row: IdentifiedRow,
  journals: JournalState,
): Promise<string | undefined> {
  const entry = journals.index.find(row.key);
  const problems: RowProblem[] = [];
  const isValid = () => {
    problems.push(...rowProblems(row));
    return problems.length === 0;
  };
  const state = entry < 0 ? 0 : journals.index.state(entry);
  const step = chooseAction(state, true, isValid);
  if (step === 'refused') return (await journals.refusal(entry)).message;
  return step === 'invalid' ? problems.map(reportProblem).join('; ') : undefined;
}

/** Describes one problem with the user's header, such as `LEI Code "529" is not an LEI`. */
export function reportProblem({ field, column, value, problem, meant }: RowProblem): string {
  const named = /^\d+$/.test(column ?? '') ? `column ${column}` : column || field;
  const subject = `${shorten(named ?? 'the row')}${value === '' ? '' : ` "${shorten(value)}"`}`;
  return `${subject} ${problem}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
