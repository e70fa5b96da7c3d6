import { array, assert, constantFrom, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Emissions } from '../../../src/client/api/schema.ts';
import {
  bothScopes,
  readEmissions,
  readInventories,
} from '../../../src/portfolio/organizations/emissions.ts';
import { chooseYears, latestPerformance } from '../../../src/portfolio/organizations/history.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';
import { nearTermTarget, targetText } from '../../../src/portfolio/organizations/targets.ts';
import {
  bothScopesOfEach,
  bothScopesOfYears,
  compareYears,
  type Scope,
} from '../../../src/portfolio/organizations/trend.ts';

const of = (year: number, region: string | null, total: number) => ({
  year,
  region,
  emissions: { total },
});

describe('chooseYears', () => {
  it.each([
    ['the global region', 'DE', ['FR', 'DE', 'GLOBAL'], 'GLOBAL'],
    ['the region of the headquarters', 'de', ['FR', 'DE', 'PL'], 'DE'],
    ['the first region without either', 'US', ['FR', 'DE'], 'FR'],
    ['the first region without a country', null, ['FR', null], 'FR'],
  ])('chooses %s', (_, hq_region, regions, chosen) => {
    const performances = regions.map((region, index) => of(2024, region, index));
    const record = { hq_region, performances };
    const inventories = readInventories(record);
    expect(chooseYears(record, inventories)).toMatchObject([
      { year: 2024, chosen: { performance: { region: chosen } }, choices: inventories },
    ]);
    expect(latestPerformance(record)?.region).toBe(chosen);
  });

  it('chooses only among regions with emissions', () => {
    const performances = [{ year: 2024, region: 'GLOBAL', revenue: 1 }, of(2024, 'FR', 2)];
    const inventories = readInventories({ performances });
    expect(chooseYears({}, inventories)).toMatchObject([
      { chosen: { region: 'FR' }, choices: [inventories[1]] },
    ]);
  });
});

describe('bothScopes', () => {
  it.each([
    ['the sum', { scope_1: { total: 1 }, scope_2: { total_market_based: 2 } }, 3, '*'],
    ['the joint figure', { scope_1: { total: 1 }, scope_1_and_2: { total: 9 } }, 9, ''],
    ['nothing of one scope', { scope_1: { total: 1 } }, undefined, undefined],
  ])('is %s', (_, emissions, value, mark) => {
    const both = bothScopes(readEmissions(emissions));
    expect([both?.value, both?.mark]).toEqual([value, mark]);
  });
});

describe('bothScopesOfEach', () => {
  it('has the figures of every run of its years, or none', () => {
    const figure = option(constantFrom(1, 2.5, 1e308), { nil: undefined });
    const amounts = record({
      total: figure,
      sum: figure,
      total_market_based: figure,
      total_location_based: figure,
    });
    const emissions = record({ scope_1: amounts, scope_2: amounts, scope_1_and_2: amounts });
    let found = 0;
    assert(
      property(array(emissions, { minLength: 2, maxLength: 3 }), (years) => {
        const all = readInventories({ performances: years.map((each) => ({ emissions: each })) });
        const values = bothScopesOfEach(all);
        if (values === undefined) return;
        found += 1;
        expect(bothScopesOfYears(all)).toEqual(values);
        expect(bothScopesOfYears(all.slice(-2))).toEqual(values.slice(-2));
      }),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(20);
  });
});

describe('compareYears', () => {
  const compare = (earlier: Emissions, later: Emissions, scopes: Scope[] = [1, 2, 3]) => {
    const performances = [{ emissions: earlier }, { emissions: later }];
    const [first, second] = readInventories({ performances });
    return first && second && compareYears(first, second, scopes);
  };

  it('compares only scopes and categories that both years have', () => {
    const early = {
      scope_1: { total: 100 },
      scope_2: { total: 50, total_location_based: 50 },
      scope_3: { business_travel: 10, sum: 10 },
      sum: 160,
    };
    const late = {
      scope_1: { total: 60 },
      scope_2: { total: 5, total_location_based: 30, total_market_based: 5 },
      scope_3: { business_travel: 9, use_of_sold_products: 1_700, total: 1_709 },
      total: 1_774,
    };
    expect(compare(early, late)).toEqual({
      before: 160,
      after: 99,
      compared: ['scope 1', 'scope 2 location-based', 'scope 3 business travel'],
    });
  });

  it.each([
    ['methods differ', { total_market_based: 5 }, { total_location_based: 8 }, undefined],
    ['one method is unknown', { total: 5 }, { total: 8, total_market_based: 8 }, undefined],
    ['both are unspecified', { total: 5 }, { total: 8 }, 8],
  ])('when scope 2 %s', (_, earlier, later, after) => {
    expect(compare({ scope_2: earlier }, { scope_2: later }, [2])?.after).toBe(after);
  });

  it('uses the joint figure when the separate ones are not comparable', () => {
    const early = { scope_1_and_2: { total: 10 } };
    const late = { scope_1: { total: 4 }, scope_2: { total: 4 }, scope_1_and_2: { total: 8 } };
    expect(compare(early, late, [1, 2])).toMatchObject({
      before: 10,
      after: 8,
      compared: ['scope 1 and 2'],
    });
  });
});

describe('targetText', () => {
  it('is the newest one', () => {
    const data = [
      { created_at: '2020-01-01', target_detail: 'Older' },
      { created_at: '2024-01-01', target_detail: 'Newer' },
      { created_at: '2025-01-01' },
    ];
    expect(targetText({ sbti: { data } })).toBe('Newer');
  });
});

describe('nearTermTarget', () => {
  it.each([
    ['Targets Set', true, 'set'],
    ['validated', null, 'set'],
    ['Committed', false, 'committed'],
    ['Commitment removed', false, 'removed'],
    ['Under review', false, 'Under review'],
    ['', true, 'with_target'],
    [null, false, 'none'],
    [null, null, undefined],
  ])('reads %j with the flag %s as %s', (target_status, has_target, status) => {
    expect(nearTermTarget({ sbti: { data: [{ near_term: { target_status, has_target } }] } })).toBe(
      status,
    );
  });

  it('is none if SBTi lists no target, and unknown without data', () => {
    expect(nearTermTarget({ sbti: { data: [] } })).toBe('none');
    expect(nearTermTarget({})).toBeUndefined();
  });

  it('is unknown if nothing tells whose record it is', () => {
    const targets = [[], [{ near_term: { target_status: 'set' } }]];
    const performances = [{ year: 2024, emissions: { scope_1: { total: 5 } } }];
    const of = (more: object) =>
      targets.map((data) => nearTermTarget({ status: 'synced', sbti: { data }, ...more }));
    expect(of({ matching_organization: null })).toEqual([undefined, undefined]);
    expect(of({ matching_organization: { id: 7 } })).toEqual(['none', 'set']);
    // Its emissions are of some organization.
    expect(of({ matching_organization: null, performances })).toEqual(['none', 'set']);
  });

  it('is in its column as received even then', () => {
    const { written, rows } = organizationTable;
    const column = written.find(({ name }) => name === 'sbti_near_term_target_status');
    const of = (data: object[]) =>
      rows({ status: 'synced', matching_organization: null, sbti: { data } }).map((row) =>
        column?.value(row),
      )[0];
    expect(of([{ near_term: { target_status: 'set' } }])).toBe('set');
    expect(of([{ near_term: { has_target: false } }])).toBe('none');
    expect(of([])).toBeUndefined();
  });
});
