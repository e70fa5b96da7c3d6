import type { RateLimit } from '../runtime/carbon-error.ts';
import { maxSingleRetryAfterMs, maxWaitMs } from './pacer.ts';

/** Tracks the rate limit that response headers advertise. */
export class AdvertisedLimit {
  #rate = Infinity;
  #remaining = Infinity;

  /** Permitted requests per millisecond; Infinity if no header limits the rate. */
  get rate(): number {
    return this.#rate;
  }

  /** Remaining requests of a long window; Infinity if no header limits them. */
  get remaining(): number {
    return this.#remaining;
  }

  /** Applies the limit of a response; returns how long it permits no request, in milliseconds. */
  apply({ quota, windowMs, remaining, resetMs }: RateLimit): number {
    if (quota !== undefined && windowMs !== undefined && windowMs < 10_000) {
      this.#rate = (0.995 * quota) / windowMs;
      this.#remaining = Infinity;
      return 0;
    }
    // Seconds are too coarse to set the rate within a short window.
    if (remaining === undefined || resetMs === undefined || resetMs <= maxSingleRetryAfterMs)
      return 0;
    const isUnlimited = remaining === 0 || remaining > (quota ?? 0) / 2 || resetMs > maxWaitMs;
    this.#rate = isUnlimited ? Infinity : remaining / resetMs;
    this.#remaining = remaining;
    return remaining === 0 ? resetMs : 0;
  }
}
