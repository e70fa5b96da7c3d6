/*
 * Owns the state of every row of a run. A row is pending while the run may still send it, and
 * settled afterwards. It changes its state only here, and the tracker puts the outcome and its
 * journal line into the writer in the same step. Equal rows share one outcome.
 */
import type { OrganizationId } from '../api/ids.ts';
import type { Registration } from '../api/schema.ts';
import type { CarbonError, RateLimit } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { rowFailed } from './failed-attempts.ts';
import type { IdentifiedRow, IdentifiedTable } from './identified-rows.ts';
import {
  attemptLine,
  failedTooOften,
  maxFailedRuns,
  refusedLine,
  registeredLine,
} from './journal/format.ts';
import type { JournalWriter } from './journal/journal.ts';
import type { Journals } from './journal/journals.ts';
import { State } from './journal/key-index.ts';
import { rowProblems } from './preflight.ts';
import { chooseAction, type RowActionOptions, type RowProblem } from './row-action.ts';
import { type CheckedRow, checkRow } from './row-registration.ts';

/** What happened to a row. A row without an event was not sent. */
export type RowEvent =
  | {
      readonly kind: 'registered';
      readonly line: number;
      readonly id: OrganizationId;
      readonly status: string | undefined;
      /** The record as received, if the run prints records. */
      readonly json: string | undefined;
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
  /** Rejected by the service in this run or an `earlier` one; not sent again. */
  | {
      readonly kind: 'refused';
      readonly line: number;
      readonly error: CarbonError;
      readonly earlier: boolean;
    }
  /** Failed because of the service; the next run sends it again. */
  | {
      readonly kind: 'postponed';
      readonly line: number;
      /** The organization's name. */
      readonly name: string;
      readonly error: CarbonError;
    }
  | { readonly kind: 'invalid'; readonly line: number; readonly problems: readonly RowProblem[] };

/** Counts rows by outcome. */
export type OutcomeCounts = Readonly<Record<RowEvent['kind'], number>>;

/** Describes how a run ended. */
export interface RunOutcome {
  readonly counts: OutcomeCounts;
  /** Number of rows without an outcome; the next run sends them. */
  readonly left: number;
  /** Number of postponed rows that stay in the failed-rows file of an earlier run. */
  readonly stillFailed: number;
  /** Why the run ended early: a local error, the key, the service, or `InterruptedError`. */
  readonly stop: CarbonError | undefined;
}

/** An event whose error the journal has. */
export type UnexplainedEvent = Omit<Extract<RowEvent, { kind: 'refused' }>, 'error'> & {
  readonly entry: number;
};

/** The members of a response that a run uses for a registered row. */
export interface Accepted {
  readonly id: OrganizationId;
  readonly status: string | undefined;
  /** The record as received, if the run prints records. */
  readonly json?: string | undefined;
  /** The rate limit from the response headers, for the pacer. */
  readonly limit?: RateLimit | undefined;
}

/** A row that is pending, perhaps after several attempts. */
export interface Job {
  readonly line: number;
  readonly key: string;
  /** Entry of the key in the key index. */
  readonly entry: number;
  readonly registration: Registration;
  /** Lines of equal rows that were read since. */
  readonly duplicates: number[];
  /** Number of its first request; 0 for a row that earlier runs failed on, undefined at first. */
  firstRequest: number | undefined;
  /** Number of attempts that the service failed on. */
  failures: number;
  /** Number of the first request that failed. */
  firstFailedRequest: number;
  /** Number of attempts that the service refused because of its load or rate limit. */
  refusals: number;
  /** Error of the last attempt. */
  error: CarbonError | undefined;
}

/** A row that failed, with the reason. */
export interface FailedJob {
  readonly job: Job;
  readonly error: CarbonError;
}

/** Dependencies and options of a row tracker. */
export interface RowTrackerOptions extends RowActionOptions {
  readonly table: IdentifiedTable;
  readonly journals: Journals;
  readonly writer: JournalWriter;
  readonly clock: Clock;
}

const maxStatusLength = 200;

/** Tracks the state of the rows of one run. */
export class RowTracker {
  readonly #options: RowTrackerOptions;
  readonly #journals: Journals;
  readonly #writer: JournalWriter;
  /* By entry of the key index. */
  readonly #pending = new Map<number, Job>();
  readonly #postponed = new Map<number, { readonly name: string; readonly error: CarbonError }>();
  /*
   * Pending rows that this run does not send again. Only when the service answers others does the
   * attempt count, which decides whether the row is postponed or fails.
   */
  readonly #undecided: FailedJob[] = [];
  #registrations = 0;
  #hasAnsweredOthers = false;
  #stillFailed = 0;

  constructor(options: RowTrackerOptions) {
    this.#options = options;
    this.#journals = options.journals;
    this.#writer = options.writer;
  }

  /** Number of rows that are being sent, or will be. */
  get sending(): number {
    return this.#pending.size - this.#undecided.length;
  }

  /** Number of rows that this run has registered. */
  get registrations(): number {
    return this.#registrations;
  }

  /** Number of postponed rows that earlier runs recorded as failed. */
  get stillFailed(): number {
    return this.#stillFailed;
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
    const pending = this.#pending.get(entry);
    if (pending !== undefined) pending.duplicates.push(line);
    else if (this.#postponed.has(entry)) this.#putPostponed(line, entry);
    else if ((state & State.settledNow) === 0) return this.#startFirst(row, entry, firstLine);
    else if ((state & State.done) === 0) this.#writer.put(refusedEvent(line, entry, false));
    else this.#writer.put({ kind: 'duplicate', line, firstLine, id: index.id(entry) });
    return undefined;
  }

  #startFirst(row: IdentifiedRow, entry: number, firstLine: number): Job | undefined {
    const { index } = this.#journals;
    const { line, key } = row;
    let checked: CheckedRow | undefined;
    const isValid = () => {
      checked = checkRow(row.values);
      return row.problem === undefined && checked.problems.length === 0;
    };
    const action = chooseAction(index.state(entry), firstLine === line, isValid, this.#options);
    if (action === 'done') this.#writer.put({ kind: 'skipped', line, id: index.id(entry) });
    else if (action === 'invalid')
      this.#writer.put({ kind: 'invalid', line, problems: rowProblems(row, checked) });
    else if (action === 'refused') this.#writer.put(refusedEvent(line, entry, true));
    // The first row with this key would be pending or settled if the file had not changed.
    else if (action === 'duplicate' || checked === undefined)
      throw this.#options.table.source.changed();
    else {
      const job: Job = {
        line,
        key,
        entry,
        registration: checked.registration,
        duplicates: [],
        firstRequest: index.hasFailed(entry) ? 0 : undefined,
        failures: 0,
        firstFailedRequest: 0,
        refusals: 0,
        error: undefined,
      };
      this.#pending.set(entry, job);
      return job;
    }
    return undefined;
  }

  /** Records that the service registered a row. */
  registered(job: Job, { id, json, ...accepted }: Accepted): void {
    const { index } = this.#journals;
    const { line, key, entry, duplicates } = job;
    // No response fills the disk; in the specification the status is one word.
    const isLong = (accepted.status?.length ?? 0) > maxStatusLength;
    const status = isLong
      ? flattenString(accepted.status?.slice(0, maxStatusLength) ?? '')
      : accepted.status;
    index.setState(entry, State.done | State.settledNow);
    index.setId(entry, id);
    this.#pending.delete(entry);
    this.#registrations += 1;
    const text = registeredLine({ key, line, id, status }, this.#options.clock.now());
    this.#writer.put({ kind: 'registered', line, id, status, json }, text);
    for (const duplicate of duplicates)
      this.#writer.put({ kind: 'duplicate', line: duplicate, firstLine: line, id });
    this.answered();
  }

  /** Records that the service answered a request for another row, so that failures count. */
  answered(): void {
    this.#hasAnsweredOthers = true;
    this.decidePostponed();
  }

  /** Records that the service rejected a row. */
  refused({ key, line, entry, duplicates }: Job, error: CarbonError): void {
    this.#pending.delete(entry);
    this.#journals.index.setState(entry, State.refused | State.settledNow);
    const text = refusedLine(key, line, error, this.#options.clock.now());
    this.#writer.put({ kind: 'refused', line, error, earlier: false }, text, entry);
    for (const duplicate of duplicates)
      this.#writer.put({ kind: 'refused', line: duplicate, error, earlier: false });
  }

  /**
   * Records that a row failed and that this run does not send it again.
   *
   * The next run sends it, unless too many runs in which the service answered others have failed on
   * it.
   */
  postponed(job: Job, error: CarbonError): void {
    if (this.#hasAnsweredOthers) this.#postpone(job, error);
    else this.#undecided.push({ job, error });
  }

  /** Settles the rows that failed before the service answered others, or at the end of the run. */
  decidePostponed(): void {
    for (const { job, error } of this.#undecided.splice(0)) this.#postpone(job, error);
  }

  /** Records that a row failed in the outage that ends the run. The next run sends it last. */
  leftBehind(job: Job, error: CarbonError): void {
    if (this.#journals.index.hasFailed(job.entry)) return;
    this.#writer.note(attemptLine('uncounted attempt', job, error, this.#options.clock.now()));
  }

  #postpone(job: Job, cause: CarbonError): void {
    const { entry, line, duplicates } = job;
    const { index } = this.#journals;
    const error = this.#hasAnsweredOthers ? rowFailed(cause) : cause;
    if (this.#hasAnsweredOthers && index.failedRuns(entry) + 1 >= maxFailedRuns) {
      this.refused(job, failedTooOften(error));
      return;
    }
    this.#pending.delete(entry);
    this.#postponed.set(entry, { name: job.registration.name, error });
    if (this.#hasAnsweredOthers) {
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

function refusedEvent(line: number, entry: number, earlier: boolean): UnexplainedEvent {
  return { kind: 'refused', line, entry, earlier };
}
