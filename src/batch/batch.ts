import { type FileHandle, mkdir, realpath, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ChosenColumns, chooseColumns } from '../list/columns.ts';
import { Journal, setJournalAside } from '../list/journal.ts';
import { headerLine, journalHeader, mappingLine } from '../list/journal-format.ts';
import { lockJournal, unusedName } from '../list/journal-lock.ts';
import { Journals } from '../list/journals.ts';
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
  judgeRow,
  planRows,
  problemsOf,
  type RowActionOptions,
  type RowPlan,
  type RowProblem,
} from '../list/row-action.ts';
import { type IdentifiedTable, identifyRows } from '../list/rows.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { LockContext } from '../runtime/file-lock.ts';
import { detectDialect } from '../table/dialect.ts';
import { type CsvDialect, type CsvDialectOptions, isResultHeader } from '../table/header.ts';
import { InputFile, withSheetHint } from '../table/input-file.ts';
import { type Preflight, type PreflightOptions, preflight } from './preflight.ts';
import type { RunOutcome } from './rows.ts';
import { Run, type SendOptions } from './send.ts';

/* Maximum number of problems that the check keeps. */
const maxProblems = 1_000;

/** Options of a batch: the file, how to read it, and the journals that belong to it. */
export interface BatchOptions
  extends CsvDialectOptions,
    RowActionOptions,
    LockContext,
    Keeping,
    Pick<PreflightOptions, 'onRows' | 'onDone'> {
  /** Path of the input file. */
  readonly path: string;
  /** The path, or `standard input`, which needs `keep`. */
  readonly name: string;
  /** The open file if it has no path, such as a copy of standard input. */
  readonly file?: FileHandle | undefined;
  /** Values of `--map`, unchanged. */
  readonly map?: readonly string[] | undefined;
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile; `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Sends rows without their invalid D-U-N-S number, LEI or ISIN. */
  readonly dropInvalidIds?: boolean | undefined;
  /** Ignores earlier runs and renames their journal. */
  readonly restart?: boolean | undefined;
  /** Only checks: takes no lock and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

type CheckedFile = Awaited<ReturnType<typeof check>>;

/** A checked file. Call `close` at the end. */
export class Batch {
  readonly table: IdentifiedTable;
  /** What the columns of the file mean. */
  readonly mapping: ChosenColumns;
  readonly preflight: Preflight;
  /** Path of the journal of this run. */
  readonly journal: string;
  readonly #options: BatchOptions;
  readonly #checked: CheckedFile;
  /* Journals that this run does not continue. */
  #outdated: readonly string[];

  private constructor(options: BatchOptions, checked: CheckedFile) {
    const { table, mapping, preflight, journal, outdated } = checked;
    this.#options = options;
    this.#checked = checked;
    this.table = table;
    this.mapping = mapping;
    this.preflight = preflight;
    this.journal = journal;
    this.#outdated = outdated;
  }

  /**
   * Takes the lock, reads the journals and checks the entire file. Sends nothing, and writes
   * nothing but the lock.
   *
   * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
   * another run is in progress
   */
  static async open(options: BatchOptions): Promise<Batch> {
    return new Batch(options, await check(options));
  }

  /** What the files of the list are named after: its path, or `stdin`. */
  get list(): string {
    return listOf(this.#options);
  }

  /** Whether the list is a copy of standard input. */
  get isStdin(): boolean {
    return this.#options.path !== this.#options.name;
  }

  /** Aborted when another run has taken over; undefined in a dry run, which takes no lock. */
  get lost(): AbortSignal | undefined {
    return this.#checked.lock?.lost;
  }

  /** Number of unreadable lines by journal, and the line number of the first one. */
  get unreadable(): Journals['unreadable'] {
    return this.#checked.journals.unreadable;
  }

  /** Reads the file again and yields what a run would do with each row. */
  plans(): AsyncGenerator<RowPlan, void, void> {
    return planRows(this.table, this.#checked.journals, this.#options);
  }

  /** Reads the file again and yields every problem; `preflight` has only the first ones. */
  async *problems(): AsyncGenerator<RowProblem, void, void> {
    for await (const plan of this.plans()) yield* problemsOf(plan);
  }

  /**
   * Sends the remaining rows. Call it once.
   *
   * @throws LocalError when the journal cannot be written, before anything is sent
   */
  async send(sendOptions: SendOptions): Promise<RunOutcome> {
    const { table, journals, lock } = this.#checked;
    const { clock, signal: stop, retryFailed } = this.#options;
    const journal = await this.#openJournal();
    try {
      const signal = lock ? AbortSignal.any([stop, lock.lost]) : stop;
      const parts = { table, journals, journal, clock, signal, retryFailed };
      return await new Run({ ...sendOptions, ...parts }).send(this.preflight.rows);
    } finally {
      await journal.close();
    }
  }

  /* Opens the journal and records what this run changes about it. */
  async #openJournal(): Promise<Journal> {
    for (const path of this.#outdated) await setJournalAside(path, unusedName(path));
    this.#outdated = [];
    const { service, profile, path, name, keep } = this.#options;
    const journal = await Journal.open(this.journal);
    const list = keep !== undefined && path === name ? await realpath(path) : undefined;
    const header = { ...journalHeader(service, profile, this.mapping), list };
    try {
      const known = this.#checked.journals.header(this.journal);
      const isOwn = known?.service === service && known.profile === profile;
      if (journal.isEmpty || !isOwn) await journal.append(headerLine(header));
      else if (!isDeepStrictEqual(known.mapping, header.mapping))
        await journal.append(mappingLine(header.mapping));
      this.#checked.journals.rememberHeader(this.journal, header);
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  /** Releases the lock. */
  close(): void {
    this.#checked.lock?.release();
  }
}

/* Takes the lock, reads the journals and checks the file. */
async function check(options: BatchOptions) {
  const { path, name, file, map, service, profile } = options;
  const { restart = false, dryRun = false, retryFailed } = options;
  const { clock, machine, signal, onRows, onDone, onWait } = options;
  const source = new InputFile(path, name, file);
  const dialect = await detectDialect(source, options);
  if (isResultHeader(dialect.header))
    throw new UsageError(
      `${name} is a table of results that carbon wrote, not a list of organizations`,
      'Use the list that it was made from. To register the rows anyway, remove the columns of carbon.',
      'invalid_input',
    );
  const list = listOf(options);
  const journal = journalOf(list, options);
  if (options.keep !== undefined && !dryRun) await mkdir(options.keep, { recursive: true });
  checkKept(list, options);
  // Only a journal may know the columns better, and reading one takes the lock first.
  const isFirstRun = restart || findJournals(list, options).length === 0;
  if (isFirstRun) withSheetHint(source, options.sheet, () => chooseColumns(dialect, map));
  const lockContext = { clock, machine, signal, onWait };
  const lock = dryRun ? undefined : await lockJournal(journal, lockContext);
  try {
    if (!dryRun) renameSandboxFiles(list, options);
    const journals = new Journals({ service, profile });
    const files = ownJournals(list, options);
    const outdated = restart ? files : [];
    if (!restart) for (const recorded of files) await journals.read(recorded);
    const mapping = chooseColumns(dialect, map, journals.mappings(journal));
    const table = identifiedTable(options, source, dialect, mapping);
    const checkOptions = { retryFailed, signal, onRows, onDone, maxProblems };
    const result = await preflight(table, journals, checkOptions);
    return { table, mapping, preflight: result, journal, journals, outdated, lock };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function identifiedTable(
  { service, dropInvalidIds }: StatusOptions,
  source: InputFile,
  dialect: CsvDialect,
  mapping: ChosenColumns,
): IdentifiedTable {
  return {
    source,
    // The sample is the beginning of the file, which is not needed any more.
    dialect: { ...dialect, sample: [] },
    mapping,
    service,
    dropsInvalidIds: dropInvalidIds,
    leavesOutTotals: true,
  };
}

/**
 * Returns what the files of a list are named after. A dry run of standard input has none.
 */
export function listOf({
  path,
  name,
  keep,
}: Pick<StatusOptions, 'path' | 'name' | 'keep'>): string {
  return path === name || keep === undefined ? path : stdinList;
}

/* A dry run renames no file that 0.2.0 left, so it skips those of the sandbox. */
function ownJournals(list: string, keeping: Keeping): string[] {
  const files = findJournals(list, keeping);
  return keeping.sandbox ? files : files.filter((file) => !isOfSandbox(file));
}

/*
 * Reads how far the runs of a file have come, from the file and its journals. It takes no lock and
 * writes nothing, so it works during runs and in read-only directories.
 */

/** Options of reading the status: those that determine how a batch reads its file. */
export type StatusOptions = Omit<BatchOptions, 'restart' | 'dryRun' | 'retryFailed' | 'onWait'>;

/** Counts rows by what their last run recorded. */
export interface StatusCounts {
  rows: number;
  registered: number;
  /** Rejected by the service. */
  failed: number;
  /** Rows that no run sends until they are fixed. */
  invalid: number;
  /** Rows that the next run sends. */
  remaining: number;
  /** Rows of the remaining ones that an earlier run failed on. */
  postponed: number;
}

/** The status of a file. */
export interface FileStatus extends StatusCounts {
  /** Path of its journal, which may not exist. */
  readonly journal: string;
  /** When its journal was last written, in milliseconds since 1970; undefined without one. */
  readonly writtenMs: number | undefined;
  /** The service and profile of the journals. */
  readonly service: string;
  readonly profile: string;
  /** Number of unreadable lines by journal, and the line number of the first one. */
  readonly unreadable: Journals['unreadable'];
}

/**
 * Reads the status of a file.
 *
 * Without a configured service, that of the journals counts, because it is part of each row's key.
 *
 * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
 * they cannot be read
 */
export async function readStatus(options: StatusOptions): Promise<FileStatus> {
  const { path, name, file, map } = options;
  const source = new InputFile(path, name, file);
  const dialect = await detectDialect(source, options);
  const list = listOf(options);
  const keeping = chooseKept(list, options);
  checkKept(list, keeping);
  const journal = journalOf(list, keeping);
  // The profile only determines which key a run uses, so that of the journals counts.
  const configured = keeping.sandbox ? undefined : options.service || undefined;
  const journals = new Journals({ service: configured, profile: undefined });
  for (const recorded of findJournals(list, keeping)) await journals.read(recorded);
  const { service = '', profile = options.profile } = journals.current;
  const mapping = chooseColumns(dialect, map, journals.mappings(journal));
  const table = identifiedTable({ ...options, service }, source, dialect, mapping);
  const counts = await countRows(table, journals, options);
  const writtenMs = await stat(journal).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  return { ...counts, service, profile, journal, writtenMs, unreadable: journals.unreadable };
}

async function countRows(
  table: IdentifiedTable,
  { rows: known }: Journals,
  { signal, onRows }: StatusOptions,
): Promise<StatusCounts> {
  const counts = { rows: 0, registered: 0, failed: 0, invalid: 0, remaining: 0, postponed: 0 };
  for await (const { rows } of identifyRows(table)) {
    signal.throwIfAborted();
    for (const row of rows) {
      const same = known.get(row.key);
      const { step } = judgeRow(row, same);
      counts.rows += 1;
      if (step === 'done') counts.registered += 1;
      else if (step === 'rejected') counts.failed += 1;
      else if (step === 'invalid') counts.invalid += 1;
      else counts.remaining += 1;
      if (step === 'new' && same?.failures.failure !== undefined) counts.postponed += 1;
    }
    onRows?.(counts.rows);
  }
  return counts;
}
