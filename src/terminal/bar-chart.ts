import { sanitize } from './sanitize.ts';
import type { Style } from './style.ts';
import { pad, truncate, width } from './text.ts';

/** A row of a bar chart. */
export interface BarRow {
  readonly label: string;
  /** Figures between label and bar, each in a column of its own, right-aligned. */
  readonly figures: readonly string[];
  /** Draws the bar into so many columns. */
  bar(columns: number): string;
}

const maxBarWidth = 60;
const minBarWidth = 6;
const gap = 2;

/**
 * Renders rows of label, figures and a bar that takes the room which is left; without room there is
 * no bar.
 */
export function renderBars(rows: readonly BarRow[], columns: number, style: Style): string[] {
  const labels = rows.map(({ label }) => sanitize(label).trim());
  const labelColumn = Math.min(
    labels.reduce((most, label) => Math.max(most, width(label)), 0),
    Math.floor(columns / 3),
  );
  const figureColumns = (rows[0]?.figures ?? []).map((_, at) =>
    rows.reduce((most, { figures }) => Math.max(most, width(figures[at] ?? '')), 0),
  );
  const used = figureColumns.reduce((sum, size) => sum + size + gap, gap + labelColumn);
  const room = Math.min(maxBarWidth, columns - used - gap);
  return rows.map(({ figures, bar }, at) => {
    const label = pad(style.dim(truncate(labels[at] ?? '', labelColumn)), labelColumn);
    const cells = figures.map((text, of) => pad(text, figureColumns[of] ?? 0, 'left'));
    const drawn = room >= minBarWidth ? [bar(room)] : [];
    return `  ${[label, ...cells, ...drawn].join('  ')}`.trimEnd();
  });
}
