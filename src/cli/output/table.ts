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
import {
  type Marked,
  markedValuesOf,
  organizationTable,
  type ShownColumn,
  shownColumns,
  valuesOf,
} from './record-tables.ts';

/* A longer text, such as the description of targets, gets an ellipsis. */
const maxTextWidth = 60;

/** Renders organizations as a table with the default columns. */
export function renderOrganizations(records: readonly Organization[], view: RecordView): string {
  const columns = shownColumns(organizationTable, view.terminal);
  const rows = records.flatMap((record) => organizationTable.rows(record));
  if (!view.terminal) return rows.map((row) => renderTabbed(valuesOf(columns, row))).join('');
  const synthetic = view.synthetic || records.some(isSynthetic);
  const cells = rows.map((row) => markedValuesOf(columns, row));
  return renderTable(columns, cells, { ...view, synthetic });
}

/**
 * Renders a row as fields between tabs, with every digit of a number; missing data is empty.
 */
export function renderTabbed(values: readonly CsvValue[]): string {
  return `${values.map(plainText).join('\t')}\n`;
}

/**
 * Renders rows for a terminal under the titles of their columns. No line is wider than the
 * terminal.
 *
 * A mark identifies a number that is no disclosed total: * market-based, ‡ location-based, † sum of
 * the disclosed parts.
 */
export function renderTable(
  columns: readonly ShownColumn[],
  rows: readonly (readonly (CsvValue | Marked)[])[],
  view: RecordView,
): string {
  if (rows.length === 0) return '';
  const { style } = view;
  const available = layoutColumns(view);
  const texts = columns.map((column, index) =>
    cellTexts(
      column,
      rows.map((row) => row[index]),
      style,
    ),
  );
  const marks = new Set(
    rows.flatMap((row) => row.map((cell) => (isMarked(cell) ? cell.mark : ''))),
  );
  const lines = [
    ...renderFrame(
      columns.map(({ title, type, name }) => ({
        title,
        align: type === 'number' ? 'right' : 'left',
        wraps: type === 'text' && name !== 'status' && name !== 'name',
        cuts: name === 'name',
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

function isMarked(cell: CsvValue | Marked): cell is Marked {
  return typeof cell === 'object' && cell !== null;
}

function plainText(value: CsvValue): string {
  if (typeof value === 'number') return numberText(value);
  return sanitize(String(value ?? '')).trim();
}

/* Returns the cells of a column; those of numbers have aligned decimal signs. */
function cellTexts(
  { name, type }: ShownColumn,
  cells: readonly (CsvValue | Marked)[],
  style: Style,
): string[] {
  if (name === 'status')
    return cells.map((cell) => {
      const { glyph, tone, word } = describeStatus(plainText(cell as CsvValue));
      return style[tone](`${glyph} ${truncate(word, 12)}`);
    });
  const missing = type === 'text' ? '–' : style.dim('–');
  if (type !== 'number')
    return cells.map((cell) => truncate(plainText(cell as CsvValue), maxTextWidth) || missing);
  const numbers = cells.map((cell) => {
    const value = isMarked(cell) ? cell.value : cell;
    if (typeof value !== 'number') return { text: '', mark: '' };
    // A year has no thousands separator, and scores are compared by their first decimal.
    const text = /(?:^|_)year$/.test(name)
      ? String(value)
      : /(?:^|_)score$/.test(name)
        ? value.toFixed(1)
        : figure(value).rounded;
    return { text, mark: isMarked(cell) ? cell.mark : '' };
  });
  const fraction = (text: string) => /\.[^.]*$/.exec(text)?.[0].length ?? 0;
  const longest = numbers.reduce((max, { text }) => Math.max(max, fraction(text)), 0);
  const hasMarks = numbers.some(({ mark }) => mark !== '');
  return numbers.map(({ text, mark }) => {
    const end = hasMarks ? mark || ' ' : '';
    if (text === '') return `${missing}${' '.repeat(end.length)}`;
    return `${text}${' '.repeat(longest - fraction(text))}${end}`;
  });
}
