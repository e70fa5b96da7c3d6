/*
 * Reads a file with spend in two passes: the first decides how its amounts are written, the second
 * yields its rows. Both read in groups of rows, so that memory does not grow with the file.
 */
import type { FileHandle } from 'node:fs/promises';
import type { OrganizationId } from '../../../client/api/ids.ts';
import { countryCode } from '../../../client/registration/countries.ts';
import { identifierFields } from '../../../client/registration/fields.ts';
import { count } from '../../../display/terminal/format.ts';
import { chooseList } from '../../../lists/kept/choose-list.ts';
import { type Journals, readJournalIds } from '../../../lists/kept/journal.ts';
import { ListReading } from '../../../lists/kept/kept-options.ts';
import { idOfRow } from '../../../lists/kept/listed-ids.ts';
import { chooseKept, type Keeping } from '../../../lists/kept/paths.ts';
import { identifyingColumn } from '../../../lists/list/columns.ts';
import { type IdentifiedRow, identifyRows, rowOptions } from '../../../lists/list/rows.ts';
import { type DecimalSign, splitAmount, type WrittenAmount } from '../../../lists/table/amounts.ts';
import { cellValue, normalizeCell } from '../../../lists/table/cell.ts';
import { type CsvDialectOptions, notAList } from '../../../lists/table/dialect.ts';
import { InputFile, withSheetHint } from '../../../lists/table/input-file.ts';
import { findColumn, mapText } from '../../../lists/table/map-option.ts';
import { type Row, readRows, withoutErrors } from '../../../lists/table/rows.ts';
import { invalidInput, UsageError } from '../../../runtime/carbon-error.ts';
import { flattenString } from '../../../runtime/flatten-string.ts';
import { type Decimal, formatDecimal, negate, plus, zero } from '../decimal.ts';
import { type AmountFormat, AmountFormatEvidence, readNumber } from './amounts.ts';
import {
  amountScales,
  type ColumnOptions,
  chooseSpendColumns,
  readSpendMap,
  type SpendColumns,
  type SpendField,
} from './columns.ts';
import { currencyOfRow, possibleCurrencies, yearOfRow } from './currency-year.ts';
import { isLabeled, TotalRows } from './total-rows.ts';

/** A file with spend. */
export interface SpendInput {
  readonly path: string;
  /** The path, or `standard input`. */
  readonly name: string;
  /** The open file if it has no path, such as a copy of standard input. */
  readonly file?: FileHandle | undefined;
  readonly signal: AbortSignal;
}

/** Returns where the files kept of a list are, those of the sandbox if there are no others. */
export function keptOf(path: string): Keeping {
  return { sandbox: chooseKept(path, {}).sandbox };
}

/** How to read a file with spend. */
export interface SpendOptions extends CsvDialectOptions, ColumnOptions {
  /** Year of all amounts. */
  readonly spendYear?: number | undefined;
  readonly decimal?: DecimalSign | undefined;
  /** The only years to read. */
  readonly years?: readonly number[] | undefined;
  /** Values of `--rows`. */
  readonly rows?: readonly string[] | undefined;
  /** Whether the amounts have the opposite sign. */
  readonly invert?: boolean | undefined;
}

/** A row of the file. Copy its strings to keep them: they are parts of the text of the file. */
export interface SpendRow {
  /** Physical line on which the row begins, from 1. */
  readonly line: number;
  readonly name: string | undefined;
  /** ISO 3166-1 alpha-2 code; undefined for an unknown country. */
  readonly region: string | undefined;
  /** The id of the organization in the journal or in the id column. */
  readonly id: OrganizationId | undefined;
  /** Whether the journal has the id. */
  readonly isRecorded: boolean;
  /** Whether the service rejected the row in the last run that sent it. */
  readonly isRejected: boolean;
  readonly externalId: string | undefined;
  /** LEI, ISIN, D-U-N-S and other numbers of the organization. */
  readonly identifiers: readonly string[];
  readonly spend: Decimal;
  /** ISO 4217 code. */
  readonly currency: string | undefined;
  readonly year: number | undefined;
  readonly category: string | undefined;
}

/** The kinds of rows that a report counts, in words. */
export const rowKinds = {
  credits: 'Credit notes, which reduce the spend',
  totals: 'Totals, not counted',
  not_selected: 'Not selected by --rows',
  other_years: 'Spend of other years',
  no_spend: 'Rows without spend, not counted',
  restored_duns: 'Restored leading zeros of D-U-N-S numbers',
  unnamed: 'Spend without a supplier',
  rounded: 'Rounded to scientific notation',
  no_currency: 'Without a currency (use --spend-currency, or --map spend_currency=<column>)',
} as const;
export type RowKind = keyof typeof rowKinds;

/** Counts rows, and keeps the lines of the first 20. */
class Tallies<Key> extends Map<Key, { count: number; readonly lines: number[] }> {
  add(key: Key, line: number): void {
    const tally = this.get(key) ?? { count: 0, lines: [] };
    this.set(key, tally);
    tally.count += 1;
    if (tally.lines.length < 20) tally.lines.push(line);
  }
}

/** What was understood of a file. It is complete when all rows are read. */
export class SpendReport {
  readonly columns: SpendColumns;
  readonly format: AmountFormat;
  /** Number of rows with spend, without totals. */
  rows = 0;
  /** Number of these above 0. */
  positive = 0;
  readonly kinds = new Tallies<RowKind>();
  /** Sums by ISO 4217 code; the key is empty for rows without a currency. */
  readonly purchases = new Map<string, Decimal>();
  readonly credits = new Map<string, Decimal>();
  /** Number of rows with spend by year; the key is undefined for rows without a year. */
  readonly years = new Map<number | undefined, number>();
  /** Years of the rows that the choice of years leaves out. */
  readonly otherYears = new Set<number>();
  readonly totals = new TotalRows();

  constructor(columns: SpendColumns, format: AmountFormat) {
    this.columns = columns;
    this.format = format;
  }

  add({ line, currency, year, spend }: SpendRow): void {
    const isCredit = spend.units < 0n;
    const sums = isCredit ? this.credits : this.purchases;
    sums.set(currency ?? '', plus(sums.get(currency ?? '') ?? zero, spend));
    this.rows += 1;
    this.positive += Number(spend.units > 0n);
    this.years.set(year, (this.years.get(year) ?? 0) + 1);
    if (currency === undefined) this.kinds.add('no_currency', line);
    if (isCredit) this.kinds.add('credits', line);
  }

  /** Counts a row of a year that the options leave out. */
  leaveOut({ line, year }: SpendRow): void {
    this.kinds.add('other_years', line);
    if (year !== undefined) this.otherYears.add(year);
  }
}

/**
 * Detects the columns of a file and reads all its amounts.
 *
 * @param kept where the files of the list are, if the file may be a registered list
 * @throws UsageError if the file, its columns or an amount cannot be used; LocalError if the file
 * changed
 */
export async function openSpendFile(input: SpendInput, options: SpendOptions, kept?: Keeping) {
  // The ways to read a file are shown with their sums.
  const explain = async (error: unknown) => {
    const { withSums } = await import('./sums.ts');
    return withSums(error, options, async (changed) => {
      const { report, rows } = await openOnce(input, changed, kept);
      for await (const _ of rows());
      return report;
    });
  };
  try {
    const file = await openOnce(input, options, kept);
    return {
      ...file,
      /**
       * Reads the rows in groups of some hundred. Call it once.
       *
       * @param onOther receives the rows of years that are not chosen
       * @throws UsageError for an unreadable id, year or currency, and for amounts whose sign seems
       * to be inverted; LocalError if the file changed
       */
      async *rows(onOther?: OnRow) {
        try {
          yield* file.rows(onOther);
        } catch (error) {
          throw await explain(error);
        }
      },
    };
  } catch (error) {
    throw await explain(error);
  }
}

/* A table of results mostly has no spend: its error is what it is. */
function withResultHint<Value>(
  { fileName }: InputFile,
  isResult: boolean,
  choose: () => Value,
): Value {
  try {
    return choose();
  } catch (error) {
    throw isResult ? notAList(fileName) : error;
  }
}

async function openOnce(
  { path, name, file, signal }: SpendInput,
  options: SpendOptions,
  kept?: Keeping,
) {
  const source = new InputFile(path, name, file);
  const given = { ...options, map: readSpendMap(options.map ?? []) };
  const list = kept && (await chooseList(source, path, kept, given));
  const journals = list && (await readJournalIds(path, list));
  const listReading = list?.reading ?? (await ListReading.choose(source, given));
  const { sample, ...dialect } = await listReading.detect(source);
  const recorded = journals?.columnsOf(dialect.header);
  const map = [...listReading.map(recorded)].map(([field, column]) => mapText(field, column));
  const columns = withResultHint(
    source,
    dialect.isResult === true && options.map === undefined,
    () =>
      withSheetHint(source, listReading.wantedSheet ?? options.sheet, () =>
        chooseSpendColumns({ ...dialect, sample }, { ...options, map }, recorded),
      ),
  );
  const isSelected = parseSelection(options.rows ?? [], dialect.header);
  const { spend } = columns.at;
  const evidence = new AmountFormatEvidence(source.name, dialect.header[spend] ?? '');
  // The sample is the beginning of the file, which is not needed any more.
  const table = { source, dialect: { ...dialect, sample: [] } };
  const how = rowOptions(columns.registration);
  for await (const { rows } of readRows(source, table.dialect, how)) {
    signal.throwIfAborted();
    for (const row of rows) {
      if (!isSelected(row.cells)) continue;
      if (hasSpend(source.name, row) && !isNumber(row, spend))
        evidence.add(row.line, withoutErrors(row)[spend] ?? '');
    }
  }
  const report = new SpendReport(columns, evidence.decide(options.decimal));
  const { header } = dialect;
  const currencies = new Map<string, string | undefined>();
  const reading = { file: source.name, header, report, options, journals, currencies };
  const mapping = columns.registration;
  return {
    source,
    report,
    /** Undefined if no row was registered. */
    journals,
    identifying: identifyingColumn(header, mapping),
    /** What is read as in the last run of the list, although no option says so. */
    kept: [...listReading.notices, ...listReading.describeMap(recorded)],
    async *rows(onOther?: OnRow) {
      for await (const { rows, headers } of identifyRows({
        ...table,
        mapping,
        service: journals?.service,
        formerCells: listReading.formerCells,
        wasRegistered: (key) => journals?.wasRegistered(key) === true,
      })) {
        signal.throwIfAborted();
        for (const line of headers) report.kinds.add('no_spend', line);
        // A total adds up rows that --rows leaves out as well.
        yield rows.flatMap((row) => {
          if (!isSelected(row.cells)) {
            report.kinds.add(isUnselectedTotal(reading, row) ? 'totals' : 'not_selected', row.line);
            return [];
          }
          const read = readRow(reading, row);
          if (read === undefined) return [];
          if (isOfOtherYear(options, read)) {
            report.leaveOut(read);
            onOther?.(read);
            return [];
          }
          if (row.restored !== undefined) report.kinds.add('restored_duns', row.line);
          report.add(read);
          return read;
        });
      }
      checkSigns(source.name, report, options);
    },
  };
}

/**
 * Checks the signs of all amounts: in exports of the ledger, invoices are often credits.
 * @throws UsageError if most of them are negative, or all sums
 */
export function checkSigns(
  name: string,
  { purchases, credits, positive, kinds }: SpendReport,
  { invert = false }: SpendOptions,
): void {
  const sums = [...new Set([...purchases.keys(), ...credits.keys()])].map((code) => ({
    code,
    sum: plus(purchases.get(code) ?? zero, credits.get(code) ?? zero),
  }));
  const negative = kinds.get('credits')?.count ?? 0;
  const amounts = positive + negative;
  const isNegativeSum = sums.length > 0 && sums.every(({ sum }) => sum.units < 0n);
  if (negative * 2 <= amounts && !isNegativeSum) return;
  const list = (sign: (decimal: Decimal) => Decimal) =>
    sums.map(({ code, sum }) => `${formatDecimal(sign(sum))} ${code}`.trim()).join(', ');
  throw invalidInput(
    `${name}: ${count.format(negative)} of ${count.format(amounts)} amounts are negative. Their sum is ${list((decimal) => decimal)}; with the opposite signs, it is ${list(negate)}`,
    'If the file shows purchases as negative amounts, use --invert, otherwise leave it out. To select rows, use --rows <column=value>.',
    () => ({
      question: 'Which amounts are purchases?',
      options: [
        invert
          ? { label: 'Positive ones', without: ['--invert'] }
          : { label: 'Negative ones', add: ['--invert'] },
      ],
    }),
  );
}

/* What reading a row needs besides the row. */
interface Reading {
  readonly file: string;
  readonly header: readonly string[];
  readonly report: SpendReport;
  readonly options: SpendOptions;
  readonly journals: Journals | undefined;
  /** Currencies by cell and sign: files have few. */
  readonly currencies: Map<string, string | undefined>;
}

type OnRow = (row: SpendRow) => void;

/* Returns undefined for a row without spend, whose kind the report counts. */
function readRow(reading: Reading, row: IdentifiedRow): SpendRow | undefined {
  const { file, header, report, options } = reading;
  const { line, values } = row;
  const cells = withoutErrors(row);
  const { at, stated } = report.columns;
  const { name, hq_region: region, external_id: externalId } = values;
  const idText = valueIn(cells, 'id', at);
  const found = readSpend(reading, cells === row.cells ? row : { ...row, cells }, idText);
  if (found === undefined) return undefined;
  const recorded = reading.journals?.find(row.key);
  const id = idOfRow({ file, line, column: header[at.id] }, idText, recorded);
  const column = header[at.spend_year];
  const years = { file, column, option: options.spendYear, stated: stated.year };
  return {
    line,
    name,
    region: region === undefined ? undefined : countryCode(region),
    id,
    isRecorded: recorded !== undefined,
    isRejected: reading.journals?.rejectionOf(row.key) !== undefined,
    externalId,
    identifiers: codeFields.flatMap((field) => values[field] ?? []),
    spend: found.spend,
    currency: found.currency,
    year: yearOfRow(years, line, cells[at.spend_year]),
    category: valueIn(cells, 'category', at),
  };
}

function isOfOtherYear({ years }: SpendOptions, { year }: SpendRow): boolean {
  return years?.includes(year ?? Number.NaN) === false;
}

/* Returns undefined for a total, and for a row without spend. */
function readSpend(
  reading: Reading,
  row: IdentifiedRow,
  idText: string | undefined,
): Pick<SpendRow, 'spend' | 'currency'> | undefined {
  const { line, cells, values } = row;
  const { kinds, totals, columns } = reading.report;
  const { at } = columns;
  const amount = hasSpend(reading.file, row) && splitAmount(cells[at.spend] ?? '');
  const hasName = (values.name ?? idText) !== undefined;
  const hasLabel = idText === undefined && isLabeled(values, cells);
  if (typeof amount !== 'object') {
    kinds.add('no_spend', line);
    return undefined;
  }
  const spend = spendOf(reading, row, amount);
  if (spend === undefined) return undefined;
  // The total of several currencies may have a word such as "diverse" instead of a code.
  const code = hasName && !hasLabel ? undefined : valueIn(cells, 'spend_currency', at);
  const isWord = code !== undefined && possibleCurrencies(code) === undefined;
  const currency = isWord ? undefined : currencyOf(reading, row, amount.currency);
  const isBare = !hasName && hasOnlySpend(reading, row);
  if (totals.isTotal({ line, isBare, hasLabel, spend, currency })) {
    kinds.add('totals', line);
    return undefined;
  }
  if (!hasName) kinds.add('unnamed', line);
  if (amount.exponent !== undefined) kinds.add('rounded', line);
  return { spend, currency: isWord ? currencyOf(reading, row, amount.currency) : currency };
}

/* Reads an amount; undefined if it is not written as the others. */
function spendOf(
  { report: { columns, format }, options }: Reading,
  row: Row,
  amount: WrittenAmount,
): Decimal | undefined {
  // Without a decimal sign in the column, both readings are equal.
  const sign = isNumber(row, columns.at.spend) ? '.' : (format.decimal ?? '.');
  const number = readNumber(amount, sign);
  if (number === undefined) return undefined;
  const { invert, amountsIn = 'units' } = options;
  const units = number.units * amountScales[amountsIn] * (invert ? -1n : 1n);
  return { units, scale: number.scale };
}

/* Checks whether a row has an amount and nothing but its currency and year. */
function hasOnlySpend({ report: { columns } }: Reading, { cells }: Row): boolean {
  const { spend, spend_currency, spend_year } = columns.at;
  const currency = columns.registration.columns.find(({ field }) => field === 'currency')?.index;
  return cells.every(
    (cell, at) =>
      [spend, spend_currency, spend_year, currency].includes(at) ||
      cellValue('category', cell) === undefined,
  );
}

/* Adds a row that --rows leaves out to the totals. Nothing in it needs to be readable. */
function isUnselectedTotal(reading: Reading, given: IdentifiedRow): boolean {
  const cells = withoutErrors(given);
  const row = cells === given.cells ? given : { ...given, cells };
  const { totals, columns } = reading.report;
  const { at } = columns;
  const amount = row.problem === undefined ? splitAmount(cells[at.spend] ?? '') : 'unreadable';
  if (amount === undefined) return false;
  const spend = amount === 'unreadable' ? undefined : spendOf(reading, row, amount);
  if (amount === 'unreadable' || spend === undefined) {
    totals.isIncomplete = true;
    return false;
  }
  const { line, values } = row;
  const idText = valueIn(cells, 'id', at);
  let currency: string | undefined;
  try {
    currency = currencyOf(reading, row, amount.currency);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  const hasName = (values.name ?? idText) !== undefined;
  const isBare = !hasName && hasOnlySpend(reading, row);
  const hasLabel = idText === undefined && isLabeled(values, cells);
  return totals.isTotal({ line, isBare, hasLabel, spend, currency });
}

function currencyOf(reading: Reading, { line, cells }: Row, sign = ''): string | undefined {
  const { file, header, report, options, currencies } = reading;
  const { at, stated } = report.columns;
  const cell = cells[at.spend_currency] ?? '';
  const key = `${cell}\n${sign}`;
  if (currencies.has(key)) return currencies.get(key);
  const column = header[at.spend_currency];
  const sources = { file, column, option: options.spendCurrency, stated: stated.currency };
  const currency = currencyOfRow(sources, line, cell, sign);
  currencies.set(flattenString(key), currency);
  return currency;
}

function valueIn(cells: readonly string[], field: SpendField, at: SpendColumns['at']) {
  const cell = cells[at[field]];
  return cell === undefined ? undefined : cellValue(field, cell);
}

const codeFields = identifierFields
  .filter(({ name, isUnique }) => isUnique && name !== 'external_id')
  .map(({ name }) => name);

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
    const index = findColumn(header, column.trim().replace(/^"(.*)"$/, '$1'));
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
