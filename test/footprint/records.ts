/* Records for properties of the footprint. */
import fc from 'fast-check';

const value = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, 1, -1, 5e-324, 1e-300, 1e99, 1e308, null, undefined),
  fc.constantFrom<unknown>('', '5', true, [], {}, Number.NaN),
);
const scope = fc.dictionary(
  fc.constantFrom(
    'total',
    'sum',
    'total_market_based',
    'total_location_based',
    'purchased_goods_and_services',
    'business_travel',
  ),
  value,
);
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
/** A record whose members have any values, most of them close to those of the specification. */
export const anyRecord = fc.record(
  {
    id: fc.oneof(fc.nat(5), fc.string({ maxLength: 3 }), any),
    name: fc.oneof(fc.constantFrom('A', 'Öl 😀', '\ud800'), any),
    hq_region: any,
    external_id: any,
    sandbox: fc.constantFrom('synthetic', true),
    status: fc.constantFrom<unknown>('synced', 'errored', 'created', null, 7),
    performances: fc.oneof(fc.array(performance, { maxLength: 4 }), any),
    industry: fc.record({ performances: fc.oneof(fc.array(fc.oneof(performance, any)), any) }),
    sbti: fc.oneof(fc.record({ data: any, last_retrieved_at: any }), any),
  },
  { requiredKeys: [] },
);
