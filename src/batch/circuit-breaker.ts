/*
 * Decides when a failing service counts as down. Before the first response, every failure counts,
 * so that a wrong address ends the run within seconds. A service that has responded before may be
 * restarting: the run then sends one request at a time, after growing pauses. All requests in
 * flight when the service went away count as one failure.
 *
 * A failure among successful responses is caused by its row, not by an outage. It does not count
 * when another response arrived while the request was in flight. A repeated attempt does not count
 * when the service has responded to a request that was sent after the first attempt of the row.
 */
import { backoffMs } from '../runtime/clock.ts';

/** Number of consecutive service failures that ends a run. */
export const maxFailures = 20;
/*
 * Where many rows fail on their own, a few consecutive failures are common. They cause no pause,
 * and the first pauses are too short to notice.
 */
const minFailuresToPause = 3;
const firstPauseMs = 5;
/* So many consecutive rows must fail at their first attempt, concurrently or not. */
const minFailedRowsToProbe = 8;
const maxPauseMs = 4_000;
/* After so many consecutive responses, an overload is an unlikely cause of a failure. */
const minSteadyResponses = 20;

/**
 * Counts consecutive service failures.
 *
 * Requests are numbered in the order of sending. Times are milliseconds of the monotonic clock.
 */
export class CircuitBreaker {
  #failures = 0;
  #countedAt = 0;
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
   */
  failed(request: number, first: number, now: number): void {
    this.#consecutiveResponses = 0;
    if (request === first) this.#consecutiveFailedRows += 1;
    if (this.isAnswering) {
      const isAmongResponses = request <= this.#sentAtResponse || first < this.#lastAnswered;
      if (isAmongResponses || (this.#failures > 0 && request <= this.#sentAtFailure)) return;
    }
    this.#failures += 1;
    this.#countedAt = now;
    this.#sentAtFailure = this.#sent;
  }

  /** Records a response of the service; a refusal is one too. */
  responded(request: number): void {
    this.#failures = 0;
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
    return this.#failures > 0 && this.isAnswering;
  }

  /** Whether the service counts as down. */
  get isOver(): boolean {
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
    if (!this.isAnswering || !isProbing) return 0;
    if (inFlight > 0) return Number.POSITIVE_INFINITY;
    if (isShort) return 0;
    const pauseMs = backoffMs(this.#failures - minFailuresToPause + 1, firstPauseMs, maxPauseMs);
    return Math.max(0, this.#countedAt + pauseMs - now);
  }
}
