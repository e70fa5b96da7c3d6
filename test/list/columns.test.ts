import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../src/list/columns.ts';
import { fields } from '../../src/registration/fields.ts';
import type { UsageError } from '../../src/runtime/carbon-error.ts';
import { mapPair, readMap } from '../../src/table/map-option.ts';

const sample = (...rows: string[]) => rows.map((row) => row.split(';'));
const mapWithSample = (header: string[], rows: string[][] = []) => {
  const { columns, doubts } = mapColumns(header, readMap(fields, []), rows);
  return [columns.map(({ field, column }) => `${field}=${column}`), doubts.map(({ map }) => map)];
};
const mapped = (header: string[], ...map: string[]) =>
  mapColumns(header, readMap(fields, map)).columns.map(({ field, column }) => `${field}=${column}`);

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
    [['Name 1', 'Manufacturer'], 'name'],
    [['Razón social', 'País', 'Página web', 'Moneda'], 'name hq_region website currency'],
  ])('recognizes the columns %j', (header, fields) => {
    expect(mapColumns(header).columns.map(({ field }) => field)).toEqual(fields.split(' '));
  });

  it('does not use Nom, which stands above surnames, next to Prénom', () => {
    expect(mapped(['Name 1', 'Manufacturer'])).toEqual(['name=Manufacturer']);
    expect(() => mapColumns(['Nom', 'Prénom'])).toThrow('No column looks like an organization');
    expect(() => mapColumns(['Name 1', 'Nom'])).toThrow('Several columns may hold');
  });

  it('lists unused columns', () => {
    const { columns, unused } = mapColumns(['Notes', 'name', '', 'constructor']);
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
    ['sales regions of two letters', ['LA', 'SA', 'ME', 'DE', 'FR']],
    ['a sales region among countries', ['Germany', 'France', 'ME']],
    ['continents', ['Europe', 'Asia', 'Europe']],
    ['countries in the minority', ['Germany', 'EMEA', 'APAC', 'Europe']],
    ['no values', ['']],
  ])('does not use Region when it has %s', (_, values) => {
    const rows = values.map((value) => ['Acme', value]);
    expect(mapWithSample(['name', 'Region'], rows)).toEqual([['name=name'], []]);
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
});

describe('mapColumns for a column named Sub-Region', () => {
  it('does not use it when its values are not codes, unless the user does', () => {
    const rows = sample('Acme;Northern Europe', 'Beta;EMEA', 'Gamma;BY', 'Delta;');
    expect(mapWithSample(['name', 'Sub-Region'], rows)).toEqual([['name=name'], []]);
    expect(mapColumns(['name', 'hq_subregion'], readMap(fields, []), rows).columns).toHaveLength(2);
    const map = readMap(fields, ['hq_subregion=Sub-Region']);
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
      { field: 'website', columns: ['URL', 'Domain'], map: '--map website=URL' },
    ]);
  });

  const nameOf = (
    header: readonly string[],
    sample: readonly (readonly string[])[],
    map = new Map<'name', string>(),
  ) => mapColumns(header, map, sample).columns.find(({ field }) => field === 'name')?.column;

  it('uses the column of companies next to Vorname and Name, unless the user decides', () => {
    const header = ['Vorname', 'Name', 'Firma', 'Land'];
    const rows = [['Hans', 'Meier', 'Alpen GmbH', 'DE']];
    expect(nameOf(header, rows)).toBe('Firma');
    expect(nameOf(header, rows, new Map([['name', 'Name']]))).toBe('Name');
  });

  it.each([
    ['no first name', ['Vorname', 'Name', 'Firma'], ['', 'Alpen GmbH', 'Holding']],
    ['codes of companies', ['Vorname', 'Name', 'Company'], ['Hans', 'Alpen GmbH', '1000']],
    ['no company', ['Vorname', 'Name', 'Company'], ['Hans', 'Alpen GmbH', '']],
    ['a form of address', ['Name', 'Anrede', 'Lieferant'], ['Alpen GmbH', 'Firma', '4711']],
  ])('uses the column Name next to columns with %s', (_, header, row) => {
    expect(nameOf(header, [row])).toBe('Name');
  });

  it('uses the column Name 1 of a vendor master with a form of address', () => {
    expect(nameOf(['Kreditornr', 'Anrede', 'Name 1'], [['4711', 'Firma', 'Alpen GmbH']])).toBe(
      'Name 1',
    );
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

/* Maps the columns of a table; its first row is the header. */
function table(...[header = '', ...rows]: readonly string[]): Record<string, string> {
  const { columns } = mapColumns(header.split(';'), new Map(), sample(...rows));
  return Object.fromEntries(columns.map(({ field, column }) => [field, column]));
}

describe('mapColumns for exports of purchases', () => {
  it.each([
    'Kreditor',
    'Lieferant',
    'Creditor',
    'Fournisseur',
    'Tiers',
    'Proveedor',
    'Acreedor',
    'Business Partner',
  ])('reads names under the header %s', (header) => {
    expect(table(`${header};Betrag`, 'Stahl GmbH;1,50', '3M;2')).toEqual({ name: header });
  });

  it.each(['Kreditor', 'Lieferant', 'Vendor', 'Supplier', 'Fournisseur', 'Proveedor'])(
    'reads numbers under the header %s as external ids, and the name from another column',
    (header) => {
      const rows = ['0000100023;Stahl GmbH', '0000100024;Uhren AG'];
      expect(table(`${header};Name 1`, ...rows)).toEqual({ external_id: header, name: 'Name 1' });
    },
  );

  it('ignores the label of a total under the numbers', () => {
    const rows = ['70001;Stahl GmbH', 'Gesamtsumme;'];
    expect(table('Lieferant;Name 1', ...rows)).toEqual({
      external_id: 'Lieferant',
      name: 'Name 1',
    });
  });

  it('recognizes codes with letters in three rows', () => {
    const rows = ['V-10023;A', 'V-10024;B', 'V-10025;C'];
    expect(table('Vendor;Vendor name', ...rows)).toEqual({
      external_id: 'Vendor',
      name: 'Vendor name',
    });
  });

  it('does not read a column of numbers as the name if no other column holds names', () => {
    expect(() => table('Lieferant;Betrag', '100023;1,50')).toThrow(
      'Columns and first values: Lieferant (100023)',
    );
  });

  it('reads the name of a column that has the name of the field, whatever its values', () => {
    expect(table('Name;Betrag', '1848;1,50')).toEqual({ name: 'Name' });
  });

  it.each([
    ['Kreditorenname', 'Kreditor'],
    ['Lieferantenname', 'Lieferant'],
    ['Name des Lieferanten', 'Lieferantennummer'],
    ['Kreditorenbezeichnung', 'Kreditorennr.'],
    ['Name (Adressattyp Unternehmen)', 'Kreditorenkonto'],
    ['Name of Supplier', 'Supplier'],
    ['Libellé fournisseur', 'Fournisseur'],
    ['Raison sociale', 'Code fournisseur'],
    ['Nom du tiers', 'Tiers'],
    ['Razón social', 'Proveedor'],
    ['Razon Social', 'Código de proveedor'],
    ['Nombre del acreedor', 'Acreedor'],
    ['Ragione sociale', 'Codice fornitore'],
    ['Naam leverancier', 'Leverancier'],
  ])('recognizes the headers %s and %s of purchasing exports', (name, number) => {
    expect(table(`${number};${name}`, '70001;Stahl GmbH', '70002;Uhren AG')).toEqual({
      name,
      external_id: number,
    });
  });
});

describe('mapColumns for published lists', () => {
  it.each([
    ['ISIN No;Security Name', 'isin_number name'],
    ['company_isin;company', 'isin_number name'],
    ['s_ISIN_code;name_company;land_iso2', 'isin_number name hq_region'],
    ['Supplier Name;Address - Country Code', 'name hq_region'],
    ['SYMBOL;NAME OF COMPANY', 'name'],
    ['Symbol;Security', 'name'],
    ['BeneficiaryName;Amount', 'name'],
    ['nazwa;isin', 'name isin_number'],
    ['Nome;ISIN', 'name isin_number'],
    ['Kod;Ad;Ülke', 'name hq_region'],
    ['DENOM_SOCIAL;DENOM_COMERC', 'name'],
    ['recipient_name;recipient_country_code', 'name hq_region'],
    ['Órgano;Adjudicatario', 'name'],
    ['acheteur;Titulaire', 'name'],
    ['Naam;Land', 'name hq_region'],
  ])('recognizes %s', (header, fields) => {
    expect(mapColumns(header.split(';')).columns.map(({ field }) => field)).toEqual(
      fields.split(' '),
    );
  });

  it.each(['Nome;Cognome', 'Ad;Soyad', 'Imię;Nazwisko;Nazwa'])(
    'does not read %s, which stand above people, as companies',
    (header) => {
      expect(() => mapColumns(header.split(';'))).toThrow('No column looks like an organization');
    },
  );

  it('asks for the name in a vendor master with repeated headings', () => {
    const header = 'Vendor;Country;Name 1;Name 2;City;Address;Name 1;Name 2;City';
    const row = (vendor: string) => `${vendor};DE;Stahl GmbH;;Ulm;1;Stahl GmbH;;Ulm`;
    expect(() => table(header, row('3'), row('4'), row('C-10'))).toThrow(
      expect.objectContaining({ hint: 'Choose one of them, such as --map name=#3' }),
    );
    expect(() => table('Vendor;City', '3;Ulm', '4;Bonn', 'ACME;Bonn')).toThrow(
      'Columns and first values: Vendor (3)',
    );
  });

  it('reads a flag under a partner as neither the name nor the id', () => {
    expect(table('Nombre;proveedor', 'Acme;0', 'Beta;1')).toEqual({ name: 'Nombre' });
  });

  it.each([
    ['Entity', 'Supplier'],
    ['Organisation Name', 'Payee Name'],
    ['Company', 'Manufacturer'],
  ])('proposes the payees, not the payer: %s, %s', (payer, payee) => {
    expect(() => table(`${payer};${payee}`, 'Health;Acme AG', 'Health;Beta SA')).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(`name=${payee}`) }),
    );
  });
});

describe('mapColumns without a known name column', () => {
  it('lists the columns with their first values', () => {
    const rows = sample('MMM;3M;Saint Paul, Minnesota', 'AOS;A. O. Smith;Milwaukee');
    expect(() => mapColumns(['Symbol', 'Title', 'City'], new Map(), rows)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message:
          'No column looks like an organization name. Columns and first values: Symbol (MMM), Title (3M), City (Saint Paul, Minnesota)',
        hint: 'Choose the column with --map name=<column>. If the file has no header line, add one.',
      }),
    );
  });

  it('limits the length of the error when header and values are long', () => {
    const header = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    const error = (): string => {
      try {
        mapColumns(header, new Map(), [header]);
      } catch (thrown) {
        return (thrown as UsageError).message;
      }
      return '';
    };
    expect(error().length).toBeLessThan(2_000);
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
    expect(() => mapColumns(['Security', 'Land'], readMap(fields, [map]))).toThrow(message);
  });

  it.each([
    ['Webseite=website', 'Did you mean --map website=Webseite? The field comes before the "=".'],
    [
      'Company Name=NAME',
      'Did you mean --map \'name=Company Name\'? The field comes before the "=".',
    ],
    ['a=b', expect.stringMatching(/^The fields are name, /)],
  ])('proposes a correction of --map %s', (map, hint) => {
    expect(() => readMap(fields, [map])).toThrow(
      expect.objectContaining({ name: 'UsageError', hint }),
    );
  });

  it('reads what mapPair writes', () => {
    const header = ['Company, Inc', 'Size 5"', 'Land'];
    const pairs = header.map((_, index) => mapPair('name', header, index));
    expect(pairs).toEqual(['name="Company, Inc"', 'name=#2', 'name=Land']);
    expect(pairs.map((pair) => readMap(fields, [pair]).get('name'))).toEqual([
      'Company, Inc',
      '#2',
      'Land',
    ]);
  });

  it('refuses a field with two columns', () => {
    const says = '--map: name is given twice, as "Security" and "Firma"';
    expect(() => readMap(fields, ['name=Security,name=Firma'])).toThrow(says);
    expect(() => readMap(fields, ['name=Security', 'NAME=Firma'])).toThrow(says);
    expect(() => readMap(fields, ['name=Security', 'name='])).toThrow('as "Security" and ""');
  });

  it('accepts the same column twice', () => {
    expect([...readMap(fields, ['name=Security', 'name=Security'])]).toEqual([
      ['name', 'Security'],
    ]);
  });
});
