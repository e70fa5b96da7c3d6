/** The value of a column in one row; null and undefined are missing. */
export type ColumnValue = string | number | boolean | null | undefined;

/** The types of columns. A rank has words in an order, such as `low` and `high`. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'date' | 'rank';

/** A column that a query can name. */
export interface QueryColumn<Row> {
  readonly name: string;
  readonly type: ColumnType;
  /** The words of a rank, the lowest first. */
  readonly ranks?: readonly string[];
  /** The range of a number, such as 0 to 1; a condition outside of it is a mistake. */
  readonly range?: readonly [min: number, max: number];
  value(row: Row): ColumnValue;
}

/** The columns of a query, and their short names. */
export interface ColumnTable<Row> {
  readonly columns: readonly QueryColumn<Row>[];
  /** Short names and the names of their columns. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** A value in a form that comparisons order; undefined is missing. */
export type SortKey = string | number | undefined;

const isoDate = /^\d{4}-\d\d-\d\d(?!\d)/;

/**
 * Converts a value to the form that comparisons order. A date that is not an ISO 8601 date and a
 * word that is no known rank count as missing.
 */
export function sortKey<Row>(column: QueryColumn<Row>, value: ColumnValue): SortKey {
  if (value === null || value === undefined || value === '') return undefined;
  switch (column.type) {
    case 'number':
      return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : undefined;
    case 'date':
      return isoDate.exec(String(value))?.[0];
    case 'rank': {
      const rank = column.ranks?.indexOf(String(value)) ?? -1;
      return rank < 0 ? undefined : rank;
    }
    default:
      return foldText(String(value));
  }
}

/** Folds text for comparison: case and the forms of accents do not matter. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

let collator: Intl.Collator | undefined;

/** Orders two keys of one column; numbers within text count as numbers, as in `Hall 2`. */
export function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(String(a), String(b));
}
