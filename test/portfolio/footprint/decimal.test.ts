import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatDecimal,
  numberOf,
  plus,
  totalOf,
} from '../../../src/portfolio/footprint/decimal.ts';
import '../../support/seed.ts';

/* The exact sum of doubles, each a multiple of 2^-1074. */
function exactSum(values: readonly number[]): number {
  let units = 0n;
  for (const value of values) {
    let [whole, shift] = [value, 0n];
    for (; !Number.isInteger(whole); whole *= 2) shift += 1n;
    units += BigInt(whole) << (1074n - shift);
  }
  return numberOf({ units: units * 5n ** 1074n, scale: 1074 });
}

it('totalOf is the nearest double to the exact sum, in every order', { tags: ['property'] }, () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e288, max: 1e288 });
  fc.assert(
    fc.property(fc.array(double), (values) => {
      expect(totalOf(values)).toBe(exactSum(values));
      expect(totalOf(values.toReversed())).toBe(exactSum(values));
    }),
    { examples: [[[1e16, 1, -1e16]], [[2 ** 53, 1, 2 ** -60]], [[-0]], [[]]] },
  );
});

it('plus adds amounts with any number of places', () => {
  const sum = plus({ units: 110n, scale: 2 }, { units: 5n, scale: 40 });
  expect(formatDecimal(sum)).toBe(`1.1${'0'.repeat(38)}5`);
});
