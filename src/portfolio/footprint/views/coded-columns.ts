/* What people read in a workbook in place of the codes of a footprint, a goal or a comparison. */
import type { Column, ColumnValue } from '../../../display/query/query.ts';
import { inWords, syntheticWords } from '../../organizations/in-words.ts';
import { targetName, targetWords } from '../../organizations/target-words.ts';
import { basisWords } from '../basis-words.ts';
import { bases, exclusionWords, reasonWords } from '../line-item.ts';

/** What heads a column of reasons in a workbook. */
export const noEmissionsHeading = 'No emissions because';

/* Names a basis on a page. */
function basisText(code: ColumnValue): string {
  const basis = bases.find((each) => each === code);
  return basis === undefined ? '' : basisWords[basis].one;
}

/** The columns of codes that several tables have. */
export const coded = {
  basis: <Row, Name extends string>(column: Column<Row, Name>) =>
    inWords(
      { ...column, text: (row: Row) => basisText(column.value(row)) },
      Object.fromEntries(bases.map((basis) => [basis, basisWords[basis].one])),
      'Where the factor is from; if there are several, the least certain',
    ),
  target<Row, Name extends string>(
    column: Column<Row, Name>,
    description = 'Near-term target. CSV has codes, such as `set` for a validated target, and is empty if it is unknown',
    isUnmatched: (row: Row) => boolean = () => false,
  ): Column<Row, Name> {
    const wordOf = (code: string) => targetWords(code).name;
    const value = (row: Row) => {
      const code = column.value(row);
      return targetName(typeof code === 'string' ? code : null, isUnmatched(row));
    };
    return { ...column, inWords: { description, wordOf, value } };
  },
  uncovered: <Row, Name extends string>(column: Column<Row, Name>) =>
    inWords(
      { ...column, heading: noEmissionsHeading },
      { ...reasonWords, ...exclusionWords },
      'Why spend has no emissions, or counts in no total',
    ),
};

/**
 * Adds what a workbook has in the column that marks synthetic data.
 * @param hasData tells whether a row has figures
 */
export function withSyntheticWords<
  Row extends { readonly synthetic: boolean },
  Name extends string,
>(hasData: (row: Row) => boolean) {
  return (column: Column<Row, Name>): Column<Row, Name> => ({
    ...column,
    inWords: syntheticWords(({ synthetic }) => synthetic, hasData),
  });
}
