/*
 * Writes cells of CSV output. Another program may read the output with a different delimiter or
 * line ending, so a cell that contains any common one is quoted. The cells of a user's own CSV list
 * are written as they were; text of a service, and text that was dead in a workbook, is guarded.
 */
import { numberText } from '../../display/terminal/format.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';

/* The start of a formula in a spreadsheet, in full-width forms too (OWASP, CSV injection). */
const formula = /^\s*[=+\-@＝＋－＠]/u;

/* A formula after a delimiter. Quotes do not help if a spreadsheet splits at a different delimiter,
 * because it reads a quote within a cell as text. */
const innerFormula = /[,;|](?=[\s"]*[=+\-@＝＋－＠])/gu;

/* The same in a text with line breaks, each of which begins a row if the quotes do not help. */
const innerFormulaOfLines = /[,;|\t\r\n](?=[\s"]*[=+\-@＝＋－＠])/gu;

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
  return quoteCell(formula.test(safe) ? `'${safe}` : safe, delimiter);
}

function quoteCell(cell: string, delimiter: string): string {
  return special.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/* A number in any notation, which no spreadsheet evaluates, or only a sign. */
const harmless = /^\s*[+-](?:\s*|[\d.,'\u00a0\u202f ]*\d\s*(?:E[+-]?\d+)?\s*%?\s*)$/i;

/**
 * Guards a text of a workbook, where it is no formula, against becoming one in CSV. Numbers, a lone
 * sign and every other text stay as they are, with their line breaks.
 */
export function guardCopiedText(text: string, delimiter: string): string {
  const inner = text.replace(innerFormulaOfLines, (match) =>
    match === delimiter ? match : `${match}'`,
  );
  return formula.test(inner) && !harmless.test(inner) ? `'${inner}` : inner;
}

/** The value of a cell. `renderCsvLine` guards text against formulas, not numbers and booleans. */
export type CsvValue = string | number | boolean | null | undefined;

/**
 * Renders a row of `--csv` (RFC 4180). Numbers have the digits of the JSON output.
 * @param copied number of leading cells that are written exactly as they are
 */
export function renderCsvLine(row: readonly CsvValue[], delimiter = ',', copied = 0): string {
  // One join copies the parts once; V8 keeps a sum of many parts as a tree.
  const texts = row.map((cell, index) => {
    if (cell === null || cell === undefined) return '';
    return index < copied ? quoteCell(String(cell), delimiter) : outputCell(cell, delimiter);
  });
  return `${texts.join(delimiter)}\r\n`;
}

/* Printable ASCII that begins with a letter or digit and contains no delimiter and no quote. */
const plainText = /^[0-9A-Za-z][ !#-+\--:<-{}~]*$/;

function outputCell(value: NonNullable<CsvValue>, delimiter: string): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  return value === '' || plainText.test(value) ? value : guardCell(value, delimiter);
}

/** Returns whether a header has the columns of the results of a list. */
export function hasResultColumns(names: readonly string[]): boolean {
  return names.includes('carbon_id') && names.includes('carbon_status');
}

/**
 * Returns whether a header of CSV is that of a table of results, which is no list of organizations:
 * it has the columns of a result, or ends with `synthetic` as every table of a command does. In a
 * workbook, carbon marks its sheets.
 */
export function isResultHeader(names: readonly string[]): boolean {
  // If a workbook was saved as CSV, folded columns come after the mark of synthetic data.
  const isSheet = names.includes('ID') && names.includes('Synthetic');
  const isMarked = names.length > 1 && /^[sS]ynthetic$/.test(names.at(-1) ?? '');
  return hasResultColumns(names) || isSheet || isMarked;
}
