import { expect, it } from 'vitest';
import { formatDecimal, plus } from '../../../src/portfolio/footprint/decimal.ts';

it('plus adds amounts with any number of places', () => {
  const sum = plus({ units: 110n, scale: 2 }, { units: 5n, scale: 40 });
  expect(formatDecimal(sum)).toBe(`1.1${'0'.repeat(38)}5`);
});
