/*
 * Defines the fields of a registration (section 9 of docs/service.md). The type and
 * the schema of the request body, the options of `register`, the columns of `batch`, the checks
 * before anything is sent, and the keys of rows all come from this table.
 */

import {
  type Checked,
  checkCountry,
  checkCurrency,
  checkDuns,
  checkIsin,
  checkLei,
} from './iso-codes.ts';

interface FieldRow {
  readonly about: string;
  /** Placeholder of the option's value; missing for a field that is true or false. */
  readonly placeholder?: string;
  readonly check?: (value: string) => Checked;
  /** Whether the value identifies the organization, so that it is part of the key of a row. */
  readonly isIdentity: boolean;
  /** Whether two organizations never have the same value. */
  readonly isUnique?: boolean;
  /**
   * Headers of columns with this field, folded with `foldHeader`: groups of words, separated by
   * spaces. The field's own name comes before them, and a header of one group before those of the
   * next. Other headers need `--map`.
   */
  readonly headers: readonly string[];
}

export interface RequestField extends FieldRow {
  readonly name: Field;
}

function checkSubregion(value: string): Checked {
  const code = value.trim().toUpperCase();
  if (/^[A-Z0-9]{1,3}$/.test(code)) return { code };
  const meant = /^[A-Z]{2}-([A-Z0-9]{1,3})$/.exec(code)?.[1];
  return { problem: 'is not an ISO 3166-2 subdivision code without the country prefix', meant };
}

function checkName(value: string): Checked {
  const code = value.trim();
  if (/^(?:https?:\/\/|www\.)\S+$/i.test(code)) return { problem: 'is a web address, not a name' };
  if (/^[^\s@]+@[^\s@]+\.\p{L}{2,}$/u.test(code))
    return { problem: 'is an email address, not a name' };
  return /[\p{L}\p{N}\p{S}]/u.test(code)
    ? { code }
    : { problem: 'is missing: an organization needs a name' };
}

/* Exports of SAP and DATEV have numbers of suppliers below such a header. */
const partnerWords =
  'supplier vendor creditor account businesspartner counterparty payee lieferant kreditor ' +
  'kreditoren geschäftspartner fournisseur tiers créancier proveedor acreedor tercero ' +
  'fornitore creditore leverancier crediteur fornecedor dostawca kontrahent leverantör ' +
  'leverandør';

/*
 * Company, name of the company and of the supplier in the languages of the European Union and of
 * its neighbors, of South and East Asia, in Arabic and in Hebrew.
 */
const companyWords =
  'именафирмата именакомпанията наименованиенафирмата наименованиенадружеството ' +
  'фирма компания дружество доставчик именадоставчика názevspolečnosti názevfirmy ' +
  'jménospolečnosti společnost názevdodavatele obchodnífirma obchodnínázev ' +
  'firmanavn selskabsnavn virksomhedensnavn virksomhed selskab bedriftsnavn ' +
  'selskapsnavn foretaksnavn bedrift selskap leverandørensnavn ' +
  'namedesunternehmens namederfirma namedergesellschaft gesellschaft firmierung ' +
  'επωνυμίαεταιρείας επωνυμίαεπιχείρησης όνομαεταιρείας εταιρεία ' +
  'επωνυμίαπρομηθευτή προμηθευτής nombredelacompañía nombredelasociedad compañía ' +
  'ettevõttenimi ettevõte firmanimi ärinimi tarnija tarnijanimi yrityksennimi ' +
  'yritys yhtiönnimi toiminimi nomdelasociété nomsociété nomdelacompagnie ' +
  'compagnie ainmnacuideachta ainmcuideachta cuideachta nazivtvrtke imetvrtke ' +
  'tvrtka nazivdruštva nazivpoduzeća nazivdobavljača dobavljač nazivfirme ' +
  'nazivkompanije nazivpreduzeća imefirme називфирме називпредузећа cégnév ' +
  'cégneve cég vállalatneve vállalat társaságneve szállítóneve szállító ' +
  'beszállítóneve beszállító nomeazienda nomedellazienda nomesocietà ' +
  'nomedellasocietà nomeimpresa nomedellimpresa società impresa įmonėspavadinimas ' +
  'įmonė bendrovėspavadinimas tiekėjas tiekėjopavadinimas uzņēmumanosaukums ' +
  'uzņēmums firmasnosaukums kompānijasnosaukums piegādātājs piegādātājanosaukums ' +
  'isemilkumpanija isemtalkumpanija kumpanija naambedrijf naamvanhetbedrijf ' +
  'bedrijf naamonderneming ondernemingsnaam firmanaam vennootschap nazwafirmy ' +
  'nazwaspółki nazwaprzedsiębiorstwa nazwapodmiotu spółka nomedaempresa ' +
  'nomeempresa nomedacompanhia companhia denominaçãosocial denumirefurnizor ' +
  'denumireafurnizorului denumireacompaniei denumirecompanie denumirefirmă ' +
  'denumireasocietății denumiresocietate numelecompaniei numecompanie numefirmă ' +
  'numefurnizor companie názovspoločnosti názovfirmy spoločnosť obchodnémeno ' +
  'názovdodávateľa imepodjetja nazivpodjetja podjetje imedružbe družba dobavitelj ' +
  'nazivdobavitelja företagsnamn företagetsnamn företag bolagsnamn bolag ' +
  'firmanamn nafnfyrirtækis назвакомпанії назвапідприємства назваорганізації ' +
  'назвапостачальника компанія підприємство організація названиекомпании ' +
  'наименованиекомпании названиеорганизации наименованиеорганизации ' +
  'наименованиепоставщика организация предприятие şirketadı şirketismi şirket ' +
  'şi̇rketadi kuruluşadı tedarikçiadı اسمالشركة الشركة اسمالمؤسسة اسمالمورد ' +
  'المورد שםהחברה שםחברה חברה שםהספק ספק कंपनीकानाम कम्पनीकानाम कंपनी कम्पनी ' +
  'आपूर्तिकर्ताकानाम ชื่อบริษัท บริษัท ชื่อผู้ขาย ผู้ขาย têncôngty côngty ' +
  'têndoanhnghiệp doanhnghiệp tênnhàcungcấp nhàcungcấp 公司全称 公司簡稱 公司简称 企业 企業 会社 ' +
  '供應商 取引先 法人名稱 회사 회사이름 기업 업체명 상호 공급업체 공급업체명 거래처명 namaperusahaan perusahaan ' +
  'namasyarikat syarikat namapemasok pemasok ';

const placeWords = 'headquarters hq headquarterslocation hqlocation location region';

/* Row keys depend on the order: append new fields, and never reorder. */
const table = {
  name: {
    placeholder: 'text',
    about: 'name of the organization',
    check: checkName,
    isIdentity: true,
    headers: [
      'company companyname organization organizationname organisation organisationname ' +
        'supplier suppliername vendor vendorname account accountname business businessname ' +
        'legalname legalentity legalentityname entity entityname issuer issuername ' +
        'counterparty counterpartyname firma firmenname firmenbezeichnung unternehmensname ' +
        'lieferantenname nomentreprise nomdelentreprise nomdufournisseur raisonsociale ' +
        'nombreempresa nombredelaempresa razónsocial ragionesociale organisationsname ' +
        'unternehmen lieferant entreprise société fournisseur empresa proveedor azienda ' +
        'fornitore 会社名 企業名 nameofcompany companycommonname namecompany legalbusinessname ' +
        'vendororganizationname payee payeename creditor creditorname nameofsupplier ' +
        'nameofvendor suppliername1 vendorname1 beneficiary beneficiaryname recipientname ' +
        'recipientorgname merchantname suppliernameaddressreftyperefnumberissmeisvcse ' +
        'adjudicatario aggiudicatario beneficiario nomebeneficiario favorecido ' +
        'nomefavorecido entidadeadjudicatária titulaire titulairedenominationsociale ' +
        'bénéficiaire nombeneficiaire wykonawca nazwawykonawcy toimittaja toimittajannimi ' +
        'dodavatel dodávateľ furnizor поставщик постачальник tedarikçi yüklenici ' +
        'participant participantname corporatename registeredname customername manufacturer ' +
        'businesspartnername kreditorenname kreditorname kreditorbezeichnung ' +
        'kreditorenbezeichnung lieferantname lieferantbezeichnung lieferantenbezeichnung ' +
        'namedeslieferanten namedeskreditors namelieferant namekreditor ' +
        'geschäftspartnername namedesgeschäftspartners nameadressattypunternehmen ' +
        'nomfournisseur nomdefournisseur libelléfournisseur libellefournisseur ' +
        'libellédufournisseur raisonsocialefournisseur raisonsocialedufournisseur ' +
        'dénominationsociale denominationsociale societe nomtiers nomdutiers ' +
        'nombreproveedor nombredelproveedor nombredeproveedor razonsocial ' +
        'razónsocialproveedor razónsocialdelproveedor denominaciónsocial nombreacreedor ' +
        'nombredelacreedor nombretercero nomefornitore denominazionefornitore ' +
        'ragionesocialefornitore denominazionesociale leveranciersnaam naamleverancier ' +
        'crediteurnaam bedrijfsnaam nomefornecedor nomedofornecedor razãosocial ' +
        'nazwadostawcy nazwakontrahenta leverantörsnamn leverandørnavn manufacturername 公司 ' +
        '公司名 公司名称 公司名稱 企业名称 企業名稱 单位名称 供应商 供应商名称 供應商名稱 法人名 法人名称 商号 商号又は名称 銘柄名 提出者名 発行者名 取引先名 ' +
        '仕入先名 회사명 기업명 법인명 ' +
        companyWords +
        partnerWords,
      '社名 nom name1 nome nombre nazwa ad naam navn namn nimi név název názov naziv ' +
        'denumire наименование назва επωνυμία denominazione denomsocial ' +
        'denominationunitelegale virksomhedsnavn firmaadı firmaunvanı şirketunvanı ' +
        'ticaretunvanı unvan partnerneve security securityname nameofsecurity ' +
        'nameofsecurities instrument instrumentname constituent constituentname ' +
        'holding holdingname brand brandname 종목명 証券名 证券简称 证券名称 證券簡稱 股票简称 股票名称 ' +
        'найменування entitylegalname parententity parentcompany parentcompanyname signatory ' +
        'signatoryname',
    ],
  },
  hq_region: {
    placeholder: 'code',
    about: 'country of the headquarters, ISO 3166-1 alpha-2 (DE)',
    check: checkCountry,
    isIdentity: true,
    headers: [
      'country',
      'countrycode isocountrycode isocountry countryiso countryiso2 landiso2 addresscountrycode ' +
        'primaryaddresscountrycode physicaladdresscountrycode recipientcountrycode ' +
        'addresscountryregionid hqaddresscountry entityheadquartersaddresscountry',
      'countryname countryregion ' +
        'hqcountry hqcountrycode headquarterscountry countryofheadquarters ' +
        'countryofincorporation suppliercountry vendorcountry land ländercode länderkürzel ' +
        'landescode codepays códigopaís códigodepaís pays país paese nazione ülke kraj země ' +
        'krajina ország țară maa страна країна χώρα land1 recipientcountryname regaddresscountry ' +
        'cntryterrtryofdom 国 国名',
      'companycountry companycountrycode countrykey countryregionkey länderschlüssel ' +
        'landschlüssel landregion paysfournisseur paysdufournisseur paísproveedor ' +
        'paísdelproveedor pais billingcountry billingcountrycode registeredcountry ' +
        'countryofregistration countryofdomicile domicilecountry locationcountry ' +
        'firmensitzland paysdusiège 国家 國家 国コード 国籍 所在国 本社所在国 국가',
      placeWords,
    ],
  },
  hq_subregion: {
    placeholder: 'code',
    about: 'subdivision of that country, ISO 3166-2 (OH for Ohio)',
    check: checkSubregion,
    isIdentity: true,
    headers: ['subregion subregioncode statecode subdivision subdivisioncode hqstate'],
  },
  hq_fuzzy: {
    placeholder: 'text',
    about: 'country name or address, if the code is unknown',
    isIdentity: true,
    headers: [
      'hqaddress address fulladdress headquartersaddress adresse anschrift dirección ' +
        'indirizzo',
    ],
  },
  industry_id: {
    placeholder: 'id',
    about: "the service's id for the industry",
    isIdentity: true,
    headers: ['industryid industrycode sectorid sectorcode'],
  },
  industry_name: {
    placeholder: 'text',
    about: 'name of the industry',
    isIdentity: true,
    headers: ['industry industryname sector sectorname branche secteur industria settore'],
  },
  website: {
    placeholder: 'address',
    about: 'website or email address',
    isIdentity: true,
    headers: [
      'web websiteurl url domain domainname homepage companywebsite webaddress webseite ' +
        'internetseite internetadresse siteweb siteinternet sitioweb páginaweb sitoweb',
      'companydomain companyurl companywebsiteurl websiteaddress corporatewebsite 网站 网址 官网 ' +
        '網址 ウェブサイト ホームページ 홈페이지',
    ],
  },
  external_id: {
    placeholder: 'id',
    about: 'your own id for the organization, such as a supplier number',
    isIdentity: true,
    isUnique: true,
    headers: [
      'externalid supplierid suppliernumber supplierno suppliercode vendorid vendornumber ' +
        'vendorno vendorcode customerid accountid accountnumber companyid lieferantennummer ' +
        'lieferantennr kreditorennummer numérofournisseur numérodefournisseur codefournisseur ' +
        'númerodeproveedor códigodeproveedor códigoproveedor kreditor',
      'creditornumber creditorno businesspartnernumber payeenumber kreditornummer kreditornr ' +
        'kreditorennr liefnr krednr kreditorkonto kreditorenkonto lieferantnummer lieferantnr ' +
        'lieferantenid geschäftspartnernummer nfournisseur numerofournisseur codetiers numérotiers ' +
        'codigoproveedor códigodelproveedor númeroproveedor códigoacreedor codicefornitore ' +
        'leveranciersnummer crediteurnummer códigofornecedor leverantörsnummer ' +
        'leverandørnummer 取引先コード 仕入先コード 供应商编号 供应商代码',
      partnerWords,
    ],
  },
  is_legal_entity_name: {
    about: 'the name is a legal entity name, not a brand',
    isIdentity: true,
    headers: ['legalentitynameflag islegalname islegalentity'],
  },
  duns_number: {
    placeholder: 'number',
    about: 'D-U-N-S number, 9 digits',
    check: checkDuns,
    isIdentity: true,
    isUnique: true,
    headers: ['duns dunsno dunsnr'],
  },
  lei_number: {
    placeholder: 'code',
    about: 'Legal Entity Identifier, ISO 17442, 20 characters',
    check: checkLei,
    isIdentity: true,
    isUnique: true,
    headers: [
      'lei leicode legalentityidentifier',
      'leinumber leino leiid companylei numérolei numerolei codelei codicelei',
    ],
  },
  isin_number: {
    placeholder: 'code',
    about: 'ISIN, ISO 6166, 12 characters',
    check: checkIsin,
    isIdentity: true,
    isUnique: true,
    headers: [
      'isin isincode',
      'isinnumber isinno isinnr companyisin primaryisin shareisin sisincode codeisin codiceisin isinコード',
    ],
  },
  sp_global_number: {
    placeholder: 'id',
    about: 'S&P Global identifier',
    isIdentity: true,
    isUnique: true,
    headers: ['spglobalid spglobal spid capitaliqid ciqid'],
  },
  currency: {
    placeholder: 'code',
    about: 'currency of revenue and emission factors in the response, ISO 4217',
    check: checkCurrency,
    isIdentity: false,
    headers: ['currencycode reportingcurrency währung devise moneda divisa'],
  },
} satisfies Readonly<Record<string, FieldRow>>;

export type Field = keyof typeof table;

type Value<Name extends Field> = (typeof table)[Name] extends { readonly placeholder: string }
  ? string
  : boolean;

/** Fields that identify an organization to register (section 9). Only `name` is required. */
export type Identifier = { readonly name: string } & {
  readonly [Name in Exclude<Field, 'name'>]?: Value<Name> | undefined;
};

/** Body of a registration: the known fields, and fields that this version does not know yet. */
export type Registration = Identifier & { readonly [field: string]: string | boolean | undefined };

const rows: Readonly<Record<Field, FieldRow>> = table;
const known: Readonly<Record<string, FieldRow>> = table;

/** Every field of a registration, in the order of help and documentation. */
export const identifierFields: readonly RequestField[] = (Object.keys(table) as Field[]).map(
  (name) => ({ ...rows[name], name }),
);

export const fields: readonly Field[] = identifierFields.map(({ name }) => name);

/** Headers that stand for the name of a supplier or for its number: the values decide. */
export const isPartnerHeader = (word: string): boolean => hasWord(partnerWords, word);

/** Headers of countries, sales regions or cities: the values decide. */
export const isPlaceHeader = (word: string): boolean => hasWord(placeWords, word);

/** Folds a header for comparison: only letters and digits, in lower case. */
export function foldHeader(header: string): string {
  // The other pattern takes a millisecond to compile.
  if (/^[ -~]*$/.test(header)) return header.toLowerCase().replace(/[^a-z0-9]/g, '');
  return header
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** Checks whether one of several words, separated by spaces, is a folded header. */
export function hasWord(words: string, header: string): boolean {
  return ` ${words} `.includes(` ${header} `);
}

export function fieldsOfHeader(header: string): readonly Field[] {
  const word = foldHeader(header);
  return identifierFields
    .filter(
      ({ name, headers }) =>
        foldHeader(name) === word || headers.some((words) => hasWord(words, word)),
    )
    .map(({ name }) => name);
}

export interface Problem {
  readonly field: string;
  readonly value: string;
  /** The predicate of a sentence about the value, such as "is not an ISO 4217 currency code". */
  readonly problem: string;
  readonly meant?: string | undefined;
}

/**
 * Checks the values of a registration and normalizes codes to upper case without spaces.
 *
 * @param values text by field name; unknown fields stay unchanged, undefined ones are left out
 */
export function checkIdentifier(values: Readonly<Record<string, string | boolean | undefined>>): {
  readonly registration: Registration;
  readonly problems: readonly Problem[];
} {
  const accepted: [string, string | boolean][] = [];
  const problems: Problem[] = [];
  for (const [field, value] of Object.entries({ name: '', ...values })) {
    if (value === undefined) continue;
    const { check } = known[field] ?? {};
    const checked = typeof value === 'string' ? check?.(value) : undefined;
    if (checked !== undefined && 'problem' in checked)
      problems.push({ field, value: String(value), ...checked });
    else accepted.push([field, checked?.code ?? value]);
  }
  return { registration: Object.fromEntries(accepted) as Registration, problems };
}

/** Checks whether a text is a web or an email address. */
export function isAddress(text: string): boolean {
  return /^\S+[.@]\S+$/.test(text);
}

/* Checks whether a text is one word that ends like a domain: `acme.org`, but not E.ON. */
function isDomain(text: string): boolean {
  return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{Ll}{2,}$/u.test(text);
}

/**
 * Returns what seems to be in the wrong field, although it may be sent: a name that is a domain
 * where no website is given (Booking.com has that name), and a website that is no address.
 */
export function doubtsAbout({ name, website }: Registration): readonly Problem[] {
  if (website === undefined)
    return isDomain(name)
      ? [{ field: 'name', value: name, problem: 'looks like a web address, not a name' }]
      : [];
  if (isAddress(website.trim())) return [];
  return [{ field: 'website', value: website, problem: 'is neither a web nor an email address' }];
}

/** Describes problems in one sentence, by the names of the fields. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ field, value, problem, meant }) => {
      const question = meant === undefined ? '' : `: did you mean ${meant}?`;
      return `${field} "${value}" ${problem}${question}`;
    })
    .join('; ');
}

/* Labels of a row that adds up others: no organization, and no purchase. */
const totalLabels: ReadonlySet<string> = new Set(
  (
    'total|totals|grand total|overall total|report total|subtotal|sub-total|overall result|sum|' +
    'gesamt|gesamtsumme|gesamtergebnis|gesamtbetrag|gesamtwert|summe gesamt|ergebnis gesamt|' +
    'total gesamt|insgesamt|summe|summen|endsumme|zwischensumme|teilsumme|ergebnis|' +
    'zwischenergebnis|teilergebnis|total général|total géneral|total genéral|' +
    'total general|sous-total|totaux|total geral|somatório|somatorio|totale|totale complessivo|' +
    'totale generale|somme|somma|suma|suma total|subtotale|totaal|subtotaal|eindtotaal|razem|' +
    'suma końcowa|suma koncowa|totalsumma|yhteensä|yhteensa|i alt|итого|всего|総合計|合計|小計|' +
    '総計|合计|小计|总计|總計|합계|총계|소계'
  ).split('|'),
);

/* A number, a year or a currency after a label. */
const afterLabel =
  /[\s:\d.,]*(?:[([]?(?:eur|usd|gbp|chf|jpy|cny|sek|nok|dkk|pln|czk|huf|aud|cad|inr|brl|[€$£¥])[)\]]?[\s:\d.,]*)?$/;

/**
 * Checks whether a text is nothing but the label of a total in one of many languages, perhaps with
 * a number, a year or a currency.
 */
export function isTotalLabel(text: string): boolean {
  return text.length <= 60 && totalLabels.has(text.toLowerCase().replace(afterLabel, ''));
}

/**
 * Checks whether a row is a total: its name is a label, and no other cell identifies an
 * organization. TotalEnergies, "Total Ltd", and TOTAL with a country are companies.
 */
export function isTotalRow(values: Readonly<Partial<Record<Field, string>>>): boolean {
  for (const field in values) if (field !== 'name' && field !== 'currency') return false;
  return values.name !== undefined && isTotalLabel(values.name);
}
