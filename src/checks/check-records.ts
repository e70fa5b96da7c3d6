import type { Organization } from '../api/schema.ts';
import { checkRecordFigures, figureRules, type RuleContext } from './figure-rules.ts';
import type { Finding, Rule } from './findings.ts';
import {
  checkChangedMatch,
  checkMatch,
  checkMatched,
  type ListedOrganization,
  type MatchObservation,
  matchRules,
  type SharedMatches,
} from './match-rules.ts';

/** Every rule, those for matches first. */
export const rules: readonly Rule[] = [...matchRules, ...figureRules];

const severities = new Map(rules.map(({ name, severity }) => [name, severity]));

/** What is known about an organization besides its record. */
export interface Known {
  /** The rows of the user's list with this id. */
  readonly listed?: readonly ListedOrganization[] | undefined;
  /** An earlier record of the organization. */
  readonly earlier?: Organization | undefined;
}

/** Configures a check. */
export interface CheckOptions extends RuleContext {
  /** Returns the registrable domain of an address, such as `acme.co.uk`. */
  readonly domainOf: (address: string) => string | undefined;
}

/** Returns the findings for one record, without those that depend on other records. */
export function checkRecord(
  record: Organization,
  { listed = [], earlier }: Known,
  options: CheckOptions,
): Finding[] {
  const { id = null, name = null } = record;
  const found = [
    ...listed.flatMap((row) => [...checkMatch(row, record, options.domainOf)]),
    ...checkMatched(record),
    ...(earlier === undefined ? [] : checkChangedMatch(earlier, record)),
  ];
  // Several rows of a list may get one organization, and the same observation.
  const matches = new Map(found.map((each) => [`${each.rule} ${each.evidence}`, each]));
  return [...withSeverity(matches.values(), { id, name }), ...checkRecordFigures(record, options)];
}

/** Returns a finding for each organization whose match another one has. */
export function checkShared(matches: SharedMatches): Finding[] {
  return [...matches.observations()].flatMap(({ id, name, ...each }) =>
    withSeverity([each], { id, name }),
  );
}

function withSeverity(
  observations: Iterable<MatchObservation>,
  organization: Pick<Finding, 'id' | 'name'>,
): Finding[] {
  return [...observations].map((observation) => ({
    ...organization,
    severity: severities.get(observation.rule) ?? 'warning',
    ...observation,
  }));
}
