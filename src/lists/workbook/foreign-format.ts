/* Recognizes files that are neither .xlsx nor CSV, and creates the errors of unreadable files. */
import { invalidInput, type UsageError } from '../../runtime/carbon-error.ts';

/** Checks whether a file begins like a zip archive, as every .xlsx workbook does. */
export function isZip(first: Uint8Array): boolean {
  const [p, k, a, b] = first;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/* PDF, gzip, and the compound file of older Office documents and of workbooks with a password. */
const binary = /^(?:\s{0,1024}%PDF-\d|\x1f\x8b|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1)/;

/** Checks whether a file begins like a binary format other than a zip archive. */
export function isBinary(first: Buffer): boolean {
  return binary.test(first.toString('latin1', 0, 2048));
}

const otherFormats = {
  json: ['is JSON, not CSV or an .xlsx workbook', 'Export the list as CSV or .xlsx instead.'],
  html: [
    'is a web page, not CSV or an .xlsx workbook',
    'If it shows the list, open it in Excel or LibreOffice and save it as .xlsx. If it is a sign-in page, sign in and download the list again.',
  ],
  other: [
    'is neither CSV nor an .xlsx workbook',
    'Open it in its program and save it as .xlsx, without a password. Unpack a .gz or .zip file first.',
  ],
} as const;

/**
 * Creates the error for a file that is neither CSV nor an .xlsx workbook.
 * @param begin the beginning of its text, if it is text
 */
export function foreignFormat(name: string, begin = ''): UsageError {
  const [mark = ''] = begin.trimStart();
  const isPage = mark === '<' && !/^\s*<\?xml/i.test(begin);
  const [what, remedy] =
    otherFormats[isPage ? 'html' : mark === '[' || mark === '{' ? 'json' : 'other'];
  return invalidInput(`${name} ${what}`, remedy);
}

/**
 * Creates the error for a file that is called a workbook and is none, or has no end.
 * @param why begins with a colon if it is known
 */
export function unreadableWorkbook(name: string, why = ''): UsageError {
  return invalidInput(
    `${name} is not a readable workbook${why}`,
    'Export or download it again, or save it as .xlsx in Excel or LibreOffice. If it is CSV, call it .csv.',
  );
}

/** Creates the error for a workbook that carbon does not read or write. */
export function invalidWorkbook(
  message: string,
  hint = 'Open the file in Excel or LibreOffice, save it again as .xlsx, then use that file.',
): UsageError {
  return invalidInput(message, hint);
}

/** Creates the error for a workbook whose content breaks the format; `why` is in lower case. */
export function damaged(name: string, why: string): UsageError {
  return invalidWorkbook(`${name} is damaged: ${why}`);
}
