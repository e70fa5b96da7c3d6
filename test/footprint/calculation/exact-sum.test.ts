import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactSum } from '../../../src/footprint/calculation/exact-sum.ts';
import '../../support/seed.ts';

function sum(addends: readonly number[]): number {
  const total = new ExactSum();
  for (const addend of addends) total.add(addend);
  return total.value();
}

/* Adds up fractions with a power of two as the denominator, and rounds once. */
function sumOfFractions(addends: readonly number[]): number {
  let units = 0n;
  for (const addend of addends) {
    // toString(2) writes every double exactly.
    const [, sign, digits, fraction = ''] = /^(-?)(\d+)\.?(\d*)/.exec(addend.toString(2)) ?? [];
    const magnitude = BigInt(`0b${digits}${fraction}`) << BigInt(1100 - fraction.length);
    units += sign === '-' ? -magnitude : magnitude;
  }
  const [negative, magnitude] = [units < 0n, units < 0n ? -units : units];
  // 1100 binary places are 1100 decimal places of the fraction times 5^1100; Number() rounds once.
  const text = (magnitude * 5n ** 1100n).toString().padStart(1101, '0');
  const value = Number(`${text.slice(0, -1100)}.${text.slice(-1100)}`);
  return negative ? -value : value;
}

/* Moderate numbers, tiny ones, and pairs that cancel each other out. */
const addend = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e18, max: 1e18 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1, -1, 2 ** 53, -(2 ** 53), 2 ** -53, 5e-324, -5e-324, 1e100, -1e100, 0.1),
);

describe('ExactSum', () => {
  it('rounds the exact sum once', () => {
    fc.assert(
      fc.property(fc.array(addend, { maxLength: 30 }), (addends) => {
        expect(sum(addends)).toBe(sumOfFractions(addends) + 0);
      }),
    );
  });

  it('changes no digit when the addends are in another order', () => {
    fc.assert(
      fc.property(
        fc
          .array(addend, { maxLength: 30 })
          .chain((addends) =>
            fc.tuple(
              fc.constant(addends),
              fc.shuffledSubarray(addends, { minLength: addends.length }),
            ),
          ),
        ([addends, shuffled]) => {
          expect(sum(shuffled)).toBe(sum(addends));
        },
      ),
    );
  });

  it.each([
    ['nothing', [], 0],
    ['small addends that a running sum loses', [1e16, 1, 1, -1e16], 2],
    ['a tenth ten times', Array(10).fill(0.1), 1],
    ['an error of exactly half a digit, rounded to even', [1, 2 ** -53], 1],
    ['an error of half a digit and a trace more', [1, 2 ** -53, 1e-300], 1 + 2 ** -52],
    ['an error of half a digit and a trace less', [1 + 2 ** -52, 2 ** -53, -1e-300], 1 + 2 ** -52],
    ['a sum that exceeds the range on the way', [1.7e308, 1.7e308, -1.7e308, 3], 1.7e308],
    ['a tiny sum after large addends', [1.7e308, 1.7e308, 5e-324, -1.7e308, -1.7e308], 5e-324],
    ['the largest double', [Number.MAX_VALUE, 2 ** 969], Number.MAX_VALUE],
  ])('adds up %s', (_, addends, expected) => {
    expect(sum(addends)).toBe(expected);
  });

  it('returns 0 when the addends are -0', () => {
    expect(sum([-0, -0])).toBe(0);
  });

  it('returns Infinity when the sum exceeds the range of doubles', () => {
    expect(sum([Number.MAX_VALUE, Number.MAX_VALUE])).toBe(Number.POSITIVE_INFINITY);
  });
});
