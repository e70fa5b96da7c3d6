import type { Clock } from '../../src/runtime/clock.ts';

interface Timer {
  readonly due: number;
  fire(): void;
}

/* After so many turns with a file operation in progress, the clock looks once a millisecond. */
const maxBusyTurns = 50;

/*
 * A slow disk must not look like time that the code under test let pass. This runs five times for
 * each jump of the clock: a regular expression takes as long as the call itself.
 */
function isUsingFiles(): boolean {
  return process
    .getActiveResourcesInfo()
    .some((resource) => resource.startsWith('FSReq') || resource.startsWith('CloseReq'));
}

/**
 * A clock that jumps to the next timer as soon as nothing else is in progress. Requests in flight
 * hold it, and so do file operations.
 */
export class VirtualClock implements Clock {
  #ms = 0;
  readonly #holds = new Set<symbol>();
  #turning = false;
  readonly #timers = new Set<Timer>();
  #onTimer: () => void = () => undefined;
  readonly #epoch = Date.UTC(2026, 0, 15, 9, 30);

  now(): number {
    return this.#epoch + this.#ms;
  }

  elapsed(): number {
    return this.#ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.after(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  after(ms: number, call: () => void): () => void {
    const timer: Timer = {
      due: this.#ms + Math.max(0, ms),
      fire: () => {
        this.#timers.delete(timer);
        call();
      },
    };
    this.#timers.add(timer);
    this.#onTimer();
    this.#turn();
    return () => void this.#timers.delete(timer);
  }

  /** Resolves as soon as something waits for the clock. */
  async untilWaitedFor(): Promise<void> {
    if (this.#timers.size > 0) return;
    await new Promise<void>((resolve) => {
      this.#onTimer = resolve;
    });
  }

  /** Keeps time still until the returned function is called. */
  hold(): () => void {
    const held = Symbol('held');
    this.#holds.add(held);
    return () => {
      if (this.#holds.delete(held)) this.#turn();
    };
  }

  /** Lets time pass although requests are in flight, as when a server never answers. */
  letGo(): void {
    this.#holds.clear();
    this.#turn();
  }

  #turn(): void {
    if (this.#turning) return;
    this.#turning = true;
    let turns = 5;
    let busyTurns = 0;
    const step = () => {
      const isBusy = isUsingFiles();
      turns = isBusy ? 5 : turns - 1;
      busyTurns = isBusy ? busyTurns + 1 : 0;
      // A slow disk needs the processor that endless turns would take.
      if (busyTurns > maxBusyTurns) return void setTimeout(step, 1);
      if (turns > 0) return void setImmediate(step);
      this.#turning = false;
      if (this.#holds.size > 0 || this.#timers.size === 0) return;
      const next = [...this.#timers].reduce((first, timer) =>
        timer.due < first.due ? timer : first,
      );
      this.#ms = Math.max(this.#ms, next.due);
      next.fire();
      this.#turn();
    };
    setImmediate(step);
  }
}
