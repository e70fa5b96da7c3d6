import { clean } from './clean.ts';

/* What a spreadsheet takes for a formula, in full-width forms too (OWASP, CSV injection). */
const formula = /^\s*[=+\-@＝＋－＠]/u;

/** Makes foreign text one safe line that no spreadsheet takes for a formula. */
export function guardCell(text: string): string {
  const safe = clean(text);
  return formula.test(safe) ? `'${safe}` : safe;
}
