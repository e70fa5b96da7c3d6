import type { Style, Tone } from './style.ts';

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * Renders a share from 0 to 1 as a bar of exactly `columns`, in steps of an eighth of a column; what is
 * above 0 is visible. Shares outside the range are taken as its ends.
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
