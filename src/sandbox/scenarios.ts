import { folded } from './identity.ts';

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
  'sparse',
  'complete',
] as const;

/** The effects of the words, as the help shows them. */
export const scenarioMeanings: readonly {
  readonly words: readonly Scenario[];
  readonly meaning: string;
}[] = [
  {
    words: ['400', '401', '404', '422', '429', '500', '503'],
    meaning: 'the registration gets this status',
  },
  { words: ['errored'], meaning: 'research ends with the status errored' },
  { words: ['pending'], meaning: 'research never ends' },
  { words: ['synced'], meaning: 'research ends immediately' },
  { words: ['sparse'], meaning: 'research finds almost nothing' },
  { words: ['complete'], meaning: 'research finds a full report' },
];

/** Returns the scenario that a name selects, in any case; undefined for an ordinary name. */
export function scenarioOf(name: string): Scenario | undefined {
  const [first, second] = folded(name.slice(0, 40)).split(' ');
  return first === 'sandbox' ? scenarios.find((scenario) => scenario === second) : undefined;
}
