import { describe, expect, it } from 'vitest';
import { isTotalLabel, isTotalRow } from '../../../src/client/registration/fields.ts';

describe('isTotalLabel', () => {
  it.each(
    'Total · TOTALS: · Grand Total · Sub-Total · Summe · Ergebnis · Gesamtergebnis · Summe gesamt · Total général · Totaux · Totale complessivo · Suma total · Totaal · Итого · 合計 · 总计 · 합계 · Total 2024 · Total EUR · Summe (CHF): · Total: 36,8 €'.split(
      ' · ',
    ),
  )('recognizes %s', (text) => expect(isTotalLabel(text)).toBe(true));

  it.each(
    'TotalEnergies · Total Ltd · Total USA · Total SE · Summa AB · Sum Group · Gesamtverband · Total Quality Logistics · Ergebnis AG · 合計会社'.split(
      ' · ',
    ),
  )('does not recognize %s', (text) => expect(isTotalLabel(text)).toBe(false));
});

describe('isTotalRow', () => {
  it.each([
    [{ name: 'Total' }, true],
    [{ name: 'Total', currency: 'EUR' }, true],
    [{ name: 'Total', hq_region: 'FR' }, false],
    [{ name: 'Total', website: 'total.com' }, false],
    [{ name: 'Total', external_id: '7' }, false],
    [{}, false],
  ])('of %j is %s', (values, expected) => expect(isTotalRow(values)).toBe(expected));
});
