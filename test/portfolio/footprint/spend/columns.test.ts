import { describe, expect, it } from 'vitest';
import type { JournalColumns } from '../../../../src/lists/list/columns.ts';
import {
  type ColumnOptions,
  chooseSpendColumns,
} from '../../../../src/portfolio/footprint/spend/columns.ts';
import { readYear } from '../../../../src/portfolio/footprint/spend/currency-year.ts';
import type { UsageError } from '../../../../src/runtime/carbon-error.ts';

function choose(header: readonly string[], options: ColumnOptions = {}, journal?: JournalColumns) {
  const cells = header.map((_, index) => (index === 0 ? 'Acme' : '5'));
  const table = { header, sample: [{ line: 2, cells }] };
  return chooseSpendColumns(table, options, journal);
}

const mapped = (...given: Parameters<typeof choose>) =>
  choose(...given)
    .columns.map(({ field, column }) => `${field}=${column}`)
    .join(' ');

const rejection = (...given: Parameters<typeof choose>) => {
  try {
    choose(...given);
  } catch (error) {
    return (error as UsageError).message;
  }
  return undefined;
};

describe('chooseSpendColumns', () => {
  it.each([
    'Supplier,Spend,Currency,Year,Category',
    'Vendor,Annual spend,Curr,Fiscal year,Commodity',
    'Lieferant,Einkaufsvolumen,Währung,Geschäftsjahr,Warengruppe',
    'Lieferant,Bestellwert,WKZ,Jahr,Materialgruppe',
    'Fournisseur,Montant HT,Devise,Année,Catégorie',
    'Proveedor,Importe,Moneda,Año,Categoría',
    'Fornitore,Importo,Valuta,Anno,Categoria',
    '会社名,金額,通貨,年度,カテゴリ',
    '供应商,采购金额,币种,年份,类别',
  ])('finds the columns of %s', (header) => {
    const [, ...others] = header.split(',');
    const names = ['spend', 'spend_currency', 'spend_year', 'category'];
    expect(choose(header.split(',')).columns).toMatchObject(
      others.map((column, index) => ({ field: names[index], column })),
    );
  });

  it.each<[what: string, header: string[], options: ColumnOptions, mapped: string]>([
    [
      'a column with the name of the field',
      ['Supplier', 'Amount', 'spend', 'Currency', 'Spend currency'],
      {},
      'spend=spend spend_currency=Spend currency',
    ],
    [
      'no field with an empty --map',
      ['Supplier', 'Amount', 'Year'],
      { map: ['spend_year='] },
      'spend=Amount',
    ],
    [
      'the currency of a registration that --map names',
      ['Supplier', 'Amount', 'C'],
      { map: ['currency=C'] },
      'spend=Amount spend_currency=C',
    ],
    [
      'a header with a comma',
      ['Supplier, name', 'Sum, net'],
      { map: ['name=#1,spend="Sum, net"'] },
      'spend=Sum, net',
    ],
    ['an id', ['Supplier', 'Vendor', 'Amount', 'Carbon ID'], {}, 'spend=Amount id=Carbon ID'],
    [
      'the id of carbon first',
      ['Supplier', 'Amount', 'Organization ID', 'carbon_id'],
      {},
      'spend=Amount id=carbon_id',
    ],
  ])('uses %s', (_, header, options, expected) => {
    expect(mapped(header, options)).toBe(expected);
  });

  it('rejects a header with several columns for the year', () => {
    expect(rejection(['Supplier', 'Amount', 'Year', 'Fiscal year'])).toBe(
      'Several columns may hold spend_year: Year (5), Fiscal year (5)',
    );
  });

  it('reads the year of a column Date if no other column has dates', () => {
    const yearOf = (header: string[], cells: string[], map: string[] = []) => {
      const table = { header, sample: [{ line: 2, cells }] };
      const { at } = chooseSpendColumns(table, { map }, undefined);
      return header[at.spend_year];
    };
    expect(yearOf(['Supplier', 'Amount', 'Date'], ['A', '5', '2022-05-01'])).toBe('Date');
    expect(yearOf(['Supplier', 'Amount', 'Datum'], ['A', '5', '01.05.2022'])).toBe('Datum');
    const two = ['Supplier', 'Amount', 'Date', 'Due'];
    expect(yearOf(two, ['A', '5', '2022-05-01', '2022-06-01'])).toBeUndefined();
    expect(yearOf([...two, 'Year'], ['A', '5', '2022-05-01', '2022-06-01', '2022'])).toBe('Year');
    // "Data" may be anything, and a date below another header may be that of a birth.
    expect(yearOf(['Supplier', 'Amount', 'Data'], ['A', '5', 'x'])).toBeUndefined();
    expect(yearOf(['Supplier', 'Amount', 'Born'], ['A', '5', '2022-05-01'])).toBeUndefined();
    expect(
      yearOf(['Supplier', 'Amount', 'Date'], ['A', '5', '2022-05-01'], ['spend_year=']),
    ).toBeUndefined();
  });

  it('uses a column ID only with --map, because it may hold numbers of the user', () => {
    const header = ['Supplier', 'Amount', 'ID'];
    expect([mapped(header), choose(header).unused]).toEqual(['spend=Amount', ['ID']]);
    expect(mapped(header, { map: ['id=ID'] })).toBe('spend=Amount id=ID');
  });

  it('requires a name or an id', () => {
    expect(rejection(['Wer', 'Amount'])).toContain('No column looks like an organization name');
    expect(mapped(['carbon_id', 'Amount'])).toBe('spend=Amount id=carbon_id');
    expect(rejection(['ID', 'Amount'])).toBe(
      'No column looks like an organization name. Columns and first values: ID (Acme), Amount (5)',
    );
    expect(mapped(['ID', 'Amount'], { map: ['id=ID'] })).toBe('spend=Amount id=ID');
  });

  it('does not use the same column for two fields', () => {
    expect(rejection(['Amount', 'Country'], { map: ['name=Amount'] })).toContain(
      'No column looks like the spend',
    );
  });

  it('rejects a column that a journal recorded and the file does not have', () => {
    const journal = { path: 'a.jsonl', columns: { name: 'Supplier', hq_region: 'Country' } };
    expect(rejection(['Supplier', 'Amount', 'C'], {}, journal)).toBe(
      'The journal a.jsonl uses columns that this file does not have, or has twice: "Country" (hq_region)',
    );
    const onlyCurrency = { path: 'a.jsonl', columns: { name: 'Supplier', currency: 'Curr' } };
    expect(mapped(['Supplier', 'Amount'], {}, onlyCurrency)).toBe('spend=Amount');
  });
});

describe('the header of the spend', () => {
  it.each<[header: string, stated: object]>([
    ...'Amount|SPEND|Net amount|Netto-Betrag|Dépenses annuelles|Importo totale|采购金额'
      .split('|')
      .map((header): [string, object] => [header, {}]),
    ['Spend (EUR)', { currency: 'EUR' }],
    ['Betrag €', { currency: 'EUR' }],
    ['FY2024 spend', { year: 2024 }],
    ['Umsatz GJ 2023/24', { year: 2024 }],
    ['Umsatz 2024 in TEUR', { year: 2024, currency: 'EUR', scale: 'TEUR' }],
    ["Spend ('000)", { scale: "'000" }],
    ['Umsatz (Mio. EUR)', { currency: 'EUR', scale: 'Mio' }],
    ['金額（千円）', { currency: 'JPY', scale: '千円' }],
    ['采购金额(万元)', { scale: '万元' }],
  ])('%j states %j', (header, stated) => {
    const nothing = { currency: undefined, year: undefined, scale: undefined };
    const found = choose(['Supplier', header], { amountsIn: 'units' });
    expect(found.stated).toMatchObject({ ...nothing, ...stated });
  });

  it.each(['Revenue', 'Quantity', '2024', 'EUR', 'Currency', 'Amount type', ''])(
    'is not %j',
    (header) => {
      expect(rejection(['Supplier', header])).toContain('No column looks like the spend');
    },
  );
});

describe('readYear', () => {
  it.each([
    ...['2024', '2024.0', 'FY2024', 'FY 24', "GJ '24", '2023/24', '2023-2024', 'Q3 2024'],
    ...['2024Q3', '03/2024', '003.2024', '202403', '2024-03', '20240324', '2024-03-24 10:00'],
    ...['24.03.2024', '03/24/2024', '24.03.24', '03/24/24', '24-Mar-24', '24 Mar 2024', 'Mär 24'],
  ])('reads 2024 from %s', (cell) => {
    expect(readYear(cell)).toBe(2024);
  });

  it.each(['soon', '24', '1024', '2011-12', '2023 or 2024', '2024-2026', '20241399'])(
    'reads no year from %s',
    (cell) => {
      expect(readYear(cell)).toBe('unreadable');
    },
  );

  it.each(['', ' ', 'n/a', '-'])('reads nothing from %j', (cell) => {
    expect(readYear(cell)).toBeUndefined();
  });
});
