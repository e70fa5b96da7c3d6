/*
 * `--csv` as RFC 4180 writes it: comma, CRLF, quotes around cells with a delimiter of any kind;
 * UTF-8 without a byte order mark. A row is one line: cells are cleaned like text for a terminal,
 * because a terminal is where they may go.
 */
import type { Organization } from '../../api/schema.ts';
import { guardCell, writeRow } from '../../batch/csv/output-cell.ts';
import { numberText } from '../../terminal/format.ts';
import { type CsvValue, csvColumns, csvSource } from './csv-columns.ts';

/**
 * Renders the header line of `--csv`.
 * @param leading names of columns before those of a record
 */
export function renderCsvHeader(leading: readonly string[] = []): string {
  return line([...leading, ...csvColumns.map(({ name }) => name)]);
}

/**
 * Renders the line of one organization; missing values are empty cells.
 * @param leading cells before those of the record
 */
export function renderCsvRow(record: Organization, leading: readonly CsvValue[] = []): string {
  const source = csvSource(record);
  return line([...leading.map(cell), ...csvColumns.map((column) => cell(column.value(source)))]);
}

/**
 * Renders one line of any table; text is guarded against formulas, numbers and booleans are not.
 */
export function renderCsvLine(cells: readonly CsvValue[]): string {
  return line(cells.map(cell));
}

function line(cells: readonly string[]): string {
  return writeRow(cells, ',', '\r\n');
}

function cell(value: CsvValue): string {
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' ? guardCell(value) : String(value ?? '');
}
