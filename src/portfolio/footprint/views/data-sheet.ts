/* The rows of a footprint, a goal or a comparison as a sheet that a person can read. */
import { type KindName, kindOf } from '../../../display/query/kinds.ts';
import type { Column, ColumnValue } from '../../../display/query/query.ts';
import type { CsvValue } from '../../../lists/table/output-cell.ts';
import { usefulColumns } from '../../../lists/table/useful-columns.ts';
import { targetWords } from '../../organizations/target-words.ts';
import { type Basis, exclusionWords, reasonWords } from '../line-item.ts';

const basisNames: Readonly<Record<Basis, string>> = {
  own: "the supplier's own figures",
  service: "the service's factor",
  industry: 'industry average',
};

/** What a workbook has in place of the codes of a column, which CSV and JSON keep. */
export function inWords<Row>(
  column: Column<Row>,
  words: Readonly<Record<string, string>> | ((code: string) => string),
  description: string,
): Column<Row> {
  const wordOf = typeof words === 'function' ? words : (code: string) => words[code] ?? code;
  const value = (row: Row): ColumnValue => {
    const code = column.value(row);
    return typeof code === 'string' && code !== '' ? wordOf(code) : code;
  };
  return { ...column, inWords: { description, value } };
}

/** The columns of codes that several tables have. */
export const coded = {
  basis: <Row>(column: Column<Row>) =>
    inWords(
      column,
      basisNames,
      'Where the factor is from; if there are several, the least certain',
    ),
  target: <Row>(column: Column<Row>) =>
    inWords(column, (code) => targetWords(code).name, 'Near-term target; empty if it is unknown'),
  uncovered: <Row>(column: Column<Row>) =>
    inWords(
      column,
      { ...reasonWords, ...exclusionWords },
      'Why spend has no emissions, or counts in no total',
    ),
};

/**
 * Returns the rows with words in place of codes. Columns that few need, and those that are empty or
 * equal in every row, are folded away: programs find all of them, under the names of CSV.
 * @param main names of the columns that a person sees; the order is that of CSV
 * @param pinned name of the last column that stays in view
 * @param unit of the emissions, for the legend
 */
export async function dataSheet<Row>(
  columns: readonly Column<Row>[],
  rows: () => Iterable<Row>,
  {
    main,
    pinned,
    unit,
  }: {
    readonly main: readonly string[];
    readonly pinned: string;
    readonly unit: string | null;
  },
) {
  const explained = columns.map(({ name, kind, value, description, inWords: words }) => ({
    name,
    kind,
    value: words?.value ?? value,
    description: inUnit(words?.description ?? description, kind, unit),
    isDetail: !main.includes(name),
  }));
  function* cells(): Generator<CsvValue[]> {
    for (const row of rows()) yield explained.map(({ value }) => value(row));
  }
  const { shown, legend } = await usefulColumns(explained, cells(), 'folded');
  return {
    columns: explained.map(({ name, kind }, index) => ({ name, kind, isFolded: !shown[index] })),
    rows: cells(),
    frozen: columns.findIndex(({ name }) => name === pinned) + 1,
    legend,
  };
}

function inUnit(description: string, kind: KindName, unit: string | null): string {
  return unit !== null && kindOf(kind).hasUnit ? `${description} (in ${unit})` : description;
}
