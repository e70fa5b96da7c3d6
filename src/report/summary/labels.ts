/* Labels of reports, shared by the terminal view and the page. */
import { plural } from '../../terminal/format.ts';
import type { Summary } from '../summary.ts';
import type { TallyResult } from './tally.ts';

/** Formats a value of the service for people: `not_listed` becomes "not listed". */
export function valueLabel(value: string): string {
  return value.replaceAll('_', ' ');
}

/** The commitments with their names, in the order of the report. */
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

/** The degree to which a value fulfills a commitment. */
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

/** A value of a commitment, and the number of organizations with it. */
export interface Part {
  readonly value: string;
  readonly stage: Stage;
  readonly organizations: number;
}

/** Lists the values of at least one organization, from fulfilled to missing. */
export function partsOf({ counts, missing }: TallyResult): Part[] {
  const order: readonly Stage[] = ['yes', 'partly', 'no', 'missing'];
  const parts = Object.entries(counts).map(([value, organizations]): Part => {
    const stage = Object.hasOwn(stages, value) ? stages[value] : undefined;
    return { value: valueLabel(value), stage: stage ?? 'no', organizations };
  });
  return [...parts, { value: 'no data', stage: 'missing' as const, organizations: missing }]
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

/** Lists notes about input that the report leaves out or that needs caution. */
export function notesOf({ input, organizations, synthetic }: Summary): string[] {
  const note = (count: number, singular: string, several: string) =>
    count === 0 ? [] : [plural(count, singular, several)];
  return [
    ...note(
      input.superseded,
      'earlier record was replaced by a later one',
      'earlier records were replaced by later ones',
    ),
    ...note(input.failed, 'failed item has no record', 'failed items have no record'),
    ...note(input.without_record, 'line has no record', 'lines have no record'),
    ...note(
      input.without_id,
      'record has no id and counts as a separate organization',
      'records have no id and count as separate organizations',
    ),
    ...(synthetic === 0 ? [] : [syntheticNote(synthetic, organizations)]),
  ];
}

function syntheticNote(synthetic: number, organizations: number): string {
  const scope = synthetic === organizations ? '' : ` of ${plural(synthetic, 'organization')}`;
  return `Synthetic sandbox data${scope}, not real research`;
}

/** The names of the scopes by their field in `YearSummary`. */
export const scopeNames = [
  ['scope_1', 'Scope 1'],
  ['scope_2', 'Scope 2'],
  ['scope_1_and_2', 'Scope 1+2'],
  ['scope_3', 'Scope 3'],
] as const;
