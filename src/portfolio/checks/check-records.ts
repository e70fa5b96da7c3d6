/*
 * Judges records: whether their figures can be right, and whether each is that of the organization
 * in the list. The service matches a registration to an organization of its reference data (section
 * 2.3 of docs/service.md); it may pick another one.
 */
import type { OrganizationId } from '../../client/api/ids.ts';
import { aliasOf, compareNames } from '../../client/api/names.ts';
import type { Organization } from '../../client/api/schema.ts';
import { andMore, dateText } from '../../display/terminal/format.ts';
import { correctionOf, type ListToCorrect, unmatchedStep } from '../organizations/correction.ts';
import { isUnmatched } from '../organizations/unmatched.ts';
import type { RuleContext } from './compared-figures.ts';
import { checkRecordFigures, figureRules } from './figure-rules.ts';
import type { Finding, Rule } from './findings.ts';

/** What the user's list says about an organization; every field as in the cells of the row. */
export interface ListedOrganization {
  readonly name?: string | undefined;
  /** ISO 3166-1 alpha-2 code. */
  readonly country?: string | undefined;
  readonly website?: string | undefined;
}

/** The rules for matches, in the order of the findings of one severity. */
const matchRules = [
  {
    name: 'match_differs',
    words: 'matched to another name',
    step: 'compare the names, and correct the row if it is another organization',
    severity: 'error',
    limit: 'no equal alias, and no word in common',
    reason:
      'Only an equal alias proves a match; no similarity of names separates right from wrong.',
  },
  {
    name: 'match_shared',
    words: 'same match as another',
    step: 'find out which of the rows is the matched organization, and correct the others',
    severity: 'error',
    limit:
      'several IDs have one matched organization; only a warning for an ID whose name is an equal alias of it',
    reason:
      'One of the matches is wrong; with equal aliases, they are a group, which counts once in sums.',
  },
  {
    name: 'match_legal_form',
    words: 'other legal form',
    step: 'write the legal form of your supplier into the row',
    severity: 'warning',
    limit: 'equal names with different legal forms',
    reason: 'Merck KGaA and Merck & Co. are different companies.',
  },
  {
    name: 'match_country',
    words: 'other country',
    step: 'correct the country of the row, if your supplier is in another one',
    severity: 'warning',
    limit: 'a different country than in the list',
    reason: 'Subsidiaries in another country have their own inventory.',
  },
  {
    name: 'match_website',
    words: 'other website',
    step: 'compare the websites, and correct the row if it is another organization',
    severity: 'warning',
    limit: 'a different host than in the list, and neither contains the other',
    reason: 'An organization rarely has websites on unrelated hosts.',
  },
  {
    name: 'match_changed',
    words: 'match changed',
    step: 'accept it if the organization was acquired, merged or sold parts; otherwise ask the service which match is right',
    severity: 'warning',
    action: 'accept if acquired',
    limit: 'a different matched organization than in an earlier record of the synced list',
    reason: 'With another match, all figures belong to another organization.',
  },
  {
    name: 'match_review',
    words: 'unclear match',
    step: 'compare the names, and correct the row if it is another organization',
    severity: 'warning',
    limit: 'no equal alias, but a word in common',
    reason:
      'Siemens and Siemens Energy, or Bank of China and Bank of Chile, are different companies.',
  },
  {
    name: 'match_none',
    words: 'no match',
    step: 'add a website or LEI to the row',
    severity: 'notice',
    limit: 'research has ended without a matched organization',
    reason: 'Without a match, the figures are assumptions about the industry and the region.',
  },
] as const satisfies readonly Rule[];

/** The rule of `EqualFigures`. */
export const equalFiguresRule: Rule = {
  name: 'equal_figures',
  words: 'same figures as another',
  step: 'ask the service which organization the figures are of',
  severity: 'warning',
  limit: 'the figures of all years are those of another organization, at least two above 0',
  reason: 'Figures of two organizations are never all equal; one has those of the other.',
};

type MatchRuleName = (typeof matchRules)[number]['name'];

/** The rule of `MatchFigures`. */
export const matchFiguresRule = {
  name: 'match_figures',
  words: 'older figures than its match',
  step: 'retrieve all records with carbon sync; if they still differ, ask the service',
  severity: 'warning',
  action: 'sync the list',
  limit: 'several IDs have one matched organization, but not the emissions of its newest record',
  reason: 'They are one organization, which counts once in sums, with its newest record.',
} as const satisfies Rule;

const aboutMatches: ReadonlySet<string> = new Set(
  [...matchRules, matchFiguresRule].map(({ name }) => name),
);

/** Checks whether the findings of a rule are about a match, and their values IDs or texts. */
export function isAboutMatch(rule: string): boolean {
  return aboutMatches.has(rule);
}

/** All rules of `carbon check`. */
export const rules: readonly Rule[] = [
  ...matchRules,
  matchFiguresRule,
  equalFiguresRule,
  ...figureRules,
];

const rulesByName = new Map(rules.map((rule) => [rule.name, rule]));

/** Returns the words for the code of a rule. */
export function ruleWords(name: string): string {
  return rulesByName.get(name)?.words ?? name;
}

/**
 * Returns what to do about the findings of a rule, as a clause.
 * @param list the one that was registered, if it is known
 */
export function ruleStep(name: string, list: ListToCorrect | undefined): string {
  // Without a match, there is nothing to compare the row with.
  if (name === 'match_none') return list === undefined ? unmatchedStep : correctionOf(list);
  return rulesByName.get(name)?.step ?? 'ask the service';
}

/** Returns what resolves findings, each with the codes of their rules. */
export function stepsFor(
  findings: readonly Pick<Finding, 'rule'>[],
  list: ListToCorrect | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const steps = new Map<string, Set<string>>();
  for (const { rule } of findings) {
    const step = ruleStep(rule, list);
    steps.set(step, (steps.get(step) ?? new Set()).add(rule));
  }
  return steps;
}

const matchRulesByName = new Map<string, Rule>(matchRules.map((rule) => [rule.name, rule]));

/**
 * Returns the findings for one record, without those that depend on other records.
 * @param listed the rows of the user's list with this id
 */
export function checkRecord(
  record: Organization,
  listed: readonly ListedOrganization[],
  context: RuleContext,
): Finding[] {
  return [...checkMatches(record, listed), ...checkRecordFigures(record, context)];
}

/**
 * Returns what differs between a record and the rows of the list that got it, and `match_none` if
 * the research has ended without a match.
 */
export function checkMatches(
  record: Organization,
  listed: readonly ListedOrganization[],
): Finding[] {
  const found = listed.flatMap((row) => compare(row, record));
  if (isUnmatched(record))
    found.push(
      finding(record, 'match_none', {
        value: null,
        limit: null,
        evidence: 'the service found no organization that fits',
      }),
    );
  if (found.length < 2) return found;
  // Several rows of a list may get one organization, and the same finding.
  return [...new Map(found.map((each) => [`${each.rule} ${each.evidence}`, each])).values()];
}

function finding(
  { id = null, name = null }: Pick<Organization, 'id' | 'name'>,
  rule: MatchRuleName,
  { value, limit, evidence }: Pick<Finding, 'value' | 'limit' | 'evidence'>,
): Finding {
  const { severity, action = 'correct the list' } = matchRulesByName.get(rule) as Rule;
  return { id, name, rule, value, limit, year: null, evidence, severity, action };
}

/* So most rows of a list are, for which making the lists of `compare` took 1% of a footprint. */
function isLetterByLetter(
  { name, country, website }: ListedOrganization,
  { matching_organization: match }: Organization,
): boolean {
  const hasName = isText(name) && name === match?.name;
  return hasName && website === undefined && (country ?? match.hq_region) === match.hq_region;
}

function compare(listed: ListedOrganization, record: Organization): Finding[] {
  if (isLetterByLetter(listed, record)) return [];
  const match = record.matching_organization;
  const names = [match?.name, ...(match?.names ?? []).map(({ value }) => value)].filter(isText);
  if (names.length === 0 && isText(record.name)) names.push(record.name);
  const websites = (match?.websites ?? []).map(({ value }) => value).filter(isText);
  if (websites.length === 0 && isText(record.website)) websites.push(record.website);
  const differing = (
    rule: MatchRuleName,
    wanted: string | undefined,
    values: readonly string[],
  ): Finding[] => {
    const [value] = values;
    if (!isText(wanted) || value === undefined) return [];
    if (values.some((other) => isWithin(other, wanted) || isWithin(wanted, other))) return [];
    const evidence = `the list has ${wanted}, the record ${value}`;
    return [finding(record, rule, { value, limit: wanted, evidence })];
  };
  const countries = [match?.hq_region ?? record.hq_region].filter(isText);
  const hosts = websites.flatMap((website) => hostOf(website) ?? []);
  const [rule, name] = judgeName(listed.name ?? '', names);
  const { name: wanted = '' } = listed;
  return [
    ...(rule === undefined || name === undefined
      ? []
      : [
          finding(record, rule, {
            value: name,
            limit: wanted,
            evidence: `${wanted} was matched to ${name}`,
          }),
        ]),
    ...differing('match_country', listed.country, countries),
    ...differing('match_website', hostOf(listed.website ?? ''), hosts),
  ];
}

const relationRules = [
  ['equal', undefined],
  ['legal form', 'match_legal_form'],
  ['extra words', 'match_review'],
  ['similar', 'match_review'],
  ['different', 'match_differs'],
] as const;

/* Returns the rule of the best relation, and the name that has it; one equal alias is enough. */
function judgeName(
  name: string,
  names: readonly string[],
): readonly [rule?: MatchRuleName | undefined, name?: string | undefined] {
  // Most names are equal letter by letter.
  if (names.includes(name)) return [];
  const alias = aliasOf(name);
  if (alias.words.length === 0) return [];
  const relations = new Map(
    names.toReversed().map((other) => [compareNames(alias, aliasOf(other)), other]),
  );
  const [relation, rule] = relationRules.find(([each]) => relations.has(each)) ?? [];
  return [rule, relation && relations.get(relation)];
}

/**
 * Checks whether a name is an equal alias of the matched organization of a record: one of its names
 * without regard to the legal form. Undefined if the match has no names.
 */
export function isAliasOfMatch(
  name: string,
  match: Organization['matching_organization'],
): boolean | undefined {
  const names = [match?.name, ...(match?.names ?? []).map(({ value }) => value)].filter(isText);
  if (names.length === 0) return undefined;
  // A letter or digit is in a word.
  const hasWords = /[a-z\d]/i.test(name) || aliasOf(name).words.length > 0;
  return hasWords && judgeName(name, names)[0] === undefined;
}

/** Checks whether a name in the list, otherwise that of the record, is one of the match. */
export function isAliasOfListed(
  { name, matching_organization: match }: Organization,
  listed: readonly ListedOrganization[],
): boolean | undefined {
  const names = listed.flatMap((row) => row.name ?? []);
  const own = names.length > 0 ? names : [name ?? ''].filter(Boolean);
  const found = own.map((each) => isAliasOfMatch(each, match));
  return found.includes(true) || found[0];
}

/** A match of an organization, and the time from which a record had it. */
export interface DatedMatch {
  readonly match: Organization['matching_organization'];
  /** ISO 8601. */
  readonly since: string;
}

/** Returns `match_changed` for the last change of the match, if there is one. */
export function checkChanged(
  organization: Pick<Finding, 'id' | 'name'>,
  matches: readonly DatedMatch[],
): Finding[] {
  const known = matches
    .filter(({ match }) => match?.id != null)
    .toSorted((a, b) => Number(a.since > b.since) - Number(a.since < b.since));
  const now = known.at(-1)?.match;
  const index = known.findLastIndex(({ match }) => String(match?.id) !== String(now?.id));
  const before = known[index]?.match;
  const day = known[index + 1]?.since.slice(0, 10);
  if (!now || !before) return [];
  const evidence = `matched to ${labelOf(now)} since ${dateText(day)}, before that to ${labelOf(before)}`;
  const [value, limit] = [now.id ?? null, before.id ?? null];
  return [finding(organization, 'match_changed', { value, limit, evidence })];
}

type Match = NonNullable<Organization['matching_organization']>;

function labelOf({ id, name }: Match): string {
  return isText(name) ? `${name} (${id})` : String(id);
}

interface Sharing {
  readonly match: Match;
  /* By id, the name, and whether it is an alias of the match. */
  readonly ids: Map<OrganizationId, readonly [name: string | null, isAlias: boolean | undefined]>;
}

/** Finds matched organizations that stand behind several ids. */
export class SharedMatches {
  readonly #matches = new Map<string, Sharing>();

  /** @param isAlias whether the name is an equal alias of the match; undefined without names */
  add(
    id: OrganizationId,
    { name = null, matching_organization: match }: Organization,
    isAlias?: boolean,
  ): void {
    if (match?.id == null) return;
    const key = String(match.id);
    const known = this.#matches.get(key) ?? { match, ids: new Map() };
    known.ids.set(id, [name, isAlias]);
    this.#matches.set(key, known);
  }

  /** Returns the ids whose match another id has as well. */
  ids(): ReadonlySet<OrganizationId> {
    const shared = [...this.#matches.values()].filter(({ ids }) => ids.size > 1);
    return new Set(shared.flatMap(({ ids }) => [...ids.keys()]));
  }

  /**
   * Returns a finding for each id whose match another id has as well: a warning if its name is an
   * alias of the match, or if that has no names and all records have one.
   */
  findings(): Finding[] {
    return [...this.#matches].flatMap(([value, { match, ids }]) => {
      if (ids.size < 2) return [];
      const names = [...ids.keys()].slice(0, maxNamedIds + 1).map(String);
      const isOne = haveOneName([...ids.values()].map(([name]) => name ?? ''));
      return [...ids].map(([id, [name, isAlias = isOne]]) => {
        const others = names.filter((other) => other !== String(id)).slice(0, maxNamedIds);
        const list = andMore(others.join(', '), ids.size - 1 - others.length);
        const evidence = `matched to ${labelOf(match)}, as ${ids.size === 2 ? 'is ID' : 'are IDs'} ${list}`;
        const found = finding({ id, name }, 'match_shared', { value, limit: null, evidence });
        return isAlias ? { ...found, severity: 'warning' as const } : found;
      });
    });
  }
}

function haveOneName([first = '', ...others]: readonly string[]): boolean {
  return others.every(
    (name) => name === first || compareNames(aliasOf(first), aliasOf(name)) === 'equal',
  );
}

const maxNamedIds = 5;

/* Checks whether two values are equal, or the first is a subdomain of the second. */
function isWithin(value: string, other: string): boolean {
  return `.${value.trim()}`.toLowerCase().endsWith(`.${other.trim().toLowerCase()}`);
}

/* Returns the host of an address of a website or of email. */
function hostOf(address: string): string | undefined {
  return /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:www\.)?([^\s/:?#]+\.[^\s/:?#]+)/i.exec(
    address.trim(),
  )?.[1];
}

function isText(value: string | null | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
