/* The suppliers that a summary names: the largest, and those without emissions. */
import { twoThirds } from '../organizations/statements.ts';
import {
  byCurrency,
  byIdentity,
  emissionsOf,
  type FootprintEntry,
  groupBy,
  type Identity,
  isCovered,
  shareOf,
  spendOf,
} from './entries.ts';
import { bases, isDoubt, type Lack, reasonWords, type UncoveredReason } from './line-item.ts';
import type { Supplier } from './supplier-groups.ts';

const maxNamed = 3;
const maxAsked = 10;

/** Names the suppliers with the largest emissions of these. */
export function largestNames(suppliers: readonly (readonly FootprintEntry[])[]) {
  return suppliers
    .map((entries) => ({ entries, emissions: emissionsOf(entries) }))
    .sort((a, b) => b.emissions - a.emissions)
    .slice(0, maxNamed)
    .flatMap(({ entries: [first] }) => {
      const { name, id } = first?.group.supplier ?? unnamed;
      return [{ supplier: name, id }];
    });
}

/** Names the supplier with the largest emissions; of equal ones, the first by ID and name. */
export function largestName(suppliers: ReadonlyMap<Supplier, readonly FootprintEntry[]>) {
  let largest: { readonly supplier: Identity; readonly emissions: number } | undefined;
  for (const [supplier, entries] of suppliers) {
    const emissions = emissionsOf(entries);
    const lead = largest === undefined ? 1 : emissions - largest.emissions;
    const isFirst = lead === 0 && byIdentity(supplier, largest?.supplier ?? unnamed) < 0;
    if (lead > 0 || isFirst) largest = { supplier, emissions };
  }
  const { name, id } = largest?.supplier ?? unnamed;
  return { supplier: name, id };
}

const unnamed: Identity = { id: null, name: null };

const maxLargest = 20;

/**
 * Lists the suppliers with the largest emissions; equal ones are in the order of ID and name,
 * whatever the order of the rows.
 */
export function largestSuppliers(
  suppliers: ReadonlyMap<Supplier, readonly FootprintEntry[]>,
  total: number | null,
) {
  return [...suppliers]
    .filter(([, entries]) => entries.some(isCovered))
    .map(([supplier, entries]) => ({ supplier, entries, emissions: emissionsOf(entries) }))
    .sort((a, b) => b.emissions - a.emissions || byIdentity(a.supplier, b.supplier))
    .slice(0, maxLargest)
    .map(({ supplier, emissions, entries }) => ({
      supplier: supplier.name,
      id: supplier.id,
      /** The names in the file of several suppliers that are one. */
      members: supplier.members ?? [],
      emissions,
      share: shareOf(emissions, total),
      spend: byCurrency(entries, spendOf),
      /** The least certain one of the supplier's items. */
      basis:
        bases.findLast((basis) => entries.some(({ factor }) => factor?.basis === basis)) ?? null,
      /** Why a factor is an industry average; null if none is. */
      reason: lackOf(entries)?.reason ?? null,
      reason_detail: lackOf(entries)?.detail ?? null,
      sbti_near_term: entries[0]?.group.target ?? null,
    }));
}

/** Counts the suppliers on industry averages, and lists those with the largest emissions. */
export function suppliersOnAverages(
  suppliers: ReadonlyMap<Supplier, readonly FootprintEntry[]>,
  total: number | null,
) {
  const all = [...suppliers].flatMap(([supplier, entries]) => {
    const own = entries.filter(({ factor }) => factor?.basis === 'industry');
    return own.length === 0
      ? []
      : [{ supplier, emissions: emissionsOf(own), record: own[0]?.group.record }];
  });
  const largest = all
    .sort((a, b) => b.emissions - a.emissions || byIdentity(a.supplier, b.supplier))
    .slice(0, maxAsked)
    .map(({ supplier: { name, id }, emissions, record }) => ({
      supplier: name,
      id,
      emissions,
      share: shareOf(emissions, total),
      website: record?.website ?? null,
    }));
  return { suppliers: all.length, largest };
}

/** Counts the largest suppliers that make up two thirds of the emissions. */
export function concentration(suppliers: ReadonlyMap<Supplier, readonly FootprintEntry[]>) {
  const amounts = [...suppliers.values()].flatMap((entries) =>
    entries.some(isCovered) ? [emissionsOf(entries)] : [],
  );
  const found = twoThirds(amounts.sort((a, b) => b - a));
  return found ? { suppliers: found.count, share: found.share } : null;
}

/** Lists the suppliers without emissions by reason: one with items of two years is one. */
export function uncoveredSuppliers(
  counted: readonly FootprintEntry[],
  { spend }: { readonly spend: Readonly<Record<string, { readonly total: number }>> },
) {
  const sizeOf = (entries: readonly FootprintEntry[]) =>
    Math.max(
      ...Object.entries(byCurrency(entries, spendOf)).map(
        ([code, amount]) => amount / (spend[code]?.total || 1),
      ),
    );
  const byReason = groupBy(
    counted.filter(({ uncovered }) => uncovered !== null),
    ({ uncovered }) => uncovered?.reason,
  );
  return (Object.keys(reasonWords) as UncoveredReason[]).flatMap((reason) => {
    const items = byReason.get(reason) ?? [];
    if (items.length === 0) return [];
    const suppliers = [...groupBy(items, ({ group }) => group.supplier)]
      .map(([supplier, entries]) => ({ supplier, size: sizeOf(entries) }))
      .sort((a, b) => b.size - a.size || byIdentity(a.supplier, b.supplier))
      .map(({ supplier: { name, id } }) => ({ supplier: name, id }));
    return [{ reason, line_items: items.length, suppliers }];
  });
}

const maxLeftOut = 100;

/** Lists the suppliers whose record cannot be right. */
export function leftOut(counted: readonly FootprintEntry[]) {
  const wrong = counted.filter(({ uncovered }) => uncovered && isDoubt(uncovered.reason));
  const bySupplier = [...groupBy(wrong, ({ group }) => group.supplier)];
  return {
    suppliers: bySupplier.length,
    records: bySupplier.slice(0, maxLeftOut).map(([{ id, name }, [first]]) => ({
      supplier: name,
      id,
      reason: first?.uncovered?.reason ?? null,
      detail: first?.uncovered?.detail ?? null,
    })),
  };
}

/* Returns why the largest of these items has an industry average, if one has. */
function lackOf(entries: readonly FootprintEntry[]): Lack | undefined {
  const lacking = entries.filter(({ factor }) => factor?.lack);
  const [largest] = lacking.toSorted((a, b) => (b.emissions ?? 0) - (a.emissions ?? 0));
  return largest?.factor?.lack ?? undefined;
}

/** Counts suppliers by the method of scope 2 in the figures of their own; only methods named. */
export function scope2Methods(suppliers: ReadonlyMap<Supplier, readonly FootprintEntry[]>) {
  const methods = [...suppliers.values()].map((entries) => {
    const [first] = entries.filter(isOwn);
    return first?.factor?.inputs.scope_2_method ?? null;
  });
  const number = (method: string) => methods.filter((each) => each === method).length;
  return { market_based: number('market-based'), location_based: number('location-based') };
}

/**
 * Returns the parts of the emissions from own figures by the method of scope 2 in them; null
 * without a total of own figures.
 */
export function scope2Shares(entries: readonly FootprintEntry[]) {
  const own = entries.filter(isOwn);
  const all = emissionsOf(own);
  const part = (method: string) =>
    shareOf(emissionsOf(own.filter(({ factor }) => factor?.inputs.scope_2_method === method)), all);
  return { market_based: part('market-based'), location_based: part('location-based') };
}

const isOwn = ({ factor }: FootprintEntry) => factor?.basis === 'own';
