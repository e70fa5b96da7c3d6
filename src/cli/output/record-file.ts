/* The file of `-o` with records: tables in a workbook or CSV, or lines of NDJSON. */
import packageJson from '../../../package.json' with { type: 'json' };
import type { RecordRow } from '../../organizations/columns.ts';
import { organizationTable, recordSheets } from '../../organizations/tables.ts';
import { type Retrieval, recordLine } from '../../records/envelope.ts';
import { methodSheet, outputSheet, type Statements } from '../../table/output-sheet.ts';
import type { Session } from '../session.ts';
import { type Cells, cellColumns, type Table } from './emit.ts';
import { compactJson } from './json.ts';
import type { OutFile } from './out-file.ts';

/** What is kept of each record until all are read, and the table of it. */
export interface RecordShape<Item, Row = Item> {
  itemOf(row: RecordRow, source: Retrieval & { json(): string }): Item;
  /** Returns the items to show, such as groups, if they are not those that were kept. */
  finish?(items: readonly Item[]): readonly Item[];
  tableOf(items: readonly Item[], isSynthetic: boolean): Table<Item, Row>;
}

/**
 * Returns the shape of a file with all columns.
 * @param about statements on the rows, for the sheet that explains a workbook
 */
export function shapeOfFile(
  session: Session,
  { extension }: OutFile,
  about: Statements,
): RecordShape<unknown> {
  if (extension === '.ndjson') return recordLines;
  const { sheet: name, written } = organizationTable;
  const columns = cellColumns(written);
  if (extension === '.csv')
    return {
      itemOf: (row): Cells => written.map(({ value }) => value(row)),
      tableOf: () => ({ name, columns }),
    };
  return {
    /* The rows of each sheet. */
    itemOf: ({ record }): readonly (readonly Cells[])[] =>
      recordSheets.map((each) =>
        each.rows(record).map((row) => each.written.map(({ value }) => value(row))),
      ),
    tableOf(items: readonly (readonly (readonly Cells[])[])[], synthetic) {
      const others = recordSheets.slice(1).map((each, index) => ({
        name: each.sheet,
        columns: each.written.map((column) => column.name),
        rows: items.flatMap((rows) => rows[index + 1] ?? []),
      }));
      const described = written.map((column) => [column.name, column.description] as const);
      return {
        name,
        columns,
        rowsOf: ([rows = []]: readonly (readonly Cells[])[]) => rows,
        sheets: [
          ...others.map(outputSheet),
          aboutSheet(session, synthetic, [...about, ...described]),
        ],
      };
    },
  };
}

const recordLines: RecordShape<string> = {
  itemOf: ({ record }, source) =>
    recordLine(record.id ?? undefined, source, compactJson(source.json())),
  tableOf: () => ({ name: '', columns: [], jsonOf: (line) => line }),
};

export function aboutSheet(session: Session, isSynthetic: boolean, about: Statements) {
  return methodSheet([...writtenBy(session), ...syntheticStatement(isSynthetic), ...about]);
}

export function writtenBy({ context }: Session): Statements {
  const writtenAt = new Date(context.clock.now()).toISOString();
  return [
    ['written', `${writtenAt} by carbon ${packageJson.version}`],
    ['missing values', 'empty cells: the service has no value; they are not zero'],
  ];
}

export function syntheticStatement(isSynthetic: boolean): Statements {
  return isSynthetic ? [['synthetic data', 'figures of the sandbox, not real research']] : [];
}
