/*
 * Proves the arithmetic with published figures and formulas. Each result is calculated by hand,
 * with a pocket calculator, in a comment.
 */
import { describe, expect, it } from 'vitest';
import type { Performance } from '../../src/api/schema.ts';
import type { Boundary } from '../../src/footprint/line-item.ts';
import { footprint } from './portfolio.ts';

interface Purchase {
  readonly spend: string;
  readonly record: object;
}

function calculate(boundary: Boundary, purchases: readonly Purchase[]) {
  const { items, summary } = footprint(
    purchases.map(({ spend }, index) => ({ id: index + 1, spend, currency: 'USD', year: 2021 })),
    purchases.map(({ record }, index) => ({ ...record, id: index + 1 })),
    { boundary },
  );
  return { rows: items, summary };
}

const of = (performance: Performance) => ({
  performances: [{ year: 2021, revenue_currency: 'USD', ...performance }],
});

/*
 * GHG Protocol, Technical Guidance for Calculating Scope 3 Emissions (version 1.0, 2013), category
 * 1, spend-based method: the sum, across purchased goods and services, of value x emission factor
 * per unit of economic value. The figures are constructed:
 *   steel       250,000 x 1.8  = 450,000
 *   packaging    80,000 x 0.75 =  60,000
 *   cleaning     40,000 x 0.25 =  10,000
 *                              = 520,000
 */
it('spend times factor, as in the GHG Protocol, adds up value times emission factor', () => {
  const purchases = [
    { spend: '250000', record: of({ emission_factor: 1.8 }) },
    { spend: '80000', record: of({ emission_factor: 0.75 }) },
    { spend: '40000', record: of({ emission_factor: 0.25 }) },
  ];
  const { rows, summary } = calculate('total', purchases);
  expect(rows.map(({ emissions }) => emissions)).toEqual([450_000, 60_000, 10_000]);
  expect(summary.emissions).toBe(520_000);
});

/*
 * GHG Protocol, Corporate Value Chain (Scope 3) Standard (2011), chapter 8, economic allocation:
 * the supplier's emissions x (market value of the purchases / market value of all products). The
 * figures are constructed. The supplier emits 3,000 t in scope 1, 1,000 t in scope 2 and 12,000 t
 * upstream, and sells products for 64 million. The purchases are 2 million, 1/32 of its revenue:
 *   scopes 1 and 2:      4,000 / 32 = 125
 *   cradle to gate:     16,000 / 32 = 500
 */
describe('allocation by revenue', () => {
  const record = of({
    revenue: 64_000_000,
    emissions: {
      scope_1: { total: 3_000 },
      scope_2: { total_market_based: 1_000, total_location_based: 1_500 },
      scope_3: {
        purchased_goods_and_services: 10_000,
        upstream_transportation_and_distribution: 2_000,
        use_of_sold_products: 90_000,
      },
    },
  });
  const purchase = { spend: '2000000', record };

  it.each([
    ['scope-1-2', 125],
    ['cradle-to-gate', 500],
  ] as const)('gives the same number as spend times factor for %s', (boundary, emissions) => {
    expect(calculate(boundary, [purchase]).summary.emissions).toBe(emissions);
  });

  it('attributes all emissions of a supplier to its only customer', () => {
    const { summary } = calculate('scope-1-2', [{ ...purchase, spend: '64000000' }]);
    expect(summary.emissions).toBe(4_000);
  });
});

/*
 * The example of a supplier that the service publishes: emissions of 5,715,243,000 kg, revenue of
 * 79,474,000,000 USD and an emission factor of 0.07191.
 *   5,715,243,000 / 79,474,000,000 = 0.0719134 (0.07191 with five decimals)
 *   spend of 1,000,000 USD: 71,913.37 kg; with the rounded factor: 71,910 kg
 */
describe("the service's published supplier", () => {
  const published = { revenue: 79_474_000_000, emission_factor: 0.07191 };
  const record = of({ ...published, emissions: { total: 5_715_243_000 } });

  it('has the published factor', () => {
    const [row] = calculate('total', [{ spend: '1000000', record }]).rows;
    expect(row).toMatchObject({ basis: 'own', warning: null });
    expect(row?.factor?.toFixed(5)).toBe('0.07191');
    expect(row?.emissions?.toFixed(2)).toBe('71913.37');
  });

  it('uses the published factor where the total is not disclosed', () => {
    const { rows } = calculate('total', [{ spend: '1000000', record: of(published) }]);
    expect(rows[0]).toMatchObject({ basis: 'service', factor: 0.07191, emissions: 71_910 });
  });
});

/*
 * Science Based Targets initiative, SBTi-finance-tool, test/test_portfolio_coverage_tvp.py and
 * test/inputs/data_test_portfolio_coverage.csv: three companies, of which one has set a target and
 * one has committed to a target. The published coverage by value is 32.0663 %:
 *   42,881 / (42,881 + 56,155 + 34,690) = 42,881 / 133,726 = 0.320663
 * By emissions, the tool weights each company with the emissions that its investor owns (MOTS in
 * SBTi/portfolio_aggregation.py): value / size x emissions, which is spend / revenue x emissions.
 *   42,881 / 54,327 x 3,203,152 = 2,528,289.08
 *   56,155 / 93,541 x 2,495,420 = 1,498,062.99
 *   34,690 / 79,081 x   159,082 =    69,783.57
 *   2,528,289.08 / 4,096,135.64 = 0.617238
 */
describe('portfolio coverage of the Science Based Targets initiative', () => {
  const company = (status: string, spend: string, revenue: number, scope: number) => ({
    spend,
    record: {
      ...of({ revenue, emissions: { total: 2 * scope } }),
      sbti: { data: [{ near_term: { target_status: status } }] },
    },
  });
  const { summary } = calculate('total', [
    company('set', '42881', 54_327, 1_601_576),
    company('committed', '56155', 93_541, 1_247_710),
    company('none', '34690', 79_081, 79_541),
  ]);

  it('is weighted by value', () => {
    expect(((summary.sbti_coverage.by_spend ?? 0) * 100).toFixed(4)).toBe('32.0663');
  });

  it('is weighted by emissions', () => {
    expect(summary.emissions?.toFixed(2)).toBe('4096135.64');
    expect(summary.sbti_coverage.by_emissions?.toFixed(6)).toBe('0.617238');
  });

  it('reports commitments beside the coverage, not in it', () => {
    expect(summary.sbti_coverage).toMatchObject({ set: 1, committed: 1, none: 1 });
    expect(summary.sbti_coverage.committed_share.by_spend?.toFixed(6)).toBe('0.419926');
  });
});
