import { describe, expect, it } from 'vitest';
import { fields } from '../../../src/client/registration/fields.ts';
import { mapColumns } from '../../../src/lists/list/columns.ts';
import { mapPair, readMap } from '../../../src/lists/table/map-option.ts';
import { isResultHeader } from '../../../src/lists/table/output-cell.ts';

/* Maps the columns of a table; its first line is the header. */
function map([first = '', ...rows]: readonly string[], ...options: string[]) {
  const header = first.split(';');
  const sample = rows.map((row, index) => ({ line: index + 2, cells: row.split(';') }));
  const isResult = isResultHeader(header);
  return mapColumns({ header, sample, isResult }, readMap(fields, options));
}
/* The fields of columns in the order of the file, and the option for those that are unclear. */
const mapped = (table: string, ...options: string[]) => {
  const { columns, doubts } = map(table.split('\n'), ...options);
  return [...columns.map(({ field, column }) => `${field}=${column}`), ...doubts.map((d) => d.map)];
};

describe('mapColumns', () => {
  it.each([
    ['name;hq_region;hq-subregion;HQ Fuzzy', 'name hq_region hq_subregion hq_fuzzy'],
    [
      'Company Name;Country Code;Web site;LEI Code;ISIN',
      'name hq_region website lei_number isin_number',
    ],
    [
      'Vendor Number;Vendor Name;D-U-N-S No.;Industry;CURRENCY',
      'external_id name duns_number industry_name currency',
    ],
    ['ＮＡＭＥ;Land', 'name hq_region'],
    ['会社名;国', 'name hq_region'],
    ['Lieferanten-Nr.;Firmenname;Webseite;Branche', 'external_id name website industry_name'],
    ['Raison sociale;Code pays;Site web;Secteur', 'name hq_region website industry_name'],
    ['公司;国家', 'name hq_region'],
    ['コード;銘柄名', 'name'],
    ['提出者名;提出者名（英字）', 'name'],
    ['Region;Company Country;Location;Company', 'hq_region name'],
    ['Name 1;Manufacturer', 'name'],
    ['Razón social;País;Página web;Moneda', 'name hq_region website currency'],
    ['ISIN No;Security Name', 'isin_number name'],
    ['s_ISIN_code;name_company;land_iso2', 'isin_number name hq_region'],
    ['Supplier Name;Address - Country Code', 'name hq_region'],
    ['SYMBOL;NAME OF COMPANY', 'name'],
    ['BeneficiaryName;Amount', 'name'],
    ['nazwa;isin', 'name isin_number'],
    ['Kod;Ad;Ülke', 'name hq_region'],
    ['DENOM_SOCIAL;DENOM_COMERC', 'name'],
    ['recipient_name;recipient_country_code', 'name hq_region'],
    ['Órgano;Adjudicatario', 'name'],
    ['acheteur;Titulaire', 'name'],
  ])('recognizes the columns %s', (header, expected) => {
    expect(map([header]).columns.map(({ field }) => field)).toEqual(expected.split(' '));
  });

  it.each([
    // The field by its own name goes first.
    ['Supplier;name', 'name=name'],
    ['Headquarters;Country;name\nGermany;XX;Acme', 'hq_region=Country; name=name'],
    ['Region;Country;name\nGermany;XX;Acme', 'hq_region=Country; name=name'],
    // Places are countries only if most of their values are.
    ['name;Region\nA;LA\nB;SA\nC;DE\nD;FR', 'name=name'],
    ['name;Region\nA;Germany\nB;France\nC;ME', 'name=name'],
    ['name;Region\nA;Germany\nB;EMEA\nC;APAC\nD;Europe', 'name=name'],
    ['name;Region\nA;', 'name=name'],
    ['name;Region\nA;Germany\nB;France\nC;\nD;N/A\nE;Latin America', 'name=name; hq_region=Region'],
    ['name;HQ\nA;日本\nB;Viet Nam\nC;Russian Federation', 'name=name; hq_region=HQ'],
    ['name;Region;Location\nA;Europe;Germany\nB;Asia;Japan', 'name=name; hq_region=Location'],
    ['name;Region;Location\nA;Germany;Germany', 'name=name; --map hq_region=Region'],
    // A subregion has codes.
    ['name;Sub-Region\nA;Northern Europe\nB;EMEA\nC;BY', 'name=name'],
    ['name;Sub-Region\nA;OH\nB;CA', 'name=name; hq_subregion=Sub-Region'],
    ['name;Sub-Region\nA;DE-BY\nB;', 'name=name; hq_subregion=Sub-Region'],
    // A column of names next to people, forms of address and codes.
    ['Vorname;Name;Firma\nHans;Meier;Alpen GmbH', 'name=Firma'],
    // A number of an address is no address.
    ['Name;Adresse\nA;22001\nB;22002', 'name=Name'],
    ['Name;Adresse\nA;22001\nB;Ulm 7\nC;Bonn', 'name=Name; hq_fuzzy=Adresse'],
    // A table that carbon wrote.
    ['supplier;name;synthetic\nAcme;Acme AG;TRUE', 'name=name'],
    // Mostly short names.
    ['Company;Country\n3M;US\nA2A;IT\nC3;US', 'name=Company; hq_region=Country'],
    ['Lieferant;Name\nV1;3M\nV2;A2A\nV10;G4S', 'external_id=Lieferant; name=Name'],
    // Securities and brands.
    ['종목명;국가\nA;한국', 'name=종목명; hq_region=국가'],
    ['Brand;Company\nPolo;Alpen', 'name=Company'],
    ['Holding;Weight\nAlpen;1', 'name=Holding'],
    // A header may be explained.
    [
      'Supplier (name, city);Country (ISO)\nA;DE',
      'name=Supplier (name, city); hq_region=Country (ISO)',
    ],
    ['Supplier (former);Supplier\nA;B', 'name=Supplier'],
    ['Kunde;Name 1\n4711;Alpen GmbH', 'name=Name 1'],
    ['Lieferant;Name\n4711;Alpen GmbH\n4712;Beta', 'external_id=Lieferant; name=Name'],
    ['Company;Name\n;Alpen GmbH', 'name=Name'],
    ['Vorname;Name;Company\nHans;Alpen GmbH;1000', 'name=Name'],
    ['Name;Anrede;Lieferant\nAlpen GmbH;Firma;4711', 'name=Name; external_id=Lieferant'],
    // A partner is a name, a number or a flag.
    ['Kreditor;Betrag\nStahl GmbH;1,50\n3M;2', 'name=Kreditor'],
    ['Business Partner;Betrag\nStahl GmbH;1,50', 'name=Business Partner'],
    [
      'Vendor;Name 1\n0000100023;Stahl GmbH\n0000100024;Uhren AG',
      'external_id=Vendor; name=Name 1',
    ],
    ['Lieferant;Name 1\n70001;Stahl GmbH\nGesamtsumme;', 'external_id=Lieferant; name=Name 1'],
    ['Vendor;Vendor name\nV-1;A\nV-2;B\nV-3;C', 'external_id=Vendor; name=Vendor name'],
    ['Nombre;proveedor\nAcme;0\nBeta;1', 'name=Nombre'],
    ['Name;Betrag\n1848;1,50', 'name=Name'],
    [
      'Kreditorennr.;Kreditorenbezeichnung\n7;A',
      'external_id=Kreditorennr.; name=Kreditorenbezeichnung',
    ],
    ['Tiers;Nom du tiers\n7;A', 'external_id=Tiers; name=Nom du tiers'],
  ])('decides by the values of %j', (table, expected) => {
    expect(mapped(table).join('; ')).toBe(expected);
  });

  it.each(
    (
      'Име на фирмата|Název společnosti|Virksomhedens navn|Firmenname|Επωνυμία εταιρείας|Company name|' +
      'Nombre de la empresa|Ettevõtte nimi|Yrityksen nimi|Nom de la société|Ainm na cuideachta|' +
      'Naziv tvrtke|Naziv firme|Cégnév|Nome azienda|Įmonės pavadinimas|Uzņēmuma nosaukums|' +
      'Isem il-kumpanija|Bedrijfsnaam|Nazwa firmy|Nome da empresa|Denumire furnizor|' +
      'Názov spoločnosti|Ime podjetja|Företagsnamn|Firmanavn|Назва компанії|Название компании|' +
      'Şirket adı|ŞİRKET ADI|اسم الشركة|שם החברה|कंपनी का नाम|ชื่อบริษัท|Tên công ty|公司名称|会社名|' +
      '회사명|Nama perusahaan|Nama Syarikat|証券名|证券简称|Brand'
    ).split('|'),
  )('finds the name below %s', (column) => {
    expect(mapped(`Nr;${column};X\n1;Alpen;a\n2;Beta;b`)).toEqual([`name=${column}`]);
    // Before the name of a person, it asks.
    if (!/証|证|Brand/.test(column))
      expect(() => mapped(`Name;${column}\nJane Doe;Alpen`)).toThrow('Several columns may hold');
  });

  it('leaves out an optional field that several columns match', () => {
    const { columns, unused, doubts } = map(['name;URL;Domain;Country Name;Country Code;']);
    expect(columns.map(({ column }) => column)).toEqual(['name', 'Country Code']);
    expect(unused).toEqual(['URL', 'Domain', 'Country Name']);
    expect(doubts).toEqual([
      { field: 'website', columns: ['URL', 'Domain'], map: '--map website=URL' },
    ]);
  });

  it('takes the header of a name column without any value', () => {
    expect(mapped('name;Land\nN/A;DE\n;FR')).toEqual(['name=name', 'hq_region=Land']);
    expect(mapped('Company;Land\n;DE')).toEqual(['name=Company', 'hq_region=Land']);
  });

  const none = 'No column looks like an organization name. Columns and first values: ';
  const several = 'Several columns may hold the organization name: ';
  const persons = 'Name (Jane Doe, John Doe)';
  it.each([
    ['Symbol;Title\nMMM;3M', `${none}Symbol (MMM), Title (3M)`, '--map name=Symbol'],
    ['Lieferant;Betrag\n100023;1,50', `${none}Lieferant (100023)`, '--map name=<column>'],
    ['Vendor;City\n3;Ulm\n4;Bonn\nACME;Bonn', `${none}Vendor (3)`, '--map name=City'],
    ['Nama Entitas;Negara\nAlpha Berhad;Malaysia', none, '--map "name=Nama Entitas"'],
    ['Supplier;Land\nV1;DE\nV2;DE\nV10;FR', none, '--map name=<column>'],
    ['Company;Land\n10023;DE\nK4;DE\nA2A;FR', none, ''],
    ['Land;Mail;Bezeichnung\nDE;a@b.example;Alpen', none, 'such as --map name=Bezeichnung.'],
    [';0\n0;Alpha SA\n1;Beta Coop', none, 'such as --map name=0.'],
    ['Name (contact);Land\nA;DE', none, ''],
    ['Industry;name;Vorname\nSteel;A2A;Eva\nPaper;A2A;Eva', '', '--map name=name'],
    ['Firma (alt);Firma (neu)\nA;B', several, ''],
    // Persons.
    [
      'Name;Vorname;Nr\nMeier;Hans;12\nHuber;Eva;13',
      '"Name" next to "Vorname" may have names of persons',
      'use --map name=Name.',
    ],
    [
      'Vorname;Nr;Name\nEva;12;Alpen',
      '"Name" next to "Vorname" may have names of persons',
      'use --map name=Name.',
    ],
    [
      'Company name;Name\nExample AG;Jane Doe\nGlass Ltd;John Doe',
      `${several}Company name (Example AG, Glass Ltd), ${persons}`,
      'Choose one: --map "name=Company name" or --map name=Name',
    ],
    [
      'Name;Email;Company\nJane Doe;j@x.example;Glass\nJohn Doe;d@x.example;Paper',
      `${several}${persons}, Company (Glass, Paper)`,
      'Choose one: --map name=Name or --map name=Company',
    ],
    ['Vorname;Name;Firma\n;Alpen GmbH;Holding', several, 'Choose one: --map name=Name or'],
    ['Nome;Cognome', none, 'If the file has no header line, add one.'],
    ['Vendor;Vendor Name', `${several}Vendor Name, Vendor`, '--map "name=Vendor Name"'],
    ['name;n;name', several, '--map name=#1'],
    ['Name 1;Nom', several, ''],
    ['Vendor;Name 1;Name 2;Name 1\n3;A;;A\n4;B;;B\nC-10;C;;C', several, '--map name=#2'],
    // The payer repeats, the payees do not.
    ['Entity;Supplier\nHealth;Acme\nHealth;Beta', several, '--map name=Supplier'],
  ])('asks for the name in %j', (table, message, hint) => {
    expect(() => mapped(table)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it('uses no column that is nearly empty', () => {
    const table = (header: string, row: string) =>
      `${header}\n${`${row}\n`.repeat(99)}Alpen;Beta AG`;
    expect(mapped(table('Firma;Name 1', ';Alpen GmbH'))).toEqual(['name=Name 1']);
    expect(mapped(table('Name;Supplier', ';Alpen GmbH'))).toEqual(['name=Supplier']);
    expect(() => mapped(table('Company;Nr', ';1'))).toThrow(none);
    // Of nine rows, one is enough.
    expect(mapped('Company;Nr\n;1\n;2\n;3\nA;4')).toEqual(['name=Company']);
  });

  it('limits the length of the error when header and values are long', () => {
    const header = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
    expect(() => map([header.join(';'), header.join(';')])).toThrow(/^.{100,2000}$/);
  });
});

describe('readMap', () => {
  it.each([
    ['Security;Land;name', 'name=Security,hq_region=Land', ['name=Security', 'hq_region=Land']],
    ['銘柄;国籍', 'name=銘柄,hq-region=国籍', ['name=銘柄', 'hq_region=国籍']],
    ['Company, Inc;x', 'name="Company, Inc",website=#2', ['name=Company, Inc', 'website=x']],
    ['name;Country;url', 'hq_region=,website=', ['name=name']],
    ['name;name', 'name=#2', ['name=name']],
    [
      'name;Sub-Region\nA;EMEA',
      'hq_subregion=Sub-Region',
      ['name=name', 'hq_subregion=Sub-Region'],
    ],
    ['Vorname;Name;Firma\nHans;Meier;Alpen', 'name=Name', ['name=Name']],
  ])('overrides the header %j with %s', (table, option, expected) => {
    expect(mapped(table, option)).toEqual(expected);
  });

  it.each([
    ['titel=Security', /"titel" is not a field/],
    ['name', /is not field=column/],
    ['name=Nowhere', /no column "Nowhere"/],
    ['name=#9', /no column #9/],
    ['name="Security,hq_region=Land', /the double quote in name="Security,hq_region=Land is not/],
    ['name=Security,NAME=Firma', /: name is given twice, as "Security" and "Firma"/],
    ['name=Security,name=', /as "Security" and ""/],
  ])('rejects --map %s', (option, message) => {
    expect(() => mapped('Security;Land', option)).toThrow(message);
  });

  it.each([
    ['a=b', /^The field comes before the "="\. The fields are name, hq_region, /],
    ['nmae=Firm', /^Did you mean --map name=Firm\? The field comes before the "="\. The fields/],
    ['Firma=name', /^Did you mean --map name=Firma\? The field comes before/],
    [
      'Web Site=website',
      /^Did you mean --map website=website or --map "website=Web Site"\? The field comes before/,
    ],
    ['nme=name', /^Did you mean --map name=name or --map name=nme\? The field comes before/],
  ])('shows the fields for --map %s, and what was meant', (option, text) => {
    const hint = expect.stringMatching(text);
    expect(() => readMap(fields, [option])).toThrow(expect.objectContaining({ hint }));
  });

  it.each([
    ['name=Suplier', /^Did you mean --map name=Supplier\? The columns are "Supplier", /],
    ['name=land', /^Did you mean --map 'name="Land, HQ"'\? The columns are /],
    ['name=Buyer', /^Did you mean --map name=Supplier\? The columns are /],
    [
      'website=Buyer',
      /^If the column is a new one, add it to the file first\. The columns are "Supplier", "Land, HQ"\.$/,
    ],
  ])('proposes the column that --map %s probably means', (option, text) => {
    const hint = expect.stringMatching(text);
    expect(() => mapped('Supplier;Land, HQ', option)).toThrow(expect.objectContaining({ hint }));
  });

  it('reads what mapPair writes', () => {
    const header = ['Company, Inc', 'Size 5"', 'Land'];
    const pairs = header.map((_, index) => mapPair('name', header, index));
    expect(pairs).toEqual(['name="Company, Inc"', 'name=#2', 'name=Land']);
    const read = pairs.map((pair) => readMap(fields, [pair]).get('name'));
    expect(read).toEqual(['Company, Inc', '#2', 'Land']);
  });
});
