/* A table for a person, in which few columns are open; programs find all of them. */
import { type KindName, kindOf } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import type { CsvValue } from './output-cell.ts';
import type { OutputColumn } from './output-sheet.ts';
import { type UsefulColumns, usefulColumns } from './useful-columns.ts';

export interface FoldedTable extends Pick<UsefulColumns, 'legend' | 'equal'> {
  readonly columns: readonly (OutputColumn & { readonly isFolded: boolean })[];
  readonly rows: Iterable<readonly CsvValue[]>;
}

/**
 * Returns the rows with words in place of codes, under the names of CSV. Details, and columns that
 * are empty or equal in every row, are folded away.
 * @param isChosen whether the user chose the columns, so that none is folded
 * @param unit of the emissions, for the legend
 */
export async function foldedTable<Row>(
  columns: readonly Column<Row>[],
  rows: () => Iterable<Row>,
  { isChosen = false, unit = null }: { isChosen?: boolean; unit?: string | null } = {},
): Promise<FoldedTable> {
  const explained = columns.map(({ name, kind, isDetail = false, description, inWords }) => ({
    name,
    kind,
    isDetail,
    description: inUnit(inWords?.description ?? readable(description), kind, unit),
  }));
  const values = columns.map(({ value, inWords }) => inWords?.value ?? value);
  function* cells(): Generator<CsvValue[]> {
    for (const row of rows()) yield values.map((value) => value(row));
  }
  const { shown, legend, equal } = await usefulColumns(
    explained,
    cells(),
    'folded',
    () => isChosen,
  );
  return {
    columns: columns.map(({ name, kind }, index) => ({ name, kind, isFolded: !shown[index] })),
    rows: cells(),
    legend,
    equal,
  };
}

/* Booleans are words in a workbook. */
function readable(description: string): string {
  return description.replaceAll('`false`', '`no`').replaceAll('`true`', '`yes`');
}

function inUnit(description: string, kind: KindName, unit: string | null): string {
  return unit !== null && kindOf(kind).hasUnit ? `${description} (in ${unit})` : description;
}
