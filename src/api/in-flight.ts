import type { Clock } from '../clock.ts';

/** Something under way that can be ended from outside. */
export interface Ending {
  /** Ends it for a reason, once. */
  abort(reason: unknown): void;
  /** Why it is ended when its time is over. */
  late(): Error;
}

/**
 * What is under way with one signal, each for the same longest time: one listener and one timer for all of it. A listener and
 * a timer for each request would take a tenth of a batch.
 */
export class InFlight {
  /* By when each is to end; in the order of adding, so the first one is due first. */
  readonly #due = new Map<Ending, number>();
  #cancel: (() => void) | undefined;

  /**
   * @param longestMs how long each may take, in milliseconds of the clock
   * @param signal ends everything that is under way when it is aborted
   */
  constructor(
    private readonly clock: Clock,
    private readonly longestMs: number,
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.#endAll(), { once: true });
  }

  /** Takes something up; with a signal that is aborted already it is ended at once. */
  add(one: Ending): void {
    if (this.signal.aborted) {
      one.abort(this.signal.reason);
      return;
    }
    this.#due.set(one, this.clock.elapsed() + this.longestMs);
    if (this.#cancel === undefined) this.#wait(this.longestMs);
  }

  /** Lets go of something that has ended; with the last one, the timer goes too. */
  delete(one: Ending): void {
    this.#due.delete(one);
    if (this.#due.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(ms: number): void {
    this.#cancel = this.clock.after(ms, () => this.#endLate());
  }

  #endLate(): void {
    const now = this.clock.elapsed();
    this.#cancel = undefined;
    for (const [one, due] of this.#due) {
      if (due > now) {
        this.#wait(due - now);
        return;
      }
      one.abort(one.late());
    }
  }

  #endAll(): void {
    for (const one of this.#due.keys()) one.abort(this.signal.reason);
  }
}
