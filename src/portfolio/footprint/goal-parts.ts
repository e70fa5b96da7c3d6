/* What the shares of a goal are of, and the part of each supplier in it. */
import { UsageError } from '../../runtime/carbon-error.ts';
import { totalOf } from '../organizations/sum.ts';
import {
  byIdentity,
  emissionsOf,
  type FootprintEntry,
  groupBy,
  isCovered,
  spendOf,
  unknownCurrency,
} from './entries.ts';
import type { Goal } from './goal-share.ts';
import { bases, type Exclusion } from './line-item.ts';
import { isNamed, type Supplier } from './supplier-groups.ts';
import { type TargetStatus, targetStatusOf } from './totals.ts';

export type Measure = ReturnType<typeof measureOf>;

/* What shares are of: all emissions, with an estimate for spend without any, or all spend. */
export function measureOf(entries: readonly FootprintEntry[], { of }: Goal) {
  const counted = entries.filter(({ excluded }) => excluded === null);
  const currencies = [...groupBy(counted, currencyOf)]
    .map(([code, all]) => {
      const covered = all.filter(isCovered);
      const uncovered = spendOf(all.filter((each) => !isCovered(each)));
      const base = spendOf(covered);
      const average = base > 0 ? emissionsOf(covered) / base : null;
      const estimate = uncovered === 0 ? 0 : average === null ? null : average * uncovered;
      return { code, spent: spendOf(all), uncovered, estimate };
    })
    .sort((a, b) => (a.code < b.code ? -1 : 1));
  if (of === 'spend' && currencies.length > 1)
    throw severalCurrencies(currencies.map(({ code }) => code));
  const covered = counted.filter(isCovered);
  const known = covered.length === 0 ? null : emissionsOf(covered);
  const hasAverages = currencies.every(({ estimate }) => estimate !== null);
  const estimate = hasAverages ? totalOf(currencies.map((each) => each.estimate ?? 0)) : null;
  const cautious = known === null || estimate === null ? null : totalOf([known, estimate]);
  const oneSpend = currencies.length === 1 ? (currencies[0]?.spent ?? null) : null;
  return {
    currencies,
    known,
    estimate,
    cautious,
    /** The spend, if all of it is in one currency. */
    oneSpend,
    /** What shares of suppliers are of. */
    whole: of === 'spend' ? oneSpend : (cautious ?? known),
    /** What is compared with the goal; null if it cannot be estimated. */
    total: of === 'spend' ? oneSpend : cautious,
  };
}

/* A supplier with its part in what the goal is a share of; null if it has none. */
export type Part = ReturnType<typeof supplierParts>[number];

/* The largest first; rows without a supplier and those that count in no total are the last. */
export function supplierParts(
  entries: readonly FootprintEntry[],
  { of }: Goal,
  { currencies }: Measure,
) {
  const spentIn = new Map(currencies.map(({ code, spent }) => [code, spent]));
  const parts = suppliersOf(entries).map(({ counted, ...each }) => {
    const covered = counted.filter(isCovered);
    const emissions = covered.length === 0 ? null : emissionsOf(covered);
    const spend = [...groupBy(counted, currencyOf)].map(
      ([code, all]) => [code, spendOf(all)] as const,
    );
    const shares = spend.map(([code, amount]) => {
      return { code, share: ratio(amount, spentIn.get(code) ?? null) ?? 0 };
    });
    const [largest] = shares.toSorted((a, b) => b.share - a.share);
    return {
      ...each,
      emissions,
      spend: Object.fromEntries(spend),
      spendShare: Math.max(0, largest?.share ?? 0),
      spendCurrency: largest?.code ?? null,
      part: of === 'spend' ? (spend[0]?.[1] ?? null) : emissions,
    };
  });
  return parts.sort(
    (a, b) =>
      place(a) - place(b) ||
      (b.part ?? 0) - (a.part ?? 0) ||
      b.spendShare - a.spendShare ||
      byIdentity(a.supplier, b.supplier),
  );
}

/** Adds up the parts of suppliers with some statuses. */
export function sumOf(parts: readonly Part[], ...statuses: readonly TargetStatus[]): number {
  const wanted = parts.filter(({ status }) => statuses.includes(status));
  return totalOf(wanted.map(({ part }) => part ?? 0));
}

/** Tells whether a supplier has a target that counts. */
export function isSet({
  status,
  excluded,
}: {
  readonly status: TargetStatus;
  readonly excluded: Exclusion | null;
}): boolean {
  return status === 'set' && excluded === null;
}

/** Divides by a total; null without one. */
export function ratio(part: number, total: number | null): number | null {
  return total === null || total <= 0 ? null : part / total + 0;
}

function currencyOf({ group }: FootprintEntry): string {
  return group.currency ?? unknownCurrency;
}

const unnamed: Supplier = { id: null, name: null };

/* One item for each supplier; all rows without a supplier are one. */
function suppliersOf(entries: readonly FootprintEntry[]) {
  const bySupplier = groupBy(entries, ({ group: { supplier } }) =>
    isNamed(supplier) ? supplier : unnamed,
  );
  return [...bySupplier].map(([supplier, all]) => {
    const counted = all.filter(({ excluded }) => excluded === null);
    const [largest] = counted
      .filter(({ uncovered }) => uncovered !== null)
      .sort((a, b) => b.spend - a.spend);
    const text = all[0]?.group.target ?? null;
    const status = targetStatusOf(text);
    return {
      supplier,
      entries: all,
      counted,
      status,
      statusText: status === 'other' ? text : null,
      basis:
        bases.findLast((basis) => counted.some(({ factor }) => factor?.basis === basis)) ?? null,
      uncovered: largest?.uncovered?.reason ?? null,
      excluded: counted.length > 0 ? null : (all[0]?.excluded ?? null),
    };
  });
}

/* Suppliers with emissions first, then uncovered ones, rows without a supplier, excluded ones. */
function place(each: {
  readonly supplier: Supplier;
  readonly emissions: number | null;
  readonly excluded: Exclusion | null;
}): number {
  if (each.excluded !== null) return 3;
  if (!isNamed(each.supplier)) return 2;
  return each.emissions === null ? 1 : 0;
}

function severalCurrencies(codes: readonly string[]): UsageError {
  const [first = ''] = codes;
  return new UsageError(
    `The goal is a share of spend, but the file has ${codes.join(' and ')}, and carbon converts none`,
    `Use a share of emissions, or choose rows: --rows Currency=${first}.`,
  );
}
