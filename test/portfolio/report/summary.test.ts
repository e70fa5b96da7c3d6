import { describe, expect, it } from 'vitest';
import { summarizeScores } from '../../../src/portfolio/report/spread.ts';
import type { Summary } from '../../../src/portfolio/report/summary.ts';
import { snapshotOf, summarize } from './inputs.ts';

const summaryOf = async (...records: unknown[]): Promise<Summary> =>
  summarize(await snapshotOf(...records)).summary;

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

  it.each([
    [[0.5, 7, -1], { organizations: 1, out_of_range: 2, median: 0.5, max: 0.5 }],
    [[], { organizations: 0, median: null, mean: null, min: null }],
  ])('of %j are known from 0 to 1 only', (scores, expected) => {
    expect(summarizeScores(scores)).toMatchObject(expected);
  });
});

const none = { sum: null, organizations: 0 };

describe('emissions', () => {
  it('are summed for scopes 1 and 2 only, with the organizations of each sum', async () => {
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
      { id: 2, performances: [year(2024, { scope_1: { sum: 1 }, scope_3: { total: 60 } })] },
      { id: 3, performances: [year(2022, {}), { year: 2021, emissions: null }] },
      { id: 4, performances: [year(2024, { scope_1_and_2: { total: 30 } })] },
    );
    expect(emissions).toMatchObject({ unit: null, organizations: 3, several_regions: 0 });
    expect(emissions.years).toEqual([
      {
        year: 2024,
        organizations: 3,
        missing: 0,
        partial: false,
        scope_1: { sum: 11, organizations: 2 },
        scope_2: { sum: 5, organizations: 1 },
        scope_1_and_2: { sum: 45, organizations: 2 },
        only_together: { sum: 30, organizations: 1 },
        scope_3: { organizations: 2, lower_quartile: 70, median: 80, upper_quartile: 90 },
      },
      {
        year: 2023,
        organizations: 1,
        missing: 2,
        partial: true,
        scope_1: { sum: 12, organizations: 1 },
        scope_2: none,
        scope_1_and_2: none,
        only_together: none,
        scope_3: { organizations: 0, lower_quartile: null, median: null, upper_quartile: null },
      },
    ]);
  });

  it('of a year are partial without a tenth of the organizations, or of the emissions', async () => {
    const partialOf = async (large: number, years: number[]) => {
      const both = (total: number) => ({ scope_1: { total }, scope_2: { total: 0 } });
      const small = Array.from({ length: 19 }, (_, at) => ({
        id: at + 2,
        performances: [year(2023, both(10)), year(2024, both(10))],
      }));
      const performances = years.map((each) => year(each, both(large)));
      const { emissions } = await summaryOf({ id: 1, performances }, ...small);
      return emissions.years.filter(({ partial }) => partial).map((each) => each.year);
    };
    expect(await partialOf(10_000, [2023, 2024])).toEqual([]);
    expect(await partialOf(10_000, [2023])).toEqual([2024]);
    expect(await partialOf(22, [2023])).toEqual([2024]);
    expect(await partialOf(20, [2023])).toEqual([]);
    // Its nearest year counts; of two, the earlier one.
    expect(await partialOf(10_000, [2022, 2023])).toEqual([2024, 2022]);
  });

  it('of one matched organization are added up once, those of its newest record', async () => {
    const member = (id: number, total: number, retrieved_at?: string, match = 7) => ({
      ...{ ok: true, id, retrieved_at },
      record: {
        id,
        matching_organization: { id: match },
        performances: [year(2024, { scope_1: { total } })],
      },
    });
    const sumsOf = async (...records: unknown[]) => {
      const { emissions, organizations } = await summaryOf(...records);
      const [sums] = emissions.years;
      return [organizations, emissions.same_match, sums?.scope_1];
    };
    const [older, newer] = [
      member(1, 5, '2026-01-01T00:00:00Z'),
      member(2, 6, '2026-02-01T00:00:00Z'),
    ];
    const other = member(3, 100, '2026-03-01T00:00:00Z', 8);
    const sums = [3, 1, { sum: 106, organizations: 2 }];
    expect(await sumsOf(older, newer, other)).toEqual(sums);
    expect(await sumsOf(newer, other, older)).toEqual(sums);
    expect(await sumsOf(member(1, 5), member(2, 6), other)).toEqual(sums);
    const empty = { ...newer, record: { ...newer.record, performances: [] } };
    expect(await sumsOf(older, empty, other)).toEqual([3, 0, { sum: 105, organizations: 2 }]);
  });

  it('of several regions in a year are never added up', async () => {
    const { emissions } = await summaryOf({
      id: 1,
      performances: [
        year(2024, { scope_1: { total: 4 } }, { region: 'DE' }),
        year(2024, { scope_1: { total: 9 } }, { region: 'GLOBAL' }),
        year(2023, { scope_1: { total: 8 } }),
      ],
    });
    expect(emissions.several_regions).toBe(1);
    expect(emissions.years.map(({ scope_1 }) => scope_1.sum)).toEqual([9, 8]);
  });

  it('without a plausible year are left out', async () => {
    const { emissions, gaps } = await summaryOf(
      { id: 1, performances: [year(1e300, { total: 9 }), { emissions: { total: 1 } }] },
      { id: 2, performances: [year(2024.5, { total: 9 })] },
    );
    expect(emissions.years).toEqual([]);
    expect(gaps).toMatchObject({ no_emissions: 2, no_performances: 0 });
  });
});

describe('changes', () => {
  const both = (scope1: number, scope2: number) => ({
    scope_1: { total: scope1 },
    scope_2: { total: scope2 },
  });

  it('compare the same organizations, regions, methods and scopes', async () => {
    const { emissions } = await summaryOf(
      ...[
        [year(2024, both(80, 10)), year(2023, both(100, 20))],
        [year(2024, both(1_000, 0))],
        [
          year(2024, { scope_1: { total: 5 }, scope_2: { total_market_based: 1 } }),
          year(2023, { scope_1: { total: 10 }, scope_2: { total_location_based: 9 } }),
        ],
        [year(2024, both(1, 1), { region: 'FR' }), year(2023, both(9, 9), { region: 'DE' })],
      ].map((performances, id) => ({ id, performances })),
    );
    expect(emissions.changes).toEqual([
      {
        from: 2023,
        to: 2024,
        naive: expect.closeTo(1_098 / 157 - 1),
        like_for_like: expect.closeTo(90 / 120 - 1),
        organizations: 1,
      },
    ]);
  });
});

describe('scope 1 + 2', () => {
  const joint = (id: number, ...totals: readonly number[]) => ({
    id,
    performances: totals.map((total, index) => year(2024 - index, { scope_1_and_2: { total } })),
  });

  it('is of organizations that disclose both for the latest year of most', async () => {
    const { emissions, largest_emitters } = await summaryOf(
      joint(1, 5),
      {
        id: 2,
        performances: [
          year(2024, { scope_1: { total: 1 } }),
          year(2023, { scope_1: { sum: 20 }, scope_2: { total: 30 } }),
        ],
      },
      { id: 3, performances: [year(2024, { scope_1: { total: 1e9 } })] },
      { id: 4, performances: [year(2025, { scope_1_and_2: { total: 7 } })] },
      ...Array.from({ length: 12 }, (_, index) => joint(100 + index, 1)),
    );
    expect(emissions.both_scopes).toMatchObject({ year: 2024, organizations: 13, sum: 17 });
    expect(largest_emitters).toHaveLength(10);
    expect(largest_emitters.slice(0, 2)).toMatchObject([
      { id: 1, year: 2024, scope_1_and_2: 5, share: 5 / 17, cumulative_share: 5 / 17 },
      { id: 100, year: 2024, scope_1_and_2: 1, share: 1 / 17, cumulative_share: 6 / 17 },
    ]);
  });

  it('compares the same organizations in every year shown', async () => {
    const { emissions } = await summaryOf(
      joint(1, 90, 100, 50),
      joint(2, 80, 100, 60),
      joint(3, 1_000),
      joint(4, 1_000, 1),
    );
    expect(emissions.both_scopes?.like_for_like).toEqual({
      organizations: 2,
      rose: 0,
      fell: 2,
      years: [
        { year: 2022, sum: 110 },
        { year: 2023, sum: 200 },
        { year: 2024, sum: 170 },
      ],
    });
  });

  it('leaves out a year with an error of carbon check, and names the organization', async () => {
    const { emissions, left_out, missing } = await summaryOf(joint(1, 5), {
      ...joint(2, -1, 3),
      name: 'Acme AG',
    });
    expect(emissions.both_scopes).toMatchObject({ year: 2024, organizations: 1, sum: 5 });
    expect(emissions.years.map(({ scope_1_and_2: sums }) => sums.sum)).toEqual([5, 3]);
    expect(left_out).toMatchObject({
      organizations: 1,
      records: [{ id: 2, name: 'Acme AG', rule: 'negative', year: 2024 }],
    });
    expect(missing.no_emissions).toBe(0);
  });

  it('counts a matched organization once, and leaves out what may be another one', async () => {
    const matched = (id: number, name: string, total: number) => ({
      ...joint(id, total),
      name,
      matching_organization: { id: 9, name: 'Nord AG', names: [{ value: 'Nord Group' }] },
    });
    const { emissions, left_out } = await summaryOf(
      matched(1, 'Nord', 5),
      matched(2, 'Nord Group AG', 6),
      matched(3, 'Zeppelin', 700),
    );
    expect(emissions.both_scopes).toMatchObject({ organizations: 1, sum: 6 });
    expect(emissions.same_match).toBe(1);
    expect(left_out.records).toMatchObject([{ id: 3, rule: 'match_shared', severity: 'error' }]);
  });
});

it('counts research, commitments and gaps', async () => {
  const target = (near_term: object | null, more: object = {}) => ({
    sbti: {
      data: [{ created_at: '2020-01-01' }, { created_at: '2024-01-01', near_term, ...more }],
    },
  });
  const summary = await summaryOf(
    {
      id: 1,
      matching_organization: { id: 11 },
      status: 'synced',
      score: 0.5,
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
      matching_organization: { id: 13 },
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
    commitments: {
      cdp: { counts: { listed: 1, not_listed: 1 }, missing: 3 },
      sbti_near_term: {
        counts: { set: 1, committed: 0, removed: 0, none: 1, with_target: 1 },
        missing: 2,
      },
      sbti_net_zero: { counts: { with_target: 1, none: 0 }, missing: 4 },
      un_initiatives: { counts: { taking_part: 1, none: 1 }, missing: 3 },
      climate_pledge: { counts: { signed: 1, not_signed: 0 }, missing: 4 },
    },
    gaps: { no_performances: 5, no_emissions: 5, no_score: 4, no_industry: 4, no_country: 4 },
  });
});

it('counts any number of unexpected values', async () => {
  const records = Array.from({ length: 500 }, (_, index) => ({
    id: index,
    related_environmental_report_status: index === 0 ? '__proto__' : `status ${index}`,
  }));
  const { counts } = (await summaryOf(...records)).commitments.environmental_report;
  expect(Object.keys(counts)).toHaveLength(41);
  expect(JSON.parse(JSON.stringify(counts))).toMatchObject({ ['__proto__']: 1, other: 463 });
});
