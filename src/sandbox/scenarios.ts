import { folded } from './identity.ts';

/** What a name that begins with "Sandbox" and one of these words asks for, on every registration of it. */
export type Scenario = (typeof scenarios)[number];

/**
 * The words after "Sandbox" in a name that provoke an answer, as in "Sandbox 404" or "Sandbox errored 7":
 * a status refuses the registration with the body that the specification gives it (section 4.1),
 * `errored` ends the research in an error, `pending` never ends it, `synced` ends it at once; `sparse`
 * finds next to nothing, `complete` a full report.
 */
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
  'sparse',
  'complete',
] as const;

/** Reads the scenario that a name asks for, in any case; undefined for an ordinary name. */
export function scenarioOf(name: string): Scenario | undefined {
  const [first, second] = folded(name.slice(0, 40)).split(' ');
  return first === 'sandbox' ? scenarios.find((scenario) => scenario === second) : undefined;
}
