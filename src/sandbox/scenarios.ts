import { folded } from './identity.ts';

/* The words that select what research finds. Research on these names never fails. */
const findings = [
  'sparse',
  'complete',
  'factors',
  'industry',
  'empty',
  'currency',
  'nested',
  'regions',
  'old',
] as const;

/** One of the words that select the behavior of every registration of a name. */
export type Scenario = (typeof scenarios)[number];

/** The words after "Sandbox" in a name, as in "Sandbox 404" or "Sandbox errored 7". */
export const scenarios = [
  '400',
  '401',
  '404',
  '422',
  '429',
  '500',
  '503',
  'errored',
  'pending',
  'synced',
  ...findings,
] as const;

/** Checks whether a scenario selects what research finds, which means that research succeeds. */
export function selectsFindings(scenario: Scenario | undefined): boolean {
  return findings.some((finding) => finding === scenario);
}

/** Checks whether an organization with a scenario publishes full reports. */
export function isReporting(scenario: Scenario | undefined): boolean {
  return (
    selectsFindings(scenario) &&
    scenario !== 'sparse' &&
    scenario !== 'industry' &&
    scenario !== 'empty'
  );
}

/** Checks whether an organization with a scenario always publishes its revenue. */
export function hasRevenue(scenario: Scenario | undefined): boolean {
  return isReporting(scenario) && scenario !== 'complete';
}

/** Returns the scenario that a name selects, in any case; undefined for an ordinary name. */
export function scenarioOf(name: string): Scenario | undefined {
  const [first, second] = folded(name.slice(0, 40)).split(' ');
  return first === 'sandbox' ? scenarios.find((scenario) => scenario === second) : undefined;
}
