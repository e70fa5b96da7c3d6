/* What progress toward a goal for suppliers means, in sentences. */

import { asAnswers, type Question } from '../../../display/terminal/answers.ts';
import {
  andMore,
  count,
  listing,
  naming,
  percentText,
  plural,
} from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { ifReal, quotingLimit, whenQuoting } from '../../organizations/quoting.ts';
import { namedLargest } from '../../organizations/statements.ts';
import { targetWords } from '../../organizations/target-words.ts';
import { unknownCurrency } from '../entries.ts';
import { areUnmatched, targetsEndingWith } from '../evidence.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import { meets } from '../goal-share.ts';
import type { GoalResult } from '../measure-goal.ts';
import { useOf } from '../statements.ts';
import { directionText } from './goal-direction.ts';
import {
  askSteps,
  countedStep,
  countStep,
  industryStep,
  laterMatchStep,
  matchStep,
  renewStep,
  unknownStep,
} from './goal-steps.ts';
import {
  goalPercent,
  goalShareText,
  goalText,
  minDoubt,
  nameOf,
  pointsText,
} from './goal-words.ts';
import { shareText } from './words.ts';

const wholes = {
  emissions: 'of the emissions you buy are from',
  spend: 'of your spend goes to',
} as const;

/** A sentence and what it is about; the members of the summary have its numbers. */
export interface GoalStatement {
  readonly rule:
    | 'goal'
    | 'share'
    | 'largest'
    | 'match'
    | 'lookups'
    | 'industry'
    | 'ask'
    | 'scenarios'
    | 'ending'
    | 'limit'
    | 'certainty'
    | 'bound'
    | 'coverage'
    | 'uncovered'
    | 'reached'
    | 'since';
  readonly text: string;
}

/**
 * States whether the goal is reached, what changed, whom to ask, and how sure that is: the first
 * sentence is the answer.
 */
export function goalStatements(result: GoalResult): readonly GoalStatement[] {
  const { engagement } = result;
  const { share, reached } = engagement;
  const all: readonly (readonly [GoalStatement['rule'], readonly string[]])[] = [
    ['goal', [outcome(result)]],
    ['share', share === null ? [ofKnown(engagement)] : []],
    ['since', [directionText(result) ?? []].flat()],
    ['scenarios', scenarios(engagement)],
    ['ending', ending(engagement)],
    ['largest', largest(engagement)],
    ['match', matchStep(engagement, result.toCorrect)],
    ['lookups', unknownStep(engagement)],
    ['ask', askSteps(result)],
    ['lookups', countedStep(result)],
    ['ask', [...renewStep(engagement), ...countStep(engagement), ...laterMatchStep(engagement)]],
    ['industry', industryStep(engagement)],
    // A share of emissions is the same in any unit.
    [
      'limit',
      [quotingLimit(engagement.synthetic > 0, 'known') ?? []].flat().map((text) => `${text}.`),
    ],
    ['certainty', share === null ? [] : certainty(engagement, share)],
    ['bound', share === null ? [] : ifUnknownSet(engagement, share)],
    ['coverage', whatCounts(engagement)],
    ['uncovered', uncovered(engagement)],
    ['reached', reached ? holds(engagement) : []],
  ];
  return all.flatMap(([rule, texts]) => texts.map((text) => ({ rule, text })));
}

/** What each rule answers. */
const questions: Readonly<Record<GoalStatement['rule'], Question>> = {
  goal: 'amount',
  share: 'amount',
  since: 'way',
  scenarios: 'amount',
  ending: 'amount',
  largest: 'who',
  match: 'steps',
  lookups: 'steps',
  industry: 'steps',
  ask: 'steps',
  limit: 'sure',
  certainty: 'sure',
  bound: 'sure',
  coverage: 'sure',
  uncovered: 'sure',
  reached: 'sure',
};

/* What explains the share or its steps say as well. */
const details: readonly GoalStatement['rule'][] = ['coverage', 'uncovered'];

/** Returns the statements with the questions that they answer; the first one is a title. */
export function goalAnswers(result: GoalResult, hasTitle = true) {
  return asAnswers(goalStatements(result), questions, hasTitle).map((each) => ({
    ...each,
    isDetail: details.includes(each.rule),
  }));
}

function outcome({ engagement, today }: GoalResult): string {
  const { goal, share, reached, to_go: missing, best, isOutOfReach } = engagement;
  if (share === null)
    return `Whether the goal of ${goalText(goal)} is reached cannot be said${withoutAverage(engagement)}.`;
  const now = `${goalShareText(share, goal)} ${wholes[goal.of]} suppliers with a validated target`;
  const by = goal.year === null ? '' : ` by ${goal.year}`;
  const compared = `${now}; the goal is ${goalPercent(goal.percent)}${by}`;
  if (reached) return `Goal reached: ${compared}.`;
  const rest = isOutOfReach
    ? ` and even with targets from everyone you know it would be ${goalShareText(best, goal)}`
    : ` ${((missing ?? 0) * 100).toFixed(1)} points to go`;
  const isOpen = goal.year !== null && goal.year >= Number(today.slice(0, 4));
  return `Goal not reached${isOpen ? ' yet' : ''}: ${compared},${rest}.`;
}

function ofKnown({ known_share: known, goal }: Engagement): string {
  if (known === null)
    return 'No emissions are known, so the share of suppliers with a validated target is not known.';
  return `Of the known emissions, ${goalShareText(known, goal)} are from suppliers with a validated target.`;
}

/* Why there is no share of all emissions. */
function withoutAverage({ goal, uncovered: all, hasSeveralCurrencies }: Engagement): string {
  const codes = all.filter(({ isEstimated }) => !isEstimated).map(({ currency }) => currency);
  if (goal.of === 'spend' || codes.length === 0) return '';
  if (!hasSeveralCurrencies) return ': no spend has emissions';
  const named = codes.map((code) => (code === unknownCurrency ? 'an unknown currency' : code));
  return `: nothing in ${listing(named)} has emissions`;
}

/* What the share is, and becomes if commitments are validated, or targets end with their texts. */
function scenarios(engagement: Engagement): string[] {
  const { goal, share, if_committed: committed, ifLapsed } = engagement;
  if (share === null) return [];
  const text = (each: number | null) => goalShareText(each, goal);
  const now = text(share);
  const parts = [`${now} by your records`];
  if (committed !== null && text(committed) !== now)
    parts.push(`${text(committed)} if every commitment is validated`);
  if (ifLapsed !== null) {
    const then = ifLapsed.after.at(-1);
    const isEnough = ifLapsed.ask.length === 0 && meets(then ?? ifLapsed.without, goal);
    const withAsked = then === undefined ? '' : `, ${text(then)} with those to ask`;
    const enough = isEnough ? `${withAsked}: still enough` : '';
    parts.push(`${text(ifLapsed.without)} if targets that end before ${goal.year} lapse${enough}`);
  }
  return parts.length === 1 ? [] : [`${parts.join('; ')}.`];
}

/* How much of the share is from targets that end with the goal. */
function ending({ goal, share, suppliers }: Engagement): string[] {
  const { suppliers: some, share: part } = targetsEndingWith(suppliers, goal.year);
  if (share === null || part < minDoubt) return [];
  const needs = some.length === 1 ? 'needs a later target' : 'need later targets';
  const points = capital(pointsText(part, share, goal));
  return [
    `${points} count in ${goal.year}, but not after: ${naming(some.map(nameOf), 1)} ${needs}.`,
  ];
}

/* Who makes up the share, and the largest that keep it from 100%, with why each of them does. */
function largest(engagement: Engagement): string[] {
  const { suppliers, reached, share } = engagement;
  if (share === null) return [];
  const counted = suppliers.filter((each) => each.excluded === null && (each.share ?? 0) > 0);
  const set = counted.filter(({ status }) => status === 'set');
  const others = counted.filter(({ status }) => status !== 'set');
  const sentences = [
    ...madeUpBy(set, share, engagement),
    ...(reached ? [] : without(others, set.length > 0 ? 'one' : 'a validated target', engagement)),
  ];
  return sentences.length === 0 ? [] : [sentences.join(' ')];
}

function madeUpBy(set: readonly SupplierShare[], share: number, { goal }: Engagement): string[] {
  if (set.length === 0) return [];
  const whole = goalShareText(share, goal);
  const words = set
    .slice(0, namedLargest)
    .map((each) => `${nameOf(each)} ${shareText(each.share)}`);
  const rest = set.length - words.length;
  const who = rest > 0 ? andMore(words.join(', '), rest) : listing(words);
  return set.length === 1
    ? [`One supplier with a validated target makes up the ${whole}: ${listing(set.map(nameOf))}.`]
    : [`${plural(set.length, 'supplier')} with a validated target make up the ${whole}: ${who}.`];
}

function without(found: readonly SupplierShare[], what: string, { goal }: Engagement): string[] {
  if (found.length === 0) return [];
  const words = found.slice(0, namedLargest).map((each) => {
    const name = targetWords(each.statusText ?? each.status).name;
    const why = areUnmatched(each.entries) ? 'not matched' : name;
    return `${nameOf(each)} ${shareText(each.share)} (${why})`;
  });
  const rest = found.length - words.length;
  const who = rest > 0 ? andMore(words.join(', '), rest) : listing(words);
  const of = goal.of === 'spend' ? 'spend' : 'emissions';
  return [`The largest ${of} without ${what}: ${who}.`];
}

/* What the share is good for, and what it rests on. */
function certainty(engagement: Engagement, share: number): string[] {
  const { goal, industryShare, doubts, share_on_averages: part } = engagement;
  const isMostlyAverage = goal.of === 'emissions' && (industryShare ?? 0) > 0.5;
  const old = doubts.find(({ doubt }) => doubt === 'old_check');
  const rests = [
    ...onAverages(engagement, share, isMostlyAverage),
    ...(old === undefined ? [] : [onOldLookups(engagement, share, old.share)]),
  ];
  const isWeak = old !== undefined || (part ?? 0) > 0;
  const text = isMostlyAverage
    ? ifReal(engagement.synthetic > 0, `${useOf(1)}: ${rests.join(', and ')}`)
    : isWeak
      ? `${whenQuoting(engagement.synthetic > 0)}, say that ${rests.join(', and that ')}`
      : rests.join('');
  return rests.length === 0 ? [] : [`${capital(text)}.`];
}

/* Readers take a target for one that covers what they buy. */
function whatCounts({ goal, share }: Engagement): string[] {
  if (!(share !== null && share > 0 && goal.of === 'emissions')) return [];
  return ['All emissions bought from a supplier with a target count, whatever scopes it covers.'];
}

/* A goal that is missed whatever the statuses that nobody knows is missed for sure. */
function ifUnknownSet(
  { goal, reached, if_unknown_set: bound, estimated_share: estimated }: Engagement,
  share: number,
): string[] {
  if (reached || bound === null || !(bound > share)) return [];
  const isEnough = meets(bound, goal);
  const [lead, end] = isEnough
    ? ['What is unknown may decide it: if', 'enough']
    : ['Even if', 'below the goal: others must set one'];
  return [
    `${lead} every supplier of unknown status${estimated === null ? '' : ' or without known emissions'} had a target, it would be ${goalShareText(bound, goal)}, ${end}.`,
  ];
}

/* How much of the share is estimated, in points that never read as more than it. */
function onAverages(
  { goal, share_on_averages: part, industryShare }: Engagement,
  share: number,
  isMostlyAverage: boolean,
): string[] {
  if (part === null) return [];
  const points = pointsText(part, share, goal);
  if (isMostlyAverage)
    return [
      `${percentText(industryShare ?? 0, 1)} of the emissions are industry averages${part > 0 ? ` (${points})` : ''}`,
    ];
  return [
    `${part > 0 ? points : 'no part of it'} ${part > 0 ? 'rest' : 'rests'} on industry averages`,
  ];
}

/* How much of the share, and of everything, nobody has looked up for half a year. */
function onOldLookups(
  { goal, share_on_old_lookups: part }: Engagement,
  share: number,
  all: number,
): string {
  const whole = percentText(all, 1);
  const isSpend = goal.of === 'spend';
  return part === null || part <= 0
    ? `${whole} of the ${goal.of} ${isSpend ? 'was' : 'were'} last looked up at SBTi more than six months ago`
    : `${pointsText(part, share, goal)} rest on SBTi look-ups more than six months old (of all ${goal.of}, ${whole} ${isSpend ? 'does' : 'do'})`;
}

function uncovered(engagement: Engagement): string[] {
  const { goal, share, known_share: known, uncovered: all, hasSeveralCurrencies } = engagement;
  if (goal.of === 'spend' || all.length === 0) return [];
  const estimated = all.filter(({ isEstimated }) => isEstimated);
  const parts = estimated.map(({ currency, share: part }) => {
    const which = hasSeveralCurrencies ? `the ${currency} spend` : 'the spend';
    return `${percentText(part ?? 0, 1)} of ${which}`;
  });
  if (parts.length === 0) return [];
  const no = `${withoutEmissions(engagement, listing(parts), parts.length)}.`;
  if (share === null) return [no];
  return [
    `Of the known emissions it is ${goalShareText(known, goal)}, but ${no} Their spend counts with average emissions and no target.`,
  ];
}

/* Says that research failed, which brings no emissions; others may get some. */
function withoutEmissions(
  { lacking: { failed, suppliers: all } }: Engagement,
  spend: string,
  currencies: number,
): string {
  if (all === 0) return `${spend} ${currencies === 1 ? 'has' : 'have'} no known emissions yet`;
  const who = `${plural(all, 'supplier has', 'suppliers have')} no known emissions`;
  if (failed === 0) return `${who} yet (${spend})`;
  const which = failed < all ? count.format(failed) : all === 1 ? 'it' : 'all of them';
  return `${who} (${spend}); research failed on ${which}`;
}

function holds({ goal, holdsUpTo, without }: Engagement): string[] {
  const times = holdsUpTo === null ? null : Math.floor(10 * holdsUpTo + 1e-9) / 10;
  return [
    ...(times === null
      ? []
      : [
          `This holds while the spend with unknown emissions emits up to ${times.toFixed(1)} times the average.`,
        ]),
    ...(without === null
      ? []
      : [`Without ${nameOf(without)} it would be ${goalShareText(without.share, goal)}.`]),
  ];
}
