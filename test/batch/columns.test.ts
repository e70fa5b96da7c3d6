import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../src/batch/columns.ts';
import type { UsageError } from '../../src/runtime/carbon-error.ts';
import { mapPair, readMap } from '../../src/table/map-option.ts';

const sample = (...rows: string[]) => rows.map((row) => row.split(';'));
const mapWithSample = (header: string[], rows: string[][] = []) => {
  const { columns, doubts } = mapColumns(header, readMap([]), rows);
  return [columns.map(({ field, column }) => `${field}=${column}`), doubts.map(({ map }) => map)];
};
const mapped = (header: string[], ...map: string[]) =>
  mapColumns(header, readMap(map)).columns.map(({ field, column }) => `${field}=${column}`);

describe('mapColumns', () => {
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
    [
      ['Organisation', 'HQ Country', 'URL', 'S&P Global ID'],
      'name hq_region website sp_global_number',
    ],
    [['ＮＡＭＥ', 'Land'], 'name hq_region'],
    [['会社名', '国'], 'name hq_region'],
    [
      ['Lieferanten-Nr.', 'Firmenname', 'Webseite', 'Branche'],
      'external_id name website industry_name',
    ],
    [
      ['Raison sociale', 'Code pays', 'Site web', 'Secteur'],
      'name hq_region website industry_name',
    ],
    [['Participant Name', 'Billing Country', 'Company Domain'], 'name hq_region website'],
    [['公司', '国家'], 'name hq_region'],
    [['法人名', '国籍'], 'name hq_region'],
    [['コード', '銘柄名'], 'name'],
    [['提出者名', '提出者名（英字）'], 'name'],
    [['Region', 'Company Country', 'Location', 'Company'], 'hq_region name'],
    [['社名', '国'], 'name hq_region'],
    [['Nom', 'Pays', 'Numéro LEI'], 'name hq_region lei_number'],
    [['Kreditor', 'Name 1', 'Name 2', 'Land'], 'external_id name hq_region'],
    [['Name 1', 'Manufacturer'], 'name'],
    [['Razón social', 'País', 'Página web', 'Moneda'], 'name hq_region website currency'],
  ])('recognizes the columns %j', (header, fields) => {
    expect(mapColumns(header).columns.map(({ field }) => field)).toEqual(fields.split(' '));
  });

  it('maps Nom and Name 1 to the name only when no other name column and no person column exists', () => {
    expect(mapped(['Name 1', 'Manufacturer'])).toEqual(['name=Manufacturer']);
    expect(() => mapColumns(['Nom', 'Prénom'])).toThrow(/recognizes no column as the org/);
    expect(() => mapColumns(['Name 1', 'Nom'])).toThrow(/recognizes no column as the org/);
  });

  it('lists unused columns, but not carbon_error', () => {
    const { columns, unused } = mapColumns(['Notes', 'name', 'carbon_error', '', 'constructor']);
    expect([columns.length, unused]).toEqual([1, ['Notes', 'constructor']]);
  });

  it('prefers the column with the name of the field', () => {
    expect(mapped(['Supplier', 'name'])).toEqual(['name=name']);
  });

  it.each(['Region', 'HQ', 'Location', 'Land', 'Country Code', 'Company Country', 'Headquarters'])(
    'maps Country to the country, not %s',
    (other) => {
      const rows = sample('Germany;XX;Acme', 'France;XX;Beta');
      expect(mapWithSample([other, 'Country', 'name'], rows)).toEqual([
        ['hq_region=Country', 'name=name'],
        [],
      ]);
    },
  );
});

describe('mapColumns for a column that may hold countries', () => {
  it.each([
    ['sales regions of two letters', ['LA', 'SA', 'ME', 'DE', 'FR'], 'hq_region'],
    ['sales regions of three letters', ['NAM', 'CEE', 'MEA'], 'hq_region'],
    ['continents', ['Europe', 'Asia', 'Europe'], 'hq_region'],
    ['countries in the minority', ['Germany', 'EMEA', 'APAC', 'Europe'], 'hq_region'],
  ])('only proposes Region when it has %s', (_, values, field) => {
    const rows = values.map((value) => ['Acme', value]);
    expect(mapWithSample(['name', 'Region'], rows)).toEqual([
      ['name=name'],
      [`--map ${field}=Region`],
    ]);
  });

  it.each([
    ['Region', ['Germany', 'France', '', 'N/A', 'Latin America']],
    ['Location', ['USA', 'United Kingdom', 'Japan', 'Deutschland']],
    ['HQ', ['日本', 'Viet Nam', 'Russian Federation']],
  ])('uses %s when most of its values are country names', (column, values) => {
    const rows = values.map((value) => ['Acme', value]);
    expect(mapWithSample(['name', column], rows)).toEqual([
      ['name=name', `hq_region=${column}`],
      [],
    ]);
  });

  it('uses the only column whose values are country names', () => {
    const rows = sample('Acme;Europe;Germany', 'Beta;Asia;Japan', 'Gamma;Asia;India');
    expect(mapWithSample(['name', 'Region', 'Location'], rows)).toEqual([
      ['name=name', 'hq_region=Location'],
      [],
    ]);
    const both = sample('Acme;Germany;Germany', 'Beta;Japan;Japan');
    expect(mapWithSample(['name', 'Region', 'Location'], both)).toEqual([
      ['name=name'],
      ['--map hq_region=Region'],
    ]);
  });

  it('proposes a column of cities as free text', () => {
    const rows = sample('Acme;Munich', 'Beta;Paris');
    expect(mapWithSample(['name', 'Location'], rows)).toEqual([
      ['name=name'],
      ['--map hq_fuzzy=Location'],
    ]);
    expect(mapWithSample(['name', 'Headquarters'], rows)).toEqual([
      ['name=name', 'hq_region=Headquarters'],
      [],
    ]);
    expect(mapWithSample(['name', 'HQ'], sample('Acme;CA', 'Beta;NY'))).toEqual([
      ['name=name'],
      ['--map hq_region=HQ'],
    ]);
  });
});

describe('mapColumns for a column named Sub-Region', () => {
  it('proposes it as free text when its values are not codes', () => {
    const rows = sample('Acme;Northern Europe', 'Beta;EMEA', 'Gamma;BY', 'Delta;');
    const { columns, doubts } = mapColumns(['name', 'Sub-Region'], readMap([]), rows);
    expect(columns.map(({ field }) => field)).toEqual(['name']);
    expect(doubts).toEqual([
      {
        field: 'hq_subregion',
        kind: 'unproven',
        columns: ['Sub-Region'],
        examples: ['Northern Europe', 'EMEA', 'BY'],
        map: '--map hq_fuzzy=Sub-Region',
      },
    ]);
    expect(mapColumns(['name', 'hq_subregion'], readMap([]), rows).columns).toHaveLength(2);
    const map = readMap(['hq_subregion=Sub-Region']);
    expect(mapColumns(['name', 'Sub-Region'], map, rows).columns).toHaveLength(2);
  });

  it.each([[['OH', 'CA']], [['DE-BY', 'FR-75', '']], [['', '-']]])(
    'uses it when it has %j',
    (values) => {
      const rows = values.map((value) => ['Acme', value]);
      expect(mapWithSample(['name', 'Sub-Region'], rows)).toEqual([
        ['name=name', 'hq_subregion=Sub-Region'],
        [],
      ]);
    },
  );
});

describe('mapColumns for an ambiguous field', () => {
  it('leaves out an optional field that several columns match', () => {
    const { columns, unused, doubts } = mapColumns([
      'name',
      'URL',
      'Domain',
      'Country Name',
      'Country Code',
    ]);
    expect(columns.map(({ column }) => column)).toEqual(['name', 'Country Code']);
    expect(unused).toEqual(['URL', 'Domain', 'Country Name']);
    expect(doubts).toEqual([
      {
        field: 'website',
        kind: 'ambiguous',
        columns: ['URL', 'Domain'],
        examples: [],
        map: '--map website=URL',
      },
    ]);
  });

  const nameOf = (
    header: readonly string[],
    sample: readonly (readonly string[])[],
    map = new Map<'name', string>(),
  ) => mapColumns(header, map, sample).columns.find(({ field }) => field === 'name')?.column;

  it('throws when the column Name stands beside first names and a column of companies', () => {
    const header = ['Vorname', 'Name', 'Firma', 'Land'];
    const sample = [['Hans', 'Meier', 'Alpen GmbH', 'DE']];
    expect(() => mapColumns(header, new Map(), sample)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: 'Several columns may hold the organization name: "Firma", "Name"',
        hint: 'Choose one of them, such as --map name=Firma',
      }),
    );
    expect(nameOf(header, sample, new Map([['name', 'Name']]))).toBe('Name');
  });

  it.each([
    ['no first name', ['Vorname', 'Name', 'Firma'], ['', 'Alpen GmbH', 'Holding']],
    ['codes of companies', ['Vorname', 'Name', 'Company'], ['Hans', 'Alpen GmbH', '1000']],
    ['no company', ['Vorname', 'Name', 'Company'], ['Hans', 'Alpen GmbH', '']],
    ['a form of address', ['Name', 'Anrede', 'Lieferant'], ['Alpen GmbH', 'Firma', '4711']],
  ])('uses the column Name beside columns with %s', (_, header, row) => {
    expect(nameOf(header, [row])).toBe('Name');
  });

  it('uses the column Name 1 of a vendor master with a form of address', () => {
    expect(nameOf(['Kreditornr', 'Anrede', 'Name 1'], [['4711', 'Firma', 'Alpen GmbH']])).toBe(
      'Name 1',
    );
  });

  it('uses the column Name beside a column of companies, and reports that one', () => {
    const { columns, doubts } = mapColumns(['Name', 'Company', 'Country'], new Map(), [
      ['Hans', 'A GmbH', 'DE'],
    ]);
    expect(columns.map(({ column }) => column)).toEqual(['Name', 'Country']);
    expect(doubts).toEqual([
      {
        field: 'name',
        kind: 'alternative',
        columns: ['Company'],
        examples: ['A GmbH'],
        map: '--map name=Company',
      },
    ]);
  });

  it('throws when several columns match the name', () => {
    expect(() => mapColumns(['Vendor', 'Vendor Name'])).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: 'Several columns may hold the organization name: "Vendor", "Vendor Name"',
        hint: "Choose one of them, such as --map 'name=Vendor Name'",
      }),
    );
    expect(() => mapColumns(['name', 'n', 'name'])).toThrow(
      expect.objectContaining({ hint: 'Choose one of them, such as --map name=#1' }),
    );
  });
});

describe('mapColumns without a known name column', () => {
  const refusal = (header: string[], rows: string[][]) => {
    try {
      mapColumns(header, readMap([]), rows);
    } catch (error) {
      const { name, message, hint } = error as UsageError;
      return { name, message, hint };
    }
    return undefined;
  };
  const companies = sample(
    'MMM;3M;Industrials;Saint Paul, Minnesota;66740',
    'AOS;A. O. Smith Corporation;Industrials;Milwaukee, Wisconsin;91142',
    'ABT;Abbott Laboratories;Health Care;North Chicago, Illinois;1800',
    'ACN;Accenture plc;Information Technology;Dublin, Ireland;1467373',
    'ADBE;Adobe Inc.;Information Technology;San Jose, California;796343',
    'AES;AES Corporation;Utilities;Arlington, Virginia;874761',
  );

  it('lists the columns with a value each and proposes the one with organization names', () => {
    expect(
      refusal(['Symbol', 'Security', 'GICS Sector', 'Headquarters Location', 'CIK'], companies),
    ).toEqual({
      name: 'UsageError',
      message: `carbon recognizes no column as the organization name. The columns, each with a value: "Symbol" (MMM), "Security" (3M), "GICS Sector" (Industrials), "Headquarters Location" (Saint Paul, Minnesota), "CIK" (66740)`,
      hint: '"Security" may hold it: --map name=Security',
    });
    expect(
      refusal(['Kürzel', 'Firmenwortlaut', 'Ort'], sample('AG;Acme;Wien', 'BE;Beta;Graz'))?.hint,
    ).toBe('"Firmenwortlaut" may hold it: --map name=Firmenwortlaut');
  });

  it.each([
    ['tickers and numbers', ['Symbol', 'CIK'], ['MMM;1', 'AOS;2', 'ABT;3']],
    ['people', ['Contact Name', 'Value'], ['John Smith;1', 'Jane Doe;2']],
    [
      'sectors',
      ['Sector Group', 'x'],
      ['Consumer Group;1', 'Consumer Group;2', 'Consumer Group;3'],
    ],
    ['countries', ['Where', 'x'], ['Germany;1', 'France;2']],
    ['identifiers', ['Supplier Key', 'x'], ['A-100-B;1', 'A-200-B;2']],
    ['nothing', ['Firmenwortlaut', 'x'], []],
  ])('proposes no column of %s', (_, header, rows) => {
    expect(refusal(header, sample(...rows))?.hint).toBe(
      'Name the column with --map name=<column>. If the file has no header line, add --no-header.',
    );
  });

  it.each([
    [['Siemens AG', 'DE'], ['BASF SE;DE', 'Bayer AG;DE'], '--no-header --map name=1'],
    [['1', 'Acme Ltd', 'Germany'], ['2;Globex Inc;France'], '--no-header --map name=2'],
    [['acme.com', '17'], ['globex.com;18'], '--no-header --map name=<number of the column>'],
  ])('recognizes that %j is not a header', (header, rows, options) => {
    const { message, hint } = refusal(header, sample(...rows)) ?? {};
    expect(message).toContain('The file seems to have no header line');
    expect(hint).toBe(`Columns without a header are named 1, 2, 3. Use ${options}`);
  });

  it('limits the length of the error when header and values are long', () => {
    const header = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    const { message, hint } = refusal(header, [header, header]) ?? {};
    expect(`${message}${hint}`.length).toBeLessThan(2_000);
  });
});

describe('readMap', () => {
  it('overrides the header', () => {
    expect(mapped(['Security', 'Land', 'name'], 'name=Security,hq_region=Land')).toEqual([
      'name=Security',
      'hq_region=Land',
    ]);
    expect(mapped(['銘柄', '国籍'], 'name=銘柄', 'hq-region=国籍')).toEqual([
      'name=銘柄',
      'hq_region=国籍',
    ]);
    expect(mapped(['Company, Inc', 'x'], 'name="Company, Inc",website=#2')).toEqual([
      'name=Company, Inc',
      'website=x',
    ]);
    expect(mapped(['name', 'Country', 'url'], 'hq_region=,website=')).toEqual(['name=name']);
    expect(mapped(['name', 'name', 'country'], 'name=#2')).toEqual([
      'name=name',
      'hq_region=country',
    ]);
  });

  it.each([
    ['titel=Security', /"titel" is not a field/],
    ['name', /is not field=column/],
    ['name=Nowhere', /no column "Nowhere"/],
    ['name=#9', /no column #9/],
    ['name="Security,hq_region=Land', /the double quote in name="Security,hq_region=Land is not/],
  ])('rejects --map %s', (map, message) => {
    expect(() => mapColumns(['Security', 'Land'], readMap([map]))).toThrow(message);
  });

  it.each([
    ['Webseite=website', 'Did you mean --map website=Webseite? The field comes before the "=".'],
    [
      'Company Name=NAME',
      'Did you mean --map \'name=Company Name\'? The field comes before the "=".',
    ],
    ['a=b', expect.stringMatching(/^The fields are name, /)],
  ])('proposes a correction of --map %s', (map, hint) => {
    expect(() => readMap([map])).toThrow(expect.objectContaining({ name: 'UsageError', hint }));
  });

  it('reads what mapPair writes', () => {
    const header = ['Company, Inc', 'Size 5"', 'Land'];
    const pairs = header.map((_, index) => mapPair('name', header, index));
    expect(pairs).toEqual(['name="Company, Inc"', 'name=#2', 'name=Land']);
    expect(pairs.map((pair) => readMap([pair]).get('name'))).toEqual([
      'Company, Inc',
      '#2',
      'Land',
    ]);
  });

  it('refuses a field with two columns', () => {
    const says = '--map: name is given twice, as "Security" and "Firma"';
    expect(() => readMap(['name=Security,name=Firma'])).toThrow(says);
    expect(() => readMap(['name=Security', 'NAME=Firma'])).toThrow(says);
    expect(() => readMap(['name=Security', 'name='])).toThrow('as "Security" and ""');
  });

  it('accepts the same column twice', () => {
    expect([...readMap(['name=Security', 'name=Security'])]).toEqual([['name', 'Security']]);
  });
});
