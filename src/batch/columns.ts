/*
 * Maps columns to fields. A wrong guess registers the wrong organizations, which cannot be undone.
 * An ambiguous name column is therefore an error with a `--map` hint; any other ambiguous field is
 * left out and reported.
 */
import type { Field } from '../registration/header-words.ts';
import { errorColumn } from '../table/dialect.ts';
import { fields, findColumn } from '../table/map-option.ts';
import { guessColumn } from './guess-column.ts';
import { missingName } from './missing-name.ts';
import { type RecordedMapping, recordedColumn } from './recorded-mapping.ts';

/** A column that provides a field. */
export interface MappedColumn {
  readonly field: Field;
  /** The header exactly as in the file. */
  readonly column: string;
  /** Index in the row, from 0. */
  readonly index: number;
}

/** Columns that may provide a field and are not used. */
export interface Doubt {
  readonly field: Field;
  /**
   * `ambiguous`: several columns match the field; `unproven`: the values do not confirm the match;
   * `alternative`: a column with the name of the field takes precedence.
   */
  readonly kind: 'ambiguous' | 'unproven' | 'alternative';
  readonly columns: readonly string[];
  /** The first distinct values of an unproven column. */
  readonly examples: readonly string[];
  /** The `--map` option that selects the preferred column. */
  readonly map: string;
}

/** The meaning of a file's columns. */
export interface Mapping {
  /** Mapped columns in the order of the file. */
  readonly columns: readonly MappedColumn[];
  /** Headers that provide no field. */
  readonly unused: readonly string[];
  readonly doubts: readonly Doubt[];
  /**
   * Whether the country column may also hold sales regions and states, so that two or three letters
   * are not country codes.
   */
  readonly hasPlaces?: boolean | undefined;
}

/** The header and the first rows, from which columns are recognized. */
export interface Evidence {
  readonly header: readonly string[];
  /** Cells of the first rows below the header. */
  readonly sample: readonly (readonly string[])[];
}

/**
 * Maps the header's columns to fields.
 *
 * The sources in order of precedence: `--map`, the journal, the field's own name, its aliases. If
 * the header does not decide, the values of the first rows do.
 *
 * @throws UsageError if no column provides the name, or several may
 */
export function mapColumns(
  header: readonly string[],
  map: ReadonlyMap<Field, string> = new Map(),
  sample: Evidence['sample'] = [],
  recorded: RecordedMapping = {},
): Mapping {
  const chosen = [...map]
    .filter(([, column]) => column !== '')
    .map(([field, column]) => ({ field, index: findColumn(header, column, field) }));
  const taken = new Set(chosen.map(({ index }) => index));
  const recordedColumns = fields.flatMap((field) => {
    const index = recordedColumn(header, recorded[field]);
    return map.has(field) || index < 0 || taken.has(index) ? [] : [{ field, index }];
  });
  for (const { index } of recordedColumns) taken.add(index);
  // A journal that knows this table's name column has recorded all fields: only a renamed column is
  // guessed again. The journal of another table may have recorded just some of the fields.
  const isKnown = recordedColumn(header, recorded.name) >= 0;
  const isGone = (field: Field) =>
    recorded[field] !== undefined && recordedColumn(header, recorded[field]) < 0;
  const open = fields.filter(
    (name) =>
      !map.has(name) &&
      recordedColumns.every(({ field }) => field !== name) &&
      (!isKnown || isGone(name)),
  );
  const guesses = open.map((field) => ({
    field,
    ...guessColumn(field, { header, sample }, taken),
  }));
  const guessed = guesses.flatMap(({ field, index }) =>
    index === undefined ? [] : [{ field, index }],
  );
  const columns = [...chosen, ...recordedColumns, ...guessed]
    .map(({ field, index }) => ({ field, index, column: header[index] ?? '' }))
    .sort((a, b) => a.index - b.index);
  if (!columns.some(({ field }) => field === 'name')) throw missingName({ header, sample });
  const used = new Set(columns.map(({ index }) => index));
  const unused = header.filter(
    (column, index) => !used.has(index) && column !== errorColumn && column !== '',
  );
  return { columns, unused, doubts: guesses.flatMap(({ doubts }) => doubts) };
}
