/*
 * The file of `-o`. Its extension selects the format, and it replaces an existing file only with
 * --overwrite. The file is written aside and renamed, so a failed run changes nothing.
 */
import {
  accessSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Items } from '../../client/api/scheduler.ts';
import { dateText, plural } from '../../display/terminal/format.ts';
import { type CsvValue, renderCsvLine } from '../../lists/table/output-cell.ts';
import type { OutputTable } from '../../lists/table/output-sheet.ts';
import type { Labelled, SummaryContent } from '../../lists/table/summary-sheet.ts';
import type { SheetColumn, SheetContent } from '../../lists/workbook/sheet-xml.ts';
import { type PendingFile, writeAtomically } from '../../runtime/atomic-file.ts';
import {
  type Choices,
  explainSystemError,
  invalidInput,
  LocalError,
  UsageError,
} from '../../runtime/carbon-error.ts';
import { takeTurn } from '../../runtime/file-lines.ts';
import type { Session } from '../session.ts';

export type OutExtension = '.xlsx' | '.csv' | '.ndjson' | '.html';

export interface OutOptions {
  readonly extensions: readonly OutExtension[];
  /** The input files, which the output must not replace; `-` is standard input. */
  readonly inputs?: readonly string[];
}

export interface OutTable extends OutputTable {
  readonly delimiter?: string;
  /** The leading columns that are the user's own, and stay as they are. */
  readonly own?: readonly SheetColumn[];
  /** Number of columns that stay in view in a workbook. */
  readonly frozen?: number;
  /** The title of a workbook; by default, the name of the table. */
  readonly title?: string | undefined;
  /** What the columns of a workbook mean, for its last sheet. */
  readonly legend?: Labelled | undefined;
  /** Returns what the first sheet of a workbook says; called after the rows were written. */
  readonly summary?: (() => SummaryContent) | undefined;
  /** Whether day 0 of the dates in these columns is 1904-01-01. */
  readonly is1904?: boolean | undefined;
}

/* Proposes the name with an extension that selects a format, or what makes the format it has. */
function hintAtName(session: Session, path: string, extensions: OutOptions['extensions']): string {
  const given = extname(path).toLowerCase();
  const name = path === '-' ? 'results' : path.slice(0, path.length - given.length);
  const [first = '.xlsx'] = extensions;
  const write = `Write -o ${session.quote(`${name}${first}`)}`;
  if (given === '.pdf' && first === '.html')
    return `${write}, and print the page to PDF in a browser.`;
  if (given === '.csv' || given === '.json')
    return `${write}, or use --${given.slice(1)} > ${session.quote(path)}.`;
  if (given === '.html') return `${write}. carbon report and carbon footprint make pages.`;
  return `${write}: the extension selects the format.`;
}

const noValue = 'An empty cell means unknown, not zero: the service has no value.';

/**
 * A file that `-o` names. `open` refuses it before any work; then call one of `writeTable`,
 * `writeLines` and `writePage` once, which also report it on standard error.
 */
export class OutFile {
  readonly path: string;
  readonly extension: OutExtension;
  readonly #session: Session;

  private constructor(session: Session, path: string, extension: OutExtension) {
    this.#session = session;
    this.path = path;
    this.extension = extension;
  }

  get isWorkbook(): boolean {
    return this.extension === '.xlsx';
  }

  /**
   * Checks that carbon may write the file.
   * @throws UsageError with --json, --csv or -q, for another extension, for an existing file
   * without --overwrite, and for one that carbon never replaces; LocalError for a directory that
   * is missing or not writable
   */
  static async open(session: Session, path: string, options: OutOptions): Promise<OutFile> {
    const { format } = session;
    if (format !== 'human')
      throw new UsageError(
        `-o cannot be combined with ${format === 'ids' ? '-q' : `--${format}`}`,
        '-o writes a file, and standard output stays empty. Remove one of the two.',
      );
    const { extensions } = options;
    const extension = extensions.find((each) => each === extname(path).toLowerCase());
    if (path === '-' || extension === undefined)
      throw new UsageError(
        path === '-'
          ? '-o - is not a file name'
          : `-o: ${path} does not end with ${extensions.slice(0, -1).join(', ')} or ${extensions.at(-1)}`,
        hintAtName(session, path, extensions),
      );
    const file = new OutFile(session, path, extension);
    await file.#checkTarget(options.inputs ?? []);
    try {
      accessSync(dirname(path), constants.W_OK);
    } catch (cause) {
      file.#fail(cause);
    }
    return file;
  }

  /**
   * Writes a table: as CSV with a byte order mark, by which Excel recognizes UTF-8, or as a
   * workbook.
   * @param others further sheets of a workbook, after the summary and the table
   * @throws LocalError if writing fails
   */
  async writeTable(table: OutTable, others: readonly SheetContent[] = []): Promise<void> {
    const { columns, rows, delimiter, own = [] } = table;
    const names = columns.map(({ name }) => name);
    async function* lines() {
      yield `\ufeff${renderCsvLine(names, delimiter, own.length)}`;
      for await (const row of rows)
        yield renderCsvLine(row as readonly CsvValue[], delimiter, own.length);
    }
    if (this.extension === '.csv') return this.writeLines(lines(), 1);
    const [{ outputSheet }, { withStacked }, summaries, { writeWorkbook }] = await Promise.all([
      import('../../lists/table/output-sheet.ts'),
      import('../../lists/table/stacked-sheet.ts'),
      import('../../lists/table/summary-sheet.ts'),
      import('../../lists/workbook/write-workbook.ts'),
    ]);
    let truncated = 0;
    await this.#write(async ({ write }) => {
      const { title = table.name, is1904, legend = [] } = table;
      let said: SummaryContent | undefined;
      // The first call is at the end of the table.
      const summary = (): SummaryContent => (said ??= table.summary?.() ?? {});
      const author = `carbon ${packageJson.version}`;
      const writtenAt = new Date(this.#session.context.clock.now()).toISOString();
      const shown = (): SummaryContent => {
        const { dates = [], notes = [], emptyCells = noValue, ...content } = summary();
        return {
          ...content,
          dates: [...dates, ['Written', `${dayAndTime(writtenAt)} by ${author}`]],
          notes: [...notes, ['Empty cells', emptyCells], ...(hasFolded ? [foldedNote] : [])],
        };
      };
      const main = outputSheet(table);
      const tables = [main, ...withStacked(others, [main.name])];
      const hasFolded = tables.some((each) => each.columns.some(({ isFolded }) => isFolded));
      const taken = tables.map(({ name }) => name);
      const sheets = [
        summaries.summarySheet(title, shown, taken),
        ...tables,
        ...(legend.length === 0 ? [] : [summaries.legendSheet(legend, taken)]),
      ];
      const footer = () => (summary().isSynthetic ? summaries.syntheticData : undefined);
      const about = { title, author, writtenAt, is1904 };
      const written = await writeWorkbook(
        write,
        sheets.map((each) => ({ ...each, footer })),
        about,
      );
      truncated = written.truncated;
      return written.rows[1] ?? 0;
    });
    if (truncated > 0)
      this.#session.messages.warn(
        `carbon shortened ${plural(truncated, 'text')} in ${this.path}: a cell holds at most 32,767 characters.`,
      );
  }

  /**
   * Writes lines, such as those of NDJSON, each with its line feed.
   * @param headers number of lines that are no rows
   */
  async writeLines(texts: Items<string>, headers = 0): Promise<void> {
    await this.#write(async ({ write }) => {
      let lines = 0;
      let pending = '';
      for await (const text of texts) {
        lines += 1;
        pending += text;
        if (pending.length < maxPending) continue;
        write(pending);
        await takeTurn(pending.length);
        pending = '';
      }
      write(pending);
      return lines - headers;
    });
  }

  /** @param size number of companies, or of `noun`, on the page, for the message */
  async writePage(html: string, size: number, noun?: string): Promise<void> {
    await this.#write(
      async ({ write }) => {
        write(html);
        return size;
      },
      noun === undefined ? ['company', 'companies'] : [noun],
    );
  }

  async #write(
    work: (file: PendingFile) => Promise<number>,
    noun: [one: string, several?: string] = ['row'],
  ): Promise<void> {
    const { messages, flags } = this.#session;
    let { path } = this;
    let size = 0;
    try {
      await writeAtomically(path, async (file) => {
        size = await work(file);
        if (flags.overwrite) await file.commit();
        else path = await file.commitAs(namesLike(this.path));
      });
    } catch (cause) {
      this.#fail(cause);
    }
    if (path !== this.path)
      messages.warn(`${this.path} appeared during the run, so the result is in ${path}`);
    messages.print({ level: 'progress', text: `Wrote ${path} (${plural(size, ...noun)})` });
  }

  async #checkTarget(given: readonly string[]): Promise<void> {
    const { path } = this;
    const inputs = given.filter((input) => input !== '-');
    if (/\.(?:records|history)\.ndjson$/i.test(path))
      throw this.#refused('carbon sync keeps the records of a list in files with such names');
    if (inputs.some((input) => resolve(input) === resolve(path)))
      throw this.#refused('this is one of the inputs');
    const target = statsOf(() => lstatSync(path));
    if (target === undefined) return;
    if (!target.isFile()) throw this.#refused('this is not a regular file');
    const sources = inputs.map((input) => statsOf(() => statSync(input)));
    for (const source of [statsOf(() => fstatSync(0)), ...sources])
      if (source?.ino === target.ino && source.dev === target.dev)
        throw this.#refused('this is one of the inputs');
    const { findJournals } = await import('../../lists/kept/paths.ts');
    if ([false, true].some((sandbox) => findJournals(path, { sandbox }).length > 0))
      throw this.#refused('this is a list that carbon keeps a journal of');
    if (this.#session.flags.overwrite) return;
    const command = this.#session.again({ add: ['--overwrite'] });
    const choices = (other: string): Choices => ({
      question: 'Where should the result go?',
      options: [
        {
          label: `Replace ${path}`,
          hint: `last changed ${dateText(target.mtime.toISOString())}`,
          add: ['--overwrite'],
        },
        { label: `Write ${other}`, add: ['-o', other], without: ['--out'] },
      ],
      // Enter alone replaces nothing.
      initial: 1,
    });
    throw this.#refused('this file already exists', ` To replace it, run: ${command}`, choices);
  }

  #refused(reason: string, how = '', choices?: (other: string) => Choices): UsageError {
    let other = '';
    for (other of namesLike(this.path)) if (other !== this.path && !existsSync(other)) break;
    return invalidInput(
      `-o ${this.path}: ${reason}`,
      `Use another name, such as -o ${this.#session.quote(other)}.${how}`,
      choices && (() => choices(other)),
    );
  }

  /* The name of the temporary file in an error of the system would confuse the reader. */
  #fail(cause: unknown): never {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const isMissing = 'code' in cause && cause.code === 'ENOENT';
    const why = isMissing ? 'its directory does not exist' : explainSystemError(cause);
    const create = `Create the directory ${dirname(this.path)}, or use another path.`;
    throw new LocalError(`Cannot write ${this.path}: ${why}`, isMissing ? { hint: create } : {});
  }
}

const foldedNote = [
  'Folded columns',
  'Click + above the columns of a sheet to see them, and + in the sheet Columns to read what they mean.',
] as const;

/* Shortens a time of ISO 8601 in UTC to its minute. */
function dayAndTime(time: string): string {
  return `${dateText(time)}, ${time.slice(11, 16)} UTC`;
}

/* Returns the properties of a file; undefined if they cannot be read. */
function statsOf(read: () => Stats): Stats | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const maxPending = 1 << 16;

/** Returns the path, or one like it with a number if a file with this name exists. */
export function freePath(path: string): string {
  for (const each of namesLike(path)) if (!existsSync(each)) return each;
  return path;
}

/* Yields `results.csv`, `results-2.csv`, ... */
function* namesLike(path: string): Generator<string, never> {
  yield path;
  const extension = extname(path);
  const stem = path.slice(0, -extension.length);
  for (let number = 2; ; number += 1) yield `${stem}-${number}${extension}`;
}
