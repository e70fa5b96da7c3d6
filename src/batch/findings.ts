/*
 * Collects what a user should know before rows are sent, because a registration cannot be undone.
 * Each finding keeps a count and its first lines, so that memory does not grow with the file.
 */

import type { Field } from '../registration/fields.ts';
import { isTotalLabel } from '../registration/total-label.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { isBlank } from '../table/cell.ts';
import { isFormula } from '../table/output-cell.ts';
import type { Mapping } from './columns.ts';
import type { IdentifiedGroup, IdentifiedRow } from './identified-rows.ts';
import { NameSet } from './name-set.ts';
import type { RowAction } from './row-action.ts';
import type { Values } from './row-key.ts';
import { type CheckedRow, isFreeTextRegion } from './row-registration.ts';

const maxLines = 20;
const maxValues = 20;
const maxValueLength = 60;

/* A number, a date or a truth value of a spreadsheet. 1&1 and the like are names. */
const notName = /^(?:(?=.*\d)[^\p{L}&]+|TRUE|FALSE|WAHR|FALSCH)$/u;

/* A spreadsheet displays and exports a long number in this form, without its last digits. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i;

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
  /** Countries that are sent as free text. */
  readonly freeTextRegions: Tally;
  /** Placeholders such as `N/A`, by the header of their column. */
  readonly missing: ReadonlyMap<string, Tally>;
  /** Cells that begin like a formula, by the header of their column. */
  readonly formulas: ReadonlyMap<string, Tally>;
  /** Numbers such as `4,50001E+09`, whose last digits are lost, by the header of their column. */
  readonly shortened: ReadonlyMap<string, Tally>;
  /** Identifiers of the previous valid row although the name differs, by column header. */
  readonly repeatedIds: ReadonlyMap<string, Tally>;
  /** Names that look like the label of a total. */
  readonly totals: Tally;
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
  readonly #findings = {
    headers: new Counter(),
    freeTextRegions: new Counter(),
    missing: new Map<string, Counter>(),
    formulas: new Map<string, Counter>(),
    shortened: new Map<string, Counter>(),
    repeatedIds: new Map<string, Counter>(),
    totals: new Counter(),
    unlikelyNames: new Counter(),
    equalNames: new Counter(),
    restoredDuns: new Counter(),
  } satisfies Findings;
  readonly #columns: Mapping['columns'];
  readonly #idColumns: Mapping['columns'];
  readonly #names = new NameSet();
  #above: Values = {};

  constructor({ columns }: Mapping) {
    this.#columns = columns;
    this.#idColumns = columns.filter(({ field }) => idFields.has(field));
  }

  /** Frees memory and returns the findings. */
  finish(): Findings {
    this.#names.release();
    return this.#findings;
  }

  /** Adds the repeated headers of a group. */
  addGroup({ headers }: IdentifiedGroup): void {
    for (const line of headers) this.#findings.headers.add(line);
  }

  /**
   * Adds a valid row.
   *
   * @param checked undefined for a row that needs no check
   */
  addRow(row: IdentifiedRow, step: RowAction, checked: CheckedRow | undefined): void {
    const { line, cells, values } = row;
    const findings = this.#findings;
    const isNew = step === 'new';
    const { name = '' } = values;
    // Equal rows have the same key and are sent once. Other rows register the name again.
    if (step !== 'duplicate' && this.#names.add(name, isNew)) findings.equalNames.add(line, name);
    const above = this.#above;
    this.#above = values;
    if (!isNew || checked === undefined) return;
    this.#addRepeatedIds(row, above);
    if (row.restored !== undefined) findings.restoredDuns.add(line, row.restored);
    if (isTotalLabel(name)) findings.totals.add(line, name);
    if (notName.test(name)) findings.unlikelyNames.add(line, name);
    if (isFreeTextRegion(values, checked)) findings.freeTextRegions.add(line, values.hq_region);
    for (const { field, index, column } of this.#columns) {
      const cell = cells[index] ?? '';
      if (values[field] === undefined) {
        if (cell !== '' && !isBlank(cell))
          counterOf(findings.missing, column).add(line, cell.trim());
      } else if (isFormula(cell)) counterOf(findings.formulas, column).add(line, cell.trim());
      else if (shortened.test(cell)) counterOf(findings.shortened, column).add(line, cell);
    }
  }

  /* Comparing only with the previous row needs no memory for the values of a large file. */
  #addRepeatedIds({ line, values }: IdentifiedRow, above: Values): void {
    for (const { field, column } of this.#idColumns) {
      const value = values[field];
      if (value === undefined || value !== above[field]) continue;
      if (values.name?.toLowerCase() === above.name?.toLowerCase()) return;
      counterOf(this.#findings.repeatedIds, column).add(line, value);
    }
  }
}

/* A copied cell, or one that a spreadsheet filled down. Equal names are a finding of their own. */
const idFields: ReadonlySet<Field> = new Set<Field>([
  'external_id',
  'duns_number',
  'lei_number',
  'isin_number',
  'sp_global_number',
]);

function counterOf(counters: Map<string, Counter>, column: string): Counter {
  const known = counters.get(column);
  if (known !== undefined) return known;
  const counter = new Counter();
  counters.set(column, counter);
  return counter;
}
