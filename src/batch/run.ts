/*
 * Sends the rows of a checked file. One loop decides what is sent next, and requests in flight
 * report to it. Outcomes go from the row tracker into the journal writer; each group that the
 * writer returns is durable, and only then reported to the caller.
 */

import { CircuitBreaker } from '../api/circuit-breaker.ts';
import { pacingOutcome, UnauthorizedError, UnavailableError } from '../api/errors.ts';
import type { Journal } from '../list/journal.ts';
import type { Journals } from '../list/journals.ts';
import type { RowActionOptions } from '../list/row-action.ts';
import type { IdentifiedTable } from '../list/rows.ts';
import type { RequestPacer } from '../pace/pacer.ts';
import type { Registration } from '../registration/fields.ts';
import { CarbonError, InterruptedError, toCarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { WakeUp } from '../runtime/clock.ts';
import { FailedAttempts, type FailedAttemptsOptions } from './failed-attempts.ts';
import { JournalWriter } from './journal-writer.ts';
import {
  type Accepted,
  type Job,
  type OutcomeCounts,
  type RowEvent,
  RowQueue,
  RowTracker,
  type RunOutcome,
} from './rows.ts';

/** Maximum time for requests in flight after a run was stopped, in milliseconds. */
export const graceMs = 7_000;

/** Options of sending: the service, its pace, and what the caller wants to know. */
export interface SendOptions
  extends Pick<FailedAttemptsOptions, 'random' | 'onWait' | 'onRefusalStreak' | 'onStarting'> {
  /**
   * Attempts once to register an organization.
   *
   * @throws CarbonError; UnavailableError also for a response without a usable id
   */
  register(registration: Registration, signal: AbortSignal): Promise<Accepted>;
  readonly pacer: RequestPacer;
  /** Maximum requests in flight. */
  readonly concurrency: number;
  /** Maximum number of rows to send; the others stay for the next run. */
  readonly maxNew?: number | undefined;
  /** Receives durable outcomes in groups; the run waits until the promise resolves. */
  onEvents(events: readonly RowEvent[]): void | Promise<void>;
}

/** Options of a run over a table that `preflight` has checked. */
export interface RunOptions extends SendOptions, RowActionOptions {
  readonly table: IdentifiedTable;
  readonly journals: Journals;
  /** The journal that receives the outcomes. */
  readonly journal: Journal;
  readonly clock: Clock;
  /** Ends the run early when aborted. */
  readonly signal: AbortSignal;
}

/* Ranks the errors that end a run: an interrupt, then local errors, the key, the service. */
function rank(error: CarbonError): number {
  if (error instanceof InterruptedError) return 0;
  if (error instanceof UnavailableError || error.code === 'rate_limited') return 3;
  return error instanceof UnauthorizedError ? 2 : 1;
}

/** Runs once over a table. */
export class Run {
  readonly #options: RunOptions;
  readonly #writer: JournalWriter;
  readonly #rows: RowTracker;
  readonly #queue: RowQueue;
  readonly #breaker = new CircuitBreaker();
  readonly #failures: FailedAttempts;
  readonly #wakeUp: WakeUp;
  readonly #abortRequests = new AbortController();
  readonly #counts: Record<keyof OutcomeCounts, number> = {
    registered: 0,
    skipped: 0,
    duplicate: 0,
    rejected: 0,
    postponed: 0,
    invalid: 0,
  };
  #inFlight = 0;
  #stop: CarbonError | undefined;
  #isDown = false;
  #newFailures = 0;

  constructor(options: RunOptions) {
    const { table, journals, journal, clock, retryFailed, pacer, maxNew } = options;
    const { random, onWait, onRefusalStreak, onStarting } = options;
    this.#options = options;
    this.#wakeUp = new WakeUp(clock);
    const writer = new JournalWriter(journal, clock);
    const rows = new RowTracker({ table, journals, writer, clock, retryFailed });
    const queue = new RowQueue({ table, rows, writer, maxNew, random });
    const breaker = this.#breaker;
    const callbacks = { random, onWait, onRefusalStreak, onStarting };
    this.#failures = new FailedAttempts({ rows, queue, journals, breaker, pacer, ...callbacks });
    this.#writer = writer;
    this.#rows = rows;
    this.#queue = queue;
  }

  /**
   * Sends every row that must be sent, and waits until all outcomes are durable and reported.
   *
   * @param rows number of rows in the file, to count those that are left
   */
  async send(rows: number): Promise<RunOutcome> {
    const { signal } = this.#options;
    const interrupt = () => {
      this.#end(signal.reason instanceof CarbonError ? signal.reason : new InterruptedError());
    };
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    const reporting = this.#reportOutcomes();
    await this.#sendAll()
      .finally(() => this.#queue.close())
      .catch((error: unknown) => this.#end(toCarbonError(error)));
    await this.#settle();
    this.#writer.end();
    await reporting;
    signal.removeEventListener('abort', interrupt);
    const counts = { ...this.#counts };
    const { sharedIds } = this.#rows;
    const left = rows - Object.values(counts).reduce((sum, count) => sum + count, 0);
    const [isDown, newFailures] = [this.#isDown, this.#newFailures];
    return { counts, left, isDown, newFailures, sharedIds, stop: this.#stop };
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
          this.#end(toCarbonError(error));
        }
        for (const event of events) this.#count(event);
        this.#wakeUp.wake();
      }
    } catch (error) {
      this.#end(toCarbonError(error));
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

  async #sendAll(): Promise<void> {
    while (this.#stop === undefined) {
      const now = this.#options.clock.elapsed();
      const delayMs = this.#delay(now);
      if (delayMs > 0) {
        await this.#wakeUp.wait(delayMs);
        continue;
      }
      const job = this.#queue.take(now, this.#breaker.isSuspected);
      if (job !== undefined) void this.#send(job);
      else if (this.#queue.needsRead) await this.#queue.read();
      else if (this.#inFlight > 0 || this.#queue.isWaiting)
        await this.#wakeUp.wait(this.#queue.dueAt - now);
      else break;
    }
  }

  /* Four things can delay the next request: concurrency, the journal, its reader, the pacer. */
  #delay(now: number): number {
    const { pacer, concurrency } = this.#options;
    if (this.#inFlight >= concurrency || this.#writer.isFull) return Number.POSITIVE_INFINITY;
    return Math.max(pacer.delay(now), this.#breaker.delay(now, this.#inFlight));
  }

  async #send(job: Job): Promise<void> {
    const { clock, pacer, register } = this.#options;
    const { signal } = this.#abortRequests;
    const ticket = pacer.sent(clock.elapsed());
    const request = this.#breaker.sent();
    job.firstRequest ??= request;
    this.#inFlight += 1;
    try {
      const received = await register(job.registration, signal);
      pacer.responded(ticket, clock.elapsed(), { kind: 'accepted', limit: received.limit });
      this.#breaker.responded(request);
      this.#rows.registered(job, received);
      this.#failures.accepted(request);
      this.#end(this.#rows.repeatedResponse);
    } catch (thrown) {
      const error = toCarbonError(thrown);
      const now = clock.elapsed();
      pacer.responded(ticket, now, pacingOutcome(error, this.#breaker.isAnswering));
      const isAlone = this.#inFlight === 1;
      if (!signal.aborted) this.#end(this.#failures.add(job, error, { request, now, isAlone }));
    }
    this.#inFlight -= 1;
    this.#wakeUp.wake();
  }

  #end(error: CarbonError | undefined): void {
    if (error === undefined) return;
    if (this.#stop === undefined || rank(error) < rank(this.#stop)) this.#stop = error;
    this.#wakeUp.wake();
  }

  /* Lets requests in flight finish, and decides the rows that have no outcome yet. */
  async #settle(): Promise<void> {
    const { clock } = this.#options;
    const deadline = clock.elapsed() + graceMs;
    while (this.#inFlight > 0 && clock.elapsed() < deadline)
      await this.#wakeUp.wait(deadline - clock.elapsed());
    this.#abortRequests.abort(new InterruptedError());
    while (this.#inFlight > 0) await this.#wakeUp.wait(Number.POSITIVE_INFINITY);
    if (this.#breaker.isOver) this.#failures.settleWaiting();
  }
}
