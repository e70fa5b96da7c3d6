import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RefusedError, UnavailableError } from '../../src/api/errors.ts';
import { interactiveRetries, waitBeforeRetry } from '../../src/api/retry.ts';
import type { CarbonError } from '../../src/runtime/carbon-error.ts';

const failed = (status: number, retryAfterMs?: number) =>
  new UnavailableError('service_failed', 'failed', { status, retryAfterMs });

describe('what may be tried again', () => {
  const mayRetry = (error: CarbonError) => {
    const wait = waitBeforeRetry(interactiveRetries, 1, error, 0.5);
    expect(error.retryable).toBe(wait !== undefined);
    return error.retryable;
  };

  it.each([429, 500, 502, 503, 504])('is a request answered with %d', (status) => {
    expect(mayRetry(failed(status))).toBe(true);
  });

  it.each([501, 505, 302, 200])('is not a request answered with %d', (status) => {
    expect(mayRetry(failed(status))).toBe(false);
  });

  it('is a request whose connection was lost or that took too long, not one that was refused', () => {
    expect(mayRetry(new UnavailableError('network', 'lost'))).toBe(true);
    expect(mayRetry(new UnavailableError('timeout', 'late'))).toBe(true);
    expect(mayRetry(new UnavailableError('proxy', 'wants a password'))).toBe(false);
    expect(mayRetry(new RefusedError('no', { status: 422 }))).toBe(false);
  });
});

describe('waitBeforeRetry', () => {
  it('waits a random part of a bound that doubles up to the cap', () => {
    const policy = { ...interactiveRetries, tries: 9 };
    const longest = [1, 2, 3, 4, 5, 6].map((tried) =>
      waitBeforeRetry(policy, tried, failed(500), 1),
    );
    expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(waitBeforeRetry(policy, 3, failed(500), 0.25)).toBe(1_000);
  });

  it('gives up after the last try', () => {
    expect(waitBeforeRetry(interactiveRetries, 3, failed(500), 0)).toBe(0);
    expect(waitBeforeRetry(interactiveRetries, 4, failed(500), 0)).toBeUndefined();
  });

  it('waits the whole Retry-After, and gives up when that is longer than anybody waits', () => {
    expect(waitBeforeRetry(interactiveRetries, 1, failed(429, 60_000), 0)).toBe(60_000);
    expect(waitBeforeRetry(interactiveRetries, 1, failed(429, 60_001), 0)).toBeUndefined();
  });

  it('never waits less than the service asked for', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.nat(60_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (tried, retryAfterMs, random) => {
          const waitMs = waitBeforeRetry(
            interactiveRetries,
            tried,
            failed(503, retryAfterMs),
            random,
          );
          expect(waitMs).toBeGreaterThanOrEqual(retryAfterMs);
        },
      ),
    );
  });
});
