import { platform as hostPlatform } from 'node:os';

/**
 * Joins words into one command line that a shell splits into the same words: a POSIX shell or, on
 * Windows, PowerShell and cmd.
 */
export function quoteWords(
  words: readonly string[],
  platform: NodeJS.Platform = hostPlatform(),
): string {
  return words.map(platform === 'win32' ? quoteForWindows : quoteForPosix).join(' ');
}

function quoteForPosix(word: string): string {
  return /^(?!#)[\w@%+=:,./#\p{L}-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/*
 * Both shells read words in double quotes, but PowerShell replaces $ and ` in them, and cmd has no
 * escape for a double quote. Words with these get the quotes of PowerShell, the default shell.
 */
function quoteForWindows(word: string): string {
  if (/^[\w+=:./\\\p{L}-]+$/u.test(word)) return word;
  if (/[$`"“”„]/.test(word)) return `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
  // A program reads a backslash before the closing quote as an escape.
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}
