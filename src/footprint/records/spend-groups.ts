/* Turns suppliers with their factors into the groups that a footprint is calculated from. */
import { type Key, keyOf } from '../../organizations/key.ts';
import type { FactorChoice, SpendGroup, Uncovered } from '../ledger.ts';
import { matches } from '../register-row.ts';
import { formatDecimal } from '../spend/decimal.ts';
import type { SpendLedger } from './spend-ledger.ts';
import type { SupplierEntry } from './supplier-entry.ts';

/** Where carbon looked for ids and records, for the reasons of uncovered rows. */
export interface Searched {
  /** Whether the file has a journal. */
  readonly hasJournal: boolean;
  /** Whether the records come from snapshots. */
  readonly hasSnapshots: boolean;
}

/** Returns the groups of all suppliers in the order of their first rows. */
export function* spendGroups(
  suppliers: Iterable<SupplierEntry>,
  searched: Searched,
): Generator<SpendGroup> {
  for (const supplier of suppliers) {
    const otherwise = bothReadings(explain(supplier, searched));
    for (const { currency, year, choice, groups } of supplier.needs) {
      const factors = (supplier.rivals === undefined ? choice : undefined) ?? otherwise;
      for (const { category, spend, lines, lineCount } of groups) {
        const sum = spend === undefined ? null : formatDecimal(spend);
        yield { supplier, currency, year, category, spend: sum, lines, lineCount, factors };
      }
    }
  }
}

/** Returns a choice without a factor, for the same reason under both readings. */
export function bothReadings(uncovered: Uncovered): FactorChoice {
  return { additive: uncovered, nested: uncovered };
}

/**
 * Merges suppliers that matched the same organization in different ways, and returns those that
 * remain. Suppliers with an ambiguous match lose what one of the records states.
 */
export function mergeSuppliers(ledger: SpendLedger): SupplierEntry[] {
  const byId = new Map<Key, SupplierEntry>();
  return ledger.suppliers.filter((supplier) => {
    if (supplier.rivals !== undefined) supplier.forget();
    const key = supplier.id === null ? undefined : keyOf({ id: supplier.id });
    const first = key === undefined ? undefined : (byId.get(key) ?? ledger.find(key));
    if (first === undefined || first === supplier) {
      if (key !== undefined) byId.set(key, supplier);
      return true;
    }
    absorb(first, supplier);
    return false;
  });
}

/** Returns the number of suppliers whose record has an inconsistent factor. */
export function countInconsistent(suppliers: readonly SupplierEntry[]): number {
  return suppliers.filter(
    ({ rivals, needs }) =>
      rivals === undefined && needs.some(({ isInconsistent }) => isInconsistent),
  ).length;
}

function absorb(first: SupplierEntry, other: SupplierEntry): void {
  const ways = [first.matchedBy, other.matchedBy];
  first.matchedBy = matches.findLast((way) => ways.includes(way)) ?? null;
  for (const need of other.needs) first.need(need.currency, need.year).absorb(need);
}

function explain(supplier: SupplierEntry, searched: Searched): Uncovered {
  if (supplier.rivals !== undefined) return ambiguous(supplier);
  if (supplier.uncovered !== undefined) return supplier.uncovered;
  if (supplier.id !== null) {
    const detail = searched.hasSnapshots
      ? `the snapshot has no record of organization ${supplier.id}`
      : `carbon retrieved no record of organization ${supplier.id}`;
    return { reason: 'no_record', detail };
  }
  return searched.hasJournal || !searched.hasSnapshots ? notRegistered : unmatched;
}

const notRegistered: Uncovered = { reason: 'not_registered', detail: null };
const unmatched: Uncovered = {
  reason: 'no_record',
  detail: 'no record has its external id, or its name and country',
};

const maxNamed = 5;

function ambiguous({ organization, rivals = new Set() }: SupplierEntry): Uncovered {
  const all = [organization, ...rivals].map(String);
  const more = all.length > maxNamed ? ` and ${all.length - maxNamed} more` : '';
  const detail = `several organizations match: ${all.slice(0, maxNamed).join(', ')}${more}`;
  return { reason: 'ambiguous_match', detail };
}
