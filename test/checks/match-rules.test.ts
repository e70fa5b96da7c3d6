import { describe, expect, it } from 'vitest';
import type { Organization } from '../../src/api/schema.ts';
import {
  checkChangedMatch,
  checkMatch,
  checkMatched,
  type ListedOrganization,
  SharedMatches,
} from '../../src/checks/match-rules.ts';

const domainOf = (address: string) => /([\w-]+\.\w+)\/?$/.exec(address)?.[1];
const find = (listed: ListedOrganization, record: Organization) =>
  [...checkMatch(listed, record, domainOf)].map(({ rule, value }) => [rule, value]);
const matched = (name: string, ...names: string[]): Organization => ({
  name: 'echo of the registration',
  matching_organization: { id: 7, name, names: names.map((value) => ({ value })) },
});

describe('checkMatch', () => {
  it.each<[name: string, match: Organization, found: unknown[]]>([
    ['Siemens', matched('Siemens AG'), []],
    ['Google', matched('Alphabet Inc.', 'Google LLC'), []],
    ['Google', matched('Alphabet Inc.'), [['match_differs', 'Alphabet Inc.']]],
    ['Siemens', matched('Siemens Energy AG'), [['match_extra_word', 'Siemens Energy AG']]],
    ['Merck KGaA', matched('Merck & Co.'), [['match_legal_form', 'Merck & Co.']]],
    ['Bank of China', matched('Bank of Chile'), [['match_review', 'Bank of Chile']]],
  ])('judges %s by its best alias', (name, match, found) => {
    expect(find({ name }, match)).toEqual(found);
  });

  it('compares country, domain and external id where both are known', () => {
    const record: Organization = {
      name: 'Acme',
      external_id: 'S-2',
      matching_organization: {
        hq_region: 'US',
        websites: [{ value: 'https://www.acme.com/' }],
      },
    };
    const listed = { name: 'Acme', country: 'DE', website: 'acme.de', externalId: 'S-1' };
    expect(find(listed, record)).toEqual([
      ['match_country', 'US'],
      ['match_website', 'acme.com'],
      ['external_id', 'S-2'],
    ]);
    expect(find({ name: 'Acme', country: 'us', website: 'shop.acme.com' }, record)).toEqual([]);
    expect(find({ name: 'Acme' }, record)).toEqual([]);
  });
});

describe('other match rules', () => {
  it('name only a few of the ids that share a match', () => {
    const shared = new SharedMatches();
    for (let id = 1; id <= 100; id += 1) shared.add(id, matched('Acme'));
    const [first] = shared.observations();
    expect(first?.evidence).toBe(
      'matched organization 7 also stands behind 2, 3, 4, 5, 6 and 94 more',
    );
  });

  it('report ended research without a match, and a match that changed', () => {
    const rules = (observations: Iterable<{ rule: string }>) =>
      [...observations].map(({ rule }) => rule);
    expect(rules(checkMatched({ status: 'synced', matching_organization: {} }))).toEqual([
      'match_none',
    ]);
    expect(rules(checkMatched({ status: 'researching' }))).toEqual([]);
    expect(rules(checkMatched(matched('Acme')))).toEqual([]);
    const other = { matching_organization: { id: '8', name: 'Acme Holding' } };
    expect(rules(checkChangedMatch(matched('Acme'), other))).toEqual(['match_changed']);
    expect(rules(checkChangedMatch(matched('Acme'), matched('ACME')))).toEqual([]);
  });

  it('report one match of several ids, for each id', () => {
    const shared = new SharedMatches();
    shared.add(1, matched('Acme'));
    shared.add(1, matched('Acme'));
    shared.add(2, { matching_organization: { id: 9 } });
    expect([...shared.observations()]).toEqual([]);
    shared.add(3, matched('Acme'));
    expect([...shared.observations()].map(({ id, evidence }) => [id, evidence])).toEqual([
      [1, 'matched organization 7 also stands behind 3'],
      [3, 'matched organization 7 also stands behind 1'],
    ]);
  });
});
