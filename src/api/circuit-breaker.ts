/*
 * Decides when a failing service counts as down. A service that has responded before may be
 * restarting: the caller then sends one request at a time, after growing pauses. All requests in
 * flight when the service went away count as one failure. The same holds for a service that has
 * not responded yet, with longer pauses, if the caller is patient. Otherwise, twenty failures end
 * the run, so that a wrong address is found within seconds.
 *
 * A failure among successful responses is caused by its row, not by an outage. It does not count
 * when another response arrived while the request was in flight. A repeated attempt does not count
 * when the service has responded to a request that was sent after the first attempt of the row.
 */
import type { CarbonError } from '../runtime/carbon-error.ts';
import { backoffMs } from '../runtime/clock.ts';
import { UnavailableError } from './errors.ts';

/** Number of consecutive service failures that ends a run. */
export const maxFailures = 20;
/** Time in which a service that has not responded yet may start, in milliseconds. */
export const maxStartMs = 120_000;
const startPauseMs = { first: 500, max: 10_000 } as const;
/*
 * Where many rows fail on their own, a few consecutive failures are common. They cause no pause,
 * and the first pauses are too short to notice.
 */
const minFailuresToPause = 3;
const pauseMs = { first: 5, max: 4_000 } as const;
/* So many consecutive rows must fail at their first attempt, concurrently or not. */
const minFailedRowsToProbe = 8;
/* After so many consecutive responses, an overload is an unlikely cause of a failure. */
const minSteadyResponses = 20;

/**
 * Counts consecutive service failures.
 *
 * Requests are numbered in the order of sending. Times are milliseconds of the monotonic clock.
 */
export class CircuitBreaker {
  #failures = 0;
  #failedSince = 0;
  #countedAt = 0;
  #isImpatient = false;
  #sent = 0;
  /* Requests sent before the last response arrived, and before the last failure was counted. */
  #sentAtResponse = 0;
  #sentAtFailure = 0;
  #lastAnswered = 0;
  #consecutiveResponses = 0;
  #consecutiveFailedRows = 0;

  /** Counts a request and returns its number, from 1. */
  sent(): number {
    this.#sent += 1;
    return this.#sent;
  }

  /**
   * Records a failure of the service or of the connection to it.
   *
   * @param first number of the first request for the same row
   * @param mayStart whether a service that has not responded yet may be starting
   */
  failed(request: number, first: number, now: number, mayStart = false): void {
    this.#consecutiveResponses = 0;
    if (request === first) this.#consecutiveFailedRows += 1;
    if (!this.isAnswering) this.#isImpatient ||= !mayStart;
    const isAmongResponses =
      this.isAnswering && (request <= this.#sentAtResponse || first < this.#lastAnswered);
    const isOfSameOutage = this.#failures > 0 && request <= this.#sentAtFailure;
    if (isAmongResponses || (isOfSameOutage && !this.#isImpatient)) return;
    if (this.#failures === 0) this.#failedSince = now;
    this.#failures += 1;
    this.#countedAt = now;
    this.#sentAtFailure = this.#sent;
  }

  /** Records a response of the service; a refusal is one too. */
  responded(request: number): void {
    this.#failures = 0;
    this.#isImpatient = false;
    this.#consecutiveFailedRows = 0;
    this.#consecutiveResponses += 1;
    this.#sentAtResponse = this.#sent;
    this.#lastAnswered = Math.max(this.#lastAnswered, request);
  }

  /** Whether the service has responded in this run. */
  get isAnswering(): boolean {
    return this.#lastAnswered > 0;
  }

  /** Returns whether the service has responded to a request that was sent after this one. */
  hasAnsweredAfter(request: number): boolean {
    return request < this.#lastAnswered;
  }

  /** Whether the service has responded to all recent requests. */
  get isSteady(): boolean {
    return this.#consecutiveResponses >= minSteadyResponses;
  }

  /** Whether the service may be down, so that the run should send rows that have not failed yet. */
  get isSuspected(): boolean {
    return this.#failures > 0;
  }

  /** Whether the service has not responded yet, and may still start. */
  get isStarting(): boolean {
    return this.#failures > 0 && !this.isAnswering && !this.#isImpatient;
  }

  /** Whether the service counts as down. */
  get isOver(): boolean {
    if (this.isStarting) return this.#countedAt - this.#failedSince >= maxStartMs;
    return this.#failures >= maxFailures;
  }

  /**
   * Returns how long to send nothing, in milliseconds.
   *
   * Infinity means: until the request in flight has ended.
   */
  delay(now: number, inFlight: number): number {
    const isShort = this.#failures < minFailuresToPause;
    const isProbing = !isShort || this.#consecutiveFailedRows >= minFailedRowsToProbe;
    if (this.#isImpatient || !(this.isStarting || (this.isAnswering && isProbing))) return 0;
    if (inFlight > 0) return Number.POSITIVE_INFINITY;
    if (this.isStarting) return this.#pause(now, this.#failures, startPauseMs);
    return isShort ? 0 : this.#pause(now, this.#failures - minFailuresToPause + 1, pauseMs);
  }

  #pause(now: number, failures: number, { first, max }: { first: number; max: number }): number {
    return Math.max(0, this.#countedAt + backoffMs(failures, first, max) - now);
  }
}

/** Returns the error of a run that ends because the service counts as down. */
export function serviceDown(last: CarbonError, isStarting = false): CarbonError {
  const what = isStarting
    ? `No request succeeded in ${maxStartMs / 60_000} minutes`
    : `${maxFailures} consecutive requests failed`;
  const { status } = last;
  return new UnavailableError('service_failed', `${what}. Last error: ${last.message}`, {
    status,
    cause: last,
  });
}
