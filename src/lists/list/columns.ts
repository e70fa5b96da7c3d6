/*
 * Chooses the column of each field: `--map` decides, then the columns that the journal of the file
 * recorded, then the headers. The mapped cells identify a row, so other columns would send every
 * row again: once a row is settled, the recorded columns stay, and no other is guessed.
 */

import { basename } from 'node:path';
import { aliasOf } from '../../client/api/names.ts';
import { countryCode, isCountryName } from '../../client/registration/countries.ts';
import {
  type Field,
  fields,
  fieldsOfHeader,
  foldHeader,
  hasWord,
  identifierFields,
  isPartnerHeader,
  isPlaceHeader,
  isTotalLabel,
} from '../../client/registration/fields.ts';
import { andMore, cut } from '../../display/terminal/format.ts';
import { type FindChoices, invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { cellValue, isBlank } from '../table/cell.ts';
import type { CsvDialect } from '../table/dialect.ts';
import { findColumn, mapOption, mapPair } from '../table/map-option.ts';

/** The header and the first rows, from which columns are recognized. */
export type TableHead = Pick<CsvDialect, 'header' | 'sample' | 'below' | 'isResult'>;

export interface MappedColumn {
  readonly field: Field;
  /** The header exactly as in the file. */
  readonly column: string;
  readonly index: number;
}

/** The meaning of a file's columns. */
export interface Mapping {
  /** Mapped columns in the order of the file. */
  readonly columns: readonly MappedColumn[];
  readonly unused: readonly string[];
  readonly doubts: readonly Doubt[];
}

/** Several columns that may provide a field, so that none is used. */
export interface Doubt {
  readonly field: Field;
  readonly columns: readonly string[];
  /** The `--map` option that selects the most likely of them. */
  readonly map: string;
}

/** The version of the keys of rows. */
export const keyVersion = 1;

/** The columns that a journal recorded last. */
export interface JournalColumns {
  readonly path: string;
  readonly columns: Readonly<Partial<Record<Field, string>>>;
}

/**
 * Chooses the columns of a run.
 * @param journal the columns that the journal of the file recorded
 * @throws UsageError if the columns are ambiguous, or if a recorded one is missing or occurs twice
 */
export function chooseColumns(
  table: TableHead,
  map: ReadonlyMap<Field, string> = new Map(),
  journal: JournalColumns | undefined,
): Mapping {
  if (journal === undefined) return mapColumns(table, map);
  const { header } = table;
  const given = givenColumns(header, map);
  const kept = fields.flatMap((field) => {
    const column = map.has(field) ? undefined : journal.columns[field];
    return column === undefined ? [] : [{ field, column, index: recordedIndex(header, column) }];
  });
  // Without a currency, the keys of the rows stay the same.
  const lost = kept.filter(({ field, index }) => index < 0 && field !== 'currency');
  if (lost.length > 0) throw missingColumns(table, map, journal.path, lost);
  const taken = new Set(given.map(({ index }) => index));
  const found = kept.filter(({ index }) => index >= 0 && !taken.has(index));
  return toMapping(header, [...given, ...found]);
}

/** Returns the columns that a run without a journal would use in addition to these. */
export function addedColumns(
  table: TableHead,
  map: ReadonlyMap<Field, string>,
  { columns }: Mapping,
): readonly MappedColumn[] {
  const known = new Set(columns.map(({ field }) => field));
  return firstColumns(table, map).filter(({ field }) => !map.has(field) && !known.has(field));
}

/** A column with websites or LEIs, which tell organizations with similar names apart. */
export interface IdentifyingColumn {
  /** The header exactly as in the file. */
  readonly column: string;
  /** The option that a run needs to use it; empty if runs use it. */
  readonly words: readonly string[];
}

const identifying: readonly Field[] = ['website', 'lei_number'];

/** Finds the column with websites or LEIs, first one that runs use. */
export function identifyingColumn(
  header: readonly string[],
  { columns }: Pick<Mapping, 'columns'>,
): IdentifyingColumn | undefined {
  const used = columns.find(({ field }) => identifying.includes(field));
  if (used !== undefined) return { column: used.column, words: [] };
  for (const [index, column] of header.entries()) {
    const field = fieldsOfHeader(column).find((each) => identifying.includes(each));
    if (field !== undefined) return { column, words: ['--map', mapPair(field, header, index)] };
  }
  return undefined;
}

function firstColumns(table: TableHead, map: ReadonlyMap<Field, string>): readonly MappedColumn[] {
  try {
    return mapColumns(table, map).columns;
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/**
 * Maps the columns of a file without a journal.
 * @throws NameColumnError if no column provides the name, or several may
 */
export function mapColumns(table: TableHead, map: ReadonlyMap<Field, string> = new Map()): Mapping {
  const { header } = table;
  const given = givenColumns(header, map);
  const taken = new Set(given.map(({ index }) => index));
  const chosen = [...given];
  const doubts: Doubt[] = [];
  for (const field of fields) {
    if (map.has(field)) continue;
    const [index, ...others] =
      field === 'name' ? guessNames(table, taken) : guessColumns(field, table, taken);
    if (field === 'name' && index !== undefined && others.length > 0)
      throw severalNames(table, [index, ...others]);
    if (index !== undefined && others.length > 0)
      doubts.push(doubtOf(field, table, [index, ...others]));
    else if (index !== undefined) chosen.push({ field, index });
  }
  if (!chosen.some(({ field }) => field === 'name')) throw missingName(table, taken);
  return { ...toMapping(header, chosen), doubts };
}

export class NameColumnError extends UsageError {
  constructor(message: string, hint: string, choices: FindChoices) {
    super(message, hint, 'invalid_input', choices);
  }
}

const question = 'Which column has the organization name?';
const noneOfThese = 'None of these';

function severalNames(table: TableHead, candidates: readonly number[]): NameColumnError {
  const indexes = rankNames(table, candidates);
  const options = indexes.slice(0, 5).map((index) => mapOption('name', table.header, index));
  const [best = '', ...others] = options;
  return new NameColumnError(
    `Several columns may hold the organization name: ${listColumns(table, indexes, 3)}`,
    `Choose one: ${best}${others.map((option) => ` or ${option}`).join('')}`,
    async () => ({
      problem: 'Several columns may hold the organization name',
      question,
      options: (await import('../table/choices.ts')).columnChoices(table, 'name', indexes),
      stop: noneOfThese,
    }),
  );
}

function missingName(table: TableHead, taken: ReadonlySet<number>): NameColumnError {
  const { below, header } = table;
  const isPerson = (index: number) => Number(hasWord(personWords, foldHeader(header[index] ?? '')));
  const free = [...header.keys()].filter((index) => !taken.has(index));
  const likely = rankNames(
    table,
    free.filter((index) => holdsNames(table, index)),
  ).sort((a, b) => isPerson(a) - isPerson(b));
  const [best] = likely;
  const problem = 'No column looks like an organization name';
  const chooseColumn = async () => {
    const filled = free.filter((index) => valuesOf(table, 'name', index).length > 0);
    const { columnChoices } = await import('../table/choices.ts');
    return {
      problem,
      question,
      options: columnChoices(table, 'name', [...new Set([...likely, ...filled])]),
      stop: `${noneOfThese}; if the file has no header line, add one`,
    };
  };
  const option = best === undefined ? '--map name=<column>' : mapOption('name', header, best);
  const [person] = peopleColumns(table);
  if (
    best !== undefined &&
    person !== undefined &&
    hasWord(surnames, foldHeader(header[best] ?? ''))
  )
    return new NameColumnError(
      `No column looks like an organization name, but "${cut(header[best] ?? '', 40)}" next to "${cut(person, 40)}" may have names of persons. Columns and first values: ${listColumns(table)}`,
      `If they are organizations, use ${option}.`,
      chooseColumn,
    );
  const message = `${problem}. Columns and first values: ${listColumns(table)}`;
  if (below === undefined || isNumbered(header))
    return new NameColumnError(
      message,
      `Choose the column, such as ${option}. If the file has no header line, add one.`,
      chooseColumn,
    );
  return new NameColumnError(
    message,
    `The header seems to be on line ${below.line}: use --skip-lines ${below.line - 1}.`,
    async () => (await import('../table/choices.ts')).chooseHeader(problem, table.sample, below),
  );
}

/* The header of a table of a program that numbers columns without a name from 0. */
function isNumbered(header: readonly string[]): boolean {
  const names = header.filter((column) => column.trim() !== '');
  return names.length > 0 && names.every((name) => /^\d+$/.test(name) && +name < header.length);
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
  const unused = header.filter((column, index) => !used.has(index) && column !== '');
  return { columns, unused, doubts: [] };
}

function recordedIndex(header: readonly string[], recorded: string): number {
  const index = header.indexOf(recorded);
  return index === header.lastIndexOf(recorded) ? index : -1;
}

/** Whether a table has the columns that a journal recorded, without that of the currency. */
export function hasColumns(header: readonly string[], columns: JournalColumns['columns']): boolean {
  return Object.entries(columns).every(
    ([field, column]) => field === 'currency' || header.includes(column),
  );
}

function missingColumns(
  table: TableHead,
  map: ReadonlyMap<Field, string>,
  journal: string,
  lost: readonly { readonly field: Field; readonly column: string }[],
): UsageError {
  const guessed = firstColumns(table, map);
  const columns = lost.map(({ field, column }) => `"${column}" (${field})`);
  const maps = lost.map(({ field }) => {
    const found = guessed.find((each) => each.field === field);
    return found ? mapOption(field, table.header, found.index) : `--map ${field}=<column>`;
  });
  return invalidInput(
    `The journal ${basename(journal)} uses columns that this file does not have, or has twice: ${columns.join(', ')}`,
    `To continue, use ${maps.join(' ')}, or ${lost.map(({ field }) => `--map ${field}=`).join(' ')} to leave out what they contained. To send every row again, use --restart.`,
  );
}

/*
 * Guesses by its header which column provides a field. The values only rule columns out: numbers
 * and codes are no names. A wrong guess registers the wrong organizations, which cannot be undone,
 * so several matching columns are left to the user.
 */
function guessColumns(
  field: Exclude<Field, 'name'>,
  table: TableHead,
  taken: ReadonlySet<number>,
): number[] {
  const own = foldHeader(field);
  for (const wordOf of headerWords)
    for (const words of [own, ...headersOf(field)]) {
      const matching = columnsOf(words, table, taken, wordOf).filter(
        ({ index, word }) => word === own || fits(field, word, table, index),
      );
      if (matching.length > 0) return matching.map(({ index }) => index);
    }
  return [];
}

/* A header as it is, and without its explanation: `Supplier (name, city)`. */
const headerWords = [
  foldHeader,
  (header: string) => foldHeader(header.replace(/[([（][^)\]）]*[)\]）]\s*$/, '')),
] as const;

function headersOf(field: Field): readonly string[] {
  return identifierFields.find(({ name }) => name === field)?.headers ?? [];
}

/* Returns the columns whose header is one of several words. */
function columnsOf(
  words: string,
  { header }: TableHead,
  taken: ReadonlySet<number>,
  wordOf: (header: string) => string = foldHeader,
) {
  return header
    .map((column, index) => ({ index, word: wordOf(column) }))
    .filter(({ index, word }) => !taken.has(index) && hasWord(words, word));
}

/*
 * Guesses which columns provide the name. `Name` may be that of a person, so it wins only if no
 * column with a header such as `Company` has values that look like names.
 */
function guessNames(table: TableHead, taken: ReadonlySet<number>): number[] {
  const [companies = '', names = ''] = headersOf('name');
  // Next to first names, words for a name stand above surnames.
  const isSurname =
    peopleColumns(table).length > 0
      ? (word: string, index: number) => hasWord(surnames, word) && !haveLegalForms(table, index)
      : () => false;
  const fitting = (words: string, wordOf = foldHeader) =>
    columnsOf(words, table, taken, wordOf)
      .filter(({ index, word }) => !isSurname(word, index) && fits('name', word, table, index))
      .map(({ index }) => index);
  const own = fitting('name');
  // In a table that carbon wrote, names of columns are those of fields.
  const isCertain = table.sample.length === 0 || table.isResult === true;
  const others = own.length > 0 && isCertain ? [] : fitting(companies);
  if (own.length + others.length > 0) return [...own, ...others];
  // Numbers are names if no other column can be one.
  const unlikely = columnsOf('name', table, taken)
    .filter(({ index, word }) => !isSurname(word, index) && !isNearlyEmpty(table, index))
    .map(({ index }) => index);
  if (unlikely.length > 0) return unlikely;
  const rest = [fitting(names), fitting(companies, headerWords[1])].find(
    ({ length }) => length > 0,
  );
  if (rest !== undefined) return rest;
  // Without any value, the header decides, and each row then lacks a name.
  return columnsOf(`name ${companies}`, table, taken)
    .filter(({ index }) => valuesOf(table, 'name', index).length === 0)
    .map(({ index }) => index);
}

function valuesOf({ sample }: TableHead, field: Field, index: number): string[] {
  return sample.flatMap(({ cells }) => cellValue(field, cells[index] ?? '') ?? []);
}

/* Checks whether most values of a column end with a legal form, as no name of a person does. */
function haveLegalForms(table: TableHead, index: number): boolean {
  const values = valuesOf(table, 'name', index);
  return countLegalForms(values) * 2 > values.length;
}

function countLegalForms(values: readonly string[]): number {
  return values.filter((value) => aliasOf(value).form !== '').length;
}

/* Checks whether fewer than one of ten rows have a value in a column. */
function isNearlyEmpty(table: TableHead, index: number): boolean {
  const rows = table.sample.filter(({ cells }) => !cells.every(isBlank)).length;
  return valuesOf(table, 'name', index).length * 10 < rows;
}

const addressLike = /^\S*(?:@|:\/\/|www\.)\S*$|^[\d\s.,:/+%()-]*$/i;
const maxNameLength = 120;

/* Checks whether a column without a known header may hold names of organizations. */
function holdsNames(table: TableHead, index: number): boolean {
  const values = valuesOf(table, 'name', index);
  const likely = values.filter(
    (value) =>
      value.length <= maxNameLength && !addressLike.test(value) && countryCode(value) === undefined,
  );
  return likely.length * 2 > values.length && !areCodes(values) && !isNearlyEmpty(table, index);
}

/* Orders columns that may hold the name, the most likely first. */
function rankNames(table: TableHead, candidates: readonly number[]): number[] {
  const forms = (index: number) => countLegalForms(valuesOf(table, 'name', index));
  // A payer repeats, suppliers do not.
  const different = (index: number) => new Set(table.sample.map(({ cells }) => cells[index])).size;
  const isNamed = (index: number) => Number(/name/i.test(table.header[index] ?? ''));
  const known = columnsOf(`name ${headersOf('name')[0]}`, table, new Set());
  const isKnown = (index: number) => Number(known.some((column) => column.index === index));
  return candidates.toSorted(
    (a, b) =>
      forms(b) - forms(a) ||
      isKnown(b) - isKnown(a) ||
      different(b) - different(a) ||
      isNamed(b) - isNamed(a) ||
      a - b,
  );
}

const personWords =
  'prénom prenom prénoms vorname firstname givenname lastname surname apellido apellidos cognome ' +
  'sobrenome imię nazwisko voornaam achternaam fornavn etternavn efternavn förnamn efternamn ' +
  'soyad soyadı jméno příjmení meno priezvisko keresztnév prenume ime prezime etunimi sukunimi имя фамилия';

/* Words for a name, which stand above first names or surnames in a list with both. */
const surnames = 'name nom name1 nome nombre nazwa ad naam navn namn nimi név název názov naziv';

/* Returns the headers of first names and surnames above at least one value. */
function peopleColumns({ header, sample }: TableHead): string[] {
  const isFilled = (index: number) =>
    sample.length === 0 || sample.some(({ cells }) => cells[index]?.trim());
  return header.filter(
    (column, index) => hasWord(personWords, foldHeader(column)) && isFilled(index),
  );
}

function fits(field: Field, word: string, table: TableHead, index: number): boolean {
  // The last row of an export often has "Total" in the first column.
  const values = valuesOf(table, field, index).filter((value) => !isTotalLabel(value));
  const isMost = (test: (value: string) => boolean) =>
    values.filter(test).length * 2 > values.length;
  if (field === 'name')
    return values.length === 0
      ? table.sample.length === 0
      : !areCodes(values) && !isNearlyEmpty(table, index);
  if (field === 'external_id')
    return (
      !isPartnerHeader(word) || (areCodes(values) && values.some((value) => !flag.test(value)))
    );
  if (field === 'hq_fuzzy') return values.length === 0 || !isMost((value) => digits.test(value));
  if (field === 'hq_subregion')
    return values.length === 0 || isMost((value) => subregionCode.test(value));
  // Sales regions such as LA, SA and ME are codes of countries, too.
  if (isPlaceHeader(word)) return isMost(isCountryName) && !values.some(isShortCode);
  return true;
}

const subregionCode = /^(?:[A-Za-z]{2}-)?[A-Za-z0-9]{1,3}$/;
const flag = /^[01]$/;
const digits = /^\d+$/;
const code = /^(?=.*\d)[A-Za-z\d._/-]+$/;

function isShortCode(value: string): boolean {
  return /^[A-Za-z]{1,3}$/.test(value) && !isCountryName(value);
}

/*
 * A single code, such as 3M, may be a name. So may several short ones, unless most of them have one
 * form, as V1, V2 and V10 have.
 */
function areCodes(values: readonly string[]): boolean {
  const hasNoLetter = (value: string) => !/\p{L}/u.test(value);
  if (values.every(hasNoLetter)) return true;
  const codes = values.filter((value) => hasNoLetter(value) || code.test(value));
  if (values.length < 3 || codes.length * 2 <= values.length) return false;
  const forms = new Map<string, number>();
  for (const value of codes) {
    if (hasNoLetter(value) || value.length > maxShortName) return true;
    const form = value.replace(/\d+/g, '9').replace(/[A-Za-z]+/g, 'a');
    forms.set(form, (forms.get(form) ?? 0) + 1);
  }
  return Math.max(...forms.values()) * 2 > codes.length;
}

const maxShortName = 4;

function doubtOf(field: Field, table: TableHead, candidates: readonly number[]): Doubt {
  const { header } = table;
  const [best = 0] = rankNames(table, candidates);
  const columns = candidates.map((index) => header[index] ?? '');
  return { field, columns, map: mapOption(field, header, best) };
}

const maxColumns = 12;

/** Lists columns with their first values for an error: all, or those with some indexes. */
export function listColumns(
  table: TableHead,
  indexes: readonly number[] = [...table.header.keys()],
  maxValues = 1,
): string {
  const columns = indexes.slice(0, maxColumns).map((index) => {
    const values = valuesOf(table, 'name', index)
      .slice(0, maxValues)
      .map((value) => cut(value, 30));
    const shown = values.length === 0 ? '' : ` (${values.join(', ')})`;
    return `${cut(table.header[index] ?? '', 40)}${shown}`;
  });
  return andMore(columns.join(', '), indexes.length - maxColumns);
}
