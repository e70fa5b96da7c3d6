import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextCheckMs } from '../../src/api/poll-interval.ts';

describe('nextCheckMs', () => {
  const random = () => 0.5;

  it('grows with the age up to a minute, unless the user decides', () => {
    const ages = [0, 60_000, 200_000, 599_000, 7_200_000];
    expect(ages.map((age) => nextCheckMs({ random }, age, 0))).toEqual([
      10_000, 10_000, 20_000, 59_900, 60_000,
    ]);
    expect(nextCheckMs({ random, intervalMs: 2_000 }, 7_200_000, 0)).toBe(2_000);
    expect(nextCheckMs({ random, intervalMs: 120_000 }, 0, 3)).toBe(120_000);
  });

  it('is never below what the service asked for, nor above a minute and a tenth unless it asked', {
    tags: ['property'],
  }, () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        chance,
        fc.nat(10_000_000),
        fc.nat(12),
        fc.nat(1_000_000),
        (random, age, failures, retryAfter) => {
          const wait = nextCheckMs({ random: () => random }, age, failures, retryAfter);
          expect(wait).toBeGreaterThanOrEqual(Math.max(9_000, retryAfter));
          expect(wait).toBeLessThanOrEqual(Math.max(66_000, retryAfter));
        },
      ),
    );
  });
});
