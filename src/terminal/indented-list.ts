import { wrap } from './text.ts';

const helpWidth = 80;

/**
 * Renders rows as indented columns for help, each as wide as its widest cell. The last column
 * wraps.
 */
export function renderColumns(rows: readonly (readonly string[])[]): string[] {
  const leading = rows.map((row) => row.slice(0, -1));
  const widths =
    leading[0]?.map((_, index) => Math.max(...leading.map((row) => row[index]?.length ?? 0))) ?? [];
  return rows.flatMap((row) => {
    const start = `  ${widths.map((size, index) => `${row[index]?.padEnd(size)}  `).join('')}`;
    const lines = wrap(row.at(-1) ?? '', helpWidth - start.length);
    return lines.map((line, index) => (index === 0 ? start : ' '.repeat(start.length)) + line);
  });
}
