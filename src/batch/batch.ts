import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OrganizationId } from '../api/reference.ts';
import type { Registration } from '../api/schema.ts';
import { type CarbonError, UsageError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import type { MachineIdentity } from '../runtime/machine.ts';
import { type ChosenMapping, chooseMapping } from './csv/choose-columns.ts';
import { errorColumn, type Mapping } from './csv/columns.ts';
import { type CsvDialectOptions, detectDialect } from './csv/dialect.ts';
import { type IdentifiedTable, identifyRows } from './csv/identified-rows.ts';
import { InputFile } from './csv/input-file.ts';
import { checkLost } from './csv/lost-column.ts';
import { checkRow } from './csv/row-registration.ts';
import { type FailedRows, removeFailedRows, writeFailedRows } from './failed-rows.ts';
import { Journal, type JournalHeader, journalHeader, setJournalAside } from './journal/journal.ts';
import { lockJournal } from './journal/journal-lock.ts';
import { KeyIndex } from './journal/key-index.ts';
import { failedRowsLine, mappingLine } from './journal/line.ts';
import type { Lock, LockContext } from './journal/lock.ts';
import {
  failedRowsPath,
  type JournalFile,
  journalFile,
  journalFiles,
  linkedJournal,
  unusedName,
} from './journal/paths.ts';
import { JournalState } from './journal/reader.ts';
import type { RunOutcome } from './outcome.ts';
import { droppedOf, type Preflight, preflight, rowProblems } from './preflight/preflight.ts';
import { chooseAction, type RowActionOptions, type RowProblem } from './row-action.ts';
import { Run, type RunOptions } from './run.ts';
import { settledCopies } from './settled-copies.ts';
import type { Shard } from './shard.ts';

/** How many problems of invalid rows are kept to be shown. */
const maxProblems = 1_000;

/** What a batch is about. */
export interface BatchOptions extends CsvDialectOptions, RowActionOptions {
  /** The file that is read. */
  readonly path: string;
  /**
   * What the user calls it: the path, or `standard input`. Without a path of their own, `journal`
   * is needed.
   */
  readonly name: string;
  /** The open file where it has no path, as a copy of standard input. */
  readonly file?: FileHandle | undefined;
  /** `--map` options, as given. */
  readonly map?: readonly string[] | undefined;
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile, `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Path of the journal of an unsharded run; beside the input by default. */
  readonly journal?: string | undefined;
  readonly shard?: Shard | undefined;
  /** Sends rows without their invalid D-U-N-S number, LEI or ISIN. */
  readonly dropInvalidIds?: boolean | undefined;
  /** Forgets earlier runs: their journal is set aside. */
  readonly restart?: boolean | undefined;
  /** Only checks: takes no lock and writes nothing. */
  readonly dryRun?: boolean | undefined;
  readonly clock: Clock;
  readonly machine: MachineIdentity;
  readonly signal: AbortSignal;
  /** Told when a lock is watched because its holder may be dead. */
  readonly onWatch?: LockContext['onWatch'];
  /** Told how many rows were checked so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

/** What a run would do with one row. */
export type RowPlan = { readonly line: number } & (
  | {
      readonly step: 'new';
      readonly registration: Registration;
      /** Values that the registration leaves out. */
      readonly dropped: readonly RowProblem[];
    }
  | { readonly step: 'done'; readonly id: OrganizationId | undefined }
  | { readonly step: 'duplicate'; readonly firstLine: number }
  | { readonly step: 'refused'; readonly error: CarbonError }
  | { readonly step: 'invalid'; readonly problems: readonly RowProblem[] }
);

/** A file that was checked as a whole. Call `close` at the end, whatever happens. */
export class Batch {
  readonly table: IdentifiedTable;
  /** The mapping, and where it is not that of a first run. */
  readonly chosen: ChosenMapping;
  readonly preflight: Preflight;
  /** Path of this run's journal. */
  readonly journal: string;
  /** Path of the file of failed rows. */
  readonly failed: string;
  readonly #memory: JournalState;
  /** SHA-256 of files of failed rows that only journals name which are set aside. */
  readonly #forgotten: ReadonlySet<string>;
  readonly #lock: Lock | undefined;
  readonly #options: BatchOptions;
  #outcome: RunOutcome | undefined;
  /* Whether the journal lacks outcomes, or belongs to another run by now. */
  #hasLostJournal = false;
  /* Where the journal goes that this run does not continue. */
  #aside: string | undefined;

  private constructor(
    table: IdentifiedTable,
    chosen: ChosenMapping,
    preflight: Preflight,
    journal: string,
    failed: string,
    memory: JournalState,
    supersededDigests: ReadonlySet<string>,
    lock: Lock | undefined,
    options: BatchOptions,
  ) {
    this.table = table;
    this.chosen = chosen;
    this.preflight = preflight;
    this.journal = journal;
    this.failed = failed;
    this.#memory = memory;
    this.#forgotten = supersededDigests;
    this.#lock = lock;
    this.#options = options;
  }

  /** What the file's columns mean. */
  get mapping(): Mapping {
    return this.table.mapping;
  }

  /**
   * Takes the lock, reads the journals, and checks the whole file. Nothing is sent and, but for the
   * lock, nothing written.
   * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
   * another run is at work
   */
  static async open(options: BatchOptions): Promise<Batch> {
    const {
      path,
      name,
      service,
      profile,
      shard,
      restart = false,
      dryRun = false,
      signal,
    } = options;
    const source = new InputFile(path, name, options.file);
    const layout = await detectDialect(source, options);
    const input = name === path ? path : undefined;
    const whole = journalFile(path, options.journal);
    const journal = journalFile(path, options.journal, shard);
    const failed = await failedRowsPath(input, whole, options);
    if (resolve(failed) === resolve(journal)) {
      throw new UsageError(`${failed} is where the failed rows go; give --journal another name`);
    }
    const journals = journalFiles(whole, 'journals');
    // Only a journal may know better, and reading one takes the lock first.
    if (restart || journals.length === 0) chooseMapping(layout, options.map);
    const lock = dryRun ? undefined : await lockJournal(whole, journal, options);
    try {
      const memory = new JournalState(new KeyIndex(), { service, profile }, shard);
      const journals = journalFiles(whole, 'journals');
      const supersededDigests = restart
        ? await writtenBy(journals, memory)
        : memory.supersededDigests;
      if (!restart) for (const file of journals) await memory.read(file.path);
      const chosen = chooseMapping(layout, options.map, memory.mappings(journal));
      // The sample has done its work, and keeps the beginning of the file in memory.
      const form = { ...layout, sample: [] };
      const { dropInvalidIds: dropsInvalidIds } = options;
      const table = {
        source,
        layout: form,
        mapping: chosen.mapping,
        service,
        shard,
        dropsInvalidIds,
      };
      const found = await preflight(table, memory.index, { ...options, maxProblems, signal });
      if (found.counts.new > 0) checkLost(chosen.lost);
      const batch = new Batch(
        table,
        chosen,
        found,
        journal,
        failed,
        memory,
        supersededDigests,
        lock,
        options,
      );
      const startsOver = restart || (memory.superseded.has(journal) && !dryRun);
      if (startsOver) batch.#aside = unusedName(linkedJournal(journal));
      return batch;
    } catch (error) {
      lock?.release();
      throw error;
    }
  }

  /** Journals with lines that cannot be read: how many, and the number of the first one. */
  get unreadable(): JournalState['unreadable'] {
    return this.#memory.unreadable;
  }

  /**
   * The journal of another service or profile that registered nothing there, and where it is kept
   * from now on.
   */
  get superseded(): (Omit<JournalHeader, 'mapping'> & { readonly kept: string }) | undefined {
    const header = this.#memory.superseded.get(this.journal);
    const { service = '', profile = '' } = header ?? {};
    return header && this.#aside !== undefined
      ? { service, profile, kept: this.#aside }
      : undefined;
  }

  /**
   * Kept copies of the failed-rows file whose every row is registered, and of the input where that
   * is a failed-rows file.
   */
  async settledCopies(): Promise<string[]> {
    const memory = this.#memory;
    const options = this.#options;
    const known = { memory, service: options.service, options };
    const ofInput = this.isFailedRowsFile ? await settledCopies(options.path, known) : [];
    return [...(await settledCopies(this.failed, known)), ...ofInput];
  }

  /** Whether the file is one of failed rows that an earlier run wrote. */
  get isFailedRowsFile(): boolean {
    return this.table.layout.header.includes(errorColumn);
  }

  /**
   * Reads the file again for everything that is wrong with its rows: the check keeps only the first
   * problems.
   */
  async *problems(): AsyncGenerator<RowProblem, void, void> {
    const { index } = this.#memory;
    for await (const { rows } of identifyRows(this.table)) {
      for (const row of rows) {
        if (chooseAction(index.state(index.find(row.key)), true, () => false) !== 'done')
          yield* rowProblems(row);
      }
    }
  }

  /** What a run would do with each row, in the order of the file, for a dry run. */
  async *plans(): AsyncGenerator<RowPlan, void, void> {
    const { index } = this.#memory;
    for await (const { rows } of identifyRows(this.table)) {
      for (const row of rows) {
        const { key, line, values } = row;
        const entry = index.find(key);
        const { registration } = checkRow(values);
        const problems = rowProblems(row);
        const firstLine = index.line(entry);
        const step = chooseAction(
          index.state(entry),
          firstLine === line,
          () => problems.length === 0,
          this.#options,
        );
        if (step === 'new') yield { step, line, registration, dropped: droppedOf(row) };
        else if (step === 'invalid') yield { step, line, problems };
        else if (step === 'refused') yield { step, line, error: await this.#memory.refusal(entry) };
        else if (step === 'done') yield { step, line, id: index.id(entry) };
        else yield { step, line, firstLine };
      }
    }
  }

  /** Reads the file again for every value that is left out of a row to be sent. */
  async *dropped(): AsyncGenerator<RowProblem, void, void> {
    const { index } = this.#memory;
    for await (const { rows } of identifyRows(this.table)) {
      for (const row of rows) {
        if (row.dropped === undefined) continue;
        const entry = index.find(row.key);
        const isFirst = index.line(entry) === row.line;
        const isValid = () => rowProblems(row).length === 0;
        if (chooseAction(index.state(entry), isFirst, isValid, this.#options) === 'new')
          yield* droppedOf(row);
      }
    }
  }

  /**
   * What a run would come to that has nothing to send, undefined when there is something: the night
   * after needs no second reading of the file, unless somebody wants to be told of each row.
   */
  get emptyOutcome(): RunOutcome | undefined {
    const { new: left, duplicate, done, refused, invalid } = this.preflight.counts;
    // A run records the mapping that the user chooses, also without a row to send.
    if (left > 0 || this.#options.restart || this.chosen.replaced.length > 0) return undefined;
    const counts = { registered: 0, skipped: done, duplicate, refused, postponed: 0, invalid };
    return { counts, left: 0, stillFailed: 0, stop: undefined, errors: 0, tooManyErrors: false };
  }

  /**
   * Sends what is left, once.
   * @throws LocalError when the journal cannot be written, before anything is sent
   */
  async send<Ticket>(options: Omit<RunOptions<Ticket>, 'clock' | 'signal'>): Promise<RunOutcome> {
    const { clock, signal } = this.#options;
    const journal = await this.#openJournal();
    try {
      const { mapping } = this.#header;
      // While a recorded column is lost, nothing is sent, and nobody has given its field up.
      const isNew =
        this.chosen.lost.length === 0 && !this.#memory.isRecorded(this.journal, mapping);
      if (isNew) await journal.append(mappingLine(mapping));
      const ended = this.#lock === undefined ? signal : AbortSignal.any([signal, this.#lock.lost]);
      const run = new Run(this.table, this.#memory, journal, {
        ...this.#options,
        ...options,
        clock,
        signal: ended,
      });
      this.#outcome = await run.send(this.preflight.rows);
      return this.#outcome;
    } finally {
      this.#hasLostJournal = journal.hasFailed || this.#lock?.lost.aborted === true;
      await journal.close();
    }
  }

  /**
   * Writes the file of failed rows, or removes it when no row failed. A run that lost its journal
   * leaves the file as it is: the next run writes it, or the one that has the journal now.
   */
  async writeFailed(): Promise<FailedRows> {
    if (this.#hasLostJournal) return { rows: 0, changed: true };
    const { refused, invalid } = this.preflight.counts;
    const mayHaveFailed =
      this.#options.retryFailed === true ||
      refused + invalid + (this.#outcome?.counts.refused ?? 0) > 0;
    const written = this.#memory.failedRowsDigests;
    const known = {
      has: (digest: string) => written.has(digest) || this.#forgotten.has(digest),
      add: async (digest: string) => {
        if (written.has(digest)) return;
        written.add(digest);
        const journal = await this.#openJournal();
        await journal.append(failedRowsLine(digest)).finally(() => journal.close());
      },
    };
    const { machine } = this.#options;
    if (mayHaveFailed)
      return writeFailedRows(this.table, this.#memory, this.failed, known, machine);
    return removeFailedRows(this.failed, known, machine);
  }

  get #header(): JournalHeader {
    return journalHeader(this.#options.service, this.#options.profile, this.mapping);
  }

  async #openJournal(): Promise<Journal> {
    if (this.#aside !== undefined) await setJournalAside(linkedJournal(this.journal), this.#aside);
    this.#aside = undefined;
    return Journal.open(this.journal, this.#header);
  }

  /** Lets other runs at the journal. */
  close(): void {
    this.#lock?.release();
  }
}

/*
 * What is forgotten is still known for our own: the files of failed rows. A journal that cannot be
 * read knows none.
 */
async function writtenBy(
  journals: readonly JournalFile[],
  { current, shard }: JournalState,
): Promise<ReadonlySet<string>> {
  const supersededDigests = new JournalState(new KeyIndex(), current, shard);
  for (const file of journals) await supersededDigests.read(file.path).catch(() => undefined);
  return new Set([...supersededDigests.failedRowsDigests, ...supersededDigests.supersededDigests]);
}
