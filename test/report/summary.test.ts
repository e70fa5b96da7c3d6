import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Organization, organizationSchema } from '../../src/api/schema.ts';
import type { Entry } from '../../src/report/summary/digest.ts';
import { ScoreSpread, type ScoreSummary } from '../../src/report/summary/scores.ts';
import type { Summary } from '../../src/report/summary.ts';
import { arbitrary } from '../cli/output/schema.ts';
import { runs } from '../support/seed.ts';
import { snapshotOf, summarize } from './inputs.ts';

const summaryOf = async (...records: unknown[]): Promise<Summary> =>
  summarize(await snapshotOf(...records)).summary;

function summarizeScores(scores: readonly number[]): ScoreSummary {
  const spread = new ScoreSpread();
  for (const score of scores) spread.add({ score } as Entry);
  return spread.result();
}

const year = (number: number, emissions: object, more: object = {}) => ({
  year: number,
  emissions,
  ...more,
});

describe('scores', () => {
  it('are counted in tenths, and quartiles lie between their neighbours', () => {
    const { histogram, ...spread } = summarizeScores([0, 0.1, 0.19, 0.5, 0.7, 1]);
    expect(histogram.map(({ organizations }) => organizations)).toEqual([
      1, 2, 0, 0, 0, 1, 0, 1, 0, 1,
    ]);
    expect(spread).toEqual({
      organizations: 6,
      out_of_range: 0,
      min: 0,
      lower_quartile: expect.closeTo(0.1225),
      median: 0.345,
      upper_quartile: expect.closeTo(0.65),
      max: 1,
      mean: expect.closeTo(2.49 / 6),
    });
    expect(histogram[9]).toMatchObject({ from: 0.9, to: 1 });
  });

  it('outside of 0 to 1 are counted and not mixed in', () => {
    expect(summarizeScores([0.5, 7, -1])).toMatchObject({
      organizations: 1,
      out_of_range: 2,
      median: 0.5,
      max: 0.5,
    });
  });

  it('that nobody has are null', () => {
    expect(summarizeScores([])).toMatchObject({
      organizations: 0,
      median: null,
      mean: null,
      min: null,
    });
  });
});

describe('emissions', () => {
  it('are summed by year and scope over who disclosed them', async () => {
    const { emissions } = await summaryOf(
      {
        id: 1,
        performances: [
          year(2024, {
            scope_1: { total: 10 },
            scope_2: { total_market_based: 5 },
            scope_3: { sum: 100 },
            sum: 115,
          }),
          year(2023, { scope_1: { total: 12 } }),
        ],
      },
      { id: 2, performances: [year(2024, { scope_1: { total: 1 }, total: 1 })] },
      { id: 3, performances: [year(2022, {}), { year: 2021, emissions: null }] },
      { id: 4 },
    );
    const none = {
      sum: null,
      organizations: 0,
      market_based: 0,
      location_based: 0,
      sum_of_parts: 0,
    };
    expect(emissions).toEqual({
      organizations: 2,
      several_regions: 0,
      years: [
        {
          year: 2024,
          organizations: 2,
          partial: false,
          scope_1: { ...none, sum: 11, organizations: 2 },
          scope_2: { ...none, sum: 5, organizations: 1, market_based: 1 },
          scope_1_and_2: none,
          scope_3: { ...none, sum: 100, organizations: 1, sum_of_parts: 1 },
          total: { ...none, sum: 116, organizations: 2, sum_of_parts: 1 },
        },
        {
          year: 2023,
          organizations: 1,
          partial: true,
          scope_1: { ...none, sum: 12, organizations: 1 },
          scope_2: none,
          scope_1_and_2: none,
          scope_3: none,
          total: none,
        },
      ],
    });
  });

  it('of scopes 1 and 2 together count only if neither is disclosed alone', async () => {
    const { emissions } = await summaryOf(
      { id: 1, performances: [year(2024, { scope_1_and_2: { total: 30 } })] },
      {
        id: 2,
        performances: [year(2024, { scope_1: { total: 10 }, scope_1_and_2: { total: 15 } })],
      },
    );
    expect(emissions.years[0]).toMatchObject({
      scope_1: { sum: 10, organizations: 1 },
      scope_1_and_2: { sum: 30, organizations: 1 },
    });
  });

  it('of several regions in a year are never added up', async () => {
    const { emissions } = await summaryOf({
      id: 1,
      performances: [
        year(2024, { total: 9 }, { region: 'GLOBAL' }),
        year(2024, { total: 4 }, { region: 'DE' }),
        year(2023, { total: 8 }),
      ],
    });
    expect(emissions.several_regions).toBe(1);
    expect(emissions.years.map(({ total }) => total.sum)).toEqual([9, 8]);
  });

  it('without a plausible year are left out', async () => {
    const { emissions, gaps } = await summaryOf(
      { id: 1, performances: [year(1e300, { total: 9 }), { emissions: { total: 1 } }] },
      { id: 2, performances: [year(2024.5, { total: 9 })] },
    );
    expect(emissions.years).toEqual([]);
    expect(gaps).toMatchObject({ no_emissions: 2, no_performances: 0 });
  });

  it('that are zero or negative are figures like others', async () => {
    const { emissions } = await summaryOf(
      { id: 1, performances: [year(2024, { scope_1: { total: 0 }, total: -3 })] },
      { id: 2, performances: [year(2024, { scope_1: { total: 2 }, total: 10 })] },
    );
    expect(emissions.years[0]).toMatchObject({
      scope_1: { sum: 2, organizations: 2 },
      total: { sum: 7, organizations: 2 },
    });
  });
});

it('names the largest emitters by their latest total', async () => {
  const { largest_emitters } = await summaryOf(
    { id: 1, name: 'Small', performances: [year(2024, { total: 5 })] },
    {
      id: 2,
      name: 'Large',
      hq_region: 'DE',
      performances: [year(2024, { scope_1: { total: 1 } }), year(2023, { sum: 50 })],
    },
    { id: 3, name: 'Silent', performances: [year(2024, { scope_1: { total: 1e9 } })] },
    ...Array.from({ length: 12 }, (_, index) => ({
      id: 100 + index,
      performances: [year(2024, { total: 1 })],
    })),
  );
  expect(largest_emitters).toHaveLength(10);
  expect(largest_emitters.slice(0, 2)).toEqual([
    {
      id: 2,
      name: 'Large',
      hq_region: 'DE',
      industry: null,
      year: 2023,
      total: 50,
      sum_of_parts: true,
    },
    {
      id: 1,
      name: 'Small',
      hq_region: null,
      industry: null,
      year: 2024,
      total: 5,
      sum_of_parts: false,
    },
  ]);
});

it('groups revenue by currency, of the latest year of each organization', async () => {
  const money = (number: number, revenue: number | null, currency?: string) => ({
    year: number,
    revenue,
    revenue_currency: currency,
  });
  const { revenue } = await summaryOf(
    { id: 1, performances: [money(2023, 7, 'EUR'), money(2024, null, 'EUR')] },
    { id: 2, performances: [money(2024, 3, 'EUR'), money(2023, 100, 'EUR')] },
    { id: 3, performances: [money(2024, 1000, 'JPY')] },
    { id: 4, performances: [money(2024, 5)] },
  );
  expect(revenue).toEqual([
    { currency: 'EUR', organizations: 2, revenue: 10 },
    { currency: 'JPY', organizations: 1, revenue: 1000 },
    { currency: null, organizations: 1, revenue: 5 },
  ]);
});

it('counts research, ranks, commitments and gaps', async () => {
  const target = (near_term: object | null, more: object = {}) => ({
    sbti: {
      data: [{ created_at: '2020-01-01' }, { created_at: '2024-01-01', near_term, ...more }],
    },
  });
  const summary = await summaryOf(
    {
      id: 1,
      status: 'synced',
      score: 0.5,
      industry_rank: 'high',
      ...target({ has_target: true, target_status: 'set' }),
    },
    {
      id: 2,
      status: 'errored',
      cdp: { is_listed: true },
      ...target({ has_target: true }, { net_zero: { has_target: true } }),
    },
    {
      id: 3,
      status: 'synced',
      cdp: { is_listed: false },
      ...target({ has_target: false }),
      climate_pledge: { signed: true },
    },
    {
      id: 4,
      status: 'thinking',
      sbti: { data: [] },
      un: { initiatives: [] },
      industry_rank: 'sky_high',
    },
    {
      id: 5,
      un: { initiatives: [{ name: 'Global Compact' }] },
      hq_region: 'DE',
      industry: { name: 'Cement' },
    },
  );
  expect(summary).toMatchObject({
    organizations: 5,
    research: { finished: 2, in_progress: 2, errored: 1 },
    statuses: { counts: { synced: 2, errored: 1, thinking: 1 }, missing: 1 },
    industry_rank: {
      counts: { very_high: 0, high: 1, medium: 0, low: 0, very_low: 0, unknown: 0, sky_high: 1 },
      missing: 3,
    },
    commitments: {
      cdp: { counts: { listed: 1, not_listed: 1 }, missing: 3 },
      sbti_near_term: {
        counts: { set: 1, committed: 0, removed: 0, none: 2, with_target: 1 },
        missing: 1,
      },
      sbti_net_zero: { counts: { with_target: 1, none: 1 }, missing: 3 },
      un_initiatives: { counts: { taking_part: 1, none: 1 }, missing: 3 },
      climate_pledge: { counts: { signed: 1, not_signed: 0 }, missing: 4 },
    },
    gaps: { no_performances: 5, no_emissions: 5, no_score: 4, no_industry: 4, no_country: 4 },
  });
});

it('counts any number of unexpected values', async () => {
  const records = Array.from({ length: 500 }, (_, index) => ({
    id: index,
    status: `status ${index}`,
    region_rank: '__proto__',
  }));
  const { statuses, region_rank } = await summaryOf(...records);
  expect(Object.keys(statuses.counts)).toHaveLength(41);
  expect(statuses.counts['other']).toBe(460);
  expect(JSON.parse(JSON.stringify(region_rank)).counts).toMatchObject({ high: 0 });
  expect(Object.entries(region_rank.counts).at(-1)).toEqual(['__proto__', 500]);
});

it('counts every organization once in every part, whatever the records are', {
  tags: ['property'],
}, async () => {
  const record = arbitrary(organizationSchema) as fc.Arbitrary<Organization>;
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 6 }), async (records) => {
      const documents = records.map((given, index) => ({ ...given, id: index }));
      const summary = await summaryOf(...documents);
      const parts = [
        summary.statuses,
        summary.industry_rank,
        summary.region_rank,
        ...Object.values(summary.commitments),
      ];
      for (const { counts, missing } of parts) {
        expect(Object.values(counts).reduce((sum, count) => sum + count, missing)).toBe(
          records.length,
        );
      }
      const { score, research, gaps } = summary;
      expect(score.organizations + score.out_of_range + gaps.no_score).toBe(records.length);
      expect(research.finished + research.in_progress + research.errored).toBe(records.length);
      expect(summary.emissions.organizations + gaps.no_emissions).toBe(records.length);
    }),
    { numRuns: runs(60) },
  );
});
