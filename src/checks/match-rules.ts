/*
 * Rules that ask whether a record is that of the organization in the list. The service matches a
 * registration to an organization of its reference data (section 2.3); it may pick another one.
 */
import type { OrganizationId } from '../api/ids.ts';
import { aliasOf, compareNames } from '../api/names.ts';
import type { Organization } from '../api/schema.ts';
import type { Finding, Observation, Rule } from './findings.ts';

/** What the user's list says about an organization; every field as in the cells of the row. */
export interface ListedOrganization {
  readonly name?: string | undefined;
  /** ISO 3166-1 alpha-2 code. */
  readonly country?: string | undefined;
  readonly website?: string | undefined;
  /** LEI, ISIN, D-U-N-S and other numbers that a record does not repeat. */
  readonly identifiers?: readonly string[] | undefined;
}

const maxNamedIds = 5;

/** The rules for matches, in the order of the findings of one severity. */
export const matchRules = [
  {
    name: 'match_differs',
    severity: 'error',
    action: 'correct the list',
    limit: 'no equal alias, and no word in common',
    reason:
      'Only an equal alias proves a match; no similarity of names separates right from wrong.',
  },
  {
    name: 'match_shared',
    severity: 'error',
    action: 'correct the list',
    limit: 'several ids have one matched organization',
    reason: 'One of the matches is wrong, or the list has the organization twice.',
  },
  {
    name: 'match_legal_form',
    severity: 'warning',
    action: 'correct the list',
    limit: 'equal names with different legal forms',
    reason: 'Merck KGaA and Merck & Co. are different companies.',
  },
  {
    name: 'match_country',
    severity: 'warning',
    action: 'correct the list',
    limit: 'another country than in the list',
    reason: 'Subsidiaries in another country have their own inventory.',
  },
  {
    name: 'match_website',
    severity: 'warning',
    action: 'correct the list',
    limit: 'another registrable domain than in the list',
    reason: 'An organization rarely has several registered domains.',
  },
  {
    name: 'match_changed',
    severity: 'warning',
    action: 'accept if acquired',
    limit: 'another matched organization than in an earlier record of the synced list',
    reason: 'With another match, all figures belong to another organization.',
  },
  {
    name: 'match_review',
    severity: 'warning',
    action: 'correct the list',
    limit: 'no equal alias, but a word in common',
    reason:
      'Siemens and Siemens Energy, or Bank of China and Bank of Chile, are different companies.',
  },
  {
    name: 'match_none',
    severity: 'notice',
    action: 'correct the list',
    limit: 'research has ended without a matched organization',
    reason: 'Without a match, the figures are assumptions about the industry and the region.',
  },
] as const satisfies readonly Rule[];

export type MatchRuleName = (typeof matchRules)[number]['name'];

export interface MatchObservation extends Observation {
  readonly rule: MatchRuleName;
}

/**
 * Yields what differs between a row of the list and the record that it got.
 * @param domainOf returns the registrable domain of an address, such as `acme.co.uk`
 */
export function* checkMatch(
  listed: ListedOrganization,
  record: Organization,
  domainOf: (address: string) => string | undefined,
): Iterable<MatchObservation> {
  const match = record.matching_organization;
  const names = [match?.name, ...(match?.names ?? []).map(({ value }) => value)].filter(isText);
  if (names.length === 0 && isText(record.name)) names.push(record.name);
  const name = checkName(listed.name ?? '', names);
  if (name !== undefined) yield name;
  yield* differing('match_country', listed.country, [match?.hq_region ?? record.hq_region]);
  const websites = (match?.websites ?? []).map(({ value }) => value).filter(isText);
  if (websites.length === 0 && isText(record.website)) websites.push(record.website);
  const domains = websites.flatMap((website) => domainOf(website) ?? []);
  yield* differing('match_website', domainOf(listed.website ?? ''), domains);
}

/** Yields `match_none` if the research has ended without a match. */
export function* checkMatched(record: Organization): Iterable<MatchObservation> {
  const { matching_organization: match, status } = record;
  if (status !== 'synced' || match?.id != null || isText(match?.name)) return;
  const evidence = 'no matched organization';
  yield { rule: 'match_none', value: null, limit: null, year: null, evidence };
}

/** A match of an organization, and the time from which a record had it. */
export interface DatedMatch {
  readonly match: Organization['matching_organization'];
  /** ISO 8601. */
  readonly since: string;
}

/** Yields `match_changed` for the last change of the match, if there is one. */
export function* checkChangedMatch(matches: readonly DatedMatch[]): Iterable<MatchObservation> {
  const known = matches
    .filter(({ match }) => match?.id != null)
    .toSorted((a, b) => Number(a.since > b.since) - Number(a.since < b.since));
  const now = known.at(-1)?.match;
  const index = known.findLastIndex(({ match }) => String(match?.id) !== String(now?.id));
  const before = known[index]?.match;
  const day = known[index + 1]?.since.slice(0, 10);
  if (!now || !before) return;
  const evidence = `matched to ${labelOf(now)} since ${day}, before to ${labelOf(before)}`;
  const [value, limit] = [now.id ?? null, before.id ?? null];
  yield { rule: 'match_changed', value, limit, year: null, evidence };
}

function labelOf({ id, name }: NonNullable<Organization['matching_organization']>): string {
  return isText(name) ? `${name} (${id})` : String(id);
}

/** Finds matched organizations that stand behind several ids. */
export class SharedMatches {
  readonly #matches = new Map<string, { label: string; ids: Map<OrganizationId, string | null> }>();

  add(id: OrganizationId, { name = null, matching_organization: match }: Organization): void {
    if (match?.id == null) return;
    const key = String(match.id);
    const known = this.#matches.get(key) ?? { label: labelOf(match), ids: new Map() };
    known.ids.set(id, name);
    this.#matches.set(key, known);
  }

  /** Yields an observation for each id whose match another id has as well. */
  *observations(): Iterable<MatchObservation & Pick<Finding, 'id' | 'name'>> {
    for (const [match, { label, ids }] of this.#matches) {
      if (ids.size < 2) continue;
      const first = [...ids.keys()].slice(0, maxNamedIds + 1);
      for (const [id, name] of ids) {
        const others = first.filter((other) => other !== id).slice(0, maxNamedIds);
        const more = ids.size - 1 - others.length;
        const list = `${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
        const evidence = `matched organization ${label} also stands behind ${list}`;
        yield { id, name, rule: 'match_shared', value: match, limit: null, year: null, evidence };
      }
    }
  }
}

function checkName(name: string, names: readonly string[]): MatchObservation | undefined {
  // Most names are equal letter by letter.
  if (names.includes(name)) return undefined;
  const alias = aliasOf(name);
  if (names.length === 0 || alias.words.length === 0) return undefined;
  const relations = new Map(
    names.toReversed().map((other) => [compareNames(alias, aliasOf(other)), other]),
  );
  // The first relation in this order decides: one equal alias is enough.
  for (const [relation, rule] of relationRules) {
    const other = relations.get(relation);
    if (other === undefined) continue;
    const evidence = `${name} was matched to ${other}`;
    return rule && { rule, value: other, limit: name, year: null, evidence };
  }
  return undefined;
}

const relationRules = [
  ['equal', undefined],
  ['legal form', 'match_legal_form'],
  ['extra words', 'match_review'],
  ['similar', 'match_review'],
  ['different', 'match_differs'],
] as const;

function* differing(
  rule: MatchRuleName,
  listed: string | undefined,
  found: readonly (string | null | undefined)[],
): Iterable<MatchObservation> {
  const values = found.filter(isText);
  const [value] = values;
  if (!isText(listed) || value === undefined) return;
  if (values.some((other) => fold(other) === fold(listed))) return;
  const evidence = `the list has ${listed}, the record ${value}`;
  yield { rule, value, limit: listed, year: null, evidence };
}

function fold(value: string): string {
  return value.trim().toLowerCase();
}

function isText(value: string | null | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
