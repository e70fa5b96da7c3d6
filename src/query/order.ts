/* Reads --sort and orders rows by it. */
import { UsageError } from '../runtime/carbon-error.ts';
import {
  type ColumnTable,
  compareKeys,
  findColumn,
  foldName,
  type QueryColumn,
  sortKey,
} from './column.ts';

/** An order of rows. */
export interface Order<Row> {
  /** The names of its columns, the most important one first. */
  readonly columns: readonly string[];
  /** The keys of a row, one for each column of the order; null is missing, as JSON has it. */
  keys(row: Row): RowKeys;
  /** Compares the keys of two rows; missing values come last in both directions. */
  compare(a: RowKeys, b: RowKeys): number;
}

/** The keys of one row; null is missing. */
export type RowKeys = readonly (string | number | null)[];

/**
 * Parses an order, such as `-score,name`: columns separated by commas, `-` for the largest first.
 * @throws UsageError with the position of the mistake
 */
export function parseOrder<Row>(table: ColumnTable<Row>, text: string): Order<Row> {
  const where = `--sort "${text}"`;
  const parts = splitNames(text).map(({ name, position }) => {
    const isDescending = name.startsWith('-');
    const bare = isDescending || name.startsWith('+') ? name.slice(1) : name;
    const column = findColumn(table, bare, where, position + name.length - bare.length);
    return { column, direction: isDescending ? -1 : 1 };
  });
  return {
    columns: parts.map(({ column }) => column.name),
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

/** A column with its name as the query has it, which may be a short name. */
export type Titled<Column> = Column & { readonly title: string };

/**
 * Parses names of columns, separated by commas.
 * @param option the option for errors
 * @throws UsageError for an unknown name, and for a name that occurs twice
 */
export function parseColumns<Row, Column extends QueryColumn<Row>>(
  table: ColumnTable<Row, Column>,
  text: string,
  option = '--columns',
): readonly Titled<Column>[] {
  const where = `${option} "${text}"`;
  const found = splitNames(text).map(({ name, position }) => ({
    column: findColumn(table, name, where, position),
    name,
    position,
  }));
  for (const [index, { column, position }] of found.entries()) {
    if (found.findIndex((other) => other.column === column) === index) continue;
    throw new UsageError(
      `${where}: column ${column.name} is given twice, again at character ${position}`,
      'Name each column once.',
    );
  }
  return found.map(({ column, name }) => ({ ...column, title: foldName(name) }));
}

function splitNames(text: string): { name: string; position: number }[] {
  let position = 1;
  return text.split(',').map((part) => {
    const name = part.trim();
    const start = position + part.length - part.trimStart().length;
    position += part.length + 1;
    return { name, position: start };
  });
}
