import { describe, expect, it } from 'vitest';
import { type Performance, scope3Categories } from '../../src/api/schema.ts';
import { identityOf } from '../../src/sandbox/identity.ts';
import { recordOf } from '../../src/sandbox/research.ts';

const at = Date.UTC(2026, 2, 1);
const upstreamNames = scope3Categories.slice(0, 8);

/* Several names of a scenario, because each scales the figures. */
const registrations = (scenario: string) =>
  Array.from({ length: 5 }, (_, nth) => {
    const identifier = { name: `Sandbox ${scenario} ${nth}`, hq_region: 'DE' };
    return { id: nth + 1, identifier, identity: identityOf(identifier), at };
  });
const records = (scenario: string, currency = 'USD') =>
  registrations(scenario).map((each) => recordOf(each, 'synced', currency));
const years = (scenario: string, currency = 'USD') =>
  records(scenario, currency).flatMap(({ performances }) => performances ?? []);

function expectUpstream(performance: Performance, reading: 'additive' | 'nested'): void {
  const { revenue, emissions, total_upstream_emission_factor: factor } = performance;
  if (factor == null || revenue == null) return;
  const { scope_1_and_2: operations, scope_3: scope3 } = emissions ?? {};
  const upstream = upstreamNames.reduce((sum, name) => sum + (scope3?.[name] ?? 0), 0);
  const contained = reading === 'nested' ? (operations?.total ?? 0) : 0;
  expect(factor / ((upstream + contained) / revenue)).toBeCloseTo(1, 4);
}

describe('a name that selects what research finds', () => {
  it('finds all figures for Sandbox complete, and factors only for Sandbox factors', () => {
    for (const year of years('complete'))
      expect([year.revenue, year.emissions].every(Boolean)).toBe(true);
    for (const { performances = [] } of records('factors')) {
      for (const { revenue, emissions } of performances ?? [])
        expect([revenue, emissions]).toEqual([null, null]);
      const [latest] = performances ?? [];
      expect(latest?.scope_1_and_2_emission_factor).toBeGreaterThan(0);
      expect(latest?.total_upstream_emission_factor).toBeGreaterThan(0);
    }
  });

  it('finds only the industry average for Sandbox industry, and nothing for Sandbox empty', () => {
    expect([years('industry'), years('empty')]).toEqual([[], []]);
    for (const { industry } of records('industry')) expect(industry?.performances).toHaveLength(2);
    for (const { industry } of records('empty')) expect(industry).toBe(null);
  });

  it.each([
    ['USD', 'EUR'],
    ['EUR', 'USD'],
    ['JPY', 'EUR'],
  ])('finds figures for Sandbox currency in another currency than %s', (requested, found) => {
    for (const year of years('currency', requested)) expect(year.revenue_currency).toBe(found);
  });

  it('finds two regions in each year for Sandbox regions', () => {
    const [record] = records('regions');
    const [first, second, third] = record?.performances ?? [];
    expect([first?.region, second?.region, third?.region]).toEqual(['GLOBAL', 'DE', 'GLOBAL']);
    expect([second?.year, third?.year]).toEqual([first?.year, (first?.year ?? 0) - 1]);
    expect(second?.revenue).toBeLessThan(first?.revenue ?? 0);
  });

  it('finds figures of at least seven years ago for Sandbox old', () => {
    expect(Math.max(...years('old').map(({ year }) => year ?? 0))).toBe(2019);
  });

  it('finds upstream factors that contain scopes 1 and 2 only for Sandbox nested', () => {
    for (const performance of years('nested')) expectUpstream(performance, 'nested');
    for (const scenario of ['complete', 'currency', 'regions', 'old'])
      for (const performance of years(scenario)) expectUpstream(performance, 'additive');
  });
});
