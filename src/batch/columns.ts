/*
 * Chooses the column of each field: `--map` decides, then the columns that the journal of the file
 * recorded, then the headers. The mapped cells identify a row, so other columns would send every
 * row again: once a row is settled, the recorded columns stay, and no other is guessed.
 */
import { basename } from 'node:path';
import { type Field, fields } from '../registration/fields.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { type CsvDialect, isAddedColumn } from '../table/header.ts';
import { findColumn, mapOption, mapPair, readMap } from '../table/map-option.ts';
import {
  AmbiguousNameError,
  type Doubt,
  type Evidence,
  guessColumn,
  missingName,
} from './guess-column.ts';

/** A column that provides a field. */
export interface MappedColumn {
  readonly field: Field;
  /** The header exactly as in the file. */
  readonly column: string;
  /** Index in the row, from 0. */
  readonly index: number;
}

/** The meaning of a file's columns. */
export interface Mapping {
  /** Mapped columns in the order of the file. */
  readonly columns: readonly MappedColumn[];
  /** Headers that provide no field. */
  readonly unused: readonly string[];
  readonly doubts: readonly Doubt[];
}

/** Headers by field, as a journal records them. */
export type RecordedColumns = Readonly<Partial<Record<Field, string>>>;

/** The columns that a journal recorded last. */
export interface JournalColumns {
  readonly path: string;
  readonly columns: RecordedColumns;
}

/** The mapping of a run, and how it differs from that of a first run. */
export interface ChosenColumns extends Mapping {
  /** Columns that a first run would use, and that the journal did not have. */
  readonly added: readonly (MappedColumn & { readonly map: string })[];
  /** The `--map` values that a file with this header needs for this mapping without a journal. */
  readonly options: readonly string[];
}

/** Returns the part of a header that a journal records. */
export function recordedHeader(header: string): string {
  return header.slice(0, 200);
}

/**
 * Chooses the columns of a run.
 *
 * @param options the values of `--map`
 * @param journals the recorded columns of the file's journals, those of this run first
 * @throws UsageError if the columns are ambiguous, if a recorded one is missing or occurs twice, or
 * if the journals disagree
 */
export function chooseColumns(
  { header, sample, below }: Pick<CsvDialect, 'header' | 'sample' | 'below'>,
  options: readonly string[] = [],
  journals: readonly JournalColumns[] = [],
): ChosenColumns {
  const map = readMap(options);
  const cells = sample.map((row) => row.cells);
  const first = () => mapColumns(header, map, cells);
  const [journal, ...others] = journals.filter(({ columns }) => columns.name !== undefined);
  if (journal === undefined) return { ...withHeaderHint(first, below), added: [], options: [] };
  for (const other of others) checkAgreement(map, journal, other);
  const guessed = orUndefined(first);
  const given = givenColumns(header, map);
  const kept = fields.flatMap((field) => {
    const column = map.has(field) ? undefined : journal.columns[field];
    return column === undefined ? [] : [{ field, column, index: recordedIndex(header, column) }];
  });
  // Without a currency, the keys of the rows stay the same.
  const lost = kept.filter(({ field, index }) => index < 0 && field !== 'currency');
  if (lost.length > 0) throw missingColumns(header, journal.path, lost, guessed);
  const taken = new Set(given.map(({ index }) => index));
  const mapping = toMapping(header, [
    ...given,
    ...kept.filter(({ index }) => index >= 0 && !taken.has(index)),
  ]);
  const changed = fields.filter(
    (field) => !map.has(field) && indexOf(mapping, field) !== indexOf(guessed, field),
  );
  return {
    ...mapping,
    added: changed.flatMap((field) => {
      const column = guessed?.columns.find((mapped) => mapped.field === field);
      return column === undefined || indexOf(mapping, field) !== undefined
        ? []
        : [{ ...column, map: mapOption(field, header, column.index) }];
    }),
    options: changed.map((field) => {
      const index = indexOf(mapping, field);
      return index === undefined ? `${field}=` : mapPair(field, header, index);
    }),
  };
}

/**
 * Maps the columns of a file without a journal.
 *
 * @throws UsageError if no column provides the name, or several may
 */
export function mapColumns(
  header: readonly string[],
  map: ReadonlyMap<Field, string> = new Map(),
  sample: Evidence['sample'] = [],
): Mapping {
  const given = givenColumns(header, map);
  const taken = new Set(given.map(({ index }) => index));
  const evidence = { header, sample };
  const guesses = fields
    .filter((field) => !map.has(field))
    .map((field) => ({ field, ...guessColumn(field, evidence, taken) }));
  const guessed = guesses.flatMap(({ field, index }) =>
    index === undefined ? [] : [{ field, index }],
  );
  const chosen = [...given, ...guessed];
  if (!chosen.some(({ field }) => field === 'name')) throw missingName(evidence);
  return { ...toMapping(header, chosen), doubts: guesses.flatMap(({ doubt }) => doubt ?? []) };
}

type Chosen = Pick<MappedColumn, 'field' | 'index'>;

function givenColumns(header: readonly string[], map: ReadonlyMap<Field, string>): Chosen[] {
  return [...map]
    .filter(([, column]) => column !== '')
    .map(([field, column]) => ({ field, index: findColumn(header, column, field) }));
}

function toMapping(header: readonly string[], chosen: readonly Chosen[]): Mapping {
  const columns = chosen
    .map(({ field, index }) => ({ field, index, column: header[index] ?? '' }))
    .sort((a, b) => a.index - b.index);
  const used = new Set(columns.map(({ index }) => index));
  const unused = header.filter(
    (column, index) => !used.has(index) && !isAddedColumn(column) && column !== '',
  );
  return { columns, unused, doubts: [] };
}

function indexOf(mapping: Mapping | undefined, field: Field): number | undefined {
  return mapping?.columns.find((column) => column.field === field)?.index;
}

/* Returns -1 if no column or several have the header. */
function recordedIndex(header: readonly string[], recorded: string): number {
  const [index = -1, second] = header.flatMap((column, at) =>
    recordedHeader(column) === recorded ? [at] : [],
  );
  return second === undefined ? index : -1;
}

/* Without a recorded field, every row would be sent again. */
function missingColumns(
  header: readonly string[],
  journal: string,
  lost: readonly { readonly field: Field; readonly column: string }[],
  guessed: Mapping | undefined,
): UsageError {
  const columns = lost.map(({ field, column }) => {
    const isRepeated = header.some((other) => recordedHeader(other) === column);
    return `"${column}" (${field}), which this file ${isRepeated ? 'has twice' : 'does not have'}`;
  });
  const maps = lost.map(({ field }) => {
    const index = indexOf(guessed, field);
    const doubt = guessed?.doubts.find((each) => each.field === field);
    return index === undefined
      ? (doubt?.map ?? `--map ${field}=<column>`)
      : mapOption(field, header, index);
  });
  return new UsageError(
    `The journal ${basename(journal)} uses the column ${columns.join(', and the column ')}`,
    `To continue, use ${maps.join(' ')}, or ${lost.map(({ field }) => `--map ${field}=`).join(' ')} to leave ${lost.length === 1 ? 'the field' : 'these fields'} out. To send every row again, use --restart.`,
    'invalid_input',
  );
}

/* With different columns, shards would skip some rows and send others twice. */
function checkAgreement(
  map: ReadonlyMap<Field, string>,
  own: JournalColumns,
  other: JournalColumns,
): void {
  const field = fields.find((each) => !map.has(each) && own.columns[each] !== other.columns[each]);
  if (field === undefined) return;
  const columns = [own, other].map((journal) => {
    const column = journal.columns[field];
    return `${column === undefined ? 'no column' : `"${column}"`} in ${basename(journal.path)}`;
  });
  throw new UsageError(
    `The journals of this file read ${field} from different columns: ${columns.join(', ')}`,
    `Use the same option in every run: --map ${field}=<column>, or --map ${field}= to leave it out. Rows whose values change are sent again.`,
    'invalid_input',
  );
}

/* Adds a hint to an error if a lower row looks like the header. */
function withHeaderHint(choose: () => Mapping, below: CsvDialect['below']): Mapping {
  try {
    return choose();
  } catch (error) {
    if (!(error instanceof UsageError) || error instanceof AmbiguousNameError) throw error;
    if (below === undefined) throw error;
    const hint = `The header seems to be on line ${below.line}: --skip-lines ${below.line - 1}`;
    throw new UsageError(error.message, hint, 'invalid_input');
  }
}

/* A first run could be impossible, such as without a known name column. */
function orUndefined(choose: () => Mapping): Mapping | undefined {
  try {
    return choose();
  } catch {
    return undefined;
  }
}
