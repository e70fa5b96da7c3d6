/* Reads the rows of a file whose columns and amounts are understood. */

import { type OrganizationId, usableId, withoutLeadingZeros } from '../../api/ids.ts';
import { type IdentifiedRow, identifyRows } from '../../batch/identified-rows.ts';
import { countryCode } from '../../registration/countries.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { cellValue } from '../../table/cell.ts';
import type { CsvDialect } from '../../table/dialect.ts';
import type { InputFile } from '../../table/input-file.ts';
import type { Row } from '../../table/rows.ts';
import { columnOf, type SpendField } from './columns.ts';
import { readCurrency } from './currency-sign.ts';
import type { Decimal } from './decimal.ts';
import { hasSpend, isNumber } from './row-checks.ts';
import { RowCurrency } from './row-currency.ts';
import { RowYear } from './row-year.ts';
import type { SpendOptions } from './spend-file.ts';
import type { SpendReportCounter } from './spend-report.ts';
import { isLabeled, TotalRows } from './total-rows.ts';
import { readNumber, splitAmount, type WrittenAmount } from './written-amount.ts';

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

/** Reads the rows of one file. */
export class SpendRows {
  readonly #source: InputFile;
  readonly #dialect: CsvDialect;
  readonly #options: SpendOptions;
  readonly #report: SpendReportCounter;
  readonly #at: Readonly<Record<SpendField, number>>;
  readonly #currency: RowCurrency;
  readonly #year: RowYear;
  readonly #totals = new TotalRows();
  /* One string for equal cells of a column with few distinct values. */
  readonly #shared = new Map<string, string>();

  constructor(
    source: InputFile,
    dialect: CsvDialect,
    options: SpendOptions,
    report: SpendReportCounter,
  ) {
    this.#source = source;
    this.#dialect = dialect;
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
      option: options.currency,
      stated: columns.stated.currency,
    });
    this.#year = new RowYear({
      file: source.name,
      column: dialect.header[this.#at.spend_year],
      option: options.year,
      stated: columns.stated.year,
    });
  }

  /** Yields the rows in groups. */
  async *read(): AsyncGenerator<readonly SpendRow[], void, void> {
    const { service, signal } = this.#options;
    const mapping = this.#report.columns.registration;
    const table = {
      source: this.#source,
      dialect: this.#dialect,
      mapping,
      service,
      shard: undefined,
      needsKey: this.#needsKey(),
    };
    for await (const { rows, headers } of identifyRows(table)) {
      signal.throwIfAborted();
      for (const line of headers) this.#report.headers.add(line);
      const read: SpendRow[] = [];
      for (const row of rows) {
        const spendRow = this.#readRow(row);
        if (spendRow !== undefined) read.push(spendRow);
      }
      yield read;
    }
  }

  /* A key finds a row in a journal, and groups rows without an id. */
  #needsKey(): ((cells: readonly string[]) => boolean) | undefined {
    if (this.#options.journals !== undefined || this.#at.id < 0) return undefined;
    return (cells) => this.#value('id', cells) === undefined;
  }

  /* Returns undefined for a row that is left out. */
  #readRow(row: IdentifiedRow): SpendRow | undefined {
    const { line, cells, values } = row;
    const idText = this.#value('id', cells);
    const read = this.#readSpend(row, values.name ?? idText);
    if (read === undefined) return undefined;
    const id = idText === undefined ? undefined : this.#readId(line, idText);
    const cell = cells[this.#at.spend_year];
    const { year, isSpan } = this.#year.read(line, cell);
    if (isSpan) this.#report.addSpan(line, cell ?? '');
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
  #readSpend(row: IdentifiedRow, supplier: string | undefined): RowSpend | undefined {
    const { line, cells } = row;
    const report = this.#report;
    const mayHaveSpend = hasSpend(this.#source.name, row);
    const amount = mayHaveSpend ? splitAmount(cells[this.#at.spend] ?? '') : undefined;
    const hasName = supplier !== undefined;
    const hasLabel = isLabeled(supplier, cells);
    if (typeof amount !== 'object') {
      const isLeftOut = !mayHaveSpend || !hasName || hasLabel;
      (isLeftOut ? report.skipped : report.withoutSpend).add(line);
      return isLeftOut
        ? undefined
        : { spend: undefined, currency: this.#readCurrency(row, undefined) };
    }
    const spend = this.#readAmount(row, amount);
    if (spend === undefined) return undefined;
    // The total of several currencies may state a word such as "diverse" instead of a code.
    const isWord = (!hasName || hasLabel) && this.#hasUnknownCurrency(cells);
    const currency = isWord ? undefined : this.#readCurrency(row, amount.currency);
    const check = this.#totals.check({ hasName, hasLabel, spend, currency });
    if (check === 'total') {
      report.totals.add(line);
      return undefined;
    }
    if (check === 'possible') report.possibleTotals.add(line);
    if (!hasName) report.unnamed.add(line);
    if (spend.units < 0n) report.credits.add(line);
    if (amount.exponent !== undefined) report.rounded.add(line);
    return { spend, currency: isWord ? this.#readCurrency(row, amount.currency) : currency };
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
    if (number === undefined || this.#report.factor === 1) return number;
    return { units: number.units * BigInt(this.#report.factor), scale: number.scale };
  }

  #readId(line: number, text: string): OrganizationId {
    const id = usableId(withoutLeadingZeros(text));
    if (id !== undefined) return id;
    const column = this.#dialect.header[this.#at.id];
    throw new UsageError(
      `${this.#source.name}, line ${line}: "${text.slice(0, 40)}" in column "${column}" is not an organization id`,
      'Organization ids are whole numbers. If the column has other ids, leave it out: --map id=',
      'invalid_input',
    );
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
