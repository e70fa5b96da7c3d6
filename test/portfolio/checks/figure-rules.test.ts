import { describe, expect, it } from 'vitest';
import type { Organization, Performance } from '../../../src/client/api/schema.ts';
import { checkRecordFigures, figureRules } from '../../../src/portfolio/checks/figure-rules.ts';

const today = '2026-11-23';
const year = (performance: Performance): Organization => ({
  sources: [{ url: 'https://example.com/report.pdf' }],
  performances: [{ year: 2025, ...performance }],
});
const years = (...performances: Performance[]): Organization => ({
  sources: [{ url: 'https://example.com/report.pdf' }],
  performances,
});
const find = (record: Organization) =>
  [...checkRecordFigures(record, { today })].map(({ rule, value, year }) => [rule, value, year]);

const consistent: Performance = {
  year: 2025,
  region: 'DE',
  revenue: 1_000_000,
  revenue_currency: 'EUR',
  emission_factor: 0.6,
  scope_1_and_2_emission_factor: 0.3,
  emissions: {
    scope_1: { total: 100_000, stationary_combustion: 60_000, mobile_combustion: 40_000 },
    scope_2: { total_market_based: 200_000, total_location_based: 250_000 },
    scope_1_and_2: { total_market_based: 300_000 },
    scope_3: { total: 300_000, purchased_goods_and_services: 250_000, business_travel: 20_000 },
    total: 600_000,
  },
};
const emissions = (changes: Performance['emissions']): Performance => ({
  ...consistent,
  emissions: { ...consistent.emissions, ...changes },
});

/* Two years of an organization. */
const change = (now: Performance, before: Performance) =>
  years({ year: 2025, ...now }, { year: 2024, ...before });
const total = (value: number): Performance => ({ emissions: { total: value } });
const scope = (name: 'scope_1' | 'scope_2' | 'scope_3', figures: object): Performance => ({
  emissions: { [name]: figures },
});
const target = (status: string): Organization => ({
  sbti: { data: [{ near_term: { has_target: false, target_status: status } }] },
});
const inCurrency = (revenue: number, revenue_currency: string) => ({ revenue, revenue_currency });

const inKilograms = { emission_factor: 600, scope_1_and_2_emission_factor: 300 };
const joint = emissions({ scope_1_and_2: { total: 400_000 } });
const industry = { performances: [{ year: 2024, emission_factor: 0.5 }] };
const wrongSum = { total: 300_000, sum: 290_000, purchased_goods_and_services: 250_000 };
const electricity = { purchased_electricity: 4, purchased_heat: 3, purchased_steam: 2 };
const methods = { total_location_based: 10, total_market_based: 99 };

describe('checkRecordFigures', () => {
  it('finds nothing in a consistent record', () => {
    expect(find(years(consistent, { ...consistent, year: 2024, revenue: 999_999 }))).toEqual([]);
  });

  it.each<[what: string, record: Organization, rule: string, value: unknown, year?: number | null]>(
    [
      ['a factor in kg beside tonnes', year({ ...consistent, ...inKilograms }), 'unit', 1000],
      ['another currency', year({ ...consistent, revenue: 1_180_000 }), 'factor', 1.18],
      [
        'parts above the total',
        year(emissions({ scope_1: { total: 100_000, stationary_combustion: 140_000 } })),
        'sum_scope',
        140_000,
      ],
      ['a wrong sum', year(emissions({ scope_3: wrongSum })), 'sum_scope', 250_000],
      [
        'scopes that do not add up',
        year({ ...emissions({ total: 700_000 }), emission_factor: 0.7 }),
        'sum_total',
        600_000,
      ],
      [
        'scopes 1 and 2 together',
        year({ ...joint, scope_1_and_2_emission_factor: 0.4 }),
        'joint',
        400_000,
      ],
      ['revenue below 0', year({ revenue: -5 }), 'negative', -5],
      ['a year that has not begun', years({ year: 2027 }), 'year', 2027, 2027],
      ['a year of two digits', years({ year: 24 }), 'year', 24, 24],
      ['a score of 48', { score: 48 }, 'percent_score', 48, null],
      ['a score below 0', { score: -0.2 }, 'out_of_range', -0.2, null],
      ['a percentile of 140', { industry_score_percentile: 140 }, 'out_of_range', 140, null],
      [
        'a category above the total of the organization',
        year({ emissions: { scope_3: { investments: 100 }, total: 90 } }),
        'sum_total',
        100,
      ],
      [
        'two performances of one year and region',
        years({ year: 2025, region: 'DE' }, { year: 2025, region: ' de' }, { year: 2025 }),
        'repeated_year',
        2,
      ],
      [
        'a location-based scope 2 beside a market-based total',
        year({
          emissions: {
            scope_1: { total: 10 },
            scope_2: { total: 500, total_location_based: 500, total_market_based: 5 },
            scope_3: { total: 100 },
            total: 115,
          },
        }),
        'scope_2_method',
        500,
      ],
      [
        'categories that are all missing',
        change(scope('scope_1', { total: 5 }), {
          emissions: { scope_1: { total: 5.1 }, scope_3: { investments: 5 } },
        }),
        'categories_changed',
        0,
      ],
      ['a sixfold growth', change(inCurrency(6, 'EUR'), inCurrency(1, 'EUR')), 'jump', 6],
      ['a decimal that moved', change(total(1_020), total(100)), 'jump', 10.2],
      ['the year before', years(consistent, { ...consistent, year: 2024 }), 'copied', 13],
      [
        'emissions of 0 beside revenue',
        year({ revenue: 9, emissions: { scope_1: { total: 0 }, total: 0 } }),
        'zero',
        0,
      ],
      ['a status without its target', target('Targets Set'), 'no_target', 'Targets Set', null],
      [
        'other categories than the year before',
        change(scope('scope_3', { investments: 5 }), scope('scope_3', { business_travel: 5 })),
        'categories_changed',
        1,
      ],
      [
        'a factor a million times that of the industry',
        { ...year({ emission_factor: 600_000 }), industry },
        'benchmark',
        1_200_000,
      ],
      [
        'a total by revenue far from the industry, without a factor',
        { ...year({ revenue: 1_000, emissions: { total: 500_000 } }), industry },
        'benchmark',
        1_000,
      ],
      [
        'scopes by revenue far above the industry, without a total',
        { ...year({ revenue: 1_000, ...scope('scope_1', { total: 100_000 }) }), industry },
        'benchmark',
        200,
      ],
    ],
  )('reports %s', (_what, record, rule, value, of = 2025) => {
    expect(find(record)).toEqual([[rule, value, of]]);
  });

  it.each<[what: string, record: Organization]>([
    [
      'the sum of disclosed parts without a total',
      year(scope('scope_1', { sum: 9, mobile_combustion: 4, process_emissions: 5 })),
    ],
    [
      'parts that add up to one of two methods',
      year(scope('scope_2', { ...methods, ...electricity, purchased_cooling: 1 })),
    ],
    [
      'parts that are not all disclosed',
      year(emissions({ scope_1: { total: 100_000, process_emissions: 5 } })),
    ],
    [
      'a growth of another region',
      change({ region: 'DE', ...total(100) }, { region: 'US', ...total(1) }),
    ],
    [
      'a change of the scope 2 method',
      change(
        scope('scope_2', { total_market_based: 1 }),
        scope('scope_2', { total_location_based: 100 }),
      ),
    ],
    ['revenue in another currency', change(inCurrency(900, 'JPY'), inCurrency(1, 'EUR'))],
    [
      'a change of the scope 2 method behind equal totals',
      change(
        scope('scope_2', { total: 1, total_market_based: 1 }),
        scope('scope_2', { total: 100, total_location_based: 100 }),
      ),
    ],
    [
      'a jump of scope 3 by new categories',
      years(
        { year: 2024, ...scope('scope_3', { investments: 5, business_travel: 1 }) },
        { year: 2023, ...scope('scope_3', { business_travel: 1 }) },
        { year: 2025, ...scope('scope_3', { investments: 6, business_travel: 1 }) },
      ),
    ],
    ['a committed organization without a target', target('committed')],
    ['emissions of 0 without revenue', year(total(0))],
    [
      'a part of the scopes that is small by revenue',
      { ...year({ revenue: 1_000, ...scope('scope_1', { total: 1 }) }), industry },
    ],
    [
      'a category above its total by rounding',
      year(scope('scope_3', { total: 99.5, investments: 100 })),
    ],
    [
      'a year whose emissions are not known yet',
      change({ revenue: 5 }, scope('scope_3', { investments: 5 })),
    ],
    [
      'a location-based scope 2 beside a location-based total',
      year({
        emissions: {
          scope_1: { total: 10 },
          scope_2: { total: 500, total_location_based: 500, total_market_based: 5 },
          scope_3: { total: 100 },
          total: 610,
        },
      }),
    ],
    ['a figure that stays', change(total(5), total(5))],
  ])('accepts %s', (_what, record) => expect(find(record)).toEqual([]));

  it('reports a category above the total of its scope, even if others are below 0', () => {
    const figures = { total: 90, business_travel: -20, investments: 100 };
    expect(find(year(scope('scope_3', figures)))).toEqual([
      ['sum_scope', 100, 2025],
      ['negative', -20, 2025],
    ]);
  });

  it('has a name of its own and a reason for every rule', () => {
    expect(figureRules.filter(({ reason }) => !reason.endsWith('.'))).toEqual([]);
    expect(new Set(figureRules.map(({ name }) => name)).size).toBe(figureRules.length);
  });
});
