/*
 * What carbon understood of a file with spend. Each kind of row has a count and its first lines, so
 * that memory does not grow with the file.
 */
import { flattenString } from '../../runtime/flatten-string.ts';
import type { AmountFormat } from './amount-format.ts';
import type { SpendColumns } from './columns.ts';

const maxLines = 20;

/** A number of rows and the lines of the first ones. */
export interface LineTally {
  readonly count: number;
  /** At most 20 line numbers. */
  readonly lines: readonly number[];
}

/** A tally that grows. */
export class LineCounter implements LineTally {
  count = 0;
  readonly lines: number[] = [];

  /** Adds a row. */
  add(line: number): void {
    this.count += 1;
    if (this.lines.length < maxLines) this.lines.push(line);
  }
}

/** What carbon understood. The tallies are complete when all rows are read. */
export interface SpendReport {
  readonly columns: SpendColumns;
  readonly format: AmountFormat;
  /** The factor of `--spend-factor`, which multiplied every amount; 1 without it. */
  readonly factor: number;
  /** Number of rows with spend, without totals. */
  readonly rows: number;
  /** Rows with spend by ISO 4217 code; the key is empty for rows without a currency. */
  readonly currencies: ReadonlyMap<string, LineTally>;
  /** Rows with spend by year; the key is undefined for rows without a year. */
  readonly years: ReadonlyMap<number | undefined, LineTally>;
  /** Cells that name two years, as `2023/24`: the later one counts. The first one is an example. */
  readonly spans: LineTally & { readonly example: string | undefined };
  /** Rows with a negative amount. */
  readonly credits: LineTally;
  /** Totals, which are left out. */
  readonly totals: LineTally;
  /** Rows with the label of a total that count as spend: they are not the sum of the rows above. */
  readonly possibleTotals: LineTally;
  /** Rows with spend but without a name and without an id. */
  readonly unnamed: LineTally;
  readonly withoutSpend: LineTally;
  /** Rows without name, id and spend, separator lines and footers, which are left out. */
  readonly skipped: LineTally;
  /** Repeated headers, which are left out. */
  readonly headers: LineTally;
  /** Amounts in scientific notation, which may have lost digits, as `1.2E+06`. */
  readonly rounded: LineTally;
  /** D-U-N-S numbers of a workbook whose leading zeros were restored. */
  readonly restoredDuns: LineTally;
}

/** Collects the tallies of a report. */
export class SpendReportCounter implements SpendReport {
  readonly columns: SpendColumns;
  readonly format: AmountFormat;
  readonly factor: number;
  rows = 0;
  readonly currencies = new Map<string, LineCounter>();
  readonly years = new Map<number | undefined, LineCounter>();
  readonly spans = Object.assign(new LineCounter(), { example: undefined as string | undefined });
  readonly credits = new LineCounter();
  readonly totals = new LineCounter();
  readonly possibleTotals = new LineCounter();
  readonly unnamed = new LineCounter();
  readonly withoutSpend = new LineCounter();
  readonly skipped = new LineCounter();
  readonly headers = new LineCounter();
  readonly rounded = new LineCounter();
  readonly restoredDuns = new LineCounter();

  constructor(columns: SpendColumns, format: AmountFormat, factor: number) {
    this.columns = columns;
    this.format = format;
    this.factor = factor;
  }

  /** Adds a cell that names two years. */
  addSpan(line: number, cell: string): void {
    this.spans.add(line);
    this.spans.example ??= flattenString(cell.trim().slice(0, 40));
  }

  /** Adds a row with spend. */
  addSpend(line: number, currency: string | undefined, year: number | undefined): void {
    this.rows += 1;
    addTo(this.currencies, currency ?? '', line);
    addTo(this.years, year, line);
  }
}

function addTo<Key>(counters: Map<Key, LineCounter>, key: Key, line: number): void {
  const counter = counters.get(key) ?? new LineCounter();
  counters.set(key, counter);
  counter.add(line);
}
