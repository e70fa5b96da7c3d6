/* The sheets of `carbon footprint -o footprint.xlsx`. */
import type { CsvValue } from '../../table/output-cell.ts';
import { methodSheet, outputSheet } from '../../table/output-sheet.ts';
import type { SheetContent } from '../../workbook/sheet-writer.ts';
import type { FootprintSummary } from '../totals.ts';
import { lineItemColumns } from './line-item-columns.ts';
import { tablesOf } from './tables.ts';
import { keyFigures, methodOf, notesOf } from './words.ts';

/** Returns the sheets beside the line items: summary with all warnings, tables and method. */
export function footprintSheets(summary: FootprintSummary): readonly SheetContent[] {
  return [
    summarySheet(summary),
    ...tablesOf(summary).map(({ title, head, label, columns, rows }) =>
      outputSheet({
        name: title,
        columns: [head.toLowerCase(), ...columns.map(({ name }) => name)],
        rows: rows.map((row) => [label(row), ...columns.map(({ value }) => value(row))]),
      }),
    ),
    methodSheet([
      ...notesOf(summary).map((note) => ['warning', note] as const),
      ...methodOf(summary),
      ...lineItemColumns.map(({ name, description }) => [name, description] as const),
    ]),
  ];
}

function summarySheet(summary: FootprintSummary): SheetContent {
  const { years, uncovered_estimate: estimate, suppliers_for_80_percent: few } = summary;
  const perYear = years.map(({ year, emissions }) => [
    `emissions of ${year ?? 'no year'}`,
    emissions,
  ]);
  const rows: (readonly CsvValue[])[] = [
    ...notesOf(summary).map((note) => ['warning', note] as const),
    ...(years.length > 1 ? perYear : []),
    ...keyFigures(summary),
    ['estimate for uncovered spend, in no total', estimate],
    ['suppliers for 80% of the emissions', few],
  ];
  return outputSheet({ name: 'Summary', columns: ['figure', 'value'], rows });
}
