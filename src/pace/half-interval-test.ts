/** Accepted requests before a test: initially, and maximum. */
const initialWait = 30;
const maxWait = 300;
/** Maximum time before the first test, so that a long interval is tested after fewer requests. */
const maxInitialWaitMs = 5_000;

/**
 * Occasionally tests whether half the interval is long enough, because requests of other processes
 * may have made the measured interval far too long.
 */
export class HalfIntervalTest {
  #isInProgress = false;
  /** Accepted requests until the next test, and between two tests. */
  #remaining = initialWait;
  #wait = initialWait;

  /** Whether the last request tests half the interval. */
  get isInProgress(): boolean {
    return this.#isInProgress;
  }

  /** Whether it is time for a test. */
  get isDue(): boolean {
    return this.#remaining <= 0;
  }

  /** Plans the first test of a newly measured interval. */
  restart(intervalMs: number): void {
    this.#wait = Math.max(2, Math.min(initialWait, maxInitialWaitMs / intervalMs));
    this.#remaining = this.#wait;
  }

  /** Starts a test with the next request. */
  start(): void {
    this.#isInProgress = true;
  }

  /** Records an accepted request; returns whether it passed a test. The next test follows it. */
  accepted(): boolean {
    const isPassed = this.#isInProgress;
    this.#isInProgress = false;
    this.#remaining = isPassed ? 1 : this.#remaining - 1;
    return isPassed;
  }

  /** Ends the test after a refusal; the next one comes much later. */
  refused(): void {
    this.#isInProgress = false;
    this.#wait = Math.min(maxWait, 8 * this.#wait);
    this.#remaining = this.#wait;
  }
}
