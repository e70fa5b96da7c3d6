/*
 * Reads the parts of a workbook: names in a zip archive, each with a stream of bytes or of XML.
 * Nothing is extracted to a disk. Limits protect against archives that inflate without end, and
 * without a document type, no entity of XML expands and no other file is read.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { throwUnreadable } from '../../runtime/unreadable-file.ts';
import { damaged, invalidWorkbook, unreadableWorkbook } from './foreign-format.ts';

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
      if (parts.size === maxParts) throw damaged(name, `it has more than ${maxParts} parts`);
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
  // The archive declares the size, and yauzl fails at the first byte above it.
  const { compressedSize, uncompressedSize: size } = entry;
  const isBomb = size > ratioFreeBytes && size > compressedSize * maxRatio;
  if (isBomb || size > maxPartBytes)
    throw invalidWorkbook(
      `${name} is too large: ${part} inflates to more than ${isBomb ? `${maxRatio} times its compressed size` : '4 GiB'}`,
      'Delete empty rows and unused sheets in Excel or LibreOffice, or save the sheet as CSV.',
    );
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

/* Errors of yauzl and zlib describe the bytes of the archive; system errors have a `syscall`. */
function archiveError(name: string, error: unknown, part?: string): Error {
  if (!(error instanceof Error) || 'hint' in error) return error as Error;
  if ('syscall' in error) throwUnreadable(name, error);
  // The end of a zip archive lists its parts.
  if (/^End of central directory/.test(error.message))
    return unreadableWorkbook(name, ': its end is missing');
  return damaged(name, part === undefined ? error.message : `${part}: ${error.message}`);
}

/** Receives the content of a part. Names have no namespace prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/* Workbooks nest elements about ten deep. */
const maxDepth = 100;
/* Bounds the memory for one text or tag. A cell holds at most 32,767 characters. */
const maxRunLength = 4 * mebibyte;
/* Small pieces bound what a handler collects between two of them. */
const pieceLength = 16 * 1024;

/**
 * Parses a part and passes its content to a handler. Yields after each piece of the text, so that
 * the caller can hand on what the handler collected.
 *
 * @throws UsageError for text that is not well-formed, and for a document type
 */
export async function* parseXml(
  archive: Archive,
  part: string,
  handler: XmlHandler,
): AsyncGenerator<void, void, void> {
  const fail = (why: string) => damaged(archive.name, `${part}: ${why}`);
  const localName = (name: string) => name.slice(name.indexOf(':') + 1);
  const parser = new SaxesParser();
  let depth = 0;
  let events = 0;
  parser.on('doctype', () => {
    throw fail('it has a document type, which workbooks do not allow');
  });
  parser.on('opentag', ({ name, attributes }) => {
    events += 1;
    depth += 1;
    if (depth > maxDepth) throw fail(`elements are nested more than ${maxDepth} deep`);
    handler.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    handler.close?.(localName(name));
  });
  const text = (content: string) => {
    events += 1;
    handler.text?.(content);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('error', ({ message }) => {
    throw fail(message);
  });
  let quietLength = 0;
  for await (const content of decodeXml(archive, part)) {
    for (let start = 0; start < content.length; start += pieceLength) {
      const before = events;
      const piece = content.slice(start, start + pieceLength);
      parser.write(piece);
      quietLength = events === before ? quietLength + piece.length : 0;
      if (quietLength > maxRunLength)
        throw fail('a text or tag is longer than four million characters');
      yield;
    }
  }
  parser.close();
}

/** Parses a complete part that holds little content. */
export async function readXml(archive: Archive, part: string, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(archive, part, handler));
}

async function* decodeXml(archive: Archive, part: string): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of archive.bytes(part)) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw damaged(archive.name, `${part} is not UTF-8 text`);
    throw error;
  }
}
