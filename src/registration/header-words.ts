import type { Identifier } from '../api/schema.ts';

/** A field of a registration that a column may provide. */
export type Field = keyof Identifier;

/**
 * Common headers of each field, folded with `foldHeader`. The field's own name always counts too.
 * Only unambiguous headers are listed: users map any other header with `--map`.
 */
export const synonyms: Readonly<Record<Field, readonly string[]>> = {
  name: words(
    'company companyname organization organizationname organisation organisationname supplier ' +
      'suppliername vendor vendorname account accountname business businessname legalname ' +
      'legalentity legalentityname entity entityname issuer issuername counterparty ' +
      'counterpartyname firma firmenname firmenbezeichnung unternehmensname lieferantenname ' +
      'nomentreprise nomdelentreprise nomdufournisseur raisonsociale nombreempresa ' +
      'nombredelaempresa razónsocial ragionesociale organisationsname unternehmen lieferant ' +
      'entreprise société fournisseur empresa proveedor azienda fornitore 会社名 企業名',
  ),
  hq_region: words(
    'country countrycode countryname countryregion countryiso countryiso2 isocountry ' +
      'isocountrycode hqcountry hqcountrycode headquarterscountry countryofheadquarters ' +
      'countryofincorporation suppliercountry vendorcountry land ländercode länderkürzel ' +
      'landescode codepays códigopaís códigodepaís pays país paese 国 国名',
  ),
  hq_subregion: words('subregion subregioncode statecode subdivision subdivisioncode hqstate'),
  hq_fuzzy: words(
    'hqaddress address fulladdress headquartersaddress adresse anschrift dirección indirizzo',
  ),
  industry_id: words('industryid industrycode sectorid sectorcode'),
  industry_name: words('industry industryname sector sectorname branche secteur industria settore'),
  website: words(
    'web websiteurl url domain domainname homepage companywebsite webaddress webseite ' +
      'internetseite internetadresse siteweb siteinternet sitioweb páginaweb sitoweb',
  ),
  external_id: words(
    'externalid supplierid suppliernumber supplierno suppliercode vendorid vendornumber ' +
      'vendorno vendorcode customerid accountid accountnumber companyid lieferantennummer ' +
      'lieferantennr kreditorennummer numérofournisseur numérodefournisseur codefournisseur ' +
      'númerodeproveedor códigodeproveedor códigoproveedor kreditor',
  ),
  is_legal_entity_name: words('legalentitynameflag islegalname islegalentity'),
  duns_number: words('duns dunsno dunsnr'),
  lei_number: words('lei leicode legalentityidentifier'),
  isin_number: words('isin isincode'),
  sp_global_number: words('spglobalid spglobal spid capitaliqid ciqid'),
  currency: words('currencycode reportingcurrency währung devise moneda divisa'),
};

/**
 * Aliases of later versions. They count only if none of the aliases above is in the header, so that
 * a file keeps the mapping that an earlier version chose.
 */
export const laterSynonyms: Readonly<Partial<Record<Field, readonly string[]>>> = {
  name: words(
    'participant participantname corporatename registeredname customername manufacturer ' +
      'nameofsupplier nameofvendor suppliername1 vendorname1 creditorname payeename ' +
      'businesspartnername kreditorenname kreditorname kreditorbezeichnung ' +
      'kreditorenbezeichnung lieferantname lieferantbezeichnung lieferantenbezeichnung ' +
      'namedeslieferanten namedeskreditors namelieferant namekreditor geschäftspartnername ' +
      'namedesgeschäftspartners nameadressattypunternehmen nomfournisseur nomdefournisseur ' +
      'libelléfournisseur libellefournisseur libellédufournisseur raisonsocialefournisseur ' +
      'raisonsocialedufournisseur dénominationsociale denominationsociale societe nomtiers nomdutiers nombreproveedor ' +
      'nombredelproveedor nombredeproveedor razonsocial razónsocialproveedor ' +
      'razónsocialdelproveedor denominaciónsocial nombreacreedor nombredelacreedor ' +
      'nombretercero nomefornitore denominazionefornitore ragionesocialefornitore ' +
      'denominazionesociale leveranciersnaam naamleverancier crediteurnaam bedrijfsnaam ' +
      'nomefornecedor nomedofornecedor razãosocial nazwadostawcy nazwakontrahenta ' +
      'leverantörsnamn leverandørnavn ' +
      'manufacturername 公司 公司名 公司名称 公司名稱 企业名称 企業名稱 单位名称 供应商 ' +
      '供应商名称 供應商名稱 法人名 法人名称 商号 商号又は名称 銘柄名 提出者名 発行者名 ' +
      '取引先名 仕入先名 회사명 기업명 법인명',
  ),
  hq_region: words(
    'companycountry companycountrycode countrykey countryregionkey länderschlüssel landschlüssel ' +
      'landregion paysfournisseur paysdufournisseur paísproveedor paísdelproveedor pais ' +
      'billingcountry billingcountrycode registeredcountry ' +
      'countryofregistration countryofdomicile domicilecountry locationcountry firmensitzland ' +
      'paysdusiège 国家 國家 国コード 国籍 所在国 本社所在国 국가',
  ),
  website: words(
    'companydomain companyurl companywebsiteurl websiteaddress corporatewebsite 网站 网址 ' +
      '官网 網址 ウェブサイト ホームページ 홈페이지',
  ),
  external_id: words(
    'creditornumber creditorno businesspartnernumber payeenumber kreditornummer kreditornr ' +
      'kreditorennr kreditorkonto kreditorenkonto lieferantnummer lieferantnr lieferantenid ' +
      'geschäftspartnernummer nfournisseur numerofournisseur codetiers numérotiers codigoproveedor ' +
      'códigodelproveedor númeroproveedor códigoacreedor codicefornitore ' +
      'leveranciersnummer crediteurnummer códigofornecedor leverantörsnummer ' +
      'leverandørnummer 取引先コード 仕入先コード 供应商编号 供应商代码',
  ),
  lei_number: words('leinumber leiid numérolei numerolei'),
  isin_number: words('isinnumber isinコード'),
};

/** Aliases of the name for headers without any other name column and without `personWords`. */
export const fallbackNameWords: readonly string[] = ['社名', 'nom', 'name1'];

/** Headers that show that `Name`, `Nom` and `Name 1` may be names of people. */
export const personWords: ReadonlySet<string> = new Set(
  words('prénom prenom prénoms vorname firstname givenname lastname surname'),
);

/**
 * Headers of columns that hold countries, sales regions, states or cities: the values decide
 * (`guessPlace`). The value is the field of a column that holds no country names.
 */
export const placeWords: ReadonlyMap<string, Field> = new Map([
  ['headquarters', 'hq_region'],
  ['hq', 'hq_region'],
  ['headquarterslocation', 'hq_fuzzy'],
  ['hqlocation', 'hq_fuzzy'],
  ['location', 'hq_fuzzy'],
  ['region', 'hq_region'],
]);

/** Folds a header for comparison: only letters and digits, in lower case. */
export function foldHeader(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

/**
 * Lists the aliases of a field by precedence: the field's own name, `Country`, the original
 * aliases, then the later ones.
 */
export function wordsOf(field: Field): readonly (readonly string[])[] {
  const country = field === 'hq_region' ? [['country']] : [];
  return [[foldHeader(field)], ...country, synonyms[field], laterSynonyms[field] ?? []];
}

/** The aliases of the name, folded with `foldHeader`. */
export const nameWords: ReadonlySet<string> = new Set(wordsOf('name').flat());

/** Checks whether a header is an alias of the name. */
export function isNameHeader(column: string): boolean {
  return nameWords.has(foldHeader(column));
}
