/* Words of reports, shared by the view in a terminal and the page. */

import type { Column } from '../query/query.ts';
import { count, percentText, plural } from '../terminal/format.ts';
import { amount, text } from '../terminal/section.ts';
import { syntheticNote } from '../terminal/style.ts';
import type { Change, EmissionsSummary } from './emissions.ts';
import type { Tally } from './spread.ts';
import type { Commitment, Emitter, Gap, Summary, Target } from './summary.ts';

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

const fulfilled = ['listed', 'set', 'with_target', 'taking_part', 'signed', 'found'];
const underway = ['committed', 'processing'];
const stages = ['yes', 'partly', 'no', 'missing'] as const;

/** Lists the values of at least one organization, from fulfilled to missing. */
export function partsOf({ counts, missing }: Tally) {
  const parts = Object.entries(counts).map(([value, organizations]) => {
    const stage = fulfilled.includes(value) ? 'yes' : underway.includes(value) ? 'partly' : 'no';
    return { value: valueLabel(value), stage, organizations } as const;
  });
  return [...parts, { value: 'no data', stage: 'missing', organizations: missing } as const]
    .filter(({ organizations }) => organizations > 0)
    .sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
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
  const scope = synthetic === organizations ? '' : ` of ${plural(synthetic, 'organization')}`;
  const texts = [
    [
      input.superseded,
      'earlier record was replaced by a later one',
      'earlier records were replaced by later ones',
    ],
    [input.failed, 'failed item has no record', 'failed items have no record'],
    [input.without_record, 'line has no record', 'lines have no record'],
    [
      input.without_id,
      'record has no ID and is treated as a separate organization',
      'records have no ID and are treated as separate organizations',
    ],
  ] as const;
  return [
    ...texts.flatMap(([number, one, many]) => (number > 0 ? [plural(number, one, many)] : [])),
    ...(synthetic > 0 ? [syntheticNote(scope)] : []),
  ];
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
): Column<Change> {
  const text = (change: Change) => changeText(share(change));
  const value = (change: Change) =>
    share(change) === null ? null : text(change).replace('−', '-').replaceAll(',', '');
  return { name, title, description: '', type: 'number', value, text };
}

/** The columns of a change after its years. */
export const changeColumns: readonly Column<Change>[] = [
  changeColumn('like for like', 'Like for like', (change) => change.like_for_like),
  changeColumn('as disclosed', 'As disclosed', ({ naive }) => naive),
  amount('organizations', 'Organizations', (change) => change.organizations || null),
  text('left out', 'Left out', leftOutText),
];

/** Describes the progress of a target; undefined if it cannot be read. */
export function progressText({ progress }: Target): string | undefined {
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
