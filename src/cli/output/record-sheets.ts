/* What only a workbook of records has. */
import { foldedTable } from '../../lists/table/folded-table.ts';
import { outputSheet } from '../../lists/table/output-sheet.ts';
import type { Labelled } from '../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import { withOtherYears } from '../../portfolio/organizations/other-years.ts';
import type { FigureYearCounts } from '../../portfolio/organizations/statements.ts';
import {
  furtherRows,
  type Kept,
  keptColumns,
  withCells,
} from '../../portfolio/organizations/tables.ts';
import type { RecordShape } from './record-shapes.ts';
import type { FileTable, Table } from './show.ts';

/**
 * Returns the sheets of a workbook of records, and what the columns of the first one mean. None is
 * folded if the user chose the columns. The headers have the unit of emissions if it is known.
 */
export async function recordSheets(
  {
    name,
    columns,
    isUsual = false,
    unit,
    figureYears,
  }: Pick<Table<Kept>, 'name' | 'columns' | 'isUsual'> & {
    readonly unit: string | null;
    /** The years of the emissions of these rows, of which some are marked. */
    readonly figureYears?: FigureYearCounts | undefined;
  },
  shape: RecordShape,
  rows: readonly Kept[],
): Promise<Omit<FileTable<Kept>, 'table' | 'summary'>> {
  const all = () => withCells(rows, shape);
  const {
    legend,
    equal: _,
    ...main
  } = await foldedTable(withOtherYears(columns, figureYears), all, {
    isChosen: !isUsual,
    unit,
  });
  const sheets: SheetContent[] = [];
  const others: Labelled[] = [];
  for (const [index, { sheet, written }] of (shape.sheets ?? []).entries()) {
    const { equal, ...further } = await foldedTable(
      keptColumns(written),
      () => furtherRows(rows, shape, index),
      { unit },
    );
    sheets.push(outputSheet({ name: sheet, ...further }));
    others.push(equal.map(([column, what]) => [`${sheet}: ${column}`, what]));
  }
  return {
    name,
    ...main,
    sheets,
    legend: [...legend, ...others.flat()],
    close: () => shape.values?.close(),
  };
}
