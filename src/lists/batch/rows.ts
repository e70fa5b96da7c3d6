/*
 * Owns the state of every row of a run. A row is pending while the run may still send it, and
 * settled afterwards. It changes its state only here, and the tracker puts the outcome and its
 * journal line into the writer in the same step, which reports it when the line is on the disk.
 * Equal rows share one outcome.
 */

import { isAnswer, isOutage, UnavailableError } from '../../client/api/errors.ts';
import { comparableId, type OrganizationId } from '../../client/api/ids.ts';
import { aliasOf, compareNames } from '../../client/api/names.ts';
import { RepeatedResponses } from '../../client/api/repeated-responses.ts';
import type { Registration } from '../../client/registration/fields.ts';
import type { CarbonError, RateLimit } from '../../runtime/carbon-error.ts';
import { type Clock, WakeUp } from '../../runtime/clock.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import {
  type Journal,
  type Journals,
  refusedLine,
  registeredLine,
  rowNote,
} from '../kept/journal.ts';
import type { KnownRow } from '../kept/known-rows.ts';
import type { IdentifiedRow, IdentifiedTable } from '../list/rows.ts';
import { invalidRow, judgeRow, type RowActionOptions } from './row-plan.ts';

export interface NamedRow {
  readonly line: number;
  readonly name: string;
}

/**
 * What happened to a row. A row without an event was not sent. `rows` is the number of rows of the
 * list that were sent as this one, 0 for an equal row that is reported on its own.
 */
export type RowEvent =
  | {
      readonly kind: 'registered';
      readonly rows: number;
      readonly line: number;
      readonly id: OrganizationId;
      readonly name: string;
      readonly status: string | undefined;
      /** The record as received, if the run prints records. */
      readonly json: string | undefined;
      /** The first row with the same id, if it has another name. */
      readonly sameIdAs?: NamedRow | undefined;
      /** The organization in the response, if its name and country differ from those sent. */
      readonly other?: string | undefined;
    }
  /** Registered by an earlier run. */
  | { readonly kind: 'skipped'; readonly line: number; readonly id: OrganizationId }
  /** Equal to the row at `firstLine`, which this run registered. */
  | {
      readonly kind: 'duplicate';
      readonly line: number;
      readonly firstLine: number;
      readonly id: OrganizationId;
    }
  /** Invalid, rejected by the service, or postponed: the service failed on it. */
  | {
      readonly kind: 'invalid' | 'rejected' | 'postponed';
      readonly line: number;
      readonly name: string;
      readonly rows: number;
      readonly error: CarbonError;
      /** Whether an earlier run reported it, or failed on it as well. */
      readonly earlier: boolean;
    }
  /** Reported as registered, but the service repeated one response; the next run sends it again. */
  | {
      readonly kind: 'withdrawn';
      readonly line: number;
      readonly rows: number;
      readonly error: CarbonError;
      /** The id that it had. */
      readonly was: OrganizationId;
    };

/** Numbers of rows of the list; with `left`, they add up to all of them. */
export interface OutcomeCounts {
  /** Registered by this run, each organization of a row and its equal rows once. */
  readonly registered: number;
  /** Registered by an earlier run. */
  readonly skipped: number;
  /** Equal to a row that this run registered. */
  readonly duplicate: number;
  readonly rejected: number;
  readonly invalid: number;
  readonly postponed: number;
}

export interface RunOutcome {
  readonly counts: OutcomeCounts;
  /** Number of rows without an outcome; the next run sends them. */
  readonly left: number;
  /** Whether rows are postponed because the service is down: it answered nothing in its form. */
  readonly isDown: boolean;
  /** Number of rows that this run is the first to fail on. */
  readonly newFailures: number;
  /** Why the run ended early: a local error, the key, the service, or `InterruptedError`. */
  readonly stop: CarbonError | undefined;
}

/** What a run uses of the response to a registration. */
export interface Accepted {
  readonly id: OrganizationId;
  readonly status: string | undefined;
  readonly json?: string | undefined;
  readonly other?: string | undefined;
  readonly limit?: RateLimit | undefined;
}

/** A row that is pending or postponed. */
export interface Job {
  readonly line: number;
  readonly key: string;
  readonly known: KnownRow;
  readonly registration: Registration;
  /** Lines of equal rows that were read since. */
  readonly duplicates: number[];
  /** Whether an earlier run failed on the row, and the service accepted another one since. */
  readonly hasFailedBefore: boolean;
  /** Position in the journal of the last attempt since which no row was accepted; 0 without one. */
  readonly triedAt: number;
  /** The outcome of a postponed row, which equal rows get that are read later. */
  postponed?: Extract<RowEvent, { readonly earlier: boolean }>;
}

export interface RowTrackerOptions extends RowActionOptions {
  readonly table: IdentifiedTable;
  readonly journals: Journals;
  readonly writer: JournalWriter;
  readonly clock: Clock;
}

const maxStatusLength = 200;
/* So many ids with the first row of each take about 20 MB. */
const maxRemembered = 200_000;

export class RowTracker {
  readonly #options: RowTrackerOptions;
  /* Rows that are pending or postponed, by key. */
  readonly #jobs = new Map<string, Job>();
  readonly #repeated = new RepeatedResponses<Job>();
  readonly #firstRows = new Map<OrganizationId, NamedRow>();
  /** Whether the service accepted a request of this run. */
  hasAccepted = false;
  /** Whether the service registered or rejected a row. */
  hasAcceptedRow = false;
  /* Whether a response to a row was in the form of the specification. */
  #hasAnswered = false;
  #hasOutage = false;
  #hasPostponed = false;
  /* Postponed rows, until the service accepts a request. */
  readonly #tried = new Map<Job, CarbonError>();

  constructor(options: RowTrackerOptions) {
    this.#options = options;
  }

  /** The error of a service that sends one id for different organizations; undefined otherwise. */
  get repeatedResponse(): CarbonError | undefined {
    return this.#repeated.error;
  }

  /** Whether rows are postponed because the service is down. */
  get isDown(): boolean {
    const isSilent = this.#hasPostponed && !this.hasAccepted && !this.#hasAnswered;
    return this.#hasOutage || isSilent;
  }

  /** Records that the service accepted a request: what failed before is the fault of its row. */
  accepted(): void {
    this.hasAccepted = true;
    // V8 makes a new table for each `clear`, and the old one keeps it alive.
    if (this.#tried.size === 0) return;
    for (const [job, error] of this.#tried) this.noteFailure(job, error);
    this.#tried.clear();
  }

  /** Returns whether the service accepted another request since an earlier run failed on a row. */
  isKnownToFail({ hasFailedBefore, triedAt }: Job): boolean {
    const { acceptedAt } = this.#options.journals;
    return hasFailedBefore || (triedAt > 0 && (this.hasAccepted || triedAt < acceptedAt));
  }

  /** Notes the rows that the run tried without any accepted request since. */
  end(): void {
    for (const [job, error] of this.#tried) this.noteTried(job, error);
    this.#tried.clear();
  }

  /**
   * Starts the next row of the file: returns its job, or settles the row if it need not be sent.
   * @throws LocalError when the file has changed since the check
   */
  start(row: IdentifiedRow): Job | undefined {
    const { line, key } = row;
    const { table, journals, writer } = this.#options;
    const known = journals.rows.get(key);
    if (known === undefined) throw table.source.changed();
    const plan = judgeRow(row, known, this.#options);
    const { failure, isRefusedNow, triedAt = 0 } = known.failures;
    const hasFailedBefore = failure !== undefined;
    const { name = '' } = row.values;
    if (plan.step === 'new' && known.line === line) {
      const { registration } = plan;
      const history = { hasFailedBefore, triedAt };
      const job = { line, key, known, registration, duplicates: [], ...history };
      this.#jobs.set(key, job);
      return job;
    }
    if (plan.step === 'invalid') {
      const error = invalidRow(plan.problems);
      this.noteFailure({ key, line, known }, error);
      writer.put({ kind: 'invalid', line, name, rows: 0, error, earlier: hasFailedBefore });
    } else if (plan.step === 'rejected')
      writer.put({
        kind: 'rejected',
        line,
        name,
        rows: 0,
        error: plan.error,
        earlier: !isRefusedNow,
      });
    else if (plan.step === 'done' && known.line > 0)
      writer.put({ kind: 'duplicate', line, firstLine: known.line, id: plan.id });
    else if (plan.step === 'done') {
      this.#firstRow(plan.id, line, name);
      writer.put({ kind: 'skipped', line, id: plan.id });
    } else {
      // The row that is sent for this one comes first, unless the file has changed.
      const job = this.#jobs.get(key);
      if (job === undefined) throw table.source.changed();
      if (job.postponed === undefined) job.duplicates.push(line);
      else writer.put({ ...job.postponed, line, rows: 0 });
    }
    return undefined;
  }

  /** Records that the service registered a row, unless it repeats one response. */
  registered(job: Job, accepted: Accepted): void {
    this.accepted();
    this.hasAcceptedRow = true;
    const { journals, writer } = this.#options;
    const { line, key, known, registration } = job;
    const { id, json, other } = accepted;
    const { name } = registration;
    if (this.#repeated.has(id)) return;
    // No response fills the disk; in the specification the status is one word.
    const status = accepted.status?.slice(0, maxStatusLength);
    journals.rows.setId(known.index, id);
    const sameIdAs = this.#firstRow(id, line, name);
    const text = registeredLine({ key, line, id, status }, this.#now());
    const rows = journals.rows.rowsOf(known.index);
    const response = { id, status, json, sameIdAs, other };
    const event = { kind: 'registered', line, rows, name, ...response } as const;
    this.#settle(job, event, text, { kind: 'duplicate', line, firstLine: line, id });
    // The next run sends rows again for which a response was repeated.
    for (const each of this.#repeated.add(id, { line, name }, job)) {
      const error = this.#repeated.error as CarbonError;
      journals.rows.setId(each.known.index, undefined);
      const note = rowNote('pending', each, error, this.#now());
      const withdrawn = journals.rows.rowsOf(each.known.index);
      writer.put({ kind: 'withdrawn', line: each.line, rows: withdrawn, error, was: id }, note);
    }
  }

  rejected(job: Job, error: CarbonError): void {
    this.accepted();
    this.hasAcceptedRow = true;
    const { line, known, registration } = job;
    const { name } = registration;
    const text = refusedLine(job, error, this.#now());
    const { rows: all } = this.#options.journals;
    const earlier = all.failures.get(known.index);
    all.failures.set(known.index, { ...earlier, refusal: text, isRefusedNow: true });
    const rows = all.rowsOf(known.index);
    this.#settle(job, { kind: 'rejected', line, name, rows, error, earlier: false }, text);
  }

  /** Records that the service failed on a row. The next run sends it again. */
  postponed(job: Job, cause: CarbonError): void {
    const { line, hasFailedBefore: earlier, registration } = job;
    const isKnown = this.isKnownToFail(job);
    const isOfRow = !isOutage(cause) && (isKnown || this.hasAccepted);
    const error = isOfRow ? rowFailed(cause) : cause;
    this.#hasPostponed = true;
    this.#keepError(job, error);
    this.#hasAnswered ||= isKnown && isAnswer(cause);
    if (isOutage(cause)) {
      this.#hasOutage = true;
      this.noteTried(job, error);
    } else if (isOfRow) this.noteFailure(job, error);
    else this.#tried.set(job, error);
    const rows = this.#options.journals.rows.rowsOf(job.known.index);
    const { name } = registration;
    const event = { kind: 'postponed', line, name, rows, error, earlier } as const;
    this.#settle(job, event);
    job.postponed = event;
    this.#jobs.set(job.key, job);
  }

  #settle(
    job: Job,
    event: Extract<RowEvent, { readonly rows: number }>,
    text?: string,
    ofDuplicate: RowEvent = Object.assign({}, event, { rows: 0 }),
  ): void {
    const { writer } = this.#options;
    this.#jobs.delete(job.key);
    writer.put(event, text);
    for (const line of job.duplicates) writer.put({ ...ofDuplicate, line });
  }

  /** Notes a first failure in the journal: later runs send the row last, and know of it. */
  noteFailure({ key, line, known }: Pick<Job, 'key' | 'line' | 'known'>, error: CarbonError): void {
    const { journals, writer } = this.#options;
    const { failures } = journals.rows;
    if (failures.get(known.index)?.failure !== undefined) return;
    const text = rowNote('failed', { key, line }, error, this.#now());
    failures.set(known.index, { failure: text, error: failures.get(known.index)?.error });
    writer.note(text);
  }

  #keepError({ known: { index } }: Pick<Job, 'known'>, error: CarbonError): void {
    const { failures } = this.#options.journals.rows;
    failures.set(index, { ...failures.get(index), error });
  }

  /** Notes an attempt at a row since which no row was accepted: the next run sends it last. */
  noteTried({ key, line, known }: Job, error: CarbonError): void {
    const { journals, writer } = this.#options;
    this.#keepError({ known }, error);
    journals.noted += 1;
    journals.rows.noteTried(known, journals.noted);
    writer.note(rowNote('tried', { key, line }, error, this.#now()));
  }

  /* Returns the first row with an id if it has another name; two spellings of one are normal. */
  #firstRow(id: OrganizationId, line: number, name: string): NamedRow | undefined {
    const key = comparableId(id);
    const first = this.#firstRows.get(key);
    if (first === undefined) {
      if (this.#firstRows.size < maxRemembered)
        this.#firstRows.set(key, { line, name: flattenString(name) });
      return undefined;
    }
    const isSame =
      first.name === name || compareNames(aliasOf(first.name), aliasOf(name)) === 'equal';
    return isSame ? undefined : first;
  }

  #now(): number {
    return this.#options.clock.now();
  }
}

/* Returns the error of a postponed row: as others were registered, the base URL is right. */
function rowFailed(error: CarbonError): CarbonError {
  if (!(error instanceof UnavailableError)) return error;
  const { code, message, status, title, detail, cause } = error;
  const reason = 'row_failed';
  return new UnavailableError(code, message, { status, title, detail, cause, reason });
}

/** Maximum age of an outcome before carbon writes its journal line, in milliseconds. */
export const commitIntervalMs = 100;
/*
 * A fast service fills a group sooner. While a slow disk or reader is busy, twice as many outcomes
 * may wait before sending pauses.
 */
const maxGroupEvents = 1024;

/**
 * Commits outcomes in groups, with one write and one disk flush for each group. A run puts outcomes
 * in, and receives each group from `groups` when its lines are durable.
 */
export class JournalWriter {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;
  #lines: string[] = [];
  #events: RowEvent[] = [];
  /* When the next group must be written at the latest, if there is an outcome. */
  #due = 0;
  #isEnded = false;
  readonly #drained: WakeUp;

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
    this.#wakeUp = new WakeUp(clock);
    this.#drained = new WakeUp(clock);
  }

  /** Whether sending must pause until the disk and the reader have caught up. */
  get isFull(): boolean {
    return this.#events.length >= 2 * maxGroupEvents;
  }

  /** Resolves when the caller of `groups` has handled the next group. */
  drained(): Promise<void> {
    return this.#drained.wait(Number.POSITIVE_INFINITY);
  }

  /** Adds an outcome and its journal line, if it has one. */
  put(event: RowEvent, line?: string): void {
    if (line !== undefined) this.note(line);
    const length = this.#events.push(event);
    if (length === 1) this.#due = this.#clock.elapsed() + commitIntervalMs;
    if (length === 1 || length === maxGroupEvents) this.#wakeUp.wake();
  }

  /** Adds a journal line without an outcome, to be written with the next group. */
  note(line: string): void {
    this.#lines.push(line);
  }

  /** Ends `groups` after what was added so far. */
  end(): void {
    this.#isEnded = true;
    this.#wakeUp.wake();
  }

  /**
   * Commits group after group and yields each when it is durable, until `end` is called. While the
   * caller handles a group, no other one is written.
   * @throws LocalError when the journal cannot be written
   */
  async *groups(): AsyncGenerator<readonly RowEvent[], void, void> {
    for (;;) {
      for (let ms = this.#waitMs(); ms > 0; ms = this.#waitMs()) await this.#wakeUp.wait(ms);
      const [lines, events] = [this.#lines, this.#events];
      if (events.length + lines.length === 0) return;
      this.#lines = [];
      this.#events = [];
      if (lines.length > 0) await this.#journal.append(lines.join(''));
      yield events;
      this.#drained.wake();
    }
  }

  #waitMs(): number {
    const { length } = this.#events;
    if (this.#isEnded || length >= maxGroupEvents) return 0;
    return length === 0 ? Number.POSITIVE_INFINITY : this.#due - this.#clock.elapsed();
  }
}
