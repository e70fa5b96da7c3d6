/* The file of `-o` with records: tables in a workbook or CSV, or lines of NDJSON. */

import { compactJson } from '../../client/api/json-tokens.ts';
import type { Column } from '../../display/query/query.ts';
import { outputSheet } from '../../lists/table/output-sheet.ts';
import type { Labelled } from '../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import {
  type Kept,
  organizationTable,
  type RecordTable,
  sourceSheet,
  yearTable,
} from '../../portfolio/organizations/tables.ts';
import { recordLine } from '../../portfolio/records/envelope.ts';
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

/** Returns the further sheets of a workbook of records. */
export function furtherSheets(
  { sheets = [] }: RecordShape,
  rows: readonly Kept[],
): readonly SheetContent[] {
  return sheets.map(({ sheet: name, written }, index) =>
    outputSheet({
      name,
      columns: written,
      rows: rows.flatMap((row) => row.sheets?.[index] ?? []),
    }),
  );
}

/** Returns what the columns of a table mean, for the first sheet of a workbook. */
export function legendOf<Row>(columns: readonly Column<Row>[]): Labelled {
  return columns.flatMap(({ name, description }) =>
    description === '' ? [] : [[name, description] as const],
  );
}
