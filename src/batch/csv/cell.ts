/*
 * One cell as a value. What people write into cells that are empty counts as absent; white space of
 * every kind is folded, so that two spellings of one value are one value. Keys are made of these
 * values: a change here needs a new key version.
 */

const plain = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
/*
 * Characters without width: zero-width space, word joiner, byte order mark, soft hyphen. The
 * joiners of Arabic and Indic scripts (U+200C, U+200D) carry meaning between letters and go only at
 * the ends.
 */
const invisible = /\u200b|\u2060|\ufeff|\u00ad|^(?:\u200c|\u200d|\s)+|(?:\u200c|\u200d|\s)+$/gu;

const absentEverywhere = new Set([
  'n/a',
  '#n/a',
  'n.a.',
  'n.a',
  'null',
  '(null)',
  '(blank)',
  'not available',
]);
/* These may be names of organizations, and NA is Namibia. */
const absentInCodes = new Set([
  'none',
  'nil',
  'nan',
  'unknown',
  'not applicable',
  'tbd',
  'tbc',
  'na',
]);

/**
 * The cell in its folded form: NFC, runs of white space as one space, none at the ends, nothing
 * without width.
 */
export function normalizeCell(cell: string): string {
  if (cell === '' || plain.test(cell)) return cell;
  return cell.normalize('NFC').replace(invisible, '').replace(/\s+/g, ' ').trim();
}

/** Whether nothing can be seen in a text. */
export function isBlank(text: string): boolean {
  return normalizeCell(text) === '';
}

/**
 * The value of a cell of a field, undefined where people write that there is none: blank, `N/A`,
 * `-`, `.` and their like.
 */
export function cellValue(field: string, cell: string): string | undefined {
  const value = normalizeCell(cell);
  if (value === '') return undefined;
  if (value.length > 15) return value;
  if (/^[\p{Pd}.?*\u2026\s]+$/u.test(value)) return undefined;
  const word = value.toLowerCase();
  if (absentEverywhere.has(word)) return undefined;
  if (field !== 'name' && absentInCodes.has(word) && !(field === 'hq_region' && word === 'na'))
    return undefined;
  return value;
}

const booleans = new Map([
  ...['yes', 'y', 'true', 't', '1', 'x', 'ja', 'oui', 'si', 'sí'].map(
    (word) => [word, true] as const,
  ),
  ...['no', 'n', 'false', 'f', '0', 'nein', 'non'].map((word) => [word, false] as const),
]);

/** Reads a yes or a no, undefined for anything else. */
export function readBoolean(value: string): boolean | undefined {
  return booleans.get(value.toLowerCase());
}
