import { backoffMs } from '../runtime/clock.ts';

/** Configures the time between two checks of an organization. */
export interface CheckOptions {
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** Fixed interval in milliseconds (default: grows with the age of the watch). */
  readonly intervalMs?: number | undefined;
}

/** Default time limit of a watch, in milliseconds. */
export const defaultTimeoutMs = 1_800_000;

const minIntervalMs = 10_000;
const maxIntervalMs = 60_000;

/**
 * Returns the time until the next check, in milliseconds.
 *
 * The interval is a tenth of the age, from 10 s to 60 s, ±10 % at random. It doubles with each
 * failure in a row, and is never shorter than Retry-After.
 * @param ageMs time since the watch of the organization began
 * @param failures failed checks in a row
 */
export function nextCheckMs(
  { intervalMs, random }: CheckOptions,
  ageMs: number,
  failures: number,
  retryAfterMs = 0,
): number {
  const regular =
    intervalMs ??
    Math.min(maxIntervalMs, Math.max(minIntervalMs, ageMs / 10)) * (0.9 + 0.2 * random());
  return Math.max(backoffMs(failures + 1, regular, Math.max(regular, maxIntervalMs)), retryAfterMs);
}
