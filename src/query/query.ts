/*
 * A query selects columns, rows and their order. It knows only a table of columns: the meaning of a
 * row belongs to the caller.
 */
import type { ColumnTable } from './column.ts';
import { type Condition, parseCondition } from './condition.ts';
import { type Order, parseColumns, parseOrder, type SelectedColumn } from './order.ts';

/** The options of a query as a person writes them. */
export interface QueryText {
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
  readonly top?: number | undefined;
  readonly where?: readonly string[] | undefined;
}

/** A query for rows of one kind. */
export interface Query<Row> {
  /** Undefined without --columns: the output then has its usual columns. */
  readonly columns: readonly SelectedColumn<Row>[] | undefined;
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
export function parseQuery<Row>(table: ColumnTable<Row>, text: QueryText): Query<Row> {
  const conditions = (text.where ?? []).map((condition) => parseCondition(table, condition));
  return {
    columns: text.columns === undefined ? undefined : parseColumns(table, text.columns),
    conditions,
    order: text.sort === undefined ? undefined : parseOrder(table, text.sort),
    top: text.top ?? Number.POSITIVE_INFINITY,
    matches: (row) => conditions.every((condition) => condition.matches(row)),
  };
}
