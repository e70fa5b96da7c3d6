/* Groups of spend with their result, and what adds them up. */
import { ExactSum } from '../organizations/sum.ts';
import { numberOf, plus, zero } from './decimal.ts';
import type { Exclusion, Factor, Uncovered, UpstreamReading } from './line-item.ts';
import type { RecordFacts, SpendGroup, Supplier } from './supplier-groups.ts';

/** A group of spend with its result. */
export interface FootprintEntry {
  readonly group: SpendGroup;
  /** The spend as the nearest double. */
  readonly spend: number;
  /** The reading of the upstream factor that applies to its record. */
  readonly reading: UpstreamReading;
  readonly factor: Factor | null;
  /** Spend times factor; null without a factor. */
  readonly emissions: number | null;
  readonly uncovered: Uncovered | null;
  readonly excluded: Exclusion | null;
}

export type Covered = FootprintEntry & { readonly emissions: number; readonly factor: Factor };

/**
 * Returns a part of a total, at most 1; null if the total allows no share, or if it is smaller than
 * its part, because other parts are negative.
 */
export function shareOf(part: number, total: number | null): number | null {
  const share = total === null ? Number.NaN : part / total;
  return Number.isFinite(share) && share <= 1 ? share + 0 : null;
}

/** Checks whether an entry has emissions. */
export function isCovered(entry: FootprintEntry): entry is Covered {
  return entry.emissions !== null && entry.factor !== null;
}

export const unknownCurrency = 'unknown';

/** Reads a value of the entries of each currency, in the order of their codes. */
export function byCurrency<Value>(
  entries: readonly FootprintEntry[],
  read: (entries: readonly FootprintEntry[]) => Value,
): Readonly<Record<string, Value>> {
  const groups = groupBy(entries, ({ group }) => group.currency ?? unknownCurrency);
  return Object.fromEntries(
    [...groups.keys()].sort().map((code) => [code, read(groups.get(code) ?? [])]),
  );
}

/** Adds up emissions; entries without any add nothing. */
export function emissionsOf(entries: readonly FootprintEntry[]): number {
  // That of most suppliers.
  if (entries.length === 1) return (entries[0]?.emissions ?? 0) + 0;
  const sum = new ExactSum();
  for (const { emissions } of entries) sum.add(emissions ?? 0);
  return sum.value;
}

/** Adds up spend exactly. */
export function spendOf(entries: readonly FootprintEntry[]): number {
  if (entries.length === 1) return entries[0]?.spend ?? 0;
  return numberOf(entries.reduce((sum, { group }) => plus(sum, group.spend), zero));
}

export type Identity = Pick<Supplier, 'id' | 'name'>;

/** Compares suppliers by ID, then by name, as the last part of an order. */
export function byIdentity(a: Identity, b: Identity): number {
  const identity = ({ id, name }: Identity) =>
    `${String(id ?? '').padStart(20, '0')} ${name ?? ''}`;
  const [first, second] = [identity(a), identity(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** Returns the record of a supplier; undefined if none of its entries has one. */
export function recordIn(entries: readonly FootprintEntry[]): RecordFacts | undefined {
  return entries.find(({ group }) => group.record)?.group.record;
}

/** Checks whether any figures of a supplier, who may have several records, are of the sandbox. */
export function hasSynthetic(entries: readonly FootprintEntry[]): boolean {
  return entries.some(({ group }) => group.record?.isSynthetic);
}

/** A supplier with its entries, and the sum of their emissions. */
export interface SupplierEntries {
  readonly supplier: Supplier;
  readonly entries: readonly FootprintEntry[];
  readonly emissions: number;
  /** Whether one of the entries has emissions. */
  readonly isCovered: boolean;
}

/** Groups entries by supplier, in the order of the first ones. */
export function bySupplier(entries: readonly FootprintEntry[]): readonly SupplierEntries[] {
  const suppliers: SupplierEntries[] = [];
  for (const [supplier, own] of groupBy(entries, ({ group }) => group.supplier))
    suppliers.push({
      supplier,
      entries: own,
      emissions: emissionsOf(own),
      isCovered: own.some(isCovered),
    });
  return suppliers;
}

/** Returns the first items of a stable order; sorting all suppliers takes longer than adding up. */
export function firstOf<Item>(
  items: readonly Item[],
  count: number,
  compare: (a: Item, b: Item) => number,
): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (last !== undefined && first.length === count && compare(last, item) <= 0) continue;
    const at = first.findIndex((each) => compare(each, item) > 0);
    first.splice(at < 0 ? first.length : at, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}

/** Groups items by a key, in the order of the first items. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Counts keys, in the order of the words, which does not depend on the order of the rows. */
export function tallyBy<Key extends string>(
  words: Readonly<Record<Key, string>>,
  entries: readonly FootprintEntry[],
  keyOf: (entry: FootprintEntry) => Key | null | undefined,
): Partial<Record<Key, number>> {
  const counts = new Map<Key | null | undefined, number>();
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  const known = (Object.keys(words) as Key[]).filter((key) => counts.has(key));
  return Object.fromEntries(known.map((key) => [key, counts.get(key)])) as Partial<
    Record<Key, number>
  >;
}
