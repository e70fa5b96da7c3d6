/*
 * Matches records with suppliers: by ID, then by external ID, then by name and country. Each record
 * becomes factors at once and is not kept.
 */
import { isDeepStrictEqual } from 'node:util';
import { comparableId, type OrganizationId } from '../../api/ids.ts';
import type { Organization } from '../../api/schema.ts';
import { checkRecordFigures } from '../../checks/figure-rules.ts';
import { type FindingSummary, summarizeFindings } from '../../checks/findings.ts';
import { aliasOf } from '../../checks/names.ts';
import { isSynthetic } from '../../organizations/history.ts';
import type { Retrieval } from '../../records/envelope.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { naming } from '../../terminal/format.ts';
import { chooseFactor, isUncovered, noFactor } from '../factors/choose.ts';
import {
  type Evidence,
  evidenceOf,
  nearTermTarget,
  statedCurrency,
  unitScale,
} from '../factors/figures.ts';
import type { MethodOptions, Uncovered } from '../line-item.ts';
import {
  addToGroup,
  externalKeysOfRecord,
  isSameCountry,
  nameKey,
  type RecordFacts,
  type SpendGroup,
  type SpendLedger,
  type Supplier,
} from './ledger.ts';

/** What the rows and the records amount to. */
export type MatchedSpend = ReturnType<RecordMatcher['collect']>;

/* What a record offers for spend in a currency and year. */
type Offer = Pick<SpendGroup, 'currency' | 'year' | 'choice' | 'fit'>;

/** Finds the suppliers of each record. */
export class RecordMatcher {
  readonly #ledger: SpendLedger;
  readonly #options: MethodOptions;
  readonly #scale: number;
  readonly #today: string;
  readonly #byExternalId = new Map<string, Supplier[]>();
  readonly #byName = new Map<string, Supplier[]>();
  readonly #evidence = new Map<OrganizationId, Evidence>();
  readonly #undecided = new Set<OrganizationId>();
  #withoutId = 0;

  /**
   * @param ledger all rows; only suppliers without an ID match by external ID or name
   * @param today `YYYY-MM-DD`, for the checks of the records
   */
  constructor(ledger: SpendLedger, options: MethodOptions, today: string) {
    this.#ledger = ledger;
    this.#options = options;
    this.#scale = unitScale(options);
    this.#today = today;
    for (const supplier of ledger.suppliers) {
      if (supplier.id !== null) continue;
      for (const key of supplier.externalKeys) addTo(this.#byExternalId, key, supplier);
      for (const name of supplier.names) addTo(this.#byName, nameKey(name) ?? '', supplier);
    }
  }

  /**
   * Matches a record with suppliers. A later record of the same organization replaces an earlier
   * one with the same or another currency, but not one in the currency of the spend by one in
   * another.
   *
   * @param key undefined for a record without an ID, which is an organization of its own
   */
  take(record: Organization, key: OrganizationId | undefined, retrieval: Retrieval): void {
    const organization = key ?? `record ${++this.#withoutId} without an ID`;
    const { external_id, name = null, hq_region } = record;
    const suppliers = new Set<Supplier>();
    const own = key === undefined ? undefined : this.#ledger.find(key);
    if (own !== undefined) suppliers.add(own);
    for (const code of externalKeysOfRecord(external_id))
      for (const supplier of this.#byExternalId.get(code) ?? [])
        if (propose(supplier, 'external_id', organization)) suppliers.add(supplier);
    const named = this.#byName.size === 0 ? undefined : this.#byName.get(nameKey(name));
    for (const supplier of named ?? [])
      if (isSameCountry(supplier.country, hq_region) && propose(supplier, 'name', organization))
        suppliers.add(supplier);
    const evidence = evidenceOf(record, this.#scale);
    this.#evidence.set(organization, evidence);
    if (suppliers.size === 0) return;
    const facts: RecordFacts = {
      id: record.id ?? null,
      name,
      target: nearTermTarget(record),
      retrievedAt: retrieval.retrievedAt ?? null,
      isSynthetic: isSynthetic(record),
      evidence,
      checks: undefined,
    };
    for (const supplier of suppliers) this.#fill(supplier, record, facts, retrieval);
    if ([...suppliers].some((supplier) => hasFactorOf(supplier, facts)))
      facts.checks = this.#check(record);
  }

  /* A footprint judges the units of all records together. */
  #check(record: Organization): FindingSummary {
    const findings = checkRecordFigures(record, { today: this.#today });
    return summarizeFindings(findings.filter(({ rule }) => rule !== 'unit' && rule !== 'factor'));
  }

  /**
   * Collects the groups of all suppliers; merges those that are one organization.
   * @param hasJournal whether the file has a journal, so that a supplier without an ID was not
   * registered
   */
  collect(hasJournal: boolean) {
    const groups: SpendGroup[] = [];
    const sharedIds: { readonly id: OrganizationId | null; readonly names: readonly string[] }[] =
      [];
    const otherNames = [];
    for (const supplier of this.#merge()) {
      const isAmbiguous = supplier.organizations.length > 1;
      const names = new Set([...supplier.groups.values()].flatMap(({ name }) => name ?? []));
      if (names.size > 1) sharedIds.push({ id: supplier.id, names: [...names] });
      const difference = nameDifference(supplier);
      if (difference !== undefined) otherNames.push(difference);
      for (const group of supplier.groups.values()) {
        if (isAmbiguous) group.record = undefined;
        if (isAmbiguous || group.choice === undefined)
          group.choice = noFactor(explain(supplier, hasJournal));
        groups.push(group);
      }
    }
    return {
      /** In the order of the first rows of their suppliers. */
      groups,
      /** What the latest record of each organization shows. */
      evidence: [...this.#evidence.values()],
      /** Suppliers matched by ID or journal whose record has another name. */
      otherNames,
      /** Suppliers whose rows have different names and one ID. */
      sharedIds,
      /** Organizations with different records of which none is known to be the latest. */
      undecided: [...this.#undecided],
    };
  }

  #fill(supplier: Supplier, record: Organization, facts: RecordFacts, retrieval: Retrieval): void {
    supplier.id ??= facts.id;
    const method = this.#options;
    const requestedCurrency = retrieval.currency;
    let offer: Offer | undefined;
    for (const group of supplier.groups.values()) {
      const { currency, year } = group;
      if (offer === undefined || offer.currency !== currency || offer.year !== year)
        offer = {
          currency,
          year,
          choice: chooseFactor(record, { currency, year, requestedCurrency, method }),
          fit: mayBeInCurrency(record, currency, retrieval) ? 2 : 1,
        };
      if (offer.fit < group.fit) continue;
      if (offer.fit === group.fit && isEarlier(facts, group.record)) continue;
      if (offer.fit === group.fit && isUntimed(facts, group.record))
        if (!isDeepStrictEqual(offer.choice, group.choice) && supplier.id !== null)
          this.#undecided.add(supplier.id);
      group.choice = offer.choice;
      group.fit = offer.fit;
      group.record = facts;
      group.matchedBy ??= supplier.way ?? null;
    }
  }

  /*
   * Merges suppliers that matched the same organization in different ways, and returns those that
   * remain.
   */
  #merge(): Supplier[] {
    // The suppliers whose ID comes from a record, by ID.
    const byId = new Map<OrganizationId, Supplier>();
    return this.#ledger.suppliers.filter((supplier) => {
      if (supplier.organizations.length > 1) {
        supplier.id = null;
        for (const group of supplier.groups.values()) group.matchedBy = null;
      }
      const key = supplier.id === null ? undefined : comparableId(supplier.id);
      const first = key === undefined ? undefined : (byId.get(key) ?? this.#ledger.find(key));
      if (first === undefined && key !== undefined) byId.set(key, supplier);
      if (first === undefined || first === supplier) return true;
      for (const group of supplier.groups.values()) addToGroup(first, group);
      return false;
    });
  }
}

/* Checks whether a record without the ID of the file belongs to a supplier. */
function propose(
  supplier: Supplier,
  way: 'external_id' | 'name',
  organization: OrganizationId,
): boolean {
  if (supplier.way === 'external_id' && way === 'name') return false;
  if (supplier.way === 'name' && way === 'external_id') {
    supplier.organizations = [];
    supplier.id = null;
    for (const group of supplier.groups.values()) {
      group.choice = undefined;
      group.record = undefined;
      group.matchedBy = null;
      group.fit = 0;
    }
  }
  supplier.way = way;
  if (!supplier.organizations.includes(organization))
    supplier.organizations = [...supplier.organizations, organization];
  return supplier.organizations.length === 1;
}

function hasFactorOf({ groups }: Supplier, facts: RecordFacts): boolean {
  return [...groups.values()].some(
    ({ record, choice }) =>
      record === facts &&
      choice !== undefined &&
      !(isUncovered(choice.additive) && isUncovered(choice.nested)),
  );
}

/* Without a time, the record that was read last counts. */
function isEarlier({ retrievedAt }: RecordFacts, known: RecordFacts | undefined): boolean {
  const knownAt = known?.retrievedAt ?? null;
  return retrievedAt !== null && knownAt !== null && retrievedAt < knownAt;
}

/* Whether the order of two records is unknown. */
function isUntimed({ retrievedAt }: RecordFacts, known: RecordFacts | undefined): boolean {
  return known !== undefined && (retrievedAt === null || known.retrievedAt === null);
}

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

function nameDifference({ id, groups }: Supplier) {
  for (const { name, matchedBy, record } of groups.values()) {
    const recordName = record?.name ?? null;
    if ((matchedBy !== 'id' && matchedBy !== 'journal') || name === null) continue;
    if (recordName !== null && name !== recordName && areOtherNames(name, recordName))
      return { supplier: name, id, name: recordName, matched_by: matchedBy };
  }
  return undefined;
}

/* Words that names of different organizations share, besides legal forms. */
const commonWords = new Set(['de', 'group', 'gruppe', 'holding', 'of']);

/**
 * Checks whether two names have no word in common, except for legal forms. Neither has to be
 * complete: `Nordwind` and `Nordwind Stahl GmbH` may be one organization.
 */
function areOtherNames(first: string, second: string): boolean {
  const wordsOf = (name: string) => aliasOf(name).words.filter((word) => !commonWords.has(word));
  const [a, b] = [wordsOf(first), wordsOf(second)];
  if (a.length === 0 || b.length === 0) return false;
  // Names without spaces, as in Japanese, and names with other spaces.
  const [joinedA, joinedB] = [a.join(''), b.join('')];
  if (joinedA.includes(joinedB) || joinedB.includes(joinedA)) return false;
  return !a.some((word) => b.includes(word));
}

function explain(supplier: Supplier, hasJournal: boolean): Uncovered {
  if (supplier.organizations.length > 1) return ambiguous(supplier);
  if (supplier.uncovered !== undefined) return supplier.uncovered;
  if (supplier.id !== null) {
    return { reason: 'no_record', detail: `the records have no organization ${supplier.id}` };
  }
  return hasJournal ? notRegistered : unmatched;
}

const notRegistered: Uncovered = { reason: 'not_registered', detail: null };
const unmatched: Uncovered = {
  reason: 'no_record',
  detail: 'no record has its external ID, or its name and country',
};

const maxNamed = 5;

function ambiguous({ organizations }: Supplier): Uncovered {
  const detail = `several organizations match: ${naming(organizations.map(String), maxNamed)}`;
  return { reason: 'ambiguous_match', detail };
}

function addTo(index: Map<string, Supplier[]>, key: string, supplier: Supplier): void {
  const known = index.get(key);
  if (known === undefined) index.set(flattenString(key), [supplier]);
  else if (known.at(-1) !== supplier) known.push(supplier);
}
