/*
 * Groups rows by supplier, and finds the record of each: by ID, otherwise by external identifier,
 * otherwise by equal name and country. A row with an identifier is never found by its name. Each
 * record becomes factors at once and is not kept.
 */
import { isDeepStrictEqual } from 'node:util';
import { comparableId, type OrganizationId } from '../api/ids.ts';
import { type Alias, aliasOf, compareNames } from '../api/names.ts';
import type { Organization } from '../api/schema.ts';
import { checkRecord, checkShared } from '../checks/check-records.ts';
import type { Finding } from '../checks/findings.ts';
import { SharedMatches } from '../checks/match-rules.ts';
import { isSynthetic } from '../organizations/history.ts';
import type { Retrieval } from '../records/envelope.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { normalizeCell } from '../table/cell.ts';
import { naming } from '../terminal/format.ts';
import { type Decimal, sumOf } from './decimal.ts';
import { chooseFactor, type FactorChoice, noFactor } from './factors/choose.ts';
import { type Evidence, evidenceOf, nearTermTarget, statedCurrency } from './factors/figures.ts';
import {
  type Match,
  type MethodOptions,
  matchWords,
  type NearTermTarget,
  type Uncovered,
} from './line-item.ts';
import type { SpendRow } from './spend/spend-file.ts';

/** The rows with one ID, with the same identifiers, or with one name and country. */
export interface Supplier {
  /** The ID in the file, otherwise that of the record; null without either. */
  readonly id: OrganizationId | null;
  /** The name on the first row. */
  readonly name: string | null;
}

/** What a footprint needs of a record besides its factor. */
export interface RecordFacts {
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly target: NearTermTarget;
  /** Time when the record was retrieved, ISO 8601. */
  readonly retrievedAt: string | null;
  readonly isSynthetic: boolean;
}

/** What was spent with a supplier under one name, in one currency, year and category. */
export interface SpendGroup {
  readonly supplier: Supplier;
  readonly name: string | null;
  readonly currency: string | null;
  readonly year: number | null;
  readonly category: string | null;
  /** Exact sum of the lines; null without spend. */
  readonly spend: Decimal | null;
  readonly lines: readonly number[];
  /** The least certain way in which a line was matched; null without a record. */
  readonly matchedBy: Match | null;
  readonly choice: FactorChoice;
  /** The record of the factor. */
  readonly record: RecordFacts | undefined;
  /** The reading of the upstream factor that the record shows. */
  readonly shown: Evidence['upstream'] | undefined;
  /** Errors and warnings of `carbon check`. */
  readonly findings: readonly Finding[];
  /** Whether the record may be in the currency of the spend. */
  readonly fits: boolean;
}

/* Rows that become one group, unless the record of another supplier turns out to be theirs. */
interface Rows {
  readonly name: string | null;
  readonly country: string | undefined;
  readonly currency: string | null;
  readonly year: number | null;
  readonly category: string | null;
  spend: Decimal | null;
  readonly lines: number[];
  way: Match;
}

/* Rows with one key, which are found together. */
interface Candidate {
  readonly key: string;
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly country: string | undefined;
  readonly isRefused: boolean;
  /* Keys of the records that it is found by. */
  readonly keys: readonly string[];
  readonly rows: Map<string, Rows>;
}

/** Collects what was spent with each supplier. */
export class SpendLedger {
  readonly #candidates = new Map<string, Candidate>();

  /** The candidates in the order of their first rows. */
  get candidates(): readonly Candidate[] {
    return [...this.#candidates.values()];
  }

  /** All currencies of the rows. */
  get currencies(): readonly string[] {
    const all = this.candidates.flatMap(({ rows }) => [...rows.values()]);
    return [...new Set(all.flatMap(({ currency }) => currency ?? []))];
  }

  /** Adds a row. */
  add(row: SpendRow): void {
    const { line, name = null, currency = null, year = null, category = null, spend = null } = row;
    const { rows } = this.#candidateOf(row);
    const key = groupKey({ name, currency, year, category, spend });
    const known = rows.get(key);
    const way = row.isRecorded ? 'journal' : row.id !== undefined ? 'id' : wayOf(row);
    if (known === undefined) {
      // Strings of a row are parts of the text of the file, which they would keep in memory.
      const kept = { name: flatten(name), category: flatten(category), country: row.region };
      rows.set(flattenString(key), { ...kept, currency, year, spend, lines: [line], way });
      return;
    }
    if (known.spend !== null && spend !== null) known.spend = sumOf(known.spend, spend);
    known.lines.push(line);
    known.way = lessCertain(known.way, way);
  }

  #candidateOf(row: SpendRow): Candidate {
    const { id, isRefused, name, region } = row;
    const keys = id === undefined ? keysOfRow(row) : [idKey(id)];
    const parts = [isRefused, ...keys, ...(wayOf(row) === 'name' && !id ? [region] : [])];
    const key = keys.length === 0 ? `line ${row.line}` : parts.join('\n');
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    const candidate: Candidate = {
      key: flattenString(key),
      id: id === undefined ? null : comparableId(id),
      name: flatten(name ?? null),
      country: region,
      isRefused,
      keys: keys.map(flattenString),
      rows: new Map(),
    };
    this.#candidates.set(candidate.key, candidate);
    return candidate;
  }
}

function flatten(text: string | null): string | null {
  return text === null ? null : flattenString(text);
}

function wayOf({ externalId, identifiers }: SpendRow): 'external_id' | 'name' {
  return externalId === undefined && identifiers.length === 0 ? 'name' : 'external_id';
}

function groupKey(group: Pick<Rows, 'name' | 'currency' | 'year' | 'category' | 'spend'>): string {
  const { name, currency, year, category, spend } = group;
  return [nameKey(name), currency, year, spend === null, category ?? '\n'].join('\n');
}

function lessCertain(a: Match, b: Match): Match {
  const order = Object.keys(matchWords);
  return order.indexOf(a) > order.indexOf(b) ? a : b;
}

function idKey(id: OrganizationId): string {
  return `id ${comparableId(id)}`;
}

/* Names match without case and superfluous white space. Upper case makes "ß" and "SS" one. */
function nameKey(name: string | null | undefined): string {
  return `name ${normalizeCell(name ?? '').toUpperCase()}`;
}

/* LEI, ISIN and other codes match with and without spaces, dots and hyphens. */
function codeKey(code: string): string {
  return `code ${code.toUpperCase().replace(/[\s.-]+/g, '')}`;
}

function keysOfRow(row: SpendRow): readonly string[] {
  const { externalId, identifiers, name } = row;
  if (wayOf(row) === 'name') return name === undefined ? [] : [nameKey(name)];
  const own = externalId === undefined ? [] : [`own ${externalId.toUpperCase()}`];
  return [...own, ...identifiers.map(codeKey)];
}

function keysOfRecord({ external_id }: Organization, key: OrganizationId | undefined): string[] {
  const own = normalizeCell(external_id ?? '');
  return [
    ...(key === undefined ? [] : [idKey(key)]),
    ...(own === '' ? [] : [`own ${own.toUpperCase()}`, codeKey(own)]),
  ];
}

/* Two countries may be the same if one is unknown. */
function isSameCountry(row: string | undefined, record: string | null | undefined): boolean {
  return row === undefined || !record || row.toUpperCase() === record.trim().toUpperCase();
}

/** The result of matching. */
export type MatchedSpend = ReturnType<RecordMatcher['collect']>;

/* What a record says about all records of a portfolio. */
interface Shown extends Evidence {
  readonly organization: OrganizationId;
  readonly retrievedAt: string | null;
  readonly record: Pick<Organization, 'name' | 'matching_organization'>;
}

/* What a record offers to rows. */
interface Offer extends Pick<SpendGroup, 'choice' | 'findings' | 'fits'> {
  readonly facts: RecordFacts;
  readonly shown: Shown;
}

/** Finds the suppliers of each record. */
export class RecordMatcher {
  readonly #candidates: readonly Candidate[];
  readonly #options: MethodOptions;
  readonly #today: string;
  readonly #byKey = new Map<string, Candidate[]>();
  readonly #byName = new Map<string, Candidate[]>();
  readonly #found = new Map<Candidate, Set<OrganizationId>>();
  /* The first organization with the name of a candidate that has identifiers. */
  readonly #namesakes = new Map<Candidate, OrganizationId>();
  readonly #offers = new Map<Rows, Offer>();
  readonly #latest = new Map<OrganizationId, Shown>();
  readonly #undecided = new Set<OrganizationId>();
  #withoutId = 0;

  /**
   * @param ledger all rows
   * @param today `YYYY-MM-DD`, for the checks of the records
   */
  constructor(ledger: SpendLedger, options: MethodOptions, today: string) {
    this.#candidates = ledger.candidates;
    this.#options = options;
    this.#today = today;
    for (const candidate of this.#candidates) {
      for (const key of candidate.keys) addTo(this.#byKey, key, candidate);
      if (candidate.id === null) addTo(this.#byName, nameKey(candidate.name), candidate);
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
    const { name = null, matching_organization: match } = record;
    const shown: Shown = {
      ...evidenceOf(record),
      organization,
      retrievedAt: retrieval.retrievedAt ?? null,
      record: {
        name,
        matching_organization: match && { id: match.id ?? null, name: match.name ?? null },
      },
    };
    if (!isEarlier(shown, this.#latest.get(organization))) this.#latest.set(organization, shown);
    let facts: RecordFacts | undefined;
    for (const candidate of this.#candidatesOf(record, key, organization)) {
      const found = this.#found.get(candidate) ?? new Set();
      this.#found.set(candidate, found.add(organization));
      if (found.size > 1) continue;
      facts ??= factsOf(record, shown);
      this.#offer(candidate, record, { facts, shown }, retrieval);
    }
  }

  #candidatesOf(
    record: Organization,
    key: OrganizationId | undefined,
    organization: OrganizationId,
  ): ReadonlySet<Candidate> {
    const candidates = new Set(
      keysOfRecord(record, key).flatMap((each) => this.#byKey.get(each) ?? []),
    );
    for (const candidate of this.#byName.get(nameKey(record.name)) ?? []) {
      if (!isSameCountry(candidate.country, record.hq_region)) continue;
      if (candidate.keys[0] === nameKey(record.name)) candidates.add(candidate);
      else if (!this.#namesakes.has(candidate)) this.#namesakes.set(candidate, organization);
    }
    return candidates;
  }

  #offer(
    candidate: Candidate,
    record: Organization,
    { facts, shown }: Pick<Offer, 'facts' | 'shown'>,
    retrieval: Retrieval,
  ): void {
    const method = this.#options;
    const requestedCurrency = retrieval.currency;
    const choices = new Map<string, Pick<Offer, 'choice' | 'fits'>>();
    const findings = new Map<string, readonly Finding[]>();
    for (const rows of candidate.rows.values()) {
      const { currency, year } = rows;
      const need = `${currency} ${year}`;
      const choice = choices.get(need) ?? {
        choice: chooseFactor(record, { currency, year, requestedCurrency, method }),
        fits: mayBeInCurrency(record, currency, retrieval),
      };
      choices.set(need, choice);
      const known = this.#offers.get(rows);
      if (known !== undefined) {
        if (known.fits && !choice.fits) continue;
        if (known.fits === choice.fits) {
          if (isEarlier(shown, known.shown)) continue;
          const isTimed = shown.retrievedAt !== null && known.shown.retrievedAt !== null;
          if (!isTimed && !isDeepStrictEqual(choice.choice, known.choice))
            this.#undecided.add(shown.organization);
        }
      }
      const found = findings.get(nameKey(rows.name)) ?? this.#check(record, rows);
      findings.set(nameKey(rows.name), found);
      this.#offers.set(rows, { ...choice, facts, shown, findings: found });
    }
  }

  #check(record: Organization, { name, country }: Rows): readonly Finding[] {
    const listed = name === null ? [] : [{ name, country }];
    const options = { today: this.#today, domainOf: () => undefined };
    return checkRecord(record, listed, options).filter(({ severity }) => severity !== 'notice');
  }

  /**
   * Collects the groups of all suppliers. Those whose record is of one organization are one.
   *
   * @param hasJournal whether the file has a journal, so that a supplier without an ID was not
   * registered
   */
  collect(hasJournal: boolean) {
    const shown = this.#shownByWinners();
    const matches = new SharedMatches();
    for (const { organization, record } of shown) matches.add(organization, record);
    const shared = sharedByNames(checkShared(matches));
    const suppliers = new Map<string, Supplier>();
    const groups = new Map<string, SpendGroup>();
    for (const candidate of this.#candidates) {
      const organizations = this.#found.get(candidate) ?? new Set();
      const [organization] = organizations;
      const isFound = organizations.size === 1;
      const key = isFound && organization !== undefined ? idKey(organization) : candidate.key;
      for (const rows of candidate.rows.values()) {
        const offer = isFound ? this.#offers.get(rows) : undefined;
        const id = candidate.id ?? offer?.facts.id ?? null;
        const supplier = suppliers.get(key) ?? { id, name: candidate.name };
        suppliers.set(key, supplier);
        const { currency, year, category, spend, lines } = rows;
        const group: SpendGroup = {
          ...{ supplier, name: rows.name, currency, year, category, spend, lines },
          matchedBy: offer === undefined && candidate.id === null ? null : rows.way,
          choice: offer?.choice ?? noFactor(this.#explain(candidate, organizations, hasJournal)),
          record: offer?.facts,
          shown: offer?.shown.upstream,
          findings: offer ? [shared.get(organization ?? '') ?? [], offer.findings].flat() : [],
          fits: offer?.fits ?? true,
        };
        const at = `${key}\n${groupKey(rows)}`;
        groups.set(at, joined(groups.get(at), group));
      }
    }
    return {
      /** In the order of the first rows of their suppliers. */
      groups: [...groups.values()],
      /** What the records that count show. */
      evidence: shown as readonly Evidence[],
      /** Equal names of several suppliers, with the first line of each. */
      equalNames: equalNames([...groups.values()]),
      /** How many suppliers have identifiers that no record has, and the name of one. */
      namesakes: hasJournal
        ? 0
        : [...this.#namesakes.keys()].filter((each) => !this.#found.has(each)).length,
      /** Organizations with different records of which none is known to be the latest. */
      undecided: [...this.#undecided],
    };
  }

  /* A superseded record shows nothing: those of line items count, otherwise the latest one. */
  #shownByWinners(): Shown[] {
    const winners = new Map<OrganizationId, Set<Shown>>();
    for (const { shown } of this.#offers.values()) {
      const known = winners.get(shown.organization) ?? new Set();
      winners.set(shown.organization, known.add(shown));
    }
    return [...this.#latest].flatMap(([organization, latest]) => [
      ...(winners.get(organization) ?? [latest]),
    ]);
  }

  #explain(
    candidate: Candidate,
    organizations: ReadonlySet<OrganizationId>,
    hasJournal: boolean,
  ): Uncovered {
    const { id, isRefused, keys, name } = candidate;
    if (organizations.size > 1) {
      const list = naming([...organizations].map(String), maxNamed);
      return { reason: 'ambiguous_match', detail: `several organizations match: ${list}` };
    }
    if (isRefused) return rejected;
    if (id !== null)
      return { reason: 'no_record', detail: `the records have no organization ${id}` };
    if (hasJournal) return { reason: 'not_registered', detail: null };
    if (keys[0] === nameKey(name) || keys.length === 0) return unmatched;
    const namesake = this.#namesakes.get(candidate);
    const other = namesake === undefined ? '' : `; ID ${namesake} has its name`;
    return { reason: 'no_record', detail: `no record has its identifiers${other}` };
  }
}

const maxNamed = 5;

const rejected: Uncovered = {
  reason: 'not_registered',
  detail: 'the service rejected the registration of this row',
};
const unmatched: Uncovered = { reason: 'no_record', detail: 'no record has its name and country' };

function factsOf(record: Organization, { retrievedAt }: Shown): RecordFacts {
  const { id = null, name = null } = record;
  const target = nearTermTarget(record);
  return { id, name, target, retrievedAt, isSynthetic: isSynthetic(record) };
}

function joined(first: SpendGroup | undefined, other: SpendGroup): SpendGroup {
  if (first === undefined) return other;
  const { spend, lines, matchedBy: way } = first;
  return {
    ...first,
    spend: spend === null || other.spend === null ? null : sumOf(spend, other.spend),
    lines: [...lines, ...other.lines].sort((a, b) => a - b),
    matchedBy: way && other.matchedBy && lessCertain(way, other.matchedBy),
  };
}

/*
 * A list may have an organization twice under one name, which makes the finding a warning; other
 * names are doubtful matches.
 */
function sharedByNames(findings: readonly Finding[]): ReadonlyMap<OrganizationId, Finding> {
  const first = new Map<unknown, Alias>();
  const doubtful = new Set<unknown>();
  for (const { value, name } of findings) {
    const alias = aliasOf(name ?? '');
    const known = first.get(value);
    if (known === undefined) first.set(value, alias);
    else if (compareNames(known, alias) !== 'equal') doubtful.add(value);
  }
  return new Map(
    findings.map((finding) => [
      comparableId(finding.id ?? ''),
      doubtful.has(finding.value) ? finding : { ...finding, severity: 'warning' },
    ]),
  );
}

function equalNames(groups: readonly SpendGroup[]) {
  const byName = new Map<string, Map<Supplier, SpendGroup>>();
  for (const group of groups) {
    if (group.name === null) continue;
    const key = nameKey(group.name);
    const known = byName.get(key) ?? new Map<Supplier, SpendGroup>();
    byName.set(key, known);
    if (!known.has(group.supplier)) known.set(group.supplier, group);
  }
  return [...byName.values()].flatMap((known) => {
    const same = [...known.values()];
    const lines = same.flatMap(({ lines: all }) => all[0] ?? []);
    return same.length < 2 ? [] : [{ name: same[0]?.name ?? '', lines }];
  });
}

/* Without a time, the record that was read last counts. */
function isEarlier({ retrievedAt }: Shown, known: Shown | undefined): boolean {
  const knownAt = known?.retrievedAt ?? null;
  return retrievedAt !== null && knownAt !== null && retrievedAt < knownAt;
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

function addTo(index: Map<string, Candidate[]>, key: string, candidate: Candidate): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, [candidate]);
  else known.push(candidate);
}
