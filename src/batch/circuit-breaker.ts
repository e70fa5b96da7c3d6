/*
 * When a service that fails counts as down. Before its first answer, failures are simply counted: a
 * wrong address is to be told within seconds. A service that has answered may be restarted
 * meanwhile: then one request at a time feels whether it is back, after growing pauses, and all
 * that were in flight when it went away count as one failure.
 *
 * A failure among answers is no outage but the matter of its row. So it is not counted when an
 * answer arrived while the request was in flight, nor at a later attempt when a request that was
 * sent after the row's first one was answered.
 */
import { backoffMs } from '../runtime/backoff.ts';

/** How many service failures in a row end a run. */
export const maxFailures = 20;
/*
 * Where many rows fail on their own, a few failures in a row are common: they are no reason to
 * wait, and pauses begin too short to be felt.
 */
const fewFailures = 3;
const firstPauseMs = 5;
/* So many rows in a row failed at their first attempt, in flight at the same time or not. */
const manyRows = 8;
const maxPauseMs = 4_000;
/* After so many answers in a row, a failure is hardly that of a service that is overloaded. */
const steadyAnswers = 20;

/**
 * Counts the service failures in a row. Requests are numbered in the order of sending; times are of
 * the monotonic clock, in milliseconds.
 */
export class CircuitBreaker {
  #failures = 0;
  #countedAt = 0;
  #sent = 0;
  /*
   * How many requests had been sent when the last answer arrived, and when the last failure was
   * counted.
   */
  #sentAtAnswer = 0;
  #sentAtFailure = 0;
  #lastAnswered = 0;
  #answersInARow = 0;
  #rowsInARow = 0;

  /** Numbers a request, from 1. */
  sent(): number {
    this.#sent += 1;
    return this.#sent;
  }

  /**
   * Takes note of a failure of the service or of the way to it.
   * @param first the number of the first request for the same row
   */
  failed(request: number, first: number, now: number): void {
    this.#answersInARow = 0;
    if (request === first) this.#rowsInARow += 1;
    if (this.isAnswering) {
      const isAmongAnswers = request <= this.#sentAtAnswer || first < this.#lastAnswered;
      if (isAmongAnswers || (this.#failures > 0 && request <= this.#sentAtFailure)) return;
    }
    this.#failures += 1;
    this.#countedAt = now;
    this.#sentAtFailure = this.#sent;
  }

  /** Takes note of an answer of the service, a refusal included. */
  answered(request: number): void {
    this.#failures = 0;
    this.#rowsInARow = 0;
    this.#answersInARow += 1;
    this.#sentAtAnswer = this.#sent;
    this.#lastAnswered = Math.max(this.#lastAnswered, request);
  }

  /** Whether the service has answered in this run. */
  get isAnswering(): boolean {
    return this.#lastAnswered > 0;
  }

  /** Whether it has answered a request that was sent after this one. */
  hasAnsweredAfter(request: number): boolean {
    return request < this.#lastAnswered;
  }

  /** Whether the last requests, one after another, were all answered. */
  get isSteady(): boolean {
    return this.#answersInARow >= steadyAnswers;
  }

  /**
   * Whether the service may be down: a row that has not failed yet shows more than one that has.
   */
  get isSuspected(): boolean {
    return this.#failures > 0 && this.isAnswering;
  }

  get isOver(): boolean {
    return this.#failures >= maxFailures;
  }

  /**
   * How long to send nothing, in milliseconds; Infinity until the request that is in flight has
   * ended.
   */
  delay(now: number, inFlight: number): number {
    const isShort = this.#failures < fewFailures;
    if (!this.isAnswering || (isShort && this.#rowsInARow < manyRows)) return 0;
    if (inFlight > 0) return Number.POSITIVE_INFINITY;
    if (isShort) return 0;
    const pauseMs = backoffMs(this.#failures - fewFailures + 1, firstPauseMs, maxPauseMs);
    return Math.max(0, this.#countedAt + pauseMs - now);
  }
}
