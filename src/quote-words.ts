/** Writes words as one command line that a POSIX shell reads back as the same words. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (/^(?!#)[\w@%+=:,./#\p{L}-]+$/u.test(word) ? word : quoteWord(word))).join(' ');
}

/** Writes a text in quotes, which every POSIX shell, zsh and fish read back as the same text. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
