/* What only a workbook of records has. */
import type { Column } from '../../display/query/query.ts';
import { outputSheet } from '../../lists/table/output-sheet.ts';
import type { Labelled } from '../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import { furtherRows, type Kept } from '../../portfolio/organizations/tables.ts';
import type { RecordShape } from './record-shapes.ts';

/** Returns the further sheets of a workbook of records. */
export function furtherSheets(shape: RecordShape, rows: readonly Kept[]): readonly SheetContent[] {
  return (shape.sheets ?? []).map(({ sheet: name, written }, index) =>
    outputSheet({
      name,
      columns: written,
      rows: furtherRows(rows, shape, index),
    }),
  );
}

/** Returns what the columns of a table mean, for the first sheet of a workbook. */
export function legendOf<Row>(columns: readonly Column<Row>[]): Labelled {
  return columns.flatMap(({ name, description }) =>
    description === '' ? [] : [[name, description] as const],
  );
}
