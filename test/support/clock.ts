import type { Clock } from '../../src/clock.ts';

interface Timer {
  readonly due: number;
  fire(): void;
}

/**
 * A clock that jumps to the next timer as soon as nothing else is under way. Requests in flight hold it;
 * a server that waits on the clock itself lets go of it meanwhile (`forServer`).
 */
export class VirtualClock implements Clock {
  #ms = 0;
  #holds = 0;
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
        this.#timers.delete(timer);
        reject(signal?.reason);
      };
      const timer: Timer = {
        due: this.#ms + Math.max(0, ms),
        fire: () => {
          this.#timers.delete(timer);
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#timers.add(timer);
      this.#turn();
    });
  }

  /** Keeps time still until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      this.#turn();
    };
  }

  /** The same clock for a server whose answer somebody waits for: its sleeping does not hold the clock. */
  forServer(): Clock {
    return {
      now: () => this.now(),
      elapsed: () => this.elapsed(),
      sleep: async (ms, signal) => {
        this.#holds -= 1;
        try {
          await this.sleep(ms, signal);
        } finally {
          this.#holds += 1;
        }
      },
    };
  }

  /** Lets time pass although a request is in flight, as when a server never answers. */
  letGo(): void {
    this.#holds -= 1;
    this.#turn();
  }

  /** Sets wall and monotonic time forward at once, before a run begins. */
  advance(ms: number): void {
    this.#ms += ms;
  }

  #turn(): void {
    if (this.#turning) return;
    this.#turning = true;
    let turns = 5;
    const step = () => {
      turns -= 1;
      if (turns > 0) return void setImmediate(step);
      this.#turning = false;
      if (this.#holds > 0 || this.#timers.size === 0) return;
      const next = [...this.#timers].reduce((first, timer) => (timer.due < first.due ? timer : first));
      this.#ms = Math.max(this.#ms, next.due);
      next.fire();
      this.#turn();
    };
    setImmediate(step);
  }
}
