/* The file of `-o` with records: tables in a workbook or CSV, or lines of NDJSON. */
import packageJson from '../../../package.json' with { type: 'json' };
import type { Column } from '../../display/query/query.ts';
import { methodSheet, outputSheet, type Statements } from '../../lists/table/output-sheet.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import {
  type Kept,
  organizationTable,
  type RecordTable,
  sourceSheet,
  yearTable,
} from '../../portfolio/organizations/tables.ts';
import { recordLine } from '../../portfolio/records/envelope.ts';
import type { Session } from '../session.ts';
import { compactJson } from './json.ts';
import type { OutFile } from './out-file.ts';
import type { RecordShape } from './records.ts';

/** Returns what a file with all columns has of each record. */
export function fileShape({ extension }: OutFile, table: RecordTable): RecordShape {
  if (extension === '.ndjson')
    return {
      columns: [],
      json: ({ record }, source) =>
        recordLine(record.id ?? undefined, source, compactJson(source.json())),
    };
  if (extension === '.csv' || table !== organizationTable) return { columns: table.written };
  return { columns: table.written, sheets: [yearTable, sourceSheet] };
}

/**
 * Returns the further sheets of a workbook, of which the last one explains the others.
 * @param columns those of the first sheet
 * @param about statements on the rows
 */
export function furtherSheets(
  session: Session,
  columns: readonly Column<Kept>[],
  { sheets = [] }: RecordShape,
  rows: readonly Kept[],
  about: Statements,
): SheetContent[] {
  const others = sheets.map(({ sheet: name, written }, index) => ({
    name,
    columns: written,
    rows: rows.flatMap((row) => row.sheets?.[index] ?? []),
  }));
  const described = columns.flatMap(({ name, description }) =>
    description === '' ? [] : [[name, description] as const],
  );
  const isSynthetic = rows.some((row) => row.isSynthetic);
  const statements = [...writtenBy(session), ...syntheticStatement(isSynthetic), ...about];
  return [...others.map(outputSheet), methodSheet([...statements, ...described])];
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
