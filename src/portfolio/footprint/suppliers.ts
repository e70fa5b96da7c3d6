/*
 * Groups rows by supplier, and finds the record of each: by ID, otherwise by external identifier,
 * otherwise by equal name and country. A row with an identifier is never found by its name. Each
 * record becomes factors at once and is not kept.
 */
import { isDeepStrictEqual } from 'node:util';
import { comparableId, type OrganizationId } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { naming } from '../../display/terminal/format.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import { checkMatches, isAliasOfMatch } from '../checks/check-records.ts';
import { checkRecordFigures } from '../checks/figure-rules.ts';
import type { Finding } from '../checks/findings.ts';
import type { Retrieval } from '../records/envelope.ts';
import { type Candidate, Candidates, nameKeyOf } from './candidates.ts';
import { plus } from './decimal.ts';
import { chooseFactor, noFactor } from './factors/choose.ts';
import { currenciesOf } from './factors/figures.ts';
import type { MethodOptions, Uncovered } from './line-item.ts';
import { isEarlier, RecordVersions } from './record-versions.ts';
import type { SpendRow } from './spend/spend-file.ts';
import {
  equalNames,
  factsOf,
  type Group,
  joined,
  type KeptFacts,
  type RecordFacts,
  type SpendGroup,
  setTargets,
  sharedMatches,
  shareMatches,
} from './supplier-groups.ts';

/* What a record offers to groups with one name, currency and year. */
type Offer = Pick<SpendGroup, 'record' | 'choice' | 'findings' | 'isAlias' | 'fits'>;

/* A record, and what is read of it once for all suppliers. */
interface GivenRecord {
  readonly record: Organization;
  readonly retrieval: Retrieval;
  readonly facts: RecordFacts;
  readonly figures: () => readonly Finding[];
}

type TakeRecord = (
  record: Organization,
  key: OrganizationId | undefined,
  retrieval: Retrieval,
) => void;

export type MatchedSpend = ReturnType<Suppliers['collect']>;

/** What a calculation of some years needs. */
export type SpendOfYears = Pick<MatchedSpend, 'groups' | 'evidence'>;

const maxCompared = 16;

/** Collects what was spent with each supplier, then finds the suppliers of each record. */
export class Suppliers {
  readonly #options: MethodOptions;
  readonly #today: string;
  #kept: KeptFacts;
  /* Whether only matches and targets are read of the records, which takes a third of the time. */
  #isOfTargets = false;
  readonly #candidates = new Candidates();
  /* Groups beyond the first ones of a candidate, which would take quadratic time to compare. */
  readonly #others = new Map<string, Group>();
  #records = new RecordVersions();
  /* Those with rows of several countries; their records are judged by that of the first one. */
  readonly #moved = new Set<Candidate>();
  readonly #undecided = new Set<OrganizationId>();
  readonly #otherLines = new Map<OrganizationId, number[]>();
  /* Texts that many rows or records have, such as a category, so that equal ones are one string. */
  readonly #texts = new Map<string, string>();
  readonly #share = (text: string): string => {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const kept = flattenString(text);
    this.#texts.set(kept, kept);
    return kept;
  };

  /** @param today `YYYY-MM-DD`, for the checks of the records */
  constructor(
    options: MethodOptions,
    today: string,
    kept: KeptFacts = { evidence: true, contact: false },
  ) {
    this.#options = options;
    this.#today = today;
    this.#kept = kept;
  }

  /** Adds a row. */
  add(row: SpendRow): void {
    const { currency = null, year = null, category = null } = row;
    const nameKey = nameKeyOf(row.name);
    const candidate = this.#candidates.of(row, nameKey);
    const { groups } = candidate;
    if (row.region !== candidate.country) this.#moved.add(candidate);
    const isSame = (each: Group) =>
      each.currency === currency &&
      each.year === year &&
      each.category === category &&
      each.nameKey === nameKey;
    const parts = [groups[0]?.lines[0], nameKey, currency, year, category];
    const key = groups.length < maxCompared ? '' : JSON.stringify(parts);
    const known = groups.slice(0, maxCompared).find(isSame) ?? this.#others.get(key);
    if (known !== undefined) {
      known.spend = plus(known.spend, row.spend);
      known.lines.push(row.line);
      return;
    }
    const group = newGroup(row, nameKey, candidate, this.#share);
    if (key !== '') this.#others.set(key, group);
    // Pushing to an empty array reserves space for 17 items.
    if (groups.length === 0) candidate.groups = [group];
    else groups.push(group);
  }

  /** Adds a row of another year, which is corrected together with the others of its supplier. */
  addOther({ id, line }: SpendRow): void {
    if (id === undefined) return;
    const key = comparableId(id);
    const known = this.#otherLines.get(key);
    if (known === undefined) this.#otherLines.set(key, [line]);
    else known.push(line);
  }

  /**
   * Returns what matches each record with the suppliers of one or more years, which have all rows.
   * A later record of the same organization replaces an earlier one with the same or another
   * currency, but not one in the currency of the spend by one in another. A record without a key is
   * an organization of its own.
   *
   * @param all made with equal options: each record is read once, with those of the first
   */
  static taking(all: readonly [Suppliers, ...Suppliers[]]): TakeRecord {
    const [first] = all;
    let withoutId = 0;
    return (record, key, retrieval) => {
      const organization = key ?? `record ${++withoutId} without an ID`;
      const facts = factsOf(record, organization, retrieval.retrievedAt ?? null, first.#kept);
      let found: readonly Finding[] | undefined;
      const figures = () => {
        found ??= checkRecordFigures(record, { today: first.#today });
        return found;
      };
      for (const each of all) each.#match({ record, facts, retrieval, figures }, key);
    };
  }

  #match(given: GivenRecord, key: OrganizationId | undefined): void {
    const { record, facts, retrieval } = given;
    const { organization } = facts;
    this.#records.add(facts);
    const offerTo = this.#offersOf(given);
    for (const candidate of this.#candidates.matching(record, key)) {
      const { country, found } = candidate;
      if (found.length === 0) candidate.found = [organization];
      else if (!found.includes(organization)) candidate.found = [...found, organization];
      if (candidate.found.length > 1) continue;
      for (const group of candidate.groups) {
        const fits = mayBeInCurrency(record, group.currency, retrieval);
        if (!replacesRecord(facts, fits, group)) continue;
        const offer = offerTo(group, country, fits);
        if (isUndecided(offer, group)) this.#undecided.add(organization);
        take(group, offer);
      }
    }
  }

  /* Returns what decides on the offer of a record to a group; similar groups get the same one. */
  #offersOf({ record, facts, retrieval, figures }: GivenRecord) {
    const { currency: requested } = retrieval;
    // Most records have one offer, and a map for each takes time and memory.
    let first: { readonly key: string; readonly offer: Offer } | undefined;
    let others: Map<string, Offer> | undefined;
    return ({ name, currency, year }: Group, country: string | undefined, fits: boolean): Offer => {
      // Only a name can contain a line feed.
      const key = `${currency} ${year} ${country}${name === null ? '' : `\n${name}`}`;
      const known = first?.key === key ? first.offer : others?.get(key);
      if (known !== undefined) return known;
      const isOfTargets = this.#isOfTargets;
      const findings = [...judgeMatch(record, name, country), ...(isOfTargets ? none : figures())];
      const need = {
        currency,
        year,
        requestedCurrency: requested,
        method: this.#options,
        share: this.#share,
      };
      const offer = {
        record: facts,
        choice: isOfTargets ? unmatched : chooseFactor(record, need),
        findings: findings.length > 0 ? findings : none,
        isAlias: isAliasOfMatch(name ?? record.name ?? '', record.matching_organization),
        fits,
      };
      if (first === undefined) first = { key, offer };
      else {
        others ??= new Map();
        others.set(key, offer);
      }
      return offer;
    };
  }

  /**
   * Collects the groups of some years as `collect` does if the file has no other rows; undefined if
   * a record was judged by the country of another row than it would be then.
   *
   * @param second has rows of other years than the first, with equal options and records
   */
  static ofYears(
    first: Suppliers,
    second: Suppliers | undefined,
    years: readonly (number | null)[],
    hasJournal: boolean,
  ): SpendOfYears | undefined {
    const chosen = new Suppliers(first.#options, first.#today, first.#kept);
    chosen.#records = first.#records;
    const isChosen = ({ year }: Group) => years.includes(year);
    const isMoved = (candidate: Candidate) =>
      first.#moved.has(candidate) && !candidate.groups.every(isChosen);
    const pairs =
      second === undefined ? undefined : first.#candidates.pairsWith(second.#candidates);
    const paired = new Set(pairs?.values());
    const all = second === undefined ? nobody : second.#candidates.all;
    const others = all.filter((each) => !paired.has(each));
    for (const each of [...first.#candidates.all, ...others]) {
      const other = pairs?.get(each);
      const parts = (other === undefined ? [each] : [each, other]).filter(({ groups }) =>
        groups.some(isChosen),
      );
      const [from] = parts.length > 1 ? parts.sort(byFirstLine) : parts;
      if (from === undefined) continue;
      if (parts.some((part) => part.country !== from.country || isMoved(part))) return undefined;
      const groups = parts.flatMap((part) => part.groups.filter(isChosen).map(copyOf));
      if (parts.length > 1) groups.sort(byLine);
      chosen.#candidates.all.push({ ...from, groups });
    }
    chosen.#candidates.all.sort(byFirstLine);
    return chosen.join(hasJournal);
  }

  /**
   * Forgets the records, so that those of another day can be matched with the same rows. Only their
   * matches and targets are read. What was collected before stays.
   */
  forgetRecords(): void {
    this.#isOfTargets = true;
    this.#kept = { evidence: false, contact: false };
    for (const candidate of this.#candidates.all) {
      candidate.found = nobody;
      candidate.groups = candidate.groups.map((group) => ({
        ...group,
        ...withoutRecord(candidate),
      }));
    }
    this.#records.clear();
    this.#undecided.clear();
  }

  /**
   * Collects the groups of all suppliers. Those whose record is of one organization are one, and
   * those whose names are equal aliases of one matched organization.
   *
   * @param hasJournal whether the file has a journal, so that a supplier without an ID was not
   * registered
   */
  collect(hasJournal: boolean) {
    const { groups, evidence } = this.join(hasJournal);
    const disputed = setTargets(groups, (organization) => this.#records.targetsOf(organization));
    const isUnfound = ({ way, found }: Candidate) => way === 'external_id' && found.length === 0;
    return {
      /** In the order of the first rows of their suppliers. */
      groups: groups as readonly SpendGroup[],
      /** What the records that count show. */
      evidence,
      /** Equal names of several suppliers, with the first line of each. */
      equalNames: equalNames(groups),
      /** Number of suppliers whose identifiers no record has. */
      unidentified: hasJournal ? 0 : this.#candidates.all.filter(isUnfound).length,
      /** Organizations with different records of which none is known to be the latest. */
      undecided: [...this.#undecided],
      /** Suppliers of several names, and those whose records disagree about the target. */
      joined: [...new Set(groups.map(({ supplier }) => supplier))].filter(({ members }) => members),
      disputed,
    };
  }

  /** Finds which suppliers are one, and the record of each, as `collect` does. */
  join(hasJournal: boolean) {
    const ofCandidates = this.#candidates.all.flatMap((candidate) => candidate.groups);
    const evidence = this.#records.usedBy(ofCandidates);
    const shared = sharedMatches(evidence);
    const bySupplier = new Map<OrganizationId | Candidate, Group[]>();
    for (const candidate of this.#candidates.all) {
      const { id, name, country, way, found, groups } = candidate;
      const [organization] = found;
      const isFound = organization !== undefined && found.length === 1;
      const key = isFound ? comparableId(organization) : candidate;
      const known = bySupplier.get(key);
      const ownId = id ?? (isFound ? groups[0]?.record?.id : null) ?? null;
      const otherLines = id === null ? undefined : this.#otherLines.get(id);
      const supplier = known?.[0]?.supplier ?? { id: ownId, name, country, otherLines };
      const choice = isFound ? undefined : noFactor(explain(candidate, hasJournal));
      for (const group of groups) {
        group.supplier = supplier;
        group.matchedBy = isFound || id !== null ? way : null;
        group.member = supplier;
        if (choice) Object.assign(group, { record: undefined, choice, findings: none, fits: true });
      }
      bySupplier.set(key, known === undefined ? groups : joined([...known, ...groups]));
    }
    const all = [...bySupplier.values()].flat();
    shareMatches(all, shared);
    return { groups: all, evidence };
  }
}

/* Collecting changes groups. */
function copyOf(group: Group): Group {
  return { ...group };
}

function byLine(a: Group | undefined, b: Group | undefined): number {
  return (a?.lines[0] ?? 0) - (b?.lines[0] ?? 0);
}

function byFirstLine(a: Candidate, b: Candidate): number {
  return byLine(a.groups[0], b.groups[0]);
}

const none: readonly Finding[] = [];
const nobody: readonly never[] = [];
const unmatched = noFactor({ reason: 'no_record', detail: null });

/* Strings of a row are parts of the text of the file, which they would keep in memory. */
function newGroup(
  row: SpendRow,
  nameKey: string,
  candidate: Candidate,
  share: (text: string) => string,
): Group {
  const { line, name = null, currency = null, year = null, category = null, spend } = row;
  return {
    name: name === candidate.name ? candidate.name : name && flattenString(name),
    nameKey: flattenString(nameKey),
    currency,
    year,
    category: category && share(category),
    spend,
    lines: [line],
    ...withoutRecord(candidate),
  };
}

function withoutRecord(candidate: Candidate) {
  return {
    supplier: candidate,
    member: candidate,
    matchedBy: null,
    record: undefined,
    choice: unmatched,
    findings: none,
    isAlias: undefined,
    target: null,
    fits: true,
  };
}

/* Returns whether a record takes the place of the one that a group has. */
function replacesRecord(facts: RecordFacts, fits: boolean, group: Group): boolean {
  if (group.record === undefined) return true;
  return group.fits === fits ? !isEarlier(facts, group.record) : fits;
}

/* `Object.assign` takes several times as long, which shows in 100,000 groups. */
function take(group: Group, { record, choice, findings, isAlias, fits }: Offer): void {
  group.record = record;
  group.choice = choice;
  group.findings = findings;
  group.isAlias = isAlias;
  group.fits = fits;
}

/* Returns whether nothing says which of two different records is the later one. */
function isUndecided({ record, choice, fits }: Offer, group: Group): boolean {
  const { record: known } = group;
  if (known === undefined || group.fits !== fits) return false;
  const isUndated = record?.retrievedAt === null || known.retrievedAt === null;
  return isUndated && !isDeepStrictEqual(choice, group.choice);
}

/* Without a name, there is nothing to compare. */
function judgeMatch(record: Organization, name: string | null, country: string | undefined) {
  if (name === null) return none;
  const found = checkMatches(record, [{ name, country }]);
  return found.filter(({ severity }) => severity !== 'notice');
}

function explain({ id, way, isRejected, found }: Candidate, hasJournal: boolean): Uncovered {
  if (found.length > 1) {
    const detail = `several organizations match: ${naming(found.map(String), 5)}`;
    return { reason: 'ambiguous_match', detail };
  }
  if (id !== null) return { reason: 'no_record', detail: `the records have no organization ${id}` };
  if (isRejected) return { reason: 'rejected', detail: null };
  if (hasJournal) return { reason: 'not_registered', detail: null };
  const what = way === 'name' ? 'name and country' : 'identifiers';
  return { reason: 'no_record', detail: `none has its ${what}` };
}

/* A record that names no currency replaces an earlier one, such as after failed research. */
function mayBeInCurrency(
  record: Organization,
  currency: string | null,
  { currency: requested }: Retrieval,
): boolean {
  if (currency === null || record.performances?.[0]?.revenue_currency === currency) return true;
  const named = currenciesOf(record);
  return named.size > 0 ? named.has(currency) : (requested ?? currency) === currency;
}
