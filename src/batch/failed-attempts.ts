/*
 * Decides what follows a failed attempt: another attempt, an outcome of its row, or the end of the
 * run. Each decision that ends the run is returned as its error.
 */

import { type CircuitBreaker, maxStartMs, serviceDown } from '../api/circuit-breaker.ts';
import {
  type FailureKind,
  failureKind,
  NotFoundError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from '../api/errors.ts';
import type { RequestPacer } from '../pace/pacer.ts';
import { type CarbonError, HintedError } from '../runtime/carbon-error.ts';
import { backoffMs } from '../runtime/clock.ts';
import type { Journals } from './journal/journals.ts';
import type { FailedJob, Job, RowQueue, RowTracker } from './rows.ts';

/*
 * Minimum number of new rows with a 403 before the key counts as the cause, if earlier runs have
 * registered rows with it.
 */
const minForbiddenRows = 3;

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
  /* Rows with a 403 before the service accepted any: the key may be the cause. */
  readonly #forbidden: FailedJob[] = [];
  #hasReportedStart = false;
  #lastAccepted = 0;

  constructor(options: FailedAttemptsOptions) {
    this.#options = options;
  }

  /** Number of rows with a 403 that are not decided yet. */
  get forbidden(): number {
    return this.#forbidden.length;
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
    if (cause === 'row refused') {
      rows.refused(job, error);
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
    if (breaker.isStarting && !breaker.isOver) return this.#waitForStart(job, error, now);
    // An overload refuses any row. A row that alone is refused repeatedly is itself the cause.
    if (hasServiceFailed || (cause === 'overloaded' && isSteady)) {
      job.firstFailedRequest ||= request;
      job.failures += 1;
    }
    return this.#retry(job, error, now);
  }

  #addForbidden(job: Job, error: CarbonError): undefined {
    const { rows, journals } = this.#options;
    // A row that failed in earlier runs proves nothing about a key that has worked.
    const provesNothing = job.firstRequest === 0 && journals.registered !== undefined;
    if (provesNothing) rows.postponed(job, rowForbidden(error));
    else this.#forbidden.push({ job, error });
  }

  /*
   * A row that is refused while others are accepted is itself the cause. Without any other row, it
   * is one that failed so in an earlier run.
   */
  #endRefused(job: Job, error: CarbonError, isAlone: boolean): CarbonError | undefined {
    const { rows, queue } = this.#options;
    job.error = error;
    const refused = [job, ...queue.drainRetries()];
    const alone = refused.filter(({ known, firstRefusedRequest }) =>
      this.#lastAccepted === 0
        ? rows.hasAnsweredOthers && known.failures.failedRuns > 0
        : firstRefusedRequest > 0 && firstRefusedRequest < this.#lastAccepted,
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
   * Decides whether the key or the row is the cause of a 403.
   *
   * The row is the cause once the service has accepted another one. Otherwise the first 403 ends
   * the run as soon as no request is in flight. If earlier runs have registered rows, one or two
   * rows with a 403 do not suffice.
   * @returns the error that ends the run, if it must end
   */
  decideForbidden(inFlight: number): CarbonError | undefined {
    const { journals } = this.#options;
    const [first] = this.#forbidden;
    if (first === undefined) return undefined;
    const min = journals.registered === undefined ? 1 : minForbiddenRows;
    if (this.#lastAccepted > 0) this.postponeForbidden();
    else if (inFlight === 0 && this.#forbidden.length >= min) return keyForbidden(first);
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

/**
 * Decides what the run does next about the error of an attempt.
 *
 * Any other error stops the run, such as a 401.
 * @param isAnswering whether the service has responded to other requests, as for `failureKind`
 */
function classify(
  error: CarbonError,
  isAnswering: boolean,
): 'row refused' | FailureKind | 'forbidden' | 'stop' {
  if (error instanceof RefusedError || error instanceof NotFoundError) return 'row refused';
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
