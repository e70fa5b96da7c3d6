import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../../src/lists/list/columns.ts';
import { identityKey } from '../../../src/lists/list/keys.ts';
import { checkRow, readValues } from '../../../src/lists/list/rows.ts';

const check = (row: Record<string, string>) =>
  checkRow(readValues(Object.values(row), mapColumns({ header: Object.keys(row), sample: [] })));

describe('checkRow', () => {
  it('normalizes codes and numbers', () => {
    const { registration, problems } = check({
      name: 'Acme',
      hq_region: 'de',
      hq_subregion: 'de-by',
      is_legal_entity_name: 'Yes',
      duns_number: '15-048-3782',
      lei_number: '5299 00T8BM49AURSDO55',
      isin_number: 'us0378331005',
      currency: 'eur',
    });
    expect(problems).toEqual([]);
    expect(registration).toEqual({
      name: 'Acme',
      hq_region: 'DE',
      hq_subregion: 'BY',
      is_legal_entity_name: true,
      duns_number: '150483782',
      lei_number: '529900T8BM49AURSDO55',
      isin_number: 'US0378331005',
      currency: 'EUR',
    });
  });

  it.each([
    [{ hq_subregion: 'DE-BY' }, { hq_region: 'DE', hq_subregion: 'BY' }],
    [
      { country: 'NA', hq_subregion: 'us-ca' },
      { hq_region: 'US', hq_subregion: 'CA' },
    ],
    [
      { country: 'Germany', hq_subregion: 'DE-BY' },
      { hq_region: 'DE', hq_subregion: 'BY' },
    ],
    [
      { country: 'UK', hq_subregion: 'UK-ENG' },
      { hq_region: 'GB', hq_subregion: 'ENG' },
    ],
    [
      { country: 'Korea', hq_subregion: 'KR-11' },
      { hq_fuzzy: 'Korea', hq_subregion: '11' },
    ],
    // Ambiguous names are free text, and NA means Namibia or a missing value.
    [{ country: 'Korea' }, { hq_fuzzy: 'Korea' }],
    [{ country: 'Korea', address: 'Seoul' }, { hq_fuzzy: 'Seoul, Korea' }],
    [{ country: 'NA' }, {}],
    [{ country: 'Namibia' }, { hq_region: 'NA' }],
  ])('sends %j as %j', (place, sent) => {
    expect(check({ name: 'A', ...place })).toEqual({
      registration: { name: 'A', ...sent },
      problems: [],
    });
  });

  it.each([
    ['Austria', 'DE-BY', "is in DE, but the row's country is AT"],
    ['', 'XX-BY', 'is not an ISO 3166-2 subdivision code without the country prefix'],
  ])('rejects the country %j with the subregion %s', (country, subregion, problem) => {
    expect(check({ name: 'A', country, hq_subregion: subregion }).problems).toEqual([
      {
        field: 'hq_subregion',
        value: subregion,
        problem: `${problem} (--map hq_subregion= leaves the column out)`,
      },
    ]);
  });

  it.each([
    ['name', '\u200b\u3000'],
    ['name', 'N/A'],
    ['lei_number', '529900T8BM49AURSDO56'],
    ['isin_number', 'US0378331006'],
    ['duns_number', '12345'],
    ['hq_region', 'XX'],
    ['currency', 'euros'],
    ['is_legal_entity_name', 'perhaps'],
  ])('reports a problem for %s %j', (field, value) => {
    const { problems } = check({ name: 'Acme', [field]: value });
    expect(problems.map((problem) => problem.field)).toEqual([field]);
  });
});

describe('identityKey', () => {
  /* Those of the first version: a later field does not change the key of a row without it. */
  const firstFields =
    'name hq_region hq_subregion hq_fuzzy industry_id industry_name website external_id ' +
    'is_legal_entity_name duns_number lei_number isin_number sp_global_number';
  const service = 'https://api.example.com/v1';

  /* These keys never change: every later version and every Node must read today's journals. */
  it.each([
    [{ name: 'Acme AG' }, 'a39334aa46576a57c6788b00ddfb2c9f'],
    [{ name: 'Acme AG', hq_region: 'Deutschland' }, 'aab4aab33948a96f249ef0c5f80ad32c'],
    [
      { name: '東京電力', website: 'tepco.co.jp', lei_number: '5299' },
      'e4bf162a9b88e28af4e668d74a951f9f',
    ],
    [
      Object.fromEntries(firstFields.split(' ').map((field) => [field, field])),
      'a3f0a00d77c57827b92b22664d77fc0e',
    ],
  ])('computes the same key for %j in every version', (values, key) =>
    expect(identityKey(service, values)).toBe(key),
  );

  it('depends on the service and each value but the currency, and not on the column order', () => {
    const key = (values: Parameters<typeof identityKey>[1], of = service) =>
      identityKey(of, values);
    const same = key({ name: 'Acme', website: 'acme.com' });
    expect(key({ website: 'acme.com', name: 'Acme', currency: 'EUR' })).toBe(same);
    expect(key({ name: 'Acme', website: 'acme.com' }, 'sandbox')).not.toBe(same);
    expect(key({ name: 'ACME', website: 'acme.com' })).not.toBe(same);
    expect(key({ name: 'Acme\nwebsite 8 acme.com' })).not.toBe(same);
  });
});
