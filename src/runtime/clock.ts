/** Provides time and timers. Every wait uses it, so that a virtual clock can drive a run. */
export interface Clock {
  /** Returns the wall time in milliseconds since 1970; it may jump. */
  now(): number;
  /** Returns milliseconds since a fixed moment; never decreases. */
  elapsed(): number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs a callback after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** Returns a random number in [0, 1). */
export const realRandom: () => number = Math.random;

/** The environment of this process, which the library reads for its proxy. */
export const realEnvironment: NodeJS.ProcessEnv = process.env;

/* 24 days: Node fires a longer timer at once. */
const maxTimerMs = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, maxTimerMs));
    return () => clearTimeout(timer);
  },
  // node:timers/promises creates an error with a stack for each aborted sleep, which takes as long
  // as a request.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = realClock.after(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** Returns the back-off after failures in a row, from 1: doubles with each, up to `maxMs`. */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}

/** Lets one loop wait until another task, which changed what the loop checks, calls `wake`. */
export class WakeUp {
  readonly #clock: Clock;
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#wake();
  }

  /** Waits until `wake` is called or `maxMs` milliseconds have passed; Infinity sets no limit. */
  wait(maxMs: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (maxMs === Number.POSITIVE_INFINITY) return woken;
    const cancel = this.#clock.after(maxMs, this.#wake);
    return woken.then(cancel);
  }
}

/**
 * Returns the day of a time in UTC, `YYYY-MM-DD`.
 * @param ms milliseconds since 1970
 */
export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
