/*
 * Turns tables into sheets with typed cells: numbers, dates and booleans keep their type, so that a
 * spreadsheet can sort and sum them. Text is sanitized and never a formula.
 */
import { sanitize } from '../terminal/sanitize.ts';
import { copiedCell } from '../workbook/cell-value.ts';
import type { SheetContent, WrittenCell } from '../workbook/write-workbook.ts';
import type { CsvValue } from './output-cell.ts';

/** A value of a workbook; CSV has no dates. */
export type OutputValue = CsvValue | Date;

/** A table whose columns have the names of `--csv`. */
export interface OutputTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly OutputValue[]> | AsyncIterable<readonly OutputValue[]>;
}

/** Statements for the sheet that explains a workbook: a label and a text. */
export type Statements = readonly (readonly [label: string, text: string])[];

/** Returns the sheet of a table. */
export function outputSheet({ name, columns, rows }: OutputTable): SheetContent {
  return {
    name,
    columns: columns.map((header) => ({ header, format: formatOf(header) })),
    rows: typedRows(columns, rows),
  };
}

/**
 * Returns the sheet that explains the figures of the others.
 *
 * @param statements the statements, or a function that is called after the other sheets are written
 */
export function methodSheet(statements: Statements | (() => Statements)): SheetContent {
  return {
    name: 'Method',
    columns: [
      { header: 'subject', width: 28 },
      { header: 'explanation', width: 100 },
    ],
    rows: statementRows(statements),
  };
}

function* statementRows(
  statements: Statements | (() => Statements),
): Generator<readonly WrittenCell[], void, void> {
  const all = typeof statements === 'function' ? statements() : statements;
  for (const row of all) yield row.map((text) => typedCell(text));
}

async function* typedRows(
  columns: readonly string[],
  rows: OutputTable['rows'],
): AsyncGenerator<readonly WrittenCell[], void, void> {
  const areDates = columns.map((column) => /_at$/.test(column));
  for await (const row of rows)
    yield row.map((value, index) => typedCell(value, areDates[index] ?? false));
}

/* Excel shows at most 15 digits, which would change a longer id. */
const maxExact = 1e15;

/**
 * Returns the cell of a value.
 *
 * @param isDate whether a text in the format of ISO 8601 is a date
 */
export function typedCell(value: OutputValue, isDate = false): WrittenCell {
  if (value instanceof Date) return value;
  if (value === null || value === undefined || typeof value === 'boolean')
    return value ?? undefined;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    return Number.isInteger(value) && Math.abs(value) >= maxExact ? String(value) : value;
  }
  const text = sanitize(value);
  return copiedCell(isDate ? utcText(text) : text, isDate ? 'date' : 'text');
}

/* Workbooks have no time zones, so times are UTC. */
function utcText(text: string): string {
  return text.replace(/(T\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)$/, '$1');
}

const shares = /(?:^|_)share$/;
const amounts =
  /^(?:spend|revenue|emissions)(?:_|$)|^inputs_(?:revenue|scope_1|scope_2|scope_1_and_2|upstream|total)$/;

function formatOf(column: string): string | undefined {
  if (shares.test(column)) return '0.0%';
  return amounts.test(column) && !/_year$/.test(column) ? '#,##0.00' : undefined;
}
