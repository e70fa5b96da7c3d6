import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactSum } from '../../../src/footprint/calculation/exact-sum.ts';
import { Footprint, type FootprintOptions } from '../../../src/footprint/calculation/footprint.ts';
import type { FootprintSummary } from '../../../src/footprint/footprint-summary.ts';
import type { SpendGroup } from '../../../src/footprint/ledger.ts';
import { bases, type RegisterRow, uncoveredReasons } from '../../../src/footprint/register-row.ts';
import { factorOf, footprintOptions, groupOf, supplierOf } from '../groups.ts';
import '../../support/seed.ts';

const options: FootprintOptions = { ...footprintOptions, upstream: 'additive', whatIf: 2 };
const suppliers = [null, 'set', 'set', 'committed', 'removed', 'none'].map((status, id) =>
  supplierOf(id, status),
);

const cents = (min: number) =>
  fc.integer({ min, max: 1e11 }).map((amount) => `${(amount / 100).toFixed(2)}`);
const factor = fc.oneof(
  fc
    .tuple(
      fc.double({ min: 0, max: 1e4, noNaN: true }),
      fc.constantFrom(...bases),
      fc.integer({ min: 2015, max: 2026 }),
    )
    .map(([value, basis, year]) => factorOf(value + 0, basis, year)),
  fc.constantFrom(...uncoveredReasons).map((reason) => ({ reason, detail: null })),
);

function groupsWith(spend: fc.Arbitrary<string | null>): fc.Arbitrary<SpendGroup[]> {
  const group = fc
    .record({
      supplier: fc.constantFrom(...suppliers),
      currency: fc.constantFrom('EUR', 'USD', null),
      category: fc.constantFrom('Steel', 'Paper', null),
      year: fc.constantFrom(2021, 2023, null),
      spend,
      additive: factor,
      nested: factor,
    })
    .map(({ supplier, spend: amount, additive, nested, ...change }) =>
      groupOf(supplier, amount, additive, { ...change, factors: { additive, nested } }),
    );
  return fc.array(group, { maxLength: 25 });
}

/* With credit notes, rows without spend, and suppliers with negative net spend. */
const anyGroups = groupsWith(fc.option(cents(-1e11), { freq: 8 }));

function calculate(groups: readonly SpendGroup[]) {
  const footprint = new Footprint(groups, options);
  return { rows: [...footprint.rows()], summary: footprint.summary() };
}

function total(rows: readonly RegisterRow[]): number {
  const sum = new ExactSum();
  for (const { emissions } of rows) sum.add(emissions ?? 0);
  return sum.value();
}

/* Returns the spend of rows in cents, by currency. */
function spendOf(rows: readonly RegisterRow[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { currency, spend } of rows) {
    const key = currency ?? 'unknown';
    const amount = BigInt((spend ?? 0).toFixed(2).replace('.', ''));
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  return sums;
}

const inCents = (amount: number) => BigInt(amount.toFixed(2).replace('.', ''));

describe('Footprint properties', () => {
  it('the order of groups changes no digit', () => {
    const shuffled = anyGroups.chain((groups) =>
      fc.tuple(
        fc.constant(groups),
        fc.shuffledSubarray(groups, { minLength: groups.length, maxLength: groups.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([groups, others]) => {
        const [a, b] = [calculate(groups), calculate(others)];
        expect(JSON.stringify(b.summary)).toBe(JSON.stringify(a.summary));
        const sorted = (rows: readonly RegisterRow[]) =>
          rows.map((row) => JSON.stringify(row)).sort();
        expect(sorted(b.rows)).toEqual(sorted(a.rows));
      }),
    );
  });

  it('splitting a row changes no total', () => {
    const split = fc.tuple(
      groupsWith(cents(0)).filter((groups) => groups.length > 0),
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(split, ([groups, position, share]) => {
        const index = position % groups.length;
        const group = groups[index] as SpendGroup;
        const units = Number(group.spend?.replace('.', ''));
        const part = Math.floor(units * share);
        const parts = [part, units - part].map((amount) => ({
          ...group,
          spend: (amount / 100).toFixed(2),
        }));
        const [before, after] = [
          calculate(groups).summary,
          calculate(groups.toSpliced(index, 1, ...parts)).summary,
        ];
        expect(after.spend).toEqual(before.spend);
        expect(after.suppliers).toBe(before.suppliers);
        // A part of 0 without a factor is one more row without spend.
        expect(after.excluded.negative_net_spend).toEqual(before.excluded.negative_net_spend);
        // Each row is rounded to a double, so the last digits of a product may differ.
        expectClose(after.emissions, before.emissions);
        expectClose(after.supplier_data_share, before.supplier_data_share);
        expectClose(after.sbti_coverage.by_emissions, before.sbti_coverage.by_emissions);
        expect(after.sbti_coverage.by_spend).toBe(before.sbti_coverage.by_spend);
      }),
    );
  });

  it('shares of rows, categories and bases add up to 1', () => {
    fc.assert(
      fc.property(groupsWith(cents(0)), (groups) => {
        const { rows, summary } = calculate(groups);
        // A share of a subnormal total has few digits.
        fc.pre((summary.emissions ?? 0) > 1e-290);
        const sumOf = (shares: readonly (number | null)[]) =>
          shares.reduce<number>((sum, share) => sum + (share ?? 0), 0);
        expect(sumOf(rows.map(({ share }) => share))).toBeCloseTo(1, 10);
        expect(sumOf(summary.categories.map(({ share }) => share))).toBeCloseTo(1, 10);
        expect(sumOf(summary.largest.map(({ share }) => share))).toBeCloseTo(1, 10);
        // The emissions of each supplier are rounded, so the last digit of their sum may differ.
        expect(summary.largest.at(-1)?.cumulative_share).toBeCloseTo(1, 10);
        const { supplier_data_share, factor_share, industry_share } = summary;
        expect(sumOf([supplier_data_share, factor_share, industry_share])).toBeCloseTo(1, 10);
      }),
    );
  });

  it('every total follows from the rows alone', () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        const { rows, summary } = calculate(groups);
        expectTotals(rows, summary);
      }),
    );
  });

  it('every row is spend times factor, or has a reason', () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        for (const row of calculate(groups).rows) {
          if (row.spend === null) expect(row.excluded).toBe('no_spend');
          else if (row.factor !== null) expect(row.emissions).toBe(row.spend * row.factor + 0);
          else if (row.spend === 0) expect(row.excluded).not.toBeNull();
          else expect(row.uncovered).not.toBeNull();
        }
      }),
    );
  });

  it('net spend decides whether a supplier counts in a currency', () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        const { rows } = calculate(groups);
        for (const { id, currency, excluded, spend, factor } of rows) {
          if (spend === null || (spend === 0 && factor === null)) continue;
          const same = rows.filter((row) => row.id === id && row.currency === currency);
          const net = spendOf(same).get(currency ?? 'unknown') ?? 0n;
          expect(excluded).toBe(net < 0n ? 'negative_net_spend' : null);
        }
      }),
    );
  });
});

/* Checks the summary against the rows; currencies are compared one by one, never added up. */
function expectTotals(rows: readonly RegisterRow[], summary: FootprintSummary): void {
  const counted = rows.filter(({ excluded }) => excluded === null);
  const covered = counted.filter(({ emissions }) => emissions !== null);
  expect(summary.emissions).toBe(covered.length === 0 ? null : total(covered));
  expect([summary.rows, summary.covered_rows]).toEqual([counted.length, covered.length]);
  const uncoveredRows = Object.values(summary.uncovered).reduce((sum, count) => sum + count, 0);
  expect(uncoveredRows).toBe(counted.length - covered.length);
  expect(summary.suppliers).toBe(new Set(counted.map(({ id }) => id)).size);
  expect(Object.keys(summary.spend)).toEqual([...spendOf(counted).keys()].sort());
  for (const [currency, { total: all, covered: part }] of Object.entries(summary.spend)) {
    expect(inCents(all)).toBe(spendOf(counted).get(currency));
    expect(inCents(part)).toBe(spendOf(covered).get(currency) ?? 0n);
  }
  const emissionsOf = (rowsOf: readonly RegisterRow[]) =>
    summary.emissions ? total(rowsOf) / summary.emissions : null;
  const withTarget = covered.filter(({ sbti_near_term }) => sbti_near_term.status === 'set');
  if (summary.emissions) {
    expect(summary.sbti_coverage.by_emissions).toBe(finite(emissionsOf(withTarget)));
    const disclosed = covered.filter(({ basis }) => basis === 'disclosed');
    expect(summary.supplier_data_share).toBe(finite(emissionsOf(disclosed)));
  }
  for (const { category, emissions, rows: count } of summary.categories) {
    const own = counted.filter((row) => row.category === category);
    expect([emissions, count]).toEqual([total(own), own.length]);
  }
  for (const { id, emissions } of summary.largest) {
    expect(emissions).toBe(total(covered.filter((row) => row.id === id)));
  }
  const negative = rows.filter(({ excluded }) => excluded === 'negative_net_spend');
  expect(summary.excluded.negative_net_spend.rows).toBe(negative.length);
  expect(summary.excluded.negative_net_spend.emissions).toBe(total(negative));
}

function finite(share: number | null): number | null {
  return share !== null && Number.isFinite(share) ? share + 0 : null;
}

function expectClose(actual: number | null, expected: number | null): void {
  if (actual === null || expected === null) expect(actual).toBe(expected);
  else expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * Math.abs(expected) + 1e-300);
}
