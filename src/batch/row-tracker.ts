/*
 * What becomes of each row of a run: from the plan when it need not be sent, from the service's
 * answer, or from that of an equal row. A key is under way at most once, and its outcome goes to
 * the journal and to the caller together.
 */

import type { Registration } from '../api/schema.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { flattenString } from '../runtime/detach.ts';
import { Slab } from '../runtime/slab.ts';
import {
  type IdentifiedGroup,
  type IdentifiedRow,
  type IdentifiedTable,
  identifyRows,
} from './csv/identified-rows.ts';
import { type CheckedRow, checkRow } from './csv/row-registration.ts';
import { type Accepted, rowFailed } from './error-policy.ts';
import { State } from './journal/key-index.ts';
import {
  attemptLine,
  failedTooOften,
  maxFailedRuns,
  refusedLine,
  registeredLine,
} from './journal/line.ts';
import type { RefusalLine } from './journal/line-buffer.ts';
import type { JournalState } from './journal/reader.ts';
import type { JournalWriter } from './journal/writer.ts';
import type { RowEvent } from './outcome.ts';
import { rowProblems } from './preflight/preflight.ts';
import { chooseAction, type RowActionOptions } from './row-action.ts';

const maxStatusLength = 200;

/** A row that is being sent, perhaps more than once. */
export interface Job {
  readonly line: number;
  readonly key: string;
  readonly entry: number;
  readonly registration: Registration;
  /**
   * The number of the first request for it, undefined before that; 0 for a row that earlier runs
   * failed on.
   */
  first: number | undefined;
  /** Its place among those under way. */
  place: number;
  /** Lines of equal rows that were met meanwhile. */
  readonly equals: number[];
  /** Tries that the service failed on. */
  failures: number;
  /** The number of the first request among them. */
  failed: number;
  /** Tries that it refused for its rate limit. */
  refusals: number;
  /** Why it waits for another try. */
  error: CarbonError | undefined;
}

/** A row that failed, and why. */
export interface FailedJob {
  readonly job: Job;
  readonly error: CarbonError;
}

/** The rows of one run and what became of them so far. */
export class RowTracker {
  readonly #table: IdentifiedTable;
  readonly #memory: JournalState;
  readonly #outbox: JournalWriter;
  readonly #options: RowActionOptions & { readonly clock: Clock; random(): number };
  readonly #underWay = new Slab<Job>();
  readonly #postponed = new Map<number, { readonly name: string; readonly error: CarbonError }>();
  /* Refusals whose journal line is not written yet; the others are read back from there. */
  readonly #refused = new Map<number, CarbonError>();
  #refusals = 0;
  #registrations = 0;
  #stillFailed = 0;
  /*
   * Rows that failed before any row was registered. Only a registration makes the attempt count,
   * and so decides whether the row is postponed or refused: nothing is reported until then.
   */
  readonly #undecided = new Map<number, FailedJob>();
  /*
   * Rows that earlier runs failed on, the next one last: they are sent when all others were, so
   * that they stop nothing.
   */
  #later: Job[] = [];
  #isRead = false;
  readonly #groups: AsyncGenerator<IdentifiedGroup, void, void>;
  #rows: readonly IdentifiedRow[] = [];
  /* How many of these rows were taken. */
  #at = 0;
  /* A refusal that only the journal remembers, to be read before the next row is taken. */
  #untold: { readonly line: number; readonly entry: number; readonly earlier: boolean } | undefined;

  constructor(
    table: IdentifiedTable,
    memory: JournalState,
    outbox: JournalWriter,
    options: RowActionOptions & { readonly clock: Clock; random(): number },
  ) {
    this.#table = table;
    this.#memory = memory;
    this.#outbox = outbox;
    this.#options = options;
    this.#groups = identifyRows(table);
  }

  /** How many rows are being sent. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** How many rows the service refused in this run, or failed on once too often. */
  get refusals(): number {
    return this.#refusals;
  }

  /** How many postponed rows earlier runs recorded as failed. */
  get stillFailed(): number {
    return this.#stillFailed;
  }

  /** How many rows this run has registered. */
  get registrations(): number {
    return this.#registrations;
  }

  /**
   * Takes the next row that is to be sent; the outcome of those before it that are not is told on
   * the way. Undefined when the outbox is full, and when `read` has to go first.
   * @throws LocalError when the file is not the one that was checked
   */
  take(): Job | undefined {
    while (this.#at < this.#rows.length && this.#untold === undefined && !this.#outbox.isFull) {
      const row = this.#rows[this.#at] as IdentifiedRow;
      this.#at += 1;
      const job = this.#begin(row);
      if (job !== undefined) return job;
    }
    return this.#isRead && !this.#outbox.isFull ? this.#later.pop() : undefined;
  }

  /**
   * Reads on in the file, or in the journal, where `take` needs it.
   * @returns whether there are more rows
   * @throws LocalError when the file is not the one that was checked
   */
  async read(): Promise<boolean> {
    if (this.#untold !== undefined) {
      const { line, entry, earlier } = this.#untold;
      const error = await this.#memory.refusal(entry);
      this.#outbox.put({ kind: 'refused', line, error, earlier });
      this.#untold = undefined;
    }
    if (this.#at < this.#rows.length) return true;
    const { value } = await this.#groups.next();
    this.#rows = value?.rows ?? [];
    this.#at = 0;
    if (value !== undefined) return true;
    if (!this.#isRead) this.#mixLater();
    this.#isRead = true;
    return this.#later.length > 0;
  }

  /* If the first twenty of these end each run, another run must begin with others. */
  #mixLater(): void {
    const from = Math.floor(this.#options.random() * this.#later.length);
    this.#later = [...this.#later.slice(from), ...this.#later.slice(0, from)].reverse();
  }

  /** Lets go of the file. */
  async close(): Promise<void> {
    await this.#groups.return();
  }

  #begin(row: IdentifiedRow): Job | undefined {
    const { index } = this.#memory;
    const { line, key } = row;
    const entry = index.find(key);
    const firstLine = entry < 0 ? 0 : index.line(entry);
    if (firstLine === 0 || firstLine > line) throw this.#table.source.changed();
    const state = index.state(entry);
    const postponed = this.#postponed.get(entry);
    const settled = (state & State.settledNow) !== 0;
    const undecided = this.#undecided.get(entry);
    if ((state & State.inFlight) !== 0) this.#jobOf(entry).equals.push(line);
    else if (undecided !== undefined) undecided.job.equals.push(line);
    else if (postponed !== undefined) this.#putPostponed(line, entry);
    else if (settled && (state & State.done) !== 0) {
      this.#outbox.put({ kind: 'duplicate', line, firstLine, id: index.id(entry) });
    } else if (settled) this.#reportRefused(line, entry, false);
    else return this.#plan(row, entry, firstLine);
    return undefined;
  }

  #plan(row: IdentifiedRow, entry: number, firstLine: number): Job | undefined {
    const { index } = this.#memory;
    const { line, key } = row;
    let checked: CheckedRow | undefined;
    const isValid = () => {
      checked = checkRow(row.values);
      return row.problem === undefined && checked.problems.length === 0;
    };
    const step = chooseAction(index.state(entry), line === firstLine, isValid, this.#options);
    if (step === 'new' && checked !== undefined) {
      const { registration } = checked;
      const isKnown = index.hasFailed(entry);
      const job: Job = {
        line,
        key,
        entry,
        registration,
        first: isKnown ? 0 : undefined,
        place: -1,
        equals: [],
        failures: 0,
        failed: 0,
        refusals: 0,
        error: undefined,
      };
      job.place = this.#underWay.add(job);
      index.setState(entry, index.state(entry) | State.inFlight);
      if (!isKnown) return job;
      this.#later.push(job);
      return undefined;
    }
    if (step === 'done') this.#outbox.put({ kind: 'skipped', line, id: index.id(entry) });
    else if (step === 'invalid')
      this.#outbox.put({ kind: 'invalid', line, problems: rowProblems(row) });
    else if (step === 'refused') this.#reportRefused(line, entry, true);
    // An equal row above would be under way or settled: this is not the file that was checked.
    else throw this.#table.source.changed();
    return undefined;
  }

  #jobOf(entry: number): Job {
    return this.#underWay.all().find((job) => job.entry === entry) as Job;
  }

  #reportRefused(line: number, entry: number, earlier: boolean): void {
    const error = this.#refused.get(entry);
    if (error === undefined) this.#untold = { line, entry, earlier };
    else this.#outbox.put({ kind: 'refused', line, error, earlier });
  }

  /** Takes note that a row was registered, and its equals with it. */
  registered(job: Job, { id, json, ...accepted }: Accepted): void {
    const status = shortStatus(accepted.status);
    const { index } = this.#memory;
    const { line, key, entry, equals } = job;
    index.setState(entry, State.done | State.settledNow);
    index.setId(entry, id);
    this.#underWay.remove(job.place);
    this.#registrations += 1;
    const text = registeredLine({ key, line, id, status }, this.#options.clock.now());
    this.#outbox.put({ kind: 'registered', line, id, status, json }, text);
    for (const equal of equals)
      this.#outbox.put({ kind: 'duplicate', line: equal, firstLine: line, id });
    this.chooseAction();
  }

  /** Takes note that the service refused a row. */
  refused(job: Job, error: CarbonError): void {
    this.#underWay.remove(job.place);
    this.#refuse(job, error);
  }

  #refuse({ key, line, entry, equals }: Job, error: CarbonError): void {
    this.#memory.index.setState(entry, State.refused | State.settledNow);
    this.#refused.set(entry, error);
    this.#refusals += 1;
    const text = refusedLine(key, line, error, this.#options.clock.now());
    const event = (line: number): RowEvent => ({ kind: 'refused', line, error, earlier: false });
    this.#outbox.put(event(line), text, entry);
    for (const equal of equals) this.#outbox.put(event(equal));
  }

  /**
   * Takes note that a row failed and is not sent again in this run. It is left to the next run, or
   * refused when runs that register other rows have failed on it too often.
   */
  postponed(job: Job, error: CarbonError): void {
    const { index } = this.#memory;
    index.setState(job.entry, index.state(job.entry) & ~State.inFlight);
    this.#underWay.remove(job.place);
    if (this.#registrations > 0) this.#postpone(job, error);
    else this.#undecided.set(job.entry, { job, error });
  }

  /**
   * Decides what becomes of the rows that have failed so far: at the first registration, and at the
   * end of a run.
   */
  chooseAction(): void {
    for (const { job, error } of this.#undecided.values()) this.#postpone(job, error);
    this.#undecided.clear();
  }

  #postpone(job: Job, cause: CarbonError): void {
    const { entry, line, equals } = job;
    const counts = this.#registrations > 0;
    const hasWorked = counts || (this.#memory.hasRegistrations && cause.response !== undefined);
    const error = hasWorked ? rowFailed(cause) : cause;
    if (counts && this.#isLastRun(entry)) {
      this.#refuse(job, failedTooOften(error));
      return;
    }
    this.#postponed.set(entry, { name: job.registration.name, error });
    this.#putPostponed(line, entry, counts ? this.#countFailed(job, error) : undefined);
    for (const equal of equals) this.#putPostponed(equal, entry);
  }

  #putPostponed(line: number, entry: number, text?: string): void {
    const postponed = this.#postponed.get(entry);
    if (postponed === undefined) return;
    if ((this.#memory.index.state(entry) & State.refused) !== 0) this.#stillFailed += 1;
    this.#outbox.put({ kind: 'postponed', line, ...postponed }, text);
  }

  /**
   * Takes note that a row failed in the outage that ends the run. It is sent by the next run, after
   * all others.
   */
  leave(job: Job, error: CarbonError): void {
    if (this.#memory.index.hasFailed(job.entry)) return;
    this.#outbox.note(attemptLine('uncounted attempt', job, error, this.#options.clock.now()));
  }

  #isLastRun(entry: number): boolean {
    return this.#memory.index.failedRuns(entry) + 1 >= maxFailedRuns;
  }

  #countFailed(job: Job, error: CarbonError): string {
    this.#memory.index.addFailedRun(job.entry);
    return attemptLine('failed attempt', job, error, this.#options.clock.now());
  }

  /** Takes note of where the journal says why rows were refused. */
  written(path: string, refusals: readonly RefusalLine[]): void {
    for (const { entry, offset } of refusals) {
      this.#refused.delete(entry);
      this.#memory.rememberRefusal(entry, path, offset);
    }
  }
}

/* A status is a word; what else a service sends as one must not swell the journal. */
function shortStatus(status: string | undefined): string | undefined {
  if (status === undefined || status.length <= maxStatusLength) return status;
  return flattenString(status.slice(0, maxStatusLength));
}
