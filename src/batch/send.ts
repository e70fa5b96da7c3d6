/*
 * Sends the rows of a checked file. Outcomes go from the row tracker into the journal writer; each
 * group that the writer returns is durable, and only then reported to the caller.
 */
import { NotFoundError, RejectedError, UnauthorizedError } from '../api/errors.ts';
import { type Environment, type Outcome, schedule } from '../api/scheduler.ts';
import { type Journal, JournalWriter } from '../list/journal.ts';
import type { Journals } from '../list/journals.ts';
import {
  type IdentifiedRow,
  type IdentifiedTable,
  identifyRows,
  type RowActionOptions,
} from '../list/rows.ts';
import type { RequestPacer } from '../pace/pacer.ts';
import type { Registration } from '../registration/fields.ts';
import {
  CarbonError,
  HintedError,
  InterruptedError,
  toCarbonError,
} from '../runtime/carbon-error.ts';
import { type Accepted, type Job, type RowEvent, RowTracker, type RunOutcome } from './rows.ts';

/** Options of sending: the service, its pace, and what the caller wants to know. */
export interface SendOptions extends Pick<Environment, 'random' | 'onWait' | 'onStall'> {
  /**
   * Attempts once to register an organization.
   *
   * @throws CarbonError; UnavailableError also for a response without a usable id
   */
  register(registration: Registration, signal: AbortSignal): Promise<Accepted>;
  readonly pacer: RequestPacer;
  /** Maximum time for requests in flight after a run was stopped, in milliseconds. */
  readonly graceMs: number;
  /** Maximum number of rows to send; the others stay for the next run. */
  readonly maxNew?: number | undefined;
  /** Receives durable outcomes in groups; the run waits until the promise resolves. */
  onEvents(events: readonly RowEvent[]): void | Promise<void>;
}

export interface RunOptions
  extends SendOptions,
    RowActionOptions,
    Pick<Environment, 'clock' | 'signal'> {
  readonly table: IdentifiedTable;
  readonly journals: Journals;
  readonly journal: Journal;
}

export class Run {
  readonly #options: RunOptions;
  readonly #writer: JournalWriter<RowEvent>;
  readonly #rows: RowTracker;
  readonly #source: RowSource;
  /* Ends the run after a failure of this machine. */
  readonly #failed = new AbortController();
  readonly #forbidden: Job[] = [];
  readonly #counts = {
    registered: 0,
    skipped: 0,
    duplicate: 0,
    rejected: 0,
    postponed: 0,
    invalid: 0,
  };
  #isDown = false;
  #newFailures = 0;

  constructor(options: RunOptions) {
    const { journal, clock } = options;
    this.#options = options;
    this.#writer = new JournalWriter(journal, clock);
    this.#rows = new RowTracker({ ...options, writer: this.#writer });
    this.#source = new RowSource(options, this.#rows, this.#writer);
  }

  /**
   * Sends every row that must be sent, and waits until all outcomes are durable and reported.
   *
   * @param rows number of rows in the file, to count those that are left
   */
  async send(rows: number): Promise<RunOutcome> {
    const reporting = this.#reportOutcomes();
    let stop = await this.#sendAll();
    await this.#source.close();
    this.#writer.end();
    await reporting;
    if (this.#failed.signal.aborted) stop ??= this.#failed.signal.reason;
    const counts = this.#counts;
    const left = rows - Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { counts, left, isDown: this.#isDown, newFailures: this.#newFailures, stop };
  }

  /* Returns the error that ended the run early. */
  async #sendAll(): Promise<CarbonError | undefined> {
    const { signal, pacer, graceMs } = this.#options;
    const environment = {
      ...this.#options,
      signal: AbortSignal.any([signal, this.#failed.signal]),
    };
    const results = schedule(environment, {
      next: () => this.#source.next(),
      attempt: (job: Job, ended) => this.#attempt(job, ended),
      judge: (job, outcome) => this.#judge(job, outcome),
      pacer,
      mayStart: true,
      graceMs,
      hasFailedBefore: ({ hasFailedBefore }) => hasFailedBefore,
      // The next run sends the row last.
      leave: (job, error) => this.#rows.noteFailure(job, error),
    });
    try {
      for await (const _ of results);
      return undefined;
    } catch (error) {
      if (signal.aborted && !(error instanceof CarbonError)) return new InterruptedError();
      return this.#keyForbidden(toCarbonError(error));
    }
  }

  #attempt(job: Job, signal: AbortSignal): Promise<Accepted> {
    const { register, journals } = this.#options;
    return register(job.registration, signal).catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
      // Earlier runs registered rows and failed on this one, so it is not about the key.
      if (job.hasFailedBefore && journals.hasRegistered) throw rowForbidden(error);
      this.#forbidden.push(job);
      throw error;
    });
  }

  #judge(job: Job, { response, error }: Outcome<Accepted>): undefined {
    const rows = this.#rows;
    if (error === undefined) {
      rows.registered(job, response);
      if (rows.repeatedResponse !== undefined) throw rows.repeatedResponse;
    } else if (error instanceof RejectedError || error instanceof NotFoundError)
      rows.rejected(job, error);
    else rows.postponed(job, isForbidden(error) ? rowForbidden(error) : error);
  }

  /* The service forbids every row: the next run sends those of this run last. */
  #keyForbidden(error: CarbonError): CarbonError {
    const [first] = this.#forbidden;
    if (first === undefined || !isForbidden(error)) return error;
    for (const job of this.#forbidden) this.#rows.noteFailure(job, error);
    const { message, status, title, detail } = error;
    return new UnauthorizedError(`line ${first.line}: ${message}`, { status, title, detail });
  }

  /* Reports each group after its lines are durable. After a failed report, it only records. */
  async #reportOutcomes(): Promise<void> {
    let { onEvents } = this.#options;
    try {
      for await (const events of this.#writer.groups()) {
        try {
          await onEvents(events);
        } catch (error) {
          onEvents = () => undefined;
          this.#failed.abort(toCarbonError(error));
        }
        for (const event of events) this.#count(event);
        this.#source.proceed();
      }
    } catch (error) {
      this.#failed.abort(toCarbonError(error));
    }
  }

  #count(event: RowEvent): void {
    if (event.kind === 'withdrawn') this.#counts.registered -= 1;
    else this.#counts[event.kind] += 1;
    if (event.kind === 'postponed') {
      const isOfRow = event.earlier && event.error.status !== undefined;
      this.#isDown ||= !this.#rows.hasAnswered && !isOfRow;
    }
    if ('earlier' in event && !event.earlier) this.#newFailures += 1;
  }
}

/*
 * Reads the rows that must be sent. Those that earlier runs failed on come last, so that they
 * cannot stop the others.
 */
class RowSource {
  readonly #options: RunOptions;
  readonly #rows: RowTracker;
  readonly #writer: JournalWriter<RowEvent>;
  readonly #groups: ReturnType<typeof identifyRows>;
  #group: readonly IdentifiedRow[] = [];
  #at = 0;
  #failedBefore: Job[] = [];
  #isRead = false;
  #remaining: number;
  #proceed: () => void = () => {};

  constructor(options: RunOptions, rows: RowTracker, writer: JournalWriter<RowEvent>) {
    this.#options = options;
    this.#rows = rows;
    this.#writer = writer;
    this.#groups = identifyRows(options.table);
    this.#remaining = options.maxNew ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Returns the next row to send; waits while the disk or the reader is slow.
   *
   * @throws LocalError when the file has changed since the check
   */
  next(): Job | undefined | Promise<Job | undefined> {
    while (this.#remaining > 0) {
      if (this.#writer.isFull) return this.#untilDrained().then(() => this.next());
      const row = this.#group[this.#at];
      if (row === undefined && !this.#isRead) return this.#read().then(() => this.next());
      this.#at += 1;
      const job = row === undefined ? this.#failedBefore.pop() : this.#rows.start(row);
      if (row === undefined && job === undefined) return undefined;
      if (row !== undefined && job?.hasFailedBefore) this.#failedBefore.push(job);
      else if (job !== undefined) {
        this.#remaining -= 1;
        return job;
      }
    }
    return undefined;
  }

  /** Continues after the disk and the reader have caught up. */
  proceed(): void {
    this.#proceed();
  }

  async close(): Promise<void> {
    this.#remaining = 0;
    this.#proceed();
    await this.#groups.return();
  }

  #untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      this.#proceed = resolve;
    });
  }

  async #read(): Promise<void> {
    const { value } = await this.#groups.next();
    this.#group = value?.rows ?? [];
    this.#at = 0;
    if (value !== undefined) return;
    this.#isRead = true;
    // If the first twenty of these rows end each run, the next run must start with others.
    const jobs = this.#failedBefore;
    const from = Math.floor(this.#options.random() * jobs.length);
    this.#failedBefore = [...jobs.slice(from), ...jobs.slice(0, from)].reverse();
  }
}

function isForbidden(error: unknown): error is UnauthorizedError {
  return error instanceof UnauthorizedError && error.status === 403;
}

/* Returns the error of a row with a 403 that the key did not cause. */
function rowForbidden({ message, status, title, detail }: CarbonError): CarbonError {
  const hint =
    'Ask the operator of the service whether your account may register this organization. A firewall may also reject its values.';
  return new HintedError(
    'unauthorized',
    `The service rejected this row (403): ${detail ?? title ?? message}`,
    { status, title, detail, hint },
  );
}
