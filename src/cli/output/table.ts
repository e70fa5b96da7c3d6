/* Tables for a terminal. */

import { type KindName, kindOf } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import { renderFrame } from '../../display/terminal/columns.ts';
import { cellText, missingText } from '../../display/terminal/section.ts';
import {
  describeStatus,
  layoutColumns,
  paintMark,
  type RecordView,
  type Style,
  syntheticNote,
} from '../../display/terminal/style.ts';
import { truncate, wrap } from '../../display/terminal/text.ts';
import { figureBases } from '../../portfolio/organizations/emissions.ts';

/**
 * Renders rows for a terminal under the titles of their columns. No line is wider than the
 * terminal.
 * @param isUsual whether nobody chose the columns: numbers are then short, the status is left out
 * if it is `synced` everywhere, and scopes if there is no room for them
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: RecordView,
  isUsual = false,
): string {
  if (rows.length === 0) return '';
  const available = layoutColumns(view);
  const shown = columns.filter(
    ({ kind, value }) =>
      !isUsual || kind !== 'status' || rows.some((row) => value(row) !== 'synced'),
  );
  const lines = [
    ...tableLines(shown, rows, available, view.style, isUsual),
    ...(view.synthetic ? wrap(syntheticNote(), available).map(view.style.bold) : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Renders rows in lines of at most `available` columns, with a line that explains the marks. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  available: number,
  style: Style,
  isUsual = true,
): string[] {
  const marks = new Set<string>();
  const texts = columns.map((column) => {
    const cells = rows.map((row) => cellText(column, row, isUsual ? 'compact' : 'exact'));
    if (kindOf(column.kind).type !== 'number')
      return cells.map((cell) => painters[column.kind]?.(cell, style) ?? cell);
    const found = cells.map(markOf);
    for (const mark of found) marks.add(mark);
    const hasMarks = found.some((mark) => mark !== '');
    return cells.map((cell, row) => cell + (hasMarks && !found[row] ? ' ' : ''));
  });
  const frame = columns.map(({ name, kind, title = name }) => {
    const { align, room, leavesOut } = kindOf(kind);
    return {
      title,
      align,
      wraps: room === 'wraps',
      ...(room === 'cuts' ? { cutsTo: 8 } : {}),
      leavesOut: isUsual && leavesOut !== undefined,
    };
  });
  const cells = rows.map((_, row) => texts.map((column) => column[row] ?? ''));
  return [...renderFrame(frame, cells, style, available), ...legend(marks, available)];
}

const painters: Readonly<Partial<Record<KindName, (text: string, style: Style) => string>>> = {
  status(text, style) {
    const { glyph, tone, word } = describeStatus(text === missingText ? undefined : text);
    return paintMark(`${glyph} ${truncate(word, 12)}`, tone, style);
  },
  severity: (text, { bold }) => (text === 'error' ? bold(text) : text),
};

/* * market-based, ‡ location-based, † sum of the disclosed parts. */
function markOf(text: string): string {
  return /[*†‡]$/.exec(text)?.[0] ?? '';
}

function legend(marks: ReadonlySet<string>, columns: number): string[] {
  const used = figureBases.filter(({ mark }) => mark !== '' && marks.has(mark));
  if (used.length === 0) return [];
  return wrap(used.map(({ mark, meaning }) => `${mark} ${meaning}`).join(' · '), columns);
}
