/*
 * The year before the one of a footprint, whose totals give a direction. Its rows are read in the
 * same pass, because reading 60,000 rows and their records again takes as long as the first time.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import { entriesOf } from './footprint.ts';
import type { MethodOptions } from './line-item.ts';
import { checkSigns, type SpendOptions, SpendReport, type SpendRow } from './spend/spend-file.ts';
import type { SpendOfYears, Suppliers } from './suppliers.ts';
import { type FootprintSummary, yearsOf } from './totals.ts';

/** The rows of the latest year before another one. */
export class EarlierYear {
  readonly #before: number;
  readonly #start: () => Suppliers;
  #year = Number.NEGATIVE_INFINITY;
  #report: SpendReport | undefined;
  #suppliers: Suppliers | undefined;

  /** @param start returns suppliers without rows */
  constructor(before: number, start: () => Suppliers) {
    this.#before = before;
    this.#start = start;
  }

  /** Adds a row, unless it is of another year. */
  add(row: SpendRow, { columns, format }: SpendReport): void {
    const { year } = row;
    if (year === undefined || year >= this.#before || year < this.#year) return;
    if (year > this.#year) {
      this.#report = undefined;
      this.#suppliers = undefined;
    }
    this.#year = year;
    this.#report ??= new SpendReport(columns, format);
    this.#suppliers ??= this.#start();
    this.#report.add(row);
    this.#suppliers.add(row);
  }

  /** Undefined without rows. */
  get suppliers(): Suppliers | undefined {
    return this.#suppliers;
  }

  /** Returns the totals of the year; null without rows, and if it cannot be calculated. */
  totals(
    spend: SpendOfYears,
    file: string,
    options: MethodOptions & SpendOptions,
  ): FootprintSummary['previous'] {
    if (this.#report === undefined) return null;
    try {
      checkSigns(file, this.#report, options);
      return yearsOf(entriesOf(spend, options).entries)[0] ?? null;
    } catch (error) {
      if (error instanceof UsageError) return null;
      throw error;
    }
  }
}
