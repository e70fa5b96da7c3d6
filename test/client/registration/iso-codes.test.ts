import { describe, expect, it } from 'vitest';
import {
  checkCountry,
  checkCurrency,
  checkDuns,
  checkIsin,
  checkLei,
} from '../../../src/client/registration/iso-codes.ts';

describe('checkCountry', () => {
  it.each([
    ['DE', 'DE'],
    ['de', 'DE'],
    [' tw ', 'TW'],
    ['XK', 'XK'],
  ])('accepts %j', (value, code) => {
    expect(checkCountry(value)).toEqual({ code });
  });

  it.each([
    ['UK', 'GB'],
    ['Germany', undefined],
    ['EU', undefined],
    ['DEU', 'DE'],
    ['', undefined],
  ])('rejects %j and proposes %j', (value, meant) => {
    expect(checkCountry(value)).toMatchObject({ problem: expect.any(String), meant });
  });
});

describe('the checks of codes', () => {
  it.each([
    [checkCurrency, 'US', '4217'],
    [checkLei, '5493001KJTIIGC8Y1R13', 'check digits'],
    [checkLei, '5493001KJTIIGC8Y1R1', 'is not an LEI'],
    [checkIsin, 'US0378331006', 'check digit'],
    [checkIsin, '0378331005', 'is not an ISIN'],
    [checkDuns, '15048378', 'of 9 digits'],
  ])('%o rejects %j', (check, value, problem) => {
    expect(check(value)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
