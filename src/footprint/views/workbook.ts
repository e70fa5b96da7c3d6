/* The sheets of `carbon footprint --out footprint.xlsx`. */
import type { CsvValue } from '../../table/output-cell.ts';
import { methodSheet, outputSheet } from '../../table/output-sheet.ts';
import type { SheetContent } from '../../workbook/sheet-writer.ts';
import type { FootprintSummary } from '../footprint-summary.ts';
import type { RegisterRow } from '../register-row.ts';
import { methodOf } from './method.ts';
import { notesOf } from './notes.ts';
import { registerColumns } from './register-columns.ts';

/** Returns the sheets: summary, categories, suppliers, register and method. */
export function footprintSheets(
  summary: FootprintSummary,
  rows: Iterable<RegisterRow>,
): readonly SheetContent[] {
  return [
    summarySheet(summary),
    categorySheet(summary),
    supplierSheet(summary),
    outputSheet({
      name: 'Register',
      columns: registerColumns.map(({ name }) => name),
      rows: registerRows(rows),
    }),
    methodSheet([
      ...notesOf(summary).map((note) => ['note', note] as const),
      ...methodOf(summary),
      ...registerColumns.map(({ name, description }) => [name, description] as const),
    ]),
  ];
}

function* registerRows(rows: Iterable<RegisterRow>): Generator<readonly CsvValue[]> {
  for (const row of rows) yield registerColumns.map(({ value }) => value(row));
}

function summarySheet(summary: FootprintSummary): SheetContent {
  const { sbti_coverage: sbti, spend, method } = summary;
  const rows: (readonly CsvValue[])[] = [
    ['emissions', summary.emissions, summary.unit ?? 'unit of the service'],
    ['boundary', summary.boundary],
    ['suppliers', summary.suppliers],
    ['rows with spend', summary.rows],
    ['rows with emissions', summary.covered_rows],
    ...Object.entries(spend).flatMap(([currency, { total, covered }]) => [
      ['spend', total, currency],
      ['spend with emissions', covered, currency],
    ]),
    ['share of emissions from disclosed figures', summary.supplier_data_share, '0 to 1'],
    ['share of emissions from factors of the service', summary.factor_share, '0 to 1'],
    ['share of emissions from industry averages', summary.industry_share, '0 to 1'],
    ['suppliers for 80 % of the emissions', summary.suppliers_for_80_percent],
    ['SBTi coverage by emissions', sbti.by_emissions, '0 to 1'],
    ['SBTi coverage by spend', sbti.by_spend, '0 to 1'],
    ['suppliers with an SBTi near-term target', sbti.set],
    ...Object.entries(summary.uncovered).map(([reason, count]) => [
      `rows without emissions: ${reason.replaceAll('_', ' ')}`,
      count,
    ]),
    ['calculated at', method.calculated_at],
  ];
  return outputSheet({ name: 'Summary', columns: ['figure', 'value', 'unit'], rows });
}

function categorySheet({ categories }: FootprintSummary): SheetContent {
  const columns = ['category', 'emissions', 'share', 'rows', 'covered_rows'];
  const rows = categories.map((each) => [
    each.category,
    each.emissions,
    each.share,
    each.rows,
    each.covered_rows,
  ]);
  return outputSheet({ name: 'Categories', columns, rows });
}

function supplierSheet({ largest }: FootprintSummary): SheetContent {
  const columns = [
    ...['supplier', 'id', 'emissions', 'share', 'cumulative_share'],
    ...['basis', 'factor', 'factor_year', 'sbti_near_term'],
  ];
  const rows = largest.map((each) => [
    ...[each.supplier, each.id, each.emissions, each.share, each.cumulative_share],
    ...[each.basis, each.factor, each.factor_year, each.sbti_near_term],
  ]);
  return outputSheet({ name: 'Largest suppliers', columns, rows });
}
