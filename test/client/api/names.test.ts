import { describe, expect, it } from 'vitest';
import { aliasOf, compareNames } from '../../../src/client/api/names.ts';

const relation = (a: string, b: string) => compareNames(aliasOf(a), aliasOf(b));

describe('compareNames', () => {
  it.each([
    ['Siemens', 'Siemens AG'],
    ['SIEMENS AKTIENGESELLSCHAFT', 'Siemens AG'],
    ['Müller & Söhne GmbH', 'Muller und Sohne'],
    ['L.V.M.H.', 'LVMH'],
    ['Ørsted A/S', 'ORSTED AS'],
    ['Łódź Trading', 'Lodz Trading'],
    ['Telefónica, S.A.', 'Telefonica SA'],
    ['Procter and Gamble', 'Procter & Gamble Company'],
    ['トヨタ自動車株式会社', 'トヨタ自動車'],
    ['Tata Pvt. Limited', 'Tata'],
    ['Tata Pvt. Limited', 'Tata Pvt. Ltd.'],
    ['Tata Private Comp', 'Tata Private Company'],
    ['ООО «Ромашка»', 'Ромашка'],
    ['OOO Romashka', 'Romashka'],
    ['Ромашка, ООО', 'Ромашка'],
  ])('counts %s and %s as one name', (a, b) => expect(relation(a, b)).toBe('equal'));

  it.each([
    ['Merck KGaA', 'Merck & Co.', 'legal form'],
    ['Siemens', 'Siemens Energy AG', 'extra words'],
    ['On SE', 'E.ON SE', 'extra words'],
    ['Company Y', 'Company E', 'similar'],
    // A legal form is never the whole name.
    ['Comp S.A.', 'SA', 'different'],
    ['Comp', 'Company', 'different'],
    ['Pvt. Limited', 'Limited', 'different'],
    ['ООО', 'ООО Ромашка', 'different'],
    ['Et SE', 'SE', 'different'],
    ['Gap', 'The Gap', 'extra words'],
    ['Bank of China', 'Bank of Chile', 'similar'],
    ['Müller GmbH', 'Mueller GmbH', 'similar'],
    ['Google', 'Alphabet Inc.', 'different'],
    ['Munich Re', 'Münchener Rückversicherungs-Gesellschaft AG', 'different'],
  ])('tells %s from %s: %s', (a, b, expected) => {
    expect(relation(a, b)).toBe(expected);
    expect(relation(b, a)).toBe(expected);
  });
});
