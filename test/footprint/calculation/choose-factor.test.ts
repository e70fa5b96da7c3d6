import { describe, expect, it } from 'vitest';
import type { Emissions, Organization, Performance } from '../../../src/api/schema.ts';
import {
  chooseFactors,
  type FactorNeed,
} from '../../../src/footprint/calculation/choose-factor.ts';
import { isUncovered } from '../../../src/footprint/ledger.ts';

const need: FactorNeed = {
  currency: 'EUR',
  year: 2023,
  boundary: 'cradle-to-gate',
  fallback: 'industry',
};

/* Scope 1 is 10, scope 2 is 5 market-based and 8 location-based, and upstream is 25 + 5. */
const emissions: Emissions = {
  scope_1: { total: 10 },
  scope_2: { total: 8, total_market_based: 5, total_location_based: 8 },
  scope_3: {
    purchased_goods_and_services: 25,
    business_travel: 5,
    use_of_sold_products: 1000,
    total: 1030,
  },
  total: 1048,
};
const disclosed: Performance = { year: 2023, revenue: 100, revenue_currency: 'EUR', emissions };
const stated: Performance = {
  year: 2023,
  revenue_currency: 'EUR',
  scope_1_and_2_emission_factor: 0.2,
  total_upstream_emission_factor: 0.5,
  emission_factor: 3,
};
const industry = { performances: [{ year: 2023, emission_factor: 0.7 }] };

function choose(
  record: Organization | readonly Performance[],
  change: Partial<FactorNeed> = {},
  reading: 'additive' | 'nested' = 'additive',
) {
  const organization = Array.isArray(record) ? { performances: record } : (record as Organization);
  return chooseFactors(organization, { ...need, ...change })[reading];
}

function factorOf(...args: Parameters<typeof choose>) {
  const choice = choose(...args);
  if (isUncovered(choice)) throw new Error(`uncovered: ${choice.reason}`);
  return choice;
}

describe('chooseFactors with disclosed figures', () => {
  it('divides scopes 1, 2 and upstream categories by revenue from cradle to gate', () => {
    const factor = factorOf([disclosed, stated]);
    expect(factor).toMatchObject({ basis: 'disclosed', value: 0.45, year: 2023, region: null });
    expect(factor.inputs).toEqual({
      revenue: 100,
      scope_1: 10,
      scope_2: 5,
      scope_2_method: 'market-based',
      scope_1_and_2: null,
      upstream: 30,
      upstream_categories: 2,
      total: null,
      scope_1_and_2_emission_factor: null,
      total_upstream_emission_factor: null,
      emission_factor: null,
    });
  });

  it('divides scopes 1 and 2 by revenue with the boundary scope-1-2', () => {
    const factor = factorOf([disclosed], { boundary: 'scope-1-2' });
    expect(factor.value).toBe(0.15);
    expect(factor.inputs).toMatchObject({ upstream: null, upstream_categories: null });
  });

  it('divides the total by revenue with the boundary total', () => {
    const factor = factorOf([disclosed], { boundary: 'total' });
    expect(factor.value).toBe(10.48);
    expect(factor.inputs).toMatchObject({ total: 1048, scope_1: null, scope_2: null });
  });

  it.each([
    ['location-based', { total: 9, total_location_based: 8 }, 8, 'location-based'],
    ['the total of an unnamed method', { total: 9, sum: 7 }, 9, null],
    ['the sum of its parts', { sum: 7 }, 7, null],
    [
      'location-based if market-based is negative',
      { total_market_based: -1, total_location_based: 8 },
      8,
      'location-based',
    ],
  ])('reads scope 2 %s', (_, scope_2, scope2, method) => {
    const { inputs } = factorOf([{ ...disclosed, emissions: { ...emissions, scope_2 } }]);
    expect(inputs).toMatchObject({ scope_2: scope2, scope_2_method: method });
  });

  it('reads scopes 1 and 2 together if only their sum is disclosed', () => {
    const { scope_3 } = emissions;
    const combined = { scope_1_and_2: { total: 16, total_market_based: 14 }, scope_3 };
    const factor = factorOf([{ ...disclosed, emissions: combined }]);
    expect(factor.value).toBe(0.44);
    expect(factor.inputs).toMatchObject({
      scope_1: null,
      scope_2: null,
      scope_1_and_2: 14,
      scope_2_method: 'market-based',
    });
  });

  it.each([
    ['scope 1', { ...emissions, scope_1: null }],
    ['scope 2', { ...emissions, scope_2: {} }],
    ['purchased goods', { ...emissions, scope_3: { business_travel: 5, total: 1030 } }],
    [
      'a usable figure of purchased goods',
      { ...emissions, scope_3: { purchased_goods_and_services: -1 } },
    ],
  ])('uses the factors of the service without %s', (_, changed) => {
    expect(factorOf([{ ...stated, revenue: 100, emissions: changed }]).basis).toBe('factor');
  });

  it.each([0, -100, null, Number.NaN])(
    'uses the factors of the service if revenue is %s',
    (revenue) => {
      expect(factorOf([{ ...stated, revenue, emissions }]).basis).toBe('factor');
    },
  );

  it('counts a disclosed zero', () => {
    const zero = { scope_1: { total: 0 }, scope_2: { total_market_based: 0 } };
    const factor = factorOf([{ ...disclosed, emissions: zero }], { boundary: 'scope-1-2' });
    expect(factor).toMatchObject({ basis: 'disclosed', value: 0 });
  });

  it('uses the sum of parts as the total only if it covers three scopes', () => {
    const parts = { scope_1: { sum: 1 }, scope_2: { sum: 2 } };
    const total = { boundary: 'total' } as const;
    const partial = { ...disclosed, emissions: { ...parts, sum: 3 } };
    expect(choose([partial], { ...total, fallback: 'none' })).toMatchObject({
      reason: 'no_factor',
    });
    const complete = { ...disclosed, emissions: { ...parts, scope_3: { sum: 4 }, sum: 7 } };
    expect(factorOf([complete], total)).toMatchObject({ value: 0.07, inputs: { total: 7 } });
  });
});

describe('chooseFactors with the factors of the service', () => {
  it('adds the upstream factor to that of scopes 1 and 2 if it is additive', () => {
    expect(factorOf([stated])).toMatchObject({ basis: 'factor', value: 0.7 });
  });

  it('uses the upstream factor alone if it is nested', () => {
    const factor = factorOf([stated], {}, 'nested');
    expect(factor).toMatchObject({ basis: 'factor', value: 0.5 });
    expect(factor.inputs).toMatchObject({
      scope_1_and_2_emission_factor: 0.2,
      total_upstream_emission_factor: 0.5,
      emission_factor: null,
    });
  });

  it.each([
    ['scope-1-2', 0.2],
    ['total', 3],
  ] as const)('uses one factor with the boundary %s', (boundary, value) => {
    expect(factorOf([stated], { boundary })).toMatchObject({ basis: 'factor', value });
    const { additive, nested } = chooseFactors({ performances: [stated] }, { ...need, boundary });
    expect(additive).toBe(nested);
  });

  it('returns one object for both readings if the figures are disclosed', () => {
    const { additive, nested } = chooseFactors({ performances: [disclosed] }, need);
    expect(additive).toBe(nested);
  });

  it('ignores a factor of 0', () => {
    const zero = { ...stated, scope_1_and_2_emission_factor: 0 };
    expect(choose([zero], { boundary: 'scope-1-2' })).toEqual({
      reason: 'no_factor',
      detail: 'the record has no factor for the boundary scope-1-2',
    });
  });
});

describe('chooseFactors with several years', () => {
  const years = (...of: (number | null)[]) => of.map((year) => ({ ...stated, year }));

  it.each([
    [[2020, 2022, 2024], 2023, 2022],
    [[2024, 2026, 2025], 2023, 2024],
    [[2020, 2024, 2022], null, 2024],
    [[null, 2030], 2023, 2030],
    [[null], 2023, null],
    [[1, 2020.5, 2019], 2023, 2019],
  ])('chooses from %j for the spend of %s the year %s', (of, year, chosen) => {
    expect(factorOf(years(...of), { year }).year).toBe(chosen);
  });

  it('chooses the year before the basis', () => {
    expect(
      factorOf([
        { ...disclosed, year: 2021 },
        { ...stated, year: 2022 },
      ]),
    ).toMatchObject({
      basis: 'factor',
      year: 2022,
    });
  });

  it('chooses the basis before the region, and the first region of the best basis', () => {
    const regions = [
      { ...stated, region: 'GLOBAL' },
      { ...disclosed, region: 'DE' },
      { ...disclosed, region: 'FR' },
    ];
    expect(factorOf(regions)).toMatchObject({ basis: 'disclosed', region: 'DE' });
    expect(factorOf(regions.slice(0, 1).concat({ ...stated, region: 'US' }))).toMatchObject({
      region: 'GLOBAL',
    });
  });

  it('chooses another year under the reading that a year lacks a factor for', () => {
    const upstreamOnly = { ...stated, scope_1_and_2_emission_factor: null };
    const record = { performances: [upstreamOnly, { ...disclosed, year: 2021 }] };
    const { additive, nested } = chooseFactors(record, need);
    expect(additive).toMatchObject({ basis: 'disclosed', year: 2021 });
    expect(nested).toMatchObject({ basis: 'factor', year: 2023, value: 0.5 });
  });
});

describe('chooseFactors with industry averages', () => {
  const average = (...performances: unknown[]): Organization => ({ industry: { performances } });
  const inEuro = { requestedCurrency: 'EUR' };

  it('uses the average of the nearest year, the earlier of two', () => {
    const record = average(
      { year: 2025, emission_factor: 0.5 },
      { year: 2020, emission_factor: 0.2 },
      { year: 2022, emission_factor: 0.3, region: 'GLOBAL' },
      { year: 2024, emission_factor: 0.4 },
    );
    expect(factorOf(record, inEuro)).toMatchObject({
      basis: 'industry',
      value: 0.3,
      year: 2022,
      region: 'GLOBAL',
      inputs: { emission_factor: 0.3, revenue: null },
    });
  });

  it.each([
    null,
    7,
    'text',
    [],
    {},
    { emission_factor: '1' },
    { emission_factor: -1 },
    { emission_factor: 0 },
  ])('ignores the item %j', (item) => {
    expect(choose(average(item), inEuro)).toMatchObject({ reason: 'no_performance' });
  });

  it('ignores averages with the fallback none', () => {
    expect(choose(average({ emission_factor: 1 }), { ...inEuro, fallback: 'none' })).toMatchObject({
      reason: 'no_performance',
    });
  });

  it('concludes the currency from the performances of the record', () => {
    const performances = [{ year: 2023, revenue_currency: 'EUR' }];
    expect(factorOf({ performances, industry })).toMatchObject({ basis: 'industry', value: 0.7 });
  });

  it('uses no average whose currency nothing states', () => {
    expect(choose({ industry })).toMatchObject({ reason: 'no_currency' });
  });
});

describe('chooseFactors with currencies', () => {
  it('compares currencies without regard to case', () => {
    expect(factorOf([{ ...stated, revenue_currency: ' eur ' }], { currency: 'EUR' }).value).toBe(
      0.7,
    );
    expect(factorOf([stated], { currency: 'eur' }).value).toBe(0.7);
  });

  it('uses only performances in the currency of the row', () => {
    const dollars = { ...stated, revenue_currency: 'USD' };
    expect(factorOf([dollars, { ...stated, year: 2020 }]).year).toBe(2020);
    expect(choose([dollars])).toEqual({
      reason: 'other_currency',
      detail: 'the record is in USD',
    });
  });

  it('uses the requested currency if the record names none', () => {
    const unnamed = [{ ...stated, revenue_currency: null }];
    expect(factorOf(unnamed, { requestedCurrency: 'EUR' }).value).toBe(0.7);
    expect(choose(unnamed, { requestedCurrency: 'USD' })).toMatchObject({
      reason: 'other_currency',
    });
    expect(choose(unnamed)).toEqual({
      reason: 'no_currency',
      detail: 'the record names no currency',
    });
  });

  it('trusts the record more than the request', () => {
    const record: Organization = {
      performances: [{ year: 2022, revenue_currency: 'USD' }],
      industry,
    };
    expect(choose(record, { requestedCurrency: 'EUR' })).toMatchObject({
      reason: 'other_currency',
    });
  });

  it('never repeats a long text as a currency', () => {
    const choice = choose([{ ...stated, revenue_currency: 'x'.repeat(1000) }]);
    expect(choice).toEqual({
      reason: 'other_currency',
      detail: 'the record is in another currency',
    });
  });
});

describe('chooseFactors without a factor', () => {
  const { revenue: _, ...withoutRevenue } = disclosed;
  it.each([
    ['no_currency', { performances: [stated] }, { currency: null }],
    ['no_performance', { status: 'synced' }, {}],
    ['no_performance', { performances: [] }, {}],
    ['in_progress', { status: 'researching' }, {}],
    ['in_progress', { status: 'researching', performances: [{ year: 2023 }] }, {}],
    ['errored', { status: 'errored' }, {}],
    ['no_revenue', { status: 'synced', performances: [withoutRevenue] }, {}],
    ['no_factor', { status: 'errored', performances: [{ year: 2023 }] }, {}],
    ['no_factor', { performances: [{ ...disclosed, emissions: {} }] }, {}],
    ['other_currency', { status: 'researching', performances: [stated] }, { currency: 'USD' }],
  ] satisfies [string, Organization, Partial<FactorNeed>][])(
    'gives the reason %s for %j',
    (reason, record, change) => {
      expect(choose(record, change)).toMatchObject({ reason });
    },
  );

  it('uses the factor of a record whose research is in progress', () => {
    expect(factorOf({ status: 'researching', performances: [stated] }).value).toBe(0.7);
  });
});
