import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountInWords,
  changeText,
  figure,
  money,
  percentile,
  scoreText,
} from '../../../src/display/terminal/figure.ts';
import {
  count,
  dateText,
  percentText,
  renderDuration,
} from '../../../src/display/terminal/format.ts';
import { regionName } from '../../../src/display/terminal/region-name.ts';

/* Expects the text of each value. */
function formats<Value>(
  name: string,
  format: (value: Value) => string | undefined,
  texts: readonly (readonly [Value, string | undefined])[],
): void {
  it(`${name} formats ${texts.length} values`, () => {
    expect(texts.map(([value]) => [value, format(value)])).toEqual(texts);
  });
}

formats('dateText', dateText, [
  ['2025-03-03', '3 Mar 2025'],
  ['2025-03-03T23:59:59-05:00', '3 Mar 2025'],
  ['2025-03-03 10:00', '3 Mar 2025'],
  ['0000-01-01', '0000-01-01'],
  ['2025-03-034', '2025-03-034'],
  ['last week', 'last week'],
  [null, undefined],
]);

formats('regionName', regionName, [
  ['DE', 'Germany (DE)'],
  ['gb', 'United Kingdom (gb)'],
  ['QZ', 'QZ'],
  ['World', 'World'],
  ['', ''],
  [null, undefined],
]);

formats('renderDuration', renderDuration, [
  [0, '0 s'],
  [999, '0 s'],
  [8_400, '8 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3_780_000, '1 h 3 min'],
  [3_605_000, '1 h'],
  [180_000_000, '2 d 2 h'],
  [366 * 86_400_000, '366 d'],
  [-5, '0 s'],
  [Number.NaN, '0 s'],
]);

formats('percentText', ([part = 0, total = 0]: number[]) => percentText(part, total), [
  [[0, 10], '0%'],
  [[1, 1_000], '<1%'],
  [[1, 3], '33%'],
  [[999, 1_000], '>99%'],
  [[10, 10], '100%'],
  [[0, 0], '0%'],
  // The double of 0.145 is below it.
  [[29, 200], '15%'],
  [[0.145, 1], '15%'],
]);

formats('changeText', changeText, [
  [0.101, '+10.1%'],
  [-0.38, '−38.0%'],
  // 1.0045 - 1 is less than 0.0045.
  [1.0045 - 1, '+0.5%'],
  [-0.0045, '−0.5%'],
  [0, '+0.0%'],
  [-Number.EPSILON, '+0.0%'],
  [0.0004, '+0.04%'],
  [-0.0004, '−0.04%'],
  [0.000_001, '+0.00%'],
  [12, '+1,200%'],
  // Rounded once: 12,677.45 is not 12,677.5.
  [126.7745, '+12,677%'],
  [1e9, '+>1,000,000%'],
]);

formats('amountInWords', amountInWords, [
  [4_936_000, '4.94 million'],
  [4_500_000, '4.5 million'],
  [100_000_000, '100 million'],
  [-20_000_000_000, '−20 billion'],
  [3_620.4, '3,620'],
  [999_999.6, '1 million'],
  [999.6, '1,000'],
  [0.5, '0.5'],
]);

formats('scoreText', scoreText, [
  [0, '0'],
  [0.6349, '63.5'],
  [1, '100'],
  // The double nearest to 8.85 is below it.
  [0.0885, '8.9'],
  [63, 'invalid: 63'],
  [-0.2, 'invalid: -0.2'],
]);

describe('figure', () => {
  it.each([
    [-0, '0', '0', '0', '0'],
    [64.256, '64.256', '64.256', '64.3', '64.3'],
    [999.6, '999.6', '999.6', '1,000', '1,000'],
    [1_204_000, '1204000', '1,204,000', '1,204,000', '1.20M'],
    [23_829.199_999_999_997, '23829.2', '23,829.2', '23,829', '23.8K'],
    [-5_000, '-5000', '−5,000', '−5,000', '−5.00K'],
    [0.000_016_7, '0.0000167', '0.0000167', '0.0000167', '0.0000167'],
    [1e300, '1e+300', '1e+300', '1.00e+300', '1.00e+300'],
    [5e-324, '5e-324', '5e-324', '4.94e-324', '4.94e-324'],
    [2 ** 60, '1.152921504606847e+18', '1.152921504606847e+18', '1.15e+18', '1.15e+18'],
  ])('formats %d', (value, plain, exact, rounded, compact) => {
    expect(figure(value)).toMatchObject({ plain, exact, rounded, compact });
  });
});

describe('money', () => {
  it.each([
    [7_160_000_000, 'USD', '7,160,000,000 USD', '7.16B USD'],
    [1e300, 'EUR', '1e+300 EUR', '1.00e+300 EUR'],
    [950, undefined, '950', '950'],
  ])('formats %d %s', (value, currency, exact, rounded) => {
    expect(money(value, currency)).toMatchObject({ exact, rounded });
  });

  it('is short and has only plain spaces for any amount', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(figure(value).compact.length).toBeLessThanOrEqual(14);
        expect(figure(value).exact).not.toMatch(/[^\x20-\x7e−]/);
        expect(money(value, 'SEK').rounded).not.toMatch(/[\u00a0\u202f]/);
      }),
    );
  });
});

it.each([
  [67, '67', '67 in its industry'],
  [80.54, '80.54', '80.5 in its industry'],
])('percentile describes %d', (value, plain, rounded) => {
  expect(percentile(value)).toEqual({ plain, rounded });
});

it('count formats whole numbers like Intl', { tags: ['property'] }, () => {
  const { format } = new Intl.NumberFormat('en');
  const number = fc.oneof(fc.integer({ min: -10_000 }), fc.maxSafeInteger(), fc.maxSafeNat());
  fc.assert(fc.property(number, (value) => void expect(count.format(value)).toBe(format(value))));
  expect(count.format(2 ** 60)).toBe(format(2 ** 60));
});
