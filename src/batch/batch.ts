/*
 * Opens a list to register its rows: reads its journals, checks the whole file before anything is
 * sent, and then sends the remaining rows.
 */
import { type FileHandle, mkdir, realpath } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ChosenColumns, chooseColumns, recordedHeader } from '../list/columns.ts';
import { headerLine, Journal, lockJournal, setJournalAside } from '../list/journal.ts';
import { Journals, readReason } from '../list/journals.ts';
import {
  checkKept,
  chooseKept,
  findJournals,
  isOfSandbox,
  journalOf,
  type Keeping,
  renameSandboxFiles,
  stdinList,
} from '../list/kept-files.ts';
import {
  type IdentifiedTable,
  identifyRows,
  judgeRow,
  type RowActionOptions,
  type RowPlan,
} from '../list/rows.ts';
import { fields } from '../registration/fields.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { FileLock, LockContext } from '../runtime/file-lock.ts';
import type { CsvDialectOptions } from '../table/dialect.ts';
import { detectDialect } from '../table/dialect.ts';
import { InputFile, withSheetHint } from '../table/input-file.ts';
import { readMap } from '../table/map-option.ts';
import { isResultHeader } from '../table/output-cell.ts';
import { type Preflight, type PreflightOptions, preflight } from './preflight.ts';
import type { RunOutcome } from './rows.ts';
import type { SendOptions } from './send.ts';

export interface ListInput {
  readonly path: string;
  /** The path, or `standard input`, which needs `keep`. */
  readonly name: string;
  /** The open file if it has no path, such as a copy of standard input. */
  readonly file?: FileHandle | undefined;
}

/** Options of a batch: the file, how to read it, and the journals that belong to it. */
export interface BatchOptions
  extends ListInput,
    CsvDialectOptions,
    RowActionOptions,
    LockContext,
    Keeping,
    Pick<PreflightOptions, 'onRows'> {
  /** Values of `--map`, unchanged. */
  readonly map?: readonly string[] | undefined;
  /**
   * The base URL, or `sandbox`. It is part of each row's key; without one, that of the journals
   * counts.
   */
  readonly service: string;
  /** Name of the profile; `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Sends rows without their invalid D-U-N-S number, LEI or ISIN. */
  readonly dropInvalidIds?: boolean | undefined;
  /** Ignores earlier runs and renames their journal. */
  readonly restart?: boolean | undefined;
  /** Only checks: takes no lock and writes nothing, so it works during runs. */
  readonly dryRun?: boolean | undefined;
  /** Whether to check the list against the journals that it has, of any profile. */
  readonly status?: boolean | undefined;
}

/** A checked list. Call `close` at the end. */
export class Batch {
  /** What the files of the list are named after: its path, or `stdin`. */
  readonly list: string;
  readonly table: IdentifiedTable;
  /** What the columns of the file mean. */
  readonly mapping: ChosenColumns;
  readonly preflight: Preflight;
  readonly journal: string;
  readonly journals: Journals;
  readonly #options: BatchOptions;
  /* Journals that `--restart` replaces. */
  readonly #outdated: readonly string[];
  readonly #lock: FileLock | undefined;

  private constructor(options: BatchOptions, checked: Awaited<ReturnType<typeof check>>) {
    this.#options = options;
    this.list = listOf(options);
    this.table = checked.table;
    this.mapping = checked.mapping;
    this.preflight = checked.preflight;
    this.journal = checked.journal;
    this.journals = checked.journals;
    this.#outdated = checked.outdated;
    this.#lock = checked.lock;
  }

  /**
   * Takes the lock, reads the journals and checks the whole file. Sends nothing, and writes nothing
   * but the lock.
   *
   * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
   * another run is in progress
   */
  static async open(options: BatchOptions): Promise<Batch> {
    return new Batch(options, await check(options));
  }

  get isDryRun(): boolean {
    return this.#options.dryRun === true;
  }

  get isStdin(): boolean {
    return this.#options.path !== this.#options.name;
  }

  /** Aborted when another run has taken over; undefined in a dry run, which takes no lock. */
  get lost(): AbortSignal | undefined {
    return this.#lock?.lost;
  }

  /** Reads the file again and yields what a run would do with each row, in its order. */
  async *plans(): AsyncGenerator<RowPlan, void, void> {
    for await (const { rows } of identifyRows(this.table))
      for (const row of rows) {
        const known = this.journals.rows.get(row.key);
        const plan = judgeRow(row, known, this.#options);
        const { failure } = known?.failures ?? {};
        yield failure === undefined ? plan : { ...plan, postponed: readReason(failure) };
      }
  }

  /**
   * Sends the remaining rows. Call it once.
   *
   * @throws LocalError when the journal cannot be written, before anything is sent
   */
  async send(sendOptions: SendOptions): Promise<RunOutcome> {
    const { table, journals, preflight } = this;
    const { clock, signal: stop, retryFailed } = this.#options;
    const { Run } = await import('./send.ts');
    const journal = await this.#openJournal();
    try {
      const signal = this.lost ? AbortSignal.any([stop, this.lost]) : stop;
      const parts = { table, journals, journal, clock, signal, retryFailed };
      return await new Run({ ...sendOptions, ...parts }).send(preflight.rows);
    } finally {
      await journal.close();
    }
  }

  /* Opens the journal and records what this run changes about it. */
  async #openJournal(): Promise<Journal> {
    for (const path of this.#outdated) await setJournalAside(path);
    const { service, profile, keep } = this.#options;
    const list = keep === undefined || this.isStdin ? undefined : await realpath(this.list);
    const columns = this.mapping.columns.map(({ field, column }) => [
      field,
      recordedHeader(column),
    ]);
    const header = { service, profile, mapping: Object.fromEntries(columns), list };
    const journal = await Journal.open(this.journal);
    try {
      const {
        service: known,
        profile: account,
        mapping,
      } = this.journals.header(this.journal) ?? {};
      if (!isDeepStrictEqual([known, account, mapping], [service, profile, header.mapping]))
        await journal.append(headerLine(header));
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  close(): void {
    this.#lock?.release();
  }
}

/** Returns what the files of a list are named after. A dry run of standard input has none. */
export function listOf({ path, name, keep }: Pick<BatchOptions, 'path' | 'name' | 'keep'>): string {
  return path === name || keep === undefined ? path : stdinList;
}

async function check(options: BatchOptions) {
  const { path, name, file, profile, restart = false, status = false } = options;
  const isReadOnly = options.dryRun === true || status;
  const source = new InputFile(path, name, file);
  const map = readMap(fields, options.map ?? []);
  const dialect = await detectDialect(source, options);
  if (isResultHeader(dialect.header))
    throw new UsageError(
      `${name} is a table of results that carbon wrote, not a list of organizations`,
      'Use the list that it was made from. To register the rows anyway, remove the columns of carbon.',
      'invalid_input',
    );
  const list = listOf(options);
  const keeping = status ? chooseKept(list, options) : options;
  const journal = journalOf(list, keeping);
  if (options.keep !== undefined && !isReadOnly) await mkdir(options.keep, { recursive: true });
  checkKept(list, keeping);
  // Only a journal may know the columns better, and reading one takes the lock first.
  if (restart || findJournals(list, keeping).length === 0)
    withSheetHint(source, options.sheet, () => chooseColumns(dialect, map));
  const lock = isReadOnly ? undefined : await lockJournal(journal, options);
  try {
    if (!isReadOnly) renameSandboxFiles(list, options);
    // A read-only check renames no file that 0.2.0 left, so it skips those of the sandbox.
    const files = findJournals(list, keeping).filter(
      (each) => keeping.sandbox === true || status || !isOfSandbox(each),
    );
    const isOther = status && keeping.sandbox === true;
    const journals = new Journals({
      service: isOther ? undefined : options.service || undefined,
      // The profile only determines which key a run uses.
      profile: status ? undefined : profile,
    });
    if (!restart) for (const each of files) await journals.read(each);
    const mapping = chooseColumns(dialect, map, journals.mappings(journal));
    const table: IdentifiedTable = {
      source,
      // The sample is the beginning of the file, which is not needed any more.
      dialect: { ...dialect, sample: [] },
      mapping,
      service: journals.current.service ?? '',
      dropsInvalidIds: options.dropInvalidIds,
      leavesOutTotals: true,
    };
    const result = await preflight(table, journals, options);
    const outdated = restart ? files : [];
    return { table, mapping, preflight: result, journal, journals, outdated, lock };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
