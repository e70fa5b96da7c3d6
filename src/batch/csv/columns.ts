/*
 * Maps columns to fields. A wrong guess registers the wrong organizations, which cannot be undone.
 * An ambiguous name column is therefore an error with a `--map` hint; any other ambiguous field is
 * left out and reported.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/detach.ts';
import { cellValue } from './cell.ts';
import {
  type Field,
  fallbackNameWords,
  foldHeader,
  laterSynonyms,
  personWords,
  placeWords,
  synonyms,
} from './column-aliases.ts';
import { hasSubregionCodes, type PlaceShares, readPlaces } from './country-column.ts';
import { fields, findColumn, mapOption, recordedColumn } from './map-option.ts';
import { missingName } from './missing-name.ts';

/** The column that `carbon` adds to a failed-rows file and ignores in an input file. */
export const errorColumn = 'carbon_error';

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
   * `ambiguous`: several columns match the field; `unproven`: the values do not confirm the match.
   */
  readonly kind: 'ambiguous' | 'unproven';
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

/** Headers by field, as a journal records them. */
export type RecordedMapping = Readonly<Partial<Record<Field, string>>>;

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
  const kept = fields.flatMap((field) => {
    const index = recordedColumn(header, recorded[field]);
    return map.has(field) || index < 0 || taken.has(index) ? [] : [{ field, index }];
  });
  for (const { index } of kept) taken.add(index);
  // A journal that knows this table's name column has recorded all fields: only a renamed column is
  // guessed again. The journal of another table may have recorded just some of the fields.
  const isKnown = recordedColumn(header, recorded.name) >= 0;
  const isGone = (field: Field) =>
    recorded[field] !== undefined && recordedColumn(header, recorded[field]) < 0;
  const open = fields.filter(
    (name) =>
      !map.has(name) && kept.every(({ field }) => field !== name) && (!isKnown || isGone(name)),
  );
  const guessed = open.map((field) => guess(field, { header, sample }, taken));
  const columns = [...chosen, ...kept, ...guessed.flatMap(({ found }) => found)]
    .map(({ field, index }) => ({ field, index, column: header[index] ?? '' }))
    .sort((a, b) => a.index - b.index);
  if (!columns.some(({ field }) => field === 'name')) throw missingName({ header, sample });
  const used = new Set(columns.map(({ index }) => index));
  const unused = header.filter(
    (column, index) => !used.has(index) && column !== errorColumn && column !== '',
  );
  return { columns, unused, doubts: guessed.flatMap(({ doubts }) => doubts) };
}

interface Guess {
  readonly found: readonly Pick<MappedColumn, 'field' | 'index'>[];
  readonly doubts: readonly Doubt[];
}

const nothing: Guess = { found: [], doubts: [] };

function guess(field: Field, evidence: Evidence, taken: ReadonlySet<number>): Guess {
  const { header } = evidence;
  for (const words of wordsOf(field)) {
    const matching = header.flatMap((column, index) =>
      !taken.has(index) && words.includes(foldHeader(column)) ? [index] : [],
    );
    const found = oneCountry(header, matching);
    const [index] = found;
    if (index === undefined) continue;
    if (field === 'hq_subregion' && found.length === 1 && words[0] !== foldHeader(field)) {
      const doubts = subregionDoubt(evidence, index);
      if (doubts.length > 0) return { found: [], doubts };
    }
    return found.length > 1
      ? ambiguous(field, header, found)
      : { found: [{ field, index }], doubts: [] };
  }
  if (field === 'name') return lastName(header, taken);
  return field === 'hq_region' ? guessPlace(evidence, taken) : nothing;
}

/* Several matches are left to the user: the missing-name error lists them with their values. */
function lastName(header: readonly string[], taken: ReadonlySet<number>): Guess {
  const folded = header.map(foldHeader);
  const found = folded.flatMap((word, at) =>
    fallbackNameWords.includes(word) && !taken.has(at) ? [at] : [],
  );
  const [index] = found;
  if (index === undefined || found.length > 1 || folded.some((word) => personWords.has(word)))
    return nothing;
  return { found: [{ field: 'name', index }], doubts: [] };
}

/*
 * A column such as `Sub-Region` with "Northern Europe" would make every row invalid. As free text
 * it may be of use.
 */
function subregionDoubt({ header, sample }: Evidence, index: number): Doubt[] {
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

/*
 * Lists the aliases of a field by precedence: the field's own name, `Country`, the original
 * aliases, then the later ones.
 */
function wordsOf(field: Field): readonly (readonly string[])[] {
  const country = field === 'hq_region' ? [['country']] : [];
  return [[foldHeader(field)], ...country, synonyms[field], laterSynonyms[field] ?? []];
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

function oneCountry(header: readonly string[], found: readonly number[]): readonly number[] {
  const places = found.map((index) => codeOrName.indexOf(foldHeader(header[index] ?? '')));
  if (found.length < 2 || places.includes(-1) || new Set(places).size < places.length) return found;
  return found.filter((_, at) => places[at] === Math.min(...places));
}

function ambiguous(field: Field, header: readonly string[], found: readonly number[]): Guess {
  const columns = found.map((index) => header[index] ?? '');
  const preferred = found.find((index) => /name/i.test(header[index] ?? '')) ?? found[0] ?? 0;
  const map = mapOption(field, header, preferred);
  if (field !== 'name')
    return { found: [], doubts: [{ field, kind: 'ambiguous', columns, examples: [], map }] };
  const names = columns.map((column) => `"${column}"`).join(', ');
  throw new UsageError(
    `Several columns may hold the organization name: ${names}`,
    `Choose one of them: ${map}`,
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
    const meant = placeWords.get(word);
    if (meant === undefined || taken.has(index)) return [];
    const cells = sample.map((row) => row[index] ?? '');
    return [{ index, word, meant, cells, ...readPlaces(cells) }];
  });
  const best = Math.max(0.5, ...places.map(({ countryNames }) => countryNames));
  const proven = places.filter(({ countryNames }) => countryNames > 0.5 && countryNames === best);
  if (proven.length > 1)
    return ambiguous(
      field,
      header,
      proven.map(({ index }) => index),
    );
  const [found] = proven.length > 0 ? proven : places.filter(isHeadquarters);
  if (found !== undefined) return { found: [{ field, index: found.index }], doubts: [] };
  const doubts = places.map(({ index, meant, cells, twoLetters }): Doubt => {
    const map = mapOption(twoLetters > 0.5 ? field : meant, header, index);
    const examples = firstValues(cells.flatMap((cell) => cellValue(field, cell) ?? []));
    return { field, kind: 'unproven', columns: [header[index] ?? ''], examples, map };
  });
  return { found: [], doubts };
}

/* A headquarters column may hold cities, which are sent as free text, but not two-letter states. */
function isHeadquarters({ word, twoLetters }: { word: string } & PlaceShares): boolean {
  return (word === 'headquarters' || word === 'hq') && twoLetters <= 0.5;
}

const nameWords = new Set(wordsOf('name').flat());

/** Checks whether a header is an alias of the name. */
export function isNameHeader(column: string): boolean {
  return nameWords.has(foldHeader(column));
}
