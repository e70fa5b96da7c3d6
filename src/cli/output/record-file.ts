/* The file of `-o` with records: tables in a workbook or CSV, or lines of NDJSON. */
import packageJson from '../../../package.json' with { type: 'json' };
import { readReference } from '../../api/ids.ts';
import type { Items } from '../../api/in-order.ts';
import type { Organization } from '../../api/schema.ts';
import { checkRecord } from '../../checks/check-records.ts';
import { findingColumns } from '../../checks/findings.ts';
import { isSynthetic } from '../../organizations/history.ts';
import { recordLine } from '../../records/envelope.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import { methodSheet, outputSheet, type Statements } from '../../table/output-sheet.ts';
import type { Session } from '../session.ts';
import { compactJson } from './json.ts';
import type { OutFile } from './out-file.ts';
import { organizationTable, recordSheets, valuesOf } from './record-tables.ts';
import type { Received } from './records.ts';

type Rows = readonly (readonly CsvValue[])[];

interface RecordRows {
  /** Those of each table in `recordSheets` and of the findings; CSV has only the first one. */
  readonly tables: readonly Rows[];
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
  return (record) => {
    const synthetic = isSynthetic(record);
    const findings = isWorkbook ? checkRecord(record, [], checked) : [];
    return {
      tables: [
        ...tables.map(({ rows, written }) => rows(record).map((row) => valuesOf(written, row))),
        findings.map((finding) =>
          findingColumns.map(({ value }) => value({ ...finding, synthetic })),
        ),
      ],
      isSynthetic: synthetic,
    };
  };
}

/** Writes records that the service sent; without a record, the file does not change. */
export async function writeReceived(
  session: Session,
  file: OutFile,
  items: Items<Received>,
  options: {
    readonly currency: string | undefined;
    readonly checked: (received: Organization) => Organization;
  },
): Promise<void> {
  const { service } = session.identity();
  const rowsOf = rowReader(session, file);
  const rows: RecordRows[] = [];
  const lines: string[] = [];
  for await (const { record: received, json } of items) {
    const record = options.checked(received);
    if (file.extension === '.ndjson') {
      const retrievedAt = new Date(session.context.clock.now()).toISOString();
      const source = { service, currency: options.currency, retrievedAt };
      lines.push(recordLine(readReference(record).id, source, compactJson(json)));
    } else rows.push(rowsOf(record));
  }
  if (lines.length > 0)
    await file.writeLines(async (write) => {
      for (const line of lines) await write(line);
    });
  if (rows.length > 0)
    await writeRecordRows(session, file, rows, [['records', 'retrieved from the service']]);
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
  const sheets = [
    ...recordSheets.map(({ sheet, written }) => ({ name: sheet, columns: written })),
    { name: 'Checks', columns: findingColumns },
  ].map(({ name, columns }, index) => ({
    name,
    columns: columns.map((column) => column.name),
    rows: rows.flatMap(({ tables }) => tables[index] ?? []),
  }));
  const [organizations, ...others] = sheets as [(typeof sheets)[number], ...typeof sheets];
  return file.writeTable(organizations, [
    ...others.filter((sheet) => sheet.name !== 'Checks' || sheet.rows.length > 0).map(outputSheet),
    aboutSheet(
      session,
      rows.some((row) => row.isSynthetic),
      [
        ...about,
        ...organizationTable.written.map(({ name, description }) => [name, description] as const),
      ],
    ),
  ]);
}

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
