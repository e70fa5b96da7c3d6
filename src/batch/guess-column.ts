/*
 * Guesses which column provides a field that neither `--map` nor a journal maps.
 */

import {
  type Field,
  fallbackNameWords,
  foldHeader,
  nameWords,
  personWords,
  placeWords,
  wordsOf,
} from '../registration/header-words.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { cellValue } from '../table/cell.ts';
import { mapOption } from '../table/map-option.ts';
import type { Doubt, Evidence } from './columns.ts';
import { hasSubregionCodes, type PlaceShares, readPlaces } from './country-column.ts';
import { holdsPartnerNames, holdsPartnerNumbers } from './partner-number.ts';

/** The column that provides a field, or the columns that may provide it. */
export interface Guess {
  readonly index?: number;
  readonly doubts: readonly Doubt[];
}

const noGuess: Guess = { doubts: [] };

/**
 * Guesses the column of a field by the header, and if that does not decide, by the first rows.
 *
 * @param taken indexes of columns that provide another field
 * @throws UsageError if several columns match the name
 */
export function guessColumn(field: Field, evidence: Evidence, taken: ReadonlySet<number>): Guess {
  const { header } = evidence;
  for (const words of wordsOf(field)) {
    const matching = header.flatMap((column, index) =>
      !taken.has(index) && words.includes(foldHeader(column)) && fitsValues(field, evidence, index)
        ? [index]
        : [],
    );
    const candidates = preferCountryCode(header, matching);
    const [index] = candidates;
    if (index === undefined) continue;
    if (candidates.length > 1) return ambiguous(field, header, candidates);
    if (field === 'name' && foldHeader(header[index] ?? '') === field)
      return checkName(evidence, index, taken);
    const isSubregionAlias = field === 'hq_subregion' && words[0] !== foldHeader(field);
    const doubts = isSubregionAlias ? subregionDoubts(evidence, index) : [];
    return doubts.length > 0 ? { doubts } : { index, doubts };
  }
  if (field === 'name') return guessName(evidence, taken);
  if (field === 'external_id') return guessNumber(evidence, taken);
  return field === 'hq_region' ? guessPlace(evidence, taken) : noGuess;
}

/** Several columns may hold the name of the organization. */
export class AmbiguousNameError extends UsageError {}

/*
 * Checks whether a column such as `Firma` may hold the name, too: its values are words, not codes.
 * Beside a column of first names, the column `Name` holds surnames.
 */
function checkName(evidence: Evidence, name: number, taken: ReadonlySet<number>): Guess {
  const { header, sample } = evidence;
  const folded = header.map(foldHeader);
  const others = indexesOf(
    folded,
    (word, index) =>
      index !== name &&
      !taken.has(index) &&
      nameWords.has(word) &&
      !holdsPartnerNumbers(evidence, index) &&
      sample.some((row) => /\p{L}{3}/u.test(row[index] ?? '')),
  );
  const [other] = others;
  if (other === undefined) return { index: name, doubts: [] };
  const hasPeople = folded.some(
    (word, index) => personWords.has(word) && sample.some((row) => row[index]?.trim()),
  );
  if (hasPeople) return ambiguous('name', header, [...others, name], other);
  const doubt: Doubt = {
    field: 'name',
    kind: 'alternative',
    columns: others.map((index) => header[index] ?? ''),
    examples: firstValues(sample.flatMap((row) => cellValue('name', row[other] ?? '') ?? [])),
    map: mapOption('name', header, other),
  };
  return { index: name, doubts: [doubt] };
}

/* A column of supplier numbers is no column of names, and the reverse. */
function fitsValues(field: Field, evidence: Evidence, index: number): boolean {
  if (field === 'name') return !holdsPartnerNumbers(evidence, index);
  return field !== 'external_id' || !holdsPartnerNames(evidence, index);
}

/* Several matches are left to the user: the missing-name error lists them with their values. */
function guessName(evidence: Evidence, taken: ReadonlySet<number>): Guess {
  const folded = evidence.header.map(foldHeader);
  if (folded.some((word) => personWords.has(word))) return noGuess;
  const fallback = indexesOf(
    folded,
    (word, index) => fallbackNameWords.includes(word) && !taken.has(index),
  );
  if (fallback.length > 0) return guessOnly(fallback);
  return guessOnly(
    indexesOf(folded, (_, index) => !taken.has(index) && holdsPartnerNames(evidence, index)),
  );
}

/* The number of a supplier below a header such as `Lieferant`. */
function guessNumber(evidence: Evidence, taken: ReadonlySet<number>): Guess {
  const folded = evidence.header.map(foldHeader);
  return guessOnly(
    indexesOf(folded, (_, index) => !taken.has(index) && holdsPartnerNumbers(evidence, index)),
  );
}

function indexesOf(
  words: readonly string[],
  test: (word: string, index: number) => boolean,
): readonly number[] {
  return words.flatMap((word, index) => (test(word, index) ? [index] : []));
}

function guessOnly([index, second]: readonly number[]): Guess {
  return index === undefined || second !== undefined ? noGuess : { index, doubts: [] };
}

/*
 * Doubts a column such as `Sub-Region` with values like "Northern Europe", which would make every
 * row invalid, and proposes to send it as free text.
 */
function subregionDoubts({ header, sample }: Evidence, index: number): Doubt[] {
  const field = 'hq_subregion';
  const values = sample.flatMap((row) => cellValue(field, row[index] ?? '') ?? []);
  if (values.length === 0 || hasSubregionCodes(values)) return [];
  const map = mapOption('hq_fuzzy', header, index);
  return [
    { field, kind: 'unproven', columns: [header[index] ?? ''], examples: firstValues(values), map },
  ];
}

/* Returns the first distinct values, for a message. */
function firstValues(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, 3).map((value) => flattenString(value.slice(0, 40)));
}

/* Headers for the code and the name of the same country. Codes come first: they are unambiguous. */
const codeOrName = [
  'countrycode',
  'isocountrycode',
  'isocountry',
  'countryiso',
  'countryiso2',
  'countryname',
];

function preferCountryCode(
  header: readonly string[],
  matching: readonly number[],
): readonly number[] {
  const ranks = matching.map((index) => codeOrName.indexOf(foldHeader(header[index] ?? '')));
  const areDistinct = new Set(ranks).size === ranks.length;
  if (matching.length < 2 || ranks.includes(-1) || !areDistinct) return matching;
  const best = ranks.indexOf(Math.min(...ranks));
  return matching.slice(best, best + 1);
}

function ambiguous(
  field: Field,
  header: readonly string[],
  candidates: readonly number[],
  preferred = candidates.find((index) => /name/i.test(header[index] ?? '')) ?? candidates[0] ?? 0,
): Guess {
  const columns = candidates.map((index) => header[index] ?? '');
  const map = mapOption(field, header, preferred);
  if (field !== 'name')
    return { doubts: [{ field, kind: 'ambiguous', columns, examples: [], map }] };
  const names = columns.map((column) => `"${column}"`).join(', ');
  throw new AmbiguousNameError(
    `Several columns may hold the organization name: ${names}`,
    `Choose one of them, such as ${map}`,
    'invalid_input',
  );
}

/**
 * Guesses the country column among headers such as `Region`, `Location` and `HQ`.
 *
 * More than half of its values must be country names. Two-letter codes never suffice: LA, SA and ME
 * are sales regions too.
 */
function guessPlace({ header, sample }: Evidence, taken: ReadonlySet<number>): Guess {
  const field = 'hq_region';
  const places = header.flatMap((column, index) => {
    const word = foldHeader(column);
    const textField = placeWords.get(word);
    if (textField === undefined || taken.has(index)) return [];
    const cells = sample.map((row) => row[index] ?? '');
    return [{ index, word, textField, cells, ...readPlaces(cells) }];
  });
  const best = Math.max(0.5, ...places.map(({ countryNames }) => countryNames));
  const proven = places.filter(({ countryNames }) => countryNames > 0.5 && countryNames === best);
  if (proven.length > 1)
    return ambiguous(
      field,
      header,
      proven.map(({ index }) => index),
    );
  const [country] = proven.length > 0 ? proven : places.filter(isHeadquarters);
  if (country !== undefined) return { index: country.index, doubts: [] };
  const doubts = places.map(({ index, textField, cells, twoLetters }): Doubt => {
    const map = mapOption(twoLetters > 0.5 ? field : textField, header, index);
    const examples = firstValues(cells.flatMap((cell) => cellValue(field, cell) ?? []));
    return { field, kind: 'unproven', columns: [header[index] ?? ''], examples, map };
  });
  return { doubts };
}

/* A headquarters column may hold cities, which are sent as free text, but not two-letter states. */
function isHeadquarters({ word, twoLetters }: { word: string } & PlaceShares): boolean {
  return (word === 'headquarters' || word === 'hq') && twoLetters <= 0.5;
}
