import type { Organization } from '../api/schema.ts';
import { checkRecordFigures, figureRules, type RuleContext } from './figure-rules.ts';
import type { Finding, Rule } from './findings.ts';
import {
  checkChangedMatch,
  checkMatch,
  checkMatched,
  type DatedMatch,
  type ListedOrganization,
  type MatchObservation,
  matchRules,
  type SharedMatches,
} from './match-rules.ts';

export const rules: readonly Rule[] = [...matchRules, ...figureRules];

const matchRulesByName = new Map<string, Rule>(matchRules.map((rule) => [rule.name, rule]));

export interface CheckOptions extends RuleContext {
  /** Returns the registrable domain of an address, such as `acme.co.uk`. */
  readonly domainOf: (address: string) => string | undefined;
}

/**
 * Returns the findings for one record, without those that depend on other records.
 * @param listed the rows of the user's list with this id
 */
export function checkRecord(
  record: Organization,
  listed: readonly ListedOrganization[],
  options: CheckOptions,
): Finding[] {
  return [...checkMatches(record, listed, options), ...checkRecordFigures(record, options)];
}

/** Returns what differs between a record and the rows of the list that got it. */
export function checkMatches(
  record: Organization,
  listed: readonly ListedOrganization[],
  { domainOf }: Pick<CheckOptions, 'domainOf'>,
): Finding[] {
  const { id = null, name = null } = record;
  const found = [
    ...listed.flatMap((row) => [...checkMatch(row, record, domainOf)]),
    ...checkMatched(record),
  ];
  // Several rows of a list may get one organization, and the same observation.
  const distinct = new Map(found.map((each) => [`${each.rule} ${each.evidence}`, each]));
  return findingsOf(distinct.values(), { id, name });
}

export function checkChanged(
  organization: Pick<Finding, 'id' | 'name'>,
  matches: readonly DatedMatch[],
): Finding[] {
  return findingsOf(checkChangedMatch(matches), organization);
}

export function checkShared(matches: SharedMatches): Finding[] {
  return [...matches.observations()].flatMap(({ id, name, ...each }) =>
    findingsOf([each], { id, name }),
  );
}

function findingsOf(
  observations: Iterable<MatchObservation>,
  organization: Pick<Finding, 'id' | 'name'>,
): Finding[] {
  return [...observations].map((observation) => {
    const { severity = 'warning', action = 'correct the list' } =
      matchRulesByName.get(observation.rule) ?? {};
    const { id, name } = organization;
    const { rule, value, limit, year, evidence } = observation;
    return { id, name, rule, value, limit, year, evidence, severity, action };
  });
}
