import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRateLimit } from '../../../src/client/pace/rate-limit-headers.ts';
import { runs } from '../../support/seed.ts';

const now = Date.UTC(2025, 0, 1);

/** Formats a limit as `remaining of quota per window, reset`, in seconds. */
function describeLimit(headers: Record<string, string | string[]>): string | undefined {
  const limit = readRateLimit(headers, now);
  if (limit === undefined) return undefined;
  const seconds = (ms: number | undefined) => (ms === undefined ? '?' : ms / 1000);
  const { quota = '?', remaining = '?' } = limit;
  return `${remaining} of ${quota} per ${seconds(limit.windowMs)}, ${seconds(limit.resetMs)}`;
}

describe('readRateLimit', () => {
  const structured = '"default";r=50;t=30';
  const policies = '"day";q=9000;w=86400, "burst, \\"q=1\\"";q=10;w=1';
  const both = ['"day";r=800;t=7200', '"burst, \\"q=1\\"";r=7;t=1'];
  const three = { 'ratelimit-limit': '100', 'ratelimit-remaining': '50', 'ratelimit-reset': '30' };
  const several = '100, 100;w=60, 5000;w=3600';

  it.each<[string, string | string[] | undefined, string | undefined, object]>([
    ['50 of 100 per 60, 30', structured, '"default";q=100;w=60', {}],
    ['50 of ? per ?, 30', structured, undefined, {}],
    ['50 of 100 per 60, 30', 'default;r=50;t=30', 'default;q=100;w=60', {}],
    ['50 of 100 per 60, 30', '"a";r=50;t=30', '"b";q=100;w=60', {}],
    // The limit with the fewest remaining requests.
    ['7 of 10 per 1, 1', both, policies, {}],
    ['3 of 9000 per 86400, 7200', '"day";r=3;t=7200', policies, {}],
    // Fields of earlier drafts.
    ['50 of 100 per ?, 30', undefined, undefined, three],
    ['50 of 100 per 60, 30', undefined, '100;w=60', three],
    ['50 of 100 per ?, 30', undefined, undefined, { ...three, 'ratelimit-limit': several }],
  ])('reads %s from RateLimit %j and RateLimit-Policy %j', (expected, ratelimit, policy, more) => {
    const own = { ...(ratelimit && { ratelimit }), ...(policy && { 'ratelimit-policy': policy }) };
    expect(describeLimit({ ...own, ...more })).toBe(expected);
  });

  it('compares a reset that is a point in time with the date of the response', () => {
    const serverMs = now + 60_000;
    const reset = `${(serverMs + 20_000) / 1000}`;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    const date = new Date(serverMs).toUTCString();
    expect(describeLimit({ ...headers, date })).toBe('0 of ? per ?, 20');
    expect(describeLimit({ ...headers, date: 'yesterday' })).toBe('0 of ? per ?, 80');
  });

  it('reads x-ratelimit, whose reset may be a point in time', () => {
    const three = (reset: string) => ({
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-reset': reset,
    });
    expect(describeLimit(three('3600'))).toBe('4999 of 5000 per ?, 3600');
    expect(describeLimit(three(String(now / 1000 + 90)))).toBe('4999 of 5000 per ?, 90');
    expect(describeLimit(three(String(now + 90_000)))).toBe('4999 of 5000 per ?, 90');
    expect(describeLimit(three(String(now / 1000 - 90)))).toBe('4999 of 5000 per ?, 0');
  });

  it.each([
    {},
    { 'x-ratelimit-limit': '5000' },
    { 'x-ratelimit-remaining': 'unlimited', 'x-ratelimit-reset': '60' },
    { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '60' },
    { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1e9' },
    { 'ratelimit-policy': '"default";q=0;w=60' },
    { 'ratelimit-policy': '"default";q=100;w=0' },
    { ratelimit: '"default";r=;t=30' },
  ])('ignores invalid headers: %o', (headers) => {
    expect(describeLimit(headers)).toBeUndefined();
  });

  const names = ['', '-policy', '-limit', '-remaining', '-reset'].map((end) => `ratelimit${end}`);
  const scrap = fc.constantFrom('"a"', '99', ...'";,=qwrt1-.0 \\a');
  const text = fc.oneof(
    fc.string(),
    fc.array(scrap, { maxLength: 40 }).map((scraps) => scraps.join('')),
  );

  it('never throws and returns only valid figures', { tags: ['property'] }, () => {
    const headers = fc.dictionary(
      fc.constantFrom(...names, ...names.map((name) => `x-${name}`)),
      fc.oneof(text, fc.array(text, { maxLength: 3 })),
    );
    fc.assert(
      fc.property(headers, fc.nat({ max: 2e12 }), (received, nowWallMs) => {
        const limit = readRateLimit(received, nowWallMs);
        if (limit === undefined) return;
        const { quota = 1, windowMs = 1, remaining = 0, resetMs = 0 } = limit;
        expect(quota).toBeGreaterThan(0);
        expect(windowMs).toBeGreaterThan(0);
        expect(remaining).toBeGreaterThanOrEqual(0);
        expect(resetMs).toBeGreaterThanOrEqual(0);
        for (const figure of [quota, windowMs, remaining, resetMs])
          expect(figure).toBeLessThan(Infinity);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
