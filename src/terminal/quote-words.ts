/** Joins words into one command line that a POSIX shell splits into the same words. */
export function quoteWords(words: readonly string[]): string {
  return words
    .map((word) =>
      /^(?!#)[\w@%+=:,./#\p{L}-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
    )
    .join(' ');
}
