/* Columns that have the value of one member of a record, and those that the schema declares. */
import type { Organization, Performance, SbtiTarget, Shown } from '../../client/api/schema.ts';
import { type ShownField, shownFields } from '../../client/api/shown-fields.ts';
import { ranks } from '../../client/api/vocabulary.ts';
import { type KindName, kindOf } from '../../display/query/kinds.ts';
import type { Column, ColumnValue } from '../../display/query/query.ts';
import { invalidText, notReadable } from '../../display/terminal/figure.ts';
import { isUnreadable } from './emissions.ts';

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

export type RecordColumn = Column<RecordRow>;

type Value = RecordColumn['value'];
type Details = Partial<Omit<RecordColumn, 'name' | 'description' | 'type' | 'value'>>;
type ConvertedDetails = Details & { readonly convert?: (value: never) => ColumnValue };

/** The paths of the members of an object, such as `industry.name`. */
export type Path<Members> = Members extends readonly unknown[]
  ? never
  : Members extends object
    ? {
        [Key in keyof Members & string]: Key | `${Key}.${Path<NonNullable<Members[Key]>>}`;
      }[keyof Members & string]
    : never;

/**
 * Converts a score of the service, 0 to 1, to 0 to 100 without the digits that doubles add. Any
 * other value is marked: 73.6 would be another score.
 */
export function scoreOf(score: number | null | undefined): number | string | undefined {
  if (typeof score !== 'number') return undefined;
  return score >= 0 && score <= 1 ? Number((score * 100).toPrecision(15)) : invalidText(score);
}

function percentileOf(value: number | null | undefined): number | string | undefined {
  if (typeof value !== 'number') return undefined;
  return value >= 0 && value <= 100 ? value : invalidText(value);
}

/* What a member of a kind needs; `unknown` counts as missing when rows are sorted. */
const ofKind: Readonly<Partial<Record<KindName, ConvertedDetails>>> = {
  score: { convert: scoreOf, range: [0, 100] },
  percentile: { convert: percentileOf, range: [0, 100] },
  year: { range: [1900, 2200] },
  rank: { ranks: ranks.filter((rank) => rank !== 'unknown').toReversed() },
};

/**
 * Returns a function that defines the column of a member. Its name is the path, joined by `_`,
 * after a prefix.
 */
export const membersOf =
  <Members>(root: (row: RecordRow) => Members, prefix = '') =>
  (
    path: Path<Members>,
    description: string,
    kind: KindName = 'text',
    given: ConvertedDetails = {},
  ): RecordColumn => {
    const keys = path.split('.') as string[];
    const { convert, ...details } = { ...ofKind[kind], ...given };
    const isNumber = kindOf(kind).type === 'number';
    const value: Value = (row) => {
      let found: unknown = root(row);
      for (const key of keys) found = (found as Record<string, unknown> | null | undefined)?.[key];
      if (convert !== undefined) return convert(found as never);
      return isNumber && isUnreadable(found) ? notReadable(found) : (found as ColumnValue);
    };
    return { name: prefix + keys.join('_'), description, kind, value, ...details };
  };

const shownOfRecord = membersOf(({ record }) => record as Readonly<Record<string, unknown>>);
const shownOfYear = membersOf(
  ({ performance }) => performance as Readonly<Record<string, unknown>>,
);

const wordsOf = (path: readonly string[]) => (path.at(-1) ?? '').replaceAll('_', ' ');

/** A field as the schema declares it for `carbon get`, and its column. */
export interface ShownColumn {
  readonly section: Shown['section'];
  readonly label: string;
  /** The title in the table of years, if it is not the label. */
  readonly title: string | undefined;
  readonly column: RecordColumn;
}

export function shownColumn(field: ShownField): ShownColumn {
  const { path, description, section, kind, label = wordsOf(path), title } = field;
  const name = path.join('.');
  const column =
    section === 'years'
      ? shownOfYear(name, description, kind, { isOfYear: true })
      : shownOfRecord(name, description, kind);
  return { section, label, title, column };
}

export const shownColumns: readonly ShownColumn[] = shownFields.map(shownColumn);
