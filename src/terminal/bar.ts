/* Bars of one value, and charts of rows with a bar each. */
import { sanitize } from './sanitize.ts';
import type { Style, Tone } from './style.ts';
import { pad, width, wrap } from './text.ts';

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * Renders a share from 0 to 1 as a bar of exactly `columns`, in steps of an eighth of a column.
 *
 * Every share above 0 is visible. Shares outside the range count as its nearest end.
 * @param track character that fills the remaining columns, a space by default
 */
export function renderBar(
  share: number,
  columns: number,
  style: Style,
  tone: Tone = 'cyan',
  track = ' ',
): string {
  const bounded = share > 0 ? Math.min(share, 1) : 0;
  const steps = bounded > 0 ? Math.max(1, Math.round(bounded * columns * 8)) : 0;
  const filled = '█'.repeat(Math.floor(steps / 8)) + eighths[steps % 8];
  const unfilled = track.repeat(Math.max(0, columns - filled.length));
  return style[tone](filled) + (track === ' ' ? unfilled : style.dim(unfilled));
}

export interface BarRow {
  readonly label: string;
  /** Figures between label and bar, each right-aligned in its own column. */
  readonly figures: readonly string[];
  /** Draws the bar in exactly `columns`. */
  bar(columns: number): string;
}

const widestBar = 60;
const minBarWidth = 6;
const gap = 2;

/**
 * Renders rows of label, figures and a bar that fills the remaining columns; narrow layouts have no
 * bars. Labels take at most a third of the columns, their longest word, or what the bars leave, and
 * wrap.
 */
export function renderBars(
  rows: readonly BarRow[],
  columns: number,
  style: Style,
  maxBarWidth = widestBar,
): string[] {
  const largest = (texts: readonly string[]) =>
    texts.reduce((max, text) => Math.max(max, width(text)), 0);
  const labels = rows.map(({ label }) => sanitize(label).trim());
  const figureColumns = (rows[0]?.figures ?? []).map((_, index) =>
    largest(rows.map(({ figures }) => figures[index] ?? '')),
  );
  const figuresWidth = figureColumns.reduce((sum, size) => sum + size + gap, gap);
  const words = labels.flatMap((label) => label.split(' '));
  const labelColumn = Math.min(
    largest(labels),
    Math.max(Math.floor(columns / 3), largest(words), columns - figuresWidth - gap - maxBarWidth),
    Math.max(1, columns - figuresWidth),
  );
  const barWidth = Math.min(maxBarWidth, columns - figuresWidth - labelColumn - gap);
  return rows.flatMap(({ figures, bar }, index) => {
    const [first = '', ...others] = wrap(labels[index] ?? '', labelColumn);
    const cells = figures.map((text, column) => pad(text, figureColumns[column] ?? 0, 'left'));
    const drawn = barWidth >= minBarWidth ? [bar(barWidth)] : [];
    const line = [pad(style.dim(first), labelColumn), ...cells, ...drawn].join(' '.repeat(gap));
    return [`  ${line}`.trimEnd(), ...others.map((label) => `  ${style.dim(label)}`)];
  });
}
