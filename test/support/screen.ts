import type { Screen } from '../../src/display/terminal/section.ts';
import { width } from '../../src/display/terminal/text.ts';
import type { Output } from '../../src/runtime/context.ts';

/** Creates an output that keeps the written text. */
export function screen(columns = 40, isTerminal = true): Output & { readonly written: string[] } {
  const written: string[] = [];
  return {
    write: (text) => void written.push(String(text)),
    written,
    drained: undefined,
    flush: async () => undefined,
    isTerminal,
    isAnimated: isTerminal,
    columns,
    colorLevel: 0,
  };
}

/** Returns the rows that a terminal shows after this output; the last one may be incomplete. */
export function shown({ written }: { readonly written: readonly string[] }): string[] {
  const rows = [''];
  for (const [token] of written.join('').matchAll(/\u001b\[[?\d;]*[A-Za-z]|[^\u001b]/gu)) {
    const last = rows.length - 1;
    if (token === '\n') rows.push('');
    else if (/[GK]$/.test(token) && token.startsWith('\u001b')) rows[last] = '';
    else if (!token.startsWith('\u001b')) rows[last] += token;
  }
  return rows;
}

/** Characters that no terminal may receive. */
export const unsafe = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** Returns the lines that are unsafe or wider than a terminal. */
export function badLines(text: string, columns: number): string[] {
  return text.split('\n').filter((line) => unsafe.test(line) || width(line) > columns);
}

/** Returns all that a terminal shows of a result. */
export async function screenText(screen: Promise<Screen>): Promise<string> {
  const { text, more } = await screen;
  return text + more;
}

/**
 * Returns the lines of a screen that a full one lacks: those whose cells are in none of its lines.
 * @param few a screen without `more`, as wide as the full one, so that lines break alike
 */
export function missingLines(few: string, full: string): string[] {
  const cellsOf = (line: string) =>
    line
      .replace(/[─█▉-▏▁-▇]+/gu, '')
      .split(/ {2,}/)
      .map((cell) =>
        cell.replace(/(?:; the \d+ largest of \d+)?; --(?:full|csv) lists all$/, '').trim(),
      )
      .filter(Boolean);
  const all = full.split('\n').map(cellsOf);
  return few
    .split('\n')
    .filter((line) => !all.some((cells) => cellsOf(line).every((cell) => cells.includes(cell))));
}

/** Returns a text without its escape sequences for colors. */
export function withoutColors(text: string): string {
  return text.replace(/\u001b\[\d+m/g, '');
}
