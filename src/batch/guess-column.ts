/*
 * Guesses by its header which column provides a field. The values only rule columns out: numbers
 * and codes are no names. A wrong guess registers the wrong organizations, which cannot be undone,
 * so several matching columns are left to the user.
 */
import { isCountryName } from '../registration/countries.ts';
import {
  type Field,
  foldHeader,
  identifierFields,
  partnerHeaders,
  placeHeaders,
} from '../registration/fields.ts';
import { isTotalLabel } from '../registration/total-label.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { cellValue } from '../table/cell.ts';
import { mapOption } from '../table/map-option.ts';

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

/** Several columns may hold the name of the organization. */
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
      const matches = !taken.has(index) && words.includes(word) && !(isLast && isSurname(word));
      return matches && (word === own || fits(field, word, evidence, index)) ? [index] : [];
    });
    const [index] = matching;
    if (matching.length > 1) return { doubt: ambiguous(field, header, matching) };
    if (index !== undefined) return { index };
  }
  return {};
}

const personWords: ReadonlySet<string> = new Set(
  'prénom prenom prénoms vorname firstname givenname lastname surname'.split(' '),
);

function isSurname(word: string): boolean {
  return word === 'nom' || word === 'name1';
}

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
    return !partnerHeaders.has(word) || (values.length > 0 && areCodes(values));
  if (field === 'hq_subregion')
    return values.length === 0 || isMost((value) => subregionCode.test(value));
  // Sales regions such as LA, SA and ME are codes of countries, too.
  if (placeHeaders.has(word)) return isMost(isCountryName) && !values.some(isShortCode);
  return true;
}

const subregionCode = /^(?:[A-Za-z]{2}-)?[A-Za-z0-9]{1,3}$/;
const code = /^(?=.*\d)[A-Za-z\d._/-]+$/;

function isShortCode(value: string): boolean {
  return /^[A-Za-z]{1,3}$/.test(value) && !isCountryName(value);
}

/* A single code, such as 3M, may be a name. */
function areCodes(values: readonly string[]): boolean {
  if (values.every((value) => !/\p{L}/u.test(value))) return true;
  return values.length >= 3 && values.every((value) => code.test(value));
}

function ambiguous(field: Field, header: readonly string[], candidates: readonly number[]): Doubt {
  const columns = candidates.map((index) => header[index] ?? '');
  const named = candidates.find((index) => /name/i.test(header[index] ?? ''));
  const map = mapOption(field, header, named ?? candidates[0] ?? 0);
  if (field !== 'name') return { field, columns, map };
  throw new AmbiguousNameError(
    `Several columns may hold the organization name: ${columns.map((column) => `"${column}"`).join(', ')}`,
    `Choose one of them, such as ${map}`,
    'invalid_input',
  );
}

const maxColumns = 12;
const maxHeader = 40;
const maxValue = 30;

/** Makes the error for a file without a column of organization names. */
export function missingName({ header, sample }: Evidence): UsageError {
  const columns = header.slice(0, maxColumns).map((column, index) => {
    const value = sample.map((row) => cellValue('name', row[index] ?? '')).find(Boolean);
    return `${cut(column, maxHeader)}${value === undefined ? '' : ` (${cut(value, maxValue)})`}`;
  });
  const more = header.length > maxColumns ? `, and ${header.length - maxColumns} more` : '';
  return new UsageError(
    `No column looks like an organization name. Columns and first values: ${columns.join(', ')}${more}`,
    'Choose the column with --map name=<column>. If the file has no header line, add --no-header.',
    'invalid_input',
  );
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
