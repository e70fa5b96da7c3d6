/*
 * Groups rows by supplier, and finds the record of each: by ID, otherwise by external identifier,
 * otherwise by equal name and country. A row with an identifier is never found by its name. Each
 * record becomes factors at once and is not kept.
 */
import { isDeepStrictEqual } from 'node:util';
import { comparableId, type OrganizationId } from '../api/ids.ts';
import { aliasOf, compareNames } from '../api/names.ts';
import type { Organization } from '../api/schema.ts';
import { checkMatches, checkShared } from '../checks/check-records.ts';
import { checkRecordFigures } from '../checks/figure-rules.ts';
import type { Finding } from '../checks/findings.ts';
import { SharedMatches } from '../checks/match-rules.ts';
import { isSynthetic } from '../organizations/history.ts';
import type { Retrieval } from '../records/envelope.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { normalizeCell } from '../table/cell.ts';
import { naming } from '../terminal/format.ts';
import { type Decimal, plus } from './decimal.ts';
import { chooseFactor, type FactorChoice, noFactor } from './factors/choose.ts';
import {
  type Evidence,
  nearTermTarget,
  statedCurrency,
  unitRatio,
  upstreamEvidence,
} from './factors/figures.ts';
import type { Match, MethodOptions, Uncovered } from './line-item.ts';
import type { SpendRow } from './spend/spend-file.ts';

/** The rows with one ID, with the same identifiers, or with one name and country. */
export interface Supplier {
  /** The ID in the file, otherwise that of the record; null without either. */
  readonly id: OrganizationId | null;
  /** The name on the first row. */
  readonly name: string | null;
}

/* What was spent with a supplier under one name, in one currency, year and category. */
interface Spend {
  readonly name: string | null;
  /** ISO 4217 code. */
  readonly currency: string | null;
  readonly year: number | null;
  readonly category: string | null;
  /** Exact sum of the lines; null without spend. */
  readonly spend: Decimal | null;
  readonly lines: readonly number[];
}

/* Rows that become one group, unless the record of another supplier turns out to be theirs. */
type Rows = { -readonly [Key in keyof Spend]: Spend[Key] } & {
  readonly lines: number[];
  offer?: Offer;
};

/* Rows that are found together. */
interface Candidate extends Supplier {
  readonly key: string;
  readonly country: string | undefined;
  readonly isRefused: boolean;
  readonly way: Match;
  /* Keys of the records that it is found by. */
  readonly keys: readonly string[];
  rows: Rows[];
  /* The organizations whose records match. */
  found: readonly OrganizationId[];
}

/** What a footprint needs of a record besides its factor. */
export type RecordFacts = ReturnType<typeof factsOf>;

/* What a record offers to rows with one name, currency and year. */
interface Offer {
  readonly record: RecordFacts;
  readonly choice: FactorChoice;
  /** Errors and warnings of `carbon check`. */
  readonly findings: readonly Finding[];
  /** Whether the record may be in the currency of the spend. */
  readonly fits: boolean;
}

export interface SpendGroup extends Spend, Omit<Offer, 'record'> {
  readonly supplier: Supplier;
  /** Null without a record. */
  readonly matchedBy: Match | null;
  readonly record: RecordFacts | undefined;
}

/** The result of matching. */
export type MatchedSpend = ReturnType<Suppliers['collect']>;

/** Collects what was spent with each supplier, then finds the suppliers of each record. */
export class Suppliers {
  readonly #options: MethodOptions;
  readonly #today: string;
  readonly #candidates = new Map<string, Candidate>();
  readonly #byKey = new Map<string, Candidate[]>();
  readonly #rows = new Map<string, Rows>();
  readonly #latest = new Map<OrganizationId, RecordFacts>();
  readonly #undecided = new Set<OrganizationId>();
  #withoutId = 0;

  /** @param today `YYYY-MM-DD`, for the checks of the records */
  constructor(options: MethodOptions, today: string) {
    this.#options = options;
    this.#today = today;
  }

  /** All currencies of the rows. */
  get currencies(): readonly string[] {
    return [...new Set([...this.#rows.values()].flatMap(({ currency }) => currency ?? []))];
  }

  /** Adds a row. Add all rows before the first record. */
  add(row: SpendRow): void {
    const { line, name = null, currency = null, year = null, category = null, spend = null } = row;
    const candidate = this.#candidateOf(row);
    const key = `${candidate.key}\n${spendKey({ name, currency, year, category, spend })}`;
    const known = this.#rows.get(key);
    if (known !== undefined) {
      known.spend = sum(known.spend, spend);
      known.lines.push(line);
      return;
    }
    // Strings of a row are parts of the text of the file, which they would keep in memory.
    const kept = {
      name: name && flattenString(name),
      category: category && flattenString(category),
    };
    const rows = { ...kept, currency, year, spend, lines: [line] };
    this.#rows.set(key, rows);
    // Pushing to an empty array reserves space for 17 items.
    if (candidate.rows.length === 0) candidate.rows = [rows];
    else candidate.rows.push(rows);
  }

  #candidateOf(row: SpendRow): Candidate {
    const { id, name, region: country, isRefused } = row;
    const isNamed = row.externalId === undefined && row.identifiers.length === 0;
    const keys = id !== undefined ? [idKey(id)] : isNamed ? nameKeys(name) : codeKeys(row);
    const parts = [isRefused, ...keys, id === undefined && isNamed && country];
    const key = keys.length === 0 ? `line ${row.line}` : parts.join('\n');
    let candidate = this.#candidates.get(key);
    if (candidate !== undefined) return candidate;
    const way = row.isRecorded
      ? 'journal'
      : id !== undefined
        ? 'id'
        : isNamed
          ? 'name'
          : 'external_id';
    candidate = {
      key,
      id: id === undefined ? null : comparableId(id),
      name: name === undefined ? null : flattenString(name),
      country,
      isRefused,
      way,
      keys: keys.map(flattenString),
      rows: [],
      found: [],
    };
    this.#candidates.set(key, candidate);
    for (const each of candidate.keys) {
      const found = this.#byKey.get(each);
      if (found === undefined) this.#byKey.set(each, [candidate]);
      else found.push(candidate);
    }
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
    const facts = factsOf(record, organization, retrieval.retrievedAt ?? null);
    if (!isEarlier(facts, this.#latest.get(organization))) this.#latest.set(organization, facts);
    let figures: readonly Finding[] | undefined;
    const offers = new Map<string, Offer>();
    for (const candidate of this.#candidatesOf(record, key)) {
      if (!candidate.found.includes(organization))
        candidate.found = [...candidate.found, organization];
      if (candidate.found.length > 1) continue;
      for (const rows of candidate.rows) {
        const { name, currency, year, offer: known } = rows;
        const fits = mayBeInCurrency(record, currency, retrieval);
        const isOther = known?.fits !== fits;
        if (isOther ? known?.fits : isEarlier(facts, known.record)) continue;
        const at = [name, candidate.country, currency, year].join('\n');
        let offer = offers.get(at);
        if (offer === undefined) {
          figures ??= checkRecordFigures(record, { today: this.#today });
          const findings = [...judgeMatch(record, name, candidate.country), ...figures];
          const method = this.#options;
          const need = { currency, year, requestedCurrency: retrieval.currency, method };
          const choice = chooseFactor(record, need);
          offer = { record: facts, choice, findings: findings.length > 0 ? findings : none, fits };
          offers.set(at, offer);
        }
        rows.offer = offer;
        if (isOther || isTimed(facts, known.record)) continue;
        if (!isDeepStrictEqual(offer.choice, known.choice)) this.#undecided.add(organization);
      }
    }
  }

  #candidatesOf(record: Organization, key: OrganizationId | undefined): ReadonlySet<Candidate> {
    const own = normalizeCell(record.external_id ?? '');
    const codes = own === '' ? [] : codeKeys({ externalId: own, identifiers: [own] });
    const keys = [...(key === undefined ? [] : [idKey(key)]), ...codes];
    const named = nameKeys(record.name).flatMap((each) => this.#byKey.get(each) ?? []);
    return new Set([
      ...keys.flatMap((each) => this.#byKey.get(each) ?? []),
      ...named.filter(({ country }) => isSameCountry(country, record.hq_region)),
    ]);
  }

  /**
   * Collects the groups of all suppliers. Those whose record is of one organization are one.
   *
   * @param hasJournal whether the file has a journal, so that a supplier without an ID was not
   * registered
   */
  collect(hasJournal: boolean) {
    const candidates = [...this.#candidates.values()];
    const records = this.#records();
    const matches = new SharedMatches();
    for (const { organization, match } of records) matches.add(organization, match);
    const shared = sharedByNames(checkShared(matches));
    const suppliers = new Map<string, Supplier>();
    const groups = new Map<string, SpendGroup>();
    for (const candidate of candidates) {
      const [organization] = candidate.found;
      const isFound = organization !== undefined && candidate.found.length === 1;
      const key = isFound ? idKey(organization) : candidate.key;
      const way = isFound || candidate.id !== null ? candidate.way : null;
      for (const rows of candidate.rows) {
        const { name, currency, year, category, spend, lines } = rows;
        const offer = isFound ? rows.offer : undefined;
        const { record, findings = none, fits = true } = offer ?? {};
        const choice = offer?.choice ?? noFactor(explain(candidate, hasJournal));
        const id = candidate.id ?? record?.id ?? null;
        const supplier = suppliers.get(key) ?? { id, name: candidate.name };
        suppliers.set(key, supplier);
        const at = `${key}\n${spendKey(rows)}`;
        const first = groups.get(at);
        if (first !== undefined) {
          groups.set(at, joined(first, rows));
          continue;
        }
        const sharing = record && shared.get(record.organization);
        groups.set(at, {
          supplier,
          name,
          currency,
          year,
          category,
          spend,
          lines,
          matchedBy: way,
          choice,
          record,
          findings: sharing ? [sharing, ...findings] : findings,
          fits,
        });
      }
    }
    const all = [...groups.values()];
    const isUnfound = ({ way, found, rows }: Candidate) =>
      way === 'external_id' && found.length === 0 && rows.some(({ spend }) => spend !== null);
    return {
      /** In the order of the first rows of their suppliers. */
      groups: all,
      /** What the records that count show. */
      evidence: records as readonly Evidence[],
      /** Equal names of several suppliers, with the first line of each. */
      equalNames: equalNames(all),
      /** Number of suppliers with spend whose identifiers no record has. */
      unidentified: hasJournal ? 0 : candidates.filter(isUnfound).length,
      /** Organizations with different records of which none is known to be the latest. */
      undecided: [...this.#undecided],
    };
  }

  /* A superseded record shows nothing: those of line items count, otherwise the latest one. */
  #records(): RecordFacts[] {
    const used = new Map<OrganizationId, Set<RecordFacts>>();
    for (const { offer } of this.#rows.values()) {
      if (offer === undefined) continue;
      const { organization } = offer.record;
      used.set(organization, (used.get(organization) ?? new Set()).add(offer.record));
    }
    return [...this.#latest].flatMap(([organization, latest]) => [
      ...(used.get(organization) ?? [latest]),
    ]);
  }
}

const none: readonly Finding[] = [];

function judgeMatch(record: Organization, name: string | null, country: string | undefined) {
  const listed = name === null ? [] : [{ name, country }];
  const found = checkMatches(record, listed, { domainOf: () => undefined });
  return found.filter(({ severity }) => severity !== 'notice');
}

function spendKey({ name, currency, year, category, spend }: Omit<Spend, 'lines'>): string {
  return [...nameKeys(name), currency, year, spend === null, category ?? '\n'].join('\n');
}

function idKey(id: OrganizationId): string {
  return `id ${comparableId(id)}`;
}

/* Names match without case and superfluous white space. Upper case makes "ß" and "SS" one. */
function nameKeys(name: string | null | undefined): string[] {
  const text = normalizeCell(name ?? '').toUpperCase();
  return text === '' ? [] : [`name ${text}`];
}

/* LEI, ISIN and other codes match with and without spaces, dots and hyphens. */
function codeKeys({ externalId, identifiers }: Pick<SpendRow, 'externalId' | 'identifiers'>) {
  const own = externalId === undefined ? [] : [`own ${externalId.toUpperCase()}`];
  const codes = identifiers.map((code) => `code ${code.toUpperCase().replace(/[\s.-]+/g, '')}`);
  return [...own, ...codes];
}

/* Two countries may be the same if one is unknown. */
function isSameCountry(row: string | undefined, record: string | null | undefined): boolean {
  return row === undefined || !record || row.toUpperCase() === record.trim().toUpperCase();
}

const maxNamed = 5;

function explain({ id, isRefused, way, found }: Candidate, hasJournal: boolean): Uncovered {
  if (found.length > 1) {
    const detail = `several organizations match: ${naming(found.map(String), maxNamed)}`;
    return { reason: 'ambiguous_match', detail };
  }
  if (isRefused) {
    const detail = 'the service rejected the registration of this row';
    return { reason: 'not_registered', detail };
  }
  if (id !== null) return { reason: 'no_record', detail: `the records have no organization ${id}` };
  if (hasJournal) return { reason: 'not_registered', detail: null };
  const what = way === 'name' ? 'name and country' : 'identifiers';
  return { reason: 'no_record', detail: `none has its ${what}` };
}

function factsOf(record: Organization, organization: OrganizationId, retrievedAt: string | null) {
  const { id = null, name = null, matching_organization: matched } = record;
  return {
    upstream: upstreamEvidence(record),
    unitRatio: unitRatio(record),
    /** The ID, otherwise a name for the record. */
    organization,
    id,
    name,
    target: nearTermTarget(record),
    /** Time when the record was retrieved, ISO 8601. */
    retrievedAt,
    isSynthetic: isSynthetic(record),
    match: { name, matching_organization: matched && { id: matched.id, name: matched.name } },
  };
}

function sum(a: Decimal | null, b: Decimal | null): Decimal | null {
  return a === null || b === null ? null : plus(a, b);
}

function joined(group: SpendGroup, { spend, lines }: Rows): SpendGroup {
  return {
    ...group,
    spend: sum(group.spend, spend),
    lines: [...group.lines, ...lines].sort((a, b) => a - b),
  };
}

/*
 * A list may have an organization twice under one name, which makes the finding a warning; other
 * names are doubtful matches.
 */
function sharedByNames(findings: readonly Finding[]): ReadonlyMap<OrganizationId, Finding> {
  const names = new Map<unknown, string>();
  const doubtful = new Set<unknown>();
  for (const { value, name } of findings) {
    const first = names.get(value) ?? name ?? '';
    names.set(value, first);
    if (first !== name && compareNames(aliasOf(first), aliasOf(name ?? '')) !== 'equal')
      doubtful.add(value);
  }
  return new Map(
    findings.map((finding) => [
      comparableId(finding.id ?? ''),
      doubtful.has(finding.value) ? finding : { ...finding, severity: 'warning' },
    ]),
  );
}

function equalNames(groups: readonly SpendGroup[]) {
  const byName = new Map<string, { name: string; suppliers: Map<Supplier, number> }>();
  for (const { name, supplier, lines } of groups) {
    const [key] = nameKeys(name);
    if (key === undefined) continue;
    const { suppliers } = byName.get(key) ?? { suppliers: new Map<Supplier, number>() };
    if (suppliers.size === 0) byName.set(key, { name: name ?? '', suppliers });
    if (!suppliers.has(supplier)) suppliers.set(supplier, lines[0] ?? 0);
  }
  return [...byName.values()].flatMap(({ name, suppliers }) =>
    suppliers.size < 2 ? [] : [{ name, lines: [...suppliers.values()] }],
  );
}

type Retrieved = Pick<RecordFacts, 'retrievedAt'>;

function isTimed(a: Retrieved, b: Retrieved): boolean {
  return a.retrievedAt !== null && b.retrievedAt !== null;
}

/* Without a time, the record that was read last counts. */
function isEarlier(record: Retrieved, known: Retrieved | undefined): boolean {
  const [time, knownTime] = [record.retrievedAt, known?.retrievedAt ?? null];
  return time !== null && knownTime !== null && time < knownTime;
}

/* A record that names no currency replaces an earlier one, such as after failed research. */
function mayBeInCurrency(
  { performances }: Organization,
  currency: string | null,
  { currency: requested }: Retrieval,
): boolean {
  if (currency === null || performances?.[0]?.revenue_currency === currency) return true;
  const stated = (performances ?? []).flatMap((each) => statedCurrency(each) ?? []);
  if (stated.length > 0) return stated.includes(currency);
  return requested === undefined || requested === currency;
}
