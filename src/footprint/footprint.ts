/* Calculates the line items and the summary of a footprint from spend with factors. */
import { numberOf, Sum } from './decimal.ts';
import { type Entry, findOutliers, type Provenance } from './entry.ts';
import { isUncovered, readingMatters } from './factors/choose.ts';
import {
  checkUnits,
  decideReading,
  fitsUnit,
  unitScale,
  unknownTarget,
} from './factors/evidence.ts';
import type { Boundary, LineItem, MethodOptions, Uncovered, UpstreamReading } from './line-item.ts';
import type { FootprintSummary } from './summary.ts';
import type { SpendGroup, Supplier } from './suppliers/ledger.ts';
import type { MatchedSpend } from './suppliers/match.ts';
import { shareOf, summarize } from './totals.ts';

/** A calculated footprint. */
export interface Footprint {
  readonly summary: FootprintSummary;
  /** Yields the line items in the order of the first lines of their suppliers. */
  items(): Iterable<LineItem>;
}

/**
 * Calculates a footprint. The emissions of an item are its spend as a double times the factor;
 * totals are exact sums of items, so that the order of the rows changes no digit.
 *
 * @throws UsageError if an item needs the reading of the upstream factor and nothing decides it,
 * and if the units of factors and emissions differ
 */
export function calculateFootprint(
  { groups, evidence }: MatchedSpend,
  options: MethodOptions,
  provenance: Provenance,
): Footprint {
  const { boundary, unit, upstreamFactor, excludeOutliers = false } = options;
  const needsReading = groups.some(
    ({ spend, choice, record }) =>
      spend !== null &&
      choice !== undefined &&
      ownReading(record) === undefined &&
      readingMatters(choice),
  );
  const units = checkUnits(evidence, options);
  const upstream = decideReading(evidence, upstreamFactor, needsReading);
  const scale = unitScale(options);
  const negative = negativeSpend(groups);
  const entries = groups.map((group) =>
    entryOf(group, {
      reading: ownReading(group.record) ?? upstream.reading ?? 'additive',
      fitsUnit: group.record === undefined || fitsUnit(group.record.evidence, scale),
      isNegative: negative.has(group),
    }),
  );
  const outliers = findOutliers(entries, unit, excludeOutliers);
  const summary = summarize(entries, { options, provenance, upstream, units, outliers });
  const totals = new Map(summary.years.map(({ year, emissions }) => [year, emissions]));
  return {
    summary,
    *items() {
      for (const entry of entries) {
        const total = totals.get(entry.group.year) ?? null;
        yield itemOf(entry, boundary, total);
      }
    },
  };
}

/* What a record itself shows applies to it, whatever the others show. */
function ownReading(record: SpendGroup['record']): UpstreamReading | undefined {
  const shown = record?.evidence.upstream;
  return shown === 'additive' || shown === 'nested' ? shown : undefined;
}

interface Circumstances {
  readonly reading: UpstreamReading;
  readonly fitsUnit: boolean;
  readonly isNegative: boolean;
}

function entryOf(group: SpendGroup, circumstances: Circumstances): Entry {
  const spend = group.spend === null ? null : numberOf(group.spend);
  const excluded = circumstances.isNegative ? 'negative_net_spend' : null;
  const entry: Entry = {
    group,
    spend,
    reading: circumstances.reading,
    factor: null,
    emissions: null,
    uncovered: null,
    excluded,
    warning: null,
  };
  if (spend === null || group.choice === undefined) return { ...entry, excluded: 'no_spend' };
  const choice = group.choice[circumstances.reading];
  if (isUncovered(choice) || !circumstances.fitsUnit) {
    // Any factor yields no emissions of a spend of 0.
    if (spend === 0) return { ...entry, excluded: excluded ?? 'no_spend' };
    return { ...entry, uncovered: isUncovered(choice) ? choice : otherUnit };
  }
  return { ...entry, factor: choice, emissions: spend * choice.value + 0 };
}

const otherUnit: Uncovered = {
  reason: 'other_unit',
  detail: 'its emission factor times revenue is not its emissions',
};

/*
 * Finds the groups of suppliers whose net spend in a currency and year is negative, such as after
 * credit notes for an earlier year.
 */
function negativeSpend(groups: readonly SpendGroup[]): ReadonlySet<SpendGroup> {
  const credited = new Map<Supplier, Map<string, Sum>>();
  for (const { supplier, spend } of groups)
    if (spend !== null && spend.units < 0n) credited.set(supplier, new Map());
  const keyOf = ({ currency, year }: SpendGroup) => `${currency} ${year}`;
  for (const group of groups) {
    const sums = credited.get(group.supplier);
    if (sums === undefined || group.spend === null) continue;
    const sum = sums.get(keyOf(group)) ?? new Sum();
    sums.set(keyOf(group), sum);
    sum.add(group.spend);
  }
  return new Set(
    groups.filter((group) => {
      const sum =
        group.spend === null ? undefined : credited.get(group.supplier)?.get(keyOf(group));
      return sum !== undefined && sum.decimal.units < 0n;
    }),
  );
}

function itemOf(entry: Entry, boundary: Boundary, total: number | null): LineItem {
  const { group, spend, factor, emissions, uncovered, excluded, warning } = entry;
  const { supplier, record } = group;
  return {
    lines: group.lines,
    supplier: group.name,
    id: supplier.id,
    name: record?.name ?? null,
    matched_by: group.matchedBy,
    currency: group.currency,
    spend,
    spend_year: group.year,
    category: group.category,
    boundary: factor === null ? null : factor.basis === 'industry' ? 'undocumented' : boundary,
    basis: factor?.basis ?? null,
    factor: factor?.value ?? null,
    factor_year: factor?.year ?? null,
    factor_region: factor?.region ?? null,
    factor_note: factor?.note ?? null,
    upstream_factor: factor?.upstream ?? null,
    inputs: factor?.inputs ?? null,
    emissions,
    share: emissions === null || excluded !== null ? null : shareOf(emissions, total),
    sbti_near_term: record?.target ?? unknownTarget,
    retrieved_at: record?.retrievedAt ?? null,
    synthetic: record?.isSynthetic ?? false,
    warning,
    uncovered: uncovered?.reason ?? null,
    uncovered_detail: uncovered?.detail ?? null,
    excluded,
  };
}
