/* The columns of groups of records, as people read them. */
import type { Column } from '../../display/query/query.ts';
import { cellText } from '../../display/terminal/section.ts';
import type { RecordColumn } from '../../portfolio/organizations/columns.ts';

/** Returns the columns of groups in a terminal: short numbers, words of codes, equal years once. */
export function groupsOnScreen<Row>(
  columns: readonly Column<Row>[],
  keys: readonly Pick<RecordColumn, 'name' | 'kind' | 'alsoCalled'>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  const spans = columns.filter(({ kind }) => kind === 'span');
  const last = spans.at(-1);
  const isSame = rows.every((row) => spans.every(({ value }) => value(row) === last?.value(row)));
  const shown = isSame ? columns.filter((each) => each === last || !spans.includes(each)) : columns;
  return joinCounts(shown).map((column) => {
    const key = keys.find(({ name, kind }) => name === column.name && kind === 'text');
    const text = (row: Row) =>
      key?.alsoCalled?.[String(column.value(row))] ?? cellText(column, row);
    return { ...column, text };
  });
}

/** Returns the columns of groups in a workbook, which has words in place of codes. */
export function groupsInSheet<Row>(
  columns: readonly Column<Row>[],
  keys: readonly Pick<RecordColumn, 'name' | 'inWords'>[],
): Column<Row>[] {
  return columns.map((column) => {
    const { wordOf } = keys.find(({ name }) => name === column.name)?.inWords ?? {};
    if (wordOf === undefined) return column;
    const value = (row: Row) => {
      const code = column.value(row);
      return typeof code === 'string' ? wordOf(code) : code;
    };
    return { ...column, value };
  });
}

/* Puts each count of organizations next to the number that it is of. */
function joinCounts<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.flatMap((column) => {
    if (column.countOf !== undefined) return [];
    const counted = columns.find(({ countOf }) => countOf === column.name);
    return counted === undefined ? column : { ...column, count: (row: Row) => counted.value(row) };
  });
}
