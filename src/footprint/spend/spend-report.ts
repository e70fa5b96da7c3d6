/*
 * What was understood of a file with spend. Each kind of row has a count and its first lines, so
 * that memory does not grow with the file.
 */
import type { AmountFormat } from './amounts.ts';
import type { SpendColumns } from './columns.ts';
import type { WrongTotal } from './total-rows.ts';

/** A number of rows and the lines of the first ones. */
export class LineTally {
  count = 0;
  /** At most 20 line numbers. */
  readonly lines: number[] = [];

  /** Adds a row. */
  add(line: number): void {
    this.count += 1;
    if (this.lines.length < maxLines) this.lines.push(line);
  }
}

const maxLines = 20;

/** What was understood of a file. The tallies are complete when all rows are read. */
export class SpendReport {
  readonly columns: SpendColumns;
  readonly format: AmountFormat;
  /** Number of rows with spend, without totals. */
  rows = 0;
  /** Rows with spend by ISO 4217 code; the key is empty for rows without a currency. */
  readonly currencies = new Map<string, LineTally>();
  /** Rows with spend by year; the key is undefined for rows without a year. */
  readonly years = new Map<number | undefined, LineTally>();
  /** Cells that name two years, as `2023/24`: the later one counts. */
  readonly spans = new LineTally();
  /** The first of these cells. */
  spanExample: string | undefined;
  /** Rows with a negative amount. */
  readonly credits = new LineTally();
  /** Totals, which are left out, and those that are not the sum of the rows above. */
  readonly totals = new LineTally();
  wrongTotals: readonly WrongTotal[] = [];
  /** Rows that `--rows` and `--year` leave out. */
  readonly notSelected = new LineTally();
  readonly otherYears = new LineTally();
  /** Rows with spend but without a name and without an id. */
  readonly unnamed = new LineTally();
  readonly withoutSpend = new LineTally();
  /** Rows without name, id and spend, separator lines and footers, which are left out. */
  readonly skipped = new LineTally();
  /** Repeated headers, which are left out. */
  readonly headers = new LineTally();
  /** Amounts in scientific notation, which may have lost digits, as `1.2E+06`. */
  readonly rounded = new LineTally();
  /** D-U-N-S numbers of a workbook whose leading zeros were restored. */
  readonly restoredDuns = new LineTally();

  constructor(columns: SpendColumns, format: AmountFormat) {
    this.columns = columns;
    this.format = format;
  }

  /** Adds a row with spend. */
  addSpend(line: number, currency: string | undefined, year: number | undefined): void {
    this.rows += 1;
    tallyOf(this.currencies, currency ?? '').add(line);
    tallyOf(this.years, year).add(line);
  }
}

function tallyOf<Key>(tallies: Map<Key, LineTally>, key: Key): LineTally {
  const tally = tallies.get(key) ?? new LineTally();
  tallies.set(key, tally);
  return tally;
}
