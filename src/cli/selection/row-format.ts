/* How a selection prints a record: JSON, a CSV row, an id, or a row of a table. */
import { readReference } from '../../api/reference.ts';
import type { Organization } from '../../api/schema.ts';
import { type CsvValue, renderCsvLine } from '../../batch/csv/output-cell.ts';
import type { Query } from '../../query/query.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { csvColumns } from '../output/csv-columns.ts';
import type { CsvOutput } from '../output/csv-output.ts';
import type { CsvSource } from '../output/csv-source.ts';
import { readTableRow, renderRows, type TableRow } from '../output/table.ts';
import type { Session } from '../session.ts';
import { renderColumnTable, renderTabbed } from './column-table.ts';

/** What a record becomes: text to print, or the row of a table. It survives JSON. */
export type Item = string | readonly CsvValue[] | TableRow;

/** Prints the records of a selection in one format. */
export interface RowFormat {
  /** Whether a table needs all rows before it prints the first. */
  readonly isTable: boolean;
  /** Converts a record. `json` returns its text as received. */
  read(source: CsvSource, json: () => string): Item;
  /** Prints what precedes the first record, such as the header of CSV. */
  begin(): void;
  print(items: readonly Item[], isSynthetic: boolean): void;
}

/** Returns the format of a session. */
export async function rowFormat(session: Session, query: Query<CsvSource>): Promise<RowFormat> {
  const { format, view } = session;
  if (format === 'csv') return csvRows(await session.csv(), query);
  if (format === 'json')
    return {
      isTable: false,
      read: (_, json) => json(),
      begin: () => undefined,
      print: (items) => {
        for (const item of items) session.printJson(String(item));
      },
    };
  if (format === 'ids') return lines(session, ({ record }) => `${sanitize(idOf(record))}\n`);
  const { columns } = query;
  if (columns !== undefined && !view.terminal)
    return lines(session, (source) => renderTabbed(columns.map((column) => column.value(source))));
  return {
    isTable: view.terminal,
    read: (source) =>
      columns?.map((column) => column.value(source) ?? null) ?? readTableRow(source.record),
    begin: () => undefined,
    print: (items, isSynthetic) => {
      const synthetic = isSynthetic || view.synthetic;
      session.print(
        columns === undefined
          ? renderRows(items as readonly TableRow[], { ...view, synthetic })
          : renderColumnTable(columns, items as readonly CsvValue[][], { ...view, synthetic }),
      );
    },
  };
}

function lines(session: Session, read: (source: CsvSource) => string): RowFormat {
  return {
    isTable: false,
    read,
    begin: () => undefined,
    print: (items) => session.print(items.join('')),
  };
}

function csvRows(csv: CsvOutput, query: Query<CsvSource>): RowFormat {
  const columns = query.columns ?? csvColumns;
  return {
    isTable: false,
    read: (source) =>
      renderCsvLine(
        columns.map((column) => column.value(source)),
        csv.format,
      ),
    begin: () => csv.writeCells(columns.map(({ name }) => name)),
    print: (items) => csv.writeText(items.join('')),
  };
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
