/*
 * Writes cells of CSV output. Another program may read the output with a different delimiter or
 * line ending, so a cell that contains any common one is quoted.
 */
import { numberText } from '../terminal/format.ts';
import { sanitize } from '../terminal/sanitize.ts';

/* The start of a formula in a spreadsheet, in full-width forms too (OWASP, CSV injection). */
const formula = /^\s*[=+\-@＝＋－＠]/u;

/* A formula after a delimiter. Quotes do not help if a spreadsheet splits at a different delimiter,
 * because it reads a quote within a cell as text. */
const innerFormula = /[,;|](?=[\s"]*[=+\-@＝＋－＠])/gu;

const separator = /[,;|]/;
const special = /[\r\n",;\t|]/;

/*
 * Sanitizes untrusted text into one line that no spreadsheet evaluates as a formula, at whichever
 * delimiter it splits.
 */
function guardCell(text: string, delimiter: string): string {
  const line = sanitize(text);
  const safe = separator.test(line)
    ? line.replace(innerFormula, (match) => (match === delimiter ? match : `${match}'`))
    : line;
  const cell = formula.test(safe) ? `'${safe}` : safe;
  return special.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The value of a cell. `renderCsvLine` guards text against formulas, not numbers and booleans. */
export type CsvValue = string | number | boolean | null | undefined;

/** Renders a row of `--csv` (RFC 4180). Numbers have the digits of the JSON output. */
export function renderCsvLine(row: readonly CsvValue[], delimiter = ','): string {
  // One join copies the parts once; V8 keeps a sum of many parts as a tree.
  const texts = row.map((cell) =>
    cell === null || cell === undefined ? '' : outputCell(cell, delimiter),
  );
  return `${texts.join(delimiter)}\r\n`;
}

/* Printable ASCII that begins with a letter or digit and contains no delimiter and no quote. */
const plainText = /^[0-9A-Za-z][ !#-+\--:<-{}~]*$/;

function outputCell(value: NonNullable<CsvValue>, delimiter: string): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  return value === '' || plainText.test(value) ? value : guardCell(value, delimiter);
}

/**
 * Returns whether a header is that of a table of results, which is no list of organizations: it has
 * the columns of a result, or ends with `synthetic` as every table of a command does.
 */
export function isResultHeader(names: readonly string[]): boolean {
  const isResult = names.includes('carbon_id') && names.includes('carbon_status');
  return isResult || (names.length > 1 && names.at(-1) === 'synthetic');
}
