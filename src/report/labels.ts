/* Words of reports, shared by the view in a terminal and the page. */

import { count, percentText, plural } from '../terminal/format.ts';
import { amount, type FactColumn, text } from '../terminal/section.ts';
import { syntheticNote } from '../terminal/style.ts';
import type { Change, EmissionsSummary } from './emissions.ts';
import type { Tally } from './spread.ts';
import type { Commitment, Emitter, Gap, Summary, TargetSummary } from './summary.ts';

/** Names an organization, by its ID if it has no name. */
export function nameOf({ name, id }: Pick<Emitter, 'id' | 'name'>): string {
  return name ?? String(id ?? 'no name');
}

/** Formats a value of the service for people: `not_listed` becomes "not listed". */
export function valueLabel(value: string): string {
  return value.replaceAll('_', ' ');
}

export const industryRankMeaning = 'rank of the industry among all industries';

/** The commitments with their names, in the order of the report. */
export const commitmentNames: readonly (readonly [key: Commitment, name: string])[] = [
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

export interface Part {
  readonly value: string;
  readonly stage: Stage;
  readonly organizations: number;
}

/** Lists the values of at least one organization, from fulfilled to missing. */
export function partsOf({ counts, missing }: Tally): Part[] {
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
export const gapNames: readonly (readonly [key: Gap, name: string])[] = [
  ['no_performances', 'no yearly figures'],
  ['no_emissions', 'no emissions'],
  ['no_score', 'no score'],
  ['no_industry', 'no industry'],
  ['no_country', 'no country'],
];

/** Lists notes about input that the report leaves out or that needs caution. */
export function notesOf({ input, organizations, synthetic }: Summary): string[] {
  const { superseded, failed, without_record, without_id } = input;
  const several = 'earlier records were replaced by later ones';
  const separate = 'records have no ID and count as separate organizations';
  const scope = synthetic === organizations ? '' : ` of ${plural(synthetic, 'organization')}`;
  const notes = [
    superseded && plural(superseded, 'earlier record was replaced by a later one', several),
    failed && plural(failed, 'failed item has no record', 'failed items have no record'),
    without_record && plural(without_record, 'line has no record', 'lines have no record'),
    without_id &&
      plural(without_id, 'record has no ID and counts as a separate organization', separate),
    synthetic && syntheticNote(scope),
  ];
  return notes.filter((note) => typeof note === 'string');
}

export function unitText({ unit }: Pick<EmissionsSummary, 'unit'>): string {
  return unit === null ? 'no unit is documented' : `in ${unit}, declared with --unit`;
}

export const scope3Note =
  'Scope 3 is not added up, because scope 3 of one organization is scope 1 of another.';

export function emissionsNotes({ years, several_regions }: EmissionsSummary): string[] {
  const notes = [
    years.some(({ partial }) => partial) &&
      'A partial year lacks organizations of other years: its sums are not comparable.',
    several_regions > 0 &&
      `${plural(several_regions, 'organization has', 'organizations have')} a year with several regions. One region stands for it: the global one, that of the headquarters, or the first. Another would change the figures.`,
  ];
  return notes.filter((note) => note !== false);
}

/** Formats a share as a change: `+10.1%` or `−38.0%`; a dash without one. */
export function changeText(share: number | null): string {
  if (share === null) return '–';
  const percent = Math.round(1_000 * share) / 10;
  const size = Math.abs(percent);
  const digits = size < 1_000 ? size.toFixed(1) : count.format(Math.round(size));
  return `${percent < 0 ? '−' : '+'}${size >= 1e6 ? '>1,000,000' : digits}%`;
}

/**
 * Lists the organizations that a comparison like for like leaves out, or of which it leaves out a
 * scope.
 */
function leftOutText({ from, to, left_out: left }: Change): string | null {
  const parts = [
    [left.only_earlier, `only in ${from}`],
    [left.only_later, `only in ${to}`],
    [left.not_comparable, 'without a common figure'],
    [left.one_scope, 'with one common scope'],
  ] as const;
  const known = parts.filter(([number]) => number > 0);
  return known.map(([number, what]) => `${count.format(number)} ${what}`).join(' + ') || null;
}

function changeColumn(
  name: string,
  title: string,
  share: (change: Change) => number | null,
): FactColumn<Change> {
  const text = (change: Change) => changeText(share(change));
  const value = (change: Change) =>
    share(change) === null ? null : text(change).replace('−', '-').replaceAll(',', '');
  return { name, title, value, text };
}

/** The columns of a change after its years. */
export const changeColumns: readonly FactColumn<Change>[] = [
  changeColumn('like for like', 'Like for like', (change) => change.like_for_like),
  changeColumn('as disclosed', 'As disclosed', ({ naive }) => naive),
  amount('organizations', 'Organizations', (change) => change.organizations || null),
  text('left out', 'Left out', leftOutText),
];

/** Describes the progress of a target; undefined if it cannot be read. */
export function progressText({ progress }: TargetSummary): string | undefined {
  if (progress === null) return undefined;
  const { base_year, year, target, reduction, achieved } = progress;
  const share = achieved > 0 ? `${percentText(achieved, 1)} of the target` : 'none of the target';
  return `${changeText(-reduction)} from ${base_year} to ${year}: ${share} of ${changeText(-target)} by ${progress.target_year}`;
}

/** The names of the scopes that are added up, by their field in `YearSummary`. */
export const scopeNames = [
  ['scope_1', 'Scope 1'],
  ['scope_2', 'Scope 2'],
  ['scope_1_and_2', 'Scope 1 + 2'],
] as const;
