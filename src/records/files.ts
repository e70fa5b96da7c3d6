import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { addAbortSignal, PassThrough, pipeline, type Readable } from 'node:stream';
import { UsageError } from '../runtime/carbon-error.ts';
import { checkFileName, throwUnreadable } from '../runtime/file-errors.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { TemporaryFile } from '../runtime/temporary-file.ts';
import { quoteWords } from '../terminal/quote-words.ts';
import { isZip, recognizeBinary } from '../workbook/foreign-format.ts';
import { isOwnWorkbook } from '../workbook/package-parts.ts';
import type { RecordFile } from './json-documents.ts';

/**
 * Checks the input paths of a command line; `-` is standard input. Reading opens the files.
 * @throws UsageError for a missing file, a directory, a file of another format such as CSV, and
 * when `-` is given twice
 */
export async function openInputs(
  paths: readonly string[],
  stdin: () => Readable,
  signal: AbortSignal,
): Promise<RecordFile[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('Standard input can be read only once, but - was given twice');
  }
  return Promise.all(
    paths.map(async (path) => {
      if (path === '-') return { name: 'standard input', bytes: stdin() };
      const isFile = await checkFile(path);
      if (isFile) await checkSnapshotFormat(path);
      return { name: path, bytes: isFile ? read(path, signal) : stream(path, signal) };
    }),
  );
}

/** Files that are read twice; `close` removes what standard input left on the disk. */
export interface InputsTwice {
  readonly first: readonly RecordFile[];
  /** Complete once `first` is read to its end. */
  readonly second: readonly RecordFile[];
  close(): Promise<void>;
}

/**
 * Opens input files to read them twice. What is not a regular file, such as standard input, goes to
 * a private temporary file while it is first read.
 * @throws as `openInputs` does
 */
export async function openInputsTwice(
  paths: readonly string[],
  stdin: () => Readable,
  signal: AbortSignal,
): Promise<InputsTwice> {
  const opened = await openInputs(paths, stdin, signal);
  const spools: TemporaryFile[] = [];
  const first: RecordFile[] = [];
  const second: RecordFile[] = [];
  for (const [index, { name, bytes }] of opened.entries()) {
    const path = paths[index] ?? '';
    if (path !== '-' && (await stat(path)).isFile()) {
      first.push({ name, bytes });
      second.push({ name, bytes: read(path, signal) });
      continue;
    }
    const spool = await TemporaryFile.open(tmpdir());
    spools.push(spool);
    first.push({ name, bytes: spooled(bytes, spool) });
    second.push({ name, bytes: contentOf(spool, signal) });
  }
  const close = async () => {
    for (const spool of spools) await spool.close();
  };
  return { first, second, close };
}

async function* spooled(
  bytes: RecordFile['bytes'],
  spool: TemporaryFile,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    await spool.append(buffer);
    yield buffer;
  }
}

async function* contentOf(spool: TemporaryFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await spool.handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/* Larger than the chunks of a stream, because each reading has a fixed cost. */
const chunkBytes = 1 << 18;

/* All chunks are in the same memory. */
async function* read(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const fail = (cause: unknown) => throwUnreadable(path, cause);
  const file = await open(path).catch(fail);
  try {
    const chunk = Buffer.allocUnsafeSlow(chunkBytes);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunkBytes).catch(fail);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/*
 * A pipe without a writer blocks its stream until it is opened or read, even after an abort. The
 * second stream can end immediately.
 */
async function* stream(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const last = new PassThrough();
  yield* addAbortSignal(
    signal,
    pipeline(createReadStream(path), last, () => undefined),
  );
}

/* Returns whether the path is a regular file, not a pipe or a device. */
async function checkFile(path: string): Promise<boolean> {
  checkFileName(path);
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'no such file or directory' : explainSystemError(error);
    throw new UsageError(`${path}: ${why}`, undefined, 'invalid_input');
  });
  if (stats.isDirectory())
    throw new UsageError(`${path} is a directory`, undefined, 'invalid_input');
  return stats.isFile();
}

/*
 * Recognizes files that are not records by their beginning: people pass the list of organizations,
 * the journal or the output of --csv instead.
 */
const headBytes = 4096;
const jsonLines = 'Records are lines of JSON, as `carbon get --json` prints them.';

/**
 * Checks that a regular file may contain records.
 * @throws UsageError that names the format of another file, and the command that leads to records
 */
export async function checkSnapshotFormat(path: string): Promise<void> {
  const fail = (cause: unknown) => throwUnreadable(path, cause);
  const file = await open(path).catch(fail);
  try {
    const readAt = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file
        .read(Buffer.alloc(length), 0, length, position)
        .catch(fail);
      return buffer.subarray(0, bytesRead);
    };
    const first = await readAt(0, headBytes);
    const binary = await recognizeBinary(readAt);
    if (isZip(first) && (await isOwnWorkbook(path))) throw ownOutput(path, 'a workbook');
    if (isZip(first)) throw notRecords(path, workbookOrArchive(path), fromList(path));
    if (binary !== undefined) throw notRecords(path, binary.what, binaryHint(path, binary));
    // PowerShell 5 writes UTF-16.
    const isUtf16 = first[0] === 0xff && first[1] === 0xfe;
    checkText(path, first.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, ''));
  } finally {
    await file.close();
  }
}

function checkText(path: string, text: string): void {
  if (/^\s*\{"carbon":"journal"/.test(text))
    throw notRecords(path, 'a journal of carbon batch', fromList(listOf(path)));
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
  if (first === '' || /^[{[]/.test(first)) return;
  if (!/\.(?:csv|tsv)$/i.test(path) && !/[,;\t|]/.test(first)) return;
  if (isOwnHeader(first)) throw ownOutput(path, 'a table');
  throw notRecords(path, 'a CSV file', fromList(path));
}

/* Columns that carbon prints and that a list of organizations has not. */
const ownColumns =
  /^(?:scope_[123]|performance_year|matching_organization_\w+|sbti_\w+|emissions_\w+|carbon_(?!error)\w+)$/;

function isOwnHeader(header: string): boolean {
  const names = header.split(/[,;\t|]/).map((name) => name.replace(/^"(.*)"$/, '$1'));
  return (
    names.slice(0, 3).join() === 'id,name,status' || names.some((name) => ownColumns.test(name))
  );
}

/* Registering the rows of such a file again would be a mistake, so no hint proposes it. */
function ownOutput(path: string, what: string): UsageError {
  return notRecords(
    path,
    `${what} that carbon wrote`,
    'Use the records that it was made from, or keep records with `carbon get - -o records.ndjson`.',
  );
}

function workbookOrArchive(path: string): string {
  return /\.xls[xm]$/i.test(path) ? 'an Excel workbook' : 'a zip archive or a workbook';
}

function binaryHint(path: string, { what, hint }: { what: string; hint: string }): string {
  if (/\.csv\.gz$/i.test(path)) return fromList(path);
  return /archive|file$/.test(what) ? hint : jsonLines;
}

/* The list that a journal belongs to; a shard has its number in the name. */
function listOf(journal: string): string {
  return journal.replace(/(?:\.\d+-of-\d+)?\.carbon\.jsonl$/, '');
}

/* The command for a list of organizations. */
function fromList(path: string): string {
  const list = quoteWords([path]);
  return `${jsonLines} For a list of organizations: carbon batch ${list} -q | carbon watch - --json > records.ndjson`;
}

function notRecords(path: string, what: string, hint: string): UsageError {
  return new UsageError(`${path} is ${what}, not a file of records`, hint, 'invalid_input');
}
