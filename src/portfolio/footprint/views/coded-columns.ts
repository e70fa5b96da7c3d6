/* What people read in a workbook in place of the codes of a footprint, a goal or a comparison. */
import type { Column, ColumnValue } from '../../../display/query/query.ts';
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
