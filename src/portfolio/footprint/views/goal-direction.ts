/* Which way the share of a goal moved, in words. */
import { dateText, naming, percentText } from '../../../display/terminal/format.ts';
import { type ResultDates, recordDays } from '../../records/dates.ts';
import { shareNotLookedUpSince } from '../evidence.ts';
import type { Engagement } from '../goal.ts';
import { changeKinds, type GoalChanges, type TargetChange } from '../goal-changes.ts';
import { type Goal, shownPercent } from '../goal-share.ts';
import type { GoalResult } from '../measure-goal.ts';
import { signedTenths, tenthsAddingUp } from '../shares.ts';
import { byAdding, type CommandWith } from '../statements.ts';
import { changeWords, goalShareText, nameOf } from './goal-words.ts';

interface Compared {
  readonly day: string;
  readonly changes: GoalChanges;
  /** Why it is this day; empty for one that was given. */
  readonly which: string;
  /** Of when the latest records of a given day are. */
  readonly dates?: ResultDates;
}

/* What a goal is compared with; undefined if nothing. */
function comparedOf({ since, direction, engagement: { goal } }: GoalResult): Compared | undefined {
  if (since !== undefined) return { ...since, which: '' };
  if (direction === undefined || 'lack' in direction) return undefined;
  const { isFirst } = direction;
  const which = isFirst
    ? 'the first day of your records'
    : `the first day with records of at least half of the ${goal.of}`;
  return { ...direction, which };
}

/** Tells whether the share is compared with that of an earlier day. */
export function hasDirection(result: GoalResult): boolean {
  return comparedOf(result) !== undefined;
}

/** States the share on a day and what changed it; otherwise why there is no such day. */
export function directionText(result: GoalResult): string | undefined {
  const compared = comparedOf(result);
  if (compared !== undefined)
    return `${changeText(compared, result.engagement)}${unseenText(compared, result.engagement)}`;
  const { direction } = result;
  if (direction === undefined || !('lack' in direction)) return undefined;
  if (direction.lack === 'history')
    return 'No direction: a file of records has no history. Use a list that carbon sync keeps.';
  if (direction.lack === 'readable') return 'No direction: carbon cannot read the earlier records.';
  const { day, isFirst, isAsOf } = direction;
  const when = dateText(day);
  const why = isFirst
    ? `no record is from before ${when}`
    : `before ${when}, less than half of the ${result.engagement.goal.of} had records`;
  if (isAsOf) return `No direction: ${why}.`;
  return `No direction yet: ${why}. Run carbon sync again on a later day, then this command shows the change.`;
}

const namedChanged = 2;

/* The share on the day, and what changed it by whom, in parts that add up. */
function changeText({ day, changes, which, dates }: Compared, { goal, share }: Engagement): string {
  const { shareThen, changes: all } = changes;
  const days = [dates?.records_from ?? day, dates?.records_to ?? day];
  const isOfDay = days.every((each) => each === day);
  const records = dates === undefined || isOfDay ? '' : ` (${recordDays(dates)})`;
  const when = [`${dateText(day)}${records}`, which].filter(Boolean).join(', ');
  const since = `${when},`;
  if (share === null || shareThen === null)
    return all.length === 0 ? `No target changed since ${when}.` : `Targets changed since ${when}.`;
  // The other days are those of the records by their names.
  const of = which === '' && isOfDay ? 'the records of ' : '';
  const from = `since ${of}${since} when it was ${goalShareText(shareThen, goal)}`;
  const kinds = changeKinds.filter((kind) => changes[kind] !== 0);
  if (kinds.length === 0)
    return `${all.length === 0 ? 'No target changed' : 'No change'} ${from}, too.`;
  const moved = movedTenths(shareThen, share, goal);
  const parts = kindTenths(changes, moved);
  const isShown = (tenths: number) => tenths !== 0 || parts.every((part) => part === 0);
  const shown = kinds.flatMap((kind, at) => {
    const part = parts[at] ?? 0;
    return isShown(part) ? [{ kind, part }] : [];
  });
  const list = shown.map(({ kind, part }) => {
    const names = all.filter((each) => each.kind === kind).map(({ supplier }) => nameOf(supplier));
    // The only one has all of the difference, which stands before it.
    const size = shown.length === 1 ? '' : ` ${signedTenths(part)}`;
    return `${changeWords[kind]}${size}: ${naming(names, namedChanged)}`;
  });
  const most = isMostlyUnknown(changes)
    ? ' Most of this is of suppliers with a record on only one of the days, so it shows no direction.'
    : '';
  return `${signedTenths(moved)} percentage points ${from} (${list.join('; ')}).${most}`;
}

const minUnseen = 0.05;

/* A target whose status nobody looked up again cannot have changed in the records. */
function unseenText({ day }: Compared, { suppliers, goal, share }: Engagement): string {
  if (share === null) return '';
  const unseen = shareNotLookedUpSince(suppliers, day);
  if (unseen < minUnseen) return '';
  return ` For ${percentText(unseen, 1)} of the ${goal.of}, SBTi was not looked up again since then, so no change can show there.`;
}

/* The difference of two shares as they are shown, in tenths of a percentage point. */
function movedTenths(then: number, now: number, goal: Goal): number {
  const [from = 0, to = 0] = [then, now].map((each) => Math.round(10 * shownPercent(each, goal)));
  return to - from;
}

/* What each kind of change has of the difference. */
function kindTenths(changes: GoalChanges, moved: number): readonly number[] {
  const kinds = changeKinds.filter((kind) => changes[kind] !== 0);
  return tenthsAddingUp(
    kinds.map((kind) => changes[kind]),
    moved,
  );
}

/**
 * Returns what each supplier has of the difference of two shares, in tenths of a percentage point:
 * those of a kind add up to what the sentence says of it. Empty without both shares.
 */
export function changeTenths(
  changes: GoalChanges,
  { share, goal }: Pick<Engagement, 'share' | 'goal'>,
): ReadonlyMap<TargetChange, number> {
  const { shareThen, changes: all } = changes;
  if (share === null || shareThen === null) return new Map();
  const parts = kindTenths(changes, movedTenths(shareThen, share, goal));
  const kinds = changeKinds.filter((kind) => changes[kind] !== 0);
  const pairs = kinds.flatMap((kind, at) => {
    const some = all.filter((each) => each.kind === kind);
    const shares = some.map((each) => each.share ?? 0);
    const tenths = tenthsAddingUp(shares, parts[at] ?? 0);
    return some.map((each, index) => [each, tenths[index] ?? 0] as const);
  });
  return new Map(pairs);
}

function isMostlyUnknown(changes: GoalChanges): boolean {
  const known = changeKinds.filter((kind) => kind !== 'not_known');
  const size = known.reduce((sum, kind) => sum + Math.abs(changes[kind]), 0);
  return Math.abs(changes.not_known) > size;
}

/** Returns what the summary of `--json` says of the direction; null without one. */
export function directionMembers(result: GoalResult) {
  const compared = comparedOf(result);
  if (compared === undefined) return null;
  const { share } = result.engagement;
  const { day, changes } = compared;
  const { shareThen, newly_set, lost, other_organization, not_known } = changes;
  return {
    day,
    share_then: shareThen,
    change: share === null || shareThen === null ? null : share - shareThen,
    newly_set,
    lost,
    other_organization,
    not_known,
  };
}

/** Says how to see who changed; undefined if nothing did, and if the result shows it. */
export function changesHint(
  { direction }: GoalResult,
  commandWith?: CommandWith,
): string | undefined {
  if (direction === undefined || 'lack' in direction) return undefined;
  const { day, changes } = direction;
  if (changes.changes.length === 0) return undefined;
  return `To see who changed since ${dateText(day)}, ${byAdding(['--since', day], commandWith)}`;
}
