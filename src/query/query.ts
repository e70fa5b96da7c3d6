/*
 * A query selects columns, rows and their order. It knows only a table of columns: the meaning of a
 * row belongs to the caller.
 */

import { UsageError } from '../runtime/carbon-error.ts';
import {
  type ColumnTable,
  type ColumnValue,
  type Condition,
  compareKeys,
  findColumn,
  foldName,
  foldText,
  parseCondition,
  type QueryColumn,
  sortKey,
} from './condition.ts';

/** The options of a query as a person writes them. */
export interface QueryText {
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
  readonly top?: number | undefined;
  readonly where?: readonly string[] | undefined;
}

export interface Query<Row, Column extends QueryColumn<Row> = QueryColumn<Row>> {
  /** Undefined without --columns: the output then has its usual columns. */
  readonly columns: readonly Column[] | undefined;
  readonly conditions: readonly Condition<Row>[];
  /** Undefined without --sort: rows keep their order. */
  readonly order: Order<Row> | undefined;
  /** The maximum number of rows. */
  readonly top: number;
  /** Checks whether a row meets every condition. */
  matches(row: Row): boolean;
}

/**
 * Parses a query.
 * @throws UsageError with the option and the nearest column names
 */
export function parseQuery<Row, Column extends QueryColumn<Row>>(
  table: ColumnTable<Row, Column>,
  text: QueryText,
): Query<Row, Column> {
  const conditions = (text.where ?? []).map((condition) => parseCondition(table, condition));
  return {
    columns: text.columns === undefined ? undefined : parseColumns(table, text.columns),
    conditions,
    order: text.sort === undefined ? undefined : parseOrder(table, text.sort),
    top: text.top ?? Number.POSITIVE_INFINITY,
    matches: (row) => conditions.every((condition) => condition.matches(row)),
  };
}

/** A part of the grammar of queries: its form, its meaning and an example. */
export interface GrammarRule {
  readonly form: string;
  readonly meaning: string;
  readonly example: string;
}

/** The grammar of queries: the source of the reference and of the help of `carbon list`. */
export const grammar: readonly GrammarRule[] = [
  {
    form: '--where <column>=<value>',
    meaning:
      'equal; text without regard to case, a date as precisely as written (2024, 2024-03, 2024-03-31)',
    example: '--where hq_region=DE',
  },
  {
    form: '--where <column>!=<value>',
    meaning: 'not equal; a missing value is not equal to any value',
    example: '--where "sbti_near_term!=set"',
  },
  {
    form: '--where <column><<value>',
    meaning: 'less; also <=, > and >=, which no missing value meets',
    example: '--where "score<40"',
  },
  { form: '--where <column>=', meaning: 'the value is missing', example: '--where score=' },
  {
    form: '--where <column>!=',
    meaning: 'the value is present',
    example: '--where "score!="',
  },
  {
    form: '--where a --where b',
    meaning: 'both conditions',
    example: '--where hq_region=DE --where "score<40"',
  },
  {
    form: '--sort <column>,...',
    meaning: 'smallest first, with - largest first; missing values come last in both directions',
    example: '--sort -score,name',
  },
  {
    form: '--top <n>',
    meaning: 'only the first n rows of the order',
    example: '--sort -scope_1 --top 20',
  },
  {
    form: '--columns <column>,...',
    meaning: 'only these columns, in this order',
    example: '--columns id,name,score',
  },
];

interface Order<Row> {
  /** The keys of a row, one for each column of the order; null is missing, as JSON has it. */
  keys(row: Row): RowKeys;
  /** Compares the keys of two rows; missing values come last in both directions. */
  compare(a: RowKeys, b: RowKeys): number;
}

/** The keys of one row; null is missing. */
export type RowKeys = readonly (string | number | null)[];

/*
 * Parses an order, such as `-score,name`: columns separated by commas, `-` for the largest first.
 */
function parseOrder<Row>(table: ColumnTable<Row>, text: string): Order<Row> {
  const where = `--sort "${text}"`;
  const parts = splitNames(text).map((name) => {
    const isDescending = name.startsWith('-');
    const bare = isDescending || name.startsWith('+') ? name.slice(1) : name;
    const column = findColumn(table, bare, where);
    return { column, direction: isDescending ? -1 : 1 };
  });
  return {
    keys: (row) => parts.map(({ column }) => sortKey(column, column.value(row)) ?? null),
    compare: (a, b) => {
      for (let index = 0; index < parts.length; index += 1) {
        const left = a[index] ?? null;
        const right = b[index] ?? null;
        if (left === right) continue;
        if (left === null || right === null) return left === null ? 1 : -1;
        const order = (parts[index]?.direction ?? 1) * compareKeys(left, right);
        if (order !== 0) return order;
      }
      return 0;
    },
  };
}

/**
 * Parses names of columns, separated by commas; the names become the titles.
 * @param option the option for errors
 * @throws UsageError for an unknown name, and for a name that occurs twice
 */
export function parseColumns<Row, Column extends QueryColumn<Row>>(
  table: ColumnTable<Row, Column>,
  text: string,
  option = '--columns',
): readonly Column[] {
  const where = `${option} "${text}"`;
  const found = splitNames(text).map((name) => ({ column: findColumn(table, name, where), name }));
  const twice = found.find(
    ({ column }, index) => found.findIndex((other) => other.column === column) !== index,
  );
  if (twice !== undefined)
    throw new UsageError(
      `${where}: column ${twice.column.name} is given twice`,
      'Name each column once.',
    );
  return found.map(({ column, name }) => ({ ...column, title: foldName(name) }));
}

function splitNames(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** The sum of one column over a group. */
export interface GroupSum {
  /** Rounded to 15 digits; undefined if no row of the group has a value. */
  readonly sum: number | undefined;
  /** Number of rows with a value, and their years. */
  readonly count: number;
  readonly years: readonly number[];
}

/** The rows with equal values in the columns of the grouping; missing values form a group, too. */
export interface Group {
  readonly keys: readonly ColumnValue[];
  readonly rows: number;
  readonly sums: readonly GroupSum[];
}

interface OpenGroup {
  readonly keys: readonly ColumnValue[];
  rows: number;
  readonly sums: { high: number; low: number; count: number; readonly years: Set<number> }[];
}

/**
 * Groups rows, each given as the values of the grouping columns followed by those to add up.
 *
 * The order is that of the first sum, the largest first, or of the number of rows without a sum.
 * @param keyCount number of grouping columns
 */
export function groupRows(
  rows: Iterable<readonly ColumnValue[]>,
  keyCount: number,
  sumCount: number,
): readonly Group[] {
  const groups = new Map<string, OpenGroup>();
  for (const row of rows) {
    const keys = row.slice(0, keyCount);
    const name = JSON.stringify(keys.map((key) => foldText(String(key ?? ''))));
    let group = groups.get(name);
    if (group === undefined) {
      const sums = Array.from({ length: sumCount }, () => {
        return { high: 0, low: 0, count: 0, years: new Set<number>() };
      });
      group = { keys, rows: 0, sums };
      groups.set(name, group);
    }
    group.rows += 1;
    for (const [index, sum] of group.sums.entries()) {
      const value = row[keyCount + index];
      if (typeof value !== 'number') continue;
      addTo(sum, value);
      const year = row[keyCount + sumCount];
      if (typeof year === 'number') sum.years.add(year);
    }
  }
  const result = [...groups.values()].map(
    ({ keys, rows, sums }): Group => ({
      keys,
      rows,
      sums: sums.map(({ high, low, count, years }) => ({
        sum: count === 0 ? undefined : Number((high + low).toPrecision(15)),
        count,
        years: [...years],
      })),
    }),
  );
  const order = ({ sums: [first], rows }: Group) =>
    first === undefined ? rows : (first.sum ?? Number.NEGATIVE_INFINITY);
  return result.toSorted((a, b) => (order(a) === order(b) ? 0 : order(b) - order(a)));
}

/* Neumaier's sum: `low` collects the digits that `high` loses. */
function addTo(sum: OpenGroup['sums'][number], value: number): void {
  const { high } = sum;
  sum.high = high + value;
  sum.low += Math.abs(high) >= Math.abs(value) ? high - sum.high + value : value - sum.high + high;
  sum.count += 1;
}
