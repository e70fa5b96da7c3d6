import type { Clock } from './clock.ts';

/**
 * The wait of a loop that looks what there is to do, and waits where there is nothing. Whatever
 * changes something that the loop looks at calls `wake`. Only one loop may wait at a time.
 */
export class WakeUp {
  readonly #clock: Clock;
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the wait, if there is one. */
  wake(): void {
    this.#wake();
  }

  /** Waits until `wake` is called, for `maxMs` milliseconds at most, which may be Infinity. */
  async wait(maxMs: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (maxMs === Number.POSITIVE_INFINITY) return woken;
    const cancel = this.#clock.after(maxMs, this.#wake);
    await woken;
    cancel();
  }
}
