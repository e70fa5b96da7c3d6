/*
 * Normalizes the cells of a row. Placeholders such as `N/A` count as absent, and white space of
 * every kind becomes one space, so that two spellings of a value are equal. Row keys are hashes of
 * these values: a change here needs a new key version.
 */

const plain = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
/*
 * Characters without width: zero-width space, word joiner, byte order mark, soft hyphen. The
 * joiners of Arabic and Indic scripts (U+200C, U+200D) carry meaning between letters, so they are
 * removed only at both ends.
 */
const invisible = /\u200b|\u2060|\ufeff|\u00ad|^(?:\u200c|\u200d|\s)+|(?:\u200c|\u200d|\s)+$/gu;

const words = (text: string) => text.split('|');
const absentEverywhere = new Set(words('n/a|#n/a|n.a.|n.a|null|(null)|(blank)|not available'));
/* Organizations may have these names, and NA is the code of Namibia. */
const absentInCodes = new Set(words('none|nil|nan|unknown|not applicable|tbd|tbc|na'));

/* The first characters of these words. Most values begin with another letter. */
const absentFirst = new Set(
  [...absentEverywhere, ...absentInCodes].map((word) => word.charCodeAt(0)),
);

function beginsWithOtherLetter(value: string): boolean {
  const lower = value.charCodeAt(0) | 0x20;
  return lower >= 0x61 && lower <= 0x7a && !absentFirst.has(lower);
}

/**
 * Normalizes a cell: converts it to NFC, removes characters without width, collapses white space
 * and trims it.
 */
export function normalizeCell(cell: string): string {
  if (cell === '' || plain.test(cell)) return cell;
  return cell.normalize('NFC').replace(invisible, '').replace(/\s+/g, ' ').trim();
}

/** Checks whether a text contains no visible character. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return (first <= 0x20 || first >= 0x7f || text === '') && normalizeCell(text) === '';
}

/**
 * Returns the normalized value of a cell, or undefined for a blank cell and for a placeholder such
 * as `N/A`, `-` or `.`.
 *
 * @param field decides whether words such as `none` are placeholders: a name may be "None"
 */
export function cellValue(field: string, cell: string): string | undefined {
  const value = normalizeCell(cell);
  if (value === '') return undefined;
  if (value.length > 15 || beginsWithOtherLetter(value)) return value;
  if (/^[\p{Pd}.?*\u2026\s]+$/u.test(value)) return undefined;
  const word = value.toLowerCase();
  if (absentEverywhere.has(word)) return undefined;
  if (field !== 'name' && absentInCodes.has(word) && !(field === 'hq_region' && word === 'na'))
    return undefined;
  return value;
}

const yes = new Set(words('yes|y|true|t|1|x|ja|oui|si|sí'));
const no = new Set(words('no|n|false|f|0|nein|non'));

/** Parses yes or no in several languages; returns undefined for any other word. */
export function readBoolean(value: string): boolean | undefined {
  const word = value.toLowerCase();
  return yes.has(word) || (no.has(word) ? false : undefined);
}
