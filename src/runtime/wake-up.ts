import type { Clock } from './clock.ts';

/**
 * Lets a loop wait until another task changes the state that the loop checks.
 *
 * Whoever changes that state calls `wake`. Only one loop may wait at a time.
 */
export class WakeUp {
  readonly #clock: Clock;
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the current wait, if any. */
  wake(): void {
    this.#wake();
  }

  /** Waits until `wake` is called or `maxMs` milliseconds have passed; Infinity sets no limit. */
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
