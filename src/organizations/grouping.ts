/* Groups of organizations: what may be added up, and what must not be mixed. */
import type { ColumnTable, ColumnType, ColumnValue, QueryColumn } from '../query/condition.ts';
import { groupRows, parseColumns } from '../query/query.ts';
import { UsageError } from '../runtime/carbon-error.ts';

/** The columns of a grouping. */
export interface GroupPlan<Column> {
  readonly keys: readonly Column[];
  readonly sums: readonly Column[];
  /** The keys and the sums, then the year of each row. */
  readonly read: readonly Column[];
}

/**
 * Reads the columns to group by and to add up. Revenue is also grouped by its currency.
 * @throws UsageError for an unknown column, and for a sum without a meaning
 */
export function planGroups<Row, Column extends QueryColumn<Row>>(
  table: ColumnTable<Row, Column>,
  groupBy: string,
  sum: string | undefined,
): GroupPlan<Column> {
  const sums = sum === undefined ? [] : parseColumns<Row, Column>(table, sum, '--sum');
  for (const { name, type } of sums) refuseSum(name, type);
  const keys = [...parseColumns<Row, Column>(table, groupBy, '--group-by')];
  // Amounts of several currencies have no sum.
  const currency = table.columns.find(({ name }) => name === 'revenue_currency');
  const isSplit = keys.some(({ name }) => name === 'revenue_currency');
  if (sums.some(({ name }) => name === 'revenue') && !isSplit && currency !== undefined)
    keys.push(currency);
  const year = table.columns.filter(({ name }) => name === 'year');
  return {
    keys,
    sums,
    read: [...keys, ...sums, ...year],
  };
}

/**
 * Groups rows, each given as the values of `read`. Returns the values of each group: its keys, the
 * number of rows, and for each sum its amount, the number of rows behind it, and their years.
 */
export function groupedValues(
  rows: readonly (readonly ColumnValue[])[],
  { keys, sums }: GroupPlan<unknown>,
): readonly (string | number | boolean | null)[][] {
  return groupRows(rows, keys.length, sums.length).map((group) => [
    ...group.keys.map((key) => key ?? null),
    group.rows,
    ...group.sums.flatMap(({ sum, count, years }) => [sum ?? null, count, yearsText(years)]),
  ]);
}

function yearsText(years: readonly number[]): string | null {
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return years.length === 0 ? null : first === last ? String(first) : `${first} to ${last}`;
}

/** Returns the names and titles of the values of a group. */
export function groupColumns<Column extends QueryColumn<never>>(
  { keys, sums }: GroupPlan<Column>,
  noun: string,
) {
  return [
    ...keys.map(({ name, title, type }) => ({ name, title, type })),
    { name: noun, type: 'number' as const },
    ...sums.flatMap(({ name, title, type }) => [
      { name, title, type },
      { name: `${name}_${noun}`, title: 'of', type: 'number' as const },
      { name: `${name}_years`, title: 'years', type: 'text' as const },
    ]),
  ];
}

/* Refuses sums that would count something twice, or that mean nothing. */
function refuseSum(name: string, type: ColumnType): void {
  const why = /^scope_3|^emissions_scope_3/.test(name)
    ? "one organization's scope 3 is another one's scope 1, so a sum counts emissions twice"
    : /^(?:total|emissions_total|emissions_sum)$/.test(name)
      ? 'a total contains scope 3, which a sum counts twice'
      : /score|percentile/.test(name)
        ? 'a sum of scores has no meaning'
        : /factor/.test(name)
          ? 'a sum of factors has no meaning'
          : type !== 'number' || /year$|categories$|regions$/.test(name)
            ? 'it is not an amount'
            : undefined;
  if (why === undefined) return;
  throw new UsageError(
    `--sum: carbon does not add up ${name}: ${why}`,
    'Use --sum scope_1,scope_2, or add revenue.',
  );
}
