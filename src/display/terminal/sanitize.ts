/*
 * Text that is safe to show and to paste. Text of the service or of a file may move the cursor,
 * reverse a line or hide text. Call `sanitize` first, then measure and cut the text, and style it
 * last.
 */
import { platform as hostPlatform } from 'node:os';

/*
 * Invisible characters that names need, each only where it has an effect. Elsewhere they hide text:
 * a letter followed by any number of selectors looks like the letter alone.
 */
const invisible = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029]';
const joiningScripts =
  'Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('');
const joining = `(?!${invisible})[${joiningScripts}]`;
const allowed = [
  // Joiners within a word of a script that uses them, such as Persian.
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  // Emoji: joined pairs, text or color presentation, and keycaps.
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Variants of ideographs, which Japanese names use.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
].join('|');

let unsafe: RegExp | undefined;

/**
 * Returns the pattern of characters that must not reach a terminal raw: control, format and other
 * invisible characters (Unicode 4.5, 5.21 and UTR 36) and lone surrogates. Joiners and variation
 * selectors pass where names need them.
 *
 * The pattern is built on first use: collecting the characters of these Unicode properties takes a
 * tenth of the start of Node. test/e2e/modules.test.ts checks that light commands do not build it.
 */
export function unsafeCharacter(): RegExp {
  unsafe ??= new RegExp(`(?!${allowed})${invisible}`, 'gu');
  return unsafe;
}

const whiteSpaceControls = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/*
 * Printable ASCII, letters of Latin, Greek and Cyrillic, punctuation, arrows, mathematical signs,
 * lines of tables, bars, kana, ideographs and Hangul. Statements have bars, and a page has a Σ.
 */
const plainText = new RegExp(
  `^[${[
    ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u1e00-\\u1fff',
    '\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u22ff\\u2500-\\u259f',
    '\\u3001-\\u3029\\u3041-\\u3096\\u309b-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3',
  ].join('')}]*$`,
);

/* No script stacks more than eight marks; thousands would cover the lines above. */
const stackedMarks = /(?<=[\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]/gu;

/**
 * Turns untrusted text into one safe line: white space controls become a space, other unsafe
 * characters U+FFFD.
 */
export function sanitize(text: string): string {
  // The patterns below take time to construct.
  if (plainText.test(text)) return text;
  return text
    .replace(whiteSpaceControls, ' ')
    .replace(stackedMarks, '')
    .replace(unsafeCharacter(), '\ufffd');
}

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

/* Prefers double quotes, which every shell removes; in them, a POSIX shell reads some signs. */
function quoteForPosix(word: string): string {
  if (/^(?!#)[\w@%+=:,./#\p{L}-]+$/u.test(word)) return word;
  return /[$`"!\\]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
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
