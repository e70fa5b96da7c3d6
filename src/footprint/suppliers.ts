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
import { type Match, type MethodOptions, matchWords, type Uncovered } from './line-item.ts';
import type { SpendRow } from './spend/spend-file.ts';

/** The rows with one ID, with the same identifiers, or with one name and country. */
export interface Supplier {
  /** The ID in the file, otherwise that of the record; null without either. */
  readonly id: OrganizationId | null;
  /** The name on the first row. */
  readonly name: string | null;
}

/* Rows that become one group, unless the record of another supplier turns out to be theirs. */
interface Rows {
  readonly name: string | null;
  readonly country: string | undefined;
  /** ISO 4217 code. */
  readonly currency: string | null;
  readonly year: number | null;
  readonly category: string | null;
  /** Exact sum of the lines; null without spend. */
  spend: Decimal | null;
  readonly lines: number[];
  /** The least certain way in which a line was matched. */
  way: Match;
  offer?: Offer;
}

/* What a record shows about all records of a portfolio. */
interface Source extends Evidence {
  readonly organization: OrganizationId;
  /** Time when the record was retrieved, ISO 8601. */
  readonly retrievedAt: string | null;
  readonly match: Pick<Organization, 'name' | 'matching_organization'>;
}

/** What a footprint needs of a record besides its factor. */
export type RecordFacts = ReturnType<typeof factsOf>;

/* What a record offers to rows. */
interface Offer {
  readonly choice: FactorChoice;
  /** The record of the factor. */
  readonly record: RecordFacts;
  readonly source: Source;
  /** Errors and warnings of `carbon check`. */
  readonly findings: readonly Finding[];
  /** Whether the record may be in the currency of the spend. */
  readonly fits: boolean;
}

/** What was spent with a supplier under one name, in one currency, year and category. */
export interface SpendGroup
  extends Readonly<Pick<Rows, 'name' | 'currency' | 'year' | 'category' | 'spend' | 'lines'>>,
    Pick<Offer, 'choice' | 'findings' | 'fits'> {
  readonly supplier: Supplier;
  /** Null without a record. */
  readonly matchedBy: Match | null;
  readonly record: RecordFacts | undefined;
  /** The reading of the upstream factor that the record shows. */
  readonly shown: Evidence['upstream'] | undefined;
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
  /* The organizations whose records match. */
  readonly found: OrganizationId[];
  /* The first organization with the name of a candidate that has identifiers. */
  namesake?: OrganizationId;
}

/** The result of matching. */
export type MatchedSpend = ReturnType<Suppliers['collect']>;

/** Collects what was spent with each supplier, then finds the suppliers of each record. */
export class Suppliers {
  readonly #options: MethodOptions;
  readonly #today: string;
  readonly #candidates = new Map<string, Candidate>();
  readonly #byKey = new Map<string, Candidate[]>();
  readonly #byName = new Map<string, Candidate[]>();
  readonly #latest = new Map<OrganizationId, Source>();
  readonly #undecided = new Set<OrganizationId>();
  #withoutId = 0;

  /** @param today `YYYY-MM-DD`, for the checks of the records */
  constructor(options: MethodOptions, today: string) {
    this.#options = options;
    this.#today = today;
  }

  /** All currencies of the rows. */
  get currencies(): readonly string[] {
    const rows = [...this.#candidates.values()].flatMap((each) => [...each.rows.values()]);
    return [...new Set(rows.flatMap(({ currency }) => currency ?? []))];
  }

  /** Adds a row. Add all rows before the first record. */
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
    const { id, isRefused, region } = row;
    const keys = id === undefined ? keysOfRow(row) : [idKey(id)];
    const parts = [isRefused, ...keys, ...(wayOf(row) === 'name' && !id ? [region] : [])];
    const key = keys.length === 0 ? `line ${row.line}` : parts.join('\n');
    const known = this.#candidates.get(key);
    if (known !== undefined) return known;
    const candidate: Candidate = {
      key: flattenString(key),
      id: id === undefined ? null : comparableId(id),
      name: flatten(row.name ?? null),
      country: region,
      isRefused,
      keys: keys.map(flattenString),
      rows: new Map(),
      found: [],
    };
    this.#candidates.set(candidate.key, candidate);
    for (const each of candidate.keys) addTo(this.#byKey, each, candidate);
    if (id === undefined) addTo(this.#byName, nameKey(candidate.name), candidate);
    return candidate;
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
    const retrievedAt = retrieval.retrievedAt ?? null;
    const { name = null, matching_organization: matched } = record;
    const match = {
      name,
      matching_organization: matched && { id: matched.id ?? null, name: matched.name ?? null },
    };
    const source: Source = { ...evidenceOf(record), organization, retrievedAt, match };
    if (!isEarlier(source, this.#latest.get(organization))) this.#latest.set(organization, source);
    let facts: RecordFacts | undefined;
    let judged: Map<string, readonly Finding[]> | undefined;
    for (const candidate of this.#candidatesOf(record, key, organization)) {
      if (!candidate.found.includes(organization)) candidate.found.push(organization);
      if (candidate.found.length > 1) continue;
      facts ??= factsOf(record, retrievedAt);
      judged ??= new Map();
      for (const rows of candidate.rows.values())
        this.#offer(rows, record, { record: facts, source }, retrieval, judged);
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
    if (this.#byName.size === 0) return candidates;
    const name = nameKey(record.name);
    for (const candidate of this.#byName.get(name) ?? []) {
      if (!isSameCountry(candidate.country, record.hq_region)) continue;
      if (candidate.keys[0] === name) candidates.add(candidate);
      else candidate.namesake ??= organization;
    }
    return candidates;
  }

  #offer(
    rows: Rows,
    record: Organization,
    origin: Pick<Offer, 'record' | 'source'>,
    retrieval: Retrieval,
    judged: Map<string, readonly Finding[]>,
  ): void {
    const { currency, year, offer: known } = rows;
    const need = { currency, year, requestedCurrency: retrieval.currency, method: this.#options };
    const choice = chooseFactor(record, need);
    const fits = mayBeInCurrency(record, currency, retrieval);
    if (known?.fits && !fits) return;
    if (known?.fits === fits) {
      const [now, before] = [origin.source, known.source];
      if (isEarlier(now, before)) return;
      const isTimed = now.retrievedAt !== null && before.retrievedAt !== null;
      if (!isTimed && !isDeepStrictEqual(choice, known.choice))
        this.#undecided.add(now.organization);
    }
    rows.offer = { ...origin, choice, fits, findings: this.#judge(record, rows, judged) };
  }

  /* Judges the match with a row, and the figures; once for each name. */
  #judge(
    record: Organization,
    { name, country }: Rows,
    judged: Map<string, readonly Finding[]>,
  ): readonly Finding[] {
    const key = nameKey(name);
    let findings = judged.get(key);
    if (findings === undefined) {
      const listed = name === null ? [] : [{ name, country }];
      const options = { today: this.#today, domainOf: () => undefined };
      const found = checkRecord(record, listed, options).filter(
        ({ severity }) => severity !== 'notice',
      );
      findings = found.length === 0 ? none : found;
      judged.set(key, findings);
    }
    return findings;
  }

  /**
   * Collects the groups of all suppliers. Those whose record is of one organization are one.
   *
   * @param hasJournal whether the file has a journal, so that a supplier without an ID was not
   * registered
   */
  collect(hasJournal: boolean) {
    const candidates = [...this.#candidates.values()];
    const sources = this.#sources(candidates);
    const matches = new SharedMatches();
    for (const { organization, match } of sources) matches.add(organization, match);
    const shared = sharedByNames(checkShared(matches));
    const suppliers = new Map<string, Supplier>();
    const groups = new Map<string, SpendGroup>();
    for (const candidate of candidates) {
      const [organization, other] = candidate.found;
      const isFound = organization !== undefined && other === undefined;
      const key = isFound ? idKey(organization) : candidate.key;
      for (const rows of candidate.rows.values()) {
        const { name, currency, year, category, spend, lines, way } = rows;
        const offer = isFound ? rows.offer : undefined;
        const id = candidate.id ?? offer?.record.id ?? null;
        const supplier = suppliers.get(key) ?? { id, name: candidate.name };
        suppliers.set(key, supplier);
        const sharing = offer && shared.get(offer.source.organization);
        const at = `${key}\n${groupKey(rows)}`;
        const made: SpendGroup = {
          supplier,
          name,
          currency,
          year,
          category,
          spend,
          lines,
          matchedBy: offer === undefined && candidate.id === null ? null : way,
          choice: offer?.choice ?? noFactor(explain(candidate, hasJournal)),
          record: offer?.record,
          shown: offer?.source.upstream,
          findings: sharing ? [sharing, ...(offer?.findings ?? [])] : (offer?.findings ?? none),
          fits: offer?.fits ?? true,
        };
        groups.set(at, joined(groups.get(at), made));
      }
    }
    const isUnfound = ({ namesake, found }: Candidate) =>
      namesake !== undefined && found.length === 0;
    return {
      /** In the order of the first rows of their suppliers. */
      groups: [...groups.values()],
      /** What the records that count show. */
      evidence: sources as readonly Evidence[],
      /** Equal names of several suppliers, with the first line of each. */
      equalNames: equalNames([...groups.values()]),
      /** How many suppliers have identifiers that no record has, and the name of one. */
      namesakes: hasJournal ? 0 : candidates.filter(isUnfound).length,
      /** Organizations with different records of which none is known to be the latest. */
      undecided: [...this.#undecided],
    };
  }

  /* A superseded record shows nothing: those of line items count, otherwise the latest one. */
  #sources(candidates: readonly Candidate[]): Source[] {
    const winners = new Map<OrganizationId, Set<Source>>();
    for (const { rows } of candidates)
      for (const { offer } of rows.values()) {
        if (offer === undefined) continue;
        const { organization } = offer.source;
        winners.set(organization, (winners.get(organization) ?? new Set()).add(offer.source));
      }
    return [...this.#latest].flatMap(([organization, latest]) => [
      ...(winners.get(organization) ?? [latest]),
    ]);
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

const none: readonly Finding[] = [];
const maxNamed = 5;

function explain(candidate: Candidate, hasJournal: boolean): Uncovered {
  const { id, isRefused, keys, name, namesake, found } = candidate;
  if (found.length > 1)
    return {
      reason: 'ambiguous_match',
      detail: `several organizations match: ${naming(found.map(String), maxNamed)}`,
    };
  if (isRefused)
    return {
      reason: 'not_registered',
      detail: 'the service rejected the registration of this row',
    };
  if (id !== null) return { reason: 'no_record', detail: `the records have no organization ${id}` };
  if (hasJournal) return { reason: 'not_registered', detail: null };
  if (keys[0] === nameKey(name) || keys.length === 0)
    return { reason: 'no_record', detail: 'no record has its name and country' };
  const other = namesake === undefined ? '' : `; ID ${namesake} has its name`;
  return { reason: 'no_record', detail: `no record has its identifiers${other}` };
}

function factsOf(record: Organization, retrievedAt: string | null) {
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
function isEarlier({ retrievedAt }: Source, known: Source | undefined): boolean {
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
