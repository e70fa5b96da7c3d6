import { describe, expect, it } from 'vitest';
import type { Organization, Performance } from '../../src/client/api/schema.ts';
import { organizationSchema } from '../../src/client/api/schema.ts';
import { knownStatuses, scope3Categories } from '../../src/client/api/vocabulary.ts';
import type { Identifier } from '../../src/client/registration/fields.ts';
import { checkRecord } from '../../src/portfolio/checks/check-records.ts';
import { ratesPerDollar, recordOf, scenarios, statusOf } from '../../src/sandbox/records.ts';
import { identityOf, type StoredOrganization } from '../../src/sandbox/store.ts';
import { runs } from '../support/seed.ts';

const at = Date.UTC(2026, 2, 1);
const registered = (identifier: Identifier, id = 1): StoredOrganization => ({
  id,
  identifier,
  identity: identityOf(identifier),
  at,
});
const many = Array.from({ length: runs(1500) }, (_, nth) =>
  registered({ name: `Company ${nth}`, hq_region: 'DE' }, nth + 1),
);
const finished = many.map((each) => recordOf(each, statusOf(each, 60_000, 10_000), 'USD'));

const timeline = (identifier: Identifier, seconds = 15) =>
  Array.from({ length: seconds }, (_, second) =>
    statusOf(registered(identifier), second * 1000, 10_000),
  ).join(' ');

describe('statusOf', () => {
  it('passes through statuses for about ten seconds', () => {
    const lines = ['Acme', 'Bolt', 'Corp', 'Dyne'].map((name) => timeline({ name }));
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "created locating enriching enriching enriched resolving researching researching researching waiting waiting calculating synced synced synced
      created located enriching resolving researching researching waiting waiting calculating synced synced synced synced synced synced
      created locating enriching enriching resolving resolved researching researching waiting waiting calculating synced synced synced synced
      created locating locating unresolved unresolved unresolved located enriching enriching enriching errored errored errored errored errored"
    `);
  });

  it('ends with the status that the name selects', () => {
    expect(timeline({ name: 'Sandbox errored 2' })).toMatchInlineSnapshot(
      `"created created locating locating unresolved unresolved unresolved located enriching enriching enriching errored errored errored errored"`,
    );
    expect(timeline({ name: 'sandbox  PENDING' }, 20)).toMatchInlineSnapshot(
      `"created locating enriching enriched resolving researching researching waiting waiting waiting waiting waiting waiting waiting waiting waiting waiting waiting waiting waiting"`,
    );
    expect(timeline({ name: 'Sandbox synced' }, 1)).toBe('synced');
    expect(timeline({ name: 'Sandboxes errored' })).toMatch(/synced$/);
  });

  it('starts with created when the clock was set back, ends at once without a time, and passes every known status', () => {
    const [organization] = many as [StoredOrganization];
    expect(statusOf(organization, -1e12, 10_000)).toBe('created');
    expect(statusOf(organization, 0, 0)).toBe('synced');
    const ages = Array.from({ length: 130 }, (_, tenth) => tenth * 100);
    const seen = new Set(many.flatMap((each) => ages.map((age) => statusOf(each, age, 10_000))));
    expect([...seen].sort()).toEqual([...knownStatuses].sort());
  });
});

describe('recordOf', () => {
  it('has figures only at the end of research', () => {
    const organization = registered({ name: 'Sandbox complete' });
    const { performances, score } = recordOf(organization, 'calculating', 'USD');
    expect([performances, score]).toEqual([[], null]);
  });

  it('matches the schema in every status', () => {
    const wrong: unknown[] = [];
    const named = scenarios.map((scenario) => registered({ name: `Sandbox ${scenario}` }));
    for (const each of [...named, ...many.slice(0, 50)]) {
      for (const status of knownStatuses) {
        const record = recordOf(each, status, 'USD');
        const { error } = organizationSchema.safeParse(record);
        if (error !== undefined) wrong.push({ record, error });
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('recordOf: figures', () => {
  it('pass carbon check without errors or warnings, in any currency', {
    tags: ['property'],
  }, () => {
    const problems = (record: Organization) =>
      checkRecord(record, [], { today: '2026-03-02' }).filter(
        ({ severity }) => severity !== 'notice',
      );
    expect(finished.flatMap(problems)).toEqual([]);
    for (const currency of Object.keys(ratesPerDollar)) {
      const records = many.slice(0, runs(60)).map((each) => recordOf(each, 'synced', currency));
      expect(records.flatMap(problems)).toEqual([]);
      const years = records.flatMap(({ performances }) => performances ?? []);
      expect(new Set(years.map((year) => year.revenue_currency))).toEqual(new Set([currency]));
    }
  });
});

/* Several names of a scenario, because each scales the figures. */
const named = (scenario: string, currency = 'USD') =>
  Array.from({ length: 5 }, (_, nth) =>
    recordOf(
      registered({ name: `Sandbox ${scenario} ${nth}`, hq_region: 'DE' }, nth + 1),
      'synced',
      currency,
    ),
  );
const years = (scenario: string, currency = 'USD') =>
  named(scenario, currency).flatMap(({ performances }) => performances ?? []);

/* The upstream factor, divided by that of the categories alone and of these with scopes 1 and 2. */
function readings({ revenue, emissions, total_upstream_emission_factor }: Performance) {
  const { scope_1_and_2: own, scope_3: scope3 } = emissions ?? {};
  const upstream = scope3Categories
    .slice(0, 8)
    .reduce((sum, name) => sum + Number(scope3?.[name] ?? 0), 0);
  const share = (sum: number) =>
    Number(total_upstream_emission_factor ?? 0) / (sum / Number(revenue ?? 1));
  return [share(upstream), share(upstream + Number(own?.total ?? 0))];
}

describe('a name that selects what research finds', () => {
  it('finds all figures for complete, only factors for factors, and nothing for empty', () => {
    for (const year of years('complete'))
      expect([year.revenue, year.emissions].every(Boolean)).toBe(true);
    for (const { revenue, emissions, total_upstream_emission_factor } of years('factors'))
      expect([revenue, emissions, Boolean(total_upstream_emission_factor)]).toEqual([
        null,
        null,
        true,
      ]);
    expect([years('industry'), years('empty')]).toEqual([[], []]);
    for (const { industry } of named('industry')) expect(industry?.performances).toHaveLength(2);
    for (const { industry } of named('empty')) expect(industry).toBe(null);
  });

  it('finds another currency, two regions, and figures of seven years ago', () => {
    for (const [requested, found] of [
      ['USD', 'EUR'],
      ['EUR', 'USD'],
    ])
      for (const year of years('currency', requested)) expect(year.revenue_currency).toBe(found);
    const [first, second, third] = named('regions')[0]?.performances ?? [];
    expect([first?.region, second?.region, third?.region]).toEqual(['GLOBAL', 'DE', 'GLOBAL']);
    expect([second?.year, third?.year]).toEqual([first?.year, Number(first?.year ?? 0) - 1]);
    expect(Math.max(...years('old').map(({ year }) => Number(year ?? 0)))).toBe(2019);
  });

  it('finds upstream factors that contain scopes 1 and 2 only for nested', () => {
    for (const performance of years('nested')) expect(readings(performance)[1]).toBeCloseTo(1, 4);
    for (const scenario of ['complete', 'regions', 'old'])
      for (const performance of years(scenario)) expect(readings(performance)[0]).toBeCloseTo(1, 4);
  });
});
