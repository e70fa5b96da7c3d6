import { describe, expect, it } from 'vitest';
import { countryCode } from '../../../src/client/registration/countries.ts';

describe('countryCode', () => {
  const words = {
    AT: 'Österreich · Oesterreich',
    BO: 'Bolivia, Plurinational State of',
    BQ: 'Bonaire, Sint Eustatius and Saba',
    CD: 'Congo (Dem. Rep.) · R.D. Congo · Congo, The Democratic Republic of the',
    CG: 'Congo, Rep.',
    CI: 'Côte d’Ivoire',
    CN: 'PR China · P.R. China',
    CZ: 'Tschechische Republik · République tchèque',
    DE: 'DE · Germany · DE - Germany · Germany/Deutschland · Deutschland · DEU · Allemagne · Germany (Federal Republic)',
    EG: 'مصر',
    ES: 'España',
    FK: 'Falkland Islands (Malvinas) · Falkland Islands (the) [Malvinas]',
    GB: 'uk · United Kingdom (UK) · gbr · Großbritannien · GROSSBRITANNIEN · Royaume-Uni',
    GE: 'GE · Republic of Georgia · Georgien',
    GR: 'EL · el · Greece · Ελλάδα',
    GS: 'South Georgia and the South Sandwich Islands',
    HK: 'Hong Kong, China',
    HM: 'Heard Island and McDonald Islands',
    IN: 'भारत',
    IR: 'Iran (Islamic Republic of)',
    JP: '日本 · 日本国',
    KN: 'Saint Kitts and Nevis · St. Kitts & Nevis',
    KP: "Korea (the Democratic People's Republic of)",
    KR: 'Korea (the Republic of) · Korea, Republic of · 대한민국 · Korea, Rep.',
    LA: 'Lao PDR',
    LY: 'Libyan Arab Jamahiriya',
    MD: 'Moldova (the Republic of)',
    MF: 'Saint Martin (French part)',
    MK: 'Macedonia, The Former Yugoslav Republic of',
    MM: 'Birmanie',
    MO: 'Macao (China)',
    NA: 'Namibia · NAM · Namibia (NA)',
    NL: 'The Netherlands · Niederlande · Les Pays-Bas',
    PM: 'Saint Pierre and Miquelon',
    PS: 'Palestinian Territory, Occupied',
    RU: 'Россия',
    SH: 'Saint Helena, Ascension and Tristan da Cunha',
    SK: 'Slovak Republic',
    SX: 'Sint Maarten (Dutch part)',
    TW: 'Taiwan, Province of China · Taiwan, China',
    TZ: 'Tanzania, the United Republic of',
    UM: 'United States Minor Outlying Islands',
    US: "UNITED STATES OF AMERICA · U.S.A. · Vereinigte Staaten von Amerika · Etats-Unis d'Amérique · 米国",
    VA: 'Holy See (Vatican City State) · Holy See · Vatican City State',
    VC: 'Saint Vincent and the Grenadines',
    VN: 'Viet Nam',
  };

  it.each(
    Object.entries(words).flatMap(([code, text]) =>
      text.split(' · ').map((word) => [word, code] as const),
    ),
  )('maps %s to %s', (word, code) => expect(countryCode(word)).toBe(code));

  it.each([
    'Korea',
    'Congo',
    'Georgia',
    'GEORGIA',
    'Géorgie',
    'Georgia, US',
    'Georgia (GE)',
    'Republic of China',
    'Ireland (Northern)',
    'Jersey, US',
    'Germany, France',
    'Paris, France',
  ])('returns undefined for the ambiguous %s', (word) => expect(countryCode(word)).toBeUndefined());

  it.each([
    'XX',
    'EU',
    'Europe',
    'constructor',
    '12',
    '(',
    'Atlanta, GA',
    'x'.repeat(100_000),
    'UK2',
    'US1',
    'Germany 2',
    'FR9',
    'Germany?',
  ])('returns undefined for %s, which is not a country', (word) =>
    expect(countryCode(word)).toBeUndefined(),
  );
});
