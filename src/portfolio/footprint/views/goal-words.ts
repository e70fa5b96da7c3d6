/* What progress toward a goal for suppliers means, in sentences. */
import { count, dateText, listing } from '../../../display/terminal/format.ts';
import { lookupsInWords } from '../../records/dates.ts';
import { unknownCurrency } from '../entries.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import { type ChangeKind, changeKinds } from '../goal-changes.ts';
import { type Goal, shownPercent, shownShare } from '../goal-share.ts';
import type { GoalResult, GoalSince } from '../measure-goal.ts';
import { signedTenths, tenthsAddingUp } from './shares.ts';
import { shareText } from './words.ts';

/** Writes a share that is compared with a goal; it never reads as one that it misses. */
export function goalShareText(share: number | null, goal: Goal): string {
  if (share === null) return '–';
  const shown = shownShare(share, goal);
  return shown === share ? shareText(share) : `${shownPercent(share, goal).toFixed(1)}%`;
}

/* The part of a sum of shares, so that both add up as they are shown. */
function partText(part: number | null, before: number, after: number, goal: Goal): string {
  const [from, to] = [before, after].map((share) => Math.round(10 * shownPercent(share, goal)));
  const tenths = (to ?? 0) - (from ?? 0);
  return tenths <= 0 ? shareText(part) : `${(tenths / 10).toFixed(1)}%`;
}

/**
 * Writes the share of the suppliers with a status: that of the commitments is what they add to the
 * share of today.
 */
export function statusShareText(
  status: string | null,
  part: number | null,
  { goal, share, if_committed: committed }: Engagement,
): string {
  if (status === 'set') return goalShareText(part, goal);
  const isSum = status === 'committed' && share !== null && committed !== null;
  return isSum ? partText(part, share, committed, goal) : shareText(part);
}

/** Writes the shares of the suppliers to ask next: what each adds to all before it, and the sum. */
export function askShares({ ask, share, goal }: Engagement) {
  return ask.map((each, at) => ({
    ...each,
    part: partText(each.share, ask[at - 1]?.shareAfter ?? share ?? 0, each.shareAfter, goal),
    together: goalShareText(each.shareAfter, goal),
  }));
}

/** Says on what condition the suppliers to ask next reach the goal. */
export function askCondition({ ask, goal }: Engagement): string {
  const all = ask.length === 2 ? 'both get' : `all ${count.format(ask.length)} get`;
  const who = ask.length === 1 ? 'it gets' : all;
  return `if ${who} a validated target: ${goalShareText(ask.at(-1)?.shareAfter ?? null, goal)}`;
}

function percentText(percent: number): string {
  return `${percent}%`;
}

/** Writes a goal, such as `80% of spend by 2028`; emissions need no mention. */
export function goalText({ percent, of, year }: Goal): string {
  const what = of === 'spend' ? ' of your spend' : '';
  return `${percentText(percent)}${what}${year === null ? '' : ` by ${year}`}`;
}

/** Explains the status `removed`, whenever that was. */
export const removedWords = 'targets or commitments that SBTi removed, at any time';
/** Explains the best share. */
export const askedWords = 'if everyone that can be asked had a target';

const wholes = {
  emissions: 'of the emissions you buy come from',
  spend: 'of your spend goes to',
} as const;

/** A sentence and what it is about; the members of the summary have its numbers. */
export interface GoalStatement {
  readonly rule: 'goal' | 'share' | 'texts' | 'averages' | 'uncovered' | 'reached' | 'since';
  readonly text: string;
}

/**
 * States whether the goal is reached, where the share stands, and how far that can be trusted: the
 * first sentence is the answer, the second one has the share.
 */
export function goalStatements({ engagement, since }: GoalResult): readonly GoalStatement[] {
  const { goal, share, known_share: known, reached } = engagement;
  const unknown =
    known === null
      ? 'No emissions are known, so the share of suppliers with a validated target is not known.'
      : `Of the known emissions, ${goalShareText(known, goal)} come from suppliers with a validated target.`;
  const first =
    share === null
      ? unknown
      : `${goalShareText(share, goal)} ${wholes[goal.of]} suppliers with a validated target.`;
  const all: Readonly<Record<GoalStatement['rule'], readonly string[]>> = {
    goal: [outcome(engagement)],
    share: [first],
    texts: shortTexts(engagement),
    averages: averages(engagement),
    uncovered: uncovered(engagement),
    reached: reached ? holds(engagement) : [],
    since: since === undefined ? [] : [sinceText(since, engagement)],
  };
  return Object.entries(all).flatMap(([rule, texts]) =>
    texts.map((text) => ({ rule: rule as GoalStatement['rule'], text })),
  );
}

/* What is at stake if targets end with the years in their texts. */
function shortTexts({ goal, share, shortTexts: short, ask }: Engagement): string[] {
  if (share === null || short === null) return [];
  const part = partText(short.share, short.without, share, goal).replace('%', '');
  const whole = goalShareText(share, goal).replace('%', '');
  const asks = ask.length === 1 ? 'ask' : `${count.format(ask.length)} asks`;
  const then =
    short.share_after === null
      ? ''
      : `, and ${goalShareText(short.share_after, goal)} after the ${asks}`;
  return [
    `${part} of these ${whole} percentage points are from targets whose text names no year after ${(goal.year ?? 0) - 1}: without them ${goalShareText(short.without, goal)}${then}.`,
  ];
}

/* How much of the share is estimated, in points that never read as more than it. */
function averages({ goal, share, share_on_averages: part }: Engagement): string[] {
  if (share === null || part === null || !(part > 0)) return [];
  if (part >= share) return ['All of it is from industry averages.'];
  // The share is held below a goal that it misses, and its part is not.
  if (Math.round(1000 * part) >= Math.round(10 * shownPercent(share, goal)))
    return ['Almost all of it is from industry averages.'];
  const [some, whole] = [shareText(part), goalShareText(share, goal)];
  return [
    `${some.replace('%', '')} of these ${whole.replace('%', '')} percentage points are from industry averages.`,
  ];
}

/** Names what can change the share between two days. */
export const changeWords: Readonly<Record<ChangeKind, string>> = {
  newly_set: 'newly set',
  lost: 'lost',
  other_organization: 'matched to another organization',
  not_known: 'not known on one of the days',
};

/* The direction: the share on the day, and what changed it, in parts that add up. */
function sinceText({ day, changes }: GoalSince, { goal, share }: Engagement): string {
  const when = dateText(day);
  const { shareThen, changes: all } = changes;
  if (all.length === 0) return `No target changed since ${when}.`;
  if (share === null || shareThen === null) return `Targets changed since ${when}.`;
  const [then, now] = [shareThen, share].map((each) => Math.round(10 * shownPercent(each, goal)));
  const moved = (now ?? 0) - (then ?? 0);
  const kinds = changeKinds.filter((kind) => changes[kind] !== 0);
  const parts = tenthsAddingUp(
    kinds.map((kind) => changes[kind]),
    moved,
  );
  const list = kinds.map((kind, at) => `${changeWords[kind]} ${signedTenths(parts[at] ?? 0)}`);
  const from = `At the end of ${when} it was ${goalShareText(shareThen, goal)}`;
  if (kinds.length === 0) return `${from}: no change.`;
  return `${from}: ${signedTenths(moved)} percentage points since then (${list.join(', ')}).`;
}

/** Returns the statements as sentences. */
export function goalSentences(result: GoalResult): readonly string[] {
  return goalStatements(result).map(({ text }) => text);
}

function outcome(engagement: Engagement): string {
  const { goal, share, reached, to_go: missing, best, isOutOfReach } = engagement;
  if (share === null)
    return `Whether the goal of ${goalText(goal)} is reached cannot be said${withoutAverage(engagement)}.`;
  const now = `${goalShareText(share, goal)}${goal.of === 'spend' ? ' of your spend' : ''} today`;
  const by = goal.year === null ? '' : ` by ${goal.year}`;
  const compared = `${now}, ${percentText(goal.percent)} needed${by}`;
  if (reached) return `Goal reached: ${compared}.`;
  const rest = isOutOfReach
    ? `${goalShareText(best, goal)} even with targets from everyone you know`
    : `${((missing ?? 0) * 100).toFixed(1)} points to go`;
  return `Goal not reached: ${compared}, ${rest}.`;
}

/* Why there is no share of all emissions. */
function withoutAverage({ goal, uncovered: all, hasSeveralCurrencies }: Engagement): string {
  const codes = all.filter(({ isEstimated }) => !isEstimated).map(({ currency }) => currency);
  if (goal.of === 'spend' || codes.length === 0) return '';
  if (!hasSeveralCurrencies) return ': no spend has emissions';
  const named = codes.map((code) => (code === unknownCurrency ? 'an unknown currency' : code));
  return `: nothing in ${listing(named)} has emissions`;
}

function uncovered(engagement: Engagement): string[] {
  const { goal, share, known_share: known, uncovered: all, hasSeveralCurrencies } = engagement;
  if (goal.of === 'spend' || all.length === 0) return [];
  const estimated = all.filter(({ isEstimated }) => isEstimated);
  const parts = estimated.map(({ currency, share: part }) => {
    const which = hasSeveralCurrencies ? `the ${currency} spend` : 'the spend';
    return `${shareText(part)} of ${which}`;
  });
  const verb = parts.length === 1 ? 'has' : 'have';
  if (parts.length === 0) return [];
  const no = `${listing(parts)} ${verb} no emissions${whyNone(engagement)}.`;
  if (share === null) return [no];
  return [
    `Of the known emissions it is ${goalShareText(known, goal)}, but ${no} Spend without emissions is counted at the average, as having no target.`,
  ];
}

/* Says that research failed, which brings no emissions; others may get some. */
function whyNone({ lacking: { failed, suppliers: all } }: Engagement): string {
  if (failed === 0) return ' yet';
  const of = failed === all ? '' : ` on ${failed} of these ${all} suppliers`;
  return `: research${of} failed`;
}

function holds({ goal, holdsUpTo, without }: Engagement): string[] {
  const times = holdsUpTo === null ? null : Math.floor(10 * holdsUpTo + 1e-9) / 10;
  return [
    ...(times === null
      ? []
      : [
          `This holds while the uncovered spend emits up to ${times.toFixed(1)} times the average.`,
        ]),
    ...(without === null
      ? []
      : [`Without ${nameOf(without)} it would be ${goalShareText(without.share, goal)}.`]),
  ];
}

/** Says when SBTi was looked up, if that is not when the records were retrieved. */
export function lookupText({ lookups }: Engagement): string | undefined {
  return lookups === null ? undefined : lookupsInWords(lookups.from, lookups.to);
}

/** Says what the list of suppliers to find out first is about, and how many it leaves out. */
export function findOutNote({ share, isOutOfReach, findOut, uncoveredSuppliers }: Engagement) {
  const what =
    share !== null && isOutOfReach
      ? 'what keeps the goal out of reach'
      : 'the largest suppliers without emissions';
  return { what, rest: uncoveredSuppliers - findOut.length };
}

/** Writes a supplier's share of the spend, of its currency if the file has several. */
export function spendShareText(
  { spendShare, spendCurrency }: SupplierShare,
  { hasSeveralCurrencies }: Engagement,
): { readonly short: string; readonly long: string } {
  const share = shareText(spendShare);
  if (!hasSeveralCurrencies) return { short: share, long: `${share} of the spend` };
  const code = spendCurrency === unknownCurrency ? 'unknown currency' : spendCurrency;
  return { short: `${share} of ${code}`, long: `${share} of the ${code} spend` };
}

/** Names a supplier by its name, otherwise by its ID. */
export function nameOf({ supplier: { id, name } }: Pick<SupplierShare, 'supplier'>): string {
  return name ?? (id === null ? 'no supplier named' : `ID ${id}`);
}
