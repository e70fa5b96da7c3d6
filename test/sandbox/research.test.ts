import { describe, expect, it } from 'vitest';
import { organizationSchema } from '../../src/api/organization-schema.ts';
import { knownStatuses, type Organization, type Performance } from '../../src/api/schema.ts';
import { checkRecord } from '../../src/checks/check-records.ts';
import { loadCheckOptions } from '../../src/cli/match-checks.ts';
import type { Identifier } from '../../src/registration/fields.ts';
import { identityOf } from '../../src/sandbox/identity.ts';
import { ratesPerDollar, scenarios } from '../../src/sandbox/records.ts';
import { recordOf, type Status, statusOf } from '../../src/sandbox/research.ts';
import type { Registered } from '../../src/sandbox/store.ts';

const at = Date.UTC(2026, 2, 1);
const registered = (identifier: Identifier, id = 1): Registered => ({
  id,
  identifier,
  identity: identityOf(identifier),
  at,
});
const many = Array.from({ length: 1500 }, (_, nth) =>
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

  it('starts with created when the clock was set back, and ends at once when research takes no time', () => {
    const [organization] = many as [Registered];
    expect(statusOf(organization, -1e12, 10_000)).toBe('created');
    expect(statusOf(organization, 0, 10_000)).toBe('created');
    expect(statusOf(organization, 0, 0)).toBe('synced');
    expect(statusOf(organization, -5, 0)).toBe('synced');
  });

  it('returns every known status', () => {
    const seen = new Set(
      many.flatMap((each) =>
        Array.from({ length: 130 }, (_, tenth) => statusOf(each, tenth * 100, 10_000)),
      ),
    );
    expect([...seen].sort()).toEqual([...knownStatuses].sort());
  });
});

describe('recordOf', () => {
  it('adds fields as research continues', () => {
    const organization = registered({
      name: 'Sandbox complete',
      website: 'x.example',
      external_id: 'S-1',
    });
    const isKnown = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value != null);
    const known = (status: Status) => {
      const record = recordOf(organization, status, 'USD');
      return Object.entries(record).flatMap(([field, value]) => (isKnown(value) ? [field] : []));
    };
    let before: string[] = [];
    const lines = (
      ['created', 'located', 'enriched', 'researching', 'calculating', 'synced'] as const
    ).map((status) => {
      const now = known(status);
      const added = now.filter((field) => !before.includes(field));
      expect(before.filter((field) => !now.includes(field))).toEqual([]);
      before = now;
      return `${status}: ${added.join(' ')}`;
    });
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "created: id name website external_id status sandbox
      located: hq_region matching_organization region_rank
      enriched: industry industry_confidence industry_rank
      researching: related_environmental_report_status
      calculating: sources cdp sbti un climate_pledge
      synced: performances score industry_score_percentile"
    `);
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
  it('have no error that carbon check knows, in any currency', async () => {
    const options = { today: '2026-03-02', ...(await loadCheckOptions()) };
    const errors = (record: Organization) =>
      checkRecord(record, [], options).filter(({ severity }) => severity === 'error');
    expect(finished.flatMap(errors)).toEqual([]);
    for (const currency of Object.keys(ratesPerDollar)) {
      const records = many.slice(0, 60).map((each) => recordOf(each, 'synced', currency));
      expect(records.flatMap(errors)).toEqual([]);
      const years = records.flatMap(({ performances }) => performances ?? []);
      expect(new Set(years.map((year) => year.revenue_currency))).toEqual(new Set([currency]));
    }
  });

  it('converts revenue, but not emissions', () => {
    const [usd, eur] = ['USD', 'EUR'].map((currency) =>
      recordOf(many[3] as Registered, 'synced', currency),
    );
    const latest = (record: Organization | undefined): Performance =>
      record?.performances?.[0] ?? {};
    expect(latest(eur).emissions).toEqual(latest(usd).emissions);
    expect(latest(eur).revenue).toBe(Math.round((latest(usd).revenue ?? 0) * 0.924));
    expect(eur?.industry?.performances).not.toEqual(usd?.industry?.performances);
  });
});
