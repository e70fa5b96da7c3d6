import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RejectedError, UnavailableError } from '../../src/api/errors.ts';
import { interactiveRetries, readRetryAfter, waitBeforeRetry } from '../../src/api/retry.ts';
import type { CarbonError } from '../../src/runtime/carbon-error.ts';

const failed = (status: number, retryAfterMs?: number) =>
  new UnavailableError('service_failed', 'failed', { status, retryAfterMs });

describe('CarbonError.retryable', () => {
  const mayRetry = (error: CarbonError) => {
    const wait = waitBeforeRetry(interactiveRetries, 1, error, 0.5);
    expect(error.retryable).toBe(wait !== undefined);
    return error.retryable;
  };

  it.each([429, 500, 502, 503, 504])('is true after status %d', (status) => {
    expect(mayRetry(failed(status))).toBe(true);
  });

  it.each([501, 505, 302, 200])('is false after status %d', (status) => {
    expect(mayRetry(failed(status))).toBe(false);
  });

  it('is true after a lost connection or a timeout, and false after a refusal', () => {
    expect(mayRetry(new UnavailableError('network', 'lost'))).toBe(true);
    expect(mayRetry(new UnavailableError('timeout', 'late'))).toBe(true);
    expect(mayRetry(new UnavailableError('proxy', 'wants a password'))).toBe(false);
    expect(mayRetry(new RejectedError('no', { status: 422 }))).toBe(false);
  });
});

describe('waitBeforeRetry', () => {
  it('returns a random part of a limit that doubles up to the cap', () => {
    const policy = { ...interactiveRetries, maxAttempts: 9 };
    const maxWaits = [1, 2, 3, 4, 5, 6].map((tried) =>
      waitBeforeRetry(policy, tried, failed(500), 1),
    );
    expect(maxWaits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(waitBeforeRetry(policy, 3, failed(500), 0.25)).toBe(1_000);
  });

  it('gives up after the last attempt', () => {
    expect(waitBeforeRetry(interactiveRetries, 3, failed(500), 0)).toBe(0);
    expect(waitBeforeRetry(interactiveRetries, 4, failed(500), 0)).toBeUndefined();
  });

  it('returns the complete Retry-After, and gives up when it exceeds the limit', () => {
    expect(waitBeforeRetry(interactiveRetries, 1, failed(429, 60_000), 0)).toBe(60_000);
    expect(waitBeforeRetry(interactiveRetries, 1, failed(429, 60_001), 0)).toBeUndefined();
  });
});

describe('readRetryAfter', () => {
  const now = Date.UTC(2026, 0, 15, 9, 30);

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Thu, 15 Jan 2026 09:30:30 GMT', 30_000],
    ['Thursday, 15-Jan-26 09:30:30 GMT', 30_000],
    ['Thu Jan 15 09:30:30 2026', 30_000],
    ['Thu, 15 Jan 2026 09:00:00 GMT', 0],
  ])('parses %j as %d ms', (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms);
  });

  it.each([undefined, '', 'soon', '-1', '1.5', '1e3', '0x10', 'Xyz, 99 Foo 2026'])(
    'ignores %j',
    (value) => {
      expect(readRetryAfter(value, now)).toBeUndefined();
    },
  );

  it('never throws and never returns a negative wait', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(readRetryAfter(value, now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
