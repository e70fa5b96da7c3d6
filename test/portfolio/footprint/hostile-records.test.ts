import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../../src/portfolio/footprint/footprint.ts';
import {
  type Boundary,
  boundaries,
  upstreamReadings,
} from '../../../src/portfolio/footprint/line-item.ts';
import { anyOrganization } from '../../cli/output/schema.ts';
import '../../support/seed.ts';
import { footprint } from './portfolio.ts';

const value = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 5e-324, 1e-300, 1e99, 1e308, null, undefined),
  fc.constantFrom<unknown>('', '5', true, [], {}, Number.NaN),
);
const figures = ['total', 'sum', 'total_market_based', 'total_location_based'];
const categories = ['purchased_goods_and_services', 'business_travel'];
const scope = fc.dictionary(fc.constantFrom(...figures, ...categories), value);
const any = fc.option(fc.anything(), { nil: undefined });
const performance = fc.record(
  {
    year: fc.oneof(fc.integer({ min: 2010, max: 2030 }), value),
    region: any,
    revenue: value,
    revenue_currency: fc.constantFrom<unknown>('EUR', 'USD', 'eur', null, undefined, 7, '€'),
    emission_factor: value,
    total_upstream_emission_factor: value,
    scope_1_and_2_emission_factor: value,
    emissions: fc.oneof(
      fc.record({
        scope_1: scope,
        scope_2: scope,
        scope_1_and_2: scope,
        scope_3: scope,
        total: value,
        sum: value,
      }),
      any,
    ),
  },
  { requiredKeys: [] },
);
/* A record of the specification, whose figures have any values. */
const anyRecord = fc
  .tuple(
    anyOrganization,
    fc.record({
      performances: fc.array(performance, { maxLength: 4 }),
      industry: fc.record({ performances: fc.oneof(fc.array(fc.oneof(performance, any)), any) }),
    }),
  )
  .map(([record, figures]) => ({ ...record, ...figures }));

function expectFinite(text: unknown): void {
  // JSON has null for NaN and Infinity, so the values are visited before.
  JSON.stringify(text, (_, member) => {
    if (typeof member === 'number') expect(Number.isFinite(member)).toBe(true);
    return member;
  });
}

/* Calculates a factor as a reader of the line items does, from its inputs alone. */
function recalculate({ basis, inputs, upstream_factor: reading }: LineItem, boundary: Boundary) {
  const figure = (name: keyof NonNullable<LineItem['inputs']>) => Number(inputs?.[name]);
  if (basis === 'industry') return figure('emission_factor');
  if (basis === 'service') {
    if (boundary === 'total') return figure('emission_factor');
    if (boundary === 'scope-1-2') return figure('scope_1_and_2_emission_factor');
    const upstream = figure('total_upstream_emission_factor');
    return reading === 'nested' ? upstream : figure('scope_1_and_2_emission_factor') + upstream;
  }
  if (boundary === 'total') return figure('total') / figure('revenue');
  const own =
    inputs?.scope_1_and_2 === null
      ? figure('scope_1') + figure('scope_2')
      : figure('scope_1_and_2');
  const upstream = boundary === 'scope-1-2' ? 0 : figure('upstream');
  return (own + upstream) / figure('revenue');
}

/* Shows that factors and emissions have one unit, which any other record may contradict. */
const fitting = {
  id: 2,
  performances: [{ year: 2023, revenue: 1, emission_factor: 1, emissions: { total: 1 } }],
};

function calculate(raw: object, spend: string): void {
  for (const boundary of boundaries) {
    for (const upstreamFactor of upstreamReadings) {
      const { items, summary } = footprint(
        [{ id: 1, spend, year: 2023 }],
        [{ ...raw, id: 1 }, fitting],
        { boundary, upstreamFactor, unit: 'kg', maxFactorAge: 300 },
      );
      for (const item of items)
        if (item.factor !== null) expect(item.factor).toBe(recalculate(item, boundary));
      expectFinite(items);
      expectFinite(summary);
    }
  }
}

describe('the calculation with hostile records', () => {
  it('yields finite figures that follow from their inputs for any values', {
    tags: ['property'],
  }, () => {
    const spend = fc.constantFrom('0', '0.01', '-5', '99999999999999999999');
    fc.assert(fc.property(anyRecord, spend, calculate));
  });
});
