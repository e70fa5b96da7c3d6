/*
 * Reads the zip archive of a workbook. Nothing is extracted to a disk: a part is a name in the
 * archive and a stream of bytes. Limits protect against archives that inflate without end.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { UsageError } from '../runtime/carbon-error.ts';
import { throwUnreadable } from '../runtime/file-errors.ts';
import { damaged, foreignFile, invalidWorkbook, isZip } from './foreign-format.ts';

/** A path, or an open file, which stays open. */
export type WorkbookSource = string | FileHandle;

const mebibyte = 2 ** 20;
/* Excel's largest sheet, 1,048,576 rows, rarely has more than a gigabyte of XML. */
const maxPartBytes = 4096 * mebibyte;
/* Sheets with a million empty rows reach a ratio of 50; deflate permits up to 1,032. */
const maxRatio = 250;
const ratioFreeBytes = 64 * mebibyte;
const maxParts = 20_000;

/** The parts of a workbook, by name. */
export class Archive {
  readonly name: string;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #close: () => Promise<void>;

  private constructor(
    name: string,
    zip: ZipFile,
    entries: ReadonlyMap<string, Entry>,
    close: () => Promise<void>,
  ) {
    this.name = name;
    this.#zip = zip;
    this.#entries = entries;
    this.#close = close;
  }

  /**
   * Opens an archive and reads the names of its parts.
   *
   * @param name the name of the file in messages
   * @throws UsageError if the file is missing, of another format, or damaged
   */
  static async open(source: WorkbookSource, name: string): Promise<Archive> {
    const file = typeof source === 'string' ? await openFile(source, name) : source;
    const close = async () => {
      if (file !== source) await file.close();
    };
    const readAt = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file
        .read(Buffer.alloc(length), 0, length, position)
        .catch((cause: unknown) => throwUnreadable(name, cause));
      return buffer.subarray(0, bytesRead);
    };
    try {
      if (!isZip(await readAt(0, 4))) throw await foreignFile(name, readAt);
      // yauzl closes a descriptor only in close(), which this class never calls.
      return await Archive.#read(name, file.fd, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  static async #read(
    name: string,
    descriptor: number,
    close: () => Promise<void>,
  ): Promise<Archive> {
    const entries = new Map<string, Entry>();
    try {
      const zip = await fromFdPromise(descriptor, { lazyEntries: true, autoClose: false });
      for await (const entry of zip.eachEntry()) {
        // Two parts with one name would let two programs read different workbooks.
        if (entries.has(entry.fileName)) throw damaged(name, `it has ${entry.fileName} twice`);
        if (entries.size === maxParts)
          throw damaged(name, `it has more than ${maxParts.toLocaleString('en')} parts`);
        entries.set(entry.fileName, entry);
      }
      return new Archive(name, zip, entries, close);
    } catch (error) {
      throw archiveError(name, error);
    }
  }

  /** The names of all parts. */
  get parts(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Checks whether the archive has a part. */
  has(part: string): boolean {
    return this.#entries.has(part);
  }

  /**
   * Reads the bytes of a part and checks them against its checksum.
   *
   * @throws UsageError if the part is missing, damaged, encrypted or too large
   */
  async *bytes(part: string): AsyncGenerator<Buffer, void, void> {
    const entry = this.#entries.get(part);
    if (entry === undefined) throw damaged(this.name, `${part} is missing`);
    if (entry.isEncrypted()) {
      throw invalidWorkbook(
        `${this.name} is an archive with a password`,
        'Extract the workbook with the password, then use that file.',
      );
    }
    this.#checkSize(entry);
    let checksum = 0;
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        checksum = crc32(bytes, checksum);
        yield bytes;
      }
    } catch (error) {
      throw archiveError(this.name, error, part);
    }
    if (checksum !== entry.crc32) throw damaged(this.name, `${part} has a wrong checksum`);
  }

  /** Closes the file, unless the caller opened it. */
  async close(): Promise<void> {
    await this.#close();
  }

  /* The archive declares the size, and yauzl fails at the first byte above it. */
  #checkSize({ fileName, compressedSize, uncompressedSize: size }: Entry): void {
    const isBomb = size > ratioFreeBytes && size > compressedSize * maxRatio;
    if (!isBomb && size <= maxPartBytes) return;
    const limit = isBomb
      ? `more than ${maxRatio} times its compressed size`
      : `more than ${maxPartBytes / mebibyte / 1024} GiB`;
    throw invalidWorkbook(
      `${this.name} is too large: ${fileName} inflates to ${limit}`,
      'Delete empty rows and unused sheets in Excel or LibreOffice, or save the sheet as CSV.',
    );
  }
}

async function openFile(path: string, name: string): Promise<FileHandle> {
  // Opening a pipe waits for its writer.
  const stats = await stat(path).catch((cause: unknown) => throwUnreadable(name, cause));
  if (stats.isFile())
    return open(path, 'r').catch((cause: unknown) => throwUnreadable(name, cause));
  throw new UsageError(
    `${name} is ${stats.isDirectory() ? 'a directory' : 'a pipe or device'}`,
    'Use the path of an .xlsx workbook.',
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
