import { describe, expect, it } from 'vitest';
import { readCurrency } from '../../../src/footprint/spend/currency-sign.ts';
import { checkCurrency } from '../../../src/registration/iso-codes.ts';

describe('readCurrency', () => {
  it.each([
    ['EUR', 'EUR'],
    ['eur', 'EUR'],
    ['€', 'EUR'],
    ['Euro', 'EUR'],
    ['US$', 'USD'],
    ['£', 'GBP'],
    ['Fr.', 'CHF'],
    ['zł', 'PLN'],
    ['Kč', 'CZK'],
    ['R$', 'BRL'],
    ['RMB', 'CNY'],
    ['円', 'JPY'],
    ['ＥＵＲ', 'EUR'],
  ])('reads %s as %s', (text, code) => {
    expect(readCurrency(text)).toEqual([code]);
  });

  it.each(['$', '¥', 'kr', 'kr.', 'Rs.', '元'])('knows several currencies for %s', (sign) => {
    const currencies = readCurrency(sign) ?? ['none'];
    expect(currencies.length).toBeGreaterThan(1);
    for (const code of currencies) expect(checkCurrency(code)).toEqual({ code });
  });

  it.each(['', 'XYZ', 'EURO PER UNIT', '%'])('knows no currency %j', (text) => {
    expect(readCurrency(text)).toBeUndefined();
  });
});
