/*
 * Matches records with suppliers: by id, then by external id, then by name and country. Each record
 * becomes factors at once and is not kept.
 */
import type { Organization } from '../../api/schema.ts';
import type { Key } from '../../organizations/key.ts';
import type { Retrieval } from '../../report/input/envelope.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { chooseFactors, type FactorNeed } from '../calculation/choose-factor.ts';
import { hasInconsistentFactor } from '../calculation/factor-consistency.ts';
import { statedCurrency } from '../calculation/figures.ts';
import { nearTermTarget } from '../calculation/target.ts';
import {
  type EvidenceCounts,
  noEvidence,
  type UpstreamEvidence,
  upstreamEvidence,
} from '../calculation/upstream-evidence.ts';
import { type FactorChoice, isUncovered } from '../ledger.ts';
import type { NearTermTarget } from '../register-row.ts';
import type { SpendRow } from '../spend/spend-rows.ts';
import { FactorStore } from './factor-store.ts';
import { externalKeysOfRecord, externalKeysOfRow, isSameCountry, nameKey } from './match-keys.ts';
import { bothReadings } from './spend-groups.ts';
import type { RecordRequest, SpendLedger } from './spend-ledger.ts';
import type { SupplierEntry } from './supplier-entry.ts';

/** What decides the factor besides the record and the row. */
export type FactorOptions = Pick<FactorNeed, 'boundary' | 'fallback'>;

type Way = 'external_id' | 'name';
type Matching = Map<string, SupplierEntry | SupplierEntry[]>;

/** Finds the suppliers of each record. */
export class RecordMatcher {
  readonly #ledger: SpendLedger;
  readonly #options: FactorOptions;
  readonly #byExternalId: Matching = new Map();
  readonly #byName: Matching = new Map();
  /* The evidence of the latest record of each organization whose id is not in the file. */
  readonly #evidence = new Map<Key, UpstreamEvidence>();
  readonly #targets = new Map<string, NearTermTarget>();
  readonly #averages = new Map<string, FactorChoice>();
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

  /**
   * Takes a record; a later one of the same organization replaces an earlier one with the same or
   * another currency, but not one in the currency of the spend by one in another.
   *
   * @param key undefined for a record without an id, which is an organization of its own
   */
  take(record: Organization, key: Key | undefined, retrieval: Retrieval): void {
    const organization = key ?? `record ${++this.#withoutId} without an id`;
    const evidence = upstreamEvidence(record);
    const own = key === undefined ? undefined : this.#ledger.find(key);
    if (own === undefined) this.#evidence.set(organization, evidence);
    else {
      own.evidence = evidence;
      this.#fill(own, record, retrieval);
    }
    for (const external of externalKeysOfRecord(record)) {
      for (const supplier of suppliersIn(this.#byExternalId, external)) {
        this.#propose(supplier, 'external_id', organization, record, retrieval);
      }
    }
    const name = this.#byName.size === 0 ? undefined : nameKey(record.name);
    if (name === undefined) return;
    for (const supplier of suppliersIn(this.#byName, name)) {
      if (!isSameCountry(supplier.country, record.hq_region)) continue;
      this.#propose(supplier, 'name', organization, record, retrieval);
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
    organization: Key,
    record: Organization,
    retrieval: Retrieval,
  ): void {
    if (supplier.matchedBy === 'external_id' && way === 'name') return;
    if (supplier.matchedBy === 'name' && way === 'external_id') supplier.reset();
    supplier.matchedBy = way;
    supplier.organization ??= organization;
    if (supplier.organization === organization) this.#fill(supplier, record, retrieval);
    else supplier.addRival(organization);
  }

  #fill(supplier: SupplierEntry, record: Organization, retrieval: Retrieval): void {
    const { boundary, fallback } = this.#options;
    supplier.id ??= record.id ?? null;
    // Equal names are one string in memory.
    supplier.recordName = record.name === supplier.name ? supplier.name : (record.name ?? null);
    supplier.target = this.#shared(nearTermTarget(record));
    supplier.retrievedAt = retrieval.retrievedAt ?? null;
    supplier.isSynthetic = 'sandbox' in record && record.sandbox === 'synthetic';
    const isInconsistent = hasInconsistentFactor(record);
    for (const need of supplier.needs) {
      const { currency, year } = need;
      const fit = mayBeInCurrency(record, currency, retrieval) ? 2 : 1;
      if (fit < need.fit) continue;
      const requestedCurrency = retrieval.currency;
      const options = { currency, year, boundary, fallback, requestedCurrency };
      need.choice = this.#interned(chooseFactors(record, options));
      need.fit = fit;
      need.isInconsistent = isInconsistent;
    }
  }

  /* Suppliers of one industry have equal averages. */
  #interned(choice: FactorChoice): FactorChoice {
    const { additive, nested } = choice;
    if (additive !== nested || isUncovered(additive) || additive.basis !== 'industry') {
      return this.#factors.keep(choice);
    }
    const key = `${additive.value} ${additive.year} ${additive.region}`;
    const known = this.#averages.get(key);
    if (known !== undefined) return known;
    const kept = this.#factors.keep(choice);
    if (this.#averages.size < maxShared) this.#averages.set(key, kept);
    return kept;
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

/* A record that names no currency replaces an earlier one, such as after failed research. */
function mayBeInCurrency(
  record: Organization,
  currency: string | null,
  { currency: requested = currency ?? undefined }: Retrieval,
): boolean {
  const performances = record.performances ?? [];
  if (currency === null || performances[0]?.revenue_currency === currency) return true;
  const stated = performances.map(statedCurrency).filter((each) => each !== undefined);
  return stated.length === 0 ? requested === currency : stated.includes(currency);
}

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
