/* Reads and evaluates one --where: a column, an operator and a value. */
import { UsageError } from '../runtime/carbon-error.ts';
import {
  type ColumnTable,
  type ColumnValue,
  compareKeys,
  findColumn,
  foldText,
  type QueryColumn,
  sortKey,
} from './column.ts';

/** The operators of a condition; the longer ones come first. */
export const operators = ['!=', '<=', '>=', '=', '<', '>'] as const;

type Operator = (typeof operators)[number];

/** A condition on one column. */
export interface Condition<Row> {
  readonly column: QueryColumn<Row>;
  readonly operator: Operator;
  /** The value as written; empty for a missing value. */
  readonly text: string;
  matches(row: Row): boolean;
}

/**
 * Parses a condition, such as `score<40`.
 * @throws UsageError with the position of the mistake
 */
export function parseCondition<Row>(table: ColumnTable<Row>, text: string): Condition<Row> {
  const where = `--where "${text}"`;
  const [, name = '', operator, value = ''] = /^([^=<>!]*)(!=|<=|>=|=|<|>)(.*)$/s.exec(text) ?? [];
  if (operator === undefined)
    throw new UsageError(
      `${where}: an operator is missing at character ${text.length + 1}`,
      `Write a column, one of ${operators.join(' ')} and a value, such as --where "score<40".`,
    );
  const start = name.length - name.trimStart().length + 1;
  const column = findColumn(table, name, where, start);
  const position = name.length + operator.length + 1;
  const wanted = value.trim();
  const repeated = /^[=<>!]+/.exec(wanted)?.[0];
  if (repeated !== undefined)
    throw new UsageError(
      `${where}: unknown operator "${operator}${repeated}" at character ${name.length + 1}`,
      `Use one of ${operators.join(' ')}.`,
    );
  const test = readTest(column, operator as Operator, wanted, `${where}: `, position);
  return {
    column,
    operator: operator as Operator,
    text: wanted,
    matches: (row) => test(column.value(row)),
  };
}

type Test = (value: ColumnValue) => boolean;

function readTest<Row>(
  column: QueryColumn<Row>,
  operator: Operator,
  text: string,
  where: string,
  position: number,
): Test {
  const place = `at character ${position}`;
  if (text === '') {
    const isMissing: Test = (value) => value === null || value === undefined || value === '';
    if (operator === '=') return isMissing;
    if (operator === '!=') return (value) => !isMissing(value);
    throw new UsageError(
      `${where}a value is missing ${place}`,
      `Use ${column.name}= for missing values and ${column.name}!= for all others.`,
    );
  }
  const equals = readEquals(column, text, `${where}"${text}" ${place}`);
  if (operator === '=') return equals;
  if (operator === '!=') return (value) => !equals(value);
  if (column.type === 'boolean')
    throw new UsageError(
      `${where}operator ${operator} does not apply to ${column.name}, which is true or false`,
      `Use ${column.name}=true or ${column.name}=false.`,
    );
  const limit = column.type === 'date' ? text : sortKey(column, typed(column, text));
  if (limit === undefined)
    throw new UsageError(
      `${where}"${text}" ${place} is neither higher nor lower than a rank`,
      `Use ${column.name}=${text} or ${column.name}!=${text}.`,
    );
  return (value) => {
    const key = sortKey(column, value);
    if (key === undefined) return false;
    // A date is compared as precisely as the limit is written: 2024 is the year.
    const order = compareKeys(
      column.type === 'date' ? String(key).slice(0, text.length) : key,
      limit,
    );
    return operator.startsWith('<')
      ? order < 0 || (operator === '<=' && order === 0)
      : order > 0 || (operator === '>=' && order === 0);
  };
}

function typed<Row>({ type }: QueryColumn<Row>, text: string): ColumnValue {
  if (type === 'number') return Number(text);
  return type === 'rank' ? foldText(text) : text;
}

/* Checks that a text is a value of the column, and returns the test for an equal value. */
function readEquals<Row>(column: QueryColumn<Row>, text: string, where: string): Test {
  const { type, name } = column;
  if (type === 'number') {
    const number = readNumber(column, text, where);
    return (value) => value === number;
  }
  if (type === 'boolean') {
    const wanted = text.toLowerCase();
    if (wanted !== 'true' && wanted !== 'false')
      throw new UsageError(`${where} is not true or false`, `Use ${name}=true or ${name}=false.`);
    return (value) => String(value ?? '') === wanted;
  }
  if (type === 'date') {
    if (!isDate(text))
      throw new UsageError(
        `${where} is not a date`,
        'Write a date as 2024-03-31, a month as 2024-03 or a year as 2024.',
      );
    return (value) => typeof value === 'string' && value.startsWith(text);
  }
  const wanted = foldText(text);
  if (type === 'rank' && !column.ranks?.includes(wanted) && wanted !== 'unknown')
    throw new UsageError(
      `${where} is not a rank`,
      `Use one of ${[...(column.ranks ?? []), 'unknown'].join(', ')}.`,
    );
  return (value) => value !== null && value !== undefined && foldText(String(value)) === wanted;
}

function readNumber<Row>({ name, range }: QueryColumn<Row>, text: string, where: string): number {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    const hint = /^[+-]?\d+,\d+$/.test(text)
      ? `Write the decimal sign as a point: ${text.replace(',', '.')}`
      : `${name} is a number: write digits without separators, such as 1200.5.`;
    throw new UsageError(`${where} is not a number`, hint);
  }
  const number = Number(text);
  const [min, max] = range ?? [];
  if (min !== undefined && max !== undefined && (number < min || number > max)) {
    throw new UsageError(`${where} is not from ${min} to ${max}, the range of ${name}`);
  }
  return number;
}

function isDate(text: string): boolean {
  if (!/^\d{4}(-\d\d(-\d\d)?)?$/.test(text)) return false;
  const day = text + '-01-01'.slice(text.length - 4);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
