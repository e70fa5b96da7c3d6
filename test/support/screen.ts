import type { Output } from '../../src/runtime/context.ts';

/** An output that keeps what is written. */
export function screen(columns = 40, isTerminal = true): Output & { readonly written: string[] } {
  const written: string[] = [];
  return {
    write: (text) => void written.push(text),
    written,
    drained: undefined,
    flush: async () => undefined,
    isTerminal,
    isAnimated: isTerminal,
    columns,
    colorLevel: 0,
  };
}

/** What is left on a terminal after so much output: rows of text, the last one being written. */
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
