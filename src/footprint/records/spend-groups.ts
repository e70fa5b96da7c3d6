/* Turns suppliers with their factors into the groups that a footprint is calculated from. */
import { comparableId, type OrganizationId } from '../../api/ids.ts';
import type { FactorChoice, SpendGroup, Uncovered } from '../ledger.ts';
import { matches } from '../register-row.ts';
import { areOtherNames, type NameDifference, type NameDifferences } from './name-check.ts';
import type { SpendLedger } from './spend-ledger.ts';
import type { SupplierEntry } from './supplier-entry.ts';

/** Where carbon looked for ids and records, for the reasons of uncovered rows. */
export interface Searched {
  /** Whether the file has a journal. */
  readonly hasJournal: boolean;
  /** Whether the records come from snapshots. */
  readonly hasSnapshots: boolean;
}

/** Groups of all suppliers in the order of their first rows. */
export interface CollectedGroups {
  readonly groups: readonly SpendGroup[];
  /** Number of suppliers whose record has an inconsistent factor. */
  readonly inconsistent: number;
  /** Suppliers matched by an id column whose record has another name. */
  readonly otherNames: NameDifferences;
}

/** Collects the groups of a ledger after all records were matched. */
export function collectGroups(ledger: SpendLedger, searched: Searched): CollectedGroups {
  const groups: SpendGroup[] = [];
  let inconsistent = 0;
  let others = 0;
  let example: NameDifference | undefined;
  for (const supplier of mergeSuppliers(ledger)) {
    const { rivals, needs } = supplier;
    if (rivals === undefined && needs.some((need) => need.isInconsistent)) inconsistent += 1;
    const difference = nameDifference(supplier);
    if (difference !== undefined) others += 1;
    example ??= difference;
    const isExplained = rivals !== undefined || needs.some(({ choice }) => choice === undefined);
    const reason = isExplained ? bothReadings(explain(supplier, searched)) : undefined;
    for (const need of needs) {
      const factors = (rivals === undefined ? need.choice : undefined) ?? reason;
      if (factors === undefined) continue;
      need.choice = factors;
      for (const group of need.groups) {
        group.complete();
        groups.push(group);
      }
    }
  }
  return { groups, inconsistent, otherNames: { suppliers: others, example } };
}

function nameDifference({ matchedBy, name, recordName, id }: SupplierEntry) {
  if (matchedBy !== 'id' || name === null || recordName === null) return undefined;
  if (name === recordName || !areOtherNames(name, recordName)) return undefined;
  return { supplier: name, id, name: recordName };
}

/** Returns a choice without a factor, for the same reason under both readings. */
export function bothReadings(uncovered: Uncovered): FactorChoice {
  return { additive: uncovered, nested: uncovered };
}

/*
 * Merges suppliers that matched the same organization in different ways, and returns those that
 * remain. Suppliers with an ambiguous match lose what one of the records states.
 */
function mergeSuppliers(ledger: SpendLedger): SupplierEntry[] {
  // The suppliers whose id comes from a record, by id.
  const byId = new Map<OrganizationId, SupplierEntry>();
  return ledger.suppliers.filter((supplier) => {
    if (supplier.rivals !== undefined) supplier.forget();
    const key = supplier.id === null ? undefined : comparableId(supplier.id);
    const first = key === undefined ? undefined : (byId.get(key) ?? ledger.find(key));
    if (first === undefined && key !== undefined) byId.set(key, supplier);
    if (first === undefined || first === supplier) return true;
    absorb(first, supplier);
    return false;
  });
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
