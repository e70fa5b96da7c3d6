/*
 * Rules that ask whether a record is that of the organization in the list. The service matches a
 * registration to an organization of its reference data (section 2.3); it may pick another one.
 */
import type { OrganizationId } from '../api/ids.ts';
import type { Organization } from '../api/schema.ts';
import type { Finding, Observation, Rule } from './findings.ts';
import { type Alias, aliasOf, compareNames, extraWords, similarity } from './names.ts';

/** What the user's list says about an organization; every field as in the cells of the row. */
export interface ListedOrganization {
  readonly name?: string | undefined;
  /** ISO 3166-1 alpha-2 code. */
  readonly country?: string | undefined;
  readonly website?: string | undefined;
  readonly externalId?: string | undefined;
  /** LEI, ISIN, D-U-N-S and other numbers that a record does not repeat. */
  readonly identifiers?: readonly string[] | undefined;
}

const maxNamedIds = 5;

/** The rules for matches, in the order of the findings of one severity. */
export const matchRules = [
  {
    name: 'match_differs',
    severity: 'error',
    limit: 'no equal alias, and no word in common',
    reason:
      'Only an equal alias proves a match; no similarity of names separates right from wrong.',
  },
  {
    name: 'match_shared',
    severity: 'error',
    limit: 'several ids have one matched organization',
    reason: 'One of the matches is wrong, or the list has the organization twice.',
  },
  {
    name: 'match_legal_form',
    severity: 'warning',
    limit: 'equal names with different legal forms',
    reason: 'Merck KGaA and Merck & Co. are different companies.',
  },
  {
    name: 'match_country',
    severity: 'warning',
    limit: 'another country than in the list',
    reason: 'Subsidiaries in another country have their own inventory.',
  },
  {
    name: 'match_website',
    severity: 'warning',
    limit: 'another registrable domain than in the list',
    reason: 'An organization rarely has several registered domains.',
  },
  {
    name: 'match_changed',
    severity: 'warning',
    limit: 'another matched organization than in the earlier records',
    reason: 'With another match, all figures belong to another organization.',
  },
  {
    name: 'match_none',
    severity: 'warning',
    limit: 'research has ended without a matched organization',
    reason: 'Without a match, the figures are assumptions about the industry and the region.',
  },
  {
    name: 'external_id',
    severity: 'warning',
    limit: 'another value than in the list',
    reason: 'The record belongs to another row.',
  },
  {
    name: 'match_review',
    severity: 'notice',
    limit: 'no equal alias, but a word in common',
    reason: 'Bank of China and Bank of Chile are different companies.',
  },
  {
    name: 'match_extra_word',
    severity: 'notice',
    limit: 'one name has all words of the other, and more',
    reason: 'Siemens and Siemens Energy are different companies.',
  },
] as const satisfies readonly Rule[];

export type MatchRuleName = (typeof matchRules)[number]['name'];

/** An observation of a match rule. */
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
  yield* differing('external_id', listed.externalId, [record.external_id]);
}

/** Yields `match_none` if the research has ended without a match. */
export function* checkMatched(record: Organization): Iterable<MatchObservation> {
  const { matching_organization: match, status } = record;
  if (status !== 'synced' || match?.id != null || isText(match?.name)) return;
  const evidence = 'the record names no matched organization';
  yield { rule: 'match_none', value: null, limit: null, year: null, evidence };
}

/** Yields `match_changed` if a newer record has another match. */
export function* checkChangedMatch(
  older: Organization,
  newer: Organization,
): Iterable<MatchObservation> {
  const [before, after] = [older.matching_organization, newer.matching_organization];
  if (!before || !after || before.id == null || after.id == null) return;
  if (String(before.id) === String(after.id)) return;
  const evidence = `matched to ${after.name ?? after.id}, previously to ${before.name ?? before.id}`;
  yield { rule: 'match_changed', value: after.id, limit: before.id, year: null, evidence };
}

/** Finds matched organizations that stand behind several ids. */
export class SharedMatches {
  readonly #ids = new Map<string, Map<OrganizationId, string | null>>();

  /** Adds what a record says about its match. */
  add(id: OrganizationId, { name = null, matching_organization: match }: Organization): void {
    if (match?.id == null) return;
    const ids = this.#ids.get(String(match.id)) ?? new Map<OrganizationId, string | null>();
    this.#ids.set(String(match.id), ids.set(id, name));
  }

  /** Yields an observation for each id whose match another id has as well. */
  *observations(): Iterable<MatchObservation & Pick<Finding, 'id' | 'name'>> {
    for (const [match, ids] of this.#ids) {
      if (ids.size < 2) continue;
      const first = [...ids.keys()].slice(0, maxNamedIds + 1);
      for (const [id, name] of ids) {
        const others = first.filter((other) => other !== id).slice(0, maxNamedIds);
        const more = ids.size - 1 - others.length;
        const list = `${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
        const evidence = `matched organization ${match} also stands behind ${list}`;
        yield { id, name, rule: 'match_shared', value: match, limit: null, year: null, evidence };
      }
    }
  }
}

function checkName(name: string, names: readonly string[]): MatchObservation | undefined {
  const alias = aliasOf(name);
  if (names.length === 0 || alias.words.length === 0) return undefined;
  const relations = names.map((other) => {
    const otherAlias = aliasOf(other);
    return { other, alias: otherAlias, relation: compareNames(alias, otherAlias) };
  });
  const rules = {
    equal: undefined,
    'legal form': 'match_legal_form',
    'extra words': 'match_extra_word',
    similar: 'match_review',
    different: 'match_differs',
  } as const;
  // The first relation in this order decides: one equal alias is enough.
  for (const [relation, rule] of Object.entries(rules)) {
    const candidates = relations.filter((candidate) => candidate.relation === relation);
    if (candidates.length === 0) continue;
    if (rule === undefined) return undefined;
    const [best] = candidates
      .map((candidate) => ({ ...candidate, score: similarity(alias, candidate.alias) }))
      .toSorted((a, b) => b.score - a.score);
    if (best === undefined) return undefined;
    const evidence = evidenceOf(rule, name, best.other, alias, best.alias);
    return { rule, value: best.other, limit: name, year: null, evidence };
  }
  return undefined;
}

function evidenceOf(
  rule: MatchRuleName,
  name: string,
  other: string,
  alias: Alias,
  otherAlias: Alias,
): string {
  const score = `similarity ${similarity(alias, otherAlias)}`;
  if (rule !== 'match_extra_word') return `${name} was matched to ${other} (${score})`;
  const extra = extraWords(alias, otherAlias).join(' ');
  return `${name} was matched to ${other}: extra word ${extra} (${score})`;
}

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
