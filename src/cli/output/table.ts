/* Tables as text: aligned on a terminal, fields between tabs in a pipe. */
import { figureBases } from '../../organizations/emissions.ts';
import type { Column } from '../../query/query.ts';
import type { CsvValue } from '../../table/output-cell.ts';
import { renderFrame } from '../../terminal/columns.ts';
import { figure } from '../../terminal/figure.ts';
import { numberText } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import {
  describeStatus,
  layoutColumns,
  type RecordView,
  type Style,
  syntheticNote,
} from '../../terminal/style.ts';
import { truncate, wrap } from '../../terminal/text.ts';

/* A longer text, such as the description of targets, gets an ellipsis. */
const maxTextWidth = 60;

/**
 * Renders a row as fields between tabs, with every digit of a number; missing data is empty. A last
 * field `synthetic` marks data of the sandbox.
 */
export function renderTabbed<Row>(columns: readonly Column<Row>[], row: Row): string {
  const fields = columns.map(({ name, value }) => {
    const field = value(row);
    return plainText(name === 'synthetic' && field === true ? name : field);
  });
  if (columns.at(-1)?.name === 'synthetic' && fields.at(-1) === '') fields.pop();
  return `${fields.join('\t')}\n`;
}

function plainText(value: CsvValue): string {
  if (typeof value === 'number') return numberText(value);
  return sanitize(String(value ?? '')).trim();
}

/**
 * Renders rows for a terminal under the titles of their columns. No line is wider than the
 * terminal.
 * @param isUsual whether nobody chose the columns: numbers are then short, the status is left out
 * if it is `synced` everywhere, and the scopes if there is no room for them
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: RecordView,
  isUsual = false,
): string {
  if (rows.length === 0) return '';
  const { style } = view;
  const available = layoutColumns(view);
  const marks = new Set<string>();
  const shown = columns.filter(
    ({ name, value }) =>
      !isUsual || name !== 'status' || rows.some((row) => value(row) !== 'synced'),
  );
  const texts = shown.map((column) => {
    const cells = rows.map((row) => cellText(column, row, isUsual ? 'compact' : 'exact'));
    if (column.type !== 'number')
      return cells.map((cell) => painters[column.name]?.(cell, style) ?? (cell || '–'));
    const found = cells.map(markOf);
    for (const mark of found) marks.add(mark);
    const hasMarks = found.some((mark) => mark !== '');
    return cells.map(
      (cell, row) => (cell || style.dim('–')) + (hasMarks && !found[row] ? ' ' : ''),
    );
  });
  const lines = [
    ...renderFrame(
      shown.map(({ name, type, title = name }) => ({
        title,
        align: type === 'number' || name === 'id' ? 'right' : 'left',
        wraps: type === 'text' && painters[name] === undefined && name !== 'name',
        cuts: name === 'name',
        leavesOut: isUsual && name.startsWith('scope_'),
      })),
      rows.map((_, row) => texts.map((column) => column[row] ?? '')),
      style,
      available,
    ),
    ...legend(marks, available, style),
    ...(view.synthetic ? wrap(syntheticNote(), available).map(style.yellow) : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function cellText<Row>(column: Column<Row>, row: Row, length: 'compact' | 'exact'): string {
  if (column.text !== undefined) return sanitize(column.text(row, length));
  const { name, type } = column;
  const value = column.value(row);
  if (type !== 'number') return truncate(plainText(value), maxTextWidth);
  if (typeof value !== 'number') return '';
  // A year has no thousands separator, and scores are compared by their first decimal.
  if (/(?:^|_)year$/.test(name)) return String(value);
  if (/(?:^|_)score$/.test(name)) return value.toFixed(1);
  return figure(value)[length];
}

const painters: Readonly<Record<string, (text: string, style: Style) => string>> = {
  status(text, style) {
    const { glyph, tone, word } = describeStatus(text);
    return style[tone](`${glyph} ${truncate(word, 12)}`);
  },
  severity: (text, { red, yellow, dim }) =>
    (text === 'error' ? red : text === 'warning' ? yellow : dim)(text),
};

/* * market-based, ‡ location-based, † sum of the disclosed parts. */
function markOf(text: string): string {
  return /[*†‡]$/.exec(text)?.[0] ?? '';
}

/** Explains the marks of figures in lines of at most `columns`; no marks, no lines. */
export function legend(marks: ReadonlySet<string>, columns: number, style: Style): string[] {
  const used = figureBases.filter(({ mark }) => mark !== '' && marks.has(mark));
  if (used.length === 0) return [];
  return wrap(used.map(({ mark, meaning }) => `${mark} ${meaning}`).join(' · '), columns).map(
    style.dim,
  );
}
