/* The largest suppliers by emissions: their figures, concentration, and what targets would do. */
import type { SupplierSummary, WhatIf } from '../footprint-summary.ts';
import type { SpendGroup, Supplier } from '../ledger.ts';
import { DecimalSum, toDecimal } from './decimal-sum.ts';
import { ExactSum } from './exact-sum.ts';
import type { Exclusions } from './exclusions.ts';
import type { ShareTotals } from './sbti-tally.ts';
import { SpendTotals } from './spend-totals.ts';
import { type RankedSupplier, shareOf } from './supplier-totals.ts';

const maxLargest = 20;
/* Above the relative error of a sum of doubles with a million addends. */
const maxRoundingError = 1e-9;

/** Returns the twenty largest suppliers; all rows of a supplier are merged. */
export function largestSuppliers(
  ranked: readonly RankedSupplier[],
  total: number | null,
  groups: Iterable<SpendGroup>,
  exclusions: Exclusions,
): SupplierSummary[] {
  const largest = ranked.slice(0, maxLargest);
  const spends = new Map(largest.map(({ supplier }) => [supplier, new SpendTotals()]));
  for (const group of groups) {
    const spend = spends.get(group.supplier);
    if (spend === undefined || group.spend === null || exclusions.of(group) !== null) continue;
    spend.add(group.currency, toDecimal(group.spend), true);
  }
  const cumulative = new ExactSum();
  return largest.map(({ supplier, largestFactor, emissions }) => {
    cumulative.add(emissions);
    return {
      supplier: supplier.name,
      id: supplier.id,
      emissions,
      share: shareOf(emissions, total) ?? 0,
      cumulative_share: shareOf(cumulative.value(), total) ?? 0,
      spend: spends.get(supplier)?.totals() ?? {},
      basis: largestFactor?.basis ?? null,
      factor: largestFactor?.value ?? null,
      factor_year: largestFactor?.year ?? null,
      sbti_near_term: supplier.target.status,
    };
  });
}

/**
 * Returns the smallest number of suppliers that account for a share of the emissions; null without
 * positive emissions.
 */
export function suppliersForShare(
  ranked: readonly RankedSupplier[],
  total: number | null,
  share: number,
): number | null {
  if (total === null || total <= 0) return null;
  const cumulative = new ExactSum();
  const limit = share * total;
  let rounded = 0;
  const index = ranked.findIndex(({ emissions }) => {
    cumulative.add(emissions);
    rounded += emissions;
    // Far below the limit, the sum of doubles decides, which takes less time.
    return rounded > limit * (1 - maxRoundingError) && cumulative.value() >= limit;
  });
  return index === -1 ? null : index + 1;
}

/** Returns the coverage if the largest suppliers without a target set one. */
export function whatIf(
  suppliers: number,
  ranked: readonly RankedSupplier[],
  totals: ShareTotals,
  groups: Iterable<SpendGroup>,
  exclusions: Exclusions,
): WhatIf {
  const isSet = ({ target }: Supplier) => target.status === 'set';
  const emissionsSum = new ExactSum();
  const setting = new Set<Supplier>();
  for (const { supplier, emissions } of ranked) {
    if (!isSet(supplier)) {
      if (setting.size >= suppliers) continue;
      setting.add(supplier);
    }
    emissionsSum.add(emissions);
  }
  const spendSum = new DecimalSum();
  for (const group of groups) {
    const { supplier, spend } = group;
    if (!isSet(supplier) && !setting.has(supplier)) continue;
    if (spend !== null && exclusions.of(group) === null) spendSum.add(toDecimal(spend));
  }
  return {
    suppliers: setting.size,
    by_emissions: shareOf(emissionsSum.value(), totals.emissions),
    by_spend: totals.spend === null ? null : shareOf(spendSum.value(), totals.spend),
  };
}
