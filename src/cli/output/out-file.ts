/*
 * The file of `-o`. Its extension selects the format, and it replaces only a file that carbon wrote
 * itself: see `isOwnFile`. The file is written aside and renamed, so a failed run changes
 * nothing.
 */
import { constants, fstat } from 'node:fs';
import { access, type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { dirname, extname, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isObject } from '../../api/ids.ts';
import { isEnvelope } from '../../records/envelope.ts';
import { writeAtomically } from '../../runtime/atomic-file.ts';
import { invalidInput, LocalError, UsageError } from '../../runtime/carbon-error.ts';
import { explainSystemError } from '../../runtime/system-error.ts';
import { type CsvValue, renderCsvLine } from '../../table/output-cell.ts';
import type { OutputTable } from '../../table/output-sheet.ts';
import { plural } from '../../terminal/format.ts';
import type { SheetContent } from '../../workbook/sheet-writer.ts';
import type { Session } from '../session.ts';

/** The formats of `-o`. */
export type OutExtension = '.xlsx' | '.csv' | '.ndjson' | '.html';

/** What a command writes with `-o`. */
export interface OutOptions {
  /** The extensions that the command accepts, the usual one first. */
  readonly extensions: readonly OutExtension[];
  /** The input files, which the output must not replace; `-` is standard input. */
  readonly inputs?: readonly string[];
  /** Every column that a CSV file of the command can have, by which carbon recognizes its own. */
  readonly columns?: readonly string[];
  /** The header of a CSV file with other columns than carbon's own, by which it recognizes it. */
  readonly header?: readonly string[];
  /** The delimiter of a CSV file (default: a comma). */
  readonly delimiter?: string;
  /** Whether a table without rows is a result that may replace a file, such as no differences. */
  readonly mayBeEmpty?: boolean;
}

/** A table for CSV or for the first sheet of a workbook. */
export interface OutTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: OutputTable['rows'];
  /** Path of the list whose records these are, from the directory of the file. */
  readonly list?: string | undefined;
}

/**
 * A file that `-o` names. `open` refuses it before any work; then call one of `writeTable`,
 * `writeLines` and `writePage` once, which also report it on standard error.
 */
export class OutFile {
  readonly path: string;
  readonly extension: OutExtension;
  readonly #session: Session;
  readonly #options: OutOptions;

  private constructor(
    session: Session,
    path: string,
    extension: OutExtension,
    options: OutOptions,
  ) {
    this.#session = session;
    this.path = path;
    this.extension = extension;
    this.#options = options;
  }

  /**
   * Checks that carbon may write the file, if there is one.
   * @throws UsageError with --json, --csv or -q, for another extension, and for a file that carbon
   * must not replace; LocalError for a directory that is missing or not writable
   */
  static open(session: Session, path: string, options: OutOptions): Promise<OutFile>;
  static open(
    session: Session,
    path: string | undefined,
    options: OutOptions,
  ): Promise<OutFile | undefined>;
  static async open(
    session: Session,
    path: string | undefined,
    options: OutOptions,
  ): Promise<OutFile | undefined> {
    if (path === undefined) return undefined;
    const { format } = session;
    if (format !== 'human')
      throw new UsageError(
        `-o cannot be combined with ${format === 'ids' ? '-q' : `--${format}`}`,
        `-o writes a file, and standard output stays empty. Remove one of the two.`,
      );
    const { extensions } = options;
    const extension = extensions.find((each) => each === extname(path).toLowerCase());
    if (path === '-' || extension === undefined)
      throw new UsageError(
        path === '-' ? '-o - names no file' : `-o: ${path} does not end with ${anyOf(extensions)}`,
        `The extension selects the format, such as -o results${extensions[0]}.`,
      );
    const file = new OutFile(session, path, extension, options);
    await file.#checkTarget();
    await access(dirname(path), constants.W_OK).catch((cause: unknown) => file.#fail(cause));
    return file;
  }

  /**
   * Writes a table: as CSV with a byte order mark, by which Excel recognizes UTF-8, or as a
   * workbook.
   * @param sheets further sheets of a workbook, written after the table
   * @throws UsageError if the table is empty but would replace a file; LocalError if writing fails
   */
  async writeTable(table: OutTable, sheets: readonly SheetContent[] = []): Promise<void> {
    if (this.extension === '.csv')
      return this.writeLines(async (write) => {
        const { delimiter } = this.#options;
        await write(`\ufeff${renderCsvLine(table.columns, delimiter)}`);
        for await (const row of table.rows)
          await write(renderCsvLine(row as readonly CsvValue[], delimiter));
      }, 1);
    const [{ outputSheet }, { writeWorkbook }] = await Promise.all([
      import('../../table/output-sheet.ts'),
      import('../../workbook/write-workbook.ts'),
    ]);
    const list = table.list ?? (await this.#list());
    let truncated = 0;
    await this.#write(async (file) => {
      const written = await writeWorkbook(file, [outputSheet(table), ...sheets], list);
      truncated = written.truncated;
      return written.rows[0] ?? 0;
    });
    if (truncated > 0)
      this.#session.messages.warn(
        `carbon shortened ${plural(truncated, 'text')} in ${this.path}: a cell holds at most 32,767 characters.`,
      );
  }

  /**
   * Writes lines, such as those of NDJSON.
   * @param produce passes each line with its line feed to `write`, and waits for it
   * @param headers number of lines that are no rows
   * @throws as `writeTable` does
   */
  async writeLines(produce: (write: WriteLine) => Promise<void>, headers = 0): Promise<void> {
    await this.#write(async (file) => {
      let lines = 0;
      let pending = '';
      const flush = () => {
        const text = pending;
        pending = '';
        return file.writeFile(text);
      };
      await produce((line) => {
        lines += 1;
        pending += line;
        return pending.length < maxPending ? undefined : flush();
      });
      await flush();
      return lines - headers;
    });
  }

  /**
   * Writes a page.
   * @param organizations number of organizations on it, for the message
   * @throws LocalError if writing fails
   */
  async writePage(html: string, organizations: number): Promise<void> {
    await this.#write(async (file) => {
      await file.writeFile(html);
      return organizations;
    }, 'organization');
  }

  /* Writes the file with a function that returns its number of rows. */
  async #write(write: (file: FileHandle) => Promise<number>, noun = 'row'): Promise<void> {
    const { path } = this;
    const { messages } = this.#session;
    let size = 0;
    try {
      await writeAtomically(path, async ({ handle, commit }) => {
        size = await write(handle);
        // Another program may have written the file in the meantime.
        const exists = await this.#checkTarget();
        if (size === 0 && exists && !this.#options.mayBeEmpty)
          throw this.#refused('the result is empty and would replace this file');
        await commit();
      });
    } catch (cause) {
      this.#fail(cause);
    }
    messages.print({
      level: 'progress',
      text: `Wrote ${path} (${plural(size, noun)})`,
      event: { event: 'written', file: path, [`${noun}s`]: size },
    });
  }

  /* Returns whether the file exists. */
  async #checkTarget(): Promise<boolean> {
    const { path } = this;
    const { inputs = [] } = this.#options;
    const target = await lstat(path).catch(() => undefined);
    if (target === undefined) {
      // The command may write such a file later, such as its failed rows.
      if (inputs.some((input) => input !== '-' && resolve(input) === resolve(path)))
        throw this.#refused('this is a file that the command reads or writes');
      return false;
    }
    if (!target.isFile()) throw this.#refused('this is not a regular file');
    const sources = [
      promisify(fstat)(0),
      ...inputs.filter((input) => input !== '-').map((input) => stat(input)),
    ];
    for (const source of await Promise.allSettled(sources)) {
      if (source.status === 'rejected') continue;
      if (source.value.ino === target.ino && source.value.dev === target.dev)
        throw this.#refused('this is one of the inputs');
    }
    if (!(await isOwnFile(this, this.#options).catch((cause: unknown) => this.#fail(cause))))
      throw this.#refused('carbon did not write this file, or another program has saved it');
    return true;
  }

  /* Returns the list whose records the file shows, from the directory of the file. */
  async #list(): Promise<string | undefined> {
    const [input = '-', second] = this.#options.inputs ?? [];
    if (input === '-' || second !== undefined) return undefined;
    const { findStores } = await import('../../sync/store.ts');
    return findStores(input).length > 0 ? relative(dirname(this.path), input) : undefined;
  }

  #refused(reason: string): UsageError {
    const other = `${this.path.slice(0, -this.extension.length)}-2${this.extension}`;
    return invalidInput(`-o: ${this.path}: ${reason}`, `Use another name, such as -o ${other}`);
  }

  /* The name of the temporary file in an error of the system would confuse the reader. */
  #fail(cause: unknown): never {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const isMissing = 'code' in cause && cause.code === 'ENOENT';
    const why = isMissing ? 'its directory does not exist' : explainSystemError(cause);
    throw new LocalError(`Cannot write ${this.path}: ${why}`);
  }
}

type WriteLine = (line: string) => Promise<void> | undefined;

/* The format loads its data, which takes milliseconds, so only an error creates it. */
function anyOf(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}

/* Many short lines are written at a time. */
const maxPending = 1 << 16;

/* A longer first line is not recognized, so carbon does not replace the file. */
const headBytes = 1 << 20;

/*
 * Checks whether carbon wrote a file of results: a workbook by its Application property, a page by
 * its generator, CSV by its header, NDJSON by its first line. An empty file counts as one.
 */
async function isOwnFile(
  { path, extension }: OutFile,
  { columns = [], header, delimiter }: OutOptions,
): Promise<boolean> {
  const head = await readHead(path);
  if (head === '') return true;
  if (extension === '.xlsx') {
    const { isOwnWorkbook } = await import('../../workbook/package-parts.ts');
    return isOwnWorkbook(path);
  }
  const [first = ''] = head.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  if (extension === '.csv' && header !== undefined)
    return `${first}\r\n` === renderCsvLine(header, delimiter);
  if (extension === '.csv') return hasOwnHeader(first, columns);
  if (extension === '.ndjson') return isRecordLine(first);
  return head.includes('<meta name="generator" content="carbon">');
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/* A list of organizations can have these columns as well, so they prove nothing. */
const columnsOfLists = /^(?:id|name|hq_\w+|website|external_id|industry_\w+|line|row)$/;

function hasOwnHeader(header: string, columns: readonly string[]): boolean {
  const names = header.split(',').map((name) => name.replace(/^"(.*)"$/, '$1'));
  const known = new Set(columns);
  return names.every((name) => known.has(name)) && names.some((name) => !columnsOfLists.test(name));
}

/* Journals and the stores of lists are no results: `-o` must not replace them. */
function isRecordLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || 'valid_from' in value || 'carbon' in value) return false;
    const record = isEnvelope(value) ? value.record : value;
    return isObject(record) && 'id' in record && 'status' in record;
  } catch {
    return false;
  }
}
