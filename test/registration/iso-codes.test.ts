import { describe, expect, it } from 'vitest';
import {
  checkCountry,
  checkCurrency,
  checkDuns,
  checkIsin,
  checkLei,
} from '../../src/registration/iso-codes.ts';

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
    [checkCurrency, 'US', '4217', undefined],
    [checkCurrency, 'euro', '4217', 'EUR'],
    [checkLei, '5493001KJTIIGC8Y1R13', 'check digits', undefined],
    [checkLei, '5493001KJTIIGC8Y1R1', 'is not an LEI', undefined],
    [checkIsin, 'US0378331006', 'check digit', undefined],
    [checkIsin, '0378331005', 'is not an ISIN', undefined],
    [checkDuns, '15048378', 'of 9 digits', undefined],
  ])('%o rejects %j', (check, value, problem, meant) => {
    expect(check(value)).toEqual({ problem: expect.stringContaining(problem), meant });
  });
});
