/*
 * Splits help texts into blocks. The program wraps them at 80 columns; manual pages and Markdown
 * wrap paragraphs differently.
 */

/** A paragraph, which may be wrapped again, or verbatim lines. */
export type Block =
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'verbatim'; readonly lines: readonly string[] };

/**
 * Splits a help text at blank lines and changes of indentation. Indented lines and lines with
 * columns are verbatim.
 */
export function readBlocks(text: string): Block[] {
  const groups: string[][] = [];
  let previous = '';
  for (const line of text.split('\n')) {
    const continues = previous !== '' && line !== '' && isIndented(previous) === isIndented(line);
    if (continues) groups.at(-1)?.push(line);
    else if (line !== '') groups.push([line]);
    previous = line;
  }
  return groups.map(toBlock);
}

const isIndented = (line: string) => line.startsWith('  ');

function toBlock(lines: readonly string[]): Block {
  const isVerbatim = isIndented(lines[0] ?? '') || lines.every((line) => /\S {2,}\S/.test(line));
  if (!isVerbatim) return { kind: 'prose', text: lines.join(' ') };
  return { kind: 'verbatim', lines: lines.map((line) => line.replace(/^ {2}/, '')) };
}

/** Wraps words into lines of at most `columns` characters. A longer word gets its own line. */
export function wrapWords(text: string, columns: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
