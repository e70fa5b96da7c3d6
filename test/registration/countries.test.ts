import { describe, expect, it } from 'vitest';
import { countryCode } from '../../src/registration/countries.ts';

describe('countryCode', () => {
  const words = {
    AT: 'Österreich · Oesterreich',
    BO: 'Bolivia, Plurinational State of',
    CD: 'Congo (Dem. Rep.) · R.D. Congo',
    CG: 'Congo, Rep.',
    CI: 'Côte d’Ivoire',
    CN: 'PR China · P.R. China',
    CZ: 'Tschechische Republik · République tchèque',
    DE: 'DE · Germany · DE - Germany · Germany/Deutschland · Deutschland · DEU · Allemagne · Germany (Federal Republic)',
    EG: 'مصر',
    ES: 'España',
    GB: 'uk · United Kingdom (UK) · gbr · Großbritannien · GROSSBRITANNIEN · Royaume-Uni',
    GE: 'GE · Republic of Georgia · Georgien',
    HK: 'Hong Kong, China',
    IN: 'भारत',
    IR: 'Iran (Islamic Republic of)',
    JP: '日本 · 日本国',
    KR: 'Korea, Republic of · 대한민국 · Korea, Rep.',
    LA: 'Lao PDR',
    MM: 'Birmanie',
    MO: 'Macao (China)',
    NA: 'Namibia · NAM · Namibia (NA)',
    NL: 'The Netherlands · Niederlande · Les Pays-Bas',
    RU: 'Россия',
    SK: 'Slovak Republic',
    TW: 'Taiwan, Province of China · Taiwan, China',
    US: "UNITED STATES OF AMERICA · U.S.A. · Vereinigte Staaten von Amerika · Etats-Unis d'Amérique · 米国",
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

  it.each(['XX', 'EU', 'Europe', 'constructor', '12', '(', 'Atlanta, GA', 'x'.repeat(100_000)])(
    'returns undefined for %s, which is not a country',
    (word) => expect(countryCode(word)).toBeUndefined(),
  );
});
