import type { Identifier } from '../contract.ts';

/** A field of a registration that a column may give. */
export type Field = keyof Identifier;

/**
 * What columns of each field are usually called, folded (`foldHeader`); the field's own name always counts.
 * Only names that mean one thing in every file that we know are here: `--map` decides the rest.
 */
export const synonyms: Readonly<Record<Field, readonly string[]>> = {
  name: [
    'company',
    'companyname',
    'organization',
    'organizationname',
    'organisation',
    'organisationname',
    'supplier',
    'suppliername',
    'vendor',
    'vendorname',
    'account',
    'accountname',
    'business',
    'businessname',
    'legalname',
    'legalentity',
    'legalentityname',
    'entity',
    'entityname',
    'issuer',
    'issuername',
    'counterparty',
    'counterpartyname',
    'firma',
    'firmenname',
    'unternehmen',
    'lieferant',
    'entreprise',
    'société',
    'fournisseur',
    'empresa',
    'proveedor',
    'azienda',
    'fornitore',
    '会社名',
    '企業名',
  ],
  hq_region: [
    'country',
    'countrycode',
    'countryname',
    'countryregion',
    'countryiso',
    'countryiso2',
    'isocountry',
    'isocountrycode',
    'hqcountry',
    'hqcountrycode',
    'headquarterscountry',
    'headquarters',
    'hq',
    'countryofheadquarters',
    'countryofincorporation',
    'suppliercountry',
    'vendorcountry',
    'region',
    'land',
    'pays',
    'país',
    'paese',
    '国',
    '国名',
  ],
  hq_subregion: ['subregion', 'subregioncode', 'statecode', 'subdivision', 'subdivisioncode', 'hqstate'],
  hq_fuzzy: [
    'hqaddress',
    'address',
    'fulladdress',
    'headquartersaddress',
    'adresse',
    'dirección',
    'indirizzo',
  ],
  industry_id: ['industryid', 'industrycode', 'sectorid', 'sectorcode'],
  industry_name: ['industry', 'industryname', 'sector', 'sectorname', 'branche'],
  website: ['web', 'websiteurl', 'url', 'domain', 'domainname', 'homepage', 'companywebsite', 'webaddress'],
  external_id: [
    'externalid',
    'supplierid',
    'suppliernumber',
    'supplierno',
    'suppliercode',
    'vendorid',
    'vendornumber',
    'vendorno',
    'vendorcode',
    'customerid',
    'accountid',
    'accountnumber',
    'companyid',
    'lieferantennummer',
    'kreditor',
  ],
  is_legal_entity_name: ['legalentitynameflag', 'islegalname', 'islegalentity'],
  duns_number: ['duns', 'dunsno', 'dunsnr'],
  lei_number: ['lei', 'leicode', 'legalentityidentifier'],
  isin_number: ['isin', 'isincode'],
  sp_global_number: ['spglobalid', 'spglobal', 'spid', 'capitaliqid', 'ciqid'],
  currency: ['currencycode', 'reportingcurrency', 'währung', 'devise', 'moneda'],
};

/** A header in the form in which headers are compared: letters and digits only, without case. */
export function foldHeader(header: string): string {
  return header
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
