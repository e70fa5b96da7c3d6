/*
 * The cells of every CSV text that carbon writes. Another program may read it with another
 * delimiter or line ending, so a cell is quoted when any of them is in it, not only when the text's
 * own is.
 */
import { stringify } from 'csv-stringify/sync';
import { sanitize } from '../../terminal/sanitize.ts';

/* What a spreadsheet takes for a formula, in full-width forms too (OWASP, CSV injection). */
const formula = /^\s*[=+\-@＝＋－＠]/u;

/* The same behind a delimiter. Quotes do not protect it from a spreadsheet that splits at
 * another delimiter: to that, a quote within a cell is text. */
const innerFormula = /[,;|](?=[\s"]*[=+\-@＝＋－＠])/gu;

const special = /[\r\n",;\t|]/;

/**
 * Makes foreign text one safe line that no spreadsheet takes for a formula, at whichever delimiter
 * it splits.
 * @param delimiter the delimiter of the text that the cell is for
 */
export function guardCell(text: string, delimiter = ','): string {
  const safe = sanitize(text).replace(innerFormula, (found) =>
    found === delimiter ? found : `${found}'`,
  );
  return formula.test(safe) ? `'${safe}` : safe;
}

/** Writes one row; each cell is read back as it is, whatever is in it. */
export function writeRow(cells: readonly string[], delimiter: string, lineEnd: string): string {
  return stringify([cells], { delimiter, record_delimiter: lineEnd, quoted_match: special });
}

const zero = 48;
const tilde = 126;
const equals = 61;
const at = 64;

/**
 * Whether a spreadsheet takes a text for a formula. Most cells begin with a letter or a digit, and
 * cost a look.
 */
export function isFormula(text: string): boolean {
  const first = text.charCodeAt(0);
  return (
    !(first >= zero && first <= tilde && first !== equals && first !== at) && formula.test(text)
  );
}
