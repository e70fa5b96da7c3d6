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
import { hasLargeAverage, industryCheck, shareText } from './words.ts';

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

/** Says whose status to look up at SBTi, because it decides whether to ask at all. */
export function unknownStep(engagement: Engagement): readonly string[] {
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

/** Says whose target counts, though nobody has looked it up for half a year: it may be gone. */
export function countedStep({ engagement, today }: GoalResult): readonly string[] {
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
    `Look up ${namesOf(old)} again at ${dashboard}: ${their} (${pointsText(part, share, goal)}), but ${was} last looked up more than six months ago. If SBTi shows another status, tell the service, then run carbon sync: the share changes with the record.`,
  ];
}

/* Those with a match, with the part of the known emissions that is an average, and its industry. */
function averagesOf({ suppliers }: Engagement) {
  const total = totalOf(suppliers.map(({ emissions }) => emissions ?? 0));
  const matched = suppliers.filter(({ entries }) => !areUnmatched(entries));
  return matched.map((each) => {
    const entries = each.entries.filter(({ factor }) => factor?.basis === 'industry');
    const share = shareOf(emissionsOf(entries), total);
    const industry = lackOf(entries)?.industry ?? null;
    return { key: each.supplier, supplier: nameOf(each), industry, share };
  });
}

/**
 * Says whose industries to check, of those that no other step has; a goal of spend needs no
 * averages.
 */
export function industryStep(engagement: Engagement): readonly string[] {
  if (engagement.goal.of === 'spend') return [];
  const asked = new Set(askedOf(engagement).map(({ supplier }) => supplier));
  const all = averagesOf(engagement);
  const others = all.filter(({ key }) => !asked.has(key));
  const isRest = all.some((each) => asked.has(each.key) && hasLargeAverage(each));
  const text = industryCheck(others, isRest ? 'other large' : 'largest');
  return [text ?? []].flat().map((each) => `${each}.`);
}

/** Says whom to ask and what to check before, and in another step whom as well if targets lapse. */
export function askSteps(result: GoalResult): readonly string[] {
  const { ask, goal, ifLapsed } = result.engagement;
  const lapse = lapseStep(result);
  if (ask.length === 0) return lapse;
  const who = allOf(ask.length, 'gets', 'get');
  const no = ifLapsed === null ? '' : ' and no other lapses';
  const then = goalShareText(ask.at(-1)?.shareAfter ?? null, goal);
  const asked = `Ask ${namesOf(ask)}${whatOf(ask)}: ${then} if ${who} a validated target${no}${marginText(result.engagement)}.`;
  return [`${asked}${checksBefore(result, ask)}`, ...lapse];
}

/*
 * What may make a letter needless: a target that is newer than the look-up, or an average of a
 * wrong industry, without which a supplier is not large. Empty if there is nothing to check.
 */
function checksBefore({ engagement, today }: GoalResult, asked: Engagement['ask']): string {
  const known = asked.filter(({ status }) => status !== 'unknown');
  const { old, from, to } = lookupDaysOf(known, today);
  const suppliers = new Set(asked.map(({ supplier }) => supplier));
  const large =
    engagement.goal.of === 'spend'
      ? []
      : averagesOf(engagement).filter((each) => suppliers.has(each.key) && hasLargeAverage(each));
  const industries = [...new Set(large.flatMap(({ industry }) => industry ?? []))];
  const isAll = (some: readonly unknown[]) => some.length === asked.length;
  const them = asked.length === 1 ? 'it' : asked.length === 2 ? 'both' : 'them';
  const days = `${from === to ? 'on' : 'from'} ${daysInWords(from, to)}`;
  const their = asked.length === 1 ? 'its' : 'their';
  const whose = isAll(large) ? their : 'the';
  const of = isAll(large) ? '' : ` of ${listing(large.map(({ supplier }) => supplier))}`;
  const noun = industries.length === 1 ? 'industry' : 'industries';
  const checks = [
    ...(old.length === 0
      ? []
      : [`look ${isAll(old) ? them : namesOf(old)} up at ${dashboard} (last looked up ${days})`]),
    ...(large.length === 0 ? [] : [`check ${whose} ${noun}${of} (${industries.join('; ')})`]),
  ];
  return checks.length === 0 ? '' : ` Before you write, ${listing(checks)}.`;
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
function lapseStep(result: GoalResult): readonly string[] {
  const { goal, ifLapsed, ask } = result.engagement;
  const also = ifLapsed?.ask ?? [];
  const last = also.at(-1);
  if (last === undefined) return [];
  const areTargets = also.every(({ status }) => status === 'set');
  const target = also.length === 1 ? 'a target' : 'targets';
  const beyond = areTargets ? ` for ${target} beyond ${(goal.year ?? 0) - 1}` : '';
  const too = ask.length === 0 ? '' : beyond === '' ? ', too' : ', too,';
  const reached = goalShareText(last.shareAfter, goal);
  return [
    `Ask ${namesOf(also)}${too}${beyond}, in case targets that end before ${goal.year} lapse: ${reached} even then.${checksBefore(result, also)}`,
  ];
}

/** Says after which steps to ask anyone; empty without such steps. */
export function askedAfter({ engagement, today }: GoalResult): string {
  const { toMatch, unmatched, ask } = engagement;
  const isOld = lookupDaysOf(ask, today).old.length > 0;
  const before = [
    ...(toMatch.length === 0 ? [] : [`matching ${plural(unmatched.length, 'supplier')}`]),
    ...(isOld || unknownOf(engagement).length > 0 ? ['looking up at SBTi'] : []),
  ];
  return before.length === 0 ? '' : `after ${listing(before)}`;
}
