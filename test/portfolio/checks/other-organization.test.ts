import { describe, expect, it } from 'vitest';
import { otherOrganization } from '../../../src/portfolio/checks/other-organization.ts';

describe('otherOrganization', () => {
  it.each([
    ['another name and country', { name: 'Beta SA', hq_region: 'FR' }, 'Beta SA (FR)'],
    ['another name only', { name: 'Beta SA', hq_region: 'de' }, undefined],
    ['another country only', { name: 'ACME Aktiengesellschaft', hq_region: 'FR' }, undefined],
    ['a word in common', { name: 'Acme Holding SE', hq_region: 'FR' }, undefined],
    ['no country', { name: 'Beta SA' }, undefined],
    ['no name', { hq_region: 'FR' }, undefined],
    [
      'the name as another name of the match',
      {
        name: 'Beta SA',
        hq_region: 'FR',
        matching_organization: { name: 'Beta', names: [null, { value: 'Acme' }] },
      },
      undefined,
    ],
    [
      'the country of the match',
      { name: 'Beta', hq_region: 'FR', matching_organization: { hq_region: 'DE' } },
      undefined,
    ],
    ['values of other types', { name: 5, hq_region: [], matching_organization: 'x' }, undefined],
  ])('compares a response with %s', (_, record, other) => {
    expect(otherOrganization({ name: 'Acme AG', hq_region: 'DE' }, record)).toBe(other);
  });

  it('finds nothing when no country was sent', () => {
    expect(otherOrganization({ name: 'Acme' }, { name: 'Beta', hq_region: 'FR' })).toBeUndefined();
  });
});
