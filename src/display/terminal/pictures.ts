/*
 * Pictures of numbers in the characters of a terminal, in eighths of a character. They repeat what
 * the numbers beside them say, so that they need no color, and can be left out.
 */
const lengths = '▏▎▍▌▋▊▉█';
const heights = '▁▂▃▄▅▆▇█';

/**
 * Draws a share from 0 to 1 as a bar of at most `columns`. Only a share of 0 has no bar. Another
 * value counts as the nearest share.
 */
export function bar(share: number, columns: number): string {
  if (!(share > 0)) return '';
  const eighths = Math.max(1, Math.round(8 * columns * Math.min(share, 1)));
  const rest = eighths % 8;
  return '█'.repeat(Math.floor(eighths / 8)) + (lengths[rest - 1] ?? '');
}

/** Draws how much is done, from 0 to 1: a bar, and dots for the rest of the columns. */
export function progressBar(share: number, columns: number): string {
  return bar(share, columns).padEnd(columns, '·');
}

/**
 * Draws values as columns of up to one character, whose heights start at zero; a missing value
 * leaves a space. Without a value above zero, every known value has the lowest column.
 */
export function spark(values: readonly (number | null | undefined)[]): string {
  const largest = values.reduce((max: number, value) => Math.max(max, value ?? 0), 0);
  const draw = (value: number | null | undefined) => {
    if (value === null || value === undefined || Number.isNaN(value)) return ' ';
    const eighths = largest > 0 ? Math.round((8 * value) / largest) : 0;
    return heights[Math.min(8, Math.max(1, eighths)) - 1];
  };
  return values.map(draw).join('');
}
