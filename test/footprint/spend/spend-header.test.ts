import { describe, expect, it } from 'vitest';
import { readSpendHeader } from '../../../src/footprint/spend/spend-header.ts';

describe('readSpendHeader', () => {
  it.each([
    'Amount',
    'SPEND',
    'Annual spend',
    'Net amount',
    'Umsatz',
    'Einkaufsvolumen',
    'Netto-Betrag',
    'Montant HT',
    'Dépenses annuelles',
    'Importe',
    'Importo totale',
    '金額',
    '采购金额',
  ])('recognizes %j', (header) => {
    expect(readSpendHeader(header)).toEqual({});
  });

  it.each([
    ['Spend (EUR)', { currency: 'EUR' }],
    ['Amount in USD', { currency: 'USD' }],
    ['Betrag €', { currency: 'EUR' }],
    ['Spend 2024', { year: 2024 }],
    ['FY2024 spend', { year: 2024 }],
    ['Umsatz GJ 2023/24', { year: 2024 }],
    ['Umsatz 2024 in TEUR', { year: 2024, currency: 'EUR', scale: 'TEUR', factor: 1000 }],
    ['Spend (kEUR)', { currency: 'EUR', scale: 'kEUR', factor: 1000 }],
    ['Spend k€', { currency: 'EUR', scale: 'k€', factor: 1000 }],
    ['Spend in thousands', { scale: 'thousands', factor: 1000 }],
    ["Spend ('000)", { scale: "'000", factor: 1000 }],
    ['Spend EUR m', { currency: 'EUR', scale: 'm', factor: 1_000_000 }],
    ['Umsatz (Mio. EUR)', { currency: 'EUR', scale: 'Mio', factor: 1_000_000 }],
    ['金額（千円）', { currency: 'JPY', scale: '千円', factor: 1000 }],
    ['采购金额(万元)', { scale: '万元', factor: 10_000 }],
  ])('reads what %j states', (header, stated) => {
    expect(readSpendHeader(header)).toEqual(stated);
  });

  it.each(['Supplier', 'Revenue', 'Quantity', '2024', 'EUR', 'Currency', 'Amount type', ''])(
    'does not recognize %j',
    (header) => {
      expect(readSpendHeader(header)).toBeUndefined();
    },
  );
});
