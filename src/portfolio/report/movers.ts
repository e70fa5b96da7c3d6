/* What moved between two snapshots: who joined or left, targets, and the largest change. */
import { changeText } from '../../display/terminal/figure.ts';
import { count, dateText, naming, plural } from '../../display/terminal/format.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { companies, organizationName, type Statement } from '../organizations/statements.ts';
import type { Change, SnapshotDiff } from './diff.ts';
import { changedScopes, newScopes, type ScopeChange } from './scope-changes.ts';
import { industryFactor, type Snapshots, type Value } from './snapshot.ts';

/** Organizations whose near-term target has another status than before; null without one. */
export interface TargetMove {
  readonly from: Value;
  readonly to: Value;
  readonly companies: number;
  /** The names of the first ones. */
  readonly first: readonly string[];
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
  /** The years of new figures, the latest first. */
  readonly new_years: readonly number[];
  readonly set: number;
  readonly removed: number;
  /** Every change of a target, the most frequent first. */
  readonly targets: readonly TargetMove[];
  readonly largest: ScopeChange | null;
  /** The largest rise in a new year from the year before; without a rise, the largest fall. */
  readonly largest_new: ScopeChange | null;
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
  const [largest = null] = changedScopes(older, newer, changed, today);
  const added = newScopes(older, newer, changed, today).flatMap((each) =>
    each.before === null ? [] : [{ ...each, before: each.before }],
  );
  const largestNew = added.find(({ before, after }) => after > before) ?? added[0] ?? null;
  return {
    joined: number('new'),
    left: number('removed'),
    changed: changed.size,
    kinds: countKinds(differences),
    new_years: newYears(differences),
    set: became('set'),
    removed: became('removed'),
    targets,
    largest,
    largest_new: largestNew,
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

function newYears(differences: SnapshotDiff['differences']): readonly number[] {
  const added = differences
    .flatMap(({ fields }) => fields)
    .flatMap((change) => (kindOfChange(change) === 'new_figures' ? (change.year ?? []) : []));
  return [...new Set(added)].sort((a, b) => b - a);
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
  for (const { fields, ...company } of differences)
    for (const { field, old: from, new: to } of fields) {
      if (field !== target) continue;
      const key = JSON.stringify([from, to]);
      const { companies, first } = moves.get(key) ?? { companies: 0, first: [] };
      const names = first.length < maxNamed ? [...first, organizationName(company)] : first;
      moves.set(key, { from, to, companies: companies + 1, first: names });
    }
  return [...moves.values()].sort((a, b) => b.companies - a.companies);
}

const maxTargetMoves = 3;
const maxNamed = 3;

/* Says how many targets are validated now, were removed or changed otherwise, and whose. */
function targetsText({ targets, set, removed }: Moves): string {
  const others = targets.filter(({ to }) => to !== 'set' && to !== 'removed');
  const total = others.reduce((sum, { companies }) => sum + companies, 0);
  const shown = others
    .slice(0, maxTargetMoves)
    .map(({ from, to, companies }) => `${count.format(companies)} ${word(from)} → ${word(to)}`);
  const rest = others.length > shown.length ? ' …' : '';
  const parts = [
    [set, `now validated${namesText(targets, 'set')}`],
    [removed, `removed${namesText(targets, 'removed')}`],
    [total, `changed otherwise (${shown.join(', ')}${rest})`],
  ] as const;
  const [[first = 0, what = ''] = [], ...more] = parts.filter(([number]) => number > 0);
  const texts = more.map(([number, text]) => `${count.format(number)} ${text}`);
  return [`${plural(first, 'target')} ${what}`, ...texts].join(', ');
}

function namesText(targets: Moves['targets'], status: string): string {
  const moves = targets.filter(({ to }) => to === status);
  const all = moves.reduce((sum, { companies }) => sum + companies, 0);
  const names = moves.flatMap(({ first }) => first);
  return ` (${naming(names, maxNamed, all)})`;
}

/* The statement says already that these are targets. */
function word(status: Value): string {
  return status === 'set' ? 'validated' : sanitize(String(status ?? 'unknown'));
}

/* Says in what else organizations changed, and how many in each. */
function kindsText({ kinds, changed, new_years: [year, ...others], largest_new: most }: Moves) {
  const ofYear = year === undefined || others.length > 0 ? '' : ` of ${year}`;
  const words = {
    new_figures: `with new figures${ofYear}${most === null ? '' : newYearText(most, ofYear !== '')}`,
    changed_figures: 'with changed figures',
    fewer_figures: 'with fewer figures',
    match: 'with another match',
    other: 'with changes in other fields',
  } as const;
  const shown = (Object.keys(words) as (keyof typeof words)[]).filter((kind) => kinds[kind] > 0);
  const isTwice = shown.reduce((sum, kind) => sum + kinds[kind], 0) > changed;
  const parts = shown.map((kind, at) => {
    const number = at === 0 ? companies(kinds[kind]) : count.format(kinds[kind]);
    return `${number} ${words[kind]}`;
  });
  return `${parts.join(', ')}${isTwice ? ' (some in several ways)' : ''}`;
}

function newYearText({ before, after, year, ...company }: ScopeChange, isOfYear: boolean): string {
  const what = after > before ? 'rise' : 'fall';
  const when = isOfYear ? '' : ` in ${year}`;
  const change = changeText(after / before - 1);
  return ` (largest ${what} by amount: ${organizationName(company)}, ${change}${when})`;
}

/* Says who joined, left and changed, since when. */
function moversText({ joined, left, changed, of }: Moves, since: string | undefined): string {
  const day = since === undefined ? '' : ` since ${dateText(since)}`;
  const members = [
    ...(joined > 0 ? [`${companies(joined)} joined`] : []),
    ...(left > 0 ? [`${joined > 0 ? count.format(left) : companies(left)} left`] : []),
  ];
  const totals = ` (${count.format(of - joined)} → ${count.format(of - left)})`;
  const all = members.length > 0 ? count.format(of) : companies(of);
  const parts = [
    ...(members.length > 0 ? [`${members.join(', ')}${totals}`] : []),
    ...(changed > 0 ? [`${count.format(changed)} of ${all} changed`] : []),
  ];
  return `${parts.join(', ') || `None of ${companies(of)} changed`}${day}`;
}

/** A statement about what moved; that of the members has all numbers. */
export type MoveStatement = Statement & Partial<Moves>;

/** What each statement answers. */
export const moveQuestions = { targets: 'targets', changes: 'amount', largest: 'who' } as const;

/**
 * States what moved, the most important first: targets, then figures.
 * @param since the day of the older snapshot, `YYYY-MM-DD`, if it is one
 */
export function moveStatements(moves: Moves, since?: string): readonly MoveStatement[] {
  const { largest, changed, of, targets } = moves;
  const all = { base: of, of };
  const ofChanged = { base: changed, of: changed };
  const said: MoveStatement[] = [];
  if (targets.length > 0)
    said.push({ rule: 'targets', text: targetsText(moves), ...ofChanged, targets });
  const changes = kindsText(moves);
  if (changes !== '')
    said.push({ rule: 'changes', text: changes, ...ofChanged, kinds: moves.kinds });
  if (largest !== null) {
    const change = changeText(largest.after / largest.before - 1);
    const text = `The largest change by amount is ${organizationName(largest)}, ${change} (scope 1 + 2 of ${largest.year})`;
    said.push({ rule: 'largest', text, ...ofChanged, largest });
  }
  said.push({ rule: 'movers', text: moversText(moves, since), ...all, ...moves });
  return said;
}
