import type { Clock } from '../runtime/clock.ts';

/** A rate limit; section 8 leaves its values open. */
export interface RateLimit {
  /** Requests per second. */
  readonly rate: number;
  /** Maximum requests in a burst after a pause. */
  readonly burst: number;
}

/** The decision about a request, with the headers of its response. */
export interface Permission {
  /** Seconds until a request is permitted, an integer from 1; undefined if this one is. */
  readonly retryAfterSeconds: number | undefined;
  /** `RateLimit` and `RateLimit-Policy`, as in the IETF draft of RateLimit header fields. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates a token bucket that holds `burst` tokens and gains `rate` tokens per second. A rejected
 * request takes no token.
 */
export function tokenBucket(clock: Clock, { rate, burst }: RateLimit): () => Permission {
  // For rates below one per second, a longer window makes the quota an integer.
  const windowSeconds = Math.max(1, Math.ceil(1 / rate));
  const policy = `"sandbox";q=${Math.floor(rate * windowSeconds)};w=${windowSeconds}`;
  let tokens = burst;
  let filledAtMs = clock.elapsed();
  return () => {
    const nowMs = clock.elapsed();
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * rate);
    filledAtMs = nowMs;
    // Rounding errors must not reject a client that waited for Retry-After.
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
