import { backoffMs } from '../runtime/backoff.ts';

/** What decides when an organization is checked again. */
export interface CheckOptions {
  readonly random: () => number;
  /**
   * Fixed time between two checks of one organization, in milliseconds; by default it grows with
   * the waiting.
   */
  readonly intervalMs?: number | undefined;
}

/** How long research is followed unless the caller decides, in milliseconds. */
export const defaultTimeoutMs = 1_800_000;

const shortestMs = 10_000;
const longestMs = 60_000;

/**
 * The time until the next check: 10 s or a tenth of the waiting so far, whichever is longer, at
 * most 60 s, 10 % more or less at random; doubled for each failure in a row, never before a
 * Retry-After is over.
 * @param ageMs how long the organization has been followed
 */
export function nextCheckMs(
  { intervalMs, random }: CheckOptions,
  ageMs: number,
  failures: number,
  retryAfterMs = 0,
): number {
  const regular =
    intervalMs ?? Math.min(longestMs, Math.max(shortestMs, ageMs / 10)) * (0.9 + 0.2 * random());
  return Math.max(backoffMs(failures + 1, regular, Math.max(regular, longestMs)), retryAfterMs);
}
