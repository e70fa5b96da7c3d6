/*
 * A query selects columns, rows and their order. It knows only a table of columns: the meaning of a
 * row belongs to the caller.
 */
import type { ColumnTable, QueryColumn } from './column.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type Order, parseColumns, parseOrder, type Titled } from './order.ts';

/** The options of a query as a person writes them. */
export interface QueryText {
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
  readonly top?: number | undefined;
  readonly where?: readonly string[] | undefined;
}

/** A query for rows of one kind. */
export interface Query<Row, Column extends QueryColumn<Row> = QueryColumn<Row>> {
  /** Undefined without --columns: the output then has its usual columns. */
  readonly columns: readonly Titled<Column>[] | undefined;
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
 * @throws UsageError with the option, the position and the nearest column names
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
