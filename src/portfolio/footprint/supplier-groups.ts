/*
 * What was spent with suppliers, in groups, and which suppliers are one: those whose names are
 * equal aliases of one matched organization.
 */
import { comparableId, type OrganizationId } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { isAboutMatch, SharedMatches } from '../checks/check-records.ts';
import type { Finding } from '../checks/findings.ts';
import { hasRealData, isSynthetic } from '../organizations/history.ts';
import {
  type DatedStatus,
  lastLookup,
  latestStatus,
  nearTermTarget,
  targetEvidence,
} from '../organizations/targets.ts';
import { type Decimal, plus } from './decimal.ts';
import type { FactorChoice } from './factors/choose.ts';
import { unitRatio, upstreamEvidence } from './factors/figures.ts';
import type { Match } from './line-item.ts';

/**
 * The rows with one ID, with the same identifiers, or with one name and country; or several of
 * these, whose names are equal aliases of one matched organization.
 */
export interface Supplier {
  /** The ID in the file, otherwise that of the record, the lowest of several; null without any. */
  readonly id: OrganizationId | null;
  /** The name on the first row; of several, that of the matched organization. */
  readonly name: string | null;
  /** The names in the file of several that are one, in alphabetical order. */
  readonly members?: readonly string[];
  /** ISO 3166-1 alpha-2, as in the file. */
  readonly country?: string | undefined;
  /** The lines of its ID in other years than those of the footprint. */
  readonly otherLines?: readonly number[] | undefined;
}

/** Checks whether a supplier is known by an ID or a name; those without stand for rows. */
export function isNamed({ id, name }: Supplier): boolean {
  return id !== null || name !== null;
}

/** What was spent with a supplier under one name, in one currency, year and category. */
export interface Group {
  readonly name: string | null;
  /** Equal for equal names. */
  readonly nameKey: string;
  /** ISO 4217 code. */
  readonly currency: string | null;
  readonly year: number | null;
  readonly category: string | null;
  /** Exact sum of the lines. */
  spend: Decimal;
  readonly lines: number[];
  supplier: Supplier;
  /** The supplier before those of one matched organization became one. */
  member: Supplier;
  /** Null without a record. */
  matchedBy: Match | null;
  record: RecordFacts | undefined;
  choice: FactorChoice;
  /** Errors and warnings of `carbon check`. */
  findings: readonly Finding[];
  /** Whether the name is one of the matched organization; undefined if that has none. */
  isAlias: boolean | undefined;
  /** The near-term target of the supplier as `nearTermTarget` returns it; null if it is unknown. */
  target: string | null;
  /** Whether the record may be in the currency of the spend. */
  fits: boolean;
}

export type SpendGroup = Readonly<Group>;

/** What a footprint needs of a record besides its factor. */
export type RecordFacts = ReturnType<typeof factsOf>;

/** What is kept of each record only if the result shows it, because it takes memory. */
export interface KeptFacts {
  /** What the record says about the target besides its status. */
  readonly evidence: boolean;
  /** What it knows to reach the organization. */
  readonly contact: boolean;
}

export function factsOf(
  record: Organization,
  organization: OrganizationId,
  retrievedAt: string | null,
  kept: KeptFacts,
) {
  const { id = null, name = null, matching_organization: matched } = record;
  return {
    upstream: upstreamEvidence(record),
    unitRatio: unitRatio(record),
    /** The ID, otherwise a name for the record. */
    organization,
    id,
    name,
    target: nearTermTarget(record) ?? null,
    /** Day when SBTi was last looked up, `YYYY-MM-DD`; null if it is unknown. */
    lookedUp: lastLookup(record, retrievedAt)?.slice(0, 10) ?? null,
    /** Null as well if it is not kept. */
    evidence: kept.evidence ? targetEvidence(record, retrievedAt) : null,
    /** The status of the research, unless it is `synced`; null as well if unknown. */
    research: record.status && record.status !== 'synced' ? record.status : null,
    website: websiteOf(record),
    /** Undefined if it is not kept. */
    contact: kept.contact ? contactOf(record) : undefined,
    hqRegion: record.hq_region || null,
    /** Time when the record was retrieved, ISO 8601. */
    retrievedAt,
    isSynthetic: isSynthetic(record),
    hasRealData: hasRealData(record),
    // Most names are equal; two texts of a record take twice the memory.
    matched: matched && { id: matched.id, name: matched.name === name ? name : matched.name },
  };
}

/** What a record knows to reach an organization; null where it has nothing. */
export type Contact = ReturnType<typeof contactOf>;

function contactOf(record: Organization) {
  const { sources, cdp, external_id: own, matching_organization: matched } = record;
  const tickers = (matched?.tickers ?? []).flatMap((ticker) => ticker?.symbol ?? []);
  return {
    website: websiteOf(record),
    /** The first source, such as a sustainability report. */
    report: sources?.find(({ url }) => url)?.url ?? null,
    cdp: cdp?.url || null,
    /** The entry in the reference data. */
    reference: matched?.link || null,
    tickers: tickers.join(', ') || null,
    externalId: own || null,
  };
}

/* That of the registration, otherwise the first one of the matched organization. */
function websiteOf({ website, matching_organization: matched }: Organization): string | null {
  return website || matched?.websites?.[0]?.value || null;
}

/** Adds up the groups of several suppliers that are one. */
export function joined(groups: readonly Group[]): Group[] {
  const byKey = new Map<string, Group>();
  for (const group of groups) {
    const { nameKey, currency, year, category, lines } = group;
    const key = JSON.stringify([nameKey, currency, year, category]);
    const first = byKey.get(key);
    const all = [...(first?.lines ?? []), ...lines].sort((a, b) => a - b);
    const spend = first === undefined ? group.spend : plus(first.spend, group.spend);
    byKey.set(key, { ...(first ?? group), spend, lines: all });
  }
  return [...byKey.values()];
}

/** What the records of one matched organization share. */
export interface SharedMatch {
  /* A warning if all records have one name, which counts if the match has none. */
  readonly finding: Finding;
  readonly match: NonNullable<RecordFacts['matched']>;
}

/** Finds matches that several records share, by organization. */
export function sharedMatches(
  records: readonly RecordFacts[],
): ReadonlyMap<OrganizationId, SharedMatch> {
  const matches = new SharedMatches();
  const matchOf = new Map<OrganizationId, RecordFacts['matched']>();
  for (const { organization, name, matched } of sharing(records)) {
    matches.add(organization, { name, matching_organization: matched });
    matchOf.set(organization, matched);
  }
  return new Map(
    matches.findings().flatMap((finding): [OrganizationId, SharedMatch][] => {
      const key = comparableId(finding.id ?? '');
      const match = matchOf.get(key);
      return match ? [[key, { finding, match }]] : [];
    }),
  );
}

/* Most matches are of one organization; keeping what a finding names of each takes much memory. */
function sharing(records: readonly RecordFacts[]): readonly RecordFacts[] {
  const first = new Map<string, OrganizationId>();
  const shared = new Set<string>();
  for (const { organization, matched } of records) {
    if (matched?.id == null) continue;
    const match = String(matched.id);
    const known = first.get(match);
    if (known === undefined) first.set(match, organization);
    else if (known !== organization) shared.add(match);
  }
  return shared.size === 0 ? [] : records.filter(({ matched }) => shared.has(String(matched?.id)));
}

/**
 * Makes suppliers whose names are equal aliases of one matched organization one supplier, as a list
 * has a group and its subsidiaries. Any other name stays apart, and is a doubtful match.
 */
export function shareMatches(
  groups: readonly Group[],
  shared: ReadonlyMap<OrganizationId, SharedMatch>,
): void {
  const byMatch = new Map<string, { match: SharedMatch['match']; groups: Group[] }>();
  for (const group of groups) {
    const sharing = group.record && shared.get(group.record.organization);
    if (sharing !== undefined) {
      const { finding, match } = sharing;
      const isMember = group.isAlias ?? finding.severity === 'warning';
      const severity = isMember ? ('warning' as const) : ('error' as const);
      // The groups may have been collected before.
      const others = group.findings.filter(({ rule }) => rule !== finding.rule);
      group.findings = [{ ...finding, severity }, ...others];
      const known = byMatch.get(String(match.id)) ?? { match, groups: [] };
      if (isMember) byMatch.set(String(match.id), known);
      if (isMember && !isOtherMatch(group)) known.groups.push(group);
    }
  }
  const doubtful = groups.filter(isOtherMatch);
  const members = new Set(doubtful.map(({ member }) => member));
  const certain = new Set(
    groups.flatMap((each) => (members.has(each.member) && !isOtherMatch(each) ? each.member : [])),
  );
  const apart = new Map<Supplier, Map<string, Supplier>>();
  for (const group of doubtful) {
    const { member, name, nameKey } = group;
    // Rows with one ID are not one supplier if only some of their names fit its record.
    if (!certain.has(member)) continue;
    const known = apart.get(member) ?? new Map<string, Supplier>();
    group.supplier = known.get(nameKey) ?? { id: member.id, name };
    apart.set(member, known.set(nameKey, group.supplier));
  }
  for (const { match, groups: ofMatch } of byMatch.values()) {
    const joining = new Set(ofMatch.map(({ member }) => member));
    if (joining.size < 2) continue;
    const ids = [...joining].flatMap(({ id }) => id ?? []).sort(byId);
    const names = [...new Set(ofMatch.flatMap(({ name }) => name ?? []))].sort();
    const supplier = { id: ids[0] ?? null, name: match.name ?? names[0] ?? null, members: names };
    for (const group of ofMatch) group.supplier = supplier;
  }
}

function byId(a: OrganizationId, b: OrganizationId): number {
  return Number(a) - Number(b) || (String(a) < String(b) ? -1 : 1);
}

/* Checks whether the record of a name may be of another organization than the supplier. */
function isOtherMatch({ findings }: Pick<SpendGroup, 'findings'>): boolean {
  return findings.some(({ rule, severity }) => severity === 'error' && isAboutMatch(rule));
}

/**
 * Sets the one status of each supplier, and returns the suppliers whose records disagree. That of a
 * doubtful match may be another organization's.
 */
export function setTargets(
  groups: readonly Group[],
  targetsOf: (organization: OrganizationId) => readonly DatedStatus[],
): readonly Supplier[] {
  // An array takes less memory than a set, and most have one organization.
  const organizations = new Map<Supplier, OrganizationId[]>();
  for (const group of groups) {
    if (group.record === undefined || isOtherMatch(group)) continue;
    const { organization } = group.record;
    const known = organizations.get(group.supplier);
    if (known === undefined) organizations.set(group.supplier, [organization]);
    else if (!known.includes(organization)) known.push(organization);
  }
  const statuses = new Map<Supplier, string>();
  const disputed: Supplier[] = [];
  for (const [supplier, all] of organizations) {
    const [first] = all;
    const isOne = all.length === 1 && first !== undefined;
    const latest = latestStatus(isOne ? targetsOf(first) : all.flatMap(targetsOf));
    if (latest !== undefined) statuses.set(supplier, latest.status);
    if (latest?.isDisputed) disputed.push(supplier);
  }
  for (const group of groups)
    if (!isOtherMatch(group)) group.target = statuses.get(group.supplier) ?? null;
  return disputed;
}

/** Finds equal names of several suppliers, with the first line of each. */
export function equalNames(groups: readonly SpendGroup[]) {
  const first = new Map<string, Supplier>();
  const several = new Set<string>();
  for (const { name, nameKey, member } of groups) {
    if (name === null) continue;
    const known = first.get(nameKey);
    if (known === undefined) first.set(nameKey, member);
    else if (known !== member) several.add(nameKey);
  }
  const byName = new Map<string, SpendGroup[]>();
  for (const group of groups) {
    if (group.name === null || !several.has(group.nameKey)) continue;
    const known = byName.get(group.nameKey) ?? [];
    if (known.every(({ member }) => member !== group.member))
      byName.set(group.nameKey, [...known, group]);
  }
  return [...byName.values()].map((all) => ({
    name: all[0]?.name ?? '',
    lines: all.map(({ lines }) => lines[0] ?? 0),
  }));
}
