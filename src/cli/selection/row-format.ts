/* How a selection prints its rows: as JSON, CSV, ids, or a table. */

import type { Query } from '../../query/query.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import { csvColumns } from '../output/csv-columns.ts';
import type { CsvSource } from '../output/csv-source.ts';
import { renderRows } from '../output/table.ts';
import type { TableRow } from '../output/table-row.ts';
import type { Session } from '../session.ts';
import { renderColumnTable } from './column-table.ts';
import type { Item, RowForm, Shown } from './read-row.ts';

/** Prints the rows of a selection in one format. */
export interface RowFormat {
  /** Prints what precedes the first row, such as the header of CSV. */
  begin(): void;
  add(row: Shown<Item>): Promise<void> | void;
  /** Prints what needs all rows, such as a table. */
  end(): void;
}

/** Returns the form of a session's output. */
export async function rowForm(session: Session): Promise<RowForm> {
  const { format, view } = session;
  const csv = format === 'csv' ? (await session.csv()).format : undefined;
  return { format, isTerminal: view.terminal, csv };
}

/** Returns the format of a session. */
export async function rowFormat(
  session: Session,
  { columns, order }: Query<CsvSource>,
): Promise<RowFormat> {
  const { format, view } = session;
  const lines = (print: (row: Shown<Item>) => void, begin = () => {}): RowFormat => ({
    begin,
    add: (row) => {
      print(row);
      return session.context.stdout.drained;
    },
    end: () => {},
  });
  if (format === 'csv') {
    const csv = await session.csv();
    const names = (columns ?? csvColumns).map(({ name }) => name);
    return lines(
      ({ item }) => csv.writeText(String(item)),
      () => csv.writeCells(names),
    );
  }
  if (format === 'json') return lines(({ item }) => session.printJson(String(item)));
  if (format === 'ids' || (columns !== undefined && !view.terminal))
    return lines(({ item }) => session.print(String(item)));
  const print = (items: readonly Item[], isSynthetic: boolean) => {
    const shown = { ...view, synthetic: isSynthetic || view.synthetic };
    session.print(
      columns === undefined
        ? renderRows(items as readonly TableRow[], shown, order?.columns[0])
        : renderColumnTable(columns, items as readonly CsvValue[][], shown),
    );
  };
  if (!view.terminal) return lines(({ item, isSynthetic }) => print([item], isSynthetic));
  const items: Item[] = [];
  let isSynthetic = false;
  return {
    begin: () => {},
    add: (row) => {
      items.push(row.item);
      isSynthetic ||= row.isSynthetic;
    },
    end: () => print(items, isSynthetic),
  };
}
