/*
 * Which rows of a table a list shows: those that meet conditions, sorted and cut off, or in groups:
 * what may be added up, and what must not be mixed.
 */
import { type KindName, kindOf } from '../../display/query/kinds.ts';
import {
  type Column,
  type ColumnValue,
  type Condition,
  foldText,
  parseQuery,
  type Query,
  type QueryText,
  UnknownColumnError,
} from '../../display/query/query.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { command, hint } from '../../runtime/hint.ts';
import { isInCurrency, type RecordColumn, type RecordRow } from './columns.ts';
import { repeatedRecords } from './matches.ts';
import { ExactSum } from './sum.ts';
import type { RecordTable } from './tables.ts';

export interface Selection extends Query<RecordRow> {
  readonly table: RecordTable;
  readonly grouping: Grouping | undefined;
}

/**
 * Parses a selection.
 * @throws UsageError as `parseQuery` does, for a text that is no country, and for a sum without a
 * meaning
 */
export async function parseSelection(table: RecordTable, text: QueryText): Promise<Selection> {
  const read = await readQuery(table, text);
  refuseErrors(read);
  const where = await Promise.all(read.conditions.map(withCountryCode));
  const isAsGiven = where.every((each, at) => each === read.conditions[at]?.given);
  const selection = isAsGiven ? read : await readQuery(table, { ...text, where });
  return { ...selection, table, grouping: planGroups(table, selection) };
}

/* Parses a query. A name that no column has may be a header of the user's list. */
async function readQuery(table: RecordTable, text: QueryText): Promise<Query<RecordRow>> {
  try {
    return parseQuery(table, text);
  } catch (error) {
    if (!(error instanceof UnknownColumnError)) throw error;
    const { fieldsOfHeader } = await import('../../client/registration/fields.ts');
    const unknown = error.unknown.map((each) => {
      const fields: readonly string[] = fieldsOfHeader(each.name);
      const meant = table.columns.find(({ name }) => fields.includes(name));
      return meant === undefined ? each : { ...each, meant: [meant.name] };
    });
    throw new UnknownColumnError(error.where, unknown, error.otherHint);
  }
}

/* Which records have errors is known when all are read: matches of several may be one. */
function refuseErrors({ conditions, order, groupBy = [] }: Query<RecordRow>): void {
  const compared = [
    ...conditions.map(({ column }) => ['--where', column] as const),
    ...(order?.columns ?? []).map((column) => ['--sort', column] as const),
    ...groupBy.map((column) => ['--group-by', column] as const),
  ];
  const found = compared.find(([, { kind }]) => kind === 'error');
  if (found !== undefined)
    throw new UsageError(
      `${found[0]} cannot use the column ${found[1].name}, which is known when all records are read`,
      hint`To list records with errors: ${command`check`}, or --columns id,name,check.`,
    );
}

/* Returns a condition with the code of a country in place of its name: records have codes. */
async function withCountryCode(condition: Condition<RecordRow>): Promise<string> {
  const { column, operator, text, given } = condition;
  if (column.codesOf !== 'countries' || !/^[^<>]*=/.test(operator)) return given;
  if (/^([a-z]{2})?$/i.test(text)) return given;
  const { countryCode, nearestCountry } = await import('../../client/registration/countries.ts');
  const code = countryCode(text);
  if (code !== undefined) return `${column.name}${operator}${code}`;
  const near = nearestCountry(text);
  throw new UsageError(
    `--where: "${text}" is no country, which ${column.name} contains`,
    near === undefined ? 'Use a code of two letters, such as DE.' : `Did you mean ${near}?`,
  );
}

export interface Grouping {
  /** Whether it adds up years, of which each has one region. */
  readonly needsOneRegion: boolean;
  readonly read: readonly RecordColumn[];
  /** The columns of the values of a group. */
  readonly columns: readonly Omit<Column<never>, 'value'>[];
  /**
   * Groups rows in the order of the first sum, the largest first, or of the number of rows without
   * a sum. Missing values form a group, too.
   * @param repeated rows that no sum contains, because another row has their figures
   */
  group(rows: Iterable<Cells>, repeated?: ReadonlySet<Cells>): RecordGroup[];
  /** Whether it adds up any figure. */
  readonly hasFigures: boolean;
  /**
   * Returns a row without wrong figures: those of its year, all others, or all; undefined if it has
   * none of them.
   */
  withoutFigures(cells: Cells, which: 'year' | 'record' | 'all'): Cells | undefined;
  /** Returns the rows of records whose figures a newer one of the same matched organization has. */
  repeatedRows(records: Iterable<readonly [RecordRows, string | undefined]>): Set<Cells>;
}

/** The rows of a record that a query selects, and its matched organization. */
export interface RecordRows {
  readonly kept: readonly { readonly cells: Cells }[];
  readonly matched: string | undefined;
}

/* The values of `read`. */
type Cells = readonly ColumnValue[];

/** Rows with the same keys. */
export interface RecordGroup {
  /** Its keys, the number of rows, and for each sum its rows and years. */
  readonly values: readonly (string | number | boolean | null)[];
  /** The years that its sums add up, in order; none if each group has its own year. */
  readonly years: readonly number[];
}

/** The currencies of the amounts of rows that a query compares. */
export interface ComparedCurrencies {
  readonly where: readonly string[];
  readonly sort: readonly string[];
}

const nothing: ComparedCurrencies = { where: [], sort: [] };

/** Finds amounts of several currencies that a query compares: `carbon` converts none. */
export class CurrencyCheck {
  readonly #where: readonly Condition<RecordRow>[];
  readonly #others: readonly Condition<RecordRow>[];
  readonly #sort: readonly RecordColumn[];

  constructor({ conditions, order }: Selection) {
    // A condition without a value only asks whether there is an amount.
    const compares = ({ column, text }: Condition<RecordRow>) =>
      isInCurrency(column) && text !== '';
    this.#where = conditions.filter(compares);
    this.#others = conditions.filter((condition) => !compares(condition));
    this.#sort = (order?.columns ?? []).filter(isInCurrency);
  }

  /**
   * Reads the currencies of the rows of a record.
   * @param met the rows that meet all conditions
   */
  read(rows: readonly RecordRow[], met: readonly RecordRow[]): ComparedCurrencies {
    if (this.#where.length + this.#sort.length === 0) return nothing;
    const left = this.#where.length === 0 ? [] : rows.filter((row) => this.#isLeft(row));
    const columns = this.#where.map(({ column }) => column);
    return { where: currenciesIn(left, columns), sort: currenciesIn(met, this.#sort) };
  }

  #isLeft(row: RecordRow): boolean {
    return this.#others.every((condition) => condition.matches(row));
  }

  /**
   * Returns a warning about an order that compares amounts of several currencies.
   * @throws UsageError for a condition that does
   */
  judge(records: Iterable<ComparedCurrencies>): string | undefined {
    const [where, sort] = [new Set<string>(), new Set<string>()];
    for (const each of records) {
      for (const code of each.where) where.add(code);
      for (const code of each.sort) sort.add(code);
    }
    const [codes, sorted] = [where, sort].map((found) => [...found].sort());
    const hint = (code = '') => `--where revenue_currency=${code}`;
    const names = (columns: readonly RecordColumn[]) =>
      [...new Set(columns.map(({ name }) => name))].join(', ');
    if (codes !== undefined && codes.length > 1)
      throw new UsageError(
        `--where compares ${names(this.#where.map(({ column }) => column))} in ${listed(codes)}, and carbon converts no currencies`,
        `Add ${hint(codes[0])}.`,
      );
    return sorted !== undefined && sorted.length > 1
      ? `--sort compares ${names(this.#sort)} in ${listed(sorted)}, and carbon converts no currencies. To sort one: ${hint(sorted[0])}`
      : undefined;
  }
}

function currenciesIn(rows: readonly RecordRow[], columns: readonly RecordColumn[]): string[] {
  const known = rows.filter((row) => columns.some(({ value }) => typeof value(row) === 'number'));
  const codes = known.map(({ performance }) => performance.revenue_currency?.trim().toUpperCase());
  return [...new Set(codes)].flatMap((code) => code || []);
}

function listed(codes: readonly string[]): string {
  return codes.length > 5 ? `${codes.length} currencies` : codes.join(' and ');
}

/* Plans the groups of a query, if it has any. Revenue is also grouped by its currency. */
function planGroups(
  table: RecordTable,
  { groupBy, sum: sums, mean: means }: Query<RecordRow>,
): Grouping | undefined {
  if (groupBy === undefined) return undefined;
  for (const column of sums) refuseSum(column);
  for (const column of means) refuseMean(column);
  const figures = [...sums, ...means];
  const noun = `${table.noun}s`;
  const said = (what: RecordColumn['figuresOf']) =>
    table.columns.filter(({ figuresOf }) => figuresOf === what);
  const isSplit = groupBy.some(({ figuresOf }) => figuresOf === 'currency');
  // Amounts of several currencies have neither sum nor mean.
  const isMixed = figures.some(isInCurrency) && !isSplit;
  const keys = isMixed ? [...groupBy, ...said('currency')] : groupBy;
  const shown: readonly (readonly [
    name: string,
    title: string | undefined,
    KindName,
    countOf?: string,
  ])[] = [
    ...keys.map(({ name, title, kind }) => [name, title, kind] as const),
    [noun, table.noun === 'organization' ? 'companies' : noun, 'count'],
    ...sums.flatMap(({ name, title, kind }) => [
      [name, title, kind] as const,
      [`${name}_${noun}`, 'of', 'count', name] as const,
      [`${name}_years`, 'years', 'span'] as const,
    ]),
    ...means.flatMap(({ name, kind }) => [
      [`mean_${name}`, `mean ${name}`, kind] as const,
      [`mean_${name}_${noun}`, 'of', 'count', `mean_${name}`] as const,
    ]),
  ];
  const isByRegion = keys.some(({ figuresOf }) => figuresOf === 'region');
  return {
    needsOneRegion: table.noun === 'row' && sums.length > 0 && !isByRegion,
    read: [...keys, ...figures, ...said('year')],
    columns: shown.map(([name, title, kind, countOf]) => {
      return { name, title, kind, description: '', countOf };
    }),
    group: (rows, repeated = new Set()) => groupRows(rows, repeated, { keys, sums, means }),
    hasFigures: figures.length > 0,
    withoutFigures: (cells, which) => {
      const isWrong = (index: number) => {
        const column = figures[index - keys.length];
        if (column === undefined || (cells[index] ?? null) === null) return false;
        return which === 'all' || (which === 'year') === (column.isOfYear === true);
      };
      if (!cells.some((_, index) => isWrong(index))) return undefined;
      return cells.map((cell, index) => (isWrong(index) ? null : cell));
    },
    repeatedRows: (records) => {
      const isAdded = ({ cells }: { readonly cells: Cells }) =>
        cells.slice(keys.length, keys.length + figures.length).some((it) => typeof it === 'number');
      const summed = [...records].map(([{ kept, matched }, time]) => {
        return [{ kept, matched, hasFigures: kept.some(isAdded) }, time] as const;
      });
      return new Set(
        [...repeatedRecords(summed)].flatMap(({ kept }) => kept.map(({ cells }) => cells)),
      );
    },
  };
}

function groupRows(
  rows: Iterable<Cells>,
  repeated: ReadonlySet<Cells>,
  columns: Readonly<Record<'keys' | 'sums' | 'means', readonly RecordColumn[]>>,
): RecordGroup[] {
  const [keyCount, sumCount] = [columns.keys.length, columns.sums.length];
  const figures = [...columns.sums, ...columns.means];
  const groups = new Map<
    string,
    { keys: readonly ColumnValue[]; rows: number; sums: GroupSum[] }
  >();
  for (const row of rows) {
    const keys = row.slice(0, keyCount);
    const name = JSON.stringify(keys.map((key) => foldText(String(key ?? ''))));
    const group = groups.get(name) ?? { keys, rows: 0, sums: figures.map(() => new GroupSum()) };
    groups.set(name, group);
    group.rows += 1;
    if (repeated.has(row)) continue;
    const year = row[keyCount + figures.length];
    for (const [index, sum] of group.sums.entries()) {
      const value = row[keyCount + index];
      if (typeof value === 'number') sum.add(value, figures[index]?.isOfYear && year);
    }
  }
  const order = ({ sums: [first], rows: count }: { sums: readonly GroupSum[]; rows: number }) =>
    first === undefined ? count : (first.value ?? Number.NEGATIVE_INFINITY);
  const isOfOneYear = columns.keys.some(({ figuresOf }) => figuresOf === 'year');
  return [...groups.values()]
    .toSorted((a, b) => (order(a) === order(b) ? 0 : order(b) - order(a)))
    .map(({ keys, rows: count, sums: all }) => {
      const [sums, means] = [all.slice(0, sumCount), all.slice(sumCount)];
      const years = new Set(isOfOneYear ? [] : sums.flatMap((sum) => sum.years));
      return {
        values: [
          ...keys.map((key) => key ?? null),
          count,
          ...sums.flatMap((sum) => [sum.value, sum.count, spanOf(sum.years)]),
          ...means.flatMap((sum) => [sum.mean, sum.count]),
        ],
        years: [...years].sort((a, b) => a - b),
      };
    });
}

function spanOf(years: readonly number[]): string | null {
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined) return null;
  return first === last ? String(first) : `${first} to ${last}`;
}

class GroupSum {
  count = 0;
  readonly #sum = new ExactSum();
  readonly #years = new Set<number>();

  add(value: number, year: ColumnValue): void {
    this.#sum.add(value);
    this.count += 1;
    if (typeof year === 'number') this.#years.add(year);
  }

  /* Null if no row of the group has a value. */
  get value(): number | null {
    return this.count === 0 ? null : this.#sum.written;
  }

  get mean(): number | null {
    return this.count === 0 ? null : Number((this.#sum.written / this.count).toPrecision(15));
  }

  /* In order. */
  get years(): number[] {
    return [...this.#years].sort((a, b) => a - b);
  }
}

/* A mean says something of every number but a year. */
function refuseMean({ name, kind }: RecordColumn): void {
  const { type, written } = kindOf(kind);
  if (type === 'number' && written !== 'plain') return;
  throw new UsageError(
    `--mean: ${name} has no mean: it is not an amount`,
    'Use --mean score,scope_1.',
  );
}

function refuseSum({ name, kind }: RecordColumn): void {
  const { noSum } = kindOf(kind);
  if (noSum === undefined) return;
  throw new UsageError(
    `--sum: carbon does not add up ${name}: ${noSum}`,
    'Use --sum scope_1,scope_2 or --sum revenue.',
  );
}
