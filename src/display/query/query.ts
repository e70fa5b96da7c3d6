/*
 * A query selects columns, rows and their order. It knows only a table of columns: the meaning of a
 * row belongs to the caller.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import { nearestNames } from '../../runtime/nearest.ts';
import { readForeign } from './foreign-condition.ts';
import { type KindName, kindOf, yesOrNo } from './kinds.ts';

/** The value of a column in one row; null and undefined are missing. */
export type ColumnValue = string | number | boolean | null | undefined;

/** A column of a table, which pages, workbooks, CSV, pipes, queries, the help and MCP read. */
export interface Column<Row, Name extends string = string> {
  readonly name: Name;
  /** What a terminal has instead of the name, such as a short name that a query used. */
  readonly title?: string | undefined;
  /** The header of a sheet, which has no note to say what a short title is about. */
  readonly heading?: string | undefined;
  /** For the reference and the sheet that explains a workbook; may be empty in other tables. */
  readonly description: string;
  readonly kind: KindName;
  /** The words of a rank, the lowest first. */
  readonly ranks?: readonly string[];
  /** The known values of a text; a condition with another one is a mistake. */
  readonly values?: readonly string[];
  /** The range of a number, such as 0 to 100; a condition outside of it is a mistake. */
  readonly range?: readonly [min: number, max: number];
  /** What its values are codes of, so that a condition with a name is a mistake. */
  readonly codesOf?: 'countries';
  /** What it says of the figures of its row: their year, region or currency. */
  readonly figuresOf?: 'year' | 'region' | 'currency';
  /** Whether its value is of the year of its row. */
  readonly isOfYear?: true;
  /** Whether few readers need it, so that a workbook folds it away unless the user chose it. */
  readonly isDetail?: boolean;
  /** Whether a workbook folds it away although a page shows it, as it would make rows long. */
  readonly isFolded?: boolean;
  /** Whether a table that is too wide for a terminal keeps the column. */
  readonly isKept?: boolean;
  /** Whether a condition says what all rows have, so that a view need not. */
  readonly isGiven?: boolean;
  /** When a table that is too wide leaves the column out, if not as its kind says. */
  readonly leavesFirst?: number;
  /**
   * What a workbook has in place of codes, and what its legend says of them. A condition may have
   * either.
   */
  readonly inWords?: {
    readonly description: string;
    /** Returns the word of a code; undefined if the words depend on more of a row. */
    wordOf?(code: string): string;
    /** The codes that are known, of which a condition may have the words; there may be others. */
    readonly codes?: readonly string[] | undefined;
    value(row: Row): ColumnValue;
  };
  /** Further words that a condition may have, by code. */
  readonly alsoCalled?: Readonly<Record<string, string>>;
  /** The name of the column whose numbers it counts, next to which a terminal shows it. */
  readonly countOf?: string | undefined;
  /** Returns of how many rows its number is, for a terminal. */
  count?(row: Row): ColumnValue;
  /** What a terminal marks some of its numbers with, and what the mark means. */
  readonly footnote?: Footnote<Row> | undefined;
  /** How a terminal draws the values: as bars to the largest one, or as they are. */
  readonly picture?: 'bar' | 'spark';
  value(row: Row): ColumnValue;
  /** Returns the text for people, if it is not the value in the form of its type. */
  text?(row: Row, length: 'compact' | 'exact'): string;
}

/** A name that no column has. */
export interface UnknownColumn {
  /** As written, without the sign of an order. */
  readonly name: string;
  /** The names that it may mean, with the sign, the most probable first. */
  readonly meant: readonly string[];
}

/** Rejects names that no column has, all of an option at once. */
export class UnknownColumnError extends UsageError {
  readonly where: string;
  readonly unknown: readonly UnknownColumn[];
  /** Says which names there are, for names that mean none of them. */
  readonly otherHint: string;
  constructor(where: string, unknown: readonly UnknownColumn[], otherHint: string) {
    const [first] = unknown;
    super(
      first?.name === ''
        ? `${where}: a column name is missing`
        : `${where}: unknown ${unknown.length === 1 ? 'column' : 'columns'} ${unknown.map(({ name }) => `"${name}"`).join(', ')}`,
      hintAtColumns(unknown, otherHint),
    );
    this.where = where;
    this.unknown = unknown;
    this.otherHint = otherHint;
  }
}

/* Says what names mean; each in its own words if there are several. */
function hintAtColumns(unknown: readonly UnknownColumn[], otherHint: string): string {
  const known = unknown.filter(({ meant }) => meant.length > 0);
  const meant = known.map(({ name, meant: names }) => {
    const list = names.join(' or ');
    return unknown.length === 1 ? list : `${list} for "${name}"`;
  });
  const question = meant.length > 0 ? [`Did you mean ${meant.join(', ')}?`] : [];
  return [...question, ...(known.length < unknown.length ? [otherHint] : [])].join(' ');
}

/** A mark after numbers. */
export interface Footnote<Row> {
  readonly mark: string;
  readonly meaning: string;
  isAt(row: Row): boolean;
}

export interface ColumnTable<Row> {
  readonly columns: readonly Column<Row>[];
  /** Says which names there are, in the hint at an unknown one. */
  hintAt(name: string): string;
  readonly aliases: Readonly<Record<string, string>>;
}

export interface QueryText {
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
  readonly top?: number | undefined;
  readonly where?: readonly string[] | undefined;
  readonly groupBy?: string | undefined;
  readonly sum?: string | undefined;
  /** Columns whose mean each group has. */
  readonly mean?: string | undefined;
}

export interface Query<Row> {
  /** Undefined without --columns: the output then has its usual columns. */
  readonly columns: readonly Column<Row>[] | undefined;
  readonly conditions: readonly Condition<Row>[];
  /** Undefined without --sort: rows keep their order. */
  readonly order: Order<Row> | undefined;
  readonly top: number;
  /** The columns whose values form groups; undefined without --group-by. */
  readonly groupBy: readonly Column<Row>[] | undefined;
  /** The columns that are added up in each group, and those whose mean it has. */
  readonly sum: readonly Column<Row>[];
  readonly mean: readonly Column<Row>[];
  matches(row: Row): boolean;
}

/**
 * Parses a query.
 * @throws UsageError with the option and the nearest column names, and for options that do not go
 * together
 */
export function parseQuery<Row>(table: ColumnTable<Row>, text: QueryText): Query<Row> {
  const { columns, sort, top = Number.POSITIVE_INFINITY, where = [], groupBy, sum, mean } = text;
  const other = columns === undefined ? sort && '--sort' : '--columns';
  const wrong =
    groupBy === undefined
      ? (sum && '--sum needs --group-by') || (mean && '--mean needs --group-by')
      : other && `--group-by cannot be combined with ${other}`;
  if (wrong !== undefined)
    throw new UsageError(
      wrong,
      groupBy === undefined
        ? 'Choose the groups, such as --group-by hq_region.'
        : 'Groups have the columns of --group-by and --sum, ordered by the first sum.',
    );
  const conditions = where.map((condition) => parseCondition(table, condition));
  return {
    columns: columns === undefined ? undefined : parseColumns(table, columns, '--columns'),
    conditions,
    order: sort === undefined ? undefined : parseOrder(table, sort),
    top,
    sum: sum === undefined ? [] : parseColumns(table, sum, '--sum'),
    mean: mean === undefined ? [] : parseColumns(table, mean, '--mean'),
    groupBy: groupBy === undefined ? undefined : parseColumns(table, groupBy, '--group-by'),
    matches: (row) => conditions.every((condition) => condition.matches(row)),
  };
}

interface Order<Row> {
  readonly columns: readonly Column<Row>[];
  /** Whether the largest value of the first column comes first. */
  readonly isDescending: boolean;
  keys(row: Row): RowKeys;
  /** Missing values come last in both directions. */
  compare(a: RowKeys, b: RowKeys): number;
}

/** A key for each column of the order; null is missing. */
export type RowKeys = readonly (string | number | null)[];

/* Parses an order, such as `-score,name`: `-` for the largest first. */
function parseOrder<Row>(table: ColumnTable<Row>, text: string): Order<Row> {
  const where = `--sort "${text}"`;
  const meant = meantOrder(table, text);
  if (meant !== undefined)
    throw new UsageError(
      `${where}: the direction is a - before the column, not a word`,
      `Did you mean --sort ${meant}?`,
    );
  checkSeparators(table, text, '--sort');
  const names = splitNames(text);
  const parts = findColumns(table, names, where).map((column, index) => ({
    column,
    direction: names[index]?.startsWith('-') ? -1 : 1,
  }));
  return {
    columns: parts.map(({ column }) => column),
    isDescending: parts[0]?.direction === -1,
    keys: (row) => parts.map(({ column }) => sortKey(column, column.value(row)) ?? null),
    compare: (a, b) => {
      for (const [index, { direction }] of parts.entries()) {
        const [left = null, right = null] = [a[index], b[index]];
        if (left === right) continue;
        if (left === null || right === null) return left === null ? 1 : -1;
        const order = direction * compareKeys(left, right);
        if (order !== 0) return order;
      }
      return 0;
    },
  };
}

/* Returns the order that one with directions as in SQL means; undefined for any other text. */
function meantOrder<Row>(table: ColumnTable<Row>, text: string): string | undefined {
  const read = splitNames(text).map((part) => {
    const [, name = part, word] = /^(.*?)[\s:]+(asc|desc)(?:ending)?$/i.exec(part) ?? [];
    return { name, word: word?.toLowerCase() };
  });
  const isMeant =
    read.some(({ word }) => word !== undefined) &&
    read.every(({ name }) => columnNamed(table, name.replace(/^-/, '')) !== undefined);
  if (!isMeant) return undefined;
  return read.map(({ name, word }) => (word === 'desc' ? name.replace(/^-?/, '-') : name)).join();
}

/* Parses names of columns, separated by commas; the names become the titles. */
function parseColumns<Row>(
  table: ColumnTable<Row>,
  text: string,
  option: string,
): readonly Column<Row>[] {
  checkSeparators(table, text, option);
  const names = splitNames(text);
  const where = names.length > 1 ? `${option} "${text}"` : option;
  const found = new Map<Column<Row>, string>();
  for (const [index, column] of findColumns(table, names, where).entries()) {
    const name = names[index] ?? '';
    if (found.has(column))
      throw new UsageError(
        `${where}: column ${column.name} is given twice`,
        'Name each column once.',
      );
    found.set(column, readColumnName(table, name) ?? column.name);
  }
  // A file for programs has the names that were asked for; those of groups are keys of JSON.
  return [...found].map(([column, title]) =>
    option === '--columns' ? { ...column, name: title, title } : { ...column, title },
  );
}

function splitNames(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** @throws UsageError for names of columns that something else than a comma separates */
function checkSeparators<Row>(table: ColumnTable<Row>, text: string, option: string): void {
  const names = text.split(/[,;|\s]+/).filter((name) => name !== '');
  const isKnown = (name: string) => columnNamed(table, name.replace(/^-/, '')) !== undefined;
  const given = splitNames(text);
  if (given.every(isKnown) || !given.some((part) => /[;|\s]/.test(part))) return;
  if (!names.every(isKnown)) return;
  throw new UsageError(
    `${option} "${text}": commas separate the names of columns`,
    `Did you mean ${option} ${names.join()}?`,
  );
}

const isoDate = /^\d{4}-\d\d-\d\d(?!\d)/;

/* A date that is not an ISO 8601 date and a word that is no known rank count as missing. */
function sortKey<Row>(column: Column<Row>, value: ColumnValue): string | number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  switch (kindOf(column.kind).type) {
    case 'number':
      return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : undefined;
    case 'date':
      return isoDate.exec(String(value))?.[0];
    case 'rank': {
      const rank = column.ranks?.indexOf(String(value)) ?? -1;
      return rank < 0 ? undefined : rank;
    }
    default:
      return foldText(String(value));
  }
}

/** Folds text for comparison: case and the forms of accents do not matter. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

let collator: Intl.Collator | undefined;

/* Numbers within text count as numbers, as in `Hall 2`. */
function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(String(a), String(b));
}

/*
 * Finds columns by their names or short names, both with or without a sign.
 * @param where the option and its value, for the error
 * @param isPossible whether a column may be meant by another name
 */
function findColumns<Row>(
  table: ColumnTable<Row>,
  names: readonly string[],
  where: string,
  isPossible?: (column: Column<Row>) => boolean,
): Column<Row>[] {
  const unknown: UnknownColumn[] = [];
  const found = names.flatMap((signed) => {
    const [, sign = '', text = ''] = /^(-?)(.*)$/s.exec(signed) ?? [];
    const column = columnNamed(table, text);
    if (column !== undefined) return [column];
    const name = text.trim();
    const meant = name === '' ? [] : meantColumns(table, text, isPossible);
    unknown.push({ name, meant: meant.map((each) => sign + each) });
    return [];
  });
  const [empty] = unknown.filter(({ name }) => name === '');
  if (unknown.length > 0)
    throw new UnknownColumnError(
      where,
      empty === undefined ? unknown : [empty],
      table.hintAt(empty === undefined && unknown.length === 1 ? (unknown[0]?.name ?? '') : ''),
    );
  return found;
}

function columnNamed<Row>(table: ColumnTable<Row>, text: string): Column<Row> | undefined {
  const name = readColumnName(table, text);
  return name === undefined ? undefined : columnOf(table, name);
}

/** Returns the name or short name of a column that a text is, however it is written. */
export function readColumnName<Row>(table: ColumnTable<Row>, text: string): string | undefined {
  const folded = foldName(text);
  return namesIn(table).find((name) => foldName(name) === folded);
}

function namesIn<Row>({ columns, aliases }: ColumnTable<Row>): string[] {
  return [...Object.keys(aliases), ...columns.map(({ name }) => name)];
}

function columnOf<Row>({ columns, aliases }: ColumnTable<Row>, name: string) {
  const full = Object.hasOwn(aliases, name) ? aliases[name] : name;
  return columns.find((column) => column.name === full);
}

/* Case does not matter, nor what stands between letters and digits: `Scope 1 + 2`, `scope12`. */
function foldName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .replace(/(?<=\d)and(?=\d)/g, '');
}

/*
 * Returns the names that an unknown one may mean, short names before all others: those written
 * almost like it, otherwise those with the word.
 */
function meantColumns<Row>(
  table: ColumnTable<Row>,
  text: string,
  isPossible: (column: Column<Row>) => boolean = () => true,
): string[] {
  const named = namesIn(table).flatMap((name) => {
    const column = columnOf(table, name);
    return column === undefined ? [] : [{ name, column, folded: foldName(name) }];
  });
  const near = nearestNames(
    foldName(text),
    named.map(({ folded }) => folded),
  );
  const word = `_${text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')}`;
  const like =
    near.length > 0
      ? named.filter(({ folded }) => near.includes(folded))
      : named.filter(({ name }) => word.length > 3 && `_${name}`.includes(word));
  // A short name that begins with the text is meant, whatever the value is.
  const begun = like.filter(({ name }) => {
    return Object.hasOwn(table.aliases, name) && `_${name}`.startsWith(word);
  });
  const fitting = near.length === 0 && begun.length > 0 ? begun : like;
  const possible = fitting.filter(({ column }) => isPossible(column));
  const names = (possible.length > 0 ? possible : fitting).map(
    ({ name, column }) => shortName(table, column) ?? name,
  );
  const short = names.filter((name) => Object.hasOwn(table.aliases, name));
  return [...new Set(short.length > 0 ? short : names)].slice(0, maxMeant);
}

const maxMeant = 3;

/* Returns the short name with which the name of a column begins. */
function shortName<Row>({ aliases }: ColumnTable<Row>, { name }: Column<Row>) {
  return Object.keys(aliases).find((each) => aliases[each] === name && name.startsWith(each));
}

const operators = ['!=', '<=', '>=', '=', '<', '>'] as const;

type Operator = (typeof operators)[number];

/* Operators of other languages. */
const otherOperators: ReadonlyMap<string, Operator> = new Map([
  ['==', '='],
  ['===', '='],
  ['!==', '!='],
  ['<>', '!='],
  ['=<', '<='],
  ['=>', '>='],
]);

export interface Condition<Row> {
  readonly column: Column<Row>;
  readonly operator: Operator;
  /** The value as written; empty for a missing value. */
  readonly text: string;
  /** The whole condition as written. */
  readonly given: string;
  matches(row: Row): boolean;
}

/** Returns whether a text of a condition is a value of its column, or the word of that value. */
export function isSaid<Row>(column: Column<Row>, text: string, value: string): boolean {
  const wanted = foldText(text);
  const words = [value, wordOf(column, value), column.alsoCalled?.[value] ?? value];
  return words.some((word) => foldText(word) === wanted);
}

/* Returns what a workbook has in place of a value. */
function wordOf<Row>({ kind, inWords }: Column<Row>, value: string): string {
  if (kindOf(kind).type === 'boolean') return yesOrNo(value === 'true');
  return inWords?.wordOf?.(value) ?? value;
}

/* The values that conditions may have; undefined if all. */
function knownValues<Row>({ kind, ranks = [], values }: Column<Row>) {
  const { type } = kindOf(kind);
  if (type === 'boolean') return ['true', 'false'];
  return type === 'rank' ? [...ranks, 'unknown'] : values;
}

/* Returns the value that a text of a condition is, or is the word of; otherwise the text. */
function codeOf<Row>(column: Column<Row>, text: string): string {
  const codes = knownValues(column) ?? column.inWords?.codes;
  return codes?.find((code) => isSaid(column, text, code)) ?? text;
}

/* Parses a condition, such as `score<40`. */
/* The operators of PowerShell and bash. */
const shellOperators: ReadonlyMap<string, string> = new Map([
  ['-eq', '='],
  ['-ne', '!='],
  ['-lt', '<'],
  ['-le', '<='],
  ['-gt', '>'],
  ['-ge', '>='],
]);

/* Returns a condition that only lacks its operator: `country DE`. */
function withOperator<Row>(table: ColumnTable<Row>, text: string): string | undefined {
  const [name = '', next = '', ...rest] = text.trim().split(/[\s:]+/);
  if (next === '' || columnNamed(table, name) === undefined) return undefined;
  const operator = shellOperators.get(next.toLowerCase());
  const value = [...(operator === undefined ? [next] : []), ...rest].join(' ');
  return `${name}${operator ?? '='}${value}`;
}

function parseCondition<Row>(table: ColumnTable<Row>, text: string): Condition<Row> {
  const where = `--where "${text}"`;
  const foreign = readForeign(text, (name) => {
    const column = columnNamed(table, name);
    if (column === undefined) return undefined;
    const { kind, codesOf } = column;
    const isText = kindOf(kind).type === 'text';
    return { isText, isWhole: kind === 'id' || kind === 'year', isCode: codesOf !== undefined };
  });
  if (foreign !== undefined) throw new UsageError(`${where}: ${foreign.problem}`, foreign.hint);
  const [, name = '', given, value = ''] = /^([^=<>!]*)([=<>!]+)(.*)$/s.exec(text) ?? [];
  const operator = operators.find((each) => each === given);
  const meant = columnNamed(table, name) && otherOperators.get(given ?? '');
  const completed = given === undefined ? withOperator(table, text) : undefined;
  if (operator === undefined)
    throw new UsageError(
      given === undefined
        ? `${where} is not a condition: it needs a column, an operator and a value`
        : `${where}: unknown operator ${given}`,
      meant !== undefined
        ? `Did you mean --where "${name}${meant}${value}"?`
        : completed !== undefined
          ? `Did you mean --where "${completed}"?`
          : `Put one of ${operators.join(' ')} between the column and the value, and all of it in double quotes, such as --where "score<40".`,
    );
  const wanted = value.trim();
  const [column] = findColumns(table, [name], where, (each) => mayBe(each, wanted));
  if (column === undefined) throw new Error(`no column for ${where}`);
  // Errors repeat the name as it was written.
  const asWritten = { ...column, name: readColumnName(table, name) ?? column.name };
  const test = readTest(asWritten, operator, wanted, where);
  return {
    column,
    operator,
    text: wanted,
    given: text.trim(),
    matches: (row) => test(column.value(row)),
  };
}

/* Checks whether a text can be a value of a column. */
function mayBe<Row>(column: Column<Row>, text: string): boolean {
  try {
    if (text !== '') checkValue(column, text, '');
    return true;
  } catch {
    return false;
  }
}

type Test = (value: ColumnValue) => boolean;

function readTest<Row>(
  column: Column<Row>,
  operator: Operator,
  given: string,
  where: string,
): Test {
  const { name } = column;
  const { type } = kindOf(column.kind);
  if (given === '') {
    const isMissing: Test = (value) => value === null || value === undefined || value === '';
    if (operator === '=') return isMissing;
    if (operator === '!=') return (value) => !isMissing(value);
    throw new UsageError(
      `${where}: a value is missing`,
      `Use ${name}= for missing values and ${name}!= for all others.`,
    );
  }
  checkValue(column, given, where);
  const text = codeOf(column, given);
  const wanted = type === 'number' ? Number(text) : foldText(text);
  const equals: Test = (value) => {
    if (value === null || value === undefined) return false;
    if (type === 'number') return value === wanted;
    if (type === 'date') return typeof value === 'string' && value.startsWith(text);
    return isSaid(column, text, String(value));
  };
  if (operator === '=') return equals;
  if (operator === '!=') return (value) => !equals(value);
  if (type === 'boolean')
    throw new UsageError(
      `${where}: operator ${operator} does not apply to ${name}, which is true or false`,
      `Use ${name}=true or ${name}=false.`,
    );
  const limit = type === 'date' ? text : sortKey(column, wanted);
  if (limit === undefined)
    throw new UsageError(
      `${where}: "${text}" is neither higher nor lower than a rank`,
      `Use ${name}=${text} or ${name}!=${text}.`,
    );
  return (value) => {
    const key = sortKey(column, value);
    if (key === undefined) return false;
    // A code that is not known is equal to its word.
    if (equals(value)) return operator.endsWith('=');
    // A date is compared as precisely as the limit is written: 2024 is the year.
    const order = compareKeys(type === 'date' ? String(key).slice(0, text.length) : key, limit);
    if (order === 0) return operator.endsWith('=');
    return order < 0 === operator.startsWith('<');
  };
}

const scales: readonly (readonly [scale: number, words: RegExp])[] = [
  [1, /^%?$/],
  [1e3, /^(?:k|t?sd|thousand|tausend)\.?$/i],
  [1e6, /^(?:m|mio|mill?ion(?:s|en)?)\.?$/i],
  [1e9, /^(?:bn?|mrd|billions?|milliarden?)\.?$/i],
];

/* Returns the number that people write with separators, a percent sign or a scale: `1,5 Mio`. */
function numberMeant(text: string): string | undefined {
  const [, written = '', word = ''] = /^([+-]?\d[\d.,' _]*?)\s*([^\d\s]*)$/.exec(text) ?? [];
  const [scale] = scales.find(([, words]) => words.test(word)) ?? [];
  const both = /^([+-]?\d{1,3}(?:[.' _]\d{3})+),(\d+)$|^([+-]?\d{1,3}(?:,\d{3})+)\.(\d+)$/;
  const [, whole, decimals, other, others] = both.exec(written) ?? [];
  const mixed =
    (whole ?? other) && `${(whole ?? other)?.replaceAll(/[.,' _]/g, '')}.${decimals ?? others}`;
  const number = Number(mixed ?? withoutSeparators(written) ?? written);
  if (scale === undefined || written === '' || Number.isNaN(number)) return undefined;
  return String(Number((number * scale).toPrecision(15)));
}

/* Returns a number with a decimal comma, or with separators, as a program writes it. */
function withoutSeparators(text: string): string | undefined {
  if (/^[+-]?\d+,(?:\d{1,2}|\d{4,})$/.test(text)) return text.replace(',', '.');
  return /^[+-]?\d{1,3}([.,' _])\d{3}(?:\1\d{3})+$/.test(text)
    ? text.replaceAll(/[.,' _]/g, '')
    : undefined;
}

/** @throws UsageError for a text that is no value of the column */
function checkValue<Row>(column: Column<Row>, text: string, where: string): void {
  const { name, range } = column;
  const { type } = kindOf(column.kind);
  const [min, max] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const refusal = (why: string, hint?: string) =>
    new UsageError(`${where}: "${text}" ${why}`, hint);
  const meant = numberMeant(text);
  if (type === 'number' && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text))
    throw refusal(
      'is not a number',
      `${name} is a number: ${meant === undefined ? 'write digits without separators, such as 1200.5.' : `did you mean ${meant}?`}`,
    );
  if (type === 'number' && (Number(text) < min || Number(text) > max))
    throw refusal(
      `is not from ${min} to ${max}, the range of ${name}`,
      column.kind === 'year' && /^\d\d$/.test(text)
        ? `Did you mean 20${text}?`
        : `Use a number from ${min} to ${max}.`,
    );
  const known = knownValues(column);
  const isKnown = known?.some((value) => isSaid(column, text, value)) !== false;
  if (type === 'boolean' && !isKnown)
    throw refusal('is not true or false', `Use ${name}=true or ${name}=false.`);
  if (type === 'date' && !isDate(text))
    throw refusal(
      'is not a date',
      'Write a date as 2024-03-31, a month as 2024-03 or a year as 2024.',
    );
  if (!isKnown)
    throw refusal(
      `is not ${type === 'rank' ? 'a rank' : `a value of ${name}`}`,
      `Use one of ${known?.map((value) => withWord(column, value)).join(', ')}.`,
    );
}

function withWord<Row>(column: Column<Row>, value: string): string {
  const word = column.alsoCalled?.[value] ?? wordOf(column, value);
  return word === value ? value : `${value} (${word})`;
}

function isDate(text: string): boolean {
  if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(text)) return false;
  const day = text + '-01-01'.slice(text.length - 4);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
