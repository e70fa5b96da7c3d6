/* Tables of values: columns on a terminal, and lines `label: column value` in a pipe. */
import { renderFrame } from './columns.ts';
import { figure, numberFormats } from './figure.ts';
import { sanitize } from './sanitize.ts';
import { indent, type Section } from './section.ts';
import type { Style } from './style.ts';
import { width } from './text.ts';

type Value = string | number | boolean | null | undefined;

/** A column of a table after the first, which names the row. */
export interface FactColumn<Row> {
  readonly name: string;
  readonly title: string;
  /** The exact value. */
  value(row: Row): Value;
  /** The text on a terminal and on a page. */
  text(row: Row): string;
}

export interface FactTable<Row> {
  readonly title: string;
  readonly note?: string | undefined;
  /** Text before each label in a pipe, the title by default. */
  readonly prefix?: string;
  readonly head: string;
  label(row: Row): string;
  /** Whether the names are not those of this program, so that a pipe numbers the rows. */
  readonly isNumbered?: boolean;
  readonly columns: readonly FactColumn<Row>[];
  readonly rows: readonly Row[];
}

export function amount<Row>(
  name: string,
  title: string,
  value: (row: Row) => number | null | undefined,
  length: 'rounded' | 'compact' = 'rounded',
): FactColumn<Row> {
  const text = (row: Row) => {
    const number = value(row) ?? null;
    return number === null ? '–' : figure(number)[length];
  };
  return { name, title, value, text };
}

export function text<Row>(
  name: string,
  title: string,
  value: (row: Row) => Value,
): FactColumn<Row> {
  return { name, title, value, text: (row) => String(value(row) ?? '–') };
}

export function tableSection<Row>(table: FactTable<Row>): Section {
  const { title, note, prefix, rows, columns, label, isNumbered = false } = table;
  return {
    name: title,
    note,
    prefix: prefix ?? title.toLowerCase(),
    facts: rows.map((row, index) => ({
      label: isNumbered ? String(index + 1) : label(row),
      details: [
        ...(isNumbered ? [['', label(row)] as const] : []),
        ...columns.map((column) => {
          const shown = column.text(row);
          const value = shown.endsWith('%') ? shown.replace('−', '-') : plain(column.value(row));
          return [column.name, value] as const;
        }),
      ],
    })),
    renderTerminal: (columns: number, style: Style) => renderTable(table, columns, style),
  };
}

/** Writes a value in a pipe: without separators, exponent and digits that do not matter. */
export function plain(value: Value): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return null;
  const size = Math.abs(value);
  return size >= 100 && size < 1e15 ? String(Math.round(value)) : numberFormats.plain(value);
}

const gap = 2;
const minName = 20;

/* Columns that do not fit are left out; every other view has them. */
function renderTable<Row>(
  { columns, rows, label, head }: FactTable<Row>,
  total: number,
  style: Style,
): string[] {
  const names = rows.map((row) => sanitize(label(row)).trim());
  let rest = total - 2 - Math.min(minName, Math.max(...[head, ...names].map(width)));
  const shown = columns.flatMap(({ title, text: textOf }) => {
    const cells = rows.map((row) => sanitize(textOf(row)).trim());
    const needed = Math.max(...[title, ...cells].map(width)) + gap;
    if (rest < needed || cells.every((cell) => cell === '–')) return [];
    rest -= needed;
    return [{ title, align: 'right' as const, cells }];
  });
  return renderFrame(
    [{ title: head, cuts: true }, ...shown],
    names.map((name, row) => [name, ...shown.map(({ cells }) => cells[row] ?? '')]),
    style,
    total - 2,
  ).map(indent);
}
