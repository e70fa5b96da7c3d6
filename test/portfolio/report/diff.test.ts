import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { loadStyle, plainStyle } from '../../../src/display/terminal/style.ts';
import { compare } from '../../../src/portfolio/report/diff.ts';
import {
  differenceColumns,
  differenceRows,
  renderComparison,
} from '../../../src/portfolio/report/diff-text.ts';
import {
  createTakeSnapshot,
  type Snapshots,
  type TakeSnapshot,
} from '../../../src/portfolio/report/snapshot.ts';
import { anyOrganization } from '../../cli/output/schema.ts';
import { badLines, withoutColors } from '../../support/screen.ts';
import { runs } from '../../support/seed.ts';

const takeSnapshot = createTakeSnapshot();

const view = { style: plainStyle, columns: 80 };
const entriesOf = (...documents: object[]): Snapshots =>
  new Map(
    documents.map((document, index) => [
      Number((document as { id?: number }).id ?? index),
      takeSnapshot(readRecord(JSON.parse(JSON.stringify(document))).record),
    ]),
  );
const year = (number: number, emissions: object) => ({ year: number, emissions });

/* The fields that differ between two records of an organization. */
function changes(old: object = {}, now: object = {}) {
  const { differences } = compare(entriesOf({ id: 1, ...old }), entriesOf({ id: 1, ...now }));
  expect(differences.length).toBeLessThan(2);
  return differences.flatMap(({ fields }) =>
    fields.map((each) => [each.year, each.field, each.old, each.new]),
  );
}

const of2024 = (performance: object) => ({ performances: [{ year: 2024, ...performance }] });
const money = (revenue: number, revenue_currency: string) => of2024({ revenue, revenue_currency });
const travel = (business_travel: number) =>
  of2024({ emissions: { scope_3: { total: 9, business_travel } } });
const scope2 = (figures: object) => of2024({ emissions: { scope_2: figures } });
const inRegion = (region: string, total: number) => ({
  ...year(2024, { total }),
  region,
});

it('finds a figure that came, went or changed, and none where only its reading did', () => {
  const performances = [
    [year(2023, { scope_1: { total: 5 }, scope_2: { total: 1 } }), year(2022, { total: 7 })],
    [year(2024, { total: 3 }), year(2023, { scope_1: { sum: 5 }, scope_3: { total: 0 } })],
  ];
  const [old, now] = performances.map((years) => ({ performances: years }));
  expect(changes(old, now)).toEqual([
    [2024, 'emissions_total', null, 3],
    [2023, 'emissions_scope_2', 1, null],
    [2023, 'emissions_scope_3', null, 0],
    [2022, 'emissions_total', 7, null],
  ]);
});

it.each<[what: string, old: object, now: object, change: unknown[] | undefined]>([
  [
    'the matched organization',
    { matching_organization: { id: 1, name: 'A' } },
    { matching_organization: { id: 2, name: 'A' } },
    [null, 'matching_organization_id', 1, 2],
  ],
  [
    'a source',
    { sources: [{ url: 'https://a' }, { url: 'https://b' }] },
    { sources: [{ url: 'https://b' }, { url: 'https://c' }] },
    [null, 'sources', 'https://a', 'https://c'],
  ],
  [
    'the date of evidence',
    { cdp: { last_retrieved_at: '2025-01-01' } },
    { cdp: { last_retrieved_at: '2026-01-01' } },
    [null, 'cdp_last_retrieved_at', '2025-01-01', '2026-01-01'],
  ],
  ['revenue in one currency', money(1, 'EUR'), money(2, 'EUR'), [2024, 'revenue', 1, 2]],
  [
    'only the currency of revenue in two currencies',
    money(1, 'EUR'),
    money(2, 'USD'),
    [2024, 'revenue_currency', 'EUR', 'USD'],
  ],
  [
    'location-based scope 2 behind a market-based one',
    scope2({ total_market_based: 10, total_location_based: 50 }),
    scope2({ total_market_based: 10, total_location_based: 500 }),
    [2024, 'emissions_scope_2_total_location_based', 50, 500],
  ],
  [
    'location-based scope 2, once',
    scope2({ total_location_based: 50 }),
    scope2({ total_location_based: 500 }),
    [2024, 'emissions_scope_2', 50, 500],
  ],
  [
    'the method of scope 2 behind one figure',
    scope2({ total_market_based: 50 }),
    scope2({ total: 50 }),
    [2024, 'scope_2_method', 'total_market_based', 'total'],
  ],
  [
    'nothing of a scope 2 whose method stays unknown',
    scope2({ total: 50 }),
    scope2({ sum: 50 }),
    undefined,
  ],
  [
    'a category of scope 3',
    travel(1),
    travel(2),
    [2024, 'emissions_scope_3_business_travel', 1, 2],
  ],
  [
    'a factor of the industry',
    {
      industry: { performances: [{ year: 2024, emission_factor: 1 }] },
      performances: [{ year: 2023, revenue_currency: 'EUR' }],
    },
    { industry: { performances: [{ year: 2024, emission_factor: 2, revenue_currency: 'EUR' }] } },
    [2024, 'industry_emission_factor', 1, 2],
  ],
  [
    'nothing of items that are not factors',
    { industry: { performances: [null, 'x', { year: '2024' }, { year: 2024 }] } },
    { industry: { performances: [{ year: 2024, emission_factor: 'x' }] } },
    undefined,
  ],
  [
    'a region of a year',
    { performances: [inRegion('DE', 1), inRegion('FR', 2)] },
    { performances: [inRegion('FR', 3), inRegion('DE', 1)] },
    [2024, 'emissions_total', 2, 3],
  ],
])('finds a change of %s', (_, old, now, change) => {
  expect(changes(old, now)).toEqual(change === undefined ? [] : [change]);
});

const coloured = await loadStyle(3);

test('any two snapshots differ as seen from both sides, stay in their columns, and equal themselves', {
  tags: ['property'],
}, () => {
  const records = fc.array(anyOrganization, { maxLength: 4 });
  fc.assert(
    fc.property(records, records, fc.integer({ min: 0, max: 260 }), (a, b, columns) => {
      const numbered = (list: typeof a) => list.map((given, index) => ({ ...given, id: index }));
      const [old, now] = [entriesOf(...numbered(a)), entriesOf(...numbered(b))];
      expect(compare(old, old).differences).toEqual([]);
      const comparison = compare(old, now);
      const back = compare(now, old);
      const changed = (found: typeof back) =>
        found.differences.filter(({ change }) => change === 'changed');
      expect(changed(back).map(({ id, fields }) => [id, fields.length])).toEqual(
        changed(comparison).map(({ id, fields }) => [id, fields.length]),
      );
      const text = renderComparison(comparison.differences, { ...view, columns });
      const most = Math.max(40, Math.min(columns, 200));
      expect(badLines(text, most)).toEqual([]);
      const painted = renderComparison(comparison.differences, {
        ...view,
        columns,
        style: coloured,
      });
      expect(withoutColors(painted)).toBe(text);
      for (const row of comparison.differences.flatMap(differenceRows))
        expect(row).toHaveLength(differenceColumns.length);
    }),
    { numRuns: runs(60) },
  );
});

describe('createTakeSnapshot', () => {
  it('shares equal texts within a comparison, and keeps none for the next one', () => {
    const record = () => {
      const scope2 = { total_market_based: 1 };
      const year = { year: 2025, revenue_currency: 'EUR', emissions: { scope_2: scope2 } };
      return readRecord({ id: 1, performances: [year] }).record;
    };
    const textsOf = (take: TakeSnapshot) => take(record()).years[0]?.texts;
    const [one, other] = [createTakeSnapshot(), createTakeSnapshot()];
    expect(textsOf(one)).toBe(textsOf(one));
    expect(textsOf(one)).toEqual(textsOf(other));
    expect(textsOf(one)).not.toBe(textsOf(other));
    const known = one(record());
    expect(one(record(), known)).toBe(known);
  });
});
