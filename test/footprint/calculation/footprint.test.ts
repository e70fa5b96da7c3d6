import { describe, expect, it } from 'vitest';
import { Footprint, type FootprintOptions } from '../../../src/footprint/calculation/footprint.ts';
import type { SpendGroup, Uncovered } from '../../../src/footprint/ledger.ts';
import { factorOf, footprintOptions, groupOf, supplierOf } from '../groups.ts';

const [alpha, beta, gamma] = [supplierOf(1, 'set'), supplierOf(2, 'committed'), supplierOf(3)];
const uncovered: Uncovered = { reason: 'no_revenue', detail: null };

function calculate(groups: readonly SpendGroup[], options: Partial<FootprintOptions> = {}) {
  const footprint = new Footprint(groups, { ...footprintOptions, ...options });
  return { rows: [...footprint.rows()], summary: footprint.summary() };
}

describe('Footprint rows', () => {
  it('multiply spend by the factor and state its inputs', () => {
    const factor = factorOf(0.25, 'factor', 2021);
    const { rows } = calculate([groupOf(alpha, '1000.50', factor, { category: 'Steel' })]);
    expect(rows).toEqual([
      {
        lines: [2],
        line_count: 1,
        supplier: 'Supplier 1',
        id: 1,
        name: 'Record 1',
        matched_by: 'journal',
        currency: 'EUR',
        spend: 1000.5,
        spend_year: 2023,
        category: 'Steel',
        boundary: 'cradle-to-gate',
        basis: 'factor',
        factor: 0.25,
        factor_year: 2021,
        factor_region: null,
        inputs: factor.inputs,
        emissions: 250.125,
        share: 1,
        sbti_near_term: alpha.target,
        retrieved_at: null,
        synthetic: false,
        uncovered: null,
        uncovered_detail: null,
        excluded: null,
      },
    ]);
  });

  it('state why a row has no emissions, and never 0', () => {
    const reason: Uncovered = { reason: 'other_currency', detail: 'the record is in USD' };
    const { rows, summary } = calculate([groupOf(alpha, '10', reason)]);
    expect(rows).toMatchObject([
      {
        emissions: null,
        share: null,
        factor: null,
        uncovered: 'other_currency',
        uncovered_detail: 'the record is in USD',
      },
    ]);
    expect(summary).toMatchObject({
      emissions: null,
      rows: 1,
      covered_rows: 0,
      spend: { EUR: { total: 10, covered: 0 } },
      supplier_data_share: null,
      uncovered: { other_currency: 1 },
      suppliers_for_80_percent: null,
      sbti_coverage: { by_emissions: null, by_spend: 1 },
    });
  });

  it('list rows without spend, which count nowhere', () => {
    const { rows, summary } = calculate([
      groupOf(alpha, null, factorOf(1)),
      groupOf(beta, null, uncovered),
    ]);
    expect(rows).toMatchObject([
      { spend: null, emissions: null, share: null, uncovered: null, excluded: 'no_spend' },
      { spend: null, emissions: null, share: null, uncovered: null, excluded: 'no_spend' },
    ]);
    expect(summary).toMatchObject({
      emissions: null,
      rows: 0,
      suppliers: 0,
      uncovered: {},
      excluded: { no_spend: { rows: 2 } },
      sbti_coverage: { set: 0 },
    });
  });

  it('count a spend of 0', () => {
    const { rows, summary } = calculate([groupOf(alpha, '0', factorOf(1))]);
    expect(rows).toMatchObject([{ spend: 0, emissions: 0, share: null, excluded: null }]);
    expect(summary).toMatchObject({ emissions: 0, covered_rows: 1 });
  });
});

describe('Footprint totals', () => {
  it('share the emissions by basis', () => {
    const { rows, summary } = calculate([
      groupOf(alpha, '50', factorOf(1, 'disclosed')),
      groupOf(beta, '30', factorOf(1, 'factor')),
      groupOf(gamma, '20', factorOf(1, 'industry')),
      groupOf(supplierOf(4), '900', uncovered),
    ]);
    expect(summary).toMatchObject({
      emissions: 100,
      rows: 4,
      covered_rows: 3,
      suppliers: 4,
      spend: { EUR: { total: 1000, covered: 100 } },
      supplier_data_share: 0.5,
      factor_share: 0.3,
      industry_share: 0.2,
      uncovered: { no_revenue: 1 },
      matched_by: { journal: 4 },
    });
    expect(rows.map(({ share }) => share)).toEqual([0.5, 0.3, 0.2, null]);
  });

  it('add up cents exactly', () => {
    const { summary } = calculate([
      groupOf(alpha, '0.1', factorOf(1)),
      groupOf(beta, '0.2', factorOf(1)),
    ]);
    expect(summary.spend).toEqual({ EUR: { total: 0.3, covered: 0.3 } });
  });

  it('never add up spend in different currencies', () => {
    const { summary } = calculate([
      groupOf(alpha, '10', factorOf(1)),
      groupOf(alpha, '20', factorOf(2), { currency: 'USD' }),
      groupOf(beta, '30', { reason: 'no_currency', detail: null }, { currency: null }),
    ]);
    expect(summary.spend).toEqual({
      EUR: { total: 10, covered: 10 },
      USD: { total: 20, covered: 20 },
      unknown: { total: 30, covered: 0 },
    });
    expect(summary.sbti_coverage).toMatchObject({ by_emissions: 1, by_spend: null });
    expect(summary.largest).toMatchObject([
      { id: 1, emissions: 50, spend: { EUR: 10, USD: 20 }, factor: 2 },
    ]);
  });

  it('group emissions by category, the largest first', () => {
    const { summary } = calculate([
      groupOf(alpha, '10', factorOf(1), { category: 'Paper' }),
      groupOf(alpha, '70', factorOf(1)),
      groupOf(beta, '20', factorOf(1), { category: 'Steel' }),
      groupOf(gamma, '5', uncovered, { category: 'Steel' }),
    ]);
    expect(summary.categories).toMatchObject([
      {
        category: 'Steel',
        emissions: 20,
        share: 0.2,
        spend: { EUR: { total: 25, covered: 20 } },
        rows: 2,
        covered_rows: 1,
      },
      { category: 'Paper', emissions: 10, share: 0.1 },
      { category: null, emissions: 70, share: 0.7 },
    ]);
  });

  it('count the gaps between the years of spend and factor', () => {
    const { summary } = calculate([
      groupOf(alpha, '1', factorOf(1, 'factor', 2023)),
      groupOf(alpha, '1', factorOf(1, 'factor', 2021)),
      groupOf(alpha, '1', factorOf(1, 'factor', 2020)),
      groupOf(alpha, '1', factorOf(1, 'factor', 2026)),
      groupOf(alpha, '1', factorOf(1, 'factor', 2023), { year: null }),
    ]);
    expect(summary.year_gaps).toEqual({ 0: 1, 2: 1, 3: 1, '-3': 1, unknown: 1 });
    expect(summary.old_factors).toBe(2);
  });

  it('state the range of the retrieval times', () => {
    const [first, last] = ['2025-01-31T10:00:00Z', '2025-02-01T09:00:00Z'];
    const { summary } = calculate([
      groupOf({ ...alpha, retrievedAt: last }, '1', factorOf(1)),
      groupOf({ ...beta, retrievedAt: first, isSynthetic: true }, '1', factorOf(1)),
      groupOf(gamma, '1', factorOf(1)),
    ]);
    expect(summary.method).toEqual({
      ...footprintOptions.method,
      retrieved: { from: first, to: last },
    });
    expect(summary.synthetic).toBe(1);
  });
});

describe('Footprint with credit notes', () => {
  it('counts a credit note of a supplier with positive net spend', () => {
    const { rows, summary } = calculate([
      groupOf(alpha, '100', factorOf(1)),
      groupOf(alpha, '-40', factorOf(1), { category: 'Returns' }),
    ]);
    expect(summary).toMatchObject({ emissions: 60, spend: { EUR: { total: 60 } } });
    expect(rows.map(({ emissions }) => emissions)).toEqual([100, -40]);
  });

  it('shows rows of a supplier with negative net spend, but counts them nowhere', () => {
    const { rows, summary } = calculate([
      groupOf(alpha, '100', factorOf(1)),
      groupOf(alpha, '-100.01', factorOf(1), { year: 2022 }),
      groupOf(alpha, '10', factorOf(2), { currency: 'USD' }),
      groupOf(beta, '-5', uncovered),
    ]);
    expect(rows).toMatchObject([
      { emissions: 100, share: null, excluded: 'negative_net_spend' },
      { emissions: -100.01, share: null, excluded: 'negative_net_spend' },
      { emissions: 20, share: 1, excluded: null },
      { emissions: null, uncovered: 'no_revenue', excluded: 'negative_net_spend' },
    ]);
    expect(summary).toMatchObject({
      emissions: 20,
      rows: 1,
      suppliers: 1,
      spend: { USD: { total: 10, covered: 10 } },
      uncovered: {},
      excluded: {
        negative_net_spend: { suppliers: 2, rows: 3, spend: { EUR: -5.01 } },
      },
    });
    expect(summary.excluded.negative_net_spend.emissions).toBe(100 - 100.01);
  });

  it('counts a supplier whose invoices and credit notes cancel each other out', () => {
    const { rows } = calculate([
      groupOf(alpha, '0.1', factorOf(1)),
      groupOf(alpha, '0.2', factorOf(1)),
      groupOf(alpha, '-0.3', factorOf(1)),
    ]);
    expect(rows.map(({ excluded }) => excluded)).toEqual([null, null, null]);
  });
});

describe('Footprint suppliers', () => {
  it('merges the rows of a supplier and shows its largest row', () => {
    const { summary } = calculate([
      groupOf(beta, '40', factorOf(1, 'industry')),
      groupOf(alpha, '15', factorOf(1, 'factor', 2020)),
      groupOf(alpha, '45', factorOf(1, 'disclosed', 2022), { category: 'Steel' }),
      groupOf(gamma, '7', uncovered),
    ]);
    expect(summary.largest).toEqual([
      {
        supplier: 'Supplier 1',
        id: 1,
        emissions: 60,
        share: 0.6,
        cumulative_share: 0.6,
        spend: { EUR: 60 },
        basis: 'disclosed',
        factor: 1,
        factor_year: 2022,
        sbti_near_term: 'set',
      },
      {
        supplier: 'Supplier 2',
        id: 2,
        emissions: 40,
        share: 0.4,
        cumulative_share: 1,
        spend: { EUR: 40 },
        basis: 'industry',
        factor: 1,
        factor_year: 2023,
        sbti_near_term: 'committed',
      },
    ]);
  });

  it('counts the suppliers for 80 % and lists at most twenty', () => {
    const groups = Array.from({ length: 30 }, (_, index) =>
      groupOf(supplierOf(index), index < 4 ? '195' : index === 4 ? '20' : '8', factorOf(1)),
    );
    const { summary } = calculate(groups);
    expect(summary.emissions).toBe(1000);
    expect(summary.suppliers_for_80_percent).toBe(5);
    expect(summary.largest).toHaveLength(20);
  });

  it('calculates the coverage if the largest suppliers without a target set one', () => {
    const groups = [
      groupOf(alpha, '10', factorOf(1)),
      groupOf(beta, '20', factorOf(2)),
      groupOf(gamma, '30', factorOf(1)),
      groupOf(supplierOf(4, 'removed'), '20', factorOf(1)),
      groupOf(supplierOf(5), '20', uncovered),
    ];
    const { summary } = calculate(groups, { whatIf: 2 });
    expect(summary.sbti_coverage).toMatchObject({ by_emissions: 0.1, by_spend: 0.1 });
    expect(summary.what_if).toEqual({ suppliers: 2, by_emissions: 0.8, by_spend: 0.6 });
    expect(calculate(groups, { whatIf: 10 }).summary.what_if).toEqual({
      suppliers: 3,
      by_emissions: 1,
      by_spend: 0.8,
    });
    expect(calculate(groups).summary.what_if).toBeNull();
  });

  it('counts targets by status and never counts committed or removed ones as set', () => {
    const statuses = ['set', 'committed', 'removed', 'none', null, 'with_target'];
    const groups = statuses.map((status, index) =>
      groupOf(supplierOf(index, status), '10', factorOf(index === 0 ? 5 : 1)),
    );
    expect(calculate(groups).summary.sbti_coverage).toMatchObject({
      by_emissions: 0.5,
      by_spend: 10 / 60,
      set: 1,
      committed: 1,
      removed: 1,
      none: 1,
      unknown: 2,
      committed_share: { by_emissions: 0.1, by_spend: 10 / 60 },
      removed_share: { by_emissions: 0.1, by_spend: 10 / 60 },
    });
  });

  it('states the dates of the evidence for targets', () => {
    const dated = (id: number, created_at: string | null, retrieved_at: string | null) =>
      groupOf({ ...supplierOf(id), target: { status: 'set', created_at, retrieved_at } }, '1', {
        reason: 'no_factor',
        detail: null,
      });
    const { summary } = calculate([
      dated(1, '2020-01-01', '2025-03-01'),
      dated(2, '2019-01-01', null),
      dated(3, null, 'yesterday'),
    ]);
    expect(summary.sbti_coverage.evidence).toEqual({ from: '2019-01-01', to: '2025-03-01' });
  });
});

describe('Footprint with an undecided upstream factor', () => {
  const choice = { additive: factorOf(0.7, 'factor'), nested: factorOf(0.5, 'factor') };
  const group = groupOf(alpha, '100', factorOf(0), { factors: choice });

  it('uses the reading that the records support', () => {
    const evidence = { additive: 0, nested: 20, neither: 1, undecided: 2 };
    const { rows, summary } = calculate([group], { evidence });
    expect(rows).toMatchObject([{ factor: 0.5, emissions: 50 }]);
    expect(summary.upstream).toEqual({ reading: 'nested', decided_by: 'records', ...evidence });
  });

  it('uses the reading of the option', () => {
    const { rows, summary } = calculate([group], { upstream: 'additive' });
    expect(rows).toMatchObject([{ emissions: 70 }]);
    expect(summary.upstream).toMatchObject({ reading: 'additive', decided_by: 'option' });
  });

  it('fails only if a row with spend needs the reading', () => {
    expect(() => calculate([group])).toThrow(/upstream factor/);
    expect(() => calculate([{ ...group, spend: null }])).not.toThrow();
    expect(calculate([groupOf(alpha, '1', factorOf(1))]).summary.upstream).toMatchObject({
      reading: null,
      decided_by: null,
    });
  });

  it('needs the reading if a factor exists under one reading only', () => {
    const factors = { additive: uncovered, nested: factorOf(1) };
    expect(() => calculate([{ ...group, factors }])).toThrow(/upstream factor/);
  });
});
