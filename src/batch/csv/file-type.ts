/*
 * Files that are no text, by their first bytes: what they are called and how to get a CSV file out
 * of them.
 */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { quoteWords } from '../../terminal/quote-words.ts';

/** A file that is no table of text. */
export interface FileType {
  /** What it is, such as `an Excel workbook (.xlsx)`. */
  readonly what: string;
  /** What to do, a sentence. */
  readonly hint: string;
}

/** How a file is named in a command; standard input has no path that a command can name. */
interface Named {
  readonly path: string;
  readonly isFile: boolean;
}

const excel = 'In Excel: File > Save As > CSV UTF-8 (Comma delimited). Then give carbon that file.';
const libreOffice =
  'In LibreOffice: File > Save As > Text CSV, character set UTF-8. Then give carbon that file.';
const numbers =
  'In Numbers: File > Export To > CSV, text encoding Unicode (UTF-8). Then give carbon that file.';
const password = 'Open it with its password, and save it as CSV UTF-8. Then give carbon that file.';

const compressed: readonly (readonly [
  bytes: string,
  what: string,
  command: string,
  ending: RegExp,
])[] = [
  ['\x1f\x8b', 'a gzip file', 'gunzip -c', /\.gz$/i],
  ['BZh', 'a bzip2 file', 'bunzip2 -c', /\.bz2$/i],
  ['\xfd7zXZ\0', 'an xz file', 'unxz -c', /\.xz$/i],
  ['\x28\xb5\x2f\xfd', 'a Zstandard file', 'unzstd -c', /\.zst$/i],
];
/* What stands in the name of a file after the letters BZh, a digit: the digits of pi. */
const bzip2 = /^BZh[1-9]1AY&SY/;

/**
 * Recognizes a file that is no text.
 *
 * @param first its first bytes, some thousand of them
 * @returns undefined for what may be text
 */
export async function recognize(first: Buffer, file: Named): Promise<FileType | undefined> {
  const text = first.toString('latin1');
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return zipped(text);
  if (text.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))
    return compound(text + (await directory(first, file)));
  if (/^\s{0,1024}%PDF-\d/.test(text)) {
    return {
      what: 'a PDF document',
      hint: 'carbon reads CSV: export the table from the program that made the document.',
    };
  }
  if (text.startsWith('7z\xbc\xaf\x27\x1c')) {
    return { what: 'a 7-Zip archive', hint: 'Extract the CSV file, and give carbon that file.' };
  }
  for (const [bytes, what, command, ending] of compressed) {
    if (text.startsWith(bytes) && (bytes !== 'BZh' || bzip2.test(text))) {
      return { what, hint: decompress(command, ending, file) };
    }
  }
  return undefined;
}

function decompress(command: string, ending: RegExp, { path, isFile }: Named): string {
  if (!isFile) return `Decompress it before: ... | ${command} | carbon batch - --journal <file>`;
  const journal = `${basename(path).replace(ending, '')}.carbon.jsonl`;
  return `${command} ${quoteWords([path])} | carbon batch - --journal ${quoteWords([journal])}`;
}

/* A zip archive names its files in front of each; office programs write the telling ones first. */
function zipped(text: string): FileType {
  if (/mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/.test(text)) {
    return { what: 'an OpenDocument spreadsheet (.ods)', hint: libreOffice };
  }
  if (/\bIndex\/|Index\.zip|\.iwa/.test(text))
    return { what: 'a Numbers spreadsheet', hint: numbers };
  if (/\[Content_Types\]\.xml|\bxl\/|docProps\//.test(text)) {
    const isOther = /\b(?:word|ppt)\//.test(text) && !/\bxl\//.test(text);
    if (isOther) return { what: 'an Office document that is no workbook', hint: excel };
    return { what: 'an Excel workbook (.xlsx)', hint: excel };
  }
  return {
    what: 'a zip archive',
    hint: 'Extract the CSV file (unzip), and give carbon that file.',
  };
}

/* The older Office format, which encrypted workbooks of the newer one are wrapped in. Its names
 * are UTF-16. */
function compound(text: string): FileType {
  const has = (name: string) => text.includes([...name].join('\0'));
  if (has('EncryptedPackage')) return { what: 'an Excel workbook with a password', hint: password };
  if (has('WordDocument')) return { what: 'a Word document (.doc)', hint: excel };
  return { what: 'an Excel workbook (.xls)', hint: excel };
}

/* The list of names in a compound file, which may stand anywhere in it (MS-CFB 2.2); empty where
 * it cannot be read. */
async function directory(first: Buffer, { path, isFile }: Named): Promise<string> {
  if (!isFile || first.length < 512) return '';
  const sectorBytes = 2 ** Math.min(first.readUInt16LE(30), 12);
  const position = (first.readUInt32LE(48) + 1) * sectorBytes;
  const file = await open(path, 'r').catch(() => undefined);
  try {
    const read = await file?.read(Buffer.alloc(sectorBytes), 0, sectorBytes, position);
    return read === undefined ? '' : read.buffer.toString('latin1', 0, read.bytesRead);
  } catch {
    return '';
  } finally {
    await file?.close();
  }
}
