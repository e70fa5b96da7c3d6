import { describe, expect, it } from 'vitest';
import { readYear } from '../../../src/footprint/spend/currency-year.ts';

describe('readYear', () => {
  it.each([
    ...['2024', '2024.0', 'FY2024', 'FY 24', "GJ '24", '2023/24', '2023-2024', 'Q3 2024'],
    ...['2024Q3', '03/2024', '003.2024', '202403', '2024-03', '20240324', '2024-03-24 10:00'],
    ...['24.03.2024', '03/24/2024', '24.03.24', '03/24/24', '24-Mar-24', '24 Mar 2024', 'Mär 24'],
  ])('reads 2024 from %s', (cell) => {
    expect(readYear(cell)).toMatchObject({ year: 2024 });
  });

  it.each(['soon', '24', '1024', '2011-12', '13.13.13.2024', '2024-2026', '20241399'])(
    'reads no year from %s',
    (cell) => {
      expect(readYear(cell)).toBe('unreadable');
    },
  );

  it.each(['', ' ', 'n/a', '-'])('reads nothing from %j', (cell) => {
    expect(readYear(cell)).toBeUndefined();
  });
});
