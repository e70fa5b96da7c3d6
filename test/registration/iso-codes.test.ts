import { describe, expect, it } from 'vitest';
import {
  checkCountry,
  checkCurrency,
  checkDuns,
  checkIsin,
  checkLei,
  countryCodes,
  countryName,
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
    ['DD', 'DE'],
    ['Germany', 'DE'],
    ['united states', 'US'],
    ['cote d’ivoire', 'CI'],
    ['EU', undefined],
    ['ZZ', undefined],
    ['DEU', 'DE'],
    ['aut', 'AT'],
    ['GBR', 'GB'],
    ['XYZ', undefined],
    ['Bavaria', undefined],
    ['', undefined],
  ])('rejects %j and proposes %j', (value, meant) => {
    expect(checkCountry(value)).toMatchObject({ problem: expect.any(String), meant });
  });

  it('accepts only codes that Intl knows', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((a) => letters.map((b) => a + b));
    const accepted = codes.filter((code) => 'code' in checkCountry(code));
    expect(accepted).toEqual(countryCodes());
  });

  it('accepts the countries of ISO 3166-1', () => {
    expect(countryCodes().length).toBeGreaterThanOrEqual(249);
    expect(countryName('GB')).toBe('United Kingdom');
    expect(countryName('gb')).toBeUndefined();
  });
});

describe('checkCurrency', () => {
  it('accepts ISO 4217 codes in any case', () => {
    expect(checkCurrency('eur')).toEqual({ code: 'EUR' });
    expect(checkCurrency('CHF')).toEqual({ code: 'CHF' });
  });

  it.each([
    ['€', 'EUR'],
    ['euro', 'EUR'],
    ['XYZ', undefined],
    ['US', undefined],
  ])('rejects %j and proposes %j', (value, meant) => {
    expect(checkCurrency(value)).toMatchObject({ problem: expect.any(String), meant });
  });
});

describe('checkLei', () => {
  it('accepts real identifiers, with spaces too', () => {
    expect(checkLei('5493001KJTIIGC8Y1R12')).toEqual({ code: '5493001KJTIIGC8Y1R12' });
    expect(checkLei('5493 001K JTII GC8Y 1R12')).toEqual({ code: '5493001KJTIIGC8Y1R12' });
  });

  it('rejects one wrong character and wrong lengths', () => {
    expect(checkLei('5493001KJTIIGC8Y1R13')).toHaveProperty(
      'problem',
      expect.stringContaining('check digits'),
    );
    expect(checkLei('5493001KJTIIGC8Y1R1')).toHaveProperty(
      'problem',
      expect.stringContaining('is not an LEI'),
    );
  });
});

describe('checkIsin', () => {
  it.each(['US0378331005', 'DE0007164600', 'GB0002634946', 'us0378331005'])(
    'accepts %s',
    (value) => {
      expect(checkIsin(value)).toEqual({ code: value.toUpperCase() });
    },
  );

  it('rejects one wrong character and wrong formats', () => {
    expect(checkIsin('US0378331006')).toHaveProperty(
      'problem',
      expect.stringContaining('check digit'),
    );
    expect(checkIsin('0378331005')).toHaveProperty(
      'problem',
      expect.stringContaining('is not an ISIN'),
    );
  });
});

describe('checkDuns', () => {
  it('removes hyphens and requires 9 digits', () => {
    expect(checkDuns('15-048-3782')).toEqual({ code: '150483782' });
    expect(checkDuns('15048378')).toHaveProperty('problem');
  });
});
