import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decimalOf,
  formatDecimal,
  numberOf,
  Sums,
  sumOf,
  totalOf,
} from '../../src/footprint/decimal.ts';
import '../support/seed.ts';

const number = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('decimalOf', () => {
  it('is exact for every double', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(number, (value) => {
        expect(numberOf(decimalOf(value))).toBe(value + 0);
      }),
    );
  });
});

describe('sumOf', () => {
  it('is the same in every order', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.array(number), (values) => {
        const small = values.map((value) => value / 2 ** 40);
        const [sum, reversed] = [sumOf(...small), sumOf(...small.toReversed())];
        expect(formatDecimal(reversed)).toBe(formatDecimal(sum));
      }),
    );
  });

  it('rounds once, to the nearest double', () => {
    expect(numberOf(sumOf(1e16, 1, -1e16))).toBe(1);
    expect(numberOf(sumOf(...Array.from({ length: 10 }, () => 0.1)))).toBe(1);
    expect(numberOf(sumOf(2 ** 53, 1, 2 ** -60))).toBe(2 ** 53 + 2);
    expect(Object.is(new Sums().total('none'), 0)).toBe(true);
  });

  it('equals the total of doubles, and of doubles and amounts', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(
        fc.array(number),
        fc.array(fc.bigInt({ min: -(10n ** 30n) })),
        (values, units) => {
          const small = values.map((value) => value / 2 ** 40);
          expect(totalOf(small)).toBe(numberOf(sumOf(...small)));
          const terms = [
            ...small,
            ...units.map((each, index) => ({ units: each, scale: index % 5 })),
          ];
          const sums = new Sums<string>();
          for (const term of terms) sums.add('all', term);
          expect(sums.total('all')).toBe(numberOf(sumOf(...terms)));
          expect(formatDecimal(sums.get('all'))).toBe(formatDecimal(sumOf(...terms)));
        },
      ),
    );
  });

  it('adds amounts with any number of places', () => {
    const sum = sumOf({ units: 110n, scale: 2 }, { units: 5n, scale: 40 });
    expect(formatDecimal(sum)).toBe(`1.1${'0'.repeat(38)}5`);
    expect(formatDecimal({ units: -50n, scale: 3 })).toBe('-0.05');
  });
});
