import { wrap } from './text.ts';

const helpWidth = 80;

/**
 * Renders rows as indented columns for help: each as wide as its widest cell; the last one is
 * wrapped.
 */
export function renderColumns(rows: readonly (readonly string[])[]): string[] {
  const leading = rows.map((row) => row.slice(0, -1));
  const widths =
    leading[0]?.map((_, at) => Math.max(...leading.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.flatMap((row) => {
    const start = `  ${widths.map((size, at) => `${row[at]?.padEnd(size)}  `).join('')}`;
    const lines = wrap(row.at(-1) ?? '', helpWidth - start.length);
    return lines.map((line, at) => (at === 0 ? start : ' '.repeat(start.length)) + line);
  });
}
