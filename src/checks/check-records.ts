import type { OrganizationId } from '../api/ids.ts';
import type { Organization } from '../api/schema.ts';
import { checkFigures, figureRules, type RuleContext } from './figure-rules.ts';
import type { Finding, Severity } from './finding.ts';
import {
  checkChangedMatch,
  checkMatch,
  checkMatched,
  type ListedOrganization,
  type MatchObservation,
  matchRules,
  SharedMatches,
} from './match-rules.ts';

/** A rule of `carbon check`. */
export interface Rule {
  readonly name: string;
  readonly severity: Severity;
  readonly reason: string;
}

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
    ...(listed.length > 0 ? checkMatched(record) : []),
    ...(earlier === undefined ? [] : checkChangedMatch(earlier, record)),
  ];
  const matches = distinct(found).map((observation) => finding({ id, name }, observation));
  return [...matches, ...[...checkFigures(record, options)].map((each) => ({ id, name, ...each }))];
}

/** Finds matches that several organizations share, among the records of a snapshot. */
export class SharedMatchCheck {
  readonly #matches = new SharedMatches();
  readonly #names = new Map<OrganizationId, string | null>();

  /** Adds the record of an organization. */
  add(id: OrganizationId, record: Organization): void {
    this.#matches.add(id, record);
    this.#names.set(id, record.name ?? null);
  }

  /** Returns a finding for each organization whose match another one has. */
  findings(): Finding[] {
    return [...this.#matches.shared()].map(([id, observation]) =>
      finding({ id, name: this.#names.get(id) ?? null }, observation),
    );
  }
}

function finding(
  organization: Pick<Finding, 'id' | 'name'>,
  observation: MatchObservation,
): Finding {
  const severity = severities.get(observation.rule) ?? 'warning';
  return { ...organization, severity, ...observation };
}

/* Several rows of a list may get one organization, and the same observation. */
function distinct(observations: readonly MatchObservation[]): MatchObservation[] {
  return [...new Map(observations.map((each) => [each.evidence, each])).values()];
}
