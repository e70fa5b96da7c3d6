/*
 * Decides what follows a failed attempt: another attempt, an outcome of its row, or the end of the
 * run. Each decision that ends the run is returned as its error.
 */
import type { CarbonError } from '../runtime/carbon-error.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import {
  classify,
  exceedsMaxRetryAfter,
  isPaced,
  keyForbidden,
  maxAttempts,
  type Pacing,
  quotaExhausted,
  rowForbidden,
  tooManyFailures,
  waitMs,
} from './error-policy.ts';
import type { FailedJob, Job } from './job.ts';
import type { JournalState } from './journal/reader.ts';
import type { RowQueue } from './row-queue.ts';
import type { RowTracker } from './row-tracker.ts';

/*
 * Minimum number of new rows with a 403 before the key counts as the cause, if earlier runs have
 * registered rows with it.
 */
const minForbiddenRows = 3;

/** A refusal in a series in which the service refuses every request. */
export interface RefusalStreakNotice {
  /** When the series began, in milliseconds of the monotonic clock. */
  readonly since: number;
  /** When the series ends the run, in milliseconds of the monotonic clock. */
  readonly until: number;
  readonly error: CarbonError;
}

/** Dependencies and options of the decisions. */
export interface FailedAttemptsOptions {
  readonly rows: RowTracker;
  readonly queue: RowQueue;
  readonly journals: JournalState;
  readonly breaker: CircuitBreaker;
  readonly pacer: Pick<Pacing<unknown>, 'exhausted' | 'refusalStreak'>;
  random(): number;
  /** Called before each wait for another attempt, with its length in milliseconds. */
  readonly onWait?: ((ms: number, error: CarbonError) => void) | undefined;
  /** Called for each refusal while the service refuses every request. */
  readonly onRefusalStreak?: ((notice: RefusalStreakNotice) => void) | undefined;
}

/** Handles the failed attempts of one run. */
export class FailedAttempts {
  readonly #options: FailedAttemptsOptions;
  /* Rows with a 403 before the service accepted any: the key may be the cause. */
  readonly #forbidden: FailedJob[] = [];

  constructor(options: FailedAttemptsOptions) {
    this.#options = options;
  }

  /** Number of rows with a 403 that are not decided yet. */
  get forbidden(): number {
    return this.#forbidden.length;
  }

  /**
   * Handles a failed attempt.
   *
   * @param request number of the request
   * @returns the error that ends the run, if it must end
   */
  add(job: Job, error: CarbonError, request: number, now: number): CarbonError | undefined {
    const { rows, breaker, pacer } = this.#options;
    const cause = classify(error, breaker.isAnswering);
    const { isSteady } = breaker;
    if (cause === 'service failed') breaker.failed(request, job.firstRequest ?? request, now);
    else if (cause === 'overloaded') breaker.failed(request, request, now);
    // A 503 with Retry-After does not show whether the service works.
    else if (error.status !== 503) breaker.responded(request);
    if (cause === 'stop') return error;
    if (cause === 'forbidden') return this.#addForbidden(job, error);
    if (cause === 'row refused') {
      rows.refused(job, error);
      return undefined;
    }
    const hasServiceFailed = cause === 'service failed';
    if (!hasServiceFailed && pacer.exhausted) return quotaExhausted(error);
    if (exceedsMaxRetryAfter(error)) return error;
    if (!hasServiceFailed) this.#reportRefusalStreak(error);
    // An overload refuses any row. A row that alone is refused repeatedly is itself the cause.
    if (hasServiceFailed || (cause === 'overloaded' && isSteady)) {
      job.firstFailedRequest ||= request;
      job.failures += 1;
    }
    if (!hasServiceFailed) job.refusals += 1;
    return this.#retry(job, error, now);
  }

  #addForbidden(job: Job, error: CarbonError): undefined {
    const { rows, journals } = this.#options;
    // A row that failed in earlier runs proves nothing about a key that has worked.
    const provesNothing = job.firstRequest === 0 && journals.hasRegistrations;
    if (provesNothing) rows.postponed(job, rowForbidden(error));
    else this.#forbidden.push({ job, error });
  }

  #reportRefusalStreak(error: CarbonError): void {
    const { pacer, onRefusalStreak } = this.#options;
    const { refusalStreak } = pacer;
    if (refusalStreak !== undefined) onRefusalStreak?.({ ...refusalStreak, error });
  }

  /* A rate limit never makes the run skip a row; repeated service failures do. */
  #retry(job: Job, error: CarbonError, now: number): CarbonError | undefined {
    const { rows, queue, breaker, random, onWait } = this.#options;
    job.error = error;
    if (breaker.isOver) {
      queue.retry(job, now);
      // With every row sent and a service that has responded, there is nothing left to stop.
      const isLast = queue.isEmpty && breaker.isAnswering;
      if (!isLast) return tooManyFailures(error);
      for (const waiting of queue.drainRetries()) rows.postponed(waiting, waiting.error ?? error);
    } else if (job.failures >= maxAttempts) rows.postponed(job, error);
    else {
      const ms = waitMs(error, Math.max(job.refusals, job.failures), random());
      if (isPaced(error)) queue.retryRefused(job, now + ms);
      else queue.retry(job, now + ms);
      onWait?.(ms, error);
    }
    return undefined;
  }

  /**
   * Decides whether the key or the row is the cause of a 403.
   *
   * The row is the cause once the service has accepted another one. Otherwise the first 403 ends
   * the run as soon as no request is in flight. If earlier runs have registered rows, one or two
   * rows with a 403 do not suffice.
   * @returns the error that ends the run, if it must end
   */
  decideForbidden(inFlight: number): CarbonError | undefined {
    const { rows, journals } = this.#options;
    const [first] = this.#forbidden;
    if (first === undefined) return undefined;
    const min = journals.hasRegistrations ? minForbiddenRows : 1;
    if (rows.registrations > 0) this.postponeForbidden();
    else if (inFlight === 0 && this.#forbidden.length >= min)
      return keyForbidden(first.error, first.job.line);
    return undefined;
  }

  /** Postpones the rows with a 403 that are not decided yet. */
  postponeForbidden(): void {
    for (const { job, error } of this.#forbidden.splice(0))
      this.#options.rows.postponed(job, rowForbidden(error));
  }

  /**
   * Settles the rows that wait for another attempt when service failures have ended the run.
   *
   * A row that failed before the service responded to a later request is postponed. The others
   * failed in the outage and keep their state.
   */
  settleWaiting(): void {
    const { rows, queue, breaker } = this.#options;
    for (const job of queue.drainRetries()) {
      const { error, failures, firstFailedRequest, firstRequest } = job;
      if (error === undefined || failures === 0) continue;
      // Without a response no attempt counts, but carbon still names a row that failed before.
      const hasFailedBefore = firstRequest === 0 && !breaker.isAnswering;
      if (hasFailedBefore || breaker.hasAnsweredAfter(firstFailedRequest))
        rows.postponed(job, error);
      else rows.leftBehind(job, error);
    }
  }
}
