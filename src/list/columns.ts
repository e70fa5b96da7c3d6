/*
 * Chooses the column of each field: `--map` decides, then the columns that the journal of the file
 * recorded, then the headers. The mapped cells identify a row, so other columns would send every
 * row again: once a row is settled, the recorded columns stay, and no other is guessed.
 */

import { basename } from 'node:path';
import { isCountryName } from '../registration/countries.ts';
import {
  type Field,
  fields,
  foldHeader,
  identifierFields,
  isTotalLabel,
  partnerHeaders,
  placeHeaders,
} from '../registration/fields.ts';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import { cellValue } from '../table/cell.ts';
import type { CsvDialect } from '../table/dialect.ts';
import { findColumn, mapOption } from '../table/map-option.ts';
import { cut } from '../terminal/format.ts';

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

/** Headers by field, as a journal records them. */
export type RecordedColumns = Readonly<Partial<Record<Field, string>>>;

/** The columns that a journal recorded last. */
export interface JournalColumns {
  readonly path: string;
  readonly columns: RecordedColumns;
}

export interface ChosenColumns extends Mapping {
  /** Columns that a first run would use, and that the journal did not have. */
  readonly added: readonly (MappedColumn & { readonly map: string })[];
}

/** Returns the part of a header that a journal records. */
export function recordedHeader(header: string): string {
  return header.slice(0, 200);
}

/**
 * Chooses the columns of a run.
 *
 * @param map the columns of `--map`
 * @param journals the recorded columns of the file's journals, those of this run first
 * @throws UsageError if the columns are ambiguous, or if a recorded one is missing or occurs twice
 */
export function chooseColumns(
  { header, sample, below }: Pick<CsvDialect, 'header' | 'sample' | 'below'>,
  map: ReadonlyMap<Field, string> = new Map(),
  journals: readonly JournalColumns[] = [],
): ChosenColumns {
  const cells = sample.map((row) => row.cells);
  const first = () => mapColumns(header, map, cells);
  const journal = journals.find(({ columns }) => columns.name !== undefined);
  if (journal === undefined) return { ...withHeaderHint(first, below), added: [] };
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
  const added = (guessed?.columns ?? [])
    .filter(({ field }) => !map.has(field) && indexOf(mapping, field) === undefined)
    .map((column) => ({ ...column, map: mapOption(column.field, header, column.index) }))
    .sort((a, b) => fields.indexOf(a.field) - fields.indexOf(b.field));
  return { ...mapping, added };
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
  const unused = header.filter((column, index) => !used.has(index) && column !== '');
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
  return invalidInput(
    `The journal ${basename(journal)} uses the column ${columns.join(', and the column ')}`,
    `To continue, use ${maps.join(' ')}, or ${lost.map(({ field }) => `--map ${field}=`).join(' ')} to leave ${lost.length === 1 ? 'the field' : 'these fields'} out. To send every row again, use --restart.`,
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
    throw invalidInput(error.message, hint);
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

/*
 * Guesses by its header which column provides a field. The values only rule columns out: numbers
 * and codes are no names. A wrong guess registers the wrong organizations, which cannot be undone,
 * so several matching columns are left to the user.
 */

/** The header and the first rows, from which columns are recognized. */
export interface Evidence {
  readonly header: readonly string[];
  /** Cells of the first rows below the header. */
  readonly sample: readonly (readonly string[])[];
}

/** Several columns that may provide a field, so that none is used. */
export interface Doubt {
  readonly field: Field;
  readonly columns: readonly string[];
  /** The `--map` option that selects the first of them. */
  readonly map: string;
}

/** The column that provides a field, or the columns that may provide it. */
export interface Guess {
  readonly index?: number | undefined;
  readonly doubt?: Doubt | undefined;
}

export class AmbiguousNameError extends UsageError {}

/**
 * Guesses the column of a field.
 *
 * @param taken indexes of columns that provide another field
 * @throws AmbiguousNameError if several columns match the name
 */
export function guessColumn(field: Field, evidence: Evidence, taken: ReadonlySet<number>): Guess {
  const { header } = evidence;
  const own = foldHeader(field);
  const { headers = [] } = identifierFields.find(({ name }) => name === field) ?? {};
  // Next to first names, the column `Name` holds surnames, and is only the last choice.
  const isLast = field === 'name' && hasPeople(evidence);
  for (const words of isLast ? [...headers, [own]] : [[own], ...headers]) {
    const matching = header.flatMap((column, index) => {
      const word = foldHeader(column);
      const matches = !taken.has(index) && words.includes(word) && !(isLast && surnames.has(word));
      return matches && (word === own || fits(field, word, evidence, index)) ? [index] : [];
    });
    const [index] = matching;
    if (matching.length > 1) return { doubt: ambiguous(field, evidence, matching) };
    if (index !== undefined) return { index };
  }
  return {};
}

const personWords: ReadonlySet<string> = new Set(
  (
    'prénom prenom prénoms vorname firstname givenname lastname surname apellido apellidos cognome ' +
    'sobrenome imię nazwisko voornaam achternaam fornavn etternavn efternavn förnamn efternamn ' +
    'soyad soyadı jméno příjmení meno priezvisko keresztnév prenume ime prezime etunimi sukunimi имя фамилия'
  ).split(' '),
);

/* Words for a name, which stand above first names or surnames in a list with both. */
const surnames: ReadonlySet<string> = new Set(
  'nom name1 nome nombre nazwa ad naam navn namn nimi név název názov naziv'.split(' '),
);

function hasPeople({ header, sample }: Evidence): boolean {
  const isFilled = (index: number) =>
    sample.length === 0 || sample.some((row) => row[index]?.trim());
  return header.some((column, index) => personWords.has(foldHeader(column)) && isFilled(index));
}

/* Checks whether the values of a column may be those of the field. */
function fits(field: Field, word: string, { sample }: Evidence, index: number): boolean {
  const values = sample
    .flatMap((row) => cellValue(field, row[index] ?? '') ?? [])
    // The last row of an export often has "Total" in the first column.
    .filter((value) => !isTotalLabel(value));
  const isMost = (test: (value: string) => boolean) =>
    values.filter(test).length * 2 > values.length;
  if (field === 'name') return values.length === 0 ? sample.length === 0 : !areCodes(values);
  if (field === 'external_id')
    return (
      !partnerHeaders.has(word) || (areCodes(values) && values.some((value) => !flag.test(value)))
    );
  if (field === 'hq_subregion')
    return values.length === 0 || isMost((value) => subregionCode.test(value));
  // Sales regions such as LA, SA and ME are codes of countries, too.
  if (placeHeaders.has(word)) return isMost(isCountryName) && !values.some(isShortCode);
  return true;
}

const subregionCode = /^(?:[A-Za-z]{2}-)?[A-Za-z0-9]{1,3}$/;
const flag = /^[01]$/;
const code = /^(?=.*\d)[A-Za-z\d._/-]+$/;

function isShortCode(value: string): boolean {
  return /^[A-Za-z]{1,3}$/.test(value) && !isCountryName(value);
}

/* A single code, such as 3M, may be a name. */
function areCodes(values: readonly string[]): boolean {
  if (values.every((value) => !/\p{L}/u.test(value))) return true;
  const codes = values.filter((value) => !/\p{L}/u.test(value) || code.test(value));
  return values.length >= 3 && codes.length * 2 > values.length;
}

/* Proposes the column with the most different values: a payer repeats, suppliers do not. */
function ambiguous(
  field: Field,
  { header, sample }: Evidence,
  candidates: readonly number[],
): Doubt {
  const columns = candidates.map((index) => header[index] ?? '');
  const different = (index: number) => new Set(sample.map((row) => row[index])).size;
  const isNamed = (index: number) => Number(/name/i.test(header[index] ?? ''));
  const [best = 0] = candidates.toSorted(
    (a, b) => different(b) - different(a) || isNamed(b) - isNamed(a),
  );
  const map = mapOption(field, header, best);
  if (field !== 'name') return { field, columns, map };
  throw new AmbiguousNameError(
    `Several columns may hold the organization name: ${columns.map((column) => `"${column}"`).join(', ')}`,
    `Choose one of them, such as ${map}`,
    'invalid_input',
  );
}

const maxColumns = 12;

/** Lists columns with their first values for an error: all, or those with some indexes. */
export function listColumns(
  { header, sample }: Evidence,
  indexes: readonly number[] = [...header.keys()],
): string {
  const columns = indexes.slice(0, maxColumns).map((index) => {
    const value = sample.map((row) => cellValue('name', row[index] ?? '')).find(Boolean);
    return `${cut(header[index] ?? '', 40)}${value === undefined ? '' : ` (${cut(value, 30)})`}`;
  });
  const more = indexes.length - maxColumns;
  return columns.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

export function missingName(evidence: Evidence): UsageError {
  return invalidInput(
    `No column looks like an organization name. Columns and first values: ${listColumns(evidence)}`,
    'Choose the column with --map name=<column>. If the file has no header line, add one.',
  );
}
