/*
 * `--csv` in the format of RFC 4180: commas, CRLF, quotes around cells that contain any common
 * delimiter; UTF-8 without a byte order mark. `--excel`, `--locale` and `--delimiter` change the
 * format. Cells are sanitized like text for a terminal, because the output may go to one, so a row
 * is always one line.
 */
import type { Organization } from '../../api/schema.ts';
import {
  type CsvFormat,
  type CsvValue,
  renderCsvLine,
  standardCsv,
} from '../../table/output-cell.ts';
import { csvColumns } from './csv-columns.ts';
import { csvSource } from './csv-source.ts';

/**
 * Renders the header line of `--csv`.
 * @param leading names of columns that precede those of a record
 */
export function renderCsvHeader(
  leading: readonly string[] = [],
  format: CsvFormat = standardCsv,
): string {
  return renderCsvLine([...leading, ...csvColumns.map(({ name }) => name)], format);
}

/**
 * Renders the line of one organization; missing values are empty cells.
 * @param leading cells that precede those of the record
 */
export function renderCsvRow(
  record: Organization,
  leading: readonly CsvValue[] = [],
  format: CsvFormat = standardCsv,
): string {
  const source = csvSource(record);
  return renderCsvLine([...leading, ...csvColumns.map((column) => column.value(source))], format);
}
