import { setMaxListeners } from 'node:events';
import type { Clock } from '../../runtime/clock.ts';
import { Slab } from '../../runtime/slab.ts';

/** Represents a request in flight that can be aborted. */
export interface Abortable {
  /** Deadline in milliseconds of the clock; set by `add`. */
  deadline: number;
  /** Aborts the request with a reason, once. */
  abort(reason: unknown): void;
  /** Creates the error of a request that missed its deadline. */
  createTimeoutError(): Error;
}

/**
 * Aborts requests at their deadline or when a signal aborts, with one listener and one timer for
 * all requests.
 *
 * A listener and a timer for each request would take a fifth of the CPU time of a batch
 * (bench/throughput.ts).
 */
export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly signal: AbortSignal;
  readonly #requests = new Slab<Abortable>();
  #cancelTimer: (() => void) | undefined;

  /**
   * @param timeoutMs maximum time of each request, in milliseconds of the clock
   * @param signal aborts all requests in flight
   */
  constructor(clock: Clock, timeoutMs: number, signal: AbortSignal) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.signal = signal;
    // Many clients with one signal, or many waits before a retry, are no leak.
    setMaxListeners(0, signal);
  }

  /** Sets the deadline of a request and returns its index for `remove`. */
  add(request: Abortable): number {
    request.deadline = this.#clock.elapsed() + this.#timeoutMs;
    if (this.#requests.size === 0) {
      this.signal.addEventListener('abort', this.#abortAll, { once: true });
      this.#startTimer(this.#timeoutMs);
    }
    return this.#requests.add(request);
  }

  /** Removes a request that has ended; the last one also removes the timer and the listener. */
  remove(index: number): void {
    this.#requests.remove(index);
    if (this.#requests.size > 0) return;
    this.signal.removeEventListener('abort', this.#abortAll);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #startTimer(ms: number): void {
    this.#cancelTimer = this.#clock.after(ms, () => this.#abortExpired());
  }

  #abortExpired(): void {
    const now = this.#clock.elapsed();
    this.#cancelTimer = undefined;
    const requests = this.#requests.all();
    const deadlines = requests.map(({ deadline }) => deadline).filter((time) => time > now);
    if (deadlines.length > 0) this.#startTimer(Math.min(...deadlines) - now);
    for (const request of requests) {
      if (request.deadline <= now) request.abort(request.createTimeoutError());
    }
  }

  readonly #abortAll = (): void => {
    for (const request of this.#requests.all()) request.abort(this.signal.reason);
  };
}
