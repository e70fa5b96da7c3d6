import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountInWords, figure, money, percentile, scoreText } from '../../src/terminal/figure.ts';

describe('figure', () => {
  it.each([
    [0, '0', '0', '0', '0'],
    [-0, '0', '0', '0', '0'],
    [64.256, '64.256', '64.256', '64.3', '64.3'],
    [999.6, '999.6', '999.6', '1,000', '1,000'],
    [1_204_000, '1204000', '1,204,000', '1,204,000', '1.20M'],
    [23_829.199_999_999_997, '23829.2', '23,829.2', '23,829', '23.8K'],
    [-5_000, '-5000', '-5,000', '-5,000', '-5.00K'],
    [0.000_016_7, '0.0000167', '0.0000167', '0.0000167', '0.0000167'],
    [1e300, '1e+300', '1e+300', '1.00e+300', '1.00e+300'],
    [5e-324, '5e-324', '5e-324', '4.94e-324', '4.94e-324'],
    [2 ** 60, '1.152921504606847e+18', '1.152921504606847e+18', '1.15e+18', '1.15e+18'],
  ])('formats %d', (value, plain, exact, rounded, compact) => {
    expect(figure(value)).toMatchObject({ plain, exact, rounded, compact });
  });
});

describe('amountInWords', () => {
  it.each([
    [4_936_000, '4.94 million'],
    [4_500_000, '4.5 million'],
    [4_000_000, '4 million'],
    [100_000_000, '100 million'],
    [-20_000_000_000, '-20 billion'],
    [1_000, '1 thousand'],
    [999.6, '1,000'],
    [0.5, '0.5'],
    [0, '0'],
  ])('formats %d', (value, text) => {
    expect(amountInWords(value)).toBe(text);
  });
});

describe('money', () => {
  it.each([
    [7_160_000_000, 'USD', '7,160,000,000 USD', '$7.16B'],
    [1_242_700_000, 'EUR', '1,242,700,000 EUR', '€1.24B'],
    [1_242_700_000, 'CAD', '1,242,700,000 CAD', 'CAD 1.24B'],
    [1_242_700_000, 'CHF', '1,242,700,000 CHF', 'CHF 1.24B'],
    [950, 'JPY', '950 JPY', '¥950'],
    [950, 'euros', '950 euros', '950 euros'],
    [950, 'XQQ', '950 XQQ', 'XQQ 950'],
    [1e300, 'EUR', '1e+300 EUR', '1.00e+300 EUR'],
    [950, undefined, '950', '950'],
  ])('formats %d %s', (value, currency, exact, rounded) => {
    expect(money(value, currency)).toMatchObject({ exact, rounded });
  });

  it('is short and has only plain spaces for any amount', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(figure(value).compact.length).toBeLessThanOrEqual(14);
        expect(figure(value).exact).not.toMatch(/[^\x20-\x7e]/);
        expect(money(value, 'SEK').rounded).not.toMatch(/[\u00a0\u202f]/);
      }),
    );
  });
});

describe('percentile', () => {
  it.each([
    [67, '67', '67th percentile of its industry'],
    [92.04, '92.04', '92nd percentile of its industry'],
    [80.5, '80.5', 'percentile 80.5 of its industry'],
    [0, '0', '0th percentile of its industry'],
    [101, '101 (not from 0 to 100, shown as sent)', '101 (not from 0 to 100, shown as sent)'],
  ])('describes %d', (value, plain, rounded) => {
    expect(percentile(value)).toEqual({ plain, rounded });
  });
});

describe('scoreText', () => {
  it('formats scores from 0 to 100', () => {
    expect([0, 0.57, 0.6349, 1].map(scoreText)).toEqual(['0', '57', '63.5', '100']);
    // The double nearest to 8.85 is below it.
    expect([0.0885, 0.4155].map(scoreText)).toEqual(['8.9', '41.6']);
  });

  it('states that a score is out of range', () => {
    expect(scoreText(63)).toBe('63 (not from 0 to 1, shown as sent)');
    expect(scoreText(-0.1)).toBe('-0.1 (not from 0 to 1, shown as sent)');
  });
});
