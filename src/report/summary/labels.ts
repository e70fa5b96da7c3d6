/* How reports name things, the same in the terminal and on the page. */
import { plural } from '../../terminal/format.ts';
import type { Summary } from '../summary.ts';
import type { TallyResult } from './tally.ts';

/** Names an answer as people write it: `not_listed` is "not listed". */
export function valueLabel(answer: string): string {
  return answer.replaceAll('_', ' ');
}

/**
 * The commitments in the order of the report, with what each answer means for a reader: kept, on
 * the way, or not.
 */
export const commitmentNames: readonly (readonly [
  key: keyof Summary['commitments'],
  name: string,
])[] = [
  ['cdp', 'CDP'],
  ['sbti_near_term', 'SBTi near term'],
  ['sbti_long_term', 'SBTi long term'],
  ['sbti_net_zero', 'SBTi net zero'],
  ['un_initiatives', 'UN initiatives'],
  ['climate_pledge', 'Climate Pledge'],
  ['environmental_report', 'Environmental report'],
];

/** How far an answer goes. */
export type Stage = 'yes' | 'partly' | 'no' | 'missing';

const stages: Readonly<Record<string, Stage>> = {
  listed: 'yes',
  set: 'yes',
  with_target: 'yes',
  taking_part: 'yes',
  signed: 'yes',
  found: 'yes',
  committed: 'partly',
  processing: 'partly',
};

/** One answer to a commitment, and how many organizations gave it. */
export interface Part {
  readonly answer: string;
  readonly stage: Stage;
  readonly organizations: number;
}

/** Lists the answers from yes to missing, those that somebody gave. */
export function partsOf({ counts, missing }: TallyResult): Part[] {
  const order: readonly Stage[] = ['yes', 'partly', 'no', 'missing'];
  const parts = Object.entries(counts).map(([answer, organizations]): Part => {
    const stage = Object.hasOwn(stages, answer) ? stages[answer] : undefined;
    return { answer: valueLabel(answer), stage: stage ?? 'no', organizations };
  });
  return [...parts, { answer: 'no data', stage: 'missing' as const, organizations: missing }]
    .filter(({ organizations }) => organizations > 0)
    .sort((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage));
}

/** The gaps in the order of the report. */
export const gapNames: readonly (readonly [key: keyof Summary['gaps'], name: string])[] = [
  ['no_performances', 'no performances'],
  ['no_emissions', 'no emissions'],
  ['no_score', 'no score'],
  ['no_industry', 'no industry'],
  ['no_country', 'no country'],
];

/**
 * Says what of the input is no organization of the report; nothing when there is nothing to say.
 */
export function notesOf({ input, organizations, synthetic }: Summary): string[] {
  const says = (count: number, one: string, several: string) =>
    count === 0 ? [] : [plural(count, one, several)];
  return [
    ...says(
      input.superseded,
      'record of an earlier time was replaced',
      'records of an earlier time were replaced',
    ),
    ...says(input.failed, 'failed item has no record', 'failed items have no record'),
    ...says(input.without_record, 'line has no record', 'lines have no record'),
    ...says(
      input.without_id,
      'record has no id and counts as an organization',
      'records have no id and count as an organization each',
    ),
    ...(synthetic === 0 ? [] : [syntheticNote(synthetic, organizations)]),
  ];
}

function syntheticNote(synthetic: number, organizations: number): string {
  const whose = synthetic === organizations ? '' : ` of ${plural(synthetic, 'organization')}`;
  return `Synthetic figures${whose}, from the sandbox and not from research`;
}

/** Names the scopes; the key is the field of `YearSummary`. */
export const scopeNames = [
  ['scope_1', 'Scope 1'],
  ['scope_2', 'Scope 2'],
  ['scope_1_and_2', 'Scope 1+2'],
  ['scope_3', 'Scope 3'],
] as const;
