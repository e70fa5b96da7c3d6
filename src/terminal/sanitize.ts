/*
 * Text from the service or a file is untrusted: it may move the cursor, reverse a line or hide in
 * it. `clean` comes first; then the text may be measured and cut, and is styled last.
 */

/*
 * Invisible characters that names are written with, each only where it does something. Elsewhere
 * they hide text: any number of selectors after a letter looks like the letter alone.
 */
const invisible = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029]';
const joiningScripts =
  'Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('');
const joining = `(?!${invisible})[${joiningScripts}]`;
const written = [
  // Joiners within a word of a script that has them, such as Persian.
  `(?<=${joining})[\\u200c\\u200d](?=${joining})`,
  // Emoji: two joined, in colour or not, and keycaps.
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Variants of ideographs, which Japanese names have.
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
].join('|');

let unsafe: RegExp | undefined;

/**
 * Matches what must not reach a terminal raw: control, format and other invisible characters
 * (Unicode 4.5, 5.21 and UTR 36), lone surrogates. Joiners and variation selectors pass where names
 * need them.
 *
 * Built on first use: collecting the characters of so many properties takes a tenth of a start of
 * Node.
 */
export function unsafeCharacter(): RegExp {
  unsafe ??= new RegExp(`(?!${written})${invisible}`, 'gu');
  return unsafe;
}

const whiteSpaceControls = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const printableAscii = /^[\x20-\x7e]*$/;

/* Eight marks are more than any script stacks; thousands would cover the lines above. */
const towerOfMarks = /(?<=[\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]/gu;

/**
 * Makes foreign text one safe line: white space controls become a space, other unsafe characters
 * U+FFFD.
 */
export function sanitize(text: string): string {
  if (printableAscii.test(text)) return text;
  return text
    .replace(whiteSpaceControls, ' ')
    .replace(towerOfMarks, '')
    .replace(unsafeCharacter(), '\ufffd');
}
