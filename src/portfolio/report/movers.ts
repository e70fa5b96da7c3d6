/* What moved between two snapshots: who joined or left, targets, and the largest change. */
import type { Organization, Performance } from '../../client/api/schema.ts';
import { scope3Categories } from '../../client/api/vocabulary.ts';
import { changeText } from '../../display/terminal/figure.ts';
import { count, dateText } from '../../display/terminal/format.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { checkRecordFigures } from '../checks/figure-rules.ts';
import { regionRank } from '../organizations/history.ts';
import { companies, type Statement } from '../organizations/statements.ts';
import type { Change, SnapshotDiff } from './diff.ts';
import {
  type FigureName,
  figureOfYear,
  industryFactor,
  type Snapshot,
  type Snapshots,
  type Value,
  type YearValues,
} from './snapshot.ts';

/** Scopes 1 and 2 of an organization in one year, as both snapshots have it. */
export interface LargestChange {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly year: number;
  readonly before: number;
  readonly after: number;
}

/** Organizations whose near-term target has another status than before; null without one. */
export interface TargetMove {
  readonly from: Value;
  readonly to: Value;
  readonly companies: number;
}

/* In the order of the statement. */
const changeKinds = [
  'targets',
  'new_figures',
  'changed_figures',
  'fewer_figures',
  'match',
  'other',
] as const;
type ChangeKind = (typeof changeKinds)[number];

export interface Moves {
  readonly joined: number;
  readonly left: number;
  /** Organizations that changed. */
  readonly changed: number;
  /** How many of these changed in what; one may count in several. */
  readonly kinds: Readonly<Record<ChangeKind, number>>;
  readonly set: number;
  readonly removed: number;
  /** Every change of a target, the most frequent first. */
  readonly targets: readonly TargetMove[];
  readonly largest: LargestChange | null;
  /** Organizations of either snapshot. */
  readonly of: number;
}

const target = 'sbti_near_term_target_status';
const match = 'matching_organization_id';

/**
 * Counts what moved. One year of both snapshots is compared, as in the rows of a comparison, in one
 * region and with one method of scope 2; years with an error of `carbon check` are left out.
 * @param today `YYYY-MM-DD`
 */
export function movesBetween(
  { differences }: SnapshotDiff,
  older: Snapshots,
  newer: Snapshots,
  today: string,
): Moves {
  const number = (change: string) => differences.filter((each) => each.change === change).length;
  const targets = targetMoves(differences);
  const became = (status: string) =>
    targets.reduce((sum, { to, companies }) => sum + (to === status ? companies : 0), 0);
  const changed = new Set(
    differences.filter((each) => each.change === 'changed').map(({ id }) => id),
  );
  const candidates = [...newer].flatMap(([key, after]) => {
    const before = changed.has(after.id) ? older.get(key) : undefined;
    if (before === undefined) return [];
    const change = latestChange(before, after);
    return change === undefined ? [] : [{ change, before, after }];
  });
  const size = ({ change: { before, after } }: (typeof candidates)[number]) =>
    Math.abs(after - before);
  candidates.sort((a, b) => size(b) - size(a));
  const largest = candidates.find(
    ({ change, before, after }) =>
      !isWrong(before, change.year, today) && !isWrong(after, change.year, today),
  );
  return {
    joined: number('new'),
    left: number('removed'),
    changed: changed.size,
    kinds: countKinds(differences),
    set: became('set'),
    removed: became('removed'),
    targets,
    largest: largest?.change ?? null,
    of: newer.size + number('removed'),
  };
}

function countKinds(differences: SnapshotDiff['differences']): Moves['kinds'] {
  const kinds = differences.map(({ fields }) => new Set(fields.map(kindOfChange)));
  // What else changed is no news of an organization that is counted already.
  const has = (own: ReadonlySet<ChangeKind>, kind: ChangeKind) =>
    own.has(kind) && (kind !== 'other' || own.size === 1);
  const entries = changeKinds.map((kind) => [kind, kinds.filter((own) => has(own, kind)).length]);
  return Object.fromEntries(entries) as Record<ChangeKind, number>;
}

function kindOfChange({ field, year, old, new: now }: Change): ChangeKind {
  if (field === target) return 'targets';
  if (field === match) return 'match';
  // The factor of an industry is no figure of an organization.
  if (year === null || field === industryFactor) return 'other';
  if (old === null) return 'new_figures';
  return now === null ? 'fewer_figures' : 'changed_figures';
}

function targetMoves(differences: SnapshotDiff['differences']): TargetMove[] {
  const moves = new Map<string, TargetMove>();
  for (const { field, old: from, new: to } of differences.flatMap(({ fields }) => fields)) {
    if (field !== target) continue;
    const key = JSON.stringify([from, to]);
    moves.set(key, { from, to, companies: (moves.get(key)?.companies ?? 0) + 1 });
  }
  return [...moves.values()].sort((a, b) => b.companies - a.companies);
}

/* Says which targets changed otherwise than to set or removed. */
function otherTargets(targets: readonly TargetMove[]): string {
  const others = targets.filter(({ to }) => to !== 'set' && to !== 'removed');
  const total = others.reduce((sum, { companies }) => sum + companies, 0);
  if (total === 0) return '';
  // The statement says already that these are targets.
  const word = (status: Value) =>
    status === 'set' ? 'validated' : sanitize(String(status ?? 'unknown'));
  const shown = others
    .slice(0, maxTargetMoves)
    .map(({ from, to, companies }) => `${count.format(companies)} ${word(from)} → ${word(to)}`);
  const rest = others.length > shown.length ? ' …' : '';
  return `${count.format(total)} otherwise: ${shown.join(', ')}${rest}`;
}

const maxTargetMoves = 3;

/* Says in what organizations changed, and how many in each. */
function kindsText({ kinds, set, removed, targets, changed }: Moves): string {
  const ofTargets = [
    set > 0 && `${count.format(set)} now validated`,
    removed > 0 && `${count.format(removed)} removed`,
    otherTargets(targets),
  ];
  const words: Readonly<Record<ChangeKind, string>> = {
    targets: `in ${kinds.targets === 1 ? 'its target' : 'their targets'} (${ofTargets.filter(Boolean).join(', ')})`,
    new_figures: 'with new figures',
    changed_figures: 'with changed figures',
    fewer_figures: 'with fewer figures',
    match: 'with another match',
    other: 'in other fields',
  };
  const shown = changeKinds.filter((kind) => kinds[kind] > 0);
  const isTwice = shown.reduce((sum, kind) => sum + kinds[kind], 0) > changed;
  const parts = shown.map((kind) => `${count.format(kinds[kind])} ${words[kind]}`);
  return `${parts.join(', ')}${isTwice ? ' (some changed in several ways)' : ''}`;
}

/**
 * States what moved.
 * @param since the day of the older snapshot, `YYYY-MM-DD`, if it is one
 */
export function moveStatements(moves: Moves, since?: string): readonly (Statement & Moves)[] {
  const { joined, left, largest, changed, of } = moves;
  const day = since === undefined ? '' : ` since ${dateText(since)}`;
  const list = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(', ');
  const groups = [
    list([
      joined > 0 && `${companies(joined)} joined`,
      left > 0 && `${joined > 0 ? count.format(left) : companies(left)} left`,
    ]),
    changed === 0
      ? ''
      : `${count.format(changed)} of ${companies(of)} changed${day}: ${kindsText(moves)}`,
    largest === null
      ? ''
      : `the largest change by amount is ${nameOf(largest)}, ${changeText(largest.after / largest.before - 1)} (scope 1 + 2 of ${largest.year})`,
  ].filter(Boolean);
  const sentence = groups.join('; ') || `None of ${companies(of)} changed${day}`;
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return [{ rule: 'movers', text, base: of, ...moves }];
}

function nameOf({ name, id }: LargestChange): string {
  return name ?? String(id ?? 'no name');
}

/* Scopes 1 and 2 of a year, and what else must be equal to compare them. */
function bothOf(values: YearValues) {
  const { year, region, both } = values;
  if (both === undefined) return [];
  const numberOf = (name: FigureName) => Number(figureOfYear(values, name));
  const value = both.isTogether
    ? numberOf('emissions_scope_1_and_2')
    : numberOf('emissions_scope_1') + numberOf('emissions_scope_2');
  return [{ year, region, kind: `${region ?? ''} ${both.isTogether} ${both.field}`, value }];
}

/* The latest year that both snapshots have, of the world if they have it. */
function latestChange(older: Snapshot, newer: Snapshot): LargestChange | undefined {
  const { id, name, region } = newer;
  const known = older.years.flatMap(bothOf);
  const pairs = newer.years.flatMap(bothOf).flatMap((after) => {
    const before = known.find(({ year, kind }) => year === after.year && kind === after.kind);
    return before === undefined ? [] : [{ before, after }];
  });
  const rank = (each: { region: string | null }) => regionRank(each.region, { hq_region: region });
  pairs.sort((a, b) => b.after.year - a.after.year || rank(a.after) - rank(b.after));
  const [{ before, after } = {}] = pairs;
  if (before === undefined || after === undefined) return undefined;
  if (!(before.value > 0) || before.value === after.value) return undefined;
  return { id, name, year: after.year, before: before.value, after: after.value };
}

/* Checks the figures that a snapshot keeps of a record. */
function isWrong({ years, id, name }: Snapshot, year: number, today: string): boolean {
  const record: Organization = { id, name, performances: years.map(performanceOf) };
  return checkRecordFigures(record, { today }).some(
    (finding) => finding.severity === 'error' && finding.year === year,
  );
}

function performanceOf(values: YearValues): Performance {
  const { year, region, currency } = values;
  const number = (name: FigureName) => {
    const value = figureOfYear(values, name);
    return typeof value === 'number' ? value : null;
  };
  const method = String(figureOfYear(values, 'scope_2_method'));
  return {
    year,
    region,
    revenue_currency: currency,
    revenue: number('revenue'),
    emission_factor: number('emission_factor'),
    scope_1_and_2_emission_factor: number('scope_1_and_2_emission_factor'),
    total_upstream_emission_factor: number('total_upstream_emission_factor'),
    emissions: {
      scope_1: { total: number('emissions_scope_1') },
      scope_2: {
        total_location_based: number('emissions_scope_2_total_location_based'),
        [method]: number('emissions_scope_2'),
      },
      scope_1_and_2: { total: number('emissions_scope_1_and_2') },
      scope_3: {
        ...Object.fromEntries(
          scope3Categories.map((category) => [category, number(`emissions_scope_3_${category}`)]),
        ),
        total: number('emissions_scope_3'),
      },
      total: number('emissions_total'),
    },
  };
}
