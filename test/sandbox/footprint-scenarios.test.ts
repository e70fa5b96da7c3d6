import { describe, expect, it } from 'vitest';
import { organizationSchema, type Performance } from '../../src/api/schema.ts';
import { identityOf } from '../../src/sandbox/identity.ts';
import { recordOf, statusOf } from '../../src/sandbox/research.ts';

const at = Date.UTC(2026, 2, 1);
const upstreamNames = [
  'purchased_goods_and_services',
  'capital_goods',
  'fuel_and_energy_related_activities',
  'upstream_transportation_and_distribution',
  'waste_generated_in_operations',
  'business_travel',
  'employee_commute',
  'upstream_leased_assets',
] as const;

/* Many names of a scenario, because each draws other figures. */
const registrations = (scenario: string) =>
  Array.from({ length: 40 }, (_, nth) => {
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
  it.each(['factors', 'industry', 'empty', 'currency', 'nested', 'regions', 'old'])(
    'ends the research on Sandbox %s with synced and a valid record',
    (scenario) => {
      for (const each of registrations(scenario)) {
        expect(statusOf(each, 12_500, 10_000)).toBe('synced');
        const { sandbox: _, ...record } = recordOf(each, 'synced', 'USD');
        expect(organizationSchema.safeParse(record).error).toBeUndefined();
      }
    },
  );

  it('finds factors without emissions and revenue for Sandbox factors', () => {
    const found = years('factors');
    expect(found.every(({ revenue, emissions }) => revenue === null && emissions === null)).toBe(
      true,
    );
    for (const { performances } of records('factors')) {
      const [latest] = performances ?? [];
      expect(latest?.scope_1_and_2_emission_factor).toBeGreaterThan(0);
      expect(latest?.total_upstream_emission_factor).toBeGreaterThan(0);
      expect(latest?.emission_factor).toBeGreaterThan(0);
    }
  });

  it('finds only the industry average for Sandbox industry, and nothing for Sandbox empty', () => {
    expect(years('industry')).toEqual([]);
    expect(records('industry').every(({ industry }) => industry?.performances?.length === 2)).toBe(
      true,
    );
    expect(years('empty')).toEqual([]);
    expect(records('empty').every(({ industry }) => industry === null)).toBe(true);
  });

  it('finds figures in another currency for Sandbox currency', () => {
    const currencies = (requested: string) =>
      new Set(years('currency', requested).map(({ revenue_currency }) => revenue_currency));
    expect(currencies('USD')).toEqual(new Set(['EUR']));
    expect(currencies('EUR')).toEqual(new Set(['USD']));
    expect(currencies('JPY')).toEqual(new Set(['EUR']));
  });

  it('finds two regions in each year for Sandbox regions', () => {
    const [record] = records('regions');
    const [first, second, third] = record?.performances ?? [];
    expect([first?.region, second?.region, third?.region]).toEqual(['GLOBAL', 'DE', 'GLOBAL']);
    expect(first?.year).toBe(second?.year);
    expect(second?.revenue).toBeLessThan(first?.revenue ?? 0);
    expect(third?.year).toBe((first?.year ?? 0) - 1);
  });

  it('finds figures of at least seven years ago for Sandbox old', () => {
    expect(Math.max(...years('old').map(({ year }) => year ?? 0))).toBe(2019);
  });

  it('finds upstream factors that contain scopes 1 and 2 only for Sandbox nested', () => {
    for (const performance of years('nested')) expectUpstream(performance, 'nested');
    for (const scenario of ['complete', 'currency', 'regions', 'old']) {
      for (const performance of years(scenario)) expectUpstream(performance, 'additive');
    }
    const hasFactor = ({ total_upstream_emission_factor: factor }: Performance) => factor != null;
    expect(years('nested').filter(hasFactor).length).toBeGreaterThan(40);
  });
});
