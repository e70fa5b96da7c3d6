/* The first steps toward a goal: what a reader can do alone, then whom to ask. */
import { count, listing, naming, plural } from '../../../display/terminal/format.ts';
import { correctionOf, type ListToCorrect, unmatchedStep } from '../../organizations/correction.ts';
import { askNamed } from '../../organizations/statements.ts';
import { totalOf } from '../../organizations/sum.ts';
import { daysInWords } from '../../records/dates.ts';
import { emissionsOf, shareOf } from '../entries.ts';
import { areUnmatched, dashboard, lookupDaysOf, targetsEndingWith } from '../evidence.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import { shownPercent } from '../goal-share.ts';
import type { GoalResult } from '../measure-goal.ts';
import { lackOf } from '../named-suppliers.ts';
import type { TargetStatus } from '../totals.ts';
import { allOf, goalShareText, minDoubt, nameOf, pointsText } from './goal-words.ts';
import { industryCheck, shareText } from './words.ts';

const maxNamed = 4;

function namesOf(all: readonly Pick<SupplierShare, 'supplier'>[]): string {
  const names = all.map(nameOf);
  return names.length > maxNamed ? naming(names, 3) : listing(names);
}

/* Everyone to ask, those to ask only if targets lapse as well. */
function askedOf({ ask, ifLapsed }: Engagement) {
  return [...ask, ...(ifLapsed?.ask ?? [])];
}

/** Says which suppliers to match, because nobody knows their targets until then. */
export function matchStep(
  { ask, toMatch, unmatched, withoutUnmatched: plan, withUnmatched, goal }: Engagement,
  list: ListToCorrect | undefined,
): readonly string[] {
  if (toMatch.length === 0) return [];
  const match = `${matchText(unmatched, list)}.`;
  if (ask.length === 0)
    return [
      `${match} Until then, the goal is out of reach: ${goalShareText(plan?.share ?? null, goal)} at most.`,
    ];
  if (withUnmatched === null || withUnmatched.suppliers.length >= ask.length) return [match];
  const [they, targets] =
    toMatch.length === 1 ? ['has or sets', 'a target'] : ['have or set', 'targets'];
  const enough = `${fewestText(withUnmatched, toMatch)}: ${goalShareText(withUnmatched.share, goal)}`;
  return [`${match} If ${listing(toMatch.map(nameOf))} ${they} ${targets}, ${enough}.`];
}

/** Says which suppliers to match and how, without a period. */
export function matchText(
  unmatched: Engagement['unmatched'],
  list: ListToCorrect | undefined,
): string {
  const named = unmatched.map((each) => {
    return each.share ? `${nameOf(each)} ${shareText(each.share)}` : nameOf(each);
  });
  const step = list === undefined ? unmatchedStep : correctionOf(list);
  const [who, whose] = [plural(unmatched.length, 'supplier'), unmatched.length === 1];
  return `Match ${who}, whose ${whose ? 'target is' : 'targets are'} unknown until then (${naming(named, 3)}): ${step}`;
}

/* The others that are to be asked, so that those to match are enough. */
function fewestText(
  { suppliers }: { readonly suppliers: Engagement['toMatch'][number]['supplier'][] },
  toMatch: Engagement['toMatch'],
): string {
  const others = suppliers.filter((each) => !toMatch.some(({ supplier }) => supplier === each));
  if (others.length === 0) return 'nobody else need be asked';
  const they = toMatch.length === 1 ? 'it' : 'they';
  return `${they} and ${namesOf(others.map((supplier) => ({ supplier })))} are enough together`;
}

/* Those to ask whose status is unknown, who may turn out not to be worth asking. */
function unknownOf({ ask }: Engagement): Engagement['ask'] {
  return ask.filter(({ status }) => status === 'unknown');
}

/** Says whom to look up at SBTi before asking, where and why, in a sentence for each kind. */
export function lookupStep(result: GoalResult): readonly string[] {
  const { engagement, today } = result;
  const all = askedOf(engagement);
  const unknown = unknownOf(engagement);
  const { old, from, to } = lookupDaysOf(
    all.filter((each) => !unknown.some(({ supplier }) => supplier === each.supplier)),
    today,
  );
  const counted = countedStep(result);
  if (old.length === 0) return [...unknownStep(engagement), ...counted];
  const they = old.length === 1 ? 'it was' : 'they were';
  const days = `${from === to ? 'on' : 'from'} ${daysInWords(from, to)}`;
  const asked = `Look up ${namesOf(old)} at ${dashboard} before you write: ${they} last looked up ${days}.`;
  return [...unknownStep(engagement), [asked, ...counted].join(' ')];
}

/* Whose target counts, though nobody has looked it up for half a year: it may be gone. */
function countedStep({ engagement, today }: GoalResult): readonly string[] {
  const { suppliers, goal, share, share_on_old_lookups: part } = engagement;
  if (share === null || part === null || part < minDoubt) return [];
  const set = suppliers.filter(({ status, excluded }) => status === 'set' && excluded === null);
  const { old } = lookupDaysOf(
    set.filter((each) => (each.share ?? 0) > 0),
    today,
  );
  const [their, was] =
    old.length === 1 ? ['its target counts', 'was'] : ['their targets count', 'were'];
  return [
    `Look up ${namesOf(old)} again, too: ${their} (${pointsText(part, share, goal)}), but ${was} last looked up more than six months ago.`,
  ];
}

function unknownStep(engagement: Engagement): readonly string[] {
  const unknown = unknownOf(engagement);
  if (unknown.length === 0) return [];
  const { ask, goal } = engagement;
  const parts = unknown.map(({ share }) => -(share ?? 0));
  const without = goalShareText(totalOf([ask.at(-1)?.shareAfter ?? 0, ...parts]), goal);
  const [its, they, them] =
    unknown.length === 1 ? ['its', 'it has', 'it'] : ['their', 'they have', 'them'];
  return [
    `Look up ${naming(unknown.map(nameOf), 3)} at SBTi: ${its} status is unknown. If ${they} no target, ask for one; without ${them}, ${without}.`,
  ];
}

/** Says whose industry to check before asking; a goal of spend needs no averages. */
export function industryStep({ suppliers, goal }: Engagement): readonly string[] {
  if (goal.of === 'spend') return [];
  const total = totalOf(suppliers.map(({ emissions }) => emissions ?? 0));
  const matched = suppliers.filter(({ entries }) => !areUnmatched(entries));
  const averages = matched.map((each) => {
    const entries = each.entries.filter(({ factor }) => factor?.basis === 'industry');
    const share = shareOf(emissionsOf(entries), total);
    return { supplier: nameOf(each), industry: lackOf(entries)?.industry ?? null, share };
  });
  return [industryCheck(averages) ?? []].flat().map((text) => `${text}.`);
}

/** Says whom to ask, and whom as well if targets lapse. */
export function askStep(engagement: Engagement): readonly string[] {
  const { ask, goal, ifLapsed } = engagement;
  const also = lapseStep(engagement);
  if (ask.length === 0) return also;
  const who = allOf(ask.length, 'gets', 'get');
  const lapse = ifLapsed === null ? '' : ' and no other lapses';
  const then = goalShareText(ask.at(-1)?.shareAfter ?? null, goal);
  const asked = `Ask ${namesOf(ask)}${whatOf(ask)}: ${then} if ${who} a validated target${lapse}${marginText(engagement)}.`;
  return [[asked, ...also].join(' ')];
}

/**
 * Says by how much those to ask reach the goal if they are on averages: it may be missed once they
 * send figures of their own. Empty otherwise.
 */
export function marginText({ ask, goal }: Engagement): string {
  const number = ask.filter(({ basis }) => basis === 'industry').length;
  const last = ask.at(-1)?.shareAfter ?? null;
  if (number === 0 || last === null) return '';
  const some = number === 1 ? 'one rests' : `${count.format(number)} rest`;
  const who = number === ask.length ? allOf(number, 'rests', 'rest') : some;
  const points = (shownPercent(last, goal) - goal.percent).toFixed(1);
  const margin = Number(points) === 0 ? 'nothing' : `${points} points`;
  return ` (${who} on industry averages, with ${margin} to spare)`;
}

/**
 * Names whom to ask for later targets: those whose targets end before the year of the goal, and
 * those whose end in it, and count no longer from the next one. Another step has those to ask in
 * case targets lapse.
 */
export function renewStep(engagement: Engagement): readonly string[] {
  const { suppliers, goal, share, doubts, ifLapsed } = engagement;
  if (share === null) return [];
  const asked = new Set(ifLapsed?.ask.map(({ supplier }) => supplier));
  const short = doubts
    .flatMap((each) => (each.doubt === 'short_text' ? each.suppliers : []))
    .filter(({ supplier }) => !asked.has(supplier));
  const shortShare = totalOf(short.map((each) => each.share ?? 0));
  const groups = [
    { when: 'before', suppliers: short, share: shortShare },
    { when: 'in', ...targetsEndingWith(suppliers, goal.year) },
  ].filter((each) => each.share >= minDoubt);
  const texts = groups.map(({ when, suppliers: some, share: part }, at) => {
    const [their, text] =
      some.length === 1 ? ['its target ends', 'its text'] : ['their targets end', 'their texts'];
    const ends = `${their} ${when} ${goal.year} (${pointsText(part, share, goal)})`;
    return at === 0
      ? `Ask ${namesOf(some)} for a later target: by ${text}, ${ends}.`
      : `Ask ${namesOf(some)}, too: ${ends}.`;
  });
  return texts.length === 0 ? [] : [texts.join(' ')];
}

/**
 * Names whose targets count for nothing, because their emissions are unknown: the share rises by
 * figures alone. A goal of spend needs none.
 */
export function countStep({ doubts, goal }: Engagement): readonly string[] {
  const found = doubts.find(({ doubt }) => doubt === 'no_emissions')?.suppliers ?? [];
  if (goal.of === 'spend' || found.length === 0) return [];
  const [they, their] =
    found.length === 1
      ? ['it has a target, which counts', 'its']
      : ['they have targets, which count', 'their'];
  const steps = new Set(found.map(({ nextStep }) => nextStep?.replace(/^has a target; /, '')));
  const [step, ...others] = steps;
  const ask = others.length > 0 ? undefined : askNamed(step ?? '', namesOf(found));
  return [
    `${ask ?? `Find out the emissions of ${namesOf(found)}`}: ${they} for nothing until ${their} emissions are known.`,
  ];
}

/**
 * Names those to match that no share needs to reach the goal, because nobody knows their targets
 * until then; a note has the command.
 */
export function laterMatchStep({ toMatch, unmatched }: Engagement): readonly string[] {
  const found = unmatched.filter((each) => each.share);
  if (toMatch.length > 0 || found.length === 0) return [];
  const named = found.map((each) => `${nameOf(each)} ${shareText(each.share)}`);
  const are = found.length === 1 ? 'its target is' : 'their targets are';
  return [`Match ${naming(named, 3)}: ${are} unknown until then.`];
}

/* What to ask several of a status, which the step of one says of it alone. */
const askedSeveral: Readonly<Partial<Record<TargetStatus, string>>> = {
  committed: ' when SBTi validates their targets',
  removed: ' why SBTi removed their targets or commitments, and for new targets',
  none: ' for near-term targets',
};

/* What to ask all of them, if that is one thing. */
function whatOf(all: readonly Pick<SupplierShare, 'nextStep' | 'status'>[]): string {
  const [step, ...others] = new Set(all.map(({ nextStep }) => nextStep));
  const [first] = all;
  if (first === undefined || !step?.startsWith('ask ') || others.length > 0) return '';
  return all.length === 1 ? step.slice('ask'.length) : (askedSeveral[first.status] ?? '');
}

/* Says whom to ask as well if targets lapse whose texts name no year as late as the goal's. */
function lapseStep({ goal, ifLapsed, ask }: Engagement): readonly string[] {
  const also = ifLapsed?.ask ?? [];
  const last = also.at(-1);
  if (last === undefined) return [];
  const areTargets = also.every(({ status }) => status === 'set');
  const target = also.length === 1 ? 'a target' : 'targets';
  const beyond = areTargets ? ` for ${target} beyond ${(goal.year ?? 0) - 1}` : '';
  const too = ask.length === 0 ? '' : beyond === '' ? ', too' : ', too,';
  const reached = goalShareText(last.shareAfter, goal);
  return [
    `Ask ${namesOf(also)}${too}${beyond}, in case targets that end before ${goal.year} lapse: ${reached} even then.`,
  ];
}

/** Says after which steps to ask anyone; empty without such steps. */
export function askedAfter(result: GoalResult): string {
  const { toMatch, unmatched } = result.engagement;
  const before = [
    ...(toMatch.length === 0 ? [] : [`matching ${plural(unmatched.length, 'supplier')}`]),
    ...(lookupStep(result).length === 0 ? [] : ['looking up at SBTi']),
  ];
  return before.length === 0 ? '' : `after ${listing(before)}`;
}
