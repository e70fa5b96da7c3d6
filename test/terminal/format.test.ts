import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  count,
  dateText,
  percentText,
  regionName,
  renderDuration,
} from '../../src/terminal/format.ts';
import { describeStatus } from '../../src/terminal/style.ts';

describe('dateText', () => {
  it.each([
    ['2025-03-03', '3 Mar 2025'],
    ['2025-03-03T23:59:59-05:00', '3 Mar 2025'],
    ['2025-03-03 10:00', '3 Mar 2025'],
    ['2025-02-30', '2025-02-30'],
    ['0000-01-01', '0000-01-01'],
    ['2025-03-034', '2025-03-034'],
    ['last week', 'last week'],
    [null, undefined],
    [undefined, undefined],
  ])('formats %s', (text, expected) => {
    expect(dateText(text)).toBe(expected);
  });
});

describe('count', () => {
  it('formats whole numbers like Intl', { tags: ['property'] }, () => {
    const { format } = new Intl.NumberFormat('en');
    const number = fc.oneof(fc.integer({ min: -10_000 }), fc.maxSafeInteger(), fc.maxSafeNat());
    fc.assert(fc.property(number, (value) => void expect(count.format(value)).toBe(format(value))));
    expect(count.format(2 ** 60)).toBe(format(2 ** 60));
  });
});

describe('regionName', () => {
  it.each([
    ['DE', 'Germany (DE)'],
    ['gb', 'United Kingdom (gb)'],
    ['QZ', 'QZ'],
    ['World', 'World'],
    ['', ''],
    [null, undefined],
  ])('formats %s', (code, expected) => {
    expect(regionName(code)).toBe(expected);
  });
});

describe('renderDuration', () => {
  it.each([
    [0, '0 s'],
    [999, '0 s'],
    [8_400, '8 s'],
    [60_000, '1 min'],
    [125_000, '2 min 5 s'],
    [3_780_000, '1 h 3 min'],
    [3_605_000, '1 h'],
    [180_000_000, '2 d 2 h'],
    [366 * 86_400_000, '366 d'],
    [367 * 86_400_000, 'more than a year'],
    [-5, '0 s'],
    [Number.NaN, '0 s'],
  ])('formats %d milliseconds', (ms, expected) => {
    expect(renderDuration(ms)).toBe(expected);
  });
});

describe('percentText', () => {
  it.each([
    [0, 10, '0%'],
    [1, 1_000, '<1%'],
    [1, 3, '33%'],
    [999, 1_000, '>99%'],
    [10, 10, '100%'],
    [0, 0, '0%'],
  ])('formats %d of %d as %s', (part, total, text) => {
    expect(percentText(part, total)).toBe(text);
  });
});

describe('describeStatus', () => {
  it('treats every status but two as research in progress', () => {
    expect(describeStatus('synced').research).toBe('complete');
    expect(describeStatus('errored').research).toContain('failed');
    for (const status of ['created', 'something new', 'SYNCED', '', null, undefined]) {
      expect(describeStatus(status).research).toContain('in progress');
    }
    expect(describeStatus('something new').word).toBe('something new');
    expect(describeStatus(null).word).toBe('no status');
  });
});
