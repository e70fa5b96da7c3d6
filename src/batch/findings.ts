/*
 * Collects what a user should know before rows are sent, because a registration cannot be undone.
 * Each finding keeps a count and its first lines. Names and identifiers are compared by
 * fingerprints, of the first million each.
 */
import type { Field } from '../registration/fields.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { isBlank } from '../table/cell.ts';
import type { Mapping } from './columns.ts';
import type { IdentifiedGroup, IdentifiedRow } from './identified-rows.ts';
import { type CheckedRow, hasUnclearRegion, isFreeTextRegion } from './identified-rows.ts';
import type { RowAction } from './row-action.ts';

const maxLines = 20;
const maxValues = 20;
const maxValueLength = 60;
/* Fingerprints of a million names and a million identifiers take about 100 MB. */
const maxRemembered = 1_000_000;

/* A number, a date or a truth value of a spreadsheet. 1&1 and the like are names. */
const notName = /^(?:(?=.*\d)[^\p{L}&]+|TRUE|FALSE|WAHR|FALSCH)$/u;

/* A spreadsheet displays and exports a long number in this form, without its last digits. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i;

/* The same identifier under two names shows a copied cell, or one that was filled down. */
const idFields: ReadonlySet<Field> = new Set<Field>([
  'external_id',
  'duns_number',
  'lei_number',
  'isin_number',
  'sp_global_number',
]);

/** The number of rows, the lines of the first ones, and the rows per distinct value. */
export interface Tally {
  readonly count: number;
  readonly lines: readonly number[];
  readonly values: ReadonlyMap<string, number>;
}

/** The findings of the check. Findings about rows cover only rows to be sent. */
export interface Findings {
  /** Rows that repeat the header and are left out. */
  readonly headers: Tally;
  /** Rows that are left out, because they are totals. */
  readonly totals: Tally;
  /** Countries that are sent as free text. */
  readonly freeTextRegions: Tally;
  /** Rows whose country `NA` is left out. */
  readonly unclearRegions: Tally;
  /** Placeholders such as `N/A`, by the header of their column. */
  readonly missing: ReadonlyMap<string, Tally>;
  /** Numbers such as `4,50001E+09`, whose last digits are lost, by the header of their column. */
  readonly shortened: ReadonlyMap<string, Tally>;
  /** Identifiers that an earlier row with another name has too, by the header of their column. */
  readonly equalIds: ReadonlyMap<string, Tally>;
  /** Names that are a number, a date or a truth value. */
  readonly unlikelyNames: Tally;
  /** Names that an earlier row with other values has too. */
  readonly equalNames: Tally;
  /** D-U-N-S numbers of a workbook whose leading zeros were restored. */
  readonly restoredDuns: Tally;
}

class Counter implements Tally {
  count = 0;
  readonly lines: number[] = [];
  readonly values = new Map<string, number>();

  add(line: number, value?: string): void {
    this.count += 1;
    if (this.lines.length < maxLines) this.lines.push(line);
    if (value === undefined) return;
    const short = value.slice(0, maxValueLength);
    const known = this.values.get(short);
    if (known !== undefined) this.values.set(short, known + 1);
    else if (this.values.size < maxValues) this.values.set(flattenString(short), 1);
  }
}

/** Collects findings from groups of rows. */
export class FindingsCounter {
  readonly findings = {
    headers: new Counter(),
    totals: new Counter(),
    freeTextRegions: new Counter(),
    unclearRegions: new Counter(),
    missing: new Map<string, Counter>(),
    shortened: new Map<string, Counter>(),
    equalIds: new Map<string, Counter>(),
    unlikelyNames: new Counter(),
    equalNames: new Counter(),
    restoredDuns: new Counter(),
  } satisfies Findings;
  readonly #columns: Mapping['columns'];
  /* Whether a row with the name is new. */
  readonly #names = new Map<number, boolean>();
  /* The beginning of the first name with an identifier. */
  readonly #namesById = new Map<number, number>();

  constructor({ columns }: Mapping) {
    this.#columns = columns;
  }

  /** Adds the rows of a group that are left out. */
  addGroup({ headers, totals }: IdentifiedGroup): void {
    for (const line of headers) this.findings.headers.add(line);
    for (const { line, name } of totals) this.findings.totals.add(line, name);
  }

  /**
   * Adds a valid row.
   *
   * @param checked undefined for a row that needs no check
   */
  addRow(row: IdentifiedRow, step: RowAction, checked: CheckedRow | undefined): void {
    const { line, cells, values, dropped } = row;
    const { findings } = this;
    const isNew = step === 'new';
    // Equal rows have the same key and are sent once. Other rows register the name again.
    if (step === 'duplicate') return;
    const { name = '' } = values;
    const nameOf = fingerprint(name.toLowerCase());
    if (this.#repeatsName(nameOf, isNew)) findings.equalNames.add(line, name);
    for (const { field, column } of this.#columns) {
      const value = values[field];
      if (value === undefined || !idFields.has(field)) continue;
      if (this.#repeatsId(fingerprint(`${field} ${value}`), nameOf) && isNew)
        counterOf(findings.equalIds, column).add(line, value);
    }
    if (!isNew || checked === undefined) return;
    if (row.restored !== undefined) findings.restoredDuns.add(line, row.restored);
    if (notName.test(name)) findings.unlikelyNames.add(line, name);
    if (isFreeTextRegion(values, checked)) findings.freeTextRegions.add(line, values.hq_region);
    if (hasUnclearRegion(values)) findings.unclearRegions.add(line);
    for (const { field, index, column } of this.#columns) {
      const cell = cells[index] ?? '';
      if (values[field] !== undefined) {
        if (shortened.test(cell)) counterOf(findings.shortened, column).add(line, cell);
      } else if (cell !== '' && !isBlank(cell) && !dropped?.some((each) => each.field === field))
        counterOf(findings.missing, column).add(line, cell.trim());
    }
  }

  /* Returns whether this or an earlier row with the name is new. */
  #repeatsName(name: number, isNew: boolean): boolean {
    const known = this.#names.get(name);
    if (known === undefined) {
      if (this.#names.size < maxRemembered) this.#names.set(name, isNew);
      return false;
    }
    if (isNew && !known) this.#names.set(name, true);
    return known || isNew;
  }

  #repeatsId(id: number, name: number): boolean {
    // V8 stores a small integer in the map itself.
    const short = name % 2 ** 30;
    const known = this.#namesById.get(id);
    if (known === undefined && this.#namesById.size < maxRemembered) this.#namesById.set(id, short);
    return known !== undefined && known !== short;
  }
}

/*
 * Returns 52 bits of a text (two FNV-1a hashes). In a file of a million names, a wrong warning has
 * a probability of about one in ten thousand.
 */
function fingerprint(text: string): number {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13);
  }
  return (a >>> 0) * 2 ** 20 + (b >>> 12);
}

function counterOf(counters: Map<string, Counter>, column: string): Counter {
  const known = counters.get(column) ?? new Counter();
  counters.set(column, known);
  return known;
}
