import { backoffMs } from '../runtime/backoff.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import { UnavailableError } from './errors.ts';

/** How often and how patiently one request is tried. */
export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number;
  /**
   * The longest random wait before the second try, doubled for each further one, in milliseconds.
   */
  readonly baseMs: number;
  /** The longest random wait of all, in milliseconds. */
  readonly capMs: number;
  /**
   * The longest Retry-After that is waited for, in milliseconds; a longer one is an error that says
   * when.
   */
  readonly maxRetryAfterMs: number;
}

/**
 * The retries of a command that somebody waits for: at most some 8 s by itself, a minute when asked
 * to.
 */
export const interactiveRetries: RetryPolicy = {
  tries: 4,
  baseMs: 1_000,
  capMs: 8_000,
  maxRetryAfterMs: 60_000,
};

/**
 * Decides how long to wait before the next try: the whole Retry-After, or a random part of a
 * doubling bound ("full jitter"). Registration may be repeated, because it is idempotent (section
 * 1).
 * @param tried how many tries have failed, from 1
 * @param random from 0 inclusive to 1 exclusive
 * @returns milliseconds to wait, or undefined to give up
 */
export function waitBeforeRetry(
  policy: RetryPolicy,
  tried: number,
  error: CarbonError,
  random: number,
): number | undefined {
  if (!(error instanceof UnavailableError) || !error.retryable || tried >= policy.tries)
    return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return random * backoffMs(tried, policy.baseMs, policy.capMs);
  return retryAfterMs <= policy.maxRetryAfterMs ? retryAfterMs : undefined;
}

/** No retries: for callers that come back by themselves. */
export const singleTry: RetryPolicy = { tries: 1, baseMs: 0, capMs: 0, maxRetryAfterMs: 0 };
