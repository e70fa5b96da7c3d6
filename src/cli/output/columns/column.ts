import {
  type Organization,
  type Performance,
  ranks,
  type SbtiTarget,
} from '../../../api/schema.ts';
import type { ColumnType, QueryColumn } from '../../../query/column.ts';
import type { CsvValue } from '../../../table/output-cell.ts';

/**
 * A row of a table: a record with one of its performances, its latest SBTi target, and in the table
 * of sources one source.
 */
export interface RecordRow {
  readonly record: Organization;
  readonly performance: Performance;
  readonly target: SbtiTarget;
  readonly source?: NonNullable<Organization['sources']>[number];
}

/** A column of records in every table, for `--columns`, `--sort`, `--where` and `--group-by`. */
export interface RecordColumn extends QueryColumn<RecordRow> {
  /** The path of the member in the JSON record, joined by `_`, unless carbon derives the value. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  value(row: RecordRow): CsvValue;
  /** The mark of a number that is no disclosed total, for terminals. */
  readonly mark?: (row: RecordRow) => string;
}

type Value = RecordColumn['value'];

const ofType =
  (type: ColumnType) =>
  (name: string, description: string, value: Value): RecordColumn => ({
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
  range?: RecordColumn['range'],
): RecordColumn => ({ ...ofType('number')(name, description, value), ...(range && { range }) });

const lowestFirst = ranks.filter((rank) => rank !== 'unknown').toReversed();

/** Converts a score of the service, 0 to 1, to 0 to 100 without the digits that doubles add. */
export function scoreOf(score: number | null | undefined): number | undefined {
  return typeof score === 'number' ? Number((score * 100).toPrecision(15)) : undefined;
}

/** Defines a column of ranks; `unknown` counts as missing when rows are sorted. */
export const rank = (name: string, description: string, value: Value): RecordColumn => ({
  ...ofType('rank')(name, description, value),
  ranks: lowestFirst,
});

/** Joins the items of a list by `; `. */
export function joined(
  items: readonly (string | null | undefined)[] | null | undefined,
): string | undefined {
  return items?.filter(Boolean).join('; ');
}
