/* How the shares, the suppliers and the statuses of a goal are written. */
import { count } from '../../../display/terminal/format.ts';
import { totalOf } from '../../organizations/sum.ts';
import { daysInWords, lookupsInWords } from '../../records/dates.ts';
import { unknownCurrency } from '../entries.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import type { ChangeKind } from '../goal-changes.ts';
import { type Goal, shownPercent, shownShare } from '../goal-share.ts';
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

/**
 * Returns the suppliers to ask next, then those to ask as well if targets lapse, with their shares
 * as texts. Each is rounded as it is everywhere, so that a sum may differ by 0.1.
 */
export function askShares({ ask, ifLapsed, goal, share }: Engagement) {
  const row = (
    each: Engagement['ask'][number],
    shareAfter: number | null,
    lapsed: number | null,
  ) => ({
    ...each,
    shareAfter,
    shareIfLapsed: lapsed,
    part: shareText(each.share),
    together: goalShareText(shareAfter, goal),
    lapsed: goalShareText(lapsed, goal),
  });
  let sum = ask.at(-1)?.shareAfter ?? share;
  return [
    ...ask.map((each, at) => row(each, each.shareAfter, ifLapsed?.after[at] ?? null)),
    ...(ifLapsed?.ask ?? []).map((each) => {
      // A target that lapses is in the share already.
      if (sum !== null && each.status !== 'set') sum = totalOf([sum, each.share ?? 0]);
      return row(each, sum, each.shareAfter);
    }),
  ];
}

/** Writes a part of a share in points, which never read as more than the share. */
export function pointsText(part: number, share: number, goal: Goal): string {
  const whole = goalShareText(share, goal).replace('%', '');
  const all = Math.round(10 * shownPercent(share, goal));
  if (part >= share) return `all ${whole} points`;
  if (Math.round(1_000 * part) >= all) return `almost all of the ${whole} points`;
  return `${Math.min(Number(shareText(part).replace('%', '')), all / 10).toFixed(1)} of the ${whole} points`;
}

/** Says that all of these do something. */
export function allOf(number: number, one: string, several: string): string {
  if (number === 1) return `it ${one}`;
  return `${number === 2 ? 'both' : `all ${count.format(number)}`} ${several}`;
}

/** Says on what condition the suppliers to ask next reach the goal. */
export function askCondition({ ask, ifLapsed, goal }: Engagement): string {
  const reached = goalShareText(ask.at(-1)?.shareAfter ?? null, goal);
  if (ifLapsed === null)
    return `if ${allOf(ask.length, 'gets', 'get')} a validated target: ${reached}`;
  const also = ifLapsed.ask.at(-1);
  const reach = (number: number) => `${count.format(number)} ${number === 1 ? 'reaches' : 'reach'}`;
  const first = ask.length === 0 ? '' : `${reach(ask.length)} ${reached} if no target lapses; `;
  const lapsed =
    ask.length === 0 ? `targets end before ${goal.year}` : `those that end before ${goal.year} do`;
  return also === undefined
    ? `${first}${goalShareText(ifLapsed.after.at(-1) ?? null, goal)} if ${lapsed}`
    : `${first}${reach(ask.length + ifLapsed.ask.length)} ${goalShareText(also.shareAfter, goal)} even if ${lapsed}`;
}

/** Writes the percentage of a goal as it was given. */
export function goalPercent(percent: number): string {
  return `${percent}%`;
}

/** Writes a goal, such as `80% of spend by 2028`; emissions need no mention. */
export function goalText({ percent, of, year }: Goal): string {
  const what = of === 'spend' ? ' of your spend' : '';
  return `${goalPercent(percent)}${what}${year === null ? '' : ` by ${year}`}`;
}

/** Explains the status `removed`, whenever that was. */
export const removedWords = 'targets or commitments that SBTi removed, at any time';
/** Explains the best share. */
export const askedWords = 'if everyone that can be asked had a target';

/** Names what can change the share between two days. */
export const changeWords: Readonly<Record<ChangeKind, string>> = {
  newly_set: 'set a target',
  lost: 'lost a target',
  other_organization: 'matched to another organization',
  not_known: 'not known on one of the days',
};

/** Says when SBTi was looked up, if that is not when the records were retrieved. */
export function lookupText({ lookups }: Engagement): string | undefined {
  return lookups === null ? undefined : lookupsInWords(lookups.from, lookups.to);
}

/** Says by look-ups of which months a share is, such as `by look-ups of Dec 2025 to Nov 2026`. */
export function lookupMonths({ lookups }: Engagement): string | undefined {
  if (lookups === null) return undefined;
  const days = daysInWords(lookups.from, lookups.to) ?? '';
  return `by look-ups of ${days.replaceAll(/(^| to )\d+ /g, '$1')}`;
}

/** Says what the list of suppliers to find out first is about, and how many it leaves out. */
export function findOutNote({ share, isOutOfReach, findOut, uncoveredSuppliers }: Engagement) {
  const what =
    share !== null && isOutOfReach
      ? 'what keeps the goal out of reach'
      : 'the largest suppliers with unknown emissions';
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

/** The share below which a doubt changes no answer of a page. */
export const minDoubt = 0.05;
