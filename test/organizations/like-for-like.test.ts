import { describe, expect, it } from 'vitest';
import type { Emissions } from '../../src/api/schema.ts';
import {
  bothScopes,
  readEmissions,
  readInventories,
  scope2Method,
} from '../../src/organizations/emissions.ts';
import { chooseYears, latestPerformance } from '../../src/organizations/history.ts';
import { nearTermTarget, parseTarget, statedTarget } from '../../src/organizations/targets.ts';
import { compareYears, type Scope } from '../../src/organizations/trend.ts';

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

describe('scope2Method', () => {
  it.each([
    [{ total: 5, total_market_based: 5, total_location_based: 8 }, 'market-based'],
    [{ total: 8, total_location_based: 8 }, 'location-based'],
    [{ total: 7, total_location_based: 8 }, 'unspecified'],
    [{ total_location_based: 8 }, 'location-based'],
    [{}, undefined],
  ])('of %j is %s', (scope_2, method) => {
    expect(scope2Method({ scope_2 })).toBe(method);
  });
});

describe('compareYears', () => {
  const compare = (earlier: Emissions, later: Emissions, scopes?: Scope[]) => {
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
      isComplete: false,
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
      isComplete: true,
    });
  });
});

describe('parseTarget', () => {
  const absolute =
    'commits to reduce absolute scope 1 and 2 GHG emissions 42% by 2030 from a 2020 base year.';
  it.each([
    [`Acme Inc. ${absolute}`, [1, 2], 0.42],
    [
      'Acme commits to reduce absolute scope 1, 2, and 3 emissions by 90 % by FY2050 from a FY2019 base year',
      [1, 2, 3],
      0.9,
    ],
    [
      'Acme commits to reduce absolute scope 1 and scope 2 emissions 30.5% by 2030 from a 2018 baseline.',
      [1, 2],
      0.305,
    ],
  ])('reads %s', (text, scopes, reduction) => {
    expect(parseTarget(text)).toMatchObject({ scopes, reduction });
  });

  it.each([
    'Acme commits to reduce scope 1 and 2 emissions 42% per unit of revenue by 2030 from a 2020 base year.',
    `Acme ${absolute} Acme also commits to reduce scope 3 emissions 25%.`,
    `Acme commits to reach net zero. Acme ${absolute}`,
    'Acme commits to reduce absolute scope 1 and 2 emissions 142% by 2030 from a 2020 base year.',
    'Acme commits to reduce absolute scope 1 and 2 emissions 42% by 2020 from a 2030 base year.',
    'Acme commits to reduce absolute scope 1 and 2 emissions 42% and scope 3 emissions 25% by 2030 from a 2020 base year.',
    '',
  ])('only quotes %s', (text) => {
    expect(parseTarget(text)).toBeUndefined();
  });
});

describe('statedTarget', () => {
  const text =
    'Acme commits to reduce absolute scope 1 and 2 emissions 50% by 2030 from a 2020 base year.';
  const sbti = { data: [{ created_at: '2021-01-01', target_detail: text }] };
  const year = (number: number, scope1: number, scope2: number, region = 'DE') => ({
    year: number,
    region,
    emissions: { scope_1: { total: scope1 }, scope_2: { total: scope2 } },
  });

  it('compares the base year with the latest year of its region', () => {
    const performances = [year(2025, 1, 1, 'FR'), year(2024, 60, 20), year(2020, 70, 30)];
    expect(statedTarget({ sbti, performances })?.progress?.year).toBe(2024);
  });

  it.each([
    ['without the base year', [year(2024, 60, 20)]],
    [
      'without a scope',
      [{ year: 2024, region: 'DE', emissions: { scope_1: { total: 1 } } }, year(2020, 70, 30)],
    ],
  ])('only quotes the target %s', (_, performances) => {
    expect(statedTarget({ sbti, performances })).toEqual({ text, progress: undefined });
  });

  it('reads the newest record that has a text', () => {
    const data = [
      { created_at: '2020-01-01', target_detail: text },
      { created_at: '2024-01-01', target_detail: 'Newer' },
      { created_at: '2025-01-01' },
    ];
    expect(statedTarget({ sbti: { data } })?.text).toBe('Newer');
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
});
