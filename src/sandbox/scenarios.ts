import { folded } from './identity.ts';

/**
 * What a name that begins with "Sandbox" and one of these words asks for, on every registration of
 * it.
 */
export type Scenario = (typeof scenarios)[number];

/**
 * The words after "Sandbox" in a name that provoke an answer, as in "Sandbox 404" or "Sandbox
 * errored 7".
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

/** What the words ask for, those alike in one row: the source of the help. */
export const scenarioMeanings: readonly {
  readonly words: readonly Scenario[];
  readonly meaning: string;
}[] = [
  {
    words: ['400', '401', '404', '422', '429', '500', '503'],
    meaning: 'the registration is answered with this status',
  },
  { words: ['errored'], meaning: 'research ends with the status errored' },
  { words: ['pending'], meaning: 'research never ends' },
  { words: ['synced'], meaning: 'research has ended at once' },
  { words: ['sparse'], meaning: 'research finds next to nothing' },
  { words: ['complete'], meaning: 'research finds a full report' },
];

/** Reads the scenario that a name asks for, in any case; undefined for an ordinary name. */
export function scenarioOf(name: string): Scenario | undefined {
  const [first, second] = folded(name.slice(0, 40)).split(' ');
  return first === 'sandbox' ? scenarios.find((scenario) => scenario === second) : undefined;
}
