/* States what a comparison means: what changed, from what, and how sure it is. */
import { amountInWords } from '../../../display/terminal/figure.ts';
import { count, listing, naming, plural } from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { totalOf } from '../../organizations/sum.ts';
import { type BridgeRow, type BridgeStep, dataEffects, type Effect } from '../bridge.ts';
import type { Comparison } from '../compare.ts';
import { groupBy } from '../entries.ts';
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
  rowName,
  signedShare,
} from './bridge-words.ts';
import { signedTenths, tenthsAddingUp, tenthsOf } from './shares.ts';
import { originOf, shareText } from './words.ts';

/** A sentence about a comparison; the members of the summary have its numbers. */
export interface BridgeStatement {
  readonly rule: BridgeStep['step'] | 'causes' | 'certainty';
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
  const stated = [...explained, ...others].flatMap((step): BridgeStatement[] => {
    const causes = causesText(step);
    return [
      { rule: step.step, text: stepText(comparison, step, summary.unit ?? '') },
      ...(causes === undefined ? [] : [{ rule: 'causes' as const, text: causes }]),
    ];
  });
  const certainty = certaintyText(comparison, summary);
  return certainty === undefined ? stated : [...stated, { rule: 'certainty', text: certainty }];
}

/** What statements read of the totals of the years. */
type BridgeTotals = Pick<FootprintSummary, 'unit' | 'years'>;

/** Returns the statements as sentences. */
export function bridgeSentences(comparison: Comparison, summary: BridgeTotals): readonly string[] {
  return bridgeStatements(comparison, summary).map(({ text }) => text);
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
  if (most === 0) return 'How sure: none of the emissions are from industry averages.';
  const words = shares.map(({ year, share }, at) => {
    const of = at === 0 ? `of the emissions of ${year}` : `of those of ${year}`;
    return `${share === 0 ? 'none' : shareText(share)} ${of}`;
  });
  return `How sure: ${listing(words)} are from industry averages: ${useOf(most)}.`;
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
  if (from === to)
    return isRestated(step)
      ? `With today's records, the footprint of ${before} is still ${to}${percent}.`
      : `The footprint of ${after} is ${to}, like that of ${before}${percent}.`;
  return isRestated(step)
    ? `With today's records, the footprint of ${before} is ${to} instead of ${from}${percent}.`
    : `The footprint of ${after} is ${to}; that of ${before} was ${from}${percent}.`;
}

const bought: readonly Effect[] = ['spend', 'new', 'left'];

/* What each cause is about: what was bought, what suppliers did, and what is known of both. */
const causeGroups: readonly (readonly Effect[])[] = [
  bought,
  ['supplier_emissions', 'supplier_revenue'],
  dataEffects,
];

/**
 * Says how much of a change from year to year is from each cause, in percentage points that add up
 * to the change as it is shown. Revenue stands apart from what suppliers emit: it may be prices.
 */
function causesText(step: BridgeStep): string | undefined {
  const change = changeShare(step);
  if (isRestated(step) || change === null || step.effects.length === 0) return undefined;
  const { known, averages, all } = ownFigures(step);
  if (known === 0)
    return `No supplier's own emissions can be compared: none of ${plural(all, 'supplier')} has own figures of both years.`;
  const tenths = effectTenths(step);
  const pointsOf = (...some: readonly Effect[]) =>
    signedTenths(some.reduce((sum, effect) => sum + (tenths.get(effect) ?? 0), 0));
  const revenue = step.effects.some(({ effect }) => effect === 'supplier_revenue')
    ? `; their revenue: ${pointsOf('supplier_revenue')} (may be prices)`
    : '';
  const data = dataWords(step.effects);
  const others = averages === all - known ? 'the others' : count.format(averages);
  return [
    `${boughtText(step, tenths)}.`,
    `${effectWords.supplier_emissions}: ${pointsOf('supplier_emissions')}${revenue}.`,
    ...(data.length === 0
      ? []
      : [
          `${capital(listing(data))}: ${pointsOf(...dataEffects)}, no real change: without ${data.length === 1 ? 'it' : 'them'}, ${signedShare(realShare(step))}.`,
        ]),
    `${known} of ${plural(all, 'supplier')} ${known === 1 ? 'has' : 'have'} own figures of both years${averages === 0 ? '' : `; ${others} ${averages === 1 && others === '1' ? 'is' : 'are'} on averages`}.`,
  ].join(' ');
}

/* What was bought, and of which parts that is, if they are several. */
function boughtText(step: BridgeStep, tenths: ReadonlyMap<Effect | null, number>): string {
  const found = step.effects
    .filter(({ effect, share }) => bought.includes(effect) && share !== 0)
    .map(({ effect }) => ({ effect, tenths: tenths.get(effect) ?? 0 }))
    .sort((a, b) => Math.abs(b.tenths) - Math.abs(a.tenths));
  const sum = found.reduce((total, each) => total + each.tenths, 0);
  const points = `${signedTenths(sum)} percentage points`;
  const [first] = found;
  if (first === undefined) return `What you bought: ${points}`;
  if (found.length === 1 || first.tenths === sum)
    return `${boughtName(step, first.effect)}: ${points}`;
  const parts = found
    .filter((each) => each.tenths !== 0)
    .map((each) => `${lower(effectWords[each.effect])} ${signedTenths(each.tenths)}`);
  return `What you bought: ${points} (${parts.join(', ')})`;
}

/* The change without what only changes what is known. */
function realShare({ before, together, effects: all }: BridgeStep): number | null {
  const data = all.filter(({ effect }) => dataEffects.includes(effect));
  const sum = data.reduce((total, { emissions }) => total + emissions, 0);
  return before > 0 ? (together - sum) / before : null;
}

/* Names a cause; spend says in which direction it went, if that is one in every currency. */
function boughtName({ rows, effects: all }: BridgeStep, effect: Effect): string {
  if (effect !== 'spend') return effectWords[effect];
  const some = rows.filter((row) => 'spend' in row.effects);
  const changes = [...groupBy(some, ({ currency }) => currency).values()].map((ofCurrency) =>
    totalOf(ofCurrency.map(({ before, after }) => (after?.spend ?? 0) - (before?.spend ?? 0))),
  );
  const emissions = all.find((each) => each.effect === effect)?.emissions ?? 0;
  const isOne = changes.length > 0 && changes.every((each) => each * emissions > 0);
  return isOne ? `You spent ${emissions > 0 ? 'more' : 'less'}` : effectWords.spend;
}

/* Numbers of suppliers: with own figures of both years, with averages in one of them, and all. */
function ownFigures({ rows }: BridgeStep) {
  const suppliersOf = (some: readonly BridgeRow[]) =>
    new Set(some.map(({ id, name }) => id ?? name));
  const known = suppliersOf(rows.filter(isCompared));
  const averages = suppliersOf(rows.filter(isAverage));
  return {
    known: known.size,
    averages: [...averages].filter((each) => !known.has(each)).length,
    all: suppliersOf(rows).size,
  };
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
  const groups = causeGroups.map((effects) =>
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

/** What a page says after its table. */
export const priceNote =
  "Spend and revenue include price changes; only suppliers' emissions show a real change";

/** Says what a reader could misunderstand in a step. */
export function stepNotes({ steps, before }: Comparison, step: BridgeStep): readonly string[] {
  const change = changeShare(step);
  if (isRestated(step))
    return change !== null && Math.abs(change) >= 0.05
      ? ['At or above 5%: recalculate your base year (SBTi); your own policy may be stricter']
      : [];
  const effectOf = (effect: Effect) =>
    step.effects.find((each) => each.effect === effect)?.emissions ?? 0;
  const isSaid = /: without (?:it|them), /.test(causesText(step) ?? '');
  const hasData = dataEffects.some((effect) => effectOf(effect) !== 0);
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
    ...(isSaid || !hasData
      ? []
      : [`Without ${listing(dataWords(step.effects))}: ${signedShare(realShare(step))}`]),
    ...(isRounded(step)
      ? ['Parts are rounded so that they add up: one may differ by 0.1 from its own rounding']
      : []),
    priceNote,
    ...(effectOf('new') !== 0 || effectOf('left') !== 0
      ? ['New and lost suppliers reflect purchasing, not climate action']
      : []),
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
