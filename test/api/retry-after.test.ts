import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '../../src/api/retry-after.ts';

const now = Date.UTC(2026, 0, 15, 9, 30);

describe('readRetryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Thu, 15 Jan 2026 09:30:30 GMT', 30_000],
    ['Thursday, 15-Jan-26 09:30:30 GMT', 30_000],
    ['Thu Jan 15 09:30:30 2026', 30_000],
    ['Thu, 15 Jan 2026 09:00:00 GMT', 0],
  ])('reads %j as %d ms', (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms);
  });

  it.each([undefined, '', 'soon', '-1', '1.5', '1e3', '0x10', 'Xyz, 99 Foo 2026'])(
    'ignores %j',
    (value) => {
      expect(readRetryAfter(value, now)).toBeUndefined();
    },
  );

  it('never throws and never asks for a wait below zero', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(readRetryAfter(value, now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
