import { setMaxListeners } from 'node:events';
import type { Clock } from '../../runtime/clock.ts';
import { Slab } from '../../runtime/slab.ts';

/** Something under way that can be ended from outside. */
export interface Ending {
  /** By when it is to end, in milliseconds of the clock; set by `add`. */
  due: number;
  /** Ends it for a reason, once. */
  abort(reason: unknown): void;
  /** Why it is ended when its time is over. */
  late(): Error;
}

/**
 * What is under way with one signal, each for the same longest time: one listener and one timer for
 * all of it. A listener and a timer for each request would take a fifth of a batch.
 */
export class RequestDeadlines {
  readonly #clock: Clock;
  readonly #longestMs: number;
  readonly signal: AbortSignal;
  readonly #all = new Slab<Ending>();
  #cancel: (() => void) | undefined;

  /**
   * @param longestMs how long each may take, in milliseconds of the clock
   * @param signal ends everything that is under way when it is aborted
   */
  constructor(clock: Clock, longestMs: number, signal: AbortSignal) {
    this.#clock = clock;
    this.#longestMs = longestMs;
    this.signal = signal;
    // Many clients with one signal, or many waits before another try, are no leak.
    setMaxListeners(0, signal);
  }

  /**
   * Takes something up.
   * @returns its place, for `remove`
   */
  add(one: Ending): number {
    one.due = this.#clock.elapsed() + this.#longestMs;
    if (this.#all.size === 0) {
      this.signal.addEventListener('abort', this.#endAll, { once: true });
      this.#wait(this.#longestMs);
    }
    return this.#all.add(one);
  }

  /** Lets go of something that has ended; with the last one, the timer and the listener go too. */
  remove(place: number): void {
    this.#all.remove(place);
    if (this.#all.size > 0) return;
    this.signal.removeEventListener('abort', this.#endAll);
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => this.#endLate());
  }

  #endLate(): void {
    const now = this.#clock.elapsed();
    this.#cancel = undefined;
    const all = this.#all.all();
    const rest = all.filter(({ due }) => due > now);
    if (rest.length > 0) this.#wait(Math.min(...rest.map(({ due }) => due)) - now);
    for (const one of all) if (one.due <= now) one.abort(one.late());
  }

  readonly #endAll = (): void => {
    for (const one of this.#all.all()) one.abort(this.signal.reason);
  };
}
