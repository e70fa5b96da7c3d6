/* Columns of a query: their values, and how people name them. */
import { UsageError } from '../runtime/carbon-error.ts';

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
  /** The range of a number, such as 0 to 100; a condition outside of it is a mistake. */
  readonly range?: readonly [min: number, max: number];
  value(row: Row): ColumnValue;
}

/** The columns of a query, and their short names. */
export interface ColumnTable<Row, Column extends QueryColumn<Row> = QueryColumn<Row>> {
  readonly columns: readonly Column[];
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

const maxSuggestions = 3;

/**
 * Finds a column by its name or a short name. Upper case counts as lower case, and dots, hyphens
 * and spaces as `_`.
 * @param where the option and its value, for the error
 * @param position position of the name in the value, from 1
 * @throws UsageError with the position and the nearest names
 */
export function findColumn<Row, Column extends QueryColumn<Row>>(
  table: ColumnTable<Row, Column>,
  text: string,
  where: string,
  position: number,
): Column {
  const name = foldName(text);
  const full = Object.hasOwn(table.aliases, name) ? table.aliases[name] : name;
  const found = table.columns.find((column) => column.name === full);
  if (found !== undefined) return found;
  const place = `at character ${position}`;
  if (name === '') throw new UsageError(`${where}: a column name is missing ${place}`, listHint);
  const near = nearestNames(table, name);
  throw new UsageError(
    `${where}: unknown column "${text.trim()}" ${place}`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : listHint,
  );
}

const listHint = 'Run `carbon list --help` for the names, such as name, score or scope_1.';

/** Folds a name of a column: upper case, dots, hyphens and spaces do not matter. */
export function foldName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.\s-]+/g, '_');
}

/* Returns the names with the fewest edits, else those that contain the text. */
function nearestNames<Row>({ columns, aliases }: ColumnTable<Row>, name: string): string[] {
  const names = [...columns.map((column) => column.name), ...Object.keys(aliases)];
  const maxEdits = Math.max(1, Math.floor(name.length / 3));
  const ranked = names
    .map((known) => ({ known, edits: editDistance(name, known) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits);
  const closest = ranked.filter(({ edits }) => edits === ranked[0]?.edits);
  const near =
    closest.length > 0
      ? closest.map(({ known }) => known)
      : names.filter((known) => name.length > 2 && known.includes(name));
  return near.slice(0, maxSuggestions);
}

/* Counts insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isEqual = from[i - 1] === to[j - 1];
      let edits = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + Number(!isEqual),
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? 0;
}
