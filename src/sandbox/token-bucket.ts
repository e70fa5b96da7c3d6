import type { Clock } from '../runtime/clock.ts';

/** How many requests are permitted (section 8 leaves it open). */
export interface RateLimit {
  /** Requests per second. */
  readonly rate: number;
  /** Requests that are permitted at once after a pause. */
  readonly burst: number;
}

/** Whether a request is permitted, and what its answer says about the limit. */
export interface Permission {
  /** Whole seconds until one is permitted again, at least 1; undefined when this one is. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * `RateLimit` and `RateLimit-Policy` as the IETF's draft of RateLimit header fields defines them.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Counts requests with a token bucket: it holds `burst` and fills with `rate` a second; a refused
 * request takes nothing.
 */
export function tokenBucket(clock: Clock, { rate, burst }: RateLimit): () => Permission {
  // A window that makes the quota a whole number, for rates below one a second.
  const windowSeconds = Math.max(1, Math.ceil(1 / rate));
  const policy = `"sandbox";q=${Math.floor(rate * windowSeconds)};w=${windowSeconds}`;
  let tokens = burst;
  let filledAtMs = clock.elapsed();
  return () => {
    const nowMs = clock.elapsed();
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * rate);
    filledAtMs = nowMs;
    // Sums of tenths fall short of one: a client that waits as told must not be refused for that.
    const isPermitted = tokens > 1 - 1e-6;
    if (isPermitted) tokens = Math.max(0, tokens - 1);
    const secondsToOne = Math.max(1, Math.ceil((1 - tokens) / rate - 1e-6));
    return {
      retryAfterSeconds: isPermitted ? undefined : secondsToOne,
      headers: {
        'RateLimit-Policy': policy,
        RateLimit: `"sandbox";r=${Math.floor(tokens + 1e-6)};t=${secondsToOne}`,
      },
    };
  };
}
