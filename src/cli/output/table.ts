/* Tables of records as text: aligned on a terminal, fields between tabs in a pipe. */
import type { Organization } from '../../api/schema.ts';
import { isSynthetic } from '../../organizations/history.ts';
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
import { legend } from './organization-figures.ts';
import type { RecordColumn, RecordRow } from './record-columns.ts';
import {
  organizationTable,
  pipeColumns,
  type ShownColumn,
  terminalColumns,
  valuesOf,
} from './record-tables.ts';

/* A longer text, such as the description of targets, gets an ellipsis. */
const maxTextWidth = 60;

/** Renders organizations as a table with the usual columns of a terminal. */
export function renderOrganizations(records: readonly Organization[], view: RecordView): string {
  const columns = terminalColumns(organizationTable);
  const rows = records.flatMap((record) => organizationTable.rows(record));
  const cells = rows.map((row) => cellTexts(columns, row, 'compact'));
  const synthetic = view.synthetic || records.some(isSynthetic);
  return renderTable(columns, cells, { ...view, synthetic }, true);
}

/** Returns a function that renders an organization as a line of a pipe. */
export function organizationLine(): (record: Organization) => string {
  const columns = pipeColumns(organizationTable);
  return (record) =>
    organizationTable
      .rows(record)
      .map((row) => renderTabbed(valuesOf(columns, row)))
      .join('');
}

/**
 * Renders a row as fields between tabs, with every digit of a number; missing data is empty.
 */
export function renderTabbed(values: readonly CsvValue[]): string {
  return `${values.map(plainText).join('\t')}\n`;
}

/**
 * Returns the text of a cell for a terminal; empty if the value is missing.
 *
 * A mark identifies a number that is no disclosed total: * market-based, ‡ location-based, † sum of
 * the disclosed parts.
 */
export function cellText(
  { name, type }: Pick<RecordColumn, 'name' | 'type'>,
  value: CsvValue,
  length: 'compact' | 'exact',
  mark = '',
): string {
  if (type !== 'number') return truncate(plainText(value), maxTextWidth);
  if (typeof value !== 'number') return '';
  // A year has no thousands separator, and scores are compared by their first decimal.
  if (/(?:^|_)year$/.test(name)) return String(value);
  if (/(?:^|_)score$/.test(name)) return value.toFixed(1);
  return figure(value)[length] + mark;
}

/** Returns the texts of a row for a terminal. */
export function cellTexts(
  columns: readonly RecordColumn[],
  row: RecordRow,
  length: 'compact' | 'exact',
): string[] {
  return columns.map((column) => cellText(column, column.value(row), length, column.mark?.(row)));
}

/**
 * Renders rows of texts for a terminal under the titles of their columns. No line is wider than the
 * terminal.
 * @param isUsual whether nobody chose the columns: the status is then left out if it is `synced`
 * everywhere, and the scopes if there is no room for them
 */
export function renderTable(
  columns: readonly ShownColumn[],
  rows: readonly (readonly CsvValue[])[],
  view: RecordView,
  isUsual = false,
): string {
  if (rows.length === 0) return '';
  const { style } = view;
  const available = layoutColumns(view);
  const marks = new Set<string>();
  const shown = [...columns.entries()].filter(
    ([at, { name }]) => !isUsual || name !== 'status' || rows.some((row) => row[at] !== 'synced'),
  );
  const texts = shown.map(([at, { name, type }]) => {
    const cells = rows.map((row) => String(row[at] ?? ''));
    if (name === 'status') return cells.map((cell) => statusText(cell, style));
    if (type !== 'number')
      return cells.map((cell) => cell || (type === 'text' ? '–' : style.dim('–')));
    for (const cell of cells) marks.add(markOf(cell));
    return alignNumbers(cells, style);
  });
  const lines = [
    ...renderFrame(
      shown.map(([, { name, type, title = name }]) => ({
        title,
        align: type === 'number' ? 'right' : 'left',
        wraps: type === 'text' && name !== 'status' && name !== 'name',
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

function plainText(value: CsvValue): string {
  if (typeof value === 'number') return numberText(value);
  return sanitize(String(value ?? '')).trim();
}

function statusText(status: string, style: Style): string {
  const { glyph, tone, word } = describeStatus(status);
  return style[tone](`${glyph} ${truncate(word, 12)}`);
}

function markOf(text: string): string {
  return /[*†‡]$/.exec(text)?.[0] ?? '';
}

/* Aligns decimal signs, and marks after the numbers. A unit, as in 600M, ends a number. */
function alignNumbers(texts: readonly string[], style: Style): string[] {
  const fraction = (text: string) => /\.\d+(?=[*†‡]?$)/.exec(text)?.[0].length ?? 0;
  const hasUnits = texts.some((text) => /[A-Z][*†‡]?$/.test(text));
  const longest = hasUnits ? 0 : texts.reduce((max, text) => Math.max(max, fraction(text)), 0);
  const hasMarks = texts.some((text) => markOf(text) !== '');
  return texts.map((text) => {
    const mark = markOf(text);
    const end = hasMarks ? mark || ' ' : '';
    if (text === '') return style.dim('–') + end;
    const number = text.slice(0, text.length - mark.length);
    return number + ' '.repeat(Math.max(0, longest - fraction(text))) + end;
  });
}
