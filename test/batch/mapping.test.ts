import { expect, it } from 'vitest';
import { headerBelow, mapColumns, readMap } from '../../src/batch/mapping.ts';

const mapped = (header: string[], ...map: string[]) =>
  mapColumns(header, readMap(map)).columns.map(({ field, column }) => `${field}=${column}`);

it.each([
  [['name', 'hq_region', 'hq-subregion', 'HQ Fuzzy'], 'name hq_region hq_subregion hq_fuzzy'],
  [
    ['Company Name', 'Country Code', 'Web site', 'LEI Code', 'ISIN'],
    'name hq_region website lei_number isin_number',
  ],
  [
    ['Vendor Number', 'Vendor Name', 'D-U-N-S No.', 'Industry', 'CURRENCY'],
    'external_id name duns_number industry_name currency',
  ],
  [['Organisation', 'HQ Country', 'URL', 'S&P Global ID'], 'name hq_region website sp_global_number'],
  [['ＮＡＭＥ', 'Land'], 'name hq_region'],
  [['会社名', '国'], 'name hq_region'],
  [['Lieferanten-Nr.', 'Firmenname', 'Webseite', 'Branche'], 'external_id name website industry_name'],
  [['Raison sociale', 'Code pays', 'Site web', 'Secteur'], 'name hq_region website industry_name'],
  [['Razón social', 'País', 'Página web', 'Moneda'], 'name hq_region website currency'],
])('knows the columns %j', (header, fields) => {
  expect(mapColumns(header).columns.map(({ field }) => field)).toEqual(fields.split(' '));
});

it('lists the columns that give nothing, but not its own', () => {
  const { columns, unused } = mapColumns(['Notes', 'name', 'carbon_error', '', 'constructor']);
  expect([columns.length, unused]).toEqual([1, ['Notes', 'constructor']]);
});

it('prefers the column of the field’s own name', () => {
  expect(mapped(['Supplier', 'name'])).toEqual(['name=name']);
});

it('asks when several columns may be one field', () => {
  expect(() => mapColumns(['Vendor', 'Vendor Name'])).toThrow(
    expect.objectContaining({
      exit: 2,
      message: 'Several columns may be name: "Vendor", "Vendor Name"',
      hint: "Choose one: --map 'name=Vendor Name'",
    }),
  );
  expect(() => mapColumns(['name', 'n', 'name'])).toThrow(
    expect.objectContaining({ hint: 'Choose one: --map name=#1' }),
  );
});

it('asks when no column is the name', () => {
  expect(() => mapColumns(['Kürzel', 'Firmenwortlaut', 'Land'])).toThrow(
    expect.objectContaining({ exit: 2, hint: 'Say which one is: --map name=Firmenwortlaut' }),
  );
});

it('lets --map decide', () => {
  expect(mapped(['Security', 'Land', 'name'], 'name=Security,hq_region=Land')).toEqual([
    'name=Security',
    'hq_region=Land',
  ]);
  expect(mapped(['銘柄', '国籍'], 'name=銘柄', 'hq-region=国籍')).toEqual(['name=銘柄', 'hq_region=国籍']);
  expect(mapped(['Company, Inc', 'x'], 'name="Company, Inc",website=#2')).toEqual([
    'name=Company, Inc',
    'website=x',
  ]);
  expect(mapped(['name', 'Country', 'url'], 'hq_region=,website=')).toEqual(['name=name']);
  expect(mapped(['name', 'name', 'country'], 'name=#2')).toEqual(['name=name', 'hq_region=country']);
});

it.each([
  ['titel=Security', /"titel" is not a field/],
  ['name', /is not field=column/],
  ['name=Nowhere', /no column "Nowhere"/],
  ['name=#9', /no column #9/],
])('refuses --map %s', (map, message) => {
  expect(() => mapColumns(['Security', 'Land'], readMap([map]))).toThrow(message);
});

it.each([
  ['Webseite=website', 'Did you mean --map website=Webseite? The field stands before the =.'],
  ['Company Name=NAME', "Did you mean --map 'name=Company Name'? The field stands before the =."],
  ['a=b', expect.stringMatching(/^The fields are name, /)],
])('says what to write instead of --map %s', (map, hint) => {
  expect(() => readMap([map])).toThrow(expect.objectContaining({ exit: 2, hint }));
});

it('finds a header below a title', () => {
  const rows = [
    { line: 1, cells: ['Suppliers 2026'] },
    { line: 3, cells: ['Supplier', 'Country'] },
  ];
  expect(headerBelow(rows)).toBe(2);
});
