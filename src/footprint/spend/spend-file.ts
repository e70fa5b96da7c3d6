/*
 * Reads a file with spend in two passes: the first decides how its amounts are written, the second
 * yields its rows. Both read in groups of rows, so that memory does not grow with the file.
 */
import type { FileHandle } from 'node:fs/promises';
import type { OrganizationId } from '../../api/ids.ts';
import { idOfRow } from '../../list/ids.ts';
import type { JournalIds } from '../../list/journals.ts';
import { type IdentifiedRow, identifyRows } from '../../list/rows.ts';
import { countryCode } from '../../registration/countries.ts';
import { identifierFields } from '../../registration/fields.ts';
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { cellValue, normalizeCell } from '../../table/cell.ts';
import type { CsvDialect, CsvDialectOptions } from '../../table/dialect.ts';
import { detectDialect } from '../../table/dialect.ts';
import { InputFile, withSheetHint } from '../../table/input-file.ts';
import { findColumn } from '../../table/map-option.ts';
import { type Row, readRows } from '../../table/rows.ts';
import { count } from '../../terminal/format.ts';
import { type Decimal, formatDecimal, negate, plus, zero } from '../decimal.ts';
import type { Provenance } from '../line-item.ts';
import {
  type AmountFormat,
  AmountFormatEvidence,
  type DecimalSign,
  readNumber,
  splitAmount,
} from './amounts.ts';
import {
  amountScales,
  type ColumnOptions,
  chooseSpendColumns,
  type SpendColumns,
  type SpendField,
} from './columns.ts';
import { currencyOfRow, readCurrency, type Sources, yearOfRow } from './currency-year.ts';
import { isLabeled, TotalRows, type WrongTotal } from './total-rows.ts';

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
export interface SpendOptions extends CsvDialectOptions, ColumnOptions {
  /** Year of all amounts. */
  readonly spendYear?: number | undefined;
  readonly decimal?: DecimalSign | undefined;
  /** The only year to read. */
  readonly year?: number | undefined;
  /** Values of `--rows`. */
  readonly rows?: readonly string[] | undefined;
  /** Whether the amounts have the opposite sign. */
  readonly invert?: boolean | undefined;
}

/** A row of the file. Copy its strings to keep them: they are parts of the text of the file. */
export interface SpendRow {
  /** Physical line on which the row begins, from 1. */
  readonly line: number;
  /** The key of the row in a journal; `line 7` for a row without identifying cells. */
  readonly key: string;
  readonly name: string | undefined;
  /** ISO 3166-1 alpha-2 code; undefined for an unknown country. */
  readonly region: string | undefined;
  /** The id of the organization in the journal or in the id column. */
  readonly id: OrganizationId | undefined;
  /** Whether the journal has the id. */
  readonly isRecorded: boolean;
  /** Whether the service rejected the registration of the row. */
  readonly isRefused: boolean;
  readonly externalId: string | undefined;
  /** LEI, ISIN, D-U-N-S and other numbers of the organization. */
  readonly identifiers: readonly string[];
  /** Undefined for a row without spend. */
  readonly spend: Decimal | undefined;
  /** ISO 4217 code. */
  readonly currency: string | undefined;
  readonly year: number | undefined;
  readonly category: string | undefined;
}

/** Counts rows by kind, and keeps the lines of the first 20. */
class LineTallies<Kind> extends Map<Kind, { count: number; readonly lines: number[] }> {
  add(kind: Kind, line: number): void {
    const tally = this.get(kind) ?? { count: 0, lines: [] };
    this.set(kind, tally);
    tally.count += 1;
    if (tally.lines.length < 20) tally.lines.push(line);
  }
}

/** The kinds of rows that a report counts, in words. */
export const rowKinds = {
  credits: 'Credit notes, which reduce the spend',
  totals: 'Totals, not counted',
  not_selected: 'Not selected by --rows',
  other_years: 'Spend of other years',
  no_spend: 'Without spend',
  skipped: 'Ignored, without supplier and spend',
  restored_duns: 'Restored leading zeros of D-U-N-S numbers',
  unnamed: 'Spend without a supplier',
  rounded: 'Rounded to scientific notation',
  no_currency: 'Without a currency (use --spend-currency, or --map spend_currency=<column>)',
} as const;
export type RowKind = keyof typeof rowKinds;

/** What was understood of a file. It is complete when all rows are read. */
export class SpendReport {
  readonly columns: SpendColumns;
  readonly format: AmountFormat;
  /** Number of rows with spend, without totals. */
  rows = 0;
  readonly kinds = new LineTallies<RowKind>();
  /** Sums by ISO 4217 code; the key is empty for rows without a currency. */
  readonly purchases = new Map<string, Decimal>();
  readonly credits = new Map<string, Decimal>();
  /** Rows with spend by year; the key is undefined for rows without a year. */
  readonly years = new LineTallies<number | undefined>();
  /** Labeled totals that are not the sum of the rows above. */
  wrongTotals: readonly WrongTotal[] = [];

  constructor(columns: SpendColumns, format: AmountFormat) {
    this.columns = columns;
    this.format = format;
  }
}

/**
 * Detects the columns of a file and reads all its amounts.
 *
 * @throws UsageError if the file, its columns or an amount cannot be used; LocalError if the file
 * changed
 */
export async function openSpendFile(
  { path, name, file, signal }: SpendInput,
  options: SpendOptions,
  journals?: JournalIds,
): Promise<SpendFile> {
  const source = new InputFile(path, name, file);
  const dialect = await detectDialect(source, options);
  const columns = withSheetHint(source, options.sheet, () =>
    chooseSpendColumns(dialect, options, journals?.mappings),
  );
  const isSelected = parseSelection(options.rows ?? [], dialect.header);
  const { spend } = columns.at;
  const evidence = new AmountFormatEvidence(source.name, dialect.header[spend] ?? '');
  for await (const { rows } of readRows(source, dialect)) {
    signal.throwIfAborted();
    for (const row of rows) {
      if (!isSelected(row.cells)) continue;
      if (hasSpend(source.name, row) && !isNumber(row, spend))
        evidence.add(row.line, row.cells[spend] ?? '');
    }
  }
  const report = new SpendReport(columns, evidence.decide(options.decimal));
  // The sample is the beginning of the file, which is not needed any more.
  const table = { dialect: { ...dialect, sample: [] }, isSelected, journals, signal };
  return new SpendFile(source, report, options, table);
}

interface SelectedTable {
  readonly dialect: CsvDialect;
  readonly isSelected: (cells: readonly string[]) => boolean;
  readonly journals: JournalIds | undefined;
  readonly signal: AbortSignal;
}

/** A file with spend whose columns and amounts are understood. */
export class SpendFile {
  readonly source: InputFile;
  readonly report: SpendReport;
  readonly #options: SpendOptions;
  readonly #table: SelectedTable;
  readonly #at: Readonly<Record<SpendField, number>>;
  readonly #sources: { readonly currency: Sources<string>; readonly year: Sources<number> };
  readonly #totals = new TotalRows();
  /* Rows with a spend of 0, which have no sign. */
  #zeros = 0;

  constructor(source: InputFile, report: SpendReport, options: SpendOptions, table: SelectedTable) {
    this.source = source;
    this.report = report;
    this.#options = options;
    this.#table = table;
    const { at, stated } = report.columns;
    this.#at = at;
    const { spendCurrency, spendYear } = options;
    const sourcesOf = <Value>(column: number, option?: Value, value?: Value): Sources<Value> => ({
      file: source.name,
      column: table.dialect.header[column],
      option,
      stated: value,
    });
    this.#sources = {
      currency: sourcesOf(at.spend_currency, spendCurrency, stated.currency),
      year: sourcesOf(at.spend_year, spendYear, stated.year),
    };
  }

  /**
   * Reads the rows in groups of some hundred. Call it once.
   *
   * @throws UsageError for an unreadable id, year or currency, and for amounts whose sign seems to
   * be inverted; LocalError if the file changed
   */
  async *rows(): AsyncGenerator<readonly SpendRow[], void, void> {
    const { source, report } = this;
    const { dialect, isSelected, journals, signal } = this.#table;
    const mapping = report.columns.registration;
    const table = { source, dialect, mapping, service: journals?.service ?? '' };
    for await (const { rows, headers } of identifyRows(table)) {
      signal.throwIfAborted();
      for (const line of headers) report.kinds.add('skipped', line);
      const selected = rows.filter(({ line, cells }) => {
        const isWanted = isSelected(cells);
        if (!isWanted) report.kinds.add('not_selected', line);
        return isWanted;
      });
      yield selected.flatMap((row) => this.#readRow(row) ?? []);
    }
    report.wrongTotals = this.#totals.wrong;
    this.#checkSigns();
  }

  /* In exports of the ledger, invoices are often credits. */
  #checkSigns(): void {
    const { purchases, credits, rows, kinds } = this.report;
    const sums = [...new Set([...purchases.keys(), ...credits.keys()])].map((code) => ({
      code,
      sum: plus(purchases.get(code) ?? zero, credits.get(code) ?? zero),
    }));
    const negative = kinds.get('credits')?.count ?? 0;
    const amounts = rows - this.#zeros;
    const isNegativeSum = sums.length > 0 && sums.every(({ sum }) => sum.units < 0n);
    if (negative * 2 <= amounts && !isNegativeSum) return;
    const list = (sign: (decimal: Decimal) => Decimal) =>
      sums.map(({ code, sum }) => `${formatDecimal(sign(sum))} ${code}`.trim()).join(', ');
    const { invert } = this.#options;
    throw invalidInput(
      `${this.source.name}: ${count.format(negative)} of ${count.format(amounts)} amounts are negative${invert ? ' with --invert' : ''}. Their sum is ${list((decimal) => decimal)}; with the opposite signs, it is ${list(negate)}`,
      invert
        ? 'Remove --invert, or select the purchases with --rows <column=value>.'
        : 'If the file shows purchases as negative amounts, use --invert. To select rows, use --rows <column=value>.',
    );
  }

  /* Returns undefined for a row that is left out. */
  #readRow(row: IdentifiedRow): SpendRow | undefined {
    const { line, cells, values } = row;
    const { name, hq_region: region, external_id: externalId } = values;
    const { report, source } = this;
    const { dialect, journals } = this.#table;
    const idText = this.#value('id', cells);
    const read = this.#readSpend(row, idText);
    if (read === undefined) return undefined;
    const place = { file: source.name, line, column: dialect.header[this.#at.id] };
    const key = isEmpty(values) ? `line ${line}` : row.key;
    const recorded = journals?.find(key);
    const id = idOfRow(place, idText, recorded);
    const year = yearOfRow(this.#sources.year, line, cells[this.#at.spend_year]);
    if (this.#options.year !== undefined && year !== this.#options.year) {
      report.kinds.add('other_years', line);
      return undefined;
    }
    if (row.restored !== undefined) report.kinds.add('restored_duns', line);
    const { spend, currency } = read;
    if (spend !== undefined) this.#count(line, spend, currency, year);
    return {
      line,
      key,
      name,
      region: region === undefined ? undefined : countryCode(region),
      id,
      isRecorded: recorded !== undefined,
      isRefused: journals?.isRefused(key) ?? false,
      externalId,
      identifiers: codeFields.flatMap((field) => values[field] ?? []),
      spend,
      currency,
      year,
      category: this.#value('category', cells),
    };
  }

  #count(line: number, spend: Decimal, code: string | undefined, year: number | undefined): void {
    const { report } = this;
    const isCredit = spend.units < 0n;
    const sums = isCredit ? report.credits : report.purchases;
    sums.set(code ?? '', plus(sums.get(code ?? '') ?? zero, spend));
    report.rows += 1;
    report.years.add(year, line);
    if (code === undefined) report.kinds.add('no_currency', line);
    if (isCredit) report.kinds.add('credits', line);
    this.#zeros += Number(spend.units === 0n);
  }

  /* Returns undefined for a total, and for a row without a supplier and without spend. */
  #readSpend(
    row: IdentifiedRow,
    idText: string | undefined,
  ): Pick<SpendRow, 'spend' | 'currency'> | undefined {
    const { line, cells, values } = row;
    const { kinds } = this.report;
    const mayHaveSpend = hasSpend(this.source.name, row);
    const amount = mayHaveSpend ? splitAmount(cells[this.#at.spend] ?? '') : undefined;
    const hasName = (values.name ?? idText) !== undefined;
    const hasLabel = idText === undefined && isLabeled(values, cells);
    if (typeof amount !== 'object') {
      const isLeftOut = !mayHaveSpend || !hasName || hasLabel;
      kinds.add(isLeftOut ? 'skipped' : 'no_spend', line);
      return isLeftOut ? undefined : { spend: undefined, currency: this.#readCurrency(row) };
    }
    const isText = !isNumber(row, this.#at.spend);
    // Without a decimal sign in the column, both readings are equal.
    const number = readNumber(amount, (isText && this.report.format.decimal) || '.');
    if (number === undefined) return undefined;
    const { invert, amountsIn = 'units' } = this.#options;
    const spend = {
      ...number,
      units: number.units * amountScales[amountsIn] * (invert ? -1n : 1n),
    };
    // The total of several currencies may have a word such as "diverse" instead of a code.
    const code = this.#value('spend_currency', cells);
    const isUnknown = code !== undefined && readCurrency(code) === undefined;
    const isWord = (!hasName || hasLabel) && isUnknown;
    const currency = isWord ? undefined : this.#readCurrency(row, amount.currency);
    const amountRow = { line, hasName, hasLabel, spend, currency };
    if (this.#totals.isTotal({ ...amountRow, isText: isText && row.kinds !== undefined })) {
      kinds.add('totals', line);
      return undefined;
    }
    if (!hasName) kinds.add('unnamed', line);
    if (amount.exponent !== undefined) kinds.add('rounded', line);
    return { spend, currency: isWord ? this.#readCurrency(row, amount.currency) : currency };
  }

  #readCurrency({ line, cells }: Row, sign?: string): string | undefined {
    return currencyOfRow(this.#sources.currency, line, cells[this.#at.spend_currency], sign);
  }

  #value(field: SpendField, cells: readonly string[]): string | undefined {
    const cell = cells[this.#at[field]];
    return cell === undefined ? undefined : cellValue(field, cell);
  }
}

const codeFields = identifierFields
  .filter(({ name, isUnique }) => isUnique && name !== 'external_id')
  .map(({ name }) => name);

function isEmpty(values: object): boolean {
  for (const _ in values) return false;
  return true;
}

/** Checks whether a cell of a workbook is a number, which has the same value in every language. */
function isNumber({ kinds }: Row, column: number): boolean {
  return kinds?.[column] === 'number';
}

/**
 * Checks whether a row may have an amount. Footers of one cell and separators have none.
 *
 * @throws UsageError for any other row whose cells may be in the wrong columns
 */
function hasSpend(file: string, { line, cells, problem }: Row): boolean {
  if (problem === undefined) return true;
  const texts = cells.filter((text) => /[\p{L}\p{N}]/u.test(text));
  if (texts.length <= 1) return false;
  throw invalidInput(
    `${file}, line ${line}: the row ${problem}`,
    'Put cells that contain the delimiter or a quote in double quotes.',
  );
}

/** Describes the options that select rows and change amounts. */
export function describeSpend(options: SpendOptions): Pick<Provenance, 'selection' | 'amounts'> {
  const { rows = [], year, invert, amountsIn = 'units' } = options;
  return {
    selection: [...rows, ...(year === undefined ? [] : [`spend of ${year}`])],
    amounts: [
      ...(invert ? ['signs reversed (--invert)'] : []),
      ...(amountsIn === 'units' ? [] : [`in ${amountsIn}`]),
    ],
  };
}

/**
 * Parses the values of `--rows`, such as `BlArt=KR` and `Status!=Void`. Several values of one
 * column select rows with any of them; different columns must all fit. Case is ignored.
 *
 * @throws UsageError for a value in another form, and for a column that the file does not have
 */
function parseSelection(texts: readonly string[], header: readonly string[]) {
  const fold = (cell = '') => normalizeCell(cell).toLowerCase();
  const conditions = texts.map((text) => {
    const [, column = '', operator, value = ''] = /^([^=!]+)(!?=)(.*)$/s.exec(text) ?? [];
    if (operator === undefined) {
      throw new UsageError(
        `--rows: "${text}" is not column=value`,
        'Name a column and its value, such as --rows BlArt=KR, or --rows "Status!=Void" to leave rows out.',
      );
    }
    const index = findColumn(header, column.trim().replace(/^"(.*)"$/, '$1'), 'rows');
    return { index, isWanted: operator === '=', value: fold(value) };
  });
  return (cells: readonly string[]) => {
    if (conditions.length === 0) return true;
    const fits = conditions.filter(({ index, value }) => fold(cells[index]) === value);
    return conditions.every(
      ({ index, isWanted }) =>
        fits.some((each) => each.index === index && each.isWanted === isWanted) === isWanted,
    );
  };
}
