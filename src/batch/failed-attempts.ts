/*
 * Decides what follows a failed attempt: another attempt, an outcome of its row, or the end of the
 * run. Each decision that ends the run is returned as its error.
 */

import { type CircuitBreaker, maxStartMs, serviceDown } from '../api/circuit-breaker.ts';
import {
  type FailureKind,
  failureKind,
  NotFoundError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from '../api/errors.ts';
import type { Journals } from '../list/journals.ts';
import type { RequestPacer } from '../pace/pacer.ts';
import { type CarbonError, HintedError } from '../runtime/carbon-error.ts';
import { backoffMs } from '../runtime/clock.ts';
import type { FailedJob, Job, RowQueue, RowTracker } from './rows.ts';

/* Duration of refusals after which a response that mentions a quota is believed. */
const evidentQuotaMs = 10_000;

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
  readonly journals: Journals;
  readonly breaker: CircuitBreaker;
  readonly pacer: Pick<RequestPacer, 'exhausted' | 'refusalStreak'>;
  random(): number;
  /** Called before each wait for another attempt, with its length in milliseconds. */
  readonly onWait?: ((ms: number, error: CarbonError) => void) | undefined;
  /** Called for each refusal while the service refuses every request. */
  readonly onRefusalStreak?: ((notice: RefusalStreakNotice) => void) | undefined;
  /** Called once if the service does not respond at the start, with the maximum wait. */
  readonly onStarting?: ((maxMs: number, error: CarbonError) => void) | undefined;
}

/** Handles the failed attempts of one run. */
export class FailedAttempts {
  readonly #options: FailedAttemptsOptions;
  #hasReportedStart = false;
  #lastAccepted = 0;

  constructor(options: FailedAttemptsOptions) {
    this.#options = options;
  }

  /** Records the number of a request that registered a row. */
  accepted(request: number): void {
    this.#lastAccepted = Math.max(this.#lastAccepted, request);
  }

  /**
   * Handles a failed attempt.
   *
   * @param isAlone whether no other request is in flight
   * @returns the error that ends the run, if it must end
   */
  add(
    job: Job,
    error: CarbonError,
    { request, now, isAlone }: { request: number; now: number; isAlone: boolean },
  ): CarbonError | undefined {
    const { rows, breaker, pacer, onRefusalStreak } = this.#options;
    const cause = classify(error, breaker.isAnswering);
    const { isSteady } = breaker;
    // A response in another form shows a wrong address.
    const mayStart = error.code !== 'unreadable_response';
    const hasServiceFailed = cause === 'service failed';
    if (hasServiceFailed) breaker.failed(request, job.firstRequest ?? request, now, mayStart);
    else if (cause === 'overloaded') breaker.failed(request, request, now);
    // A 503 with Retry-After does not show whether the service works.
    else if (error.status !== 503) breaker.responded(request);
    if (cause === 'stop') return error;
    if (cause === 'forbidden') return this.#addForbidden(job, error);
    if (cause === 'row rejected') {
      rows.rejected(job, error);
      return undefined;
    }
    if (!hasServiceFailed) {
      job.firstRefusedRequest ||= request;
      if (pacer.exhausted || this.#isQuota(error, now))
        return this.#endRefused(job, error, isAlone);
    }
    if (exceedsMaxRetryAfter(error)) return error;
    if (!hasServiceFailed) {
      job.refusals += 1;
      const { refusalStreak } = pacer;
      if (refusalStreak !== undefined) onRefusalStreak?.({ ...refusalStreak, error });
    }
    // A row that failed before is probably the cause itself.
    const isOfRow = job.firstRequest === 0 && error.status !== undefined;
    if (breaker.isStarting && !breaker.isOver && !isOfRow)
      return this.#waitForStart(job, error, now);
    // An overload refuses any row. A row that alone is refused repeatedly is itself the cause.
    if (hasServiceFailed || (cause === 'overloaded' && isSteady)) {
      job.firstFailedRequest ||= request;
      job.failures += 1;
    }
    return this.#retry(job, error, now);
  }

  /*
   * Before the service has accepted a row, a 403 is about the key, unless earlier runs registered
   * rows and failed on this one. The next run sends the row last.
   */
  #addForbidden(job: Job, error: CarbonError): CarbonError | undefined {
    const { rows, journals } = this.#options;
    const hasFailedBefore = job.firstRequest === 0 && journals.hasRegistered;
    if (this.#lastAccepted > 0 || hasFailedBefore) rows.postponed(job, rowForbidden(error));
    else {
      rows.noteFailure(job, error);
      return keyForbidden({ job, error });
    }
    return undefined;
  }

  /* A row that is refused while others are accepted is itself the cause. */
  #endRefused(job: Job, error: CarbonError, isAlone: boolean): CarbonError | undefined {
    const { rows, queue } = this.#options;
    job.error = error;
    const refused = [job, ...queue.drainRetries()];
    const alone = refused.filter(
      ({ firstRefusedRequest }) =>
        firstRefusedRequest > 0 && firstRefusedRequest < this.#lastAccepted,
    );
    for (const each of alone) rows.postponed(each, each.error ?? error);
    const isOver = alone.length === refused.length && queue.isEmpty && isAlone;
    return isOver ? undefined : quotaExhausted(error);
  }

  /* The breaker decides when the next row is sent; no row is the cause. */
  #waitForStart(job: Job, error: CarbonError, now: number): undefined {
    const { queue, onStarting } = this.#options;
    job.error = error;
    queue.retry(job, now);
    if (!this.#hasReportedStart) onStarting?.(maxStartMs, error);
    this.#hasReportedStart = true;
  }

  /* A quota of a minute or less is a rate limit. */
  #isQuota({ title = '', detail = '', retryAfterMs }: CarbonError, now: number): boolean {
    const { refusalStreak } = this.#options.pacer;
    const text = `${title} ${detail}`;
    return (
      retryAfterMs === undefined &&
      refusalStreak !== undefined &&
      now - refusalStreak.since >= evidentQuotaMs &&
      /\bquota\b/i.test(text) &&
      !/\b(?:rate|second|minute)/i.test(text)
    );
  }

  /* A rate limit never makes the run skip a row; repeated service failures do. */
  #retry(job: Job, error: CarbonError, now: number): CarbonError | undefined {
    const { rows, queue, breaker, random, onWait } = this.#options;
    job.error = error;
    if (breaker.isOver) {
      queue.retry(job, now);
      // With every row sent and a service that has responded, there is nothing left to stop.
      const isLast = queue.isEmpty && breaker.isAnswering;
      if (!isLast) return serviceDown(error, breaker.isStarting);
      for (const waiting of queue.drainRetries()) rows.postponed(waiting, waiting.error ?? error);
    } else if (job.failures >= maxAttempts) rows.postponed(job, error);
    else {
      const attempts = Math.max(job.refusals, job.failures);
      const { retryAfterMs } = error;
      const ms = retryAfterMs ?? random() * backoffMs(attempts, firstWaitMs, maxWaitMs);
      // Without a Retry-After, the pacer alone decides when a refused row may be sent again.
      const isPaced = error.code === 'rate_limited' && retryAfterMs === undefined;
      queue.retry(job, now + ms, isPaced);
      onWait?.(ms, error);
    }
    return undefined;
  }

  /**
   * Settles the rows that wait for another attempt when service failures have ended the run.
   *
   * A row that failed before the service responded to a later request is postponed. The others
   * remain; the next run sends them last.
   */
  settleWaiting(): void {
    const { rows, queue, breaker } = this.#options;
    for (const job of queue.drainRetries()) {
      const { error, failures, firstFailedRequest } = job;
      if (error === undefined || failures === 0) continue;
      if (breaker.hasAnsweredAfter(firstFailedRequest)) rows.postponed(job, error);
      else rows.noteFailure(job, error);
    }
  }
}

/**
 * Decides what the run does next about the error of an attempt.
 *
 * Any other error stops the run, such as a 401.
 * @param isAnswering whether the service has responded to other requests, as for `failureKind`
 */
function classify(
  error: CarbonError,
  isAnswering: boolean,
): 'row rejected' | FailureKind | 'forbidden' | 'stop' {
  if (error instanceof RejectedError || error instanceof NotFoundError) return 'row rejected';
  if (error instanceof UnauthorizedError && error.status === 403) return 'forbidden';
  if (!(error instanceof UnavailableError)) return 'stop';
  return failureKind(error, isAnswering);
}

/* Maximum attempts for a row that the service fails on; the next run resumes with it. */
const maxAttempts = 4;
const firstWaitMs = 500;
const maxWaitMs = 8_000;
/* With a longer Retry-After, this run would seem to hang. */
const maxRetryAfterMs = 3_600_000;

function exceedsMaxRetryAfter({ retryAfterMs = 0 }: CarbonError): boolean {
  return retryAfterMs > maxRetryAfterMs;
}

/** Returns the error of a run in which the service forbids every row; it names the first. */
function keyForbidden({ error, job }: FailedJob): CarbonError {
  const { message, status, title, detail } = error;
  return new UnauthorizedError(`line ${job.line}: ${message}`, { status, title, detail });
}

/** Returns the error of a postponed row with a 403 that the key did not cause. */
function rowForbidden({ message, status, title, detail }: CarbonError): CarbonError {
  const hint =
    'Ask the operator of the service whether your account may register this organization. A firewall may also reject its values.';
  return new HintedError(
    'unauthorized',
    `The service rejected this row (403): ${detail ?? title ?? message}`,
    { status, title, detail, hint },
  );
}

/**
 * Returns the error of a postponed row in a run that has registered other rows.
 *
 * The base URL is right then. Any error but a service failure is returned unchanged.
 */
export function rowFailed(error: CarbonError): CarbonError {
  if (!(error instanceof UnavailableError)) return error;
  const { code, status, title, detail, response, cause } = error;
  const message =
    response === undefined ? error.message : `The service failed on this row: ${response}`;
  const reason = 'row_failed';
  return new UnavailableError(code, message, { status, title, detail, cause, reason });
}

/** Returns the error of a run in which the service refused every request for too long. */
function quotaExhausted(last: CarbonError): CarbonError {
  const { status, title, detail, retryAfterMs, retryAtMs } = last;
  const message = `The service accepts no more registrations: ${last.message}`;
  const details = { status, title, detail, cause: last };
  // The wait that the service requests is part of the hint.
  if (exceedsMaxRetryAfter(last))
    return new UnavailableError('rate_limited', message, { ...details, retryAfterMs, retryAtMs });
  const why =
    status === 503 ? 'The service is still overloaded.' : 'The quota is probably used up.';
  return new HintedError('rate_limited', message, { ...details, hint: `${why} Try again later.` });
}
