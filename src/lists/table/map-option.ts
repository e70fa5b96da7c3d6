/* Parses the `--map` option, and writes the `--map` options that hints propose. */
import { fieldsOfHeader, foldHeader } from '../../client/registration/fields.ts';
import { naming } from '../../display/terminal/format.ts';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { meantNames, nearestNames } from '../../runtime/nearest.ts';
import { splitPairs } from './map-pairs.ts';

/** The fields that only `carbon footprint` reads. */
export const spendFields = ['spend', 'spend_currency', 'spend_year', 'category', 'id'] as const;

/**
 * Parses `--map` values such as `name=Security,hq_region=Land` into columns by field.
 *
 * A column is a header or a number such as `#3`. An empty column leaves the field out. A header
 * with a comma is written in double quotes.
 *
 * @param fieldsOf returns the fields that a header usually has, to propose one for an unknown field
 * @throws UsageError for invalid syntax, for unknown fields and for a field with two columns
 */
export function readMap<Name extends string>(
  names: readonly Name[],
  texts: readonly string[],
  fieldsOf: (header: string) => readonly string[] = fieldsOfHeader,
): ReadonlyMap<Name, string> {
  const map = new Map<Name, string>();
  for (const text of texts.flatMap(splitPairs)) {
    const [, name = '', quoted] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
    const folded = name.trim().toLowerCase().replaceAll('-', '_');
    const field = names.find((known) => known === folded);
    if (quoted === undefined)
      throw new UsageError(
        `--map: "${text}" is not field=column`,
        `${pairOf(text, names, fieldsOf)}Write field=column pairs, such as --map name=Security,hq_region=Land.`,
      );
    if (field === undefined)
      throw new UsageError(
        `--map: "${name}" is not a field`,
        spendFields.some((known) => known === folded)
          ? `${folded} is a field of carbon footprint: leave it out here.`
          : `${meantField(name, quoted, names, fieldsOf(name))}The field comes before the "=". The fields are ${names.join(', ')}.`,
      );
    const column = quoted.replace(/^"(.*)"$/, '$1');
    const other = map.get(field) ?? column;
    // The columns decide the row keys, so carbon does not choose between two of them.
    if (other !== column)
      throw new UsageError(
        `--map: ${field} is given twice, as "${other}" and "${column}"`,
        'Give each field one column.',
      );
    map.set(field, column);
  }
  return map;
}

/*
 * Proposes the pair in the right order, the field that has such a header (`betrag=Spend`), and the
 * one that is written almost so.
 */
function meantField(
  name: string,
  column: string,
  names: readonly string[],
  ofHeader: readonly string[],
): string {
  const swapped = names.find((known) => known === column);
  const [near] = nearestNames(name.toLowerCase(), names);
  const field =
    near ?? (swapped ? undefined : ofHeader.find((known) => names.some((name) => name === known)));
  const pairs = [field && mapText(field, column), swapped && mapText(swapped, name)];
  const options = pairs.flatMap((pair) => (pair ? `--map ${quoteWords([pair])}` : []));
  return options.length === 0 ? '' : didYouMean(options.join(' or '));
}

/* Proposes the pair of a header, such as `Spend`, and of `spend:Spend`. */
function pairOf(
  text: string,
  names: readonly string[],
  fieldsOf: (header: string) => readonly string[],
): string {
  const [, first = '', column = first] = /^\s*(.*?)\s*(?:[:>]+\s*(.*?)\s*)?$/.exec(text) ?? [];
  const field = [first.toLowerCase(), ...fieldsOf(first)].find((each) => names.includes(each));
  return field && column ? didYouMean(`--map ${quoteWords([mapText(field, column)])}`) : '';
}

const addFirst = 'If the column is a new one, add it to the file first. ';
const didYouMean = (what: string) => `Did you mean ${what}? `;

/**
 * Finds the index of the column that an option names, from 0.
 *
 * @param field what `--map` maps the column to; undefined for a condition of `--rows`
 * @param isOfField whether a header usually has the field
 * @throws UsageError if no column or several columns have the name
 */
export function findColumn(
  header: readonly string[],
  column: string,
  field?: string,
  isOfField: (header: string) => boolean = (other) =>
    fieldsOfHeader(other).some((each) => each === field),
): number {
  const option = field === undefined ? '--rows' : '--map';
  const purpose = field === undefined ? '' : ` for ${field}`;
  const number = /^#(\d+)$/.exec(column)?.[1];
  if (number !== undefined && !header.includes(column)) {
    if (header[Number(number) - 1] !== undefined) return Number(number) - 1;
    throw invalidInput(
      `${option}: no column ${column}${purpose}`,
      `The file has ${header.length} columns.`,
    );
  }
  const tests = [
    (other: string) => other === column,
    (other: string) => foldHeader(other) === foldHeader(column),
  ];
  for (const test of tests) {
    const matches = header.flatMap((other, index) => (test(other) ? [index] : []));
    if (matches.length > 1) {
      const numbers = matches.map((index) => `#${index + 1}`).join(' and ');
      throw invalidInput(
        `${option}: the columns ${numbers} have the same name "${column}"`,
        `Choose one by its number, such as ${option} ${field === undefined ? '' : `${field}=`}#${(matches[0] ?? 0) + 1}${field === undefined ? '=<value>' : ''}.`,
      );
    }
    if (matches[0] !== undefined) return matches[0];
  }
  const folded = header.map(foldHeader);
  const [meant] = meantNames(foldHeader(column), folded);
  const at = meant === undefined ? header.findIndex(isOfField) : folded.indexOf(meant);
  // The column that the correction of a list adds in place of one with websites.
  const lei =
    field === 'website'
      ? header.findIndex((each) => fieldsOfHeader(each).includes('lei_number'))
      : -1;
  const proposed =
    field === undefined ? `"${header[at]?.slice(0, 40)}"` : mapOption(field, header, at);
  throw invalidInput(
    `${option}: no column "${column}"${purpose}`,
    `${at >= 0 ? didYouMean(proposed) : lei >= 0 ? didYouMean(mapOption('lei_number', header, lei)) : field === undefined ? '' : addFirst}The columns are ${naming(
      header.map((other) => `"${other.slice(0, 40)}"`),
      12,
    )}.`,
  );
}

/** Writes the `--map` value that maps a column to a field. */
export function mapPair(field: string, header: readonly string[], index: number): string {
  const column = header[index] ?? '';
  const isUnique = header.filter((other) => other === column).length === 1;
  if (!isUnique || column === '' || column.includes('"')) return `${field}=#${index + 1}`;
  return mapText(field, column);
}

/** Writes the `--map` value of a column as a user names it; `readMap` reads it again. */
export function mapText(field: string, column: string): string {
  return `${field}=${column.includes(',') ? `"${column}"` : column}`;
}

/** Writes the `--map` option of a column, quoted for a shell. */
export function mapOption(field: string, header: readonly string[], index: number): string {
  return `--map ${quoteWords([mapPair(field, header, index)])}`;
}
