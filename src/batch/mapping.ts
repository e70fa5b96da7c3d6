/*
 * Which column gives which field. A wrong guess registers the wrong organizations, which cannot be undone: what
 * is not plain is an error that names the `--map` to give.
 */
import { UsageError } from '../errors.ts';
import { identifierFields } from '../identifier.ts';
import { type Field, foldHeader, synonyms } from './synonyms.ts';
import { foldCell } from './value.ts';

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

/** What a file's columns mean. */
export interface Mapping {
  /** In the order of the file. */
  readonly columns: readonly MappedColumn[];
  /** Headers that give nothing. */
  readonly unused: readonly string[];
}

const fields = identifierFields.map(({ name }) => name);
const meanings = new Map<string, Field>(
  fields.flatMap((field) => [field, ...synonyms[field]].map((word) => [foldHeader(word), field] as const)),
);

/**
 * Reads `--map` options such as `name=Security,hq_region=Land`: the field, then the column's header or its number
 * as `#3`; nothing behind `=` takes the field from no column. A header with a comma stands in double quotes.
 * @throws UsageError for what is not of this form and for fields that do not exist
 */
export function readMap(texts: readonly string[]): ReadonlyMap<Field, string> {
  const pairs = texts.flatMap((text) => text.match(/(?:"[^"]*"|[^,"])+/g) ?? []);
  return new Map(
    pairs.map((pair) => {
      const [, name = '', column] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      const field = fields.find((known) => known === foldField(name));
      if (column === undefined) throw new UsageError(`--map: "${pair}" is not field=column`, example);
      if (field === undefined) {
        const swapped = fields.find((known) => known === foldField(column));
        throw new UsageError(
          `--map: "${name}" is not a field`,
          swapped === undefined
            ? `The fields are ${fields.join(', ')}.`
            : `Did you mean --map ${shellWord(`${swapped}=${name}`)}? The field stands before the =.`,
        );
      }
      return [field, column.replace(/^"(.*)"$/, '$1')] as const;
    }),
  );
}

const example = 'It is written --map name=Security,hq_region=Land.';

function foldField(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_');
}

/**
 * Maps the header's columns to fields: by `--map`, else by the field's own name, else by a usual synonym.
 * @throws UsageError when no column gives the name, or several give one field
 */
export function mapColumns(header: readonly string[], map: ReadonlyMap<Field, string> = new Map()): Mapping {
  const chosen = [...map]
    .filter(([, column]) => column !== '')
    .map(([field, column]) => ({ field, index: findColumn(header, column, field) }));
  const taken = new Set(chosen.map(({ index }) => index));
  const guessed = header.flatMap((column, index) => {
    const field = meanings.get(foldHeader(column));
    return field === undefined || map.has(field) || taken.has(index) ? [] : [{ field, index }];
  });
  const columns = [...chosen, ...fields.flatMap((field) => decide(field, guessed, header))]
    .map(({ field, index }) => ({ field, index, column: header[index] ?? '' }))
    .sort((a, b) => a.index - b.index);
  if (!columns.some(({ field }) => field === 'name')) throw missingName(header);
  const used = new Set(columns.map(({ index }) => index));
  const unused = header.filter(
    (column, index) => !used.has(index) && column !== errorColumn && column !== '',
  );
  return { columns, unused };
}

type Guess = Pick<MappedColumn, 'field' | 'index'>;

/* The column of the field's own name decides over synonyms. */
function decide(field: Field, guessed: readonly Guess[], header: readonly string[]): readonly Guess[] {
  const all = guessed.filter((guess) => guess.field === field);
  const own = all.filter(({ index }) => foldHeader(header[index] ?? '') === foldHeader(field));
  const best = own.length > 0 ? own : all;
  if (best.length < 2) return best;
  const names = best.map(({ index }) => `"${header[index]}"`);
  const preferred = best.find(({ index }) => /name/i.test(header[index] ?? '')) ?? best[0];
  const column = header[preferred?.index ?? 0] ?? '';
  const isUnique = header.filter((other) => other === column).length === 1;
  throw invalid(
    `Several columns may be ${field}: ${names.join(', ')}`,
    `Choose one: --map ${shellWord(`${field}=${isUnique ? mapWord(column) : `#${(preferred?.index ?? 0) + 1}`}`)}`,
  );
}

function findColumn(header: readonly string[], column: string, field: Field): number {
  const number = /^#(\d+)$/.exec(column)?.[1];
  if (number !== undefined && !header.includes(column)) {
    if (header[Number(number) - 1] !== undefined) return Number(number) - 1;
    throw invalid(
      `--map: there is no column ${column} for ${field}`,
      `The file has ${header.length} columns.`,
    );
  }
  const tests = [
    (other: string) => other === column,
    (other: string) => foldCell(other) === foldCell(column),
    (other: string) => foldHeader(other) === foldHeader(column),
  ];
  for (const test of tests) {
    const found = header.flatMap((other, index) => (test(other) ? [index] : []));
    if (found.length > 1) {
      const numbers = found.map((index) => `#${index + 1}`).join(' and ');
      throw invalid(
        `--map: the columns ${numbers} are both called "${column}"`,
        `Write --map ${field}=#${(found[0] ?? 0) + 1}.`,
      );
    }
    if (found[0] !== undefined) return found[0];
  }
  throw invalid(`--map: there is no column "${column}" for ${field}`, `The columns are ${list(header)}.`);
}

function missingName(header: readonly string[]): UsageError {
  const likely =
    header.find((column) => /name|compan|suppl|vendor|organi[sz]|firm|名/i.test(column)) ??
    header.find((column) => column !== '');
  return invalid(
    `No column is known to be the name of the organization: ${list(header)}`,
    `Say which one is: --map ${shellWord(`name=${mapWord(likely ?? '#1')}`)}`,
  );
}

function list(header: readonly string[]): string {
  const shown = header.slice(0, 12).map((column) => `"${column.slice(0, 40)}"`);
  return shown.join(', ') + (header.length > 12 ? `, and ${header.length - 12} more` : '');
}

function mapWord(column: string): string {
  return column.includes(',') ? `"${column}"` : column;
}

function shellWord(text: string): string {
  return /^[\w=.#\p{L}-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function invalid(message: string, hint: string): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}

/**
 * The number of lines to skip so that one of these rows becomes a header with a name, for a hint; undefined
 * when none would.
 */
export function headerBelow(rows: readonly { line: number; cells: readonly string[] }[]): number | undefined {
  const found = rows.find(
    ({ cells }) => cells.length > 1 && cells.some((cell) => meanings.get(foldHeader(cell)) === 'name'),
  );
  return found === undefined ? undefined : found.line - 1;
}
