import type { CarbonError } from '../runtime/carbon-error.ts';
import { backoffMs } from '../runtime/clock.ts';
import { UnavailableError } from './errors.ts';

/** Configures the retries of a request. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  /** Maximum random wait before the second attempt, in milliseconds; doubles with each attempt. */
  readonly baseMs: number;
  /** Upper limit of the random wait, in milliseconds. */
  readonly capMs: number;
  /** Maximum Retry-After that the client waits, in milliseconds; a longer one is an error. */
  readonly maxRetryAfterMs: number;
}

/**
 * Retries while a person waits: at most about 8 s without Retry-After, and one minute for each
 * Retry-After.
 */
export const interactiveRetries: RetryPolicy = {
  maxAttempts: 4,
  baseMs: 1_000,
  capMs: 8_000,
  maxRetryAfterMs: 60_000,
};

/** Makes a single attempt, for callers that retry on their own. */
export const singleAttempt: RetryPolicy = {
  maxAttempts: 1,
  baseMs: 0,
  capMs: 0,
  maxRetryAfterMs: 0,
};

/**
 * Returns the wait before the next attempt in milliseconds, or undefined to give up.
 *
 * The wait is the complete Retry-After, or else a random part of a limit that doubles ("full
 * jitter"). Registration may be repeated, because it is idempotent (section 1).
 * @param attempts number of failed attempts, at least 1
 * @param random number in [0, 1)
 */
export function waitBeforeRetry(
  policy: RetryPolicy,
  attempts: number,
  error: CarbonError,
  random: number,
): number | undefined {
  if (!(error instanceof UnavailableError) || !error.retryable || attempts >= policy.maxAttempts)
    return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return random * backoffMs(attempts, policy.baseMs, policy.capMs);
  return retryAfterMs <= policy.maxRetryAfterMs ? retryAfterMs : undefined;
}

/* A larger number counts as this one (RFC 9111, section 1.2.2). */
const maxRetryAfterSeconds = 2 ** 31;

/**
 * Parses a Retry-After header: seconds, or an HTTP date in one of its three forms (RFC 9110,
 * sections 5.6.7 and 10.2.3).
 * @param now time of the response in milliseconds since 1970, by the service's clock
 * @returns the wait in milliseconds, 0 for a date in the past, undefined for an invalid value
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), maxRetryAfterSeconds) * 1000;
  if (!/^[A-Z][a-z]+,? /.test(text)) return undefined;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
