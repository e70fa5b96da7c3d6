import { describe, expect, it } from 'vitest';
import { areOtherNames } from '../../../src/footprint/records/name-check.ts';

describe('areOtherNames', () => {
  it.each([
    ['Acme GmbH', 'Nordwind Stahl GmbH'],
    ['Alpha Ltd', 'Lone Star Chemicals LLC'],
    ['Acme S.A.', 'Boulanger S.A.'],
    ['花王株式会社', 'トヨタ自動車株式会社'],
  ])('is true for %s and %s', (first, second) => {
    expect([areOtherNames(first, second), areOtherNames(second, first)]).toEqual([true, true]);
  });

  it.each([
    ['Nordwind', 'NORDWIND STAHL GmbH'],
    ['Müller & Söhne', 'Muller Sohne KG'],
    ['トヨタ', 'トヨタ自動車株式会社'],
    ['Air Liquide', 'AirLiquide SA'],
    ['GmbH', 'Acme GmbH'],
    ['!', 'Acme'],
  ])('is false for %s and %s', (first, second) => {
    expect([areOtherNames(first, second), areOtherNames(second, first)]).toEqual([false, false]);
  });
});
