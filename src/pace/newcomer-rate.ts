/** A server that hangs or restarts is usually back by then. */
const maxMs = 30_000;
/** Mean rate of the first requests, in requests per millisecond. */
const firstRate = 1 / 1_000;
/** Before the first refusal, the rate doubles in this time. */
const doublingMs = 1_000;
/** After it, the rate grows by this share in a second. */
const growthPerSecond = 0.02;
/** Each refusal multiplies the rate by this. */
const decrease = 0.8;
/** Maximum lateness that a sender may catch up. */
const maxCatchUpMs = 10;

/**
 * Bounds the rate of a process that starts without the server, because others may use the limit
 * completely: it starts slowly and yields at each refusal. Times are in milliseconds.
 */
export class NewcomerRate {
  readonly #until: number;
  #rate: number;
  /** Time of the last decrease. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** Time of the last response. */
  #at: number;
  #nextAt: number;

  /**
   * @param now time of the first request
   * @param random a number in [0, 1), so that processes that start together do not stay together
   */
  constructor(now: number, random: number) {
    this.#rate = firstRate * (0.5 + random);
    this.#until = now + maxMs;
    this.#at = now;
    this.#nextAt = now;
  }

  /** Time of the next request. */
  get nextAt(): number {
    return this.#nextAt;
  }

  /** Whether the process must no longer yield. */
  isOver(now: number): boolean {
    return now >= this.#until;
  }

  /** Records a sent request. */
  sent(now: number): void {
    this.#nextAt = Math.max(this.#nextAt, now - maxCatchUpMs) + 1 / this.#rate;
  }

  /** Records a response to a request that was sent at `sentAt`. */
  responded(sentAt: number, now: number, isRefused: boolean): void {
    const ms = Math.min(doublingMs, now - this.#at);
    this.#at = now;
    if (!isRefused) {
      const isCareful = this.#refusedAt > Number.NEGATIVE_INFINITY;
      this.#rate *= isCareful ? 1 + (growthPerSecond * ms) / 1_000 : 2 ** (ms / doublingMs);
    } else if (sentAt > this.#refusedAt) {
      // Refusals of requests that were in flight prove nothing new.
      this.#refusedAt = now;
      this.#rate *= decrease;
      this.#nextAt = Math.max(this.#nextAt, now + 1 / this.#rate);
    }
  }
}
