/* States what a comparison means: what changed, from what, by whom, and what to do first. */

import { asAnswers, type Question } from '../../../display/terminal/answers.ts';
import { amountInWords, figure } from '../../../display/terminal/figure.ts';
import { count, listing } from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { quotingLimit, unitState } from '../../organizations/quoting.ts';
import { withUnit } from '../../organizations/statements.ts';
import { totalOf } from '../../organizations/sum.ts';
import { type BridgeStep, boughtEffects, type Effect, withoutEffects } from '../bridge.ts';
import { type Cause, causeWords } from '../cause-words.ts';
import { changeShare, mainCauseOf, partsFrom, spendWays } from '../causes.ts';
import type { Comparison } from '../compare.ts';
import { dataEffects, dataWords, withoutDataChanges } from '../data-effects.ts';
import { unknownCurrency } from '../entries.ts';
import { signedTenths } from '../shares.ts';
import { signedShare } from '../signed.ts';
import { doubtOfUnit } from '../statements.ts';
import { certaintyText, ownFigures, ownText } from './bridge-certainty.ts';
import { firstSteps, whoTexts } from './bridge-steps.ts';
import { eachWay, explainedSteps, isRestated, isUnchanged } from './bridge-words.ts';
import { settingText, shareText, type UnitTotals, unitNote, unitSteps } from './words.ts';

/** A sentence about a comparison; the members of the summary have its numbers. */
export interface BridgeStatement {
  readonly rule:
    | BridgeStep['step']
    | Cause
    | 'direction'
    | 'largest'
    | 'own'
    | 'limit'
    | 'certainty'
    | 'step';
  readonly text: string;
}

/**
 * States what each step changed, how much of that is from each cause, by whom, how sure it is, and
 * what to do first; a step without a change comes after those with one.
 * @param unit that stands after amounts
 */
export function bridgeStatements(
  comparison: Comparison,
  summary: UnitTotals,
  unit: string | null = summary.unit ?? null,
): readonly BridgeStatement[] {
  const explained = explainedSteps(comparison);
  const others = comparison.steps.filter((step) => !explained.includes(step));
  const stated = [...explained, ...others].flatMap((step): BridgeStatement[] => [
    { rule: step.step, text: stepText(comparison, step, summary) },
    ...causesOf(step, unit),
  ]);
  const who = whoTexts(comparison, unit);
  const own = ownText(comparison);
  const limit = quotingLimit(
    comparison.steps.some(({ rows }) => rows.some(({ synthetic }) => synthetic)),
    unitState(summary.unit ?? null, unitNote(summary) !== undefined),
  );
  const certainty = certaintyText(comparison, summary);
  const setting = settingText(summary);
  return [
    ...stated,
    ...who.map((text) => ({ rule: 'largest' as const, text })),
    ...(limit === undefined ? [] : [{ rule: 'limit' as const, text: `${limit}.` }]),
    ...(certainty === undefined ? [] : [{ rule: 'certainty' as const, text: certainty }]),
    ...(own === undefined ? [] : [{ rule: 'own' as const, text: own }]),
    ...(setting === undefined ? [] : [{ rule: 'certainty' as const, text: `${setting}.` }]),
    ...[...unitSteps(summary).map((text) => `${text}.`), ...firstSteps(comparison, unit)].map(
      (text) => ({
        rule: 'step' as const,
        text,
      }),
    ),
  ];
}

const questions: Readonly<Partial<Record<BridgeStatement['rule'], Question>>> = {
  restated: 'way',
  years: 'way',
  direction: 'way',
  spend: 'why',
  suppliers: 'why',
  data: 'why',
  largest: 'who',
  limit: 'sure',
  own: 'sure',
  certainty: 'sure',
  step: 'steps',
};

/** Returns the statements with the questions that they answer; the first one is a title. */
export function bridgeAnswers(comparison: Comparison, summary: UnitTotals, unit?: string | null) {
  return asAnswers(bridgeStatements(comparison, summary, unit), questions);
}

function stepText(comparison: Comparison, step: BridgeStep, summary: UnitTotals): string {
  const { before, after } = comparison;
  const change = changeShare(step);
  const [from, to] = [step.before, step.after].map((amount) =>
    withUnit(amountInWords(amount), summary.unit),
  );
  const percent = change === null ? '' : ` (${signedShare(change)})`;
  if (isUnchanged(step))
    return after === null
      ? `With today's records, the footprint of ${before} is the same: ${to}.`
      : `Restated: no change in the footprint of ${before}.`;
  // Amounts that look equal differ by less than they show.
  if (isRestated(step))
    return from === to
      ? `With today's records, the footprint of ${before} is still ${to}${percent}.`
      : `With today's records, the footprint of ${before} is ${to} instead of ${from}${percent}.`;
  const [isKnown, isKnownNow] = [knowsFootprint(step, 'before'), knowsFootprint(step, 'after')];
  if (!isKnown && !isKnownNow)
    return `The footprints of ${before} and ${after} are unknown: no line item has emissions.`;
  if (!isKnown) return `The footprint of ${after} is ${to}; that of ${before} is unknown.`;
  if (!isKnownNow) return `The footprint of ${after} is unknown; that of ${before} was ${from}.`;
  if (change === null) return `The footprint of ${after} is ${to}; that of ${before} was ${from}.`;
  const without = withoutData(step);
  const cause = mainCauseOf(step);
  const main = cause === null ? '' : `, mainly because ${causeWords(cause)}`;
  if (without === undefined || cause?.cause === 'data')
    return `The footprint of ${after} is ${to}${doubtOfUnit(summary)}, ${signedShare(change)} since ${before} (${from})${main}.`;
  const size = shareText(Math.abs(without.emissions) / step.before);
  const moved =
    without.emissions === 0
      ? 'did not change'
      : `${without.emissions > 0 ? 'rose' : 'fell'} ${size}`;
  return `${capital(withoutDataChanges)}, your footprint ${moved} since ${before}${main}; as calculated, that of ${after} is ${to}${doubtOfUnit(summary, signedShare(change))}.`;
}

/** Whether a side of a step has emissions: a footprint without any is unknown, not 0. */
export function knowsFootprint(step: BridgeStep, side: 'before' | 'after'): boolean {
  return step[side] !== 0 || step.rows.some((row) => row[side]?.hasEmissions);
}

/** Returns the change without what only changes what is known; undefined without a difference. */
export function withoutData(step: BridgeStep) {
  const names = dataWords(step.effects);
  const emissions = withoutEffects(step);
  const share = signedShare(step.before > 0 ? emissions / step.before : null);
  if (isRestated(step) || share === signedShare(changeShare(step))) return undefined;
  return { emissions, total: step.before + emissions, share, what: `changes of ${listing(names)}` };
}

/*
 * Says how much of a change from year to year is from each cause, in percentage points that add up
 * to the change as it is shown.
 */
function causesOf(step: BridgeStep, unit: string | null): readonly BridgeStatement[] {
  const change = changeShare(step);
  if (isRestated(step) || change === null || step.effects.length === 0) return [];
  const causes = [
    ['direction', directionText(step, unit)],
    ['spend', boughtText(step)],
    ['suppliers', suppliersText(step)],
    ['data', dataText(step)],
  ] as const;
  return causes.flatMap(([rule, text]) => (text === undefined ? [] : [{ rule, text }]));
}

/* What was bought, and of which parts that is, if they are several. */
function boughtText(step: BridgeStep): string {
  const { parts, sum } = partsFrom(step, 'spend');
  const growth = spendGrowth(step);
  const where = isAllSpend(step) ? '' : ' where emissions are known';
  const has = (effect: Effect) => step.effects.some((each) => each.effect === effect);
  const included = [
    'prices',
    ...(has('new') ? ['new suppliers'] : []),
    ...(has('left') ? ['suppliers that left'] : []),
  ];
  const spend =
    growth === '' ? '' : ` (${growth}, including ${listing(included)}${higherText(step, sum)})`;
  const isOne = parts.length < 2 || parts.some(({ tenths }) => tenths === sum);
  const words: Readonly<Partial<Record<Effect, string>>> = {
    spend: 'from the suppliers of both years',
    new: 'from new suppliers',
    left: 'from suppliers that left',
  };
  const some = parts
    .filter(({ tenths }) => tenths !== 0)
    .map(({ effect, tenths }) => `${signedTenths(tenths)} ${words[effect]}`);
  const rest = isOne || some.length < 2 ? '' : `, of which ${listing(some)}`;
  // Later causes say points alone.
  return `${signedTenths(sum)} percentage points from your spend${where}${spend}${movedText(step, sum)}${rest}.`;
}

/* Readers take a part that is larger than the growth of the spend for a mistake. */
function higherText({ bought_before: then, bought_after: now }: BridgeStep, sum: number): string {
  const codes = Object.keys({ ...then, ...now });
  const growths = codes.map((code) => (now[code] ?? 0) / (then[code] ?? 0) - 1);
  const isHigher = growths.every((each) => each >= 0 && Math.round(1_000 * each) < sum);
  return isHigher ? '; more of it with suppliers of above-average emissions per unit of spend' : '';
}

/*
 * Explains emissions that fell although the spend rose in every currency, or the reverse: at the
 * mean factors, what was bought has other emissions per unit of spend then.
 */
function movedText(step: BridgeStep, sum: number): string {
  const { bought_before: then, bought_after: now, rows } = step;
  const codes = Object.keys({ ...then, ...now });
  const changes = spendWays(step);
  const way = -Math.sign(sum);
  const isContrary = changes.includes(way) && changes.every((each) => each === way || each === 0);
  if (way === 0 || !isContrary) return '';
  const moved = codes.filter((code) => {
    const some = rows.filter(({ currency }) => (currency ?? unknownCurrency) === code);
    const effect = totalOf(
      some.flatMap(({ effects }) => boughtEffects.map((each) => effects[each] ?? 0)),
    );
    return Math.sign(effect) === -way;
  });
  if (moved.length === 0) return '';
  const [rose, lower] = way > 0 ? ['rose', 'lower'] : ['fell', 'higher'];
  const per = moved.map((code) => (code === unknownCurrency ? 'unit of spend' : code));
  return `, although it ${rose}, because it moved to suppliers with ${lower} emissions per ${listing(per)}`;
}

/* Readers compare the growth with that of the whole spend, which is shown as well. */
function isAllSpend(step: BridgeStep): boolean {
  return (
    isSameSpend(step.bought_before, step.spend_before) &&
    isSameSpend(step.bought_after, step.spend_after)
  );
}

function isSameSpend(
  some: Readonly<Record<string, number>>,
  all: Readonly<Record<string, number>>,
): boolean {
  // Sums in another order may differ by rounding.
  return Object.entries(all).every(
    ([code, amount]) => Math.abs((some[code] ?? 0) - amount) <= 1e-9 * Math.abs(amount),
  );
}

/*
 * What the spend that the effect is of changed by in each currency: currencies are never added up.
 */
function spendGrowth({ bought_before: then, bought_after: now }: BridgeStep): string {
  const codes = [...new Set([...Object.keys(then), ...Object.keys(now)])].sort();
  return codes
    .filter((code) => then[code] || now[code])
    .map((code) => {
      const [from, to] = [then[code] ?? 0, now[code] ?? 0];
      const name = code === unknownCurrency ? 'no currency' : code;
      if (from > 0 && to >= 0) return `${name} ${signedShare(to / from - 1)}`;
      const [earlier, later] = [from, to].map((amount) => figure(amount).rounded);
      return from === 0 ? `${name} new` : `${name} from ${earlier} to ${later}`;
    })
    .join(', ');
}

/*
 * What suppliers did: revenue stands apart from what they emit, because it may be prices. The sum
 * may fall although they emit more, so that each has its direction in words; the table of the
 * causes has the points of each.
 */
function suppliersText(step: BridgeStep): string | undefined {
  const { parts, sum } = partsFrom(step, 'suppliers');
  const { known, all } = ownFigures(step);
  if (known === 0) return undefined;
  const revenue = parts.find(({ effect }) => effect === 'supplier_revenue');
  const emissions = parts.find(({ effect }) => effect === 'supplier_emissions')?.tenths ?? 0;
  if (revenue === undefined) return `${signedTenths(sum)} points from your suppliers' emissions.`;
  const their = known === 1 && all > 1 ? 'its' : 'their';
  const some = known === 1 ? 'only one has' : `${count.format(known)} suppliers have`;
  const ways = known === 1 ? '' : eachWay(step, 'supplier_emissions');
  const who = known < all ? `${some} own figures of both years` : '';
  const details = [who, ways].filter(Boolean).join(': ');
  const fromEmissions = `${partText(emissions)} from ${their} emissions${details === '' ? '' : ` (${details})`}`;
  // A higher revenue lowers emissions per revenue, so that it offsets more emissions.
  const [moved, less] = revenue.emissions < 0 ? ['rose', 'less'] : ['fell', 'more'];
  return `${signedTenths(sum)} points from your suppliers' emissions per revenue: ${fromEmissions}, ${partText(revenue.tenths)} from ${their} revenue, which ${moved}, so the same spend stands for ${less} of ${their} emissions.`;
}

function partText(tenths: number): string {
  return tenths === 0 ? 'nothing' : signedTenths(tenths);
}

/* What is known differently; the table of the causes says why. */
function dataText(step: BridgeStep): string | undefined {
  const { parts, sum } = partsFrom(step, 'data');
  if (parts.length === 0) return undefined;
  const what = listing(dataWords(step.effects));
  // The title has the change without them.
  const all =
    withoutData(step) === undefined ? '' : `, so ${signedShare(changeShare(step))} as calculated`;
  return `${signedTenths(sum)} points from data changes (${what})${all}: what is known has changed, not what was emitted.`;
}

/**
 * Says from what to what the emissions changed without data changes: to another amount than that of
 * the later footprint.
 */
export function amountsOfChange(step: BridgeStep, unit: string | null): string {
  const to = step.before + withoutEffects(step);
  const [then, now] = [step.before, to].map((amount) => amountInWords(amount));
  return `from ${then} to ${withUnit(now ?? '', unit)} had the data stayed the same`;
}

/** Says what the change without data changes is good for. */
export function useOfChange({ rows }: Pick<BridgeStep, 'rows'>): string {
  return rows.some(({ synthetic }) => synthetic)
    ? 'with real data, the one to use within your company'
    : 'use this one, within your company, to say how your purchases changed';
}

/* Which of two changes to use for what, or that there is one. */
function directionText(step: BridgeStep, unit: string | null): string {
  const [change, without] = [signedShare(changeShare(step)), withoutData(step)];
  if (without !== undefined)
    return `${without.share} ${withoutDataChanges} (${without.what}), ${amountsOfChange(step, unit)}: ${useOfChange(step)}.`;
  const isSame = !step.effects.some(({ effect }) => dataEffects.includes(effect));
  return isSame
    ? `${change}, none of it from data changes (of method, data or coverage).`
    : `${change}, with or without data changes (of ${listing(dataWords(step.effects))}).`;
}
