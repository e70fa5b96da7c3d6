/* The sheets of `carbon footprint -o footprint.xlsx`. */
import type { CsvValue } from '../../table/output-cell.ts';
import { methodSheet, outputSheet } from '../../table/output-sheet.ts';
import type { SheetContent } from '../../workbook/sheet-writer.ts';
import type { FootprintSummary } from '../totals.ts';
import { lineItemColumns } from './line-item-columns.ts';
import { tablesOf } from './tables.ts';
import { methodOf, notesOf } from './words.ts';

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
  const { sbti_coverage: sbti, emissions_by_basis: bases, supplier_data_share: data } = summary;
  const unit = summary.unit ?? 'unit of the service';
  const rows: (readonly CsvValue[])[] = [
    ...notesOf(summary).map((note) => ['warning', note] as const),
    ...summary.years.map(({ year, emissions }) => [
      year === null ? 'emissions' : `emissions of ${year}`,
      emissions,
      unit,
    ]),
    ["emissions from the record's own figures", bases.own, unit],
    ['emissions from factors of the service', bases.service, unit],
    ['emissions from industry averages, boundary undocumented', bases.industry, unit],
    ['share of supplier data, at least', data.from, '0 to 1'],
    ['share of supplier data, at most', data.to, '0 to 1'],
    ['completeness', summary.completeness, '0 to 1'],
    ['estimate for uncovered spend, in no total', summary.uncovered_estimate, unit],
    ['median number of upstream categories', summary.upstream_categories],
    ['boundary', summary.boundary],
    ['suppliers', summary.suppliers],
    ['line items with spend', summary.rows],
    ['line items with emissions', summary.covered_rows],
    ['suppliers for 80% of the emissions', summary.suppliers_for_80_percent],
    ['SBTi coverage by emissions', sbti.by_emissions, '0 to 1'],
    ['SBTi coverage by spend', sbti.by_spend, '0 to 1'],
    ['calculated at', summary.method.calculated_at],
  ];
  return outputSheet({ name: 'Summary', columns: ['figure', 'value', 'unit'], rows });
}
