import { createReadStream, statSync } from 'node:fs';
import { addAbortSignal, PassThrough, pipeline, type Readable } from 'node:stream';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import type { StoredRecords, ViewOptions } from '../../lists/kept/view.ts';
import { isBinary, isZip, unreadableWorkbook } from '../../lists/workbook/foreign-format.ts';
import {
  codeOf,
  explainSystemError,
  invalidInput,
  UsageError,
} from '../../runtime/carbon-error.ts';
import { type OpenFile, openToRead, readAt, takeTurn } from '../../runtime/file-lines.ts';
import { command, hint } from '../../runtime/hint.ts';
import { missingFile, throwUnreadable } from '../../runtime/unreadable-file.ts';
import type { RecordFile } from './json-documents.ts';

/** An input of a command: a file of records, or a list whose records are stored. */
export type InputRecords =
  | (RecordFile & { readonly stored?: undefined })
  | { readonly name: string; readonly stored: StoredRecords };

export interface InputOptions extends ViewOptions {
  /** Standard input, for `-`; undefined if `-` is no input. */
  readonly stdin?: () => Readable;
  readonly signal: AbortSignal;
}

/**
 * Checks the input paths of a command line; `-` is standard input. Reading opens the files. The
 * records of a list are those that `carbon sync` keeps.
 * @throws UsageError for a missing file, a directory, a list without records, a file of another
 * format, a day for a file of records, and when `-` is given twice
 */
export async function openInputs(
  paths: readonly string[],
  { stdin, signal, ...view }: InputOptions,
): Promise<InputRecords[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('Standard input can be read only once, but - was given twice');
  }
  return Promise.all(
    paths.map(async (path) => {
      if (path === '-' && stdin) {
        checkHistory('standard input', view.at);
        return { name: 'standard input', bytes: stdin() };
      }
      if (!view.openFile && !checkFile(path)) {
        checkHistory(path, view.at);
        return { name: path, bytes: stream(path, signal) };
      }
      const openFile: Open = () =>
        view.openFile?.(path) ?? openToRead(path).catch((cause) => throwUnreadable(path, cause));
      const error = await listError(path, openFile);
      if (error === undefined) {
        checkHistory(path, view.at);
        return { name: path, bytes: each(() => read(path, signal, openFile)) };
      }
      const { openStoredRecords } = await import('../../lists/kept/view.ts');
      const stored = await openStoredRecords(path, view);
      if (stored === undefined)
        throw (await serviceError(path, view)) ?? (await resultError(path, view)) ?? error;
      return { name: path, stored };
    }),
  );
}

/* Refuses a day for a file of records, which would be shown as of today. */
function checkHistory(name: string, at: string | undefined): void {
  if (at === undefined) return;
  throw invalidInput(
    `${name} has no history, so its records of ${at} are not known`,
    'Use a list that carbon sync keeps, or leave the day out. To compare two files of records: carbon diff old.ndjson new.ndjson',
  );
}

type Chunks = AsyncGenerator<Uint8Array, void, void>;
type Open = () => Promise<OpenFile>;

/* Returns chunks that begin again with each reading. */
function each(begin: () => Chunks): RecordFile['bytes'] {
  return { [Symbol.asyncIterator]: begin };
}

const chunkBytes = 1 << 20;

/* All chunks are in the same memory. */
async function* read(path: string, signal: AbortSignal, open: Open): Chunks {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  const file = await open();
  try {
    for (let position = 0; ; ) {
      signal.throwIfAborted();
      const bytesRead = readAt(file, path, chunk, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield chunk.subarray(0, bytesRead);
      await takeTurn(bytesRead);
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
  try {
    yield* addAbortSignal(
      signal,
      pipeline(createReadStream(path), last, () => undefined),
    );
  } catch (cause) {
    signal.throwIfAborted();
    throwUnreadable(path, cause);
  }
}

/* Returns whether the path is a regular file, not a pipe or a device. */
function checkFile(path: string): boolean {
  try {
    const stats = statSync(path);
    if (stats.isDirectory())
      throw invalidInput(
        `${path} is a directory`,
        'Use the path of a list or of a file of records.',
      );
    return stats.isFile();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (codeOf(error) === 'ENOENT') throw missingFile(path, 'invalid_input');
    throw invalidInput(`${path}: ${explainSystemError(error)}`);
  }
}

/*
 * Recognizes files that are not records by their beginning: lists of organizations, whose records
 * may be stored, and what carbon wrote from them.
 */
const headBytes = 4096;
const jsonLines = 'Records are lines of JSON, as `carbon get --json` prints them.';

/* Returns the error of a list without records; undefined for a file of records. */
async function listError(path: string, open: Open): Promise<UsageError | undefined> {
  const file = await open();
  try {
    const head = Buffer.alloc(headBytes);
    const first = head.subarray(0, readAt(file, path, head, 0));
    if (isZip(first)) return asList(path);
    if (isBinary(first))
      throw invalidInput(`${path} is a binary file, not a file of records`, jsonLines);
    // PowerShell 5 writes UTF-16.
    const isUtf16 = first[0] === 0xff && first[1] === 0xfe;
    return readText(path, first.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, ''));
  } finally {
    await file.close();
  }
}

/* What carbon keeps of a list besides its records, and how it begins. */
const keptParts: readonly (readonly [name: string, begin: RegExp])[] = [
  ['journal', /^\{"carbon":"journal"/],
  ['history', /^\{"id":[^{]*"valid_to":/],
];

function readText(path: string, text: string): UsageError | undefined {
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
  if (first === '' && /\.(?:csv|tsv|xlsx)$/i.test(path))
    throw invalidInput(`${path} is empty`, 'Use a list with a header line, and sync it first.');
  const kept = keptParts.find(([, begin]) => begin.test(first));
  if (kept !== undefined)
    throw invalidInput(
      `${path} is the ${kept[0]} of a list, not its records`,
      `Use the list itself: ${quoteWords([path.replace(/(?:\.sandbox)?\.(?:carbon\.jsonl|history\.ndjson)$/, '')])}. carbon finds its records next to it.`,
    );
  if (first === '' || /^[{[]/.test(first)) return undefined;
  if (/\.xlsx$/i.test(path)) return unreadableWorkbook(path);
  if (!/\.(?:csv|tsv)$/i.test(path) && !/[,;\t|]/.test(first)) return undefined;
  return asList(path);
}

/* Returns the error of a list that has records of a service, but none of the sandbox. */
async function serviceError(path: string, view: ViewOptions): Promise<UsageError | undefined> {
  const { findStores } = await import('../../lists/kept/paths.ts');
  if (!view.sandbox || findStores(path, { ...view, sandbox: false }).length === 0) return undefined;
  return invalidInput(
    `${path} has no records of the sandbox`,
    hint`Leave out --sandbox for those of the service. For the sandbox: ${command`sync ${quoteWords([path])}`}`,
  );
}

/* Returns the error of what carbon wrote from a list, which has no records either. */
async function resultError(path: string, view: ViewOptions): Promise<UsageError | undefined> {
  if (view.openFile !== undefined) return undefined;
  const [{ InputFile }, { detectDialect, notAList }] = await Promise.all([
    import('../../lists/table/input-file.ts'),
    import('../../lists/table/dialect.ts'),
  ]);
  try {
    const { isResult } = await detectDialect(new InputFile(path), {});
    return isResult ? notAList(path) : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function asList(path: string): UsageError {
  return invalidInput(
    `There are no records of ${path}`,
    hint`To retrieve them: ${command`sync ${quoteWords([path])}`}. ${jsonLines}`,
  );
}
