/* Recognizes files that are not CSV by their beginning, and explains how to get a CSV file. */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../../runtime/carbon-error.ts';
import { quoteWords } from '../../terminal/quote-words.ts';

/** A binary file format. */
export interface BinaryFormat {
  /** Name of the format with its article, such as `an Excel workbook (.xlsx)`. */
  readonly what: string;
  /** A sentence that explains how to get a CSV file. */
  readonly hint: string;
}

/** An input file. Standard input, `isFile: false`, has no path that a command can use. */
interface FileLocation {
  readonly path: string;
  readonly isFile: boolean;
}

const excel = 'In Excel, choose File > Save As > CSV UTF-8 (Comma delimited), then use that file.';
const libreOffice =
  'In LibreOffice, choose File > Save As > Text CSV with character set UTF-8, then use that file.';
const numbers =
  'In Numbers, choose File > Export To > CSV with text encoding Unicode (UTF-8), then use that file.';
const password =
  'Open the workbook with its password and save it as CSV UTF-8, then use that file.';

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
/* After BZh and a digit, a bzip2 file continues with the digits of pi in BCD. */
const bzip2 = /^BZh[1-9]1AY&SY/;

/**
 * Recognizes a binary file.
 *
 * @param first the first few thousand bytes of the file
 * @returns undefined if the file may be text
 */
export async function recognizeBinary(
  first: Buffer,
  file: FileLocation,
): Promise<BinaryFormat | undefined> {
  const text = first.toString('latin1');
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return zipped(text);
  if (text.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))
    return compound(text + (await directory(first, file)));
  if (/^\s{0,1024}%PDF-\d/.test(text)) {
    return {
      what: 'a PDF document',
      hint: 'Export the table as CSV from the program that created the document.',
    };
  }
  if (text.startsWith('7z\xbc\xaf\x27\x1c')) {
    return { what: 'a 7-Zip archive', hint: 'Extract the CSV file from the archive.' };
  }
  for (const [bytes, what, command, ending] of compressed) {
    if (text.startsWith(bytes) && (bytes !== 'BZh' || bzip2.test(text))) {
      return { what, hint: decompress(command, ending, file) };
    }
  }
  return undefined;
}

function decompress(command: string, ending: RegExp, { path, isFile }: FileLocation): string {
  if (!isFile) return `Decompress it first: ... | ${command} | carbon batch - --journal <file>`;
  const journal = `${basename(path).replace(ending, '')}.carbon.jsonl`;
  return `${command} ${quoteWords([path])} | carbon batch - --journal ${quoteWords([journal])}`;
}

/* A zip archive stores each name before its file; office programs write the typical files first. */
function zipped(text: string): BinaryFormat {
  if (/mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/.test(text)) {
    return { what: 'an OpenDocument spreadsheet (.ods)', hint: libreOffice };
  }
  if (/\bIndex\/|Index\.zip|\.iwa/.test(text))
    return { what: 'a Numbers spreadsheet', hint: numbers };
  if (/\[Content_Types\]\.xml|\bxl\/|docProps\//.test(text)) {
    const isOther = /\b(?:word|ppt)\//.test(text) && !/\bxl\//.test(text);
    if (isOther) return { what: 'an Office document, but not a workbook', hint: excel };
    return { what: 'an Excel workbook (.xlsx)', hint: excel };
  }
  return {
    what: 'a zip archive',
    hint: 'Extract the CSV file with unzip.',
  };
}

/* Recognizes the older Office format, which also wraps encrypted .xlsx workbooks. Its names are in
 * UTF-16. */
function compound(text: string): BinaryFormat {
  const has = (name: string) => text.includes([...name].join('\0'));
  if (has('EncryptedPackage')) return { what: 'an Excel workbook with a password', hint: password };
  if (has('WordDocument')) return { what: 'a Word document (.doc)', hint: excel };
  return { what: 'an Excel workbook (.xls)', hint: excel };
}

/* Reads the directory of a compound file, which may be anywhere in it (MS-CFB 2.2). Returns an
 * empty text if it cannot be read. */
async function directory(first: Buffer, { path, isFile }: FileLocation): Promise<string> {
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

/* Text formats other than CSV, recognized by their beginning. */
const textFormats = [
  {
    begins: /^\s*(?:\[\s*[[{"]|\[\s*$|\{\s*(?:"|$))/,
    what: 'JSON, not CSV',
    hint: `Convert it to CSV with a header line, for example: jq -r '(["name"], (.[] | [.name])) | @csv'`,
  },
  {
    begins: /^\s*<(?:!doctype\s+html|html|head|body|table|script)\b/i,
    what: 'a web page (HTML), not CSV',
    hint: 'The download may be a login page. Export or download the table as CSV.',
  },
  {
    begins: /^\s*<\?xml\b/i,
    what: 'XML, not CSV',
    hint: 'Export the table as CSV.',
  },
] as const;

/**
 * Rejects JSON, HTML and XML.
 *
 * @param text the beginning of the file
 * @param name the name of the file in messages
 * @throws UsageError that names the format
 */
export function rejectTextFormats(text: string, name: string): void {
  const start = text.slice(0, 1_000);
  for (const { begins, what, hint } of textFormats) {
    if (begins.test(start)) throw new UsageError(`${name} is ${what}`, hint, 'invalid_input');
  }
}
