/*
 * Reads the zip archive of a workbook. Nothing is extracted to a disk: a part is a name in the
 * archive and a stream of bytes. Limits protect against archives that inflate without end.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { throwUnreadable } from '../runtime/carbon-error.ts';
import { damaged, invalidWorkbook } from './foreign-format.ts';

const mebibyte = 2 ** 20;
/* Excel's largest sheet, 1,048,576 rows, rarely has more than a gigabyte of XML. */
const maxPartBytes = 4096 * mebibyte;
/* Sheets with a million empty rows reach a ratio of 50; deflate allows up to 1,032. */
const maxRatio = 250;
const ratioFreeBytes = 64 * mebibyte;
const maxParts = 20_000;

/** The parts of a workbook. */
export interface Archive {
  /** The name of the file in messages. */
  readonly name: string;
  readonly parts: ReadonlyMap<string, Entry>;
  /**
   * Reads the bytes of a part and checks them against its checksum.
   *
   * @throws UsageError if the part is missing, damaged, encrypted or too large
   */
  bytes(part: string): AsyncGenerator<Buffer, void, void>;
  /** Closes the file, unless the caller opened it. */
  close(): Promise<void>;
}

/**
 * Opens an archive and reads the names of its parts.
 *
 * @param source a path, or an open file, which stays open
 * @param name the name of the file in messages
 * @throws UsageError if the file is missing or damaged
 */
export async function openArchive(source: string | FileHandle, name: string): Promise<Archive> {
  const file =
    typeof source === 'string'
      ? await open(source).catch((cause: unknown) => throwUnreadable(name, cause))
      : source;
  const close = async () => {
    if (file !== source) await file.close();
  };
  try {
    // yauzl closes a descriptor only in close(), which is never called.
    const zip = await fromFdPromise(file.fd, { lazyEntries: true, autoClose: false });
    const parts = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      // Two parts with one name would let two programs read different workbooks.
      if (parts.has(entry.fileName)) throw damaged(name, `it has ${entry.fileName} twice`);
      if (parts.size === maxParts)
        throw damaged(name, `it has more than ${maxParts.toLocaleString('en')} parts`);
      parts.set(entry.fileName, entry);
    }
    return { name, parts, bytes: (part) => readPart(name, zip, part, parts.get(part)), close };
  } catch (error) {
    await close();
    throw archiveError(name, error);
  }
}

async function* readPart(
  name: string,
  zip: ZipFile,
  part: string,
  entry: Entry | undefined,
): AsyncGenerator<Buffer, void, void> {
  if (entry === undefined) throw damaged(name, `${part} is missing`);
  if (entry.isEncrypted()) {
    throw invalidWorkbook(
      `${name} is an archive with a password`,
      'Extract the workbook with the password, then use that file.',
    );
  }
  checkSize(name, entry);
  let checksum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      checksum = crc32(bytes, checksum);
      yield bytes;
    }
  } catch (error) {
    throw archiveError(name, error, part);
  }
  if (checksum !== entry.crc32) throw damaged(name, `${part} has a wrong checksum`);
}

/* The archive declares the size, and yauzl fails at the first byte above it. */
function checkSize(
  name: string,
  { fileName, compressedSize, uncompressedSize: size }: Entry,
): void {
  const isBomb = size > ratioFreeBytes && size > compressedSize * maxRatio;
  if (!isBomb && size <= maxPartBytes) return;
  const limit = isBomb
    ? `more than ${maxRatio} times its compressed size`
    : `more than ${maxPartBytes / mebibyte / 1024} GiB`;
  throw invalidWorkbook(
    `${name} is too large: ${fileName} inflates to ${limit}`,
    'Delete empty rows and unused sheets in Excel or LibreOffice, or save the sheet as CSV.',
  );
}

/* Errors of yauzl and zlib describe the bytes of the archive; system errors have a `syscall`. */
function archiveError(name: string, error: unknown, part?: string): Error {
  if (!(error instanceof Error) || 'hint' in error) return error as Error;
  if ('syscall' in error) throwUnreadable(name, error);
  if (/end of central directory/i.test(error.message)) {
    return invalidWorkbook(
      `${name} is truncated: the end of the archive is missing`,
      'Download or copy the file again.',
    );
  }
  return damaged(name, part === undefined ? error.message : `${part}: ${error.message}`);
}
