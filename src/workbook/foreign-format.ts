/*
 * Names the formats that are neither .xlsx nor text, and explains how to get a file that carbon
 * reads.
 */
import { invalidInput, type UsageError } from '../runtime/carbon-error.ts';

/** Reads bytes at a position of the file; fewer at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const saveIn = (program: string) =>
  `In ${program}, choose File > Save As > Excel Workbook (.xlsx), then use that file.`;
const excel = saveIn('Excel or LibreOffice');
const numbers = 'In Numbers, choose File > Export To > Excel, then use that file.';
const password = 'Open the workbook with its password and save it without one, then use that file.';

const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** A file format. */
export interface ForeignFormat {
  /** Name of the format with its article, such as `a PDF document`. */
  readonly what: string;
  /** A sentence that explains how to get a file that carbon reads. */
  readonly hint: string;
}

/** Checks whether a file begins like a zip archive, as every .xlsx workbook does. */
export function isZip(first: Uint8Array): boolean {
  const [p, k, a, b] = first;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/**
 * Recognizes a binary format by the content of a file that is not a zip archive.
 *
 * @returns undefined if the file may be text
 */
export async function recognizeBinary(readAt: ReadAt): Promise<ForeignFormat | undefined> {
  const first = await readAt(0, 4096);
  const text = first.toString('latin1');
  if (text.startsWith(compoundFile)) return compound(first, readAt);
  if (/^\s{0,1024}%PDF-\d/.test(text)) {
    return {
      what: 'a PDF document',
      hint: 'Export the table as .xlsx or CSV from the program that created the document.',
    };
  }
  return text.startsWith('\x1f\x8b')
    ? { what: 'a gzip file', hint: 'Decompress the file with gunzip, then use the result.' }
    : undefined;
}

/*
 * Names a compound file (MS-CFB): an older Office document or an encrypted .xlsx workbook. Its
 * directory, which holds the names in UTF-16, may be anywhere in the file (MS-CFB 2.2).
 */
async function compound(first: Buffer, readAt: ReadAt): Promise<ForeignFormat> {
  const sectorBytes = first.length < 52 ? 512 : 2 ** Math.min(first.readUInt16LE(30), 12);
  const sector = first.length < 52 ? 0 : first.readUInt32LE(48) + 1;
  const directory = await readAt(sector * sectorBytes, 4096);
  const text = first.toString('latin1') + directory.toString('latin1');
  const has = (name: string) => text.includes([...name].join('\0'));
  if (has('EncryptedPackage')) return { what: 'a workbook with a password', hint: password };
  return { what: 'an Excel 97-2003 workbook (.xls)', hint: excel };
}

/**
 * Returns the error for a zip archive that is not an .xlsx workbook.
 *
 * @param parts the names of the files in the archive
 * @param mimetype the content of the file `mimetype`, which OpenDocument requires
 */
export function foreignArchive(
  name: string,
  parts: readonly string[],
  mimetype: string,
): UsageError {
  const has = (pattern: RegExp) => parts.some((part) => pattern.test(part));
  const isNot = (what: string, hint: string) =>
    invalidWorkbook(`${name} is ${what}, not an .xlsx workbook`, hint);
  if (has(/(?:^|\/)xl\/workbook\.bin$/i))
    return isNot('a binary Excel workbook (.xlsb)', saveIn('Excel'));
  if (mimetype.startsWith('application/vnd.oasis.opendocument.spreadsheet'))
    return isNot('an OpenDocument spreadsheet (.ods)', saveIn('LibreOffice'));
  if (mimetype.startsWith('application/vnd.oasis.opendocument'))
    return isNot('an OpenDocument file', excel);
  if (has(/(?:^|\/)Index(?:\.zip$|\/)|\.iwa$/)) return isNot('a Numbers spreadsheet', numbers);
  if (has(/^(?:word|ppt)\//i)) return isNot('another Office document', excel);
  return isNot('a zip archive', 'Extract the workbook, then use that file.');
}

/** The remedy for a workbook that no rule of the format permits. */
const saveAgain =
  'Open the file in Excel or LibreOffice, save it again as .xlsx, then use that file.';

/** Creates the error for a file that is not a workbook that carbon reads. */
export function invalidWorkbook(message: string, hint: string = saveAgain): UsageError {
  return invalidInput(message, hint);
}

/**
 * Creates the error for a workbook whose content breaks the format.
 *
 * @param name the name of the file in messages
 * @param why the cause, in lower case
 */
export function damaged(name: string, why: string): UsageError {
  return invalidWorkbook(`${name} is damaged: ${why}`);
}
