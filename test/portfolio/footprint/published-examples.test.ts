/*
 * Proves the arithmetic with published figures and formulas. Each result is calculated by hand,
 * with a pocket calculator, in a comment.
 */
import { describe, expect, it } from 'vitest';
import type { Performance } from '../../../src/client/api/schema.ts';
import { footprint } from './portfolio.ts';

interface Purchase {
  readonly spend: string;
  readonly record: object;
}

function calculate(...purchases: readonly Purchase[]) {
  const { items, summary } = footprint(
    purchases.map(({ spend }, index) => ({ id: index + 1, spend, currency: 'USD', year: 2021 })),
    purchases.map(({ record }, index) => ({ ...record, id: index + 1 })),
    { boundary: 'total' },
  );
  return { rows: items, summary };
}

const of = (performance: Performance) => ({
  performances: [{ year: 2021, revenue_currency: 'USD', ...performance }],
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
    const [row] = calculate({ spend: '1000000', record }).rows;
    expect(row).toMatchObject({ basis: 'own', warning: null });
    expect(row?.factor?.toFixed(5)).toBe('0.07191');
    expect(row?.emissions?.toFixed(2)).toBe('71913.37');
  });

  it('uses the published factor where the total is not disclosed', () => {
    const { rows } = calculate({ spend: '1000000', record: of(published) });
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
  const { summary } = calculate(
    company('set', '42881', 54_327, 1_601_576),
    company('committed', '56155', 93_541, 1_247_710),
    company('none', '34690', 79_081, 79_541),
  );

  it('is weighted by value', () => {
    expect(((summary.sbti_coverage.by_spend ?? 0) * 100).toFixed(4)).toBe('32.0663');
  });

  it('is weighted by emissions', () => {
    expect(summary.emissions?.toFixed(2)).toBe('4096135.64');
    expect(summary.sbti_coverage.by_emissions?.toFixed(6)).toBe('0.617238');
  });

  it('reports commitments beside the coverage, not in it', () => {
    const committed = summary.sbti_coverage.targets.find(({ status }) => status === 'committed');
    expect(committed?.by_spend?.toFixed(6)).toBe('0.419926');
  });
});
