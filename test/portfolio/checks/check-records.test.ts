import { describe, expect, it } from 'vitest';
import type { Organization } from '../../../src/client/api/schema.ts';
import {
  checkChanged,
  checkMatches,
  type ListedOrganization,
  SharedMatches,
} from '../../../src/portfolio/checks/check-records.ts';
import { EqualFigures, readFigures } from '../../../src/portfolio/checks/equal-figures.ts';
import { MatchFigures } from '../../../src/portfolio/checks/match-figures.ts';

const find = (listed: ListedOrganization, record: Organization) =>
  checkMatches(record, [listed]).map(({ rule, value }) => [rule, value]);
const matched = (name: string, ...names: string[]): Organization => ({
  name: 'echo of the registration',
  matching_organization: { id: 7, name, names: names.map((value) => ({ value })) },
});

describe('checkMatches', () => {
  it.each<[name: string, match: Organization, found: unknown[]]>([
    ['Siemens', matched('Siemens AG'), []],
    ['Google', matched('Alphabet Inc.', 'Google LLC'), []],
    ['Google', matched('Alphabet Inc.'), [['match_differs', 'Alphabet Inc.']]],
    ['Siemens', matched('Siemens Energy AG'), [['match_review', 'Siemens Energy AG']]],
    ['Merck KGaA', matched('Merck & Co.'), [['match_legal_form', 'Merck & Co.']]],
    ['On SE', matched('E.ON SE'), [['match_review', 'E.ON SE']]],
    ['Bank of China', matched('Bank of Chile'), [['match_review', 'Bank of Chile']]],
  ])('judges %s by its best alias', (name, match, found) => {
    expect(find({ name }, match)).toEqual(found);
  });

  it('compares country and domain where both are known', () => {
    const record: Organization = {
      name: 'Acme',
      matching_organization: {
        hq_region: 'US',
        websites: [{ value: 'https://www.acme.com/' }],
      },
    };
    const listed = { name: 'Acme', country: 'DE', website: 'acme.de' };
    expect(find(listed, record)).toEqual([
      ['match_country', 'US'],
      ['match_website', 'acme.com'],
    ]);
    for (const website of ['shop.acme.com', 'http://WWW.Acme.com:80/de', 'info@acme.com', 'none'])
      expect(find({ name: 'Acme', country: 'us', website }, record)).toEqual([]);
    expect(find({ name: 'Acme' }, record)).toEqual([]);
  });
});

describe('EqualFigures', () => {
  const of = (
    match: number | undefined,
    ...performances: Organization['performances'] & object
  ) => ({
    name: `Company ${match}`,
    matching_organization: { id: match },
    performances,
  });
  const scope1 = (total: number, year = 2025) => ({ year, emissions: { scope_1: { total } } });
  const find = (...records: readonly Organization[]) => {
    const equal = new EqualFigures();
    for (const [index, record] of records.entries()) equal.add(index + 1, readFigures(record));
    return equal.findings().map(({ id, evidence }) => [id, evidence]);
  };

  it('finds organizations with the figures of all years of another one, in any order', () => {
    const years = [scope1(5), scope1(4, 2024)];
    expect(find(of(1, ...years), of(2, ...years.toReversed()), of(3, scope1(5)))).toEqual([
      [1, 'all 2 figures are equal to those of Company 2 (2)'],
      [2, 'all 2 figures are equal to those of Company 1 (1)'],
    ]);
  });

  it('accepts one figure above 0, factors alone, and records of one matched organization', () => {
    const both = { scope_1: { total: 5 }, scope_2: { total: 4 } };
    const factors = { year: 2025, emission_factor: 5, total_upstream_emission_factor: 4 };
    expect(find(of(1, scope1(5), scope1(0, 2024)), of(2, scope1(5), scope1(0, 2024)))).toEqual([]);
    expect(find(of(1, factors), of(2, factors))).toEqual([]);
    expect(find(of(1, { emissions: both }), of(1, { emissions: both }))).toEqual([]);
    expect(find(of(1, { emissions: both }), of(2, { emissions: both }))).toHaveLength(2);
  });
});

describe('MatchFigures', () => {
  const of = (match: number | undefined, scope1: number | undefined, more: object = {}) => ({
    name: `Row of ${match}`,
    matching_organization: { id: match, name: 'Acme' },
    performances: [{ year: 2025, emissions: { scope_1: { total: scope1 } }, ...more }],
  });
  const find = (...records: readonly (readonly [Organization, day?: string])[]) => {
    const figures = new MatchFigures();
    for (const [index, [record, day]] of records.entries())
      figures.add(index + 1, readFigures(record), day && `2026-01-${day}T00:00:00Z`);
    return figures.findings();
  };
  const other = (id: number, newest: number) => [
    id,
    `emissions differ from those of Row of 7 (${newest}), the newest record of matched organization 7`,
  ];

  it('finds the records whose emissions are not those of the newest one with the same match', () => {
    const found = find([of(7, 5), '01'], [of(7, 6), '03'], [of(7, 6), '02'], [of(8, 9), '04']);
    expect(found.map(({ id, evidence }) => [id, evidence])).toEqual([other(1, 2)]);
    expect(found).toMatchObject([
      { rule: 'match_figures', severity: 'warning', value: '7', action: 'sync the list' },
    ]);
    const later = find([of(7, 6), '03'], [of(7, 5), '01'], [of(7, 5)]);
    expect(later.map(({ id, evidence }) => [id, evidence])).toEqual([other(1, 3)]);
  });

  it('accepts equal emissions in any order and currency, and records without emissions', () => {
    const [euro, yen] = [10, 1_600].map((revenue) => of(7, 5, { revenue }));
    expect(find([euro as Organization], [yen as Organization])).toEqual([]);
    const years = [of(7, 5), of(7, 4)].flatMap(({ performances }, index) =>
      performances.map((each) => ({ ...each, year: 2025 - index })),
    );
    const both = { ...of(7, 0), performances: years };
    expect(find([both], [{ ...both, performances: years.toReversed() }])).toEqual([]);
    expect(find([of(7, undefined), '02'], [of(7, 5), '01'])).toEqual([]);
    expect(find([of(undefined, 5)], [of(undefined, 6)])).toEqual([]);
  });
});

describe('other match rules', () => {
  it('report ended research without a match', () => {
    const rules = (record: Organization) => checkMatches(record, []).map(({ rule }) => rule);
    expect(rules({ status: 'synced', matching_organization: {} })).toEqual(['match_none']);
    expect(rules({ status: 'researching' })).toEqual([]);
    expect(rules(matched('Acme'))).toEqual([]);
  });

  it('report the last change of a match, and from when it was another', () => {
    const at = (day: string, id: number | null, name: string) => ({
      match: { id, name },
      since: `2026-${day}T00:00:00Z`,
    });
    const changes = (...matches: Parameters<typeof checkChanged>[1]) =>
      checkChanged({ id: 1, name: 'Acme' }, matches).map(({ evidence }) => evidence);
    const [old, now] = [at('03-01', 7, 'Acme'), at('05-01', 8, 'Acme Holding')];
    expect(changes(now, old, at('06-01', 8, 'ACME Holding'), at('07-01', null, ''))).toEqual([
      'matched to ACME Holding (8) since 1 May 2026, before that to Acme (7)',
    ]);
    expect(changes(old, at('05-01', 7, 'ACME'))).toEqual([]);
    expect(changes()).toEqual([]);
  });

  it('report one match of several ids, for each id', () => {
    const shared = new SharedMatches();
    shared.add(1, matched('Acme'));
    shared.add(1, matched('Acme'));
    shared.add(2, { matching_organization: { id: 9 } });
    expect(shared.findings()).toEqual([]);
    shared.add(3, matched('Acme'));
    expect(shared.findings().map(({ id, evidence }) => [id, evidence])).toEqual([
      [1, 'matched to Acme (7), as is ID 3'],
      [3, 'matched to Acme (7), as is ID 1'],
    ]);
    for (let id = 4; id <= 100; id += 1) shared.add(id, matched('Acme'));
    expect(shared.findings()[0]?.evidence).toMatch(/ as are IDs 3, 4, 5, 6, 7 and 93 more$/);
  });
});
