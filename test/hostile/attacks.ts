/** Control, format and separator characters of Unicode that names do not need. */
export const unsafe = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** Texts that attack terminals, spreadsheets and parsers. */
export const attacks = [
  '\u001b[31mred\u001b[2J\u001b[H',
  '\u001b]0;title\u0007\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007',
  '\u009b31mC1\u0090q\u009c',
  'a\r\nError: forged\rover',
  '\u202egnp.exe\u2066x',
  '\u2028\u2029\u0000\u0008\u007f\u0085',
  '=cmd|calc!A0',
  '\ud800 alone',
  '\u{e0041}\u{e007f}tags',
];
