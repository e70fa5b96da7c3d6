import type { Column, ColumnValue } from '../../display/query/query.ts';

/**
 * What a workbook has in place of the codes of a column, which CSV and JSON keep.
 * @param known codes, if `words` is a function
 */
export function inWords<Row, Name extends string>(
  column: Column<Row, Name>,
  words: Readonly<Record<string, string>> | ((code: string) => string),
  description: string,
  known?: readonly string[],
): Column<Row, Name> {
  const wordOf = typeof words === 'function' ? words : (code: string) => words[code] ?? code;
  const codes = known ?? (typeof words === 'function' ? undefined : Object.keys(words));
  const value = (row: Row): ColumnValue => {
    const code = column.value(row);
    return typeof code === 'string' && code !== '' ? wordOf(code) : code;
  };
  return { ...column, inWords: { description, wordOf, codes, value } };
}

/**
 * Returns what a workbook has in a column that marks synthetic data: a row without data is not real
 * either.
 */
export function syntheticWords<Row>(
  isSynthetic: (row: Row) => boolean,
  hasData: (row: Row) => boolean,
): NonNullable<Column<Row>['inWords']> {
  return {
    description: '`yes`: synthetic data of the sandbox; `no data`: there is none; empty: real data',
    value: (row) => isSynthetic(row) || (hasData(row) ? null : 'no data'),
  };
}
