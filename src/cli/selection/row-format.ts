/* How a selection prints its rows: as JSON, CSV, ids, or a table. */
import type { CsvValue } from '../../batch/csv/output-cell.ts';
import type { Query } from '../../query/query.ts';
import { csvColumns } from '../output/csv-columns.ts';
import type { CsvSource } from '../output/csv-source.ts';
import { renderRows, type TableRow } from '../output/table.ts';
import type { Session } from '../session.ts';
import { renderColumnTable } from './column-table.ts';
import type { Item, RowForm } from './read-row.ts';

/** Prints the rows of a selection in one format. */
export interface RowFormat {
  /** Whether a table needs all rows before it prints the first. */
  readonly isTable: boolean;
  /** Prints what precedes the first record, such as the header of CSV. */
  begin(): void;
  print(items: readonly Item[], isSynthetic: boolean): void;
}

/** Returns the form of a session's output. */
export async function rowForm(session: Session): Promise<RowForm> {
  const { format, view } = session;
  const csv = format === 'csv' ? (await session.csv()).format : undefined;
  return { format, isTerminal: view.terminal, csv };
}

/** Returns the format of a session. */
export async function rowFormat(session: Session, query: Query<CsvSource>): Promise<RowFormat> {
  const { format, view } = session;
  const { columns } = query;
  if (format === 'csv') {
    const csv = await session.csv();
    return {
      isTable: false,
      begin: () => csv.writeCells((columns ?? csvColumns).map(({ name }) => name)),
      print: (items) => csv.writeText(items.join('')),
    };
  }
  if (format === 'json') {
    return plain((items) => {
      for (const item of items) session.printJson(String(item));
    });
  }
  if (format === 'ids' || (columns !== undefined && !view.terminal))
    return plain((items) => session.print(items.join('')));
  return {
    isTable: view.terminal,
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

function plain(print: RowFormat['print']): RowFormat {
  return { isTable: false, begin: () => undefined, print };
}
