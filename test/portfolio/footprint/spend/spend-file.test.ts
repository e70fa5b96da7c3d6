import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../../../src/portfolio/footprint/decimal.ts';
import {
  openSpendFile,
  type RowKind,
  type SpendOptions,
  type SpendRow,
} from '../../../../src/portfolio/footprint/spend/spend-file.ts';
import type { UsageError } from '../../../../src/runtime/carbon-error.ts';
import { newFolder } from '../../../support/run.ts';

const { signal } = new AbortController();

async function read(text: string | readonly string[], options: SpendOptions = {}) {
  const path = join(newFolder(), 'a.csv');
  writeFileSync(path, typeof text === 'string' ? text : text.join('\n'));
  const file = await openSpendFile({ path, name: 'a.csv', signal }, options);
  const rows: SpendRow[] = [];
  for await (const group of file.rows()) rows.push(...group);
  return { rows, report: file.report };
}

async function rejection(text: string | readonly string[], options: SpendOptions = {}) {
  const error = await read(text, options).then(
    () => undefined,
    (thrown: UsageError) => thrown,
  );
  return { message: error?.message, hint: error?.hint, code: error?.code };
}

const shown = (row: SpendRow) =>
  [row.line, row.name, formatDecimal(row.spend), row.currency, row.year].join(' ');

const purchasing = [
  'Lieferant;Land;Warengruppe;Nettobetrag;Währung;Geschäftsjahr',
  'Stahl GmbH;DE;Stahl;1.234,56;EUR;2023/24',
  'Stahl GmbH;DE;Stahl;-234,56;EUR;2023/24',
  'Uhren AG;CH;IT;CHF 5.000,00;CHF;2024',
  'Chips Inc;US;IT;1.000;USD;2024',
  'Leer KG;DE;IT;;EUR;2024',
  'Gesamt;;;7.000,00;;',
  'Stand 1.1.2025;;;;;',
];

describe('openSpendFile', () => {
  it('reads a purchasing export with decimal commas, credit notes and a total', async () => {
    const { rows, report } = await read(purchasing);
    expect(rows.map(shown)).toEqual([
      '2 Stahl GmbH 1234.56 EUR 2024',
      '3 Stahl GmbH -234.56 EUR 2024',
      '4 Uhren AG 5000 CHF 2024',
      '5 Chips Inc 1000 USD 2024',
    ]);
    expect(rows[0]).toMatchObject({ region: 'DE', category: 'Stahl' });
    expect(report.format).toEqual({
      decimal: ',',
      example: { line: 2, text: '1.234,56', value: '1234.56' },
    });
    expect(report.rows).toBe(4);
    expect(report.kinds.get('totals')?.lines).toEqual([7]);
    expect(report.kinds.get('credits')?.lines).toEqual([3]);
    expect(report.kinds.get('no_spend')?.lines).toEqual([6, 8]);
    const sums = [report.purchases, report.credits].map((by) =>
      [...by].map(([code, sum]) => `${code} ${formatDecimal(sum)}`),
    );
    expect(sums).toEqual([['EUR 1234.56', 'CHF 5000', 'USD 1000'], ['EUR -234.56']]);
    expect(report.columns.columns.map(({ field, column }) => `${field}=${column}`)).toEqual([
      'spend=Nettobetrag',
      'spend_currency=Währung',
      'spend_year=Geschäftsjahr',
      'category=Warengruppe',
    ]);
  });

  it.each<[string[], SpendOptions, string]>([
    [['Supplier;Spend 2024 (EUR)', 'Acme;5'], {}, '2 Acme 5 EUR 2024'],
    [
      ['Supplier;Umsatz in TEUR', 'Acme;-5,25'],
      { amountsIn: 'thousands', invert: true },
      '2 Acme 5250 EUR ',
    ],
    [['Supplier,Amount', 'Acme,$5'], { spendCurrency: 'CAD' }, '2 Acme 5 CAD '],
  ])('reads %j with %j', async (text, options, row) => {
    expect((await read(text, options)).rows.map(shown)).toEqual([row]);
  });

  it('says what it cannot use, where, and what to do', async () => {
    const files: [string[], SpendOptions?][] = [
      [['Supplier;Umsatz in TEUR', 'Acme;5']],
      [['Supplier;Country;Wert', 'Acme;DE;5,25', 'Beta;FR;7']],
      [['Supplier,Spend 2023,Spend 2024', 'Acme,5,6']],
      [['Supplier,Amount,Currency', 'Acme,5,EUR', 'Beta,€ 6,USD']],
      [['Supplier,Amount,Currency', 'Acme,5,XYZ']],
      [['Supplier,Amount', 'Acme,1.2k']],
      [['Supplier,Amount', 'Acme,$5']],
      [['Supplier,Amount,Year', 'Acme,5,soon']],
      [['Supplier,Amount,Year', 'Acme,5,2024', 'Beta,5,2023'], { spendYear: 2024 }],
      [['Supplier;Amount', 'Acme;7;8']],
    ];
    const messages: string[] = [];
    for (const [text, options] of files) {
      const { message, hint, code } = await rejection(text, options);
      messages.push(`${code}: ${message}\n${hint}`);
    }
    expect(messages).toMatchInlineSnapshot(`
      [
        "invalid_input: The header "Umsatz in TEUR" contains a scale: "TEUR"
      Use --amounts-in units, --amounts-in thousands or --amounts-in millions, or write the amounts in full.",
        "invalid_input: No column looks like the spend. Columns and first values: Supplier (Acme), Country (DE), Wert (5,25)
      Choose the column with --map spend=<column>. A list without spend has the records: carbon footprint <your purchases> --records <list>.",
        "invalid_input: Several columns may hold spend: Spend 2023 (5), Spend 2024 (6)
      Choose one of them: --map "spend=Spend 2023" or --map "spend=Spend 2024"",
        "invalid_input: a.csv, line 3: the currency is "USD" in column "Currency" and "€" next to the amount
      Name the currency of the amounts only once. To ignore the currency column: --map spend_currency=",
        "invalid_input: a.csv, line 2: "XYZ" in column "Currency" is not a known currency
      Write an ISO 4217 code, such as EUR, and amounts in full, such as 1200 instead of 1.2k. To use one currency for all rows: --spend-currency <code> --map spend_currency=",
        "invalid_input: a.csv, line 2: "k" next to the amount is not a known currency
      Write an ISO 4217 code, such as EUR, and amounts in full, such as 1200 instead of 1.2k. To use one currency for all rows: --spend-currency <code> --map spend_currency=",
        "invalid_input: a.csv, line 2: "$" next to the amount may be USD, CAD, AUD, NZD, HKD, SGD, TWD, MXN, CLP, COP, ARS, UYU
      Name the currency of all rows, such as --spend-currency USD, or a column with codes: --map spend_currency=<column>",
        "invalid_input: a.csv, line 2: "soon" in column "Year" is not a year
      Name the year once, with four digits, such as 2024. To ignore the column of years: --map spend_year=",
        "invalid_input: a.csv, line 3: the year of the spend is 2023 or 2024
      Name the year once, with four digits, such as 2024. To ignore the column of years: --map spend_year=",
        "invalid_input: a.csv, line 2: the row has 3 cells, the header has 2
      Put cells that contain the delimiter or a quote in double quotes.",
      ]
    `);
  });

  it('rejects several currency columns unless --spend-currency names the currency', async () => {
    const text = ['Supplier,Amount,Document currency,Local currency', 'Acme,5,USD,EUR'];
    expect((await rejection(text)).message).toContain('Several columns may hold spend_currency');
    const { rows } = await read(text, { spendCurrency: 'EUR' });
    expect(rows.map(shown)).toEqual(['2 Acme 5 EUR ']);
  });

  it.each<[what: string, rows: string, totals: number[], wrong: object[]]>([
    [
      'without a name, subtotals and totals by currency',
      'Acme,5.50,EUR|Beta,6,EUR|Subtotal,11.5,EUR|Chips,7,USD|Delta,8,USD|,15,USD|Total EUR,12,EUR|Grand total,26.50,',
      [4, 7, 8, 9],
      [],
    ],
    ['with a word instead of a currency', 'Acme,5,EUR|Beta,6,USD|Total,11,diverse', [4], []],
    [
      'that are wrong',
      'Acme,5,EUR|Beta,6,USD|Total,12,diverse',
      [4],
      [{ line: 4, total: 12, rows: 11 }],
    ],
    ['that were rounded', 'Acme,5.25,|Beta,6.50,|Total,12,', [4], []],
    [
      'of one invoice each, with its year, and a sum of all',
      'A,5,EUR|,5,EUR|B,6,EUR|,6,EUR|,11,EUR|C,1,EUR|,12,EUR',
      [3, 5, 6, 8],
      [],
    ],
    ['of rounded rows', 'Acme,5000,|Beta,6000,|Total,11001,', [4], []],
  ])('leaves out totals %s', async (_, rows, totals, wrong) => {
    const { report } = await read(['Supplier,Amount,Currency', ...rows.split('|')]);
    expect(report.kinds.get('totals')?.lines).toEqual(totals);
    expect(report.totals.wrong).toEqual(wrong);
  });

  it('keeps companies whose name contains a label or that something else identifies', async () => {
    const companies = ['TotalEnergies,,5', 'Total Ltd,,6', 'TOTAL SAS,,6', 'TOTAL,FR,7'];
    const { rows } = await read(['Supplier,Country,Amount', ...companies, 'Total,,24']);
    expect(rows.map(({ name }) => name)).toEqual(companies.map((row) => row.split(',')[0]));
  });

  it('selects rows by any column, in every language of a total', async () => {
    const text = ['Supplier,BlArt,Status,Amount', 'Acme,KR,,5', 'Beta,KZ,,6', 'Gamma,kr,Void,7'];
    const options = { rows: ['BlArt=KR', 'Status!=void'] };
    const { rows, report } = await read(text, options);
    expect(rows.map(({ name }) => name)).toEqual(['Acme']);
    expect(report.kinds.get('not_selected')?.lines).toEqual([3, 4]);
    expect(await rejection(text, { rows: ['Type=1'] })).toMatchObject({
      message: '--rows: no column "Type"',
      hint: 'The columns are "Supplier", "BlArt", "Status", "Amount".',
    });
    expect(await rejection(text, { rows: ['Blatr=KR'] })).toMatchObject({
      message: '--rows: no column "Blatr"',
      hint: 'Did you mean "BlArt"? The columns are "Supplier", "BlArt", "Status", "Amount".',
    });
    expect((await rejection(text, { rows: ['#9=1'] })).message).toBe('--rows: no column #9');
    const twice = ['Supplier,Typ,Typ,Amount', 'Acme,A,B,5'];
    expect(await rejection(twice, { rows: ['Typ=A'] })).toMatchObject({
      message: '--rows: the columns #2 and #3 have the same name "Typ"',
      hint: 'Choose one by its number, such as --rows #2=<value>.',
    });
    expect((await rejection(text, { rows: ['Type'] })).message).toBe(
      '--rows: "Type" is not column=value',
    );
  });

  it.each([
    ['amount=Spend', '--map spend=Spend'],
    ['Betrag=Spend', '--map spend=Spend'],
    ['jahr=FY', '--map spend_year=FY'],
    ['Waehrung=Cur', undefined],
    ['währung=Cur', '--map spend_currency=Cur'],
    ['lieferant=Company', '--map name=Company'],
    ['Company=name', '--map name=Company'],
    ['spend=amount', '--map spend=Spend'],
    ['spend_year=Jahr', '--map spend_year=FY'],
    ['name=Lieferant', '--map name=Company'],
  ])('proposes a pair that exists for --map %s', async (map, meant) => {
    const text = ['Company,Spend,Cur,FY', 'Acme,5,EUR,2024'];
    const { hint } = await rejection(text, { map: [map] });
    expect(String(hint).match(/(?<=Did you mean ).*(?=\? The)/)?.[0]).toBe(meant);
    if (meant !== undefined)
      expect(await read(text, { map: [meant.replace('--map ', '')] })).toBeDefined();
  });

  it('recognizes totals of all rows before it selects some', async () => {
    const text = [
      'Supplier,Type,Amount,Currency,Year',
      'Acme,KR,5,EUR,2024',
      'Beta,KZ,6,EUR,2024',
      ',,11,EUR,2024',
      'Gamma,KZ,1,Euros?,n/a',
      'Total,,12,EUR,',
    ];
    const lines = async (...options: string[]) => {
      const { rows, report } = await read(text, { rows: options });
      return [rows.map(({ line }) => line), report.kinds.get('totals')?.lines, report.totals.wrong];
    };
    expect(await lines('Type!=KZ')).toEqual([[2], [4, 6], []]);
    expect(await lines('Type=KR')).toEqual([[2], [4, 6], []]);
  });

  it('selects the rows of a year after the totals', async () => {
    const text = ['Supplier,Year,Amount', 'Acme,2023,5', 'Beta,2024,6', 'Sum,,11'];
    const { rows, report } = await read(text, { years: [2024] });
    expect(rows.map(({ name }) => name)).toEqual(['Beta']);
    expect([report.kinds.get('other_years')?.lines, report.totals.wrong]).toEqual([[2], []]);
  });

  it.each<[kind: RowKind, what: string, text: string[], lines: number[]]>([
    ['unnamed', 'rows without a name', ['Supplier,Amount', 'Acme,5', ',4', 'Beta,6'], [3]],
    [
      'unnamed',
      'sums beside any other cell',
      ['Supplier,Amount,Text', 'Acme,5,', ',5,July', 'Beta,6,', ',16,x'],
      [3, 5],
    ],
    [
      'unnamed',
      'amounts that are neither sum',
      ['Supplier,Amount', 'A,5', ',5', 'B,6', 'C,7', ',12', 'D,1', ',13', ',1'],
      [6, 8, 9],
    ],

    [
      'no_spend',
      'repeated headers and separator lines',
      ['Supplier,Amount', '---,---', 'Acme,5', 'Supplier,Amount'],
      [2, 4],
    ],
    ['no_spend', 'a footer of one cell', ['Supplier;Amount;Year', 'Acme;7;2024', 'Printed'], [3]],
    ['rounded', 'amounts that may have lost digits', ['Supplier,Amount', 'Acme,1.2E+06'], [2]],
  ])('counts as %s: %s', async (kind, _, text, lines) => {
    const { report } = await read(text);
    expect(report.kinds.get(kind)?.lines).toEqual(lines);
  });
});
