/*
 * Matches records with suppliers: by id, then by external id, then by name and country. Each record
 * becomes factors at once and is not kept.
 */
import type { OrganizationId } from '../../api/ids.ts';
import type { Organization } from '../../api/schema.ts';
import type { Retrieval } from '../../records/envelope.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import {
  type EvidenceCounts,
  noEvidence,
  type UpstreamEvidence,
} from '../calculation/upstream-evidence.ts';
import type { NearTermTarget } from '../register-row.ts';
import type { SpendRow } from '../spend/spend-rows.ts';
import { FactorStore } from './factor-store.ts';
import { externalKeysOfRecord, externalKeysOfRow, isSameCountry, nameKey } from './match-keys.ts';
import { type FactorOptions, type RecordFacts, recordFacts } from './record-facts.ts';
import { bothReadings } from './spend-groups.ts';
import type { RecordRequest, SpendLedger } from './spend-ledger.ts';
import type { SupplierEntry } from './supplier-entry.ts';

type Way = 'external_id' | 'name';
type Matching = Map<string, SupplierEntry | SupplierEntry[]>;

/** Finds the suppliers of each record. */
export class RecordMatcher {
  readonly #ledger: SpendLedger;
  readonly #options: FactorOptions;
  readonly #byExternalId: Matching = new Map();
  readonly #byName: Matching = new Map();
  /* The evidence of the latest record of each organization whose id is not in the file. */
  readonly #evidence = new Map<OrganizationId, UpstreamEvidence>();
  readonly #targets = new Map<string, NearTermTarget>();
  readonly #factors = new FactorStore();
  #withoutId = 0;

  constructor(ledger: SpendLedger, options: FactorOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** Adds a supplier without an id, which records may match by external id or name. */
  index(supplier: SupplierEntry, row: SpendRow): void {
    for (const key of externalKeysOfRow(row)) {
      addTo(this.#byExternalId, flattenString(key), supplier);
    }
    const key = nameKey(supplier.name);
    if (key !== undefined) addTo(this.#byName, key, supplier);
  }

  /** Reduces a complete record to its facts, and matches them. */
  take(record: Organization, key: OrganizationId | undefined, retrieval: Retrieval): void {
    this.match(recordFacts(record, retrieval, this.#options), key);
  }

  /**
   * Matches the facts of a record with suppliers. A later record of the same organization replaces
   * an earlier one with the same or another currency, but not one in the currency of the spend by
   * one in another.
   *
   * @param key undefined for a record without an id, which is an organization of its own
   */
  match(facts: RecordFacts, key: OrganizationId | undefined): void {
    const organization = key ?? `record ${++this.#withoutId} without an id`;
    const own = key === undefined ? undefined : this.#ledger.find(key);
    if (own === undefined) this.#evidence.set(organization, facts.evidence);
    else {
      own.evidence = facts.evidence;
      this.#fill(own, facts);
    }
    const externals = this.#byExternalId.size === 0 ? [] : externalKeysOfRecord(facts.externalId);
    for (const external of externals) {
      for (const supplier of suppliersIn(this.#byExternalId, external)) {
        this.#propose(supplier, 'external_id', organization, facts);
      }
    }
    const name = this.#byName.size === 0 ? undefined : nameKey(facts.name);
    if (name === undefined) return;
    for (const supplier of suppliersIn(this.#byName, name)) {
      if (!isSameCountry(supplier.country, facts.country)) continue;
      this.#propose(supplier, 'name', organization, facts);
    }
  }

  /** Leaves the rows of a request uncovered, because its record was not retrieved. */
  fail({ key, currency }: RecordRequest, message: string): void {
    const choice = bothReadings({ reason: 'no_record', detail: message });
    for (const need of this.#ledger.find(key)?.needs ?? []) {
      if ((need.currency ?? undefined) === currency) need.fail(choice);
    }
  }

  /** Returns the numbers of records by their evidence about the upstream factor. */
  evidence(): EvidenceCounts {
    const counts = noEvidence();
    for (const evidence of this.#evidence.values()) counts[evidence] += 1;
    for (const { evidence } of this.#ledger.suppliers) {
      if (evidence !== undefined) counts[evidence] += 1;
    }
    return counts;
  }

  #propose(
    supplier: SupplierEntry,
    way: Way,
    organization: OrganizationId,
    facts: RecordFacts,
  ): void {
    if (supplier.matchedBy === 'external_id' && way === 'name') return;
    if (supplier.matchedBy === 'name' && way === 'external_id') supplier.reset();
    supplier.matchedBy = way;
    supplier.organization ??= organization;
    if (supplier.organization === organization) this.#fill(supplier, facts);
    else supplier.addRival(organization);
  }

  #fill(supplier: SupplierEntry, facts: RecordFacts): void {
    supplier.id ??= facts.id;
    // Equal names are one string in memory.
    supplier.recordName = facts.name === supplier.name ? supplier.name : facts.name;
    supplier.target = this.#shared(facts.target);
    supplier.retrievedAt = facts.retrievedAt;
    supplier.isSynthetic = facts.isSynthetic;
    for (const need of supplier.needs) {
      const { choice, fit } = facts.offer(need);
      if (fit < need.fit) continue;
      need.choice = this.#factors.keep(choice);
      need.fit = fit;
      need.isInconsistent = facts.isInconsistent;
    }
  }

  /* Most targets have one of a few combinations of status and dates. */
  #shared(target: NearTermTarget): NearTermTarget {
    const key = `${target.status} ${target.created_at} ${target.retrieved_at}`;
    const known = this.#targets.get(key);
    if (known !== undefined) return known;
    if (this.#targets.size < maxShared) this.#targets.set(key, target);
    return target;
  }
}

const maxShared = 10_000;

function addTo(matching: Matching, key: string, supplier: SupplierEntry): void {
  const known = matching.get(key);
  if (known === undefined) matching.set(key, supplier);
  else if (Array.isArray(known)) known.push(supplier);
  else matching.set(key, [known, supplier]);
}

function suppliersIn(matching: Matching, key: string): readonly SupplierEntry[] {
  const known = matching.get(key);
  if (known === undefined) return [];
  return Array.isArray(known) ? known : [known];
}
