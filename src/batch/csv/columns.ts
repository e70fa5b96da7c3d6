/*
 * Which column gives which field. A wrong guess registers the wrong organizations, which cannot be
 * undone: a name that is not plain is an error with the `--map` to give, any other field that is
 * not plain is left out and reported.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/detach.ts';
import { cellValue } from './cell.ts';
import {
  type Field,
  foldHeader,
  lastNameWords,
  laterSynonyms,
  personWords,
  placeWords,
  synonyms,
} from './column-aliases.ts';
import { hasSubregionCodes, type PlaceShares, readPlaces } from './country-column.ts';
import { fields, findColumn, mapOption, recordedColumn } from './map-option.ts';
import { missingName } from './missing-name.ts';

/** The column that `carbon` adds to the file of failed rows, and ignores in an input. */
export const errorColumn = 'carbon_error';

/** One column that gives a field. */
export interface MappedColumn {
  readonly field: Field;
  /** The header as the file has it. */
  readonly column: string;
  /** Place in the row, from 0. */
  readonly index: number;
}

/** Columns that may give a field and are not used. */
export interface Doubt {
  readonly field: Field;
  /**
   * `ambiguous`: each of them may be the field; `unproven`: the values do not show that the column is.
   */
  readonly kind: 'ambiguous' | 'unproven';
  readonly columns: readonly string[];
  /** The first different values of an unproven column. */
  readonly examples: readonly string[];
  /** The option that uses the (first) column. */
  readonly map: string;
}

/** What a file's columns mean. */
export interface Mapping {
  /** In the order of the file. */
  readonly columns: readonly MappedColumn[];
  /** Headers that give nothing. */
  readonly unused: readonly string[];
  readonly doubts: readonly Doubt[];
  /**
   * Whether the country's column may hold sales regions and states too: its two and three letters
   * are no codes.
   */
  readonly hasPlaces?: boolean | undefined;
}

/** Headers by field, as a journal has them. */
export type RecordedMapping = Readonly<Partial<Record<Field, string>>>;

/** What the columns are told by, besides the header. */
export interface Evidence {
  readonly header: readonly string[];
  /** Cells of the first rows. */
  readonly sample: readonly (readonly string[])[];
}

/**
 * Maps the header's columns to fields: by `--map`, else as the journal has them, else by the
 * field's own name, else by a usual synonym, and where the header says too little by the values of
 * the first rows.
 * @throws UsageError when no column gives the name, or several may
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
  // A journal of this table knows every field that it has, but its column may have another header
  // now; of another table it may know some fields.
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

/* Of several the choice is the user's: the error of a missing name lists them with their values. */
function lastName(header: readonly string[], taken: ReadonlySet<number>): Guess {
  const folded = header.map(foldHeader);
  const found = folded.flatMap((word, at) =>
    lastNameWords.includes(word) && !taken.has(at) ? [at] : [],
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

/* The first different values, for a message. */
function firstValues(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, 3).map((value) => flattenString(value.slice(0, 40)));
}

/*
 * The column of the field's own name decides over synonyms, `Country` over everything else, and old
 * synonyms over new ones.
 */
function wordsOf(field: Field): readonly (readonly string[])[] {
  const country = field === 'hq_region' ? [['country']] : [];
  return [[foldHeader(field)], ...country, synonyms[field], laterSynonyms[field] ?? []];
}

/* Code and name of one country, the code first: it is unmistakable. */
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
    `Several columns may be name: ${names}`,
    `Choose one: ${map}`,
    'invalid_input',
  );
}

/**
 * Guesses the country from columns such as `Region`, `Location` and `HQ`: only from one with more
 * country names than other values. Two letters never suffice: LA, SA and ME are sales regions too.
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

/* Headquarters may be cities, which are free text, but not states of two letters. */
function isHeadquarters({ word, twoLetters }: { word: string } & PlaceShares): boolean {
  return (word === 'headquarters' || word === 'hq') && twoLetters <= 0.5;
}

const nameWords = new Set(wordsOf('name').flat());

/** Whether a header is known to be that of the name. */
export function isNameHeader(column: string): boolean {
  return nameWords.has(foldHeader(column));
}
