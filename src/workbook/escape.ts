/*
 * Escapes of SpreadsheetML text (ECMA-376 part 1, 22.9.2.19, ST_Xstring): `_x000D_` stands for a
 * character that XML cannot contain, and `_x005F_` for an underscore that would begin an escape.
 */
const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** Replaces the escapes `_xHHHH_` in a text of a workbook by their characters. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/* Characters that XML 1.0 cannot contain (2.2), and those that a parser changes (2.11). */
const unsafe = /_(?=x[0-9A-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff]|[&<>"]|\p{Cs}/gu;
const needsEscape = /[\0-\x08\x0b-\x1f&<>"\ud800-\udfff\ufffe\uffff]|_x/;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text for the XML of a workbook. A lone surrogate becomes U+FFFD. */
export function escapeText(text: string): string {
  if (!needsEscape.test(text)) return text;
  return text.replace(unsafe, (character) => {
    const entity = entities[character];
    if (entity !== undefined) return entity;
    const code = character.charCodeAt(0);
    if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
    return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}
