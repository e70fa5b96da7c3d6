/* The columns that a person chose, as text: a table on a terminal, tabs in a pipe. */

import type { ColumnType } from '../../query/column.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import { renderFrame } from '../../terminal/columns.ts';
import { figure } from '../../terminal/figure.ts';
import { numberText, plural } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { truncate, width, wrap } from '../../terminal/text.ts';
import { layoutColumns, type RecordView } from '../../terminal/view.ts';
import { syntheticNote } from '../output/organization/legend.ts';

/** A column of the table. */
export interface ShownColumn {
  readonly name: string;
  readonly title: string;
  readonly type: ColumnType;
}

const gap = 2;
const minWidth = 6;
const maxWidth = 60;

/** Renders a row as fields between tabs, with every digit of a number; missing data is empty. */
export function renderTabbed(values: readonly CsvValue[]): string {
  return `${values.map(plainText).join('\t')}\n`;
}

/**
 * Renders rows as a table for a terminal. Text gets shorter until the table fits; if it still does
 * not fit, the table omits the last columns and states which.
 */
export function renderColumnTable(
  columns: readonly ShownColumn[],
  rows: readonly (readonly CsvValue[])[],
  view: RecordView,
): string {
  if (rows.length === 0) return '';
  const { style } = view;
  const available = layoutColumns(view);
  const texts = columns.map((column, index) => columnTexts(column, rows, index));
  const widths = fitWidths(columns, texts, available);
  const omitted = columns.slice(widths.length).map(({ title }) => title);
  const shown = columns.slice(0, widths.length);
  const cells = rows.map((_, row) =>
    shown.map((_, index) => {
      const text = texts[index]?.[row] ?? '';
      return text.trim() === '' ? style.dim('–') : truncate(text, widths[index] ?? 1);
    }),
  );
  const heads = shown.map(({ title, type }, index) => ({
    title: truncate(title, widths[index] ?? 1),
    align: type === 'number' ? ('right' as const) : ('left' as const),
  }));
  const notes = [
    ...(omitted.length > 0
      ? [
          `${plural(omitted.length, 'column does', 'columns do')} not fit: ${omitted.join(', ')}. --csv prints all.`,
        ]
      : []),
    ...(view.synthetic ? [syntheticNote] : []),
  ];
  const lines = [
    ...renderFrame(heads, cells, style),
    ...notes.flatMap((note) => wrap(note, available)).map(style.yellow),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function plainText(value: CsvValue): string {
  if (typeof value === 'number') return numberText(value);
  return sanitize(String(value ?? '')).trim();
}

/* Aligns the decimal signs of numbers. A year has no thousands separator. */
function columnTexts(
  { name, type }: ShownColumn,
  rows: readonly (readonly CsvValue[])[],
  index: number,
): string[] {
  const texts = rows.map((row) => {
    const value = row[index];
    if (typeof value !== 'number' || /(^|_)year$/.test(name)) return plainText(value);
    return figure(value).rounded;
  });
  if (type !== 'number') return texts;
  const fractions = texts.map((text) => fractionLength(text));
  const longest = Math.max(0, ...new Set(fractions));
  return texts.map((text, row) =>
    text === '' ? '' : text + ' '.repeat(longest - (fractions[row] ?? 0)),
  );
}

function fractionLength(text: string): number {
  return /\.[^.]*$/.exec(text)?.[0].length ?? 0;
}

/*
 * Returns the width of each column that fits: as many columns as possible. Titles give way first,
 * then the widest text, but no number loses a digit.
 */
function fitWidths(
  columns: readonly ShownColumn[],
  texts: readonly (readonly string[])[],
  available: number,
): number[] {
  const contents = texts.map((column) =>
    Math.min(
      maxWidth,
      column.reduce((max, text) => Math.max(max, width(text)), 1),
    ),
  );
  for (let shown = columns.length; ; shown -= 1) {
    const widths = columns
      .slice(0, shown)
      .map(({ title }, index) => Math.max(contents[index] ?? 1, width(title)));
    shrink(
      widths,
      contents.map((size) => Math.max(size, minWidth)),
      available,
    );
    shrink(
      widths,
      contents.map((size, index) =>
        columns[index]?.type === 'number' ? size : Math.min(size, minWidth),
      ),
      available,
    );
    if (shown === 1 || tableWidth(widths) <= available) return widths;
  }
}

/* Shrinks the widest columns, none below its minimum, until the table fits. */
function shrink(widths: number[], mins: readonly number[], available: number): void {
  while (tableWidth(widths) > available) {
    const open = widths.map((size, index) => (size > (mins[index] ?? 1) ? size : 0));
    const widest = Math.max(...open);
    if (widest === 0) return;
    widths[open.indexOf(widest)] = widest - 1;
  }
}

function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size + gap, -gap);
}
