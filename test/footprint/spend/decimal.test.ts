import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  zero,
} from '../../../src/footprint/spend/decimal.ts';
import { runs } from '../../support/seed.ts';

const decimals = fc.record({
  units: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
  scale: fc.nat(12),
});
const sum = (numbers: readonly Decimal[]) => numbers.reduce(addDecimals, zero);

describe('addDecimals', () => {
  it('gives the same sum in every order', () => {
    fc.assert(
      fc.property(fc.array(decimals), (numbers) => {
        const shuffled = [...numbers].sort((a, b) => Number((a.units % 97n) - (b.units % 97n)));
        expect(formatDecimal(sum(shuffled))).toBe(formatDecimal(sum(numbers)));
      }),
      { numRuns: runs(500) },
    );
  });

  it('keeps the total when an amount is split into two', () => {
    fc.assert(
      fc.property(decimals, decimals, (amount, part) => {
        const rest = addDecimals(amount, { units: -part.units, scale: part.scale });
        expect(compareDecimals(sum([part, rest]), amount)).toBe(0);
      }),
      { numRuns: runs(500) },
    );
  });

  it('adds a thousand tenths to exactly a hundred', () => {
    const tenths = Array.from({ length: 1000 }, () => ({ units: 1n, scale: 1 }));
    expect(formatDecimal(sum(tenths))).toBe('100');
  });
});

describe('formatDecimal', () => {
  it.each([
    [0n, 0, '0'],
    [0n, 2, '0'],
    [-5n, 2, '-0.05'],
    [123_400n, 2, '1234'],
    [123_450n, 2, '1234.5'],
    [10n ** 30n, 0, '1000000000000000000000000000000'],
  ])('writes %s × 10^-%s as %s', (units, scale, text) => {
    expect(formatDecimal({ units, scale })).toBe(text);
  });

  it('writes what a double reads back, within its precision', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.nat(6), (units, scale) => {
        const text = formatDecimal({ units: BigInt(units), scale });
        expect(Number(text)).toBe(Number(`${units}e-${scale}`));
      }),
    );
  });
});
