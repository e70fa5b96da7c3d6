/* Tables whose first column takes the columns that the others leave. */
import { type Column, renderFrame } from '../../../terminal/columns.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { indent } from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { truncate, width, wrapList } from '../../../terminal/text.ts';

/** A row of a table. */
export interface TableRow {
  /** Untrusted text of the first column. */
  readonly name: string;
  /** Trusted, styled texts of the other columns. */
  readonly cells: readonly string[];
  /** Texts below the row, joined by dots. */
  readonly details?: readonly string[];
}

/** A layout of a table: its columns, the first of which is flexible, and its rows. */
export interface TableLayout {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

/** Lists columns by their titles: the first is left-aligned, the others right-aligned. */
export function columnsOf(first: string, ...others: readonly string[]): readonly Column[] {
  return [{ title: first }, ...others.map((title): Column => ({ title, align: 'right' }))];
}

const gap = 2;
const margin = 2;
const minNameWidth = 4;
const preferredNameWidth = 30;

/**
 * Renders the first layout whose names fit, or the last one with names as short as necessary.
 */
export function renderTable(
  layouts: readonly TableLayout[],
  columns: number,
  style: Style,
): string[] {
  const fitting = layouts.find(
    (layout) => columns - otherColumns(layout) >= Math.min(longestName(layout), preferredNameWidth),
  );
  const layout = fitting ?? layouts.at(-1) ?? { columns: [], rows: [] };
  const { rows } = layout;
  const nameWidth = Math.max(minNameWidth, columns - otherColumns(layout));
  const [titleLine = '', rule = '', ...lines] = renderFrame(
    layout.columns,
    rows.map(({ name, cells }) => [truncate(sanitize(name).trim(), nameWidth), ...cells]),
    style,
  );
  const body = lines.flatMap((line, index) => {
    const details = (rows[index]?.details ?? []).map((text) => sanitize(text).trim());
    const below = details.length === 0 ? [] : wrapList(details, columns - 2 * margin);
    return [line, ...below.map((text) => indent(style.dim(text)))];
  });
  return [titleLine, rule, ...body].map(indent);
}

function otherColumns({ columns, rows }: TableLayout): number {
  return columns.slice(1).reduce((sum, { title }, index) => {
    const size = rows.reduce(
      (max, { cells }) => Math.max(max, width(cells[index] ?? '')),
      width(title),
    );
    return sum + size + gap;
  }, margin);
}

function longestName({ rows }: TableLayout): number {
  return rows.reduce(
    (max, { name }) => Math.max(max, width(sanitize(name).trim())),
    preferredNameWidth / 2,
  );
}
