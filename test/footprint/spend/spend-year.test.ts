import { describe, expect, it } from 'vitest';
import { readYear } from '../../../src/footprint/spend/spend-year.ts';

describe('readYear', () => {
  it.each([
    ['2024', 2024],
    [' 2024 ', 2024],
    ['2024.0', 2024],
    ['FY2024', 2024],
    ['FY 2024', 2024],
    ['FY24', 2024],
    ["FY'24", 2024],
    ['GJ 2024', 2024],
    ['2024年度', 2024],
    ['Q4 2024', 2024],
    ['2024-Q4', 2024],
    ['2024-03', 2024],
    ['03/2024', 2024],
    ['2024-12-31', 2024],
    ['2024-12-31T23:59:59Z', 2024],
    ['2024/12/31', 2024],
    ['20241231', 2024],
    ['31.12.2024', 2024],
    ['31.12.24', 2024],
    ['12/31/2024', 2024],
    ['31-12-2024', 2024],
    ['31.12.2024 10:15', 2024],
  ])('reads %j as %s', (cell, year) => {
    expect(readYear(cell)).toEqual({ year, isSpan: false });
  });

  it.each(['2023/24', '2023/2024', '2023-24', '2023–2024', '23/24', 'FY 2023/24', 'GJ 23/24'])(
    'reads the fiscal year %j as the year in which it ends',
    (cell) => {
      expect(readYear(cell)).toEqual({ year: 2024, isSpan: true });
    },
  );

  it('reads the end of a fiscal year across a century', () => {
    expect(readYear('1999/00')).toEqual({ year: 2000, isSpan: true });
  });

  it.each(['', ' ', '-', 'n/a'])('finds no year in %j', (cell) => {
    expect(readYear(cell)).toBeUndefined();
  });

  it.each(['abc', '24', '45291', '1850', '2023/25', '2011-12', '31/12/24', '13.2024', '202', 'FY'])(
    'rejects %j',
    (cell) => {
      expect(readYear(cell)).toBe('unreadable');
    },
  );
});
