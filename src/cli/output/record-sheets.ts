/* What only a workbook of records has. */
import { outputSheet } from '../../lists/table/output-sheet.ts';
import type { Labelled } from '../../lists/table/summary-sheet.ts';
import { usefulColumns } from '../../lists/table/useful-columns.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import type { RecordColumn } from '../../portfolio/organizations/columns.ts';
import { furtherRows, type Kept, withCells } from '../../portfolio/organizations/tables.ts';
import type { RecordShape } from './record-shapes.ts';
import type { FileTable, Table } from './show.ts';

/**
 * Returns the sheets of a workbook of records, and what the columns of the first one mean. A person
 * sees no column that few need, or that is empty or equal in every row, unless the user chose the
 * columns; a program finds all of them.
 */
export async function recordSheets(
  { name, columns, isUsual = false }: Pick<Table<Kept>, 'name' | 'columns' | 'isUsual'>,
  shape: RecordShape,
  rows: readonly Kept[],
): Promise<Omit<FileTable<Kept>, 'columns' | 'rows' | 'summary'> & { readonly legend: Labelled }> {
  function* cells() {
    for (const row of withCells(rows, shape)) yield columns.map(({ value }) => value(row));
  }
  const explained = columns.map((column) => withDetail(column));
  const { shown, legend } = await usefulColumns(explained, cells(), 'folded', () => !isUsual);
  const sheets: SheetContent[] = [];
  const equal: Labelled[] = [];
  for (const [index, { sheet, written }] of (shape.sheets ?? []).entries()) {
    const further = await furtherSheet(sheet, written, () => furtherRows(rows, shape, index));
    sheets.push(further.content);
    equal.push(further.equal.map(([column, what]) => [`${sheet}: ${column}`, what]));
  }
  return {
    table: {
      name,
      columns: columns.map((column, index) => ({ ...column, isFolded: !shown[index] })),
      rows: withCells(rows, shape),
    },
    sheets,
    legend: [...legend, ...equal.flat()],
    close: () => shape.values?.close(),
  };
}

/* The columns of a usual workbook that a person sees; a program finds all of them. */
const mainColumns: ReadonlySet<string> = new Set(
  [
    'id name status hq_region industry_name score year scope_1 scope_2 scope_1_and_2 scope_3 total',
    'revenue revenue_currency sbti_near_term_target_status sbti_target_detail cdp_is_listed website',
    'matching_organization_name performance_region url mirror_url sources_count synthetic',
  ].flatMap((names) => names.split(' ')),
);

function withDetail<Named extends { readonly name: string }>(column: Named) {
  return { ...column, isDetail: !mainColumns.has(column.name) };
}

async function furtherSheet(
  name: string,
  columns: readonly RecordColumn[],
  rows: () => ReturnType<typeof furtherRows>,
): Promise<{ readonly content: SheetContent; readonly equal: Labelled }> {
  const explained = columns.map((column) => withDetail(column));
  const { shown, equal } = await usefulColumns(explained, rows(), 'folded');
  const hidden = columns.map(({ name: header, kind }, index) => {
    return { name: header, kind, isFolded: !shown[index] };
  });
  return { content: outputSheet({ name, columns: hidden, rows: rows(), frozen: 2 }), equal };
}
