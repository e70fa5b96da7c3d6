/* The suppliers that a summary names: the largest, and those without emissions. */
import { correctionOf, type ListToCorrect } from '../organizations/correction.ts';
import { twoThirds } from '../organizations/statements.ts';
import { ExactSum } from '../organizations/sum.ts';
import {
  byCurrency,
  byIdentity,
  bySupplier,
  emissionsOf,
  type FootprintEntry,
  firstOf,
  groupBy,
  type Identity,
  type SupplierEntries,
  shareOf,
  spendOf,
} from './entries.ts';
import {
  bases,
  isDoubt,
  type Lack,
  type LackReason,
  largestLack,
  reasonWords,
  type UncoveredReason,
} from './line-item.ts';
import { askedCategories, byStep, byStepWithoutEmissions } from './missing-figures.ts';

const maxNamed = 3;
const maxAsked = 10;

/** Names the suppliers with the largest emissions of these. */
export function largestNames(suppliers: readonly SupplierEntries[]) {
  return firstOf(suppliers, maxNamed, (a, b) => b.emissions - a.emissions).map(
    ({ supplier: { name, id } }) => ({ supplier: name, id }),
  );
}

/** Names the supplier with the largest emissions; of equal ones, the first by ID and name. */
export function largestName(suppliers: readonly SupplierEntries[]) {
  const [largest] = firstOf(suppliers, 1, byEmissions);
  const { name, id } = largest?.supplier ?? unnamed;
  return { supplier: name, id };
}

/* The largest first; equal ones in the order of ID and name, whatever the order of the rows. */
function byEmissions(a: SupplierEntries, b: SupplierEntries): number {
  return b.emissions - a.emissions || byIdentity(a.supplier, b.supplier);
}

const unnamed: Identity = { id: null, name: null };

const maxLargest = 20;

/** Lists the suppliers with the largest emissions. */
export function largestSuppliers(suppliers: readonly SupplierEntries[], total: number | null) {
  const covered = suppliers.filter(({ isCovered }) => isCovered);
  return firstOf(covered, maxLargest, byEmissions).map(({ supplier, emissions, entries }) => ({
    supplier: supplier.name,
    id: supplier.id,
    /** The names in the file of several suppliers that are one. */
    members: supplier.members ?? [],
    emissions,
    share: shareOf(emissions, total),
    spend: byCurrency(entries, spendOf),
    /** The least certain one of the supplier's items. */
    basis: bases.findLast((basis) => entries.some(({ factor }) => factor?.basis === basis)) ?? null,
    /** Why a factor is an industry average; null if none is. */
    reason: lackOf(entries)?.reason ?? null,
    reason_detail: lackOf(entries)?.detail ?? null,
    missing: lackOf(entries)?.missing ?? [],
    missing_categories: missingCategories(entries),
    /** The industry whose average it is. */
    industry: lackOf(entries)?.industry ?? null,
    sbti_near_term: entries[0]?.group.target ?? null,
  }));
}

/**
 * Counts the suppliers on industry averages, and groups them by what to do, the largest emissions
 * first. Without a match, there is nobody to ask, but a row of the list to correct.
 */
export function suppliersOnAverages(
  counted: readonly FootprintEntry[],
  total: number | null,
  list?: ListToCorrect,
) {
  const all = bySupplier(counted.filter(({ factor }) => factor?.basis === 'industry'));
  const largestOf = (some: typeof all) =>
    firstOf(some, maxAsked, byEmissions).map(({ supplier, emissions, entries }) => ({
      supplier: supplier.name,
      id: supplier.id,
      emissions,
      share: shareOf(emissions, total),
      /** The industry whose average it is; null if the record does not say. */
      industry: lackOf(entries)?.industry ?? null,
      /** Numbers of the upstream categories to ask for. */
      missing_categories: missingCategories(entries),
      website: entries[0]?.group.record?.website ?? null,
      lines: linesOf(entries),
    }));
  return {
    suppliers: all.length,
    largest: largestOf(all),
    /** What to ask these for, or to correct. */
    ask: asksByStep(all).map(({ suppliers, next_step, ...each }) => {
      const emissions = sizeOf(suppliers);
      return {
        next_step: list && lacksMatch(each) ? correctionOf(list) : next_step,
        ...each,
        suppliers: suppliers.length,
        emissions,
        share: shareOf(emissions, total),
        largest: largestOf(suppliers),
      };
    }),
  };
}

/** Checks whether suppliers have no match: the user corrects their rows. */
export function lacksMatch({ reasons }: { readonly reasons: readonly LackReason[] }): boolean {
  return reasons.includes('unmatched');
}

/* Those of other years as well: a correction of some lines would register another organization. */
function linesOf(entries: readonly FootprintEntry[]): readonly number[] {
  const members = new Set(entries.map(({ group }) => group.member));
  const others = [...members].flatMap(({ otherLines = [] }) => otherLines);
  const lines = new Set([...entries.flatMap(({ group }) => group.lines), ...others]);
  return [...lines].sort((a, b) => a - b);
}

/* Suppliers about whom there is one thing to do, the most emissions first. */
function asksByStep(suppliers: readonly SupplierEntries[]) {
  const lacking = suppliers.flatMap((supplier) => {
    const lack = latestLack(supplier.entries);
    return lack === null ? [] : [{ supplier, lack }];
  });
  return byStep(lacking)
    .map(({ items, ...step }) => ({ ...step, suppliers: items.map(({ supplier }) => supplier) }))
    .sort(
      (a, b) => sizeOf(b.suppliers) - sizeOf(a.suppliers) || (a.next_step < b.next_step ? -1 : 1),
    );
}

function sizeOf(suppliers: readonly SupplierEntries[]): number {
  const sum = new ExactSum();
  for (const { emissions } of suppliers) sum.add(emissions);
  return sum.value;
}

/** Counts the largest suppliers that make up two thirds of the emissions. */
export function concentration(suppliers: readonly SupplierEntries[]) {
  const amounts = suppliers.flatMap((each) => (each.isCovered ? each.emissions : []));
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
      .map(([supplier, entries]) => {
        const figures = latestFirst(entries)[0]?.uncovered?.figures;
        return { supplier, entries, reason, figures, size: sizeOf(entries) };
      })
      .sort((a, b) => b.size - a.size || byIdentity(a.supplier, b.supplier));
    return byStepWithoutEmissions(suppliers).map(({ items: some, ...step }) => ({
      reason,
      ...step,
      line_items: some.reduce((sum, { entries }) => sum + entries.length, 0),
      suppliers: some.map(({ supplier: { name, id } }) => ({ supplier: name, id })),
    }));
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

export function lackOf(entries: readonly FootprintEntry[]): Lack | null {
  return largestLack(entries, ({ factor }) => factor?.lack);
}

/* What to ask for is of the latest year. */
function latestLack(entries: readonly FootprintEntry[]): Lack | null {
  const averages = latestFirst(entries).filter(({ factor }) => factor?.lack);
  return lackOf(averages.filter(({ group }) => group.year === averages[0]?.group.year));
}

function latestFirst(entries: readonly FootprintEntry[]): readonly FootprintEntry[] {
  return entries.toSorted((a, b) => (b.group.year ?? 0) - (a.group.year ?? 0));
}

function missingCategories(entries: readonly FootprintEntry[]): string | null {
  return askedCategories(latestLack(entries));
}

/** Counts suppliers by the method of scope 2 in the figures of their own; only methods named. */
export function scope2Methods(suppliers: readonly SupplierEntries[]) {
  const counts = { 'market-based': 0, 'location-based': 0 };
  for (const { entries } of suppliers) {
    const method = entries.find(isOwn)?.factor?.inputs.scope_2_method ?? null;
    if (method !== null) counts[method] += 1;
  }
  return { market_based: counts['market-based'], location_based: counts['location-based'] };
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
