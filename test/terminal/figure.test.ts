import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  figure,
  money,
  percentileText,
  scoreInColumn,
  scoreText,
} from '../../src/terminal/figure.ts';

describe('figure', () => {
  it.each([
    [0, '0', '0', '0'],
    [-0, '0', '0', '0'],
    [7, '7', '7', '7'],
    [64.256, '64.256', '64.3', '64.3'],
    [999.6, '999.6', '1,000', '1,000'],
    [1_204_000, '1,204,000', '1,204,000', '1.20M'],
    [12_400.125, '12,400.125', '12,400', '12.4K'],
    [-5_000, '-5,000', '-5,000', '-5.00K'],
    [0.0000167, '0.0000167', '0.0000167', '0.0000167'],
    [1e300, '1e+300', '1.00e+300', '1.00e+300'],
    [5e-324, '5e-324', '4.94e-324', '4.94e-324'],
  ])('formats %d', (value, exact, rounded, compact) => {
    expect(figure(value)).toEqual({ exact, rounded, compact });
  });

  it.each([
    ['123456789012345678', '1.2345678901234568e+17'],
    ['9007199254740991', '9007199254740991'],
    ['-123456789012345678', '-1.2345678901234568e+17'],
  ])('shows only received digits of %s', (json, text) => {
    expect(figure(JSON.parse(json)).exact).toBe(text);
  });
});

describe('money', () => {
  it.each([
    [1_242_700_000, 'EUR', '1,242,700,000 EUR', '€1.24B EUR'],
    [1_242_700_000, 'CHF', '1,242,700,000 CHF', 'CHF 1.24B'],
    [950, 'JPY', '950 JPY', '¥950 JPY'],
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

describe('percentileText', () => {
  it('has no ordinal of a fraction, and is never higher than all or none', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (percentile) => {
        expect(percentileText(percentile)).not.toMatch(/\.\d+(st|nd|rd|th)|than about (0|100)%/);
      }),
    );
  });

  it('describes percentiles in words', () => {
    expect([0, 1, 22, 13, 80.5, 100].map(percentileText)).toEqual([
      '0th, among the lowest of the industry',
      '1st, higher than about 1% of the industry',
      '22nd, higher than about 22% of the industry',
      '13th, higher than about 13% of the industry',
      '80.5, higher than about 80.5% of the industry',
      '100th, among the highest of the industry',
    ]);
    expect([92.3, 92.04, 99.97, 0.02].map(percentileText)).toEqual([
      '92.3, higher than about 92.3% of the industry',
      '92nd, higher than about 92% of the industry',
      '99.9, higher than about 99.9% of the industry',
      '0.1, higher than about 0.1% of the industry',
    ]);
  });

  it('states that a percentile is out of range', () => {
    expect(percentileText(101)).toBe('101 (not from 0 to 100, shown as sent)');
  });
});

describe('scoreText', () => {
  it('formats scores from 0 to 100', () => {
    expect([0, 0.57, 0.6349, 1].map(scoreText)).toEqual(['0', '57', '63.5', '100']);
  });

  it('states that a score is out of range', () => {
    expect(scoreText(63)).toBe('63 (not from 0 to 1, shown as sent)');
    expect(scoreText(-0.1)).toBe('-0.1 (not from 0 to 1, shown as sent)');
  });
});

describe('scoreInColumn', () => {
  it('always has one decimal', () => {
    expect([0, 0.57, 0.6349, 1].map(scoreInColumn)).toEqual(['0.0', '57.0', '63.5', '100.0']);
  });
});
