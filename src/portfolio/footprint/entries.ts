/* Groups of spend with their result, and what adds them up. */
import { totalOf } from '../organizations/sum.ts';
import { numberOf, plus, zero } from './decimal.ts';
import type { Exclusion, Factor, Uncovered, UpstreamReading } from './line-item.ts';
import type { SpendGroup, Supplier } from './supplier-groups.ts';

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
  // Most suppliers have one group, and thousands of suppliers are added up several times.
  if (entries.length === 1) return (entries[0]?.emissions ?? 0) + 0;
  return totalOf(entries.map(({ emissions }) => emissions ?? 0));
}

/** Adds up spend exactly. */
export function spendOf(entries: readonly FootprintEntry[]): number {
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
