import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal, numberOf, plus, totalOf, zero } from '../../src/footprint/decimal.ts';
import '../support/seed.ts';

/* The exact sum of doubles, each a multiple of 2^-1074. */
function exactSum(values: readonly number[]): number {
  let units = 0n;
  for (const value of values) {
    let [whole, shift] = [value, 0n];
    for (; !Number.isInteger(whole); whole *= 2) shift += 1n;
    units += BigInt(whole) << (1074n - shift);
  }
  const scale = 1074;
  return numberOf({ units: units * 5n ** 1074n, scale });
}

describe('totalOf', () => {
  it('is the exact sum, in every order', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 })),
        (values) => {
          const small = values.map((value) => value / 2 ** 40);
          expect(totalOf(small)).toBe(exactSum(small));
          expect(totalOf(small.toReversed())).toBe(exactSum(small));
        },
      ),
    );
  });

  it('rounds once, to the nearest double', () => {
    expect(totalOf([1e16, 1, -1e16])).toBe(1);
    expect(totalOf(Array(10).fill(0.1))).toBe(1);
    expect(totalOf([2 ** 53, 1, 2 ** -60])).toBe(2 ** 53 + 2);
    expect(Object.is(totalOf([-0]), 0)).toBe(true);
  });
});

describe('a decimal number', () => {
  it('adds amounts with any number of places', () => {
    const sum = plus({ units: 110n, scale: 2 }, { units: 5n, scale: 40 });
    expect(formatDecimal(sum)).toBe(`1.1${'0'.repeat(38)}5`);
    expect(formatDecimal({ units: -50n, scale: 3 })).toBe('-0.05');
    expect(Object.is(numberOf(zero), 0)).toBe(true);
  });
});
