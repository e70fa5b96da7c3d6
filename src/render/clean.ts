/*
 * Text from the service or a file is untrusted: it may move the cursor, reverse a line or hide in it.
 * `clean` comes first; then the text may be measured and cut, and is styled last.
 */

/**
 * Matches what must not reach a terminal raw: control, format and other invisible characters (Unicode 4.5,
 * 5.21 and UTR 36), lone surrogates. Joiners and variation selectors pass, because names are written with them.
 */
export const unsafeCharacter =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

const whiteSpaceControls = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const printableAscii = /^[\x20-\x7e]*$/;

/* Eight marks are more than any script stacks; thousands would cover the lines above. */
const towerOfMarks = /(?<=[\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]/gu;

/** Makes foreign text one safe line: white space controls become a space, other unsafe characters U+FFFD. */
export function clean(text: string): string {
  if (printableAscii.test(text)) return text;
  return text.replace(whiteSpaceControls, ' ').replace(unsafeCharacter, '\ufffd').replace(towerOfMarks, '');
}
