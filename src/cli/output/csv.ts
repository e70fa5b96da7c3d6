/*
 * `--csv` in the format of RFC 4180: commas, CRLF, quotes around cells that contain any common
 * delimiter; UTF-8 without a byte order mark. Cells are sanitized like text for a terminal, because
 * the output may go to one, so a row is always one line.
 */
import type { Organization } from '../../api/schema.ts';
import { type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import { organizationRow, organizationTable, valuesOf } from './record-tables.ts';

/**
 * Renders the header line of organizations.
 * @param leading names of columns that precede those of a record
 */
export function renderCsvHeader(leading: readonly string[] = []): string {
  return renderCsvLine([...leading, ...organizationTable.written.map(({ name }) => name)]);
}

/**
 * Renders the line of one organization; missing values are empty cells.
 * @param leading cells that precede those of the record
 */
export function renderCsvRow(record: Organization, leading: readonly CsvValue[] = []): string {
  return renderCsvLine([
    ...leading,
    ...valuesOf(organizationTable.written, organizationRow(record)),
  ]);
}
