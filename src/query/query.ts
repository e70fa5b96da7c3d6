/*
 * A query selects columns, rows and their order. It knows only a table of columns: the meaning of a
 * row belongs to the caller.
 */
import { UsageError } from '../runtime/carbon-error.ts';
import {
  type Column,
  type ColumnTable,
  type Condition,
  compareKeys,
  findColumn,
  foldName,
  parseCondition,
  sortKey,
} from './condition.ts';

export interface QueryText {
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
  readonly top?: number | undefined;
  readonly where?: readonly string[] | undefined;
}

export interface Query<Row> {
  /** Undefined without --columns: the output then has its usual columns. */
  readonly columns: readonly Column<Row>[] | undefined;
  readonly conditions: readonly Condition<Row>[];
  /** Undefined without --sort: rows keep their order. */
  readonly order: Order<Row> | undefined;
  readonly top: number;
  matches(row: Row): boolean;
}

/**
 * Parses a query.
 * @throws UsageError with the option and the nearest column names
 */
export function parseQuery<Row>(table: ColumnTable<Row>, text: QueryText): Query<Row> {
  const { columns, sort, top = Number.POSITIVE_INFINITY, where = [] } = text;
  const conditions = where.map((condition) => parseCondition(table, condition));
  return {
    columns: columns === undefined ? undefined : parseColumns(table, columns),
    conditions,
    order: sort === undefined ? undefined : parseOrder(table, sort),
    top,
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
    form: '--sort <column>,...',
    meaning: 'smallest first, with - largest first; missing values come last in both directions',
    example: '--sort -score,name',
  },
];

interface Order<Row> {
  /** The keys of a row, one for each column of the order; null is missing, as JSON has it. */
  keys(row: Row): RowKeys;
  /** Compares the keys of two rows; missing values come last in both directions. */
  compare(a: RowKeys, b: RowKeys): number;
}

export type RowKeys = readonly (string | number | null)[];

/*
 * Parses an order, such as `-score,name`: columns separated by commas, `-` for the largest first.
 */
function parseOrder<Row>(table: ColumnTable<Row>, text: string): Order<Row> {
  const where = `--sort "${text}"`;
  const parts = splitNames(text).map((name) => ({
    column: findColumn(table, name.replace(/^-/, ''), where),
    direction: name.startsWith('-') ? -1 : 1,
  }));
  return {
    keys: (row) => parts.map(({ column }) => sortKey(column, column.value(row)) ?? null),
    compare: (a, b) => {
      for (const [index, { direction }] of parts.entries()) {
        const [left = null, right = null] = [a[index], b[index]];
        if (left === right) continue;
        if (left === null || right === null) return left === null ? 1 : -1;
        const order = direction * compareKeys(left, right);
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
export function parseColumns<Row>(
  table: ColumnTable<Row>,
  text: string,
  option = '--columns',
): readonly Column<Row>[] {
  const where = splitNames(text).length > 1 ? `${option} "${text}"` : option;
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
