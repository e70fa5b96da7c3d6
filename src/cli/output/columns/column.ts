import { ranks } from '../../../api/schema.ts';
import type { ColumnType, QueryColumn } from '../../../query/column.ts';
import type { CsvValue } from '../../../table/output-cell.ts';
import type { CsvSource } from '../csv-source.ts';

/** A column of records, for `--csv`, `--columns`, `--sort` and `--where`. */
export interface CsvColumn extends QueryColumn<CsvSource> {
  /** The path of the member in the JSON record, joined by `_`. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  value(source: CsvSource): CsvValue;
}

type Value = CsvColumn['value'];

const ofType =
  (type: ColumnType) =>
  (name: string, description: string, value: Value): CsvColumn => ({
    name,
    description,
    type,
    value,
  });

/** Defines a column of text, including ids. */
export const text = ofType('text');

/** Defines a column of dates in ISO 8601. */
export const date = ofType('date');

/** Defines a column of true and false. */
export const flag = ofType('boolean');

/** Defines a column of numbers. */
export const number = (
  name: string,
  description: string,
  value: Value,
  range?: CsvColumn['range'],
): CsvColumn => ({ ...ofType('number')(name, description, value), ...(range && { range }) });

const lowestFirst = ranks.filter((rank) => rank !== 'unknown').toReversed();

/** Defines a column of ranks; `unknown` counts as missing when rows are sorted. */
export const rank = (name: string, description: string, value: Value): CsvColumn => ({
  ...ofType('rank')(name, description, value),
  ranks: lowestFirst,
});

/** Joins the items of a list by `; `. */
export function joined(
  items: readonly (string | null | undefined)[] | null | undefined,
): string | undefined {
  return items?.filter(Boolean).join('; ');
}
