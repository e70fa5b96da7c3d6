/* States what a comparison means: what changed, from what, and how sure it is. */
import { asAnswers, type Question } from '../../../display/terminal/answers.ts';
import { amountInWords } from '../../../display/terminal/figure.ts';
import { count, listing, naming, plural } from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { totalOf } from '../../organizations/sum.ts';
import {
  type BridgeRow,
  type BridgeStep,
  boughtEffects,
  dataEffects,
  type Effect,
} from '../bridge.ts';
import type { Comparison } from '../compare.ts';
import { unknownCurrency } from '../entries.ts';
import { useOf } from '../statements.ts';
import type { FootprintSummary } from '../totals.ts';
import {
  changeShare,
  dataWords,
  effectWords,
  explainedSteps,
  isRestated,
  isUnchanged,
  lower,
  reasonText,
  rowName,
  signedShare,
} from './bridge-words.ts';
import { signedTenths, tenthsAddingUp, tenthsOf } from './shares.ts';
import { originOf, shareText } from './words.ts';

/** What a cause is about: what was bought, what suppliers did, and what is known of both. */
export type Cause = 'spend' | 'suppliers' | 'data';

/** A sentence about a comparison; the members of the summary have its numbers. */
export interface BridgeStatement {
  readonly rule: BridgeStep['step'] | Cause | 'certainty';
  readonly text: string;
}

/**
 * States what each step changed, how much of that is from each cause, and how sure it is; a step
 * without a change comes after those with one.
 */
export function bridgeStatements(
  comparison: Comparison,
  summary: BridgeTotals,
): readonly BridgeStatement[] {
  const explained = explainedSteps(comparison);
  const others = comparison.steps.filter((step) => !explained.includes(step));
  const stated = [...explained, ...others].flatMap((step): BridgeStatement[] => [
    { rule: step.step, text: stepText(comparison, step, summary.unit ?? '') },
    ...causesOf(comparison, step),
  ]);
  const certainty = certaintyText(comparison, summary);
  return certainty === undefined ? stated : [...stated, { rule: 'certainty', text: certainty }];
}

/** What statements read of the totals of the years. */
type BridgeTotals = Pick<FootprintSummary, 'unit' | 'years'>;

const questions: Readonly<Partial<Record<BridgeStatement['rule'], Question>>> = {
  restated: 'way',
  years: 'way',
  spend: 'why',
  suppliers: 'why',
  data: 'why',
  certainty: 'sure',
};

/** Returns the statements with the questions that they answer; the first one is a title. */
export function bridgeAnswers(comparison: Comparison, summary: BridgeTotals) {
  return asAnswers(bridgeStatements(comparison, summary), questions);
}

/* How much of each year is from industry averages, and what that is good for. */
function certaintyText({ before, after }: Comparison, { years }: BridgeTotals): string | undefined {
  const shares = years.flatMap((totals) => {
    const { year } = totals;
    if (year === null || (year !== before && year !== after)) return [];
    const parts = originOf(totals);
    const share = parts.find(({ basis }) => basis === 'industry')?.share ?? 0;
    // After credit notes, a part may be negative, so that the others are more than the whole.
    const isPart = parts.length > 0 && parts.every((each) => (each.share ?? -1) >= 0);
    return isPart && share !== null ? [{ year, share }] : [];
  });
  if (shares.length === 0) return undefined;
  const most = Math.max(...shares.map(({ share }) => share));
  if (most === 0) return 'None of the emissions are from industry averages.';
  const words = shares.map(({ year, share }, at) => {
    const of = at === 0 ? `of the emissions of ${year}` : `of those of ${year}`;
    return `${share === 0 ? 'none' : shareText(share)} ${of}`;
  });
  return `${capital(listing(words))} are from industry averages: ${useOf(most)}.`;
}

function stepText(comparison: Comparison, step: BridgeStep, unit: string): string {
  const { before, after } = comparison;
  const change = changeShare(step);
  const [from, to] = [step.before, step.after].map((amount) =>
    `${amountInWords(amount)} ${unit}`.trimEnd(),
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
  return `The footprint of ${after} is ${to}, ${signedShare(change)} since ${before} (${from})${mainCause(step)}.`;
}

/** Whether a side of a step has emissions: a footprint without any is unknown, not 0. */
export function knowsFootprint(step: BridgeStep, side: 'before' | 'after'): boolean {
  return step[side] !== 0 || step.rows.some((row) => row[side]?.hasEmissions);
}

/* Names a cause that is larger than all others together, whatever they do. */
function mainCause(step: BridgeStep): string {
  const parts = (Object.keys(causeGroups) as Cause[])
    .map((cause) => ({ cause, size: Math.abs(partsOf(step, cause).sum) }))
    .sort((a, b) => b.size - a.size);
  const [main, ...others] = parts;
  const rest = others.reduce((sum, { size }) => sum + size, 0);
  if (main === undefined || main.size <= rest) return '';
  const data = `changes of ${listing(dataWords(step.effects))}`;
  const names = { spend: 'your spend', suppliers: "your suppliers' emissions and revenue", data };
  return `, mainly because of ${names[main.cause]}`;
}

/* Says what something did, from a share: "rose 9.4%". */
function changedText(share: number): string {
  if (share === 0) return 'did not change';
  return `${share > 0 ? 'rose' : 'fell'} ${shareText(Math.abs(share))}`;
}

/** Returns the change without what only changes what is known; undefined without a difference. */
export function withoutData(step: BridgeStep) {
  const names = dataWords(step.effects);
  const data = step.effects.filter(({ effect }) => dataEffects.includes(effect));
  const emissions = step.together - totalOf(data.map((each) => each.emissions));
  const share = signedShare(step.before > 0 ? emissions / step.before : null);
  if (isRestated(step) || share === signedShare(changeShare(step))) return undefined;
  const rose = changedText(emissions / step.before);
  return { emissions, share, rose, what: `without changes of ${listing(names)}` };
}

/* The effects of each cause. */
const causeGroups: Readonly<Record<Cause, readonly Effect[]>> = {
  spend: boughtEffects,
  suppliers: ['supplier_emissions', 'supplier_revenue'],
  data: dataEffects,
};

/*
 * Says how much of a change from year to year is from each cause, in parts of the earlier footprint
 * that add up to the change as it is shown.
 */
function causesOf(comparison: Comparison, step: BridgeStep): readonly BridgeStatement[] {
  const change = changeShare(step);
  if (isRestated(step) || change === null || step.effects.length === 0) return [];
  const causes = [
    ['spend', boughtText(comparison, step)],
    ['suppliers', suppliersText(comparison, step)],
    ['data', dataText(step)],
  ] as const;
  return causes.flatMap(([rule, text]) => (text === undefined ? [] : [{ rule, text }]));
}

/* Writes tenths of a percent as what a cause does: "adds 2.5%". */
function doesWords(tenths: number, adds = 'adds', takes = 'takes off'): string {
  const size = `${(Math.abs(tenths) / 10).toFixed(1)}%`;
  return tenths === 0 ? `${adds} ${size}` : `${tenths > 0 ? adds : takes} ${size}`;
}

/* The effects of a cause with their shares as shown. */
function partsOf(step: BridgeStep, cause: Cause) {
  const tenths = effectTenths(step);
  const parts = step.effects
    .filter(({ effect, share }) => causeGroups[cause].includes(effect) && share !== 0)
    .map((each) => ({ ...each, tenths: tenths.get(each.effect) ?? 0 }));
  return { parts, sum: parts.reduce((sum, each) => sum + each.tenths, 0) };
}

/* What was bought, and of which parts that is, if they are several. */
function boughtText({ before }: Comparison, step: BridgeStep): string {
  const { parts, sum } = partsOf(step, 'spend');
  const growth = spendGrowth(step);
  // Readers compare the growth with the whole spend, which is shown as well.
  const isAll =
    isSameSpend(step.bought_before, step.spend_before) &&
    isSameSpend(step.bought_after, step.spend_after);
  const bought = `Your spend${isAll ? '' : ' with emissions'}`;
  const spend = growth === '' ? 'Your spend' : `${bought} (${growth})`;
  const isOne = parts.length < 2 || parts.some(({ tenths }) => tenths === sum);
  const words: Readonly<Partial<Record<Effect, string>>> = {
    spend: 'from the suppliers of both years',
    new: 'from new suppliers',
    left: 'from suppliers that left',
  };
  const some = parts
    .filter(({ tenths }) => tenths !== 0)
    .map(({ effect, tenths }) => `${signedTenths(tenths)}% ${words[effect]}`);
  const rest = isOne || some.length < 2 ? '' : `: ${listing(some)}`;
  const size = `${(Math.abs(sum) / 10).toFixed(1)}%`;
  const does = sum < 0 ? `takes ${size} off` : `adds ${size} to`;
  return `${spend} ${does} the footprint of ${before}${rest}.`;
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
      return from === 0 ? `${name} new` : name;
    })
    .join(', ');
}

/* What suppliers did: revenue stands apart from what they emit, because it may be prices. */
function suppliersText({ before }: Comparison, step: BridgeStep): string {
  const { known, averages, all, growth, share } = ownFigures(step);
  if (known === 0) {
    const who = all === 1 ? 'the only supplier has no' : `none of ${plural(all, 'supplier')} has`;
    return `No supplier's own emissions can be compared: ${who} own figures of both years.`;
  }
  const { parts, sum } = partsOf(step, 'suppliers');
  const tenthsIn = (effect: Effect) => parts.find((each) => each.effect === effect)?.tenths ?? 0;
  const revenue = parts.find(({ effect }) => effect === 'supplier_revenue');
  const [emissions, divided] = [tenthsIn('supplier_emissions'), tenthsIn('supplier_revenue')];
  const kind = (revenue?.emissions ?? 0) < 0 ? 'higher' : 'lower';
  const does =
    revenue === undefined
      ? ''
      : `: their emissions ${doesWords(emissions, 'add', 'take off')}, their ${kind} revenue ${doesWords(divided)}`;
  const number =
    known < all
      ? `Only ${count.format(known)} of ${plural(all, 'supplier')}`
      : plural(all, 'supplier');
  const part = share === null ? '' : ` (${shareText(share)} of the footprint of ${before})`;
  const own = `${number} ${known === 1 ? 'has' : 'have'} own figures of both years${part}`;
  const rise =
    growth === null
      ? ''
      : `: ${known === 1 ? 'its' : 'their'} emissions ${changedText(growth)}${known === 1 ? '' : ', weighted by your spend'}`;
  const rest =
    averages === 0 ? '' : ` Of the ${plural(averages, 'supplier')} on averages, nothing is known.`;
  return `Your suppliers ${doesWords(sum, 'add', 'take off')}${does}. ${own}${rise}.${rest}`;
}

/* What is known differently, and why. */
function dataText(step: BridgeStep): string | undefined {
  const { parts, sum } = partsOf(step, 'data');
  if (parts.length === 0) return undefined;
  const names = listing(dataWords(step.effects));
  const why = parts
    .filter(({ tenths }) => tenths !== 0)
    .map(({ effect, tenths, reasons: [reason, ...others] }) => {
      const what = reason === undefined ? lower(effectWords[effect]) : reasonText(reason);
      return `${signedTenths(tenths)}%: ${what}${others.length === 0 ? '' : ' and others'}`;
    });
  const reasons = why.length === 0 ? '' : ` (${why.join('; ')})`;
  const without = withoutData(step);
  const rest = without === undefined ? '' : ` Without them, the footprint ${without.rose}.`;
  return `Changes of ${names} ${doesWords(sum, 'add', 'take off')}${reasons}: what is known has changed, not what was emitted.${rest}`;
}

/*
 * Numbers of suppliers: those with own figures of both years, those with an average in one of them,
 * and all. Those with own figures have a share of the footprint before, and a growth of their
 * emissions at equal spend and revenue, the means of both years.
 */
function ownFigures({ rows, before: total }: BridgeStep) {
  const suppliersOf = (some: readonly BridgeRow[]) =>
    new Set(some.map(({ id, name }) => id ?? name));
  const compared = rows.filter(isCompared);
  const part = totalOf(compared.map(emissionsOnceBefore));
  const known = suppliersOf(compared);
  const averages = suppliersOf(rows.filter(isAverage));
  return {
    known: known.size,
    averages: [...averages].filter((each) => !known.has(each)).length,
    all: suppliersOf(rows).size,
    growth:
      part > 0
        ? totalOf(compared.map(({ effects }) => effects.supplier_emissions ?? 0)) / part
        : null,
    share: total > 0 ? totalOf(compared.map(({ before }) => before?.emissions ?? 0)) / total : null,
  };
}

/* The emissions of the supplier before, allocated by the mean spend and revenue of both years. */
function emissionsOnceBefore({ before, after }: BridgeRow): number {
  const [from, to] = [before?.source, after?.source];
  const [r0, r1] = [from?.revenue ?? 0, to?.revenue ?? 0];
  const emissions = (from?.factor ?? 0) * r0;
  const spend = ((before?.spend ?? 0) + (after?.spend ?? 0)) / 2;
  return ((emissions * (1 / r0 + 1 / r1)) / 2) * spend;
}

function isAverage({ before, after }: BridgeRow): boolean {
  return [before, after].some((side) => side?.source?.basis === 'industry');
}

/* The same figures on both sides show no change. */
function isCompared({ effects, usesSameFigures }: BridgeRow): boolean {
  return 'supplier_emissions' in effects && !usesSameFigures;
}

/**
 * Returns the shares of the effects in tenths of a percent, as every view shows them: those of a
 * sentence add up to it, and the sentences to the change.
 */
export function effectTenths(step: BridgeStep): ReadonlyMap<Effect | null, number> {
  const groups = Object.values(causeGroups).map((effects) =>
    step.effects.filter(({ effect }) => effects.includes(effect)),
  );
  const sharesOf = (some: BridgeStep['effects']) => some.map(({ share }) => share ?? 0);
  const sums = tenthsAddingUp(
    groups.map((some) => totalOf(sharesOf(some))),
    tenthsOf(changeShare(step) ?? 0),
  );
  const pairs = groups.flatMap((some, at) => {
    const tenths = tenthsAddingUp(sharesOf(some), sums[at] ?? 0);
    return some.map(({ effect }, index) => [effect, tenths[index] ?? 0] as const);
  });
  return new Map(pairs);
}

/** Says what a reader could misunderstand in a step. */
export function stepNotes({ steps, before }: Comparison, step: BridgeStep): readonly string[] {
  const change = changeShare(step);
  if (isRestated(step))
    return change !== null && Math.abs(change) >= 0.05
      ? ['At or above 5%: recalculate your base year (SBTi); your own policy may be stricter']
      : [];
  const published = steps.find(isRestated)?.before;
  const naive = published ? step.after / published - 1 : null;
  const { sameFigures } = step;
  const uncounted = (side: 'before' | 'after', one: string, several: string) => {
    const names = uncountedNames(step, side);
    if (names.length === 0) return [];
    const are = names.length === 1 ? 'is' : 'are';
    const who = plural(names.length, one, several);
    return [`${who} without emissions ${are} not counted (${naming(names)})`];
  };
  return [
    'Changes of spend and revenue include prices',
    ...uncounted('after', 'new supplier', 'new suppliers'),
    ...uncounted('before', 'supplier that left', 'suppliers that left'),
    ...(sameFigures
      ? [
          `${shareText(sameFigures)} uses the same figures in both years, so no change can show there`,
        ]
      : []),
    ...(naive !== null && change !== null && Math.abs(naive - change) > 0.01
      ? [
          `Compared with the published ${before}, it would be ${signedShare(naive)}, which includes the restatement`,
        ]
      : []),
    ...(isRounded(step) ? ['Parts are rounded so that they add up: one may be off by 0.1'] : []),
  ];
}

/* Whether a part as it is shown is not what it rounds to alone. */
function isRounded(step: BridgeStep): boolean {
  const tenths = effectTenths(step);
  return step.effects.some(({ effect, share }) => tenthsOf(share ?? 0) !== tenths.get(effect));
}

/* Suppliers of one side that no effect counts, because they have no emissions. */
function uncountedNames({ rows }: BridgeStep, side: 'before' | 'after'): readonly string[] {
  const lone = rows.filter((row) => {
    const isLone = side === 'after' ? 'new' in row.effects : 'left' in row.effects;
    return isLone && row[side]?.hasEmissions === false;
  });
  return [...new Map(lone.map((row) => [row.id ?? row.name, rowName(row)])).values()];
}
