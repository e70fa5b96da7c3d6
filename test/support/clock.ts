import type { Clock } from '../../src/runtime/clock.ts';

interface Timer {
  readonly due: number;
  fire(): void;
}

/* After this many turns with a file operation in progress, the clock checks every millisecond. */
const maxBusyTurns = 50;

/*
 * Returns whether a file operation is in progress. Time stands still meanwhile, so that a slow disk
 * does not change the result of a test. The clock calls this five times per jump, so it avoids
 * regular expressions, which would double its cost.
 */
function isUsingFiles(): boolean {
  return process
    .getActiveResourcesInfo()
    .some((resource) => resource.startsWith('FSReq') || resource.startsWith('CloseReq'));
}

/**
 * A clock that jumps to the next timer as soon as nothing else is in progress. Requests in flight
 * and file operations stop it.
 */
export class VirtualClock implements Clock {
  #ms = 0;
  readonly #holds = new Set<symbol>();
  #turning = false;
  readonly #timers = new Set<Timer>();
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
    this.#turn();
    return () => void this.#timers.delete(timer);
  }

  /** Returns how many timers are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Stops time until the caller calls the returned function. */
  hold(): () => void {
    const held = Symbol('held');
    this.#holds.add(held);
    return () => {
      if (this.#holds.delete(held)) this.#turn();
    };
  }

  /** Lets time pass although requests are in flight, for servers that never respond. */
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
      // Endless turns would take the processor time that a slow disk needs.
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
