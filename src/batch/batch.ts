import { errorColumn } from '../table/dialect.ts';
import { type BatchOptions, type CheckedFile, checkFile } from './check-file.ts';
import type { ChosenColumns } from './columns.ts';
import { writeFailures } from './failed-rows.ts';
import {
  type FailedRows,
  removeFailedRows,
  settledCopies,
  writeFailedRows,
} from './failed-rows-file.ts';
import type { IdentifiedTable } from './identified-rows.ts';
import { type JournalHeader, journalHeader } from './journal/header.ts';
import { Journal, setJournalAside } from './journal/journal.ts';
import { failedRowsLine, mappingLine } from './journal/line.ts';
import { journalFile, journalFiles, unusedName } from './journal/paths.ts';
import type { JournalState } from './journal/reader.ts';
import type { RunOutcome } from './outcome.ts';
import type { Preflight } from './preflight.ts';
import type { RowProblem } from './row-action.ts';
import { type RowPlan, RowPlans } from './row-plans.ts';
import { Run, type SendOptions } from './run.ts';

/** A checked file. Call `close` at the end. */
export class Batch {
  readonly table: IdentifiedTable;
  /** What the columns of the file mean. */
  readonly mapping: ChosenColumns;
  readonly preflight: Preflight;
  /** Path of the journal of this run. */
  readonly journal: string;
  /** Path of the failed-rows file. */
  readonly failed: string;
  readonly #options: BatchOptions;
  readonly #checked: CheckedFile;
  readonly #plans: RowPlans;
  #outcome: RunOutcome | undefined;
  /* Whether the journal lacks outcomes, or another run has taken it over. */
  #hasLostJournal = false;
  /* New name of the journal that this run does not continue. */
  #backup: string | undefined;

  private constructor(options: BatchOptions, checked: CheckedFile) {
    const { table, mapping, preflight, journal, failed, journals } = checked;
    const { restart, dryRun, retryFailed } = options;
    this.#options = options;
    this.#checked = checked;
    this.table = table;
    this.mapping = mapping;
    this.preflight = preflight;
    this.journal = journal;
    this.failed = failed;
    this.#plans = new RowPlans({ table, journals, retryFailed });
    const startsOver = restart || (journals.superseded.has(journal) && !dryRun);
    if (startsOver) this.#backup = unusedName(journal);
  }

  /**
   * Checks a file. Sends nothing, and writes nothing but the lock.
   *
   * @throws UsageError and LocalError as `checkFile`
   */
  static async open(options: BatchOptions): Promise<Batch> {
    return new Batch(options, await checkFile(options));
  }

  /** Number of unreadable lines by journal, and the line number of the first one. */
  get unreadable(): JournalState['unreadable'] {
    return this.#checked.journals.unreadable;
  }

  /** The journal of another service or profile without registrations, and its new name. */
  get superseded(): (Omit<JournalHeader, 'mapping'> & { readonly kept: string }) | undefined {
    const header = this.#checked.journals.superseded.get(this.journal);
    if (header === undefined || this.#backup === undefined) return undefined;
    return { service: header.service, profile: header.profile, kept: this.#backup };
  }

  /** Returns the kept copies of a failed-rows file in which every row is registered. */
  async settledCopies(): Promise<string[]> {
    const { path, service, map, skipLines } = this.#options;
    const { journals, failed } = this.#checked;
    const known = { journals, service, map, skipLines };
    const ofInput = this.isFailedRowsFile ? await settledCopies(path, known) : [];
    return [...(await settledCopies(failed, known)), ...ofInput];
  }

  /** Whether the input is a failed-rows file of an earlier run. */
  get isFailedRowsFile(): boolean {
    return this.table.dialect.header.includes(errorColumn);
  }

  /**
   * Whether this run can resume without --restart if it stops. The journals of another number of
   * shards would still call its rows registered.
   */
  get canResume(): boolean {
    const { path, journal, shard } = this.#options;
    if (shard === undefined) return true;
    const files = journalFiles(journalFile(path, journal), 'journals');
    return files.every((file) => file.shard?.count === shard.count);
  }

  /** Reads the file again and yields what a run would do with each row. */
  plans(): AsyncGenerator<RowPlan, void, void> {
    return this.#plans.all();
  }

  /** Reads the file again and yields every problem; `preflight` has only the first ones. */
  problems(): AsyncGenerator<RowProblem, void, void> {
    return this.#plans.problems();
  }

  /**
   * The outcome of a run that has nothing to send, undefined when it has.
   *
   * Without it, such a run would read the file again only to count its rows.
   */
  get emptyOutcome(): RunOutcome | undefined {
    const { new: left, duplicate, done, refused, invalid } = this.preflight.counts;
    // A run records the mapping that the user chose, even without a row to send.
    if (left > 0 || this.#options.restart || !this.#isMappingRecorded) return undefined;
    const counts = { registered: 0, skipped: done, duplicate, refused, postponed: 0, invalid };
    return { counts, left: 0, stillFailed: 0, stop: undefined };
  }

  /**
   * Sends the remaining rows. Call it once.
   *
   * @throws LocalError when the journal cannot be written, before anything is sent
   */
  async send<Ticket>(sendOptions: SendOptions<Ticket>): Promise<RunOutcome> {
    const { table, journals, lock } = this.#checked;
    const { clock, signal: stop, retryFailed } = this.#options;
    const journal = await this.#openJournal();
    try {
      if (!this.#isMappingRecorded) await journal.append(mappingLine(this.#header.mapping));
      const signal = lock ? AbortSignal.any([stop, lock.lost]) : stop;
      const parts = { table, journals, journal, clock, signal, retryFailed };
      this.#outcome = await new Run({ ...sendOptions, ...parts }).send(this.preflight.rows);
      return this.#outcome;
    } finally {
      this.#hasLostJournal = journal.hasFailed || lock?.lost.aborted === true;
      await journal.close();
    }
  }

  /**
   * Writes the failed-rows file, or removes it when no row failed.
   *
   * A run that lost its journal leaves the file unchanged for the next run, or for the run that has
   * taken over the journal.
   */
  async writeFailed(): Promise<FailedRows> {
    if (this.#hasLostJournal) return { rows: 0, changed: true };
    const { table, journals, failed: path } = this.#checked;
    const { machine, retryFailed } = this.#options;
    const { refused, invalid } = this.preflight.counts;
    const failures = refused + invalid + (this.#outcome?.counts.refused ?? 0);
    const digests = journals.failedRowsDigests;
    const known = {
      has: (digest: string) => digests.has(digest) || journals.supersededDigests.has(digest),
      add: async (digest: string) => {
        if (digests.has(digest)) return;
        digests.add(digest);
        const journal = await this.#openJournal();
        await journal.append(failedRowsLine(digest)).finally(() => journal.close());
      },
    };
    const file = { path, known, machine };
    return retryFailed === true || failures > 0
      ? writeFailedRows(file, (handle) => writeFailures(handle, table, journals))
      : removeFailedRows(file);
  }

  get #isMappingRecorded(): boolean {
    return this.#checked.journals.isRecorded(this.journal, this.#header.mapping);
  }

  get #header(): JournalHeader {
    const { service, profile } = this.#options;
    return journalHeader(service, profile, this.mapping);
  }

  async #openJournal(): Promise<Journal> {
    const backup = this.#backup;
    if (backup !== undefined) {
      if (this.#options.restart) await this.#setShardsAside();
      await setJournalAside(this.journal, backup);
    }
    this.#backup = undefined;
    return Journal.open(this.journal, this.#header);
  }

  /*
   * A run of the complete file starts over for all shards: their journals would call rows that this
   * run has not sent yet, or that the service now refuses, registered.
   */
  async #setShardsAside(): Promise<void> {
    const { path, journal: given, shard } = this.#options;
    if (shard !== undefined) return;
    for (const { path: recorded, shard: of } of journalFiles(
      journalFile(path, given),
      'journals',
    )) {
      if (of !== undefined) await setJournalAside(recorded, unusedName(recorded));
    }
  }

  /** Releases the lock. */
  close(): void {
    this.#checked.lock?.release();
  }
}
