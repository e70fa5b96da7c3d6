/*
 * Checks codes before anything is sent: countries (ISO 3166-1), currencies (ISO 4217), LEI (ISO
 * 17442), ISIN (ISO 6166) and D-U-N-S numbers.
 */

import { iso31661Alpha3ToAlpha2 } from 'iso-3166';

/** The result of a check: the normalized code, or the problem and the value probably meant. */
export type Checked =
  | { readonly code: string }
  | { readonly problem: string; readonly meant?: string | undefined };

/** Every ISO 3166-1 alpha-2 code, and XK, the common code for Kosovo. */
export const isoCodes: ReadonlySet<string> = new Set([
  ...Object.values(iso31661Alpha3ToAlpha2),
  'XK',
]);

/* Codes of the European Union that differ from ISO 3166-1. */
const codesOfUnion: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** Returns the two-letter code of a country code: itself, of three letters, UK or EL. */
export function countryCodeOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (isoCodes.has(code)) return code;
  return codesOfUnion[code] ?? iso31661Alpha3ToAlpha2[code];
}

/** Checks a country code in any case. Three-letter codes, UK and EL get a proposed code. */
export function checkCountry(value: string): Checked {
  const meant = countryCodeOf(value);
  if (meant !== undefined && isoCodes.has(value.trim().toUpperCase())) return { code: meant };
  return { problem: 'is not an ISO 3166-1 two-letter country code', meant };
}

/** Folds a country word for comparison: only letters, in lower case, without marks. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/&/g, 'and')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');
}

let currencies: ReadonlySet<string> | undefined;

/** Checks a currency code (ISO 4217) in any case. */
export function checkCurrency(value: string): Checked {
  const code = value.trim().toUpperCase();
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  if (currencies.has(code)) return { code };
  if (/[,;]/.test(code))
    return { problem: 'is not one currency code: run the command once for each' };
  const [meant] = currencyWords.find(([, words]) => words.test(value.trim())) ?? [];
  return { problem: 'is not an ISO 4217 currency code', meant };
}

/* Words for currencies that only one country has, or that are its most common one. */
const currencyWords: readonly (readonly [code: string, words: RegExp])[] = [
  ['EUR', /^(?:euros?|€)$/i],
  ['USD', /^(?:us ?dollars?|us\$|\$)$/i],
  ['CHF', /^(?:sfr\.?|(?:swiss )?francs?|(?:schweizer )?franken)$/i],
  ['GBP', /^(?:pounds?(?: sterling)?|sterling|£)$/i],
];

const whereToFind = ': look it up at search.gleif.org, or leave it out';

/** Checks a Legal Entity Identifier (ISO 17442), with two check digits (modulo 97). */
export function checkLei(value: string): Checked {
  const code = value.replace(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z0-9]{18}\d{2}$/.test(code))
    return { problem: `is not an LEI (18 letters or digits, then 2 digits)${whereToFind}` };
  const remainder = [...digits(code)].reduce((sum, digit) => (sum * 10 + Number(digit)) % 97, 0);
  return remainder === 1
    ? { code }
    : {
        problem: `has wrong check digits (ISO 17442), so a character may be mistyped${whereToFind}`,
      };
}

/** Checks an ISIN (ISO 6166), with a Luhn check digit. */
export function checkIsin(value: string): Checked {
  const code = value.replace(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(code))
    return { problem: 'is not an ISIN: a country code, 9 letters or digits, 1 digit' };
  const sum = [...digits(code)].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0
    ? { code }
    : { problem: 'has a wrong check digit (ISO 6166): a character may be mistyped' };
}

/** Checks a D-U-N-S number: 9 digits. Hyphens and spaces are removed. */
export function checkDuns(value: string): Checked {
  const code = value.replace(/[\s-]/g, '');
  return /^\d{9}$/.test(code) ? { code } : { problem: 'is not a D-U-N-S number of 9 digits' };
}

/* Converts letters to two-digit numbers for both checksums: A is 10, Z is 35. */
function digits(code: string): string {
  return code.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
}
