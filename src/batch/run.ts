/*
 * The run: rows of the plan, in the order of the file, through the pacer to the service, and what
 * became of each into the journal and to the caller. One loop decides what is sent next; requests
 * in flight only report back. A row has at most one request in flight, and equal rows share it.
 */

import { UnauthorizedError, UnavailableError } from '../api/errors.ts';
import { pacingOutcome } from '../api/rate-limit/pacing-outcome.ts';
import { CarbonError, InterruptedError, toCarbonError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { DelayQueue } from '../runtime/delay-queue.ts';
import { WakeUp } from '../runtime/wake-up.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { IdentifiedTable } from './csv/identified-rows.ts';
import {
  classify,
  exceedsMaxRetryAfter,
  keyForbidden,
  maxAttempts,
  type Pacing,
  quotaExhausted,
  type Register,
  rowForbidden,
  tooManyFailures,
  waitMs,
} from './error-policy.ts';
import type { Journal } from './journal/journal.ts';
import type { JournalState } from './journal/reader.ts';
import { JournalWriter } from './journal/writer.ts';
import type { RowEvent, RunOutcome } from './outcome.ts';
import type { RowActionOptions } from './row-action.ts';
import { type FailedJob, type Job, RowTracker } from './row-tracker.ts';

/** How long requests in flight may take when a run is stopped, in milliseconds. */
export const graceMs = 10_000;
/*
 * How many new rows are forbidden, and none accepted, before the key is blamed with which earlier
 * runs have registered rows.
 */
const minForbidden = 3;
/* Rows that wait for another try; when they are more, no new ones are begun. */
const maxWaitingJobs = 1_000;

/** What a run needs. */
export interface RunOptions<Ticket> extends RowActionOptions {
  readonly register: Register;
  readonly pacer: Pacing<Ticket>;
  /** The most requests in flight. */
  readonly concurrency: number;
  /** How many rows may fail before the run ends. */
  readonly maxErrors?: number | undefined;
  readonly clock: Clock;
  random(): number;
  /** Told of each wait before another try, in milliseconds. */
  readonly onWait?: ((ms: number, because: CarbonError) => void) | undefined;
  /** Told of each refusal while every request is refused. */
  readonly onRefusalStreak?: ((refusalStreak: RefusalStreakNotice) => void) | undefined;
  /** Aborted when the run shall end early. */
  readonly signal: AbortSignal;
  /**
   * Takes what became of rows, in groups, after it is durable; the run waits until it has resolved.
   */
  onEvents(events: readonly RowEvent[]): void | Promise<void>;
}

/**
 * Since when every request is refused and when that ends the run, in milliseconds of the monotonic
 * clock.
 */
export interface RefusalStreakNotice {
  readonly since: number;
  readonly until: number;
  readonly because: CarbonError;
}

/*
 * What the user is told of when several things end a run: a signal, this machine, the key, the
 * service.
 */
function rank(error: CarbonError): number {
  if (error instanceof InterruptedError) return 0;
  if (error instanceof UnavailableError || error.code === 'rate_limited') return 3;
  return error instanceof UnauthorizedError ? 2 : 1;
}

/** One run over a table that `preflight` has checked. */
export class Run<Ticket> {
  readonly #memory: JournalState;
  readonly #options: RunOptions<Ticket>;
  readonly #counts: Record<RowEvent['kind'], number> = {
    registered: 0,
    skipped: 0,
    duplicate: 0,
    refused: 0,
    postponed: 0,
    invalid: 0,
  };
  readonly #breaker = new CircuitBreaker();
  readonly #waiting = new DelayQueue<Job>();
  /* Rows that were answered with 403 before any was accepted: the key may be the reason. */
  readonly #forbidden: FailedJob[] = [];
  readonly #cut = new AbortController();
  readonly #journal: JournalWriter;
  readonly #rows: RowTracker;
  readonly #wakeUp: WakeUp;
  #inFlight = 0;
  #isRead = false;
  #stop: CarbonError | undefined;

  constructor(
    table: IdentifiedTable,
    memory: JournalState,
    journal: Journal,
    options: RunOptions<Ticket>,
  ) {
    this.#memory = memory;
    this.#options = options;
    this.#wakeUp = new WakeUp(options.clock);
    this.#journal = new JournalWriter({
      clock: options.clock,
      journal,
      tell: async (events) => {
        await options.onEvents(events);
        for (const { kind } of events) this.#counts[kind] += 1;
      },
      onRefusals: (refusals) => this.#rows.written(journal.path, refusals),
      onChange: () => this.#wakeUp.wake(),
    });
    this.#rows = new RowTracker(table, memory, this.#journal, options);
  }

  /**
   * Sends what is left of the table. It does not throw: what ended it is in the outcome, and
   * everything that was answered is in the journal.
   * @param rows how many rows the check found, to tell how many are left
   */
  async send(rows: number): Promise<RunOutcome> {
    const { signal } = this.#options;
    const interrupt = () => {
      this.#end(signal.reason instanceof CarbonError ? signal.reason : new InterruptedError());
    };
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    await this.#sendAll()
      .finally(() => this.#rows.close())
      .catch((error: unknown) => this.#end(toCarbonError(error)));
    await this.#settle();
    signal.removeEventListener('abort', interrupt);
    const counts = { ...this.#counts };
    const left = rows - Object.values(counts).reduce((sum, count) => sum + count, 0);
    const { stillFailed, refusals: errors } = this.#rows;
    return {
      counts,
      left,
      stillFailed,
      stop: this.#stop,
      errors,
      tooManyErrors: this.#hasTooManyErrors,
    };
  }

  async #sendAll(): Promise<void> {
    while (!this.#isEnding) {
      const now = this.#options.clock.elapsed();
      const delayMs = this.#delay(now);
      if (delayMs > 0) {
        await this.#wakeUp.wait(delayMs);
        continue;
      }
      const mayBegin = this.#waiting.size < maxWaitingJobs;
      const isDue =
        this.#waiting.due <= now && !(this.#breaker.isSuspected && mayBegin && !this.#isRead);
      const job = isDue ? this.#waiting.take() : mayBegin ? this.#rows.take() : undefined;
      if (job !== undefined) void this.#try(job);
      else if (mayBegin && !this.#isRead) this.#isRead = !(await this.#rows.read());
      else if (this.#rows.underWay > this.#forbidden.length)
        await this.#wakeUp.wait(this.#waiting.due - now);
      else break;
    }
  }

  /* In flight, on the disk, with the reader, or by the pacer: each may ask to wait. */
  #delay(now: number): number {
    const { pacer, concurrency } = this.#options;
    // Until it is known whether the key is the reason, one row at a time.
    const isUndecided = this.#forbidden.length > 0 && this.#inFlight > 0;
    if (this.#inFlight >= concurrency || this.#journal.isFull || isUndecided)
      return Number.POSITIVE_INFINITY;
    return Math.max(pacer.delay(now), this.#breaker.delay(now, this.#inFlight));
  }

  async #try(job: Job): Promise<void> {
    const { clock, pacer, register } = this.#options;
    const ticket = pacer.sent(clock.elapsed());
    const request = this.#breaker.sent();
    job.first ??= request;
    this.#inFlight += 1;
    try {
      const received = await register(job.registration, this.#cut.signal);
      pacer.answered(ticket, clock.elapsed(), { kind: 'accepted', limit: received.limit });
      this.#breaker.answered(request);
      this.#rows.registered(job, received);
    } catch (thrown) {
      const error = toCarbonError(thrown);
      const now = clock.elapsed();
      pacer.answered(ticket, now, pacingOutcome(error, this.#breaker.isAnswering));
      if (!this.#cut.signal.aborted) this.#failed(job, error, request, now);
    }
    this.#inFlight -= 1;
    if (this.#forbidden.length > 0) this.#judgeForbidden();
    this.#wakeUp.wake();
  }

  /*
   * Decides whether a 403 is about the key or about its row, when the requests have ended that are
   * in flight beside it. A row is the reason once any was accepted. Else the first 403 ends the
   * run, but a key with which earlier runs have registered rows is not judged by one or two.
   */
  #judgeForbidden(): void {
    const min = this.#memory.hasRegistrations ? minForbidden : 1;
    if (this.#rows.registrations > 0) this.#postponeForbidden();
    else if (this.#inFlight === 0 && this.#forbidden.length >= min) {
      const [{ job, error }] = this.#forbidden as [FailedJob];
      this.#end(keyForbidden(error, job.line));
    }
  }

  #postponeForbidden(): void {
    for (const { job, error } of this.#forbidden.splice(0))
      this.#rows.postponed(job, rowForbidden(error));
  }

  #failed(job: Job, error: CarbonError, request: number, now: number): void {
    const { pacer } = this.#options;
    const meaning = classify(error, this.#breaker.isAnswering);
    const { isSteady } = this.#breaker;
    if (meaning === 'service failed' || meaning === 'overloaded') {
      this.#breaker.failed(
        request,
        meaning === 'overloaded' ? request : (job.first ?? request),
        now,
      );
      // A 503 with Retry-After shows neither that the service works nor that it does not.
    } else if (error.status !== 503) this.#breaker.answered(request);
    if (meaning === 'stop') this.#end(error);
    else if (meaning === 'forbidden') {
      // A row that failed before says nothing about a key that has worked.
      if (job.first === 0 && this.#memory.hasRegistrations)
        this.#rows.postponed(job, rowForbidden(error));
      else this.#forbidden.push({ job, error });
    } else if (meaning === 'row refused') this.#rows.refused(job, error);
    else if (meaning !== 'service failed' && pacer.exhausted) this.#end(quotaExhausted(error));
    else if (exceedsMaxRetryAfter(error)) this.#end(error);
    else {
      const { refusalStreak } = pacer;
      if (refusalStreak !== undefined)
        this.#options.onRefusalStreak?.({ ...refusalStreak, because: error });
      // An overload refuses any row; one that is refused alone, again and again, is itself the
      // reason.
      if (meaning === 'service failed' || (meaning === 'overloaded' && isSteady)) {
        job.failed ||= request;
        job.failures += 1;
      }
      if (meaning !== 'service failed') job.refusals += 1;
      this.#again(job, error, now);
    }
  }

  /*
   * Whether twenty failures have nothing to stop: all rows were sent, and the service has answered
   * in this run.
   */
  get #isLast(): boolean {
    return this.#isRead && this.#breaker.isAnswering;
  }

  /* A rate limit never gives a row up; failures of the service do, until the next run. */
  #again(job: Job, error: CarbonError, now: number): void {
    job.error = error;
    if (this.#breaker.isOver) {
      this.#waiting.add(job, now);
      if (!this.#isLast) this.#end(tooManyFailures(error));
      else
        for (const each of this.#waiting.drain()) this.#rows.postponed(each, each.error ?? error);
      return;
    }
    if (job.failures >= maxAttempts) {
      this.#rows.postponed(job, error);
      return;
    }
    const tried = Math.max(job.refusals, job.failures);
    const ms = waitMs(error, tried, this.#options.random());
    this.#waiting.add(job, now + ms);
    this.#options.onWait?.(ms, error);
  }

  /*
   * Decides over rows that wait for another attempt when twenty failures end the run. A row that
   * failed before the service answered a later request is postponed; the outage is not the fault of
   * the others.
   */
  #leaveWaiting(): void {
    for (const job of this.#waiting.drain()) {
      const { error, failures, failed, first } = job;
      if (error === undefined || failures === 0) continue;
      // Without an answer nothing counts; a row that failed before is still named.
      const isKnown = first === 0 && !this.#breaker.isAnswering;
      if (isKnown || this.#breaker.hasAnsweredAfter(failed)) this.#rows.postponed(job, error);
      else this.#rows.leave(job, error);
    }
  }

  get #hasTooManyErrors(): boolean {
    return this.#rows.refusals >= (this.#options.maxErrors ?? Number.POSITIVE_INFINITY);
  }

  get #isEnding(): boolean {
    return (
      this.#stop !== undefined || this.#hasTooManyErrors || this.#journal.failure !== undefined
    );
  }

  #end(error: CarbonError): void {
    if (this.#stop === undefined || rank(error) < rank(this.#stop)) this.#stop = error;
    this.#wakeUp.wake();
  }

  /* Lets requests in flight end, and puts what they brought on the disk. */
  async #settle(): Promise<void> {
    const { clock } = this.#options;
    const last = clock.elapsed() + graceMs;
    while (this.#inFlight > 0 && clock.elapsed() < last)
      await this.#wakeUp.wait(last - clock.elapsed());
    this.#cut.abort(new InterruptedError());
    while (this.#inFlight > 0) await this.#wakeUp.wait(Number.POSITIVE_INFINITY);
    if (this.#breaker.isOver) this.#leaveWaiting();
    if (this.#stop === undefined) this.#postponeForbidden();
    this.#rows.chooseAction();
    await this.#journal.flush();
    if (this.#journal.failure !== undefined) this.#end(toCarbonError(this.#journal.failure));
  }
}
