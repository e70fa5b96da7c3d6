/* States what a comparison means: what changed, from what, and how sure it is. */
import { amountInWords } from '../../../display/terminal/figure.ts';
import { count, listing, naming, plural } from '../../../display/terminal/format.ts';
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
import { signedPart, tenthsAddingUp, tenthsOf } from './shares.ts';
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

/* What each cause is about: what was bought, what suppliers did, and what is known of both. */
const causeGroups: readonly (readonly Effect[])[] = [
  ['spend', 'new', 'left'],
  ['supplier_emissions', 'supplier_revenue'],
  dataEffects,
];

/**
 * Says how much of a change from year to year is from what was bought, from what suppliers did, and
 * from data, in percentage points that add up to the change as it is shown.
 */
function causesText(step: BridgeStep): string | undefined {
  const change = changeShare(step);
  if (isRestated(step) || change === null || step.effects.length === 0) return undefined;
  const { known, all } = ownFigures(step);
  if (known === 0)
    return `No supplier's own emissions can be compared: none of ${plural(all, 'supplier')} has own figures of both years.`;
  const tenths = effectTenths(step);
  const of = `${count.format(known)} of ${plural(all, 'supplier')} ${known === 1 ? 'has' : 'have'} figures of both years`;
  const groups = causeGroups.map((effects) => groupOf(step, effects, tenths));
  const isUnit = groups.findIndex(({ points }) => points !== nothing);
  const [bought = '', own = '', data = ''] = groups.map(({ points, list }, at) => {
    const much = `${points}${at === isUnit ? ' percentage points' : ''}`;
    const are = at === 1 ? '' : points === nothing ? ' is' : ' are';
    const from = [' from what you bought', ' from what suppliers did', ' no real change'][at];
    const inside = [...list, ...(at === 1 ? [of] : [])].join('; ');
    return `${much}${are}${from}${inside === '' ? '' : ` (${inside})`}`;
  });
  const sentence = `Of the ${signedShare(change)}, ${bought}, ${own}.`;
  if (groups.at(-1)?.points === nothing) return sentence;
  return `${sentence} ${data}: without them, ${signedShare(realShare(step))}.`;
}

const nothing = 'nothing';

/* The points of effects together, and of which parts they are, if there are several. */
function groupOf(
  step: BridgeStep,
  effects: readonly Effect[],
  tenths: ReadonlyMap<Effect | null, number>,
) {
  const found = step.effects
    .filter(({ effect, share }) => effects.includes(effect) && share !== 0)
    .map(({ effect, share }) => ({ effect, share: share ?? 0, tenths: tenths.get(effect) ?? 0 }))
    .sort((a, b) => Math.abs(b.tenths) - Math.abs(a.tenths));
  const [first] = found;
  if (first === undefined) return { points: nothing, list: [] };
  const sum = found.reduce((total, each) => total + each.tenths, 0);
  const points = signedPart(totalOf(found.map((each) => each.share)), sum);
  // What suppliers emit is what a reader asks for, even if nothing is from it.
  const wanted = effects.includes('supplier_emissions');
  if (!wanted && (found.length === 1 || first.tenths === sum))
    return { points, list: onlyName(step, first.effect) };
  const words = found
    .filter((each) => wanted || each.tenths !== 0)
    .map((each) => `${signedPart(each.share, each.tenths)} from ${causeName(each.effect)}`);
  const isEmitted = found.some(({ effect }) => effect === 'supplier_emissions');
  const rest = wanted && !isEmitted ? [`nothing from ${causeName('supplier_emissions')}`] : [];
  return { points, list: [[...words, ...rest].join(', ')] };
}

/* The change without what only changes what is known. */
function realShare({ before, together, effects: all }: BridgeStep): number | null {
  const data = all.filter(({ effect }) => dataEffects.includes(effect));
  const sum = data.reduce((total, { emissions }) => total + emissions, 0);
  return before > 0 ? (together - sum) / before : null;
}

function causeName(effect: Effect): string {
  if (effect === 'supplier_emissions') return 'their emissions';
  return effect === 'supplier_revenue' ? 'their revenue' : lower(effectWords[effect]);
}

/* Names the cause of all points; of spend, in which direction it went, if in every currency. */
function onlyName({ rows, effects: all }: BridgeStep, effect: Effect): readonly string[] {
  if (effect !== 'spend') return [causeName(effect)];
  const some = rows.filter((row) => 'spend' in row.effects);
  const changes = [...groupBy(some, ({ currency }) => currency).values()].map((ofCurrency) =>
    totalOf(ofCurrency.map(({ before, after }) => (after?.spend ?? 0) - (before?.spend ?? 0))),
  );
  const emissions = all.find((each) => each.effect === effect)?.emissions ?? 0;
  const isOne = changes.length > 0 && changes.every((each) => each * emissions > 0);
  return isOne ? [`you spent ${emissions > 0 ? 'more' : 'less'}`] : [];
}

/* Numbers of suppliers: those with own figures of both years, and all. */
function ownFigures({ rows }: BridgeStep) {
  const number = (some: readonly BridgeRow[]) =>
    new Set(some.map(({ id, name }) => id ?? name)).size;
  return {
    known: number(rows.filter(isCompared)),
    all: number(rows),
  };
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
  const isSaid = causesText(step)?.includes(': without them, ') ?? false;
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
  return step.effects.some(({ effect, share }) => {
    const alone = tenthsOf(share ?? 0);
    return share !== 0 && (alone === 0 || alone !== tenths.get(effect));
  });
}

/* Suppliers of one side that no effect counts, because they have no emissions. */
function uncountedNames({ rows }: BridgeStep, side: 'before' | 'after'): readonly string[] {
  const lone = rows.filter((row) => {
    const isLone = side === 'after' ? 'new' in row.effects : 'left' in row.effects;
    return isLone && row[side]?.hasEmissions === false;
  });
  return [...new Map(lone.map((row) => [row.id ?? row.name, rowName(row)])).values()];
}
