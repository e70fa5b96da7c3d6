import type { RateLimit } from '../../runtime/carbon-error.ts';
import { maxWaitMs } from './refusal-streak.ts';

/**
 * A shorter Retry-After concerns the refused request alone: a bucket that refills every 20 ms says
 * "1" too.
 */
export const longRetryAfterMs = 2_000;

/** The limit as the headers of the answers tell it. */
export class ToldLimit {
  #rate = Infinity;
  #left = Infinity;

  /** Requests per millisecond. */
  get rate(): number {
    return this.#rate;
  }

  /** Requests that are left in a long window. */
  get left(): number {
    return this.#left;
  }

  /** Takes over what the headers tell, and returns for how long they permit nothing more. */
  heed({ quota, windowMs, remaining, resetMs }: RateLimit): number {
    if (quota !== undefined && windowMs !== undefined && windowMs < 10_000) {
      this.#rate = (0.995 * quota) / windowMs;
      this.#left = Infinity;
      return 0;
    }
    // Whole seconds are too coarse to pace by within a short window.
    if (remaining === undefined || resetMs === undefined || resetMs <= longRetryAfterMs) return 0;
    const plenty = remaining === 0 || remaining > (quota ?? 0) / 2 || resetMs > maxWaitMs;
    this.#rate = plenty ? Infinity : remaining / resetMs;
    this.#left = remaining;
    return remaining === 0 ? resetMs : 0;
  }
}
