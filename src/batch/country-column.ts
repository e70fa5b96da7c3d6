/*
 * Recognizes country columns by their values. The chosen columns decide the row keys, so the result
 * must not depend on the version of Node: this file uses the fixed names below and never Intl.
 */
import { fold } from '../registration/countries.ts';
import { aliases } from '../registration/country-aliases.ts';
import { cellValue } from '../table/cell.ts';

const englishNames =
  "Afghanistan; Albania; Algeria; American Samoa; Andorra; Angola; Anguilla; Antigua and Barbuda; Argentina; Armenia; Aruba; Australia; Austria; Azerbaijan; Bahamas; Bahrain; Bangladesh; Barbados; Belarus; Belgium; Belize; Benin; Bermuda; Bhutan; Bolivia; Bosnia and Herzegovina; Botswana; Brazil; British Virgin Islands; Brunei; Bulgaria; Burkina Faso; Burundi; Cambodia; Cameroon; Canada; Cape Verde; Cabo Verde; Cayman Islands; Central African Republic; Chad; Chile; China; Colombia; Comoros; Cook Islands; Costa Rica; Côte d'Ivoire; Croatia; Cuba; Curaçao; Cyprus; Czechia; Denmark; Djibouti; Dominica; Dominican Republic; Ecuador; Egypt; El Salvador; Equatorial Guinea; Eritrea; Estonia; Eswatini; Ethiopia; Falkland Islands; Faroe Islands; Fiji; Finland; France; French Guiana; French Polynesia; Gabon; Gambia; Germany; Ghana; Gibraltar; Greece; Greenland; Grenada; Guadeloupe; Guam; Guatemala; Guernsey; Guinea-Bissau; Guyana; Haiti; Honduras; Hong Kong; Hong Kong SAR; Hungary; Iceland; India; Indonesia; Iran; Iraq; Ireland; Isle of Man; Israel; Italy; Jamaica; Japan; Jersey; Jordan; Kazakhstan; Kenya; Kiribati; Kosovo; Kuwait; Kyrgyzstan; Laos; Latvia; Lebanon; Lesotho; Liberia; Libya; Liechtenstein; Lithuania; Luxembourg; Macao; Macau; Madagascar; Malawi; Malaysia; Maldives; Mali; Malta; Marshall Islands; Martinique; Mauritania; Mauritius; Mayotte; Mexico; Micronesia; Moldova; Monaco; Mongolia; Montenegro; Montserrat; Morocco; Mozambique; Myanmar; Namibia; Nauru; Nepal; Netherlands; New Caledonia; New Zealand; Nicaragua; Niger; Nigeria; North Korea; North Macedonia; Norway; Oman; Pakistan; Palau; Palestine; Panama; Papua New Guinea; Paraguay; Peru; Philippines; Poland; Portugal; Puerto Rico; Qatar; Réunion; Romania; Russia; Rwanda; Saint Lucia; Samoa; San Marino; Saudi Arabia; Senegal; Serbia; Seychelles; Sierra Leone; Singapore; Slovakia; Slovenia; Solomon Islands; Somalia; South Africa; South Korea; South Sudan; Spain; Sri Lanka; Sudan; Suriname; Sweden; Switzerland; Syria; Taiwan; Tajikistan; Tanzania; Thailand; Timor-Leste; Togo; Tonga; Trinidad and Tobago; Tunisia; Türkiye; Turkmenistan; Uganda; Ukraine; United Arab Emirates; United Kingdom; United States; United States of America; Uruguay; Uzbekistan; Vanuatu; Vatican City; Venezuela; Viet Nam; Yemen; Zambia; Zimbabwe; " +
  'Deutschland; Österreich; Schweiz; Frankreich; Italien; Spanien; Belgien; Niederlande; Polen; Schweden; Norwegen; Dänemark; Finnland; Irland; Tschechien; Ungarn; Griechenland; Rumänien; Vereinigtes Königreich; Vereinigte Staaten; Russland; Japan; Indien; Türkei; Allemagne; Autriche; Suisse; Italie; Espagne; Belgique; Pays-Bas; Pologne; Suède; Royaume-Uni; États-Unis; Chine; Japon; Inde; 日本; 中国; 中國; 台湾; 台灣; 香港; 韓国; 韩国; 美国; 米国; 英国; ドイツ; フランス; 한국; 대한민국';

let folded: ReadonlySet<string> | undefined;

/**
 * Checks whether a text is the name of exactly one country. Of the texts with up to three letters,
 * only USA and UAE are.
 */
export function isCountryName(text: string): boolean {
  if (/^[A-Za-z]{1,3}$/.test(text)) return /^(?:USA|UAE)$/i.test(text);
  folded ??= new Set(englishNames.split('; ').map(fold));
  const word = fold(text.replace(/^the /i, ''));
  const short = fold(text.replace(/\s*\(.*\)/, ''));
  return folded.has(word) || folded.has(short) || Boolean(aliases.get(word));
}

/** Shares of the non-empty values of a column, from 0 to 1. */
export interface PlaceShares {
  readonly countryNames: number;
  /** Values of two letters: each may be a country, a state or a sales region. */
  readonly twoLetters: number;
}

/** Checks whether most values of a column have two or three letters, like codes. */
export function hasShortWords(cells: readonly string[]): boolean {
  const values = cells.flatMap((cell) => cellValue('hq_region', cell) ?? []);
  return values.filter((value) => /^[A-Za-z]{2,3}$/.test(value)).length > values.length / 2;
}

/** Measures the values of a column. Both shares of an empty column are 0. */
export function readPlaces(cells: readonly string[]): PlaceShares {
  const values = cells.flatMap((cell) => cellValue('hq_region', cell) ?? []);
  const share = (test: (value: string) => boolean) =>
    values.filter(test).length / Math.max(values.length, 1);
  return {
    countryNames: share(isCountryName),
    twoLetters: share((value) => /^[A-Za-z]{2}$/.test(value)),
  };
}

/**
 * Checks whether at least half of the values look like subregion codes: up to three characters, or
 * `DE-BY`.
 */
export function hasSubregionCodes(values: readonly string[]): boolean {
  const codes = values.filter((value) => /^(?:[A-Za-z]{2}-)?[A-Za-z0-9]{1,3}$/.test(value));
  return codes.length * 2 > values.length;
}
