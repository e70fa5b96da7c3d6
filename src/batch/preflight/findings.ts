/*
 * What a person should see before rows are sent that cannot be taken back: counts and the first
 * lines of each kind, so that a million rows need no more memory than ten.
 */

import { flattenString } from '../../runtime/detach.ts';
import { isBlank } from '../csv/cell.ts';
import type { Mapping } from '../csv/columns.ts';
import type { IdentifiedGroup, IdentifiedRow } from '../csv/identified-rows.ts';
import { isFormula } from '../csv/output-cell.ts';
import { type CheckedRow, isFreeTextRegion } from '../csv/row-registration.ts';
import type { RowAction } from '../row-action.ts';
import { NameSet } from './name-set.ts';

const maxLines = 20;
const maxValues = 20;
const maxValueLength = 60;

/**
 * How many rows, the lines of the first ones, and their different values, each with the number of
 * its rows.
 */
export interface Tally {
  readonly count: number;
  readonly lines: readonly number[];
  readonly values: ReadonlyMap<string, number>;
}

/** What was found in a file; of rows, only in those to be sent. */
export interface Findings {
  /** Rows that repeat the header; they are left out. */
  readonly headers: Tally;
  /** Countries that are sent as free text. */
  readonly freeTextRegions: Tally;
  /**
   * Cells of a column that count as missing although they are not blank, by the column's header.
   */
  readonly missing: ReadonlyMap<string, Tally>;
  /** Cells of a column that begin like a formula, by the column's header. */
  readonly formulas: ReadonlyMap<string, Tally>;
  /** Names that look like the label of a total. */
  readonly totals: Tally;
  /** Names of an earlier row whose other values differ. */
  readonly equalNames: Tally;
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

const total =
  /^(?:grand total|sub-?total|totals?|total g[ée]n[ée]ral|sum|gesamt|gesamtsumme|insgesamt|summe(?: gesamt)?|zwischensumme|totale|somme|suma|totaal|合計|小計|総計|合计|小计|总计|합계)[\s:\d.,]*$/i;

/** Takes the rows of the check, one group after another. */
export class FindingsCounter {
  readonly #found = {
    headers: new Counter(),
    freeTextRegions: new Counter(),
    missing: new Map<string, Counter>(),
    formulas: new Map<string, Counter>(),
    totals: new Counter(),
    equalNames: new Counter(),
  } satisfies Findings;
  readonly #columns: Mapping['columns'];
  readonly #names = new NameSet();

  constructor({ columns }: Mapping) {
    this.#columns = columns;
  }

  /** Ends the counting, and returns what was found. */
  end(): Findings {
    this.#names.release();
    return this.#found;
  }

  /** Takes what is no row. */
  takeGroup({ headers }: IdentifiedGroup): void {
    for (const line of headers) this.#found.headers.add(line);
  }

  /**
   * Takes a row that is not invalid.
   * @param checked undefined for a row that needs no check
   */
  takeRow(row: IdentifiedRow, step: RowAction, checked: CheckedRow | undefined): void {
    const { line, cells, values, placeCode } = row;
    const found = this.#found;
    const isNew = step === 'new';
    const { name = '' } = values;
    // Equal rows have one key and are sent once: only others of the name register again.
    if (step !== 'duplicate' && this.#names.add(name, isNew)) found.equalNames.add(line, name);
    if (!isNew || checked === undefined) return;
    if (total.test(name)) found.totals.add(line, name);
    const freeText = isFreeTextRegion(values, checked) ? values.hq_region : placeCode;
    if (freeText !== undefined) found.freeTextRegions.add(line, freeText);
    for (const { field, index, column } of this.#columns) {
      const cell = cells[index] ?? '';
      if (field === 'hq_region' && placeCode !== undefined) continue;
      if (values[field] === undefined) {
        if (cell !== '' && !isBlank(cell)) counterOf(found.missing, column).add(line, cell.trim());
      } else if (isFormula(cell)) counterOf(found.formulas, column).add(line, cell.trim());
    }
  }
}

function counterOf(counters: Map<string, Counter>, column: string): Counter {
  const known = counters.get(column);
  if (known !== undefined) return known;
  const counter = new Counter();
  counters.set(column, counter);
  return counter;
}
