/* What a selection prints of a record: JSON, a CSV row, an id, or a row of a table. */
import { readReference } from '../../api/ids.ts';
import type { Organization } from '../../api/schema.ts';
import { isSynthetic } from '../../organizations/history.ts';
import type { RowKeys } from '../../query/order.ts';
import type { Query } from '../../query/query.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { type CsvFormat, type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { csvColumns } from '../output/csv-columns.ts';
import { type CsvSource, csvSource } from '../output/csv-source.ts';
import { readTableRow, type TableRow } from '../output/table-row.ts';
import type { Format } from '../output-format.ts';
import { renderTabbed } from './column-table.ts';

/** What a record becomes: text to print, or the row of a table. It survives JSON. */
export type Item = string | readonly CsvValue[] | TableRow;

/** What a selection shows of a record. */
export interface Shown<Row> {
  readonly item: Row;
  /** Whether the record is one of the sandbox. */
  readonly isSynthetic: boolean;
}

/** A record that meets the conditions, with the keys by which rows are ordered. */
export interface Selected<Row> extends Shown<Row> {
  readonly keys: RowKeys;
}

/** The form of the output. */
export interface RowForm {
  readonly format: Format;
  readonly isTerminal: boolean;
  /** The form of `--csv`; undefined with another format. */
  readonly csv: CsvFormat | undefined;
}

/** Reads a record; returns undefined if it does not meet the conditions. */
export type ReadSelected<Row> = (
  record: Organization,
  /** Returns the text of the record as received. */
  json: () => string,
) => Selected<Row> | undefined;

/** Converts a record to the form of an output. `json` returns its text as received. */
type ReadItem<Row> = (source: CsvSource, json: () => string) => Row;

/** Returns the function that reads the records of a query in the form of an output. */
export function selectedReader<Row>(
  query: Query<CsvSource>,
  readItem: ReadItem<Row>,
): ReadSelected<Row> {
  return (record, json) => {
    const source = csvSource(record);
    if (!query.matches(source)) return undefined;
    return {
      keys: query.order?.keys(source) ?? [],
      item: readItem(source, json),
      isSynthetic: isSynthetic(record),
    };
  };
}

/** Returns the function that reads the records of a query for standard output. */
export function rowReader(query: Query<CsvSource>, form: RowForm): ReadSelected<Item> {
  return selectedReader(query, itemReader(query, form));
}

function itemReader(
  { columns }: Query<CsvSource>,
  { format, isTerminal, csv }: RowForm,
): ReadItem<Item> {
  if (format === 'csv') {
    const written = columns ?? csvColumns;
    return (source) =>
      renderCsvLine(
        written.map((column) => column.value(source)),
        csv,
      );
  }
  if (format === 'json') return (_, json) => json();
  if (format === 'ids') return ({ record }) => `${sanitize(idOf(record))}\n`;
  if (columns === undefined) return ({ record }) => readTableRow(record);
  const values = (source: CsvSource) => columns.map((column) => column.value(source) ?? null);
  return isTerminal ? values : (source) => renderTabbed(values(source));
}

function idOf(record: Organization): string {
  const { id, name } = readReference(record);
  if (id !== undefined) return String(id);
  const which = name === undefined ? '' : ` (${name})`;
  throw new UsageError(
    `A record has no usable id${which}`,
    'Use --json to see the record.',
    'invalid_input',
  );
}
