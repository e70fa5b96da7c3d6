import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bridge,
  changesBySupplier,
  effects,
  type Step,
} from '../../../src/portfolio/footprint/bridge.ts';
import { asksOf } from '../../../src/portfolio/footprint/bridge-asks.ts';
import type { BridgeItem } from '../../../src/portfolio/footprint/bridge-cells.ts';
import { unmatchedStep } from '../../../src/portfolio/organizations/correction.ts';
import { totalOf } from '../../../src/portfolio/organizations/sum.ts';

/* A line item in euros, of a supplier whose own figures of 2024 yield `factor`. */
function item(id: number | null, spend: number, factor: number | null, more: object = {}) {
  const {
    revenue = 1_000,
    categories = '1',
    method = 'market-based',
    ...others
  } = more as {
    readonly revenue?: number;
    readonly categories?: string;
    readonly method?: string;
  };
  return {
    supplier: `Supplier ${id}`,
    id,
    hq_region: 'DE',
    matched_id: id,
    currency: 'EUR',
    spend,
    basis: factor === null ? null : 'own',
    factor,
    factor_year: factor === null ? null : 2024,
    factor_region: factor === null ? null : 'GLOBAL',
    upstream_factor: null,
    inputs: { revenue, upstream_categories: categories, scope_2_method: method },
    emissions: factor === null ? null : spend * factor,
    uncovered: factor === null ? 'no_record' : null,
    excluded: null,
    synthetic: false,
    group: null,
    ...others,
  } as BridgeItem;
}

function compare(
  before: readonly BridgeItem[],
  after: readonly BridgeItem[],
  step: Step = 'years',
) {
  const { effects: found, ...result } = bridge(step, before, after);
  const amounts = Object.fromEntries(found.map(({ effect, emissions }) => [effect, emissions]));
  return { ...result, found, amounts };
}

describe('bridge', () => {
  it('divides a change of spend and factor by the mean of both orders', () => {
    const { amounts, together } = compare([item(1, 100, 2)], [item(1, 200, 3)]);
    expect(together).toBe(400);
    // Spend first: 200 at the old factor, then 200 × 1; factor first: 100 × 1, then 100 × 3.
    expect(amounts).toEqual({ spend: 250, supplier_emissions: 150 });
  });

  it('shows that a lower factor from higher revenue is no cut of emissions', () => {
    const [before, after] = [item(1, 100, 2), item(1, 100, 1, { revenue: 2_000 })];
    expect(compare([before], [after]).amounts).toEqual({ supplier_revenue: -100 });
  });

  it.each([
    ['another basis', { basis: 'industry' }, 'own → industry'],
    ['another organization', { matched_id: 7 }, 'other organization'],
    ['another method of scope 2', { method: 'location-based' }, 'scope 2 method'],
    ['another region', { factor_region: 'EU' }, 'region'],
    ['other categories, even as many', { categories: '4' }, 'categories'],
    ['another reading of the factor', { upstream_factor: 'nested' }, 'upstream reading'],
  ])('is method and data with %s', (_, more, reason) => {
    const { found } = compare([item(1, 100, 2)], [item(1, 100, 3, more)]);
    expect(found).toMatchObject([
      { effect: 'method_and_data', emissions: 100, share: 0.5, suppliers: 1, reasons: [reason] },
    ]);
  });

  it.each([
    ['corrected figures', {}],
    ["another year's figures", { factor_year: 2023 }],
  ])('calls %s by name when records are compared', (reason, more) => {
    const { found } = compare([item(1, 100, 2)], [item(1, 100, 3, more)], 'restated');
    expect(found).toMatchObject([{ effect: 'method_and_data', reasons: [reason] }]);
  });

  it.each([
    ['corrected industry averages', {}],
    ["another year's industry averages", { factor_year: 2023 }],
  ])('says that industry averages changed: %s', (reason, more) => {
    const industry = { basis: 'industry', factor_year: 2024 } as const;
    const [before, after] = [item(1, 100, 2, industry), item(1, 100, 3, { ...industry, ...more })];
    for (const step of ['restated', 'years'] as const)
      expect(compare([before], [after], step).found).toMatchObject([
        { effect: 'method_and_data', reasons: [reason] },
      ]);
  });

  it('says on which side spend has no emissions', () => {
    const before = [item(1, 100, null), item(2, 50, 2), item(3, 10, 1), item(3, 10, null)];
    const after = [item(1, 100, 3), item(2, 50, null), item(3, 20, 1)];
    const { found, rows } = compare(before, after);
    expect(rows.map(({ id, reason }) => [id, reason])).toEqual([
      [1, 'no emissions before: no record'],
      [2, 'no emissions now: no record'],
      [3, 'part without emissions before: no record'],
    ]);
    expect(found).toMatchObject([{ effect: 'coverage', reasons: { length: 3 } }]);
    const old = 'figures are of 2019, more than 5 years before 2025';
    const isOld = { uncovered: 'too_old', uncovered_detail: old };
    const [row] = compare([item(1, 100, 2)], [item(1, 100, null, isOld)]).rows;
    expect(row?.reason).toBe(old);
    const both = compare([item(1, 10, 1), item(1, 5, null)], [item(1, 20, null)]).rows;
    expect(both[0]?.reason).toBe('part without emissions on both sides');
  });

  it('separates coverage, new and lost suppliers, and another currency', () => {
    const before = [item(1, 100, null), item(2, 50, 2), item(4, 10, 1)];
    const after = [item(1, 100, 3), item(3, 20, 2), item(4, 10, 2, { currency: 'USD' })];
    expect(compare(before, after).amounts).toEqual({
      coverage: 300,
      left: -100,
      new: 40,
      currency_change: 10,
    });
  });

  it('pairs a renamed supplier by ID, and one without an ID by name and country', () => {
    const named = { id: null, supplier: 'Müller KG', matched_id: null };
    const before = [item(1, 100, 2, { supplier: 'Old' }), item(null, 10, 1, named)];
    const after = [
      item(1, 100, 2, { supplier: 'New' }),
      item(null, 10, 1, { ...named, supplier: 'MÜLLER KG ' }),
    ];
    expect(compare(before, after)).toMatchObject({ amounts: {}, sameFigures: 1 });
    const [elsewhere] = [item(null, 10, 1, { ...named, hq_region: 'AT' })];
    expect(compare(before, [after[0] as BridgeItem, elsewhere as BridgeItem]).amounts).toEqual({
      new: 10,
      left: -10,
    });
  });

  it('pairs the members of a group with each other', () => {
    const ofGroup = { group: '77', matched_id: 77 };
    const before = [item(1, 100, 2, ofGroup), item(2, 100, 2, ofGroup)];
    expect(compare(before, [item(3, 250, 2, ofGroup)]).amounts).toEqual({ spend: 100 });
  });

  it('leaves out items that count in no total, and rows without a supplier', () => {
    const refund = item(1, -10, 2, { excluded: 'negative_net_spend' });
    const unnamed = item(null, 500, null, { supplier: null });
    const { rows, before, after } = compare([refund, unnamed], [unnamed]);
    expect({ rows, before, after }).toEqual({ rows: [], before: 0, after: 0 });
  });

  it('ranks suppliers by what they changed in all currencies', () => {
    const usd = { currency: 'USD' };
    const before = [item(1, 100, 1), item(1, 100, 1, usd), item(2, 100, 1), item(3, 90, 1)];
    const after = [item(1, 40, 1), item(1, 50, 1, usd), item(2, 10, 1), item(3, 90, 1, usd)];
    const { rows } = compare(before, after);
    expect(changesBySupplier(rows).map(({ rows: [{ id }], change }) => [id, change])).toEqual([
      [1, -110],
      [2, -90],
      [3, 0],
    ]);
    expect(rows.map(({ id, currency }) => `${id} ${currency}`)).toEqual([
      '1 EUR',
      '1 USD',
      '2 EUR',
      '3 EUR',
      '3 USD',
    ]);
  });

  it('says how much of the later total uses the same figures on both sides', () => {
    const [same, other] = [item(1, 30, 1), item(2, 70, 1)];
    const changed = item(2, 70, 1, { factor_year: 2023 });
    expect(compare([same, changed], [same, other]).sameFigures).toBe(0.3);
  });
});

describe('bridge, for random footprints', { tags: ['property'] }, () => {
  const items = fc.array(
    fc
      .tuple(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.option(fc.double({ min: 1e-6, max: 1e3, noNaN: true }), { freq: 4 }),
        fc.record(
          {
            revenue: fc.integer({ min: 1, max: 1_000_000 }),
            basis: fc.constantFrom('own', 'service', 'industry'),
            currency: fc.constantFrom('EUR', 'USD'),
            factor_year: fc.constantFrom(2023, 2024),
            categories: fc.constantFrom('1', '1 4'),
          },
          { requiredKeys: [] },
        ),
      )
      .map(([id, spend, factor, more]) =>
        item(id, spend, factor, { ...more, group: id < 4 ? 'a' : id < 6 ? 'b' : null }),
      ),
    { maxLength: 12 },
  );
  const sides = fc.tuple(items, items, fc.constantFrom<Step>('years', 'restated'));

  it('adds up to the difference of the totals', () => {
    fc.assert(
      fc.property(sides, ([before, after, step]) => {
        const result = bridge(step, before, after);
        const sum = totalOf(result.effects.map(({ emissions }) => emissions));
        const larger = Math.max(result.before, result.after);
        expect(Math.abs(sum - result.together)).toBeLessThanOrEqual(1e-9 * larger);
        const ofRows = totalOf(
          result.rows.flatMap((row) => effects.map((effect) => row.effects[effect] ?? 0)),
        );
        expect(Math.abs(ofRows - result.together)).toBeLessThanOrEqual(1e-9 * larger);
      }),
    );
  });

  it('ranks suppliers like a second computation from the items', () => {
    fc.assert(
      fc.property(sides, ([before, after, step]) => {
        // Items of a group can be paired across IDs, so that no ID stands for a supplier.
        const alone = (all: readonly BridgeItem[]) => all.filter(({ group }) => group === null);
        const sums = new Map<string, number>();
        for (const [sign, all] of [[-1, alone(before)] as const, [1, alone(after)] as const])
          for (const { id, emissions } of all)
            sums.set(String(id), (sums.get(String(id)) ?? 0) + sign * (emissions ?? 0));
        const ranked = changesBySupplier(bridge(step, alone(before), alone(after)).rows);
        expect(ranked).toHaveLength(sums.size);
        for (const { rows, change } of ranked)
          expect(change).toBeCloseTo(sums.get(String(rows[0].id)) ?? Number.NaN, 3);
        const sizes = ranked.map(({ change }) => Math.abs(change));
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      }),
    );
  });

  it('changes every sign if the sides are swapped', () => {
    const opposite: Readonly<Record<string, string>> = { new: 'left', left: 'new' };
    fc.assert(
      fc.property(sides, ([before, after, step]) => {
        const [there, back] = [compare(before, after, step), compare(after, before, step)];
        for (const [effect, amount] of Object.entries(there.amounts)) {
          const other = back.amounts[opposite[effect] ?? effect] ?? 0;
          const larger = Math.max(there.before, there.after);
          expect(Math.abs(amount + other)).toBeLessThanOrEqual(1e-9 * larger);
        }
      }),
    );
  });

  it('depends on no order of the items', () => {
    fc.assert(
      fc.property(sides, ([before, after, step]) => {
        const [one, other] = [
          compare(before, after, step),
          compare(before.toReversed(), after.toReversed(), step),
        ];
        expect(Object.keys(one.amounts)).toEqual(Object.keys(other.amounts));
        for (const [effect, amount] of Object.entries(one.amounts))
          expect(other.amounts[effect]).toBeCloseTo(amount, 3);
      }),
    );
  });
});

describe('whom a comparison leads to', () => {
  it('is nobody whose record has no matched organization', () => {
    const before = [item(1, 100, 0.5), item(2, 100, 0.5)];
    const average = { basis: 'industry' } as const;
    const figures = { year: 2024, scopes1And2: true, upstream: '1 2 3 4 5 6 7 8', revenue: true };
    const lack = { detail: null, missing: [], figures, industry: null };
    const after = [
      item(1, 100, 0.6, { ...average, lack: { ...lack, reason: 'unmatched' } }),
      item(2, 100, 0.7, { ...average, lack: { ...lack, reason: 'no_performance' } }),
    ];
    const asks = asksOf(bridge('years', before, after));
    const steps = asks.map(({ why, next_step, suppliers }) => [
      why,
      next_step,
      suppliers.map(({ id }) => id),
    ]);
    expect(steps).toEqual([
      ['industry', 'ask for scopes 1 to 3 and the revenue of 2024', [2]],
      ['unmatched', unmatchedStep, [1]],
    ]);
  });
});
