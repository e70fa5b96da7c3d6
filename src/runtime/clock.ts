/**
 * The time as a run sees it. All waiting goes through it, so that a virtual clock can drive a whole
 * run.
 */
export interface Clock {
  /** Wall time in milliseconds since 1970 (may jump). */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  elapsed(): number;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls after `ms` milliseconds, unless the returned function is called before: cheaper than a
   * sleep that is aborted.
   */
  after(ms: number, call: () => void): () => void;
}

/** Chance as this machine has it, from 0 inclusive to 1 exclusive. */
export const realRandom: () => number = Math.random;

const maxTimerMs = 2 ** 31 - 1;

/** The clock of this machine. */
export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
  after(ms, call) {
    let timer: NodeJS.Timeout;
    const wait = (rest: number) => {
      const nextMs = Math.min(rest, maxTimerMs);
      timer = setTimeout(() => (rest > nextMs ? wait(rest - nextMs) : call()), nextMs);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
  // Not the promises of node:timers: each one that is aborted makes an error with a stack, as dear
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
