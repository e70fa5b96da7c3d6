/*
 * Maps the columns of a file with spend. The columns that identify an organization are mapped
 * exactly as `carbon batch` maps them, so that the row keys are those of its journals.
 */
import {
  type ChosenColumns,
  chooseColumns,
  type JournalColumns,
  type Mapping,
} from '../../batch/columns.ts';
import { AmbiguousNameError, guessColumn } from '../../batch/guess-column.ts';
import { type Field, fields, foldHeader } from '../../registration/fields.ts';
import type { CsvDialect } from '../../table/header.ts';
import { findColumn, mapOption, readMapOf } from '../../table/map-option.ts';
import { ambiguousColumns, doubtfulId, missingSpend, scaledHeader } from './column-errors.ts';
import { doubtfulIdHeader, spendFieldWords } from './column-words.ts';
import { readSpendHeader, readUnits, type SpendHeader } from './spend-header.ts';

/* The fields that only a footprint reads. */
const spendFields = ['spend', 'spend_currency', 'spend_year', 'category', 'id'] as const;
export type SpendField = (typeof spendFields)[number];

/** A column that provides a field of the spend. */
export interface SpendColumn {
  readonly field: SpendField;
  /** The header exactly as in the file. */
  readonly column: string;
  /** Index in the row, from 0. */
  readonly index: number;
}

/** A field that several columns may provide, so that none is used. */
export interface SpendDoubt {
  readonly field: SpendField;
  readonly columns: readonly string[];
  /** The `--map` option that selects the first of them. */
  readonly map: string;
}

/** The meaning of a file's columns. */
export interface SpendColumns {
  /** The columns that identify an organization, as `carbon batch` maps them. */
  readonly registration: ChosenColumns;
  /** The `--map` values of these columns, as `carbon batch` takes them. */
  readonly registrationMap: readonly string[];
  readonly columns: readonly SpendColumn[];
  readonly doubts: readonly SpendDoubt[];
  /** The `--map` option for a column that may hold ids of the service, and is not used. */
  readonly doubtfulId: string | undefined;
  /** Headers that provide no field. */
  readonly unused: readonly string[];
  /** What the header of the spend column states besides the amount. */
  readonly stated: SpendHeader;
}

/** Options that choose the columns. */
export interface ColumnOptions {
  /** Values of `--map`. */
  readonly map?: readonly string[] | undefined;
  /** The recorded mappings of the file's journals. */
  readonly journals?: readonly JournalColumns[] | undefined;
  /** Whether `--spend-currency` names the currency of all rows. */
  readonly hasCurrency: boolean;
  /** Whether `--amounts-in` decides what the amounts count. */
  readonly hasScale: boolean;
}

type Table = Pick<CsvDialect, 'header' | 'sample' | 'below'>;

/**
 * Chooses the columns of a file with spend.
 *
 * @throws UsageError if no column or several columns may provide the spend or its currency
 */
export function chooseSpendColumns(table: Table, options: ColumnOptions): SpendColumns {
  const map = readMapOf([...fields, ...spendFields], options.map ?? []);
  const isSpendField = (field: string): field is SpendField =>
    (spendFields as readonly string[]).includes(field);
  const chosen = new Map([...map].filter(([field]) => isSpendField(field)));
  const others = [...map].filter(([field]) => !isSpendField(field)) as [Field, string][];
  const { header } = table;
  const idAt = findGiven(header, chosen, 'id') ?? findHeader(header, spendFieldWords.id.flat());
  const doubtfulAt = idAt >= 0 || chosen.has('id') ? -1 : findHeader(header, [doubtfulIdHeader]);
  const registration = mapRegistration(table, others, options.journals ?? [], { idAt, doubtfulAt });
  const finder = new ColumnFinder(table, registration, chosen);
  const spendAt = finder.spend();
  const { words: _, ...stated } = readUnits(header[spendAt] ?? '');
  if (stated.scale !== undefined && !options.hasScale) throw scaledHeader(header, spendAt, stated);
  const columns = [
    { field: 'spend' as const, index: spendAt },
    ...finder.find('spend_currency', options.hasCurrency),
    ...finder.find('spend_year', true),
    ...finder.find('category', true),
    ...finder.find('id', true),
  ].map(({ field, index }) => ({ field, index, column: header[index] ?? '' }));
  const used = new Set(columns.map(({ column }) => column));
  const unused = registration.unused.filter((column) => !used.has(column));
  const idOption = unused.includes(header[doubtfulAt] ?? '')
    ? mapOption('id', header, doubtfulAt)
    : undefined;
  return {
    registration,
    registrationMap: writePairs(others),
    columns,
    doubts: finder.doubts,
    doubtfulId: idOption,
    unused,
    stated,
  };
}

/** Returns the index of the column that provides a field; -1 without one. */
export function columnOf({ columns }: SpendColumns, field: SpendField): number {
  return columns.find((column) => column.field === field)?.index ?? -1;
}

/* Writes `--map` pairs back as text for the code that reads them for a batch. */
function writePairs(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([field, column]) =>
    column.includes(',') ? `${field}="${column}"` : `${field}=${column}`,
  );
}

/* A file with ids needs no names. */
function mapRegistration(
  table: Table,
  pairs: readonly [Field, string][],
  journals: readonly JournalColumns[],
  { idAt, doubtfulAt }: { readonly idAt: number; readonly doubtfulAt: number },
): ChosenColumns {
  const { header } = table;
  const sample = table.sample.map(({ cells }) => cells);
  const hasName =
    pairs.some(([field, column]) => field === 'name' && column !== '') ||
    journals.length > 0 ||
    (idAt < 0 && doubtfulAt < 0) ||
    hasNameColumn(header, sample, idAt >= 0);
  if (hasName) return chooseColumns(table, writePairs(pairs), journals);
  if (idAt < 0) throw doubtfulId(table, doubtfulAt);
  return { columns: [], unused: header.filter(Boolean), doubts: [], added: [], options: [] };
}

function hasNameColumn(
  header: readonly string[],
  sample: readonly (readonly string[])[],
  hasIds: boolean,
): boolean {
  try {
    return guessColumn('name', { header, sample }, new Set()).index !== undefined;
  } catch (error) {
    if (hasIds && error instanceof AmbiguousNameError) return false;
    throw error;
  }
}

function findHeader(header: readonly string[], words: readonly string[]): number {
  return header.findIndex((column) => words.includes(foldHeader(column)));
}

/* Returns the column that `--map` names, -1 for none, undefined if it does not name the field. */
function findGiven(
  header: readonly string[],
  chosen: ReadonlyMap<string, string>,
  field: SpendField,
): number | undefined {
  const column = chosen.get(field);
  if (column === undefined) return undefined;
  return column === '' ? -1 : findColumn(header, column, field);
}

class ColumnFinder {
  readonly doubts: SpendDoubt[] = [];
  readonly #table: Table;
  readonly #mapping: Mapping;
  readonly #chosen: ReadonlyMap<string, string>;
  /* Columns that identify the organization. */
  readonly #taken: Set<number>;

  constructor(table: Table, mapping: Mapping, chosen: ReadonlyMap<string, string>) {
    this.#table = table;
    this.#mapping = mapping;
    this.#chosen = chosen;
    const identifying = mapping.columns.filter(({ field }) => field !== 'currency');
    this.#taken = new Set(identifying.map(({ index }) => index));
  }

  /* Returns the index of the spend column. */
  spend(): number {
    const { header } = this.#table;
    const given = findGiven(header, this.#chosen, 'spend');
    const own = this.#matching((column) => foldHeader(column) === 'spend');
    const candidates = own.length === 1 ? own : this.#matching(isSpendHeader);
    const [index] = candidates;
    if (given !== undefined && given >= 0) return given;
    if (index === undefined || given === -1) throw missingSpend(this.#table, this.#taken);
    if (candidates.length > 1) throw ambiguousColumns('spend', this.#table, candidates);
    return index;
  }

  /* Returns the column of a field, if there is one. */
  find<Name extends Exclude<SpendField, 'spend'>>(
    field: Name,
    isOptional: boolean,
  ): { readonly field: Name; readonly index: number }[] {
    const { header } = this.#table;
    const given = findGiven(header, this.#chosen, field);
    if (given !== undefined) return given < 0 ? [] : [{ field, index: given }];
    const lists = spendFieldWords[field];
    for (const words of lists) {
      const isLast = words === lists.at(-1);
      const candidates = this.#matching(
        (column, position) =>
          words.includes(foldHeader(column)) || (isLast && this.#isMapped(field, position)),
      );
      const [index] = candidates;
      if (index === undefined) continue;
      if (candidates.length === 1) return [{ field, index }];
      if (!isOptional) throw ambiguousColumns(field, this.#table, candidates);
      const columns = candidates.map((position) => header[position] ?? '');
      this.doubts.push({ field, columns, map: mapOption(field, header, index) });
      return [];
    }
    return [];
  }

  /* The column that a batch sends as the currency of a registration is the currency here. */
  #isMapped(field: SpendField, at: number): boolean {
    return (
      field === 'spend_currency' &&
      this.#mapping.columns.some((column) => column.field === 'currency' && column.index === at)
    );
  }

  #matching(test: (column: string, index: number) => boolean): number[] {
    return this.#table.header.flatMap((column, index) =>
      !this.#taken.has(index) && test(column, index) ? [index] : [],
    );
  }
}

function isSpendHeader(column: string): boolean {
  return readSpendHeader(column) !== undefined;
}
