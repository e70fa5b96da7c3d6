/* Reads the rows of a file whose columns and amounts are understood. */
import type { FileHandle } from 'node:fs/promises';
import type { OrganizationId } from '../../api/ids.ts';
import { type IdentifiedRow, identifyRows } from '../../batch/identified-rows.ts';
import type { JournalIds } from '../../batch/journal/journals.ts';
import { readId } from '../../batch/organization-ids.ts';
import { countryCode } from '../../registration/countries.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { cellValue } from '../../table/cell.ts';
import type { CsvDialect, CsvDialectOptions } from '../../table/header.ts';
import type { InputFile } from '../../table/input-file.ts';
import type { Row } from '../../table/rows.ts';
import { count } from '../../terminal/format.ts';
import { type Decimal, formatDecimal, negate, Sum } from '../decimal.ts';
import { type DecimalSign, readNumber, splitAmount, type WrittenAmount } from './amounts.ts';
import { columnOf, type SpendField } from './columns.ts';
import { RowCurrency, readCurrency } from './currencies.ts';
import type { SpendReport } from './spend-report.ts';
import { isLabeled, TotalRows } from './total-rows.ts';
import { RowYear } from './years.ts';

/** A file with spend. */
export interface SpendInput {
  readonly path: string;
  /** The path, or `standard input`. */
  readonly name: string;
  /** The open file if it has no path, such as a copy of standard input. */
  readonly file?: FileHandle | undefined;
  readonly signal: AbortSignal;
}

/** How to read a file with spend. */
export interface SpendOptions extends CsvDialectOptions {
  /** Values of `--map`: fields of a registration and of the spend. */
  readonly map?: readonly string[] | undefined;
  /** Currency of all amounts, an ISO 4217 code. */
  readonly spendCurrency?: string | undefined;
  /** Year of all amounts. */
  readonly spendYear?: number | undefined;
  readonly decimal?: DecimalSign | undefined;
  readonly amountsIn?: AmountScale | undefined;
  /** The only year to read. */
  readonly year?: number | undefined;
  /** Values of `--rows`. */
  readonly rows?: readonly string[] | undefined;
  /** Whether the amounts have the opposite sign. */
  readonly invert?: boolean | undefined;
  /** Whether rows labeled as totals are suppliers. */
  readonly includeTotals?: boolean | undefined;
}

/** What the amounts of a file count. */
export const amountScales = { units: 1n, thousands: 1_000n, millions: 1_000_000n } as const;
export type AmountScale = keyof typeof amountScales;

/** A row of the file. Copy its strings to keep them: they are parts of the text of the file. */
export interface SpendRow {
  /** Physical line on which the row begins, from 1. */
  readonly line: number;
  /**
   * The key of the row in a journal; `line 7` for a row without identifying cells. It is empty for
   * a row with an id if there is no journal.
   */
  readonly key: string;
  readonly name: string | undefined;
  /** ISO 3166-1 alpha-2 code; undefined for an unknown country. */
  readonly region: string | undefined;
  /** The id of the organization in the id column. */
  readonly id: OrganizationId | undefined;
  readonly externalId: string | undefined;
  readonly lei: string | undefined;
  readonly isin: string | undefined;
  readonly duns: string | undefined;
  /** Undefined for a row without spend. */
  readonly spend: Decimal | undefined;
  /** ISO 4217 code. */
  readonly currency: string | undefined;
  readonly year: number | undefined;
  readonly category: string | undefined;
}

type RowSpend = Pick<SpendRow, 'spend' | 'currency'>;

const maxShared = 10_000;

/** Checks whether `--rows` selects the cells of a row. */
export type RowSelection = (cells: readonly string[]) => boolean;

interface SelectedTable {
  readonly source: InputFile;
  readonly signal: AbortSignal;
  readonly journals: JournalIds | undefined;
  readonly dialect: CsvDialect;
  readonly isSelected: RowSelection | undefined;
}

/** Reads the rows of one file. */
export class SpendRows {
  readonly #table: SelectedTable;
  readonly #options: SpendOptions;
  readonly #report: SpendReport;
  readonly #at: Readonly<Record<SpendField, number>>;
  readonly #currency: RowCurrency;
  readonly #year: RowYear;
  readonly #totals = new TotalRows();
  /* One string for equal cells of a column with few distinct values. */
  readonly #shared = new Map<string, string>();

  /* The sum and the signs of the amounts by currency. */
  readonly #signs = new Map<string, Sum>();
  #amounts = 0;
  #negativeAmounts = 0;

  constructor(table: SelectedTable, options: SpendOptions, report: SpendReport) {
    const { source, dialect } = table;
    this.#table = table;
    this.#options = options;
    this.#report = report;
    const { columns } = report;
    this.#at = {
      spend: columnOf(columns, 'spend'),
      spend_currency: columnOf(columns, 'spend_currency'),
      spend_year: columnOf(columns, 'spend_year'),
      category: columnOf(columns, 'category'),
      id: columnOf(columns, 'id'),
    };
    this.#currency = new RowCurrency({
      file: source.name,
      column: dialect.header[this.#at.spend_currency],
      option: options.spendCurrency,
      stated: columns.stated.currency,
    });
    this.#year = new RowYear({
      file: source.name,
      column: dialect.header[this.#at.spend_year],
      option: options.spendYear,
      stated: columns.stated.year,
    });
  }

  /** Yields the rows in groups. */
  async *read(): AsyncGenerator<readonly SpendRow[], void, void> {
    const { source, dialect, isSelected, journals, signal } = this.#table;
    const table = {
      source,
      dialect,
      mapping: this.#report.columns.registration,
      service: journals?.service ?? '',
      shard: undefined,
      needsKey: this.#needsKey(),
    };
    for await (const { rows, headers } of identifyRows(table)) {
      signal.throwIfAborted();
      for (const line of headers) this.#report.headers.add(line);
      const read: SpendRow[] = [];
      for (const row of rows) {
        if (isSelected?.(row.cells) === false) {
          this.#report.notSelected.add(row.line);
          continue;
        }
        const spendRow = this.#readRow(row);
        if (spendRow !== undefined) read.push(spendRow);
      }
      yield read;
    }
    this.#report.wrongTotals = this.#totals.wrong;
    this.#checkSigns();
  }

  /* In exports of the ledger, invoices are often credits. */
  #checkSigns(): void {
    const sums = [...this.#signs.values()].map(({ decimal }) => decimal);
    const isMostlyNegative = this.#negativeAmounts * 2 > this.#amounts;
    const isNegativeSum = sums.length > 0 && sums.every(({ units }) => units < 0n);
    if (!isMostlyNegative && !isNegativeSum) return;
    const list = (sign: (decimal: Decimal) => Decimal) =>
      [...this.#signs]
        .map(([code, { decimal }]) => `${formatDecimal(sign(decimal))} ${code}`.trim())
        .join(', ');
    const { invert } = this.#options;
    throw new UsageError(
      `${this.#table.source.name}: ${count.format(this.#negativeAmounts)} of ${count.format(this.#amounts)} amounts are negative${invert ? ' with --invert' : ''}. Their sum is ${list((decimal) => decimal)}; with the opposite signs, it is ${list(negate)}`,
      invert
        ? 'Remove --invert, or select the purchases with --rows <column=value>.'
        : 'If the file shows purchases as negative amounts, use --invert. To select rows, use --rows <column=value>.',
      'invalid_input',
    );
  }

  /* A key finds a row in a journal, and groups rows without an id. */
  #needsKey(): ((cells: readonly string[]) => boolean) | undefined {
    if (this.#table.journals !== undefined || this.#at.id < 0) return undefined;
    return (cells) => this.#value('id', cells) === undefined;
  }

  /* Returns undefined for a row that is left out. */
  #readRow(row: IdentifiedRow): SpendRow | undefined {
    const { line, cells, values } = row;
    const idText = this.#value('id', cells);
    const read = this.#readSpend(row, idText);
    if (read === undefined) return undefined;
    const column = this.#table.dialect.header[this.#at.id];
    const id =
      idText === undefined
        ? undefined
        : readId({ file: this.#table.source.name, line, column }, idText);
    const cell = cells[this.#at.spend_year];
    const { year, isSpan } = this.#year.read(line, cell);
    if (this.#options.year !== undefined && year !== this.#options.year) {
      this.#report.otherYears.add(line);
      return undefined;
    }
    if (isSpan) {
      this.#report.spans.add(line);
      this.#report.spanExample ??= flattenString((cell ?? '').trim().slice(0, 40));
    }
    if (read.spend !== undefined && read.spend.units < 0n) this.#report.credits.add(line);
    if (row.restored !== undefined) this.#report.restoredDuns.add(line);
    if (read.spend !== undefined) this.#report.addSpend(line, read.currency, year);
    return {
      line,
      key: isEmpty(values) ? `line ${line}` : row.key,
      name: values.name,
      region: values.hq_region === undefined ? undefined : countryCode(values.hq_region),
      id,
      externalId: values.external_id,
      lei: values.lei_number,
      isin: values.isin_number,
      duns: values.duns_number,
      spend: read.spend,
      currency: read.currency,
      year,
      category: this.#share(this.#value('category', cells)),
    };
  }

  /* Returns undefined for a total, and for a row without a supplier and without spend. */
  #readSpend(row: IdentifiedRow, idText: string | undefined): RowSpend | undefined {
    const { line, cells, values } = row;
    const report = this.#report;
    const mayHaveSpend = hasSpend(this.#table.source.name, row);
    const amount = mayHaveSpend ? splitAmount(cells[this.#at.spend] ?? '') : undefined;
    const hasName = (values.name ?? idText) !== undefined;
    const hasLabel = this.#isLabeled(row, idText);
    if (typeof amount !== 'object') {
      const isLeftOut = !mayHaveSpend || !hasName || hasLabel;
      (isLeftOut ? report.skipped : report.withoutSpend).add(line);
      return isLeftOut
        ? undefined
        : { spend: undefined, currency: this.#readCurrency(row, undefined) };
    }
    const spend = this.#readAmount(row, amount);
    if (spend === undefined) return undefined;
    // The total of several currencies may have a word such as "diverse" instead of a code.
    const isWord = (!hasName || hasLabel) && this.#hasUnknownCurrency(cells);
    const currency = isWord ? undefined : this.#readCurrency(row, amount.currency);
    const isText = row.kinds !== undefined && !isNumber(row, this.#at.spend);
    const amountRow = { line, hasName, hasLabel, spend, currency, isText };
    if (!this.#options.includeTotals && this.#totals.isTotal(amountRow)) {
      report.totals.add(line);
      return undefined;
    }
    if (!hasName) report.unnamed.add(line);
    if (amount.exponent !== undefined) report.rounded.add(line);
    const known = isWord ? this.#readCurrency(row, amount.currency) : currency;
    this.#addSign(spend, known);
    return { spend, currency: known };
  }

  #isLabeled({ cells, values }: IdentifiedRow, idText: string | undefined): boolean {
    return !this.#options.includeTotals && idText === undefined && isLabeled(values, cells);
  }

  #addSign(spend: Decimal, currency = ''): void {
    if (spend.units === 0n) return;
    this.#amounts += 1;
    this.#negativeAmounts += Number(spend.units < 0n);
    const sum = this.#signs.get(currency) ?? new Sum();
    this.#signs.set(currency, sum);
    sum.add(spend);
  }

  #hasUnknownCurrency(cells: readonly string[]): boolean {
    const value = this.#value('spend_currency', cells);
    return value !== undefined && readCurrency(value) === undefined;
  }

  #readCurrency({ line, cells }: Row, sign: string | undefined): string | undefined {
    return this.#currency.read(line, cells[this.#at.spend_currency], sign);
  }

  #readAmount(row: Row, amount: WrittenAmount): Decimal | undefined {
    // Without a decimal sign in the column, both readings are equal.
    const decimal = isNumber(row, this.#at.spend) ? '.' : this.#report.format.decimal;
    const number = readNumber(amount, decimal ?? '.');
    const { invert, amountsIn = 'units' } = this.#options;
    if (number === undefined) return undefined;
    const factor = amountScales[amountsIn] * (invert ? -1n : 1n);
    return { units: number.units * factor, scale: number.scale };
  }

  #value(field: SpendField, cells: readonly string[]): string | undefined {
    const cell = cells[this.#at[field]];
    return cell === undefined ? undefined : cellValue(field, cell);
  }

  #share(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const known = this.#shared.get(text);
    if (known !== undefined) return known;
    const copy = flattenString(text);
    if (this.#shared.size < maxShared) this.#shared.set(copy, copy);
    return copy;
  }
}

function isEmpty(values: object): boolean {
  for (const _ in values) return false;
  return true;
}

/** Checks whether a cell of a workbook is a number, which has the same value in every language. */
export function isNumber({ kinds }: Row, column: number): boolean {
  return kinds?.[column] === 'number';
}

/**
 * Checks whether a row may have an amount. Footers of one cell and separators have none.
 *
 * @throws UsageError for any other row whose cells may be in the wrong columns
 */
export function hasSpend(file: string, { line, cells, problem }: Row): boolean {
  if (problem === undefined) return true;
  const texts = cells.filter((text) => /[\p{L}\p{N}]/u.test(text));
  if (texts.length <= 1) return false;
  throw new UsageError(
    `${file}, line ${line}: the row ${problem}`,
    'Put cells that contain the delimiter or a quote in double quotes.',
    'invalid_input',
  );
}
