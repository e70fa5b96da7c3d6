/*
 * Owns the state of every row of a run. A row changes its state only here, and the tracker puts the
 * outcome and its journal line into the writer in the same step. At most one row per key is being
 * sent; equal rows share its outcome.
 */
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { Slab } from '../runtime/slab.ts';
import { type Accepted, rowFailed, shortenStatus } from './error-policy.ts';
import type { IdentifiedRow, IdentifiedTable } from './identified-rows.ts';
import { createJob, type FailedJob, type Job } from './job.ts';
import { State } from './journal/key-index.ts';
import {
  attemptLine,
  failedTooOften,
  maxFailedRuns,
  refusedLine,
  registeredLine,
} from './journal/line.ts';
import type { JournalState } from './journal/reader.ts';
import type { JournalWriter, RefusalLine } from './journal/writer.ts';
import type { RowEvent } from './outcome.ts';
import { rowProblems } from './preflight.ts';
import { chooseAction, type RowActionOptions } from './row-action.ts';
import { type CheckedRow, checkRow } from './row-registration.ts';

/** Dependencies and options of a row tracker. */
export interface RowTrackerOptions extends RowActionOptions {
  readonly table: IdentifiedTable;
  readonly journals: JournalState;
  readonly writer: JournalWriter;
  readonly clock: Clock;
}

/** Tracks the state of the rows of one run. */
export class RowTracker {
  readonly #options: RowTrackerOptions;
  readonly #journals: JournalState;
  readonly #writer: JournalWriter;
  readonly #sending = new Slab<Job>();
  readonly #postponed = new Map<number, { readonly name: string; readonly error: CarbonError }>();
  /* Refusals without a durable line; carbon reads the others from the journal when needed. */
  readonly #refused = new Map<number, CarbonError>();
  /*
   * Rows that failed before the first registration. Only a registration makes the attempt count,
   * and so decides whether the row is postponed or refused.
   */
  readonly #undecided = new Map<number, FailedJob>();
  #pendingRefusal:
    | { readonly line: number; readonly entry: number; readonly earlier: boolean }
    | undefined;
  #registrations = 0;
  #stillFailed = 0;

  constructor(options: RowTrackerOptions) {
    this.#options = options;
    this.#journals = options.journals;
    this.#writer = options.writer;
  }

  /** Number of rows that are being sent, or will be. */
  get sending(): number {
    return this.#sending.size;
  }

  /** Number of rows that this run has registered. */
  get registrations(): number {
    return this.#registrations;
  }

  /** Number of postponed rows that earlier runs recorded as failed. */
  get stillFailed(): number {
    return this.#stillFailed;
  }

  /** Whether `readPendingRefusal` must run before the next row starts. */
  get hasPendingRefusal(): boolean {
    return this.#pendingRefusal !== undefined;
  }

  /** Reads the error of a row from the journal and reports the row as refused. */
  async readPendingRefusal(): Promise<void> {
    if (this.#pendingRefusal === undefined) return;
    const { line, entry, earlier } = this.#pendingRefusal;
    const error = await this.#journals.refusal(entry);
    this.#writer.put({ kind: 'refused', line, error, earlier });
    this.#pendingRefusal = undefined;
  }

  /**
   * Starts the next row of the file: returns its job, or settles the row if it need not be sent.
   *
   * @throws LocalError when the file has changed since the check
   */
  start(row: IdentifiedRow): Job | undefined {
    const { index } = this.#journals;
    const { line, key } = row;
    const entry = index.find(key);
    const firstLine = entry < 0 ? 0 : index.line(entry);
    if (firstLine === 0 || firstLine > line) throw this.#options.table.source.changed();
    const state = index.state(entry);
    const undecided = this.#undecided.get(entry);
    if ((state & State.inFlight) !== 0) this.#jobOf(entry).duplicates.push(line);
    else if (undecided !== undefined) undecided.job.duplicates.push(line);
    else if (this.#postponed.has(entry)) this.#putPostponed(line, entry);
    else if ((state & State.settledNow) === 0) return this.#startFirst(row, entry, firstLine);
    else if ((state & State.done) === 0) this.#putRefused(line, entry, false);
    else this.#writer.put({ kind: 'duplicate', line, firstLine, id: index.id(entry) });
    return undefined;
  }

  #startFirst(row: IdentifiedRow, entry: number, firstLine: number): Job | undefined {
    const { index } = this.#journals;
    const { line } = row;
    let checked: CheckedRow | undefined;
    const isValid = () => {
      checked = checkRow(row.values);
      return row.problem === undefined && checked.problems.length === 0;
    };
    const action = chooseAction(index.state(entry), line === firstLine, isValid, this.#options);
    if (action === 'new' && checked !== undefined) return this.#createJob(row, entry, checked);
    if (action === 'done') this.#writer.put({ kind: 'skipped', line, id: index.id(entry) });
    else if (action === 'invalid')
      this.#writer.put({ kind: 'invalid', line, problems: rowProblems(row) });
    else if (action === 'refused') this.#putRefused(line, entry, true);
    // The first row with this key would be in flight or settled if the file had not changed.
    else throw this.#options.table.source.changed();
    return undefined;
  }

  #createJob(row: IdentifiedRow, entry: number, { registration }: CheckedRow): Job {
    const { index } = this.#journals;
    const job = createJob(row, entry, registration, index.hasFailed(entry));
    job.slot = this.#sending.add(job);
    index.setState(entry, index.state(entry) | State.inFlight);
    return job;
  }

  #jobOf(entry: number): Job {
    return this.#sending.all().find((job) => job.entry === entry) as Job;
  }

  /** Records that the service registered a row. */
  registered(job: Job, { id, json, ...accepted }: Accepted): void {
    const status = shortenStatus(accepted.status);
    const { index } = this.#journals;
    const { line, key, entry, duplicates } = job;
    index.setState(entry, State.done | State.settledNow);
    index.setId(entry, id);
    this.#sending.remove(job.slot);
    this.#registrations += 1;
    const text = registeredLine({ key, line, id, status }, this.#options.clock.now());
    this.#writer.put({ kind: 'registered', line, id, status, json }, text);
    for (const duplicate of duplicates)
      this.#writer.put({ kind: 'duplicate', line: duplicate, firstLine: line, id });
    this.decidePostponed();
  }

  /** Records that the service refused a row. */
  refused(job: Job, error: CarbonError): void {
    this.#sending.remove(job.slot);
    this.#refuse(job, error);
  }

  /**
   * Records that a row failed and that this run does not send it again.
   *
   * The next run sends it, unless too many runs that registered other rows have failed on it.
   */
  postponed(job: Job, error: CarbonError): void {
    const { index } = this.#journals;
    index.setState(job.entry, index.state(job.entry) & ~State.inFlight);
    this.#sending.remove(job.slot);
    if (this.#registrations > 0) this.#postpone(job, error);
    else this.#undecided.set(job.entry, { job, error });
  }

  /** Settles the rows that failed before the first registration, or before the end of the run. */
  decidePostponed(): void {
    for (const { job, error } of this.#undecided.values()) this.#postpone(job, error);
    this.#undecided.clear();
  }

  /** Records that a row failed in the outage that ends the run. The next run sends it last. */
  leftBehind(job: Job, error: CarbonError): void {
    if (this.#journals.index.hasFailed(job.entry)) return;
    this.#writer.note(attemptLine('uncounted attempt', job, error, this.#options.clock.now()));
  }

  /** Records where the journal has the errors of refused rows. */
  committed(refusals: readonly RefusalLine[], path: string): void {
    for (const { entry, offset } of refusals) {
      this.#refused.delete(entry);
      this.#journals.rememberRefusal(entry, path, offset);
    }
  }

  #refuse({ key, line, entry, duplicates }: Job, error: CarbonError): void {
    this.#journals.index.setState(entry, State.refused | State.settledNow);
    this.#refused.set(entry, error);
    const text = refusedLine(key, line, error, this.#options.clock.now());
    const event = (line: number): RowEvent => ({ kind: 'refused', line, error, earlier: false });
    this.#writer.put(event(line), text, entry);
    for (const duplicate of duplicates) this.#writer.put(event(duplicate));
  }

  #putRefused(line: number, entry: number, earlier: boolean): void {
    const error = this.#refused.get(entry);
    if (error === undefined) this.#pendingRefusal = { line, entry, earlier };
    else this.#writer.put({ kind: 'refused', line, error, earlier });
  }

  #postpone(job: Job, cause: CarbonError): void {
    const { entry, line, duplicates } = job;
    const { index, hasRegistrations } = this.#journals;
    const counts = this.#registrations > 0;
    const isServiceWorking = counts || (hasRegistrations && cause.response !== undefined);
    const error = isServiceWorking ? rowFailed(cause) : cause;
    if (counts && index.failedRuns(entry) + 1 >= maxFailedRuns) {
      this.#refuse(job, failedTooOften(error));
      return;
    }
    this.#postponed.set(entry, { name: job.registration.name, error });
    if (counts) {
      index.addFailedRun(entry);
      const text = attemptLine('failed attempt', job, error, this.#options.clock.now());
      this.#putPostponed(line, entry, text);
    } else this.#putPostponed(line, entry);
    for (const duplicate of duplicates) this.#putPostponed(duplicate, entry);
  }

  #putPostponed(line: number, entry: number, text?: string): void {
    const postponed = this.#postponed.get(entry);
    if (postponed === undefined) return;
    if ((this.#journals.index.state(entry) & State.refused) !== 0) this.#stillFailed += 1;
    this.#writer.put({ kind: 'postponed', line, ...postponed }, text);
  }
}
