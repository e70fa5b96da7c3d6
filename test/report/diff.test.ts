import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { organizationSchema } from '../../src/api/json-schema.ts';
import { readRecord } from '../../src/api/read-record.ts';
import type { Organization } from '../../src/api/schema.ts';
import { compare, type Snapshots, takeSnapshot } from '../../src/report/diff.ts';
import { differenceColumns, differenceRows, renderComparison } from '../../src/report/diff-text.ts';
import { loadStyle, plainStyle } from '../../src/terminal/style.ts';
import { width } from '../../src/terminal/text.ts';
import { arbitrary } from '../cli/output/schema.ts';
import { runs } from '../support/seed.ts';

const view = { style: plainStyle, columns: 80, terminal: true };
const entriesOf = async (...documents: object[]): Promise<Snapshots> =>
  new Map(
    documents.map((document, index) => [
      Number((document as { id?: number }).id ?? index),
      takeSnapshot(readRecord(JSON.parse(JSON.stringify(document))).record),
    ]),
  );
const year = (number: number, emissions: object) => ({ year: number, emissions });

it('finds a figure that came, went or changed, and none where only its reading did', async () => {
  const old = await entriesOf({
    id: 1,
    performances: [
      year(2023, { scope_1: { total: 5 }, scope_2: { total: 1 } }),
      year(2022, { total: 7 }),
    ],
  });
  const now = await entriesOf({
    id: 1,
    performances: [
      year(2024, { total: 3 }),
      year(2023, { scope_1: { sum: 5 }, scope_3: { total: 0 } }),
    ],
  });
  expect(compare(old, now).differences).toEqual([
    {
      id: 1,
      name: null,
      change: 'changed',
      synthetic: false,
      fields: [
        { field: 'emissions_total', year: 2024, region: null, old: null, new: 3 },
        { field: 'emissions_scope_2', year: 2023, region: null, old: 1, new: null },
        { field: 'emissions_scope_3', year: 2023, region: null, old: null, new: 0 },
        { field: 'emissions_total', year: 2022, region: null, old: 7, new: null },
      ],
    },
  ]);
});

it.each([
  [
    'the matched organization',
    { matching_organization: { id: 1, name: 'A' } },
    { matching_organization: { id: 2, name: 'A' } },
    ['matching_organization_id', 1, 2],
  ],
  [
    'a source',
    { sources: [{ url: 'https://a' }, { url: 'https://b' }] },
    { sources: [{ url: 'https://b' }, { url: 'https://c' }] },
    ['sources', 'https://a', 'https://c'],
  ],
  [
    'the date of evidence',
    { cdp: { last_retrieved_at: '2025-01-01' } },
    { cdp: { last_retrieved_at: '2026-01-01' } },
    ['cdp_last_retrieved_at', '2025-01-01', '2026-01-01'],
  ],
  [
    'revenue in one currency',
    { performances: [{ year: 2024, revenue: 1, revenue_currency: 'EUR' }] },
    { performances: [{ year: 2024, revenue: 2, revenue_currency: 'EUR' }] },
    ['revenue', 1, 2],
  ],
  [
    'nothing of revenue in two currencies',
    { performances: [{ year: 2024, revenue: 1, revenue_currency: 'EUR' }] },
    { performances: [{ year: 2024, revenue: 2, revenue_currency: 'USD' }] },
    undefined,
  ],
  [
    'a category of scope 3',
    { performances: [year(2024, { scope_3: { total: 9, business_travel: 1 } })] },
    { performances: [year(2024, { scope_3: { total: 9, business_travel: 2 } })] },
    ['emissions_scope_3_business_travel', 1, 2],
  ],
  [
    'a factor of the industry',
    {
      industry: { performances: [{ year: 2024, emission_factor: 1 }] },
      performances: [{ year: 2023, revenue_currency: 'EUR' }],
    },
    { industry: { performances: [{ year: 2024, emission_factor: 2, revenue_currency: 'EUR' }] } },
    ['industry_emission_factor', 1, 2],
  ],
  [
    'nothing of items that are not factors',
    { industry: { performances: [null, 'x', { year: '2024' }, { year: 2024 }] } },
    { industry: { performances: [{ year: 2024, emission_factor: 'x' }] } },
    undefined,
  ],
  [
    'a region of a year',
    {
      performances: [
        { year: 2024, region: 'DE', emissions: { total: 1 } },
        { year: 2024, region: 'FR', emissions: { total: 2 } },
      ],
    },
    {
      performances: [
        { year: 2024, region: 'FR', emissions: { total: 3 } },
        { year: 2024, region: 'DE', emissions: { total: 1 } },
      ],
    },
    ['emissions_total', 2, 3],
  ],
])('finds a change of %s', async (_, old, now, change) => {
  const [found, ...others] = compare(
    await entriesOf({ id: 1, ...old }),
    await entriesOf({ id: 1, ...now }),
  ).differences;
  expect(others).toEqual([]);
  expect(found?.fields.map(({ field, old: before, new: after }) => [field, before, after])).toEqual(
    change && [change],
  );
});

const unsafe = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
const record = arbitrary(organizationSchema) as fc.Arbitrary<Organization>;
const coloured = await loadStyle(3);

test('any two snapshots differ as seen from both sides, stay in their columns, and equal themselves', {
  tags: ['property'],
}, async () => {
  const records = fc.array(record, { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(records, records, fc.integer({ min: 0, max: 260 }), async (a, b, columns) => {
      const [old, now] = await Promise.all(
        [a, b].map((list) => entriesOf(...list.map((given, index) => ({ ...given, id: index })))),
      );
      if (old === undefined || now === undefined) throw new Error('two snapshots');
      expect(compare(old, old).differences).toEqual([]);
      const comparison = compare(old, now);
      const back = compare(now, old);
      const changed = (found: typeof back) =>
        found.differences.filter(({ change }) => change === 'changed');
      expect(changed(back).map(({ id, fields }) => [id, fields.length])).toEqual(
        changed(comparison).map(({ id, fields }) => [id, fields.length]),
      );
      const text = renderComparison(comparison, { ...view, columns });
      const most = Math.max(40, Math.min(columns, 200));
      expect(text.split('\n').filter((line) => unsafe.test(line) || width(line) > most)).toEqual(
        [],
      );
      const painted = renderComparison(comparison, { ...view, columns, style: coloured });
      expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(text);
      for (const row of comparison.differences.flatMap(differenceRows))
        expect(row).toHaveLength(differenceColumns.length);
    }),
    { numRuns: runs(60) },
  );
});
