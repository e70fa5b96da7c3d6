/*
 * When a service that fails counts as down. Before its first answer, failures are simply counted: a wrong address is
 * to be told within seconds. A service that has answered may be restarted meanwhile: then one request at a time feels
 * whether it is back, after growing pauses, and all that were in flight when it went away count as one failure.
 */

/** How many service failures in a row end a run. */
export const mostFailures = 20;
const firstPauseMs = 250;
const longestPauseMs = 2_000;

/** Counts the service failures in a row. Times are of the monotonic clock, in milliseconds. */
export class Outage {
  #failures = 0;
  #hasAnswered = false;
  #countedAt = Number.NEGATIVE_INFINITY;

  /** Takes note of a failure of the service or of the way to it. */
  failed(sentAt: number, now: number): void {
    if (this.#hasAnswered && this.#failures > 0 && sentAt <= this.#countedAt) return;
    this.#failures += 1;
    this.#countedAt = now;
  }

  /** Takes note of an answer of the service, a refusal included. */
  answered(): void {
    this.#failures = 0;
    this.#hasAnswered = true;
  }

  get isOver(): boolean {
    return this.#failures >= mostFailures;
  }

  /** How long to send nothing, in milliseconds; Infinity until the request that is in flight has ended. */
  delay(now: number, inFlight: number): number {
    if (this.#failures === 0 || !this.#hasAnswered) return 0;
    if (inFlight > 0) return Number.POSITIVE_INFINITY;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1));
    return Math.max(0, this.#countedAt + pauseMs - now);
  }
}
