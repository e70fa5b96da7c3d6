import type { Style, Tone } from './style.ts';

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * Renders a share from 0 to 1 as a bar of exactly `columns`, in steps of an eighth of a column;
 * what is above 0 is visible. Shares outside the range are taken as its ends.
 * @param track fills the rest, a space by default
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
  const rest = track.repeat(Math.max(0, columns - filled.length));
  return style[tone](filled) + (track === ' ' ? rest : style.dim(rest));
}

/** One part of a stacked bar. */
export interface BarPart {
  readonly share: number;
  readonly tone: Tone;
  /** The character that it is drawn with, which tells it without colours. */
  readonly fill: string;
}

/**
 * Renders parts one after the other as a bar of exactly `columns`, in whole columns; a part above 0
 * is at least one column while there is room. Shares that add up to more than 1 are cut.
 */
export function renderStack(parts: readonly BarPart[], columns: number, style: Style): string {
  let sum = 0;
  let used = 0;
  let bar = '';
  for (const { share, tone, fill } of parts) {
    if (!(share > 0)) continue;
    sum += share;
    const end = Math.min(columns, Math.max(used + 1, Math.round(Math.min(sum, 1) * columns)));
    bar += style[tone](fill.repeat(Math.max(0, end - used)));
    used = end;
  }
  return bar + ' '.repeat(Math.max(0, columns - used));
}
