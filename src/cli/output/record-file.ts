/* The file of `-o` with records: tables in a workbook or CSV, or lines of NDJSON. */
import packageJson from '../../../package.json' with { type: 'json' };
import type { Organization } from '../../api/schema.ts';
import { checkRecord } from '../../checks/check-records.ts';
import { findingColumns, findingRow } from '../../checks/view.ts';
import { isSynthetic } from '../../organizations/history.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import { methodSheet, outputSheet, type Statements } from '../../table/output-sheet.ts';
import type { Session } from '../session.ts';
import { OutFile } from './out-file.ts';
import { organizationTable, type RecordSheet, recordSheets, valuesOf } from './record-tables.ts';

type Rows = readonly (readonly CsvValue[])[];

/** The rows of one record. */
interface RecordRows {
  /** Those of each table in `recordSheets`; CSV has only the first one. */
  readonly tables: readonly Rows[];
  readonly checks: Rows;
  readonly isSynthetic: boolean;
}

/** Returns a function that reads the rows of a record; only a workbook has more than one table. */
export function rowReader(
  { context }: Session,
  { extension }: OutFile,
): (record: Organization) => RecordRows {
  const isWorkbook = extension === '.xlsx';
  const today = new Date(context.clock.now()).toISOString().slice(0, 10);
  const checked = { today, domainOf: () => undefined };
  const tables = isWorkbook ? recordSheets : [organizationTable];
  return (record) => ({
    tables: tables.map(({ rows, written }) => rows(record).map((row) => valuesOf(written, row))),
    checks: isWorkbook
      ? checkRecord(record, [], checked).map((each) =>
          findingRow({ ...each, synthetic: isSynthetic(record) }),
        )
      : [],
    isSynthetic: isSynthetic(record),
  });
}

/**
 * Checks the file of `-o` for records.
 * @param inputs input files, which it must not replace
 * @throws as `OutFile.open` does
 */
export function openRecordFile(
  session: Session,
  path: string,
  inputs: readonly string[],
): Promise<OutFile> {
  return OutFile.open(session, path, { extensions: ['.xlsx', '.csv', '.ndjson'], inputs });
}

/**
 * Writes organizations to a workbook, with sheets for years, sources and findings, or to CSV.
 * @param about statements on the rows, for the sheet that explains the workbook
 * @throws as `OutFile.writeTable` does
 */
export function writeRecordRows(
  session: Session,
  file: OutFile,
  rows: readonly RecordRows[],
  about: Statements,
): Promise<void> {
  const content = (table: RecordSheet) => ({
    name: table.sheet,
    columns: table.written.map(({ name }) => name),
    rows: rows.flatMap(({ tables }) => tables[recordSheets.indexOf(table)] ?? []),
  });
  const checks = rows.flatMap((row) => row.checks);
  return file.writeTable(content(organizationTable), [
    ...recordSheets.slice(1).map((sheet) => outputSheet(content(sheet))),
    ...(checks.length > 0
      ? [outputSheet({ name: 'Checks', columns: findingColumns, rows: checks })]
      : []),
    methodSheet([
      ...writtenBy(session),
      ...syntheticStatement(rows.some((row) => row.isSynthetic)),
      ...about,
      ...organizationTable.written.map(({ name, description }) => [name, description] as const),
    ]),
  ]);
}

/** Returns the statements that every workbook of records has. */
export function writtenBy({ context }: Session): Statements {
  const writtenAt = new Date(context.clock.now()).toISOString();
  return [
    ['written', `${writtenAt} by carbon ${packageJson.version}`],
    ['missing values', 'empty cells: the service has no value; they are not zero'],
  ];
}

/** Returns the statement that marks a workbook with data of the sandbox. */
export function syntheticStatement(isSynthetic: boolean): Statements {
  return isSynthetic ? [['synthetic data', 'figures of the sandbox, not real research']] : [];
}
