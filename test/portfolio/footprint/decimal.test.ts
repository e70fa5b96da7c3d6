import { assert, bigInt, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { formatDecimal, numberOf, plus } from '../../../src/portfolio/footprint/decimal.ts';

it('plus adds amounts with any number of places', () => {
  const sum = plus({ units: 110n, scale: 2 }, { units: 5n, scale: 40 });
  expect(formatDecimal(sum)).toBe(`1.1${'0'.repeat(38)}5`);
});

it('numberOf is the nearest double, with and without the quotient of two', () => {
  const units = bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
  const exact = bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
  const scale = integer({ min: 0, max: 30 });
  for (const each of [units, exact])
    assert(
      property(each, scale, (value, places) => {
        const text = formatDecimal({ units: value, scale: places });
        expect(numberOf({ units: value, scale: places })).toBe(Number(text) + 0);
      }),
      { numRuns: 1_000 },
    );
  expect(numberOf({ units: 2n ** 53n + 1n, scale: 0 })).toBe(Number(2n ** 53n + 1n));
});
