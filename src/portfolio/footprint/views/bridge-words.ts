/* What a comparison means, in sentences: what changed, why, and whom to ask. */
import { amountInWords, figure } from '../../../display/terminal/figure.ts';
import {
  andMore,
  count,
  cut,
  dateText,
  listing,
  naming,
  plural,
} from '../../../display/terminal/format.ts';
import { totalOf } from '../../organizations/sum.ts';
import {
  type BridgeRow,
  type BridgeStep,
  changesBySupplier,
  dataEffects,
  type Effect,
  hasReason,
  type SupplierChange,
} from '../bridge.ts';
import { type AskedSupplier, type BridgeAsk, isLarger } from '../bridge-asks.ts';
import type { Comparison } from '../compare.ts';
import { groupBy, unknownCurrency } from '../entries.ts';
import { findingsOf } from '../missing-figures.ts';
import { signedPart, signedTenths, tenthsAddingUp, tenthsOf } from './shares.ts';
import { shareText, supplierName } from './words.ts';

/** Names the effects. */
export const effectWords: Readonly<Record<Effect, string>> = {
  spend: 'Your spend',
  supplier_emissions: "Suppliers' emissions",
  supplier_revenue: "Suppliers' revenue",
  method_and_data: 'Method and data',
  coverage: 'Coverage',
  currency_change: 'Currency',
  new: 'New suppliers',
  left: 'Suppliers left',
};

export function titleOf({ before, after, steps }: Comparison): string {
  if (after !== null) return `Footprint of ${after} compared with ${before}`;
  return `Footprint of ${before}${steps.some(isRestated) ? ' restated' : ''}`;
}

export function stepTitle({ before, after }: Comparison, step: BridgeStep): string {
  return isRestated(step)
    ? `Why ${before} was restated`
    : `What changed from ${before} to ${after ?? before}`;
}

/*
 * Names the records of a step: those of the day, those that were published, or the latest.
 * @param writtenAt when the comparison was made, ISO 8601
 */
export function recordsText({ since, isSaved }: Comparison, writtenAt: string): string {
  if (isSaved) return 'as published';
  return since === null ? latestRecordsText(writtenAt) : `records of ${dateText(since)}`;
}

export function latestRecordsText(writtenAt: string): string {
  return `records of ${dateText(writtenAt.slice(0, 10))}`;
}

/** Tells whether a step compares records of two days. */
export function isRestated({ step }: BridgeStep): boolean {
  return step === 'restated';
}

/** Tells whether a step restated nothing, so that a line says all of it. */
function isUnchanged(step: BridgeStep): boolean {
  return isRestated(step) && step.together === 0 && step.effects.length === 0;
}

/** Returns the steps with something to explain. */
export function explainedSteps({ steps }: Comparison): readonly BridgeStep[] {
  return steps.filter((step) => !isUnchanged(step));
}

/** A sentence about a comparison; the members of the summary have its numbers. */
export interface BridgeStatement {
  readonly rule: BridgeStep['step'] | 'causes';
  readonly text: string;
}

/**
 * States what each step changed, and how much of that is from each cause; a step without a change
 * is the last.
 * @param unit follows the amounts, unless it is empty
 */
export function bridgeStatements(comparison: Comparison, unit: string): readonly BridgeStatement[] {
  const explained = explainedSteps(comparison);
  const others = comparison.steps.filter((step) => !explained.includes(step));
  return [...explained, ...others].flatMap((step) => {
    const causes = causesText(step);
    return [
      { rule: step.step, text: stepText(comparison, step, unit) },
      ...(causes === undefined ? [] : [{ rule: 'causes' as const, text: causes }]),
    ];
  });
}

/** Returns the statements as sentences. */
export function bridgeSentences(comparison: Comparison, unit: string): readonly string[] {
  return bridgeStatements(comparison, unit).map(({ text }) => text);
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

/**
 * Says how much of a change from year to year is from each cause, the largest first, in percentage
 * points that add up to the change as it is shown. Suppliers' emissions and revenue stand together:
 * their sum is what emissions per revenue changed.
 */
function causesText(step: BridgeStep): string | undefined {
  const change = changeShare(step);
  if (isRestated(step) || change === null || step.effects.length === 0) return undefined;
  const { known, all } = ownFigures(step);
  if (known === 0)
    return `No supplier's own emissions can be compared: none of ${plural(all, 'supplier')} has own figures of both years.`;
  const tenths = effectTenths(step);
  const parts: CausePart[] = step.effects
    .filter(({ effect }) => !ofSuppliers.includes(effect) && tenths.get(effect) !== 0)
    .map(({ effect, share }) => ({
      size: Math.abs(tenths.get(effect) ?? 0),
      tenths: tenths.get(effect) ?? 0,
      words: [[signedPart(share ?? 0, tenths.get(effect) ?? 0), causeName(step, effect)]],
    }));
  const own = ownPart(step, tenths, known, all);
  const shown = parts.sort(bySize).slice(0, maxCauses - own.words.length + 1);
  const rest = parts.slice(shown.length).reduce((sum, each) => sum + each.tenths, 0);
  const words = [...shown, own].sort(bySize).flatMap((each) => each.words);
  if (rest !== 0) words.push([signedTenths(rest), 'all else']);
  const isUnit = words.findIndex(([points]) => points !== nothing);
  const texts = words.map(([points, name], at) => {
    const much = at === isUnit ? `${points} percentage points` : points;
    const are = at > 0 ? '' : points === nothing ? 'is ' : 'are ';
    return `${much} ${are}from ${name}`;
  });
  return `Of the ${signedShare(change)}, ${texts.join(', ')}.`;
}

/* Points with names of causes; the largest of them, as shown, gives the place. */
interface CausePart {
  readonly size: number;
  readonly tenths: number;
  readonly words: readonly (readonly [points: string, name: string])[];
}

function bySize(a: CausePart, b: CausePart): number {
  return b.size - a.size;
}

const nothing = 'nothing';
const ofSuppliers: readonly Effect[] = ['supplier_emissions', 'supplier_revenue'];

/* What the suppliers' emissions and their revenue changed, the larger one first, and together. */
function ownPart(
  step: BridgeStep,
  tenths: ReadonlyMap<Effect | null, number>,
  known: number,
  all: number,
): CausePart {
  const found = ofSuppliers
    .map((effect) => ({
      effect,
      share: step.effects.find((each) => each.effect === effect)?.share ?? 0,
      tenths: tenths.get(effect) ?? 0,
    }))
    .filter(({ effect, share }) => share !== 0 || effect === 'supplier_emissions')
    .sort((a, b) => Math.abs(b.tenths) - Math.abs(a.tenths));
  const sum = found.reduce((total, each) => total + each.tenths, 0);
  const of = `${count.format(known)} of ${plural(all, 'supplier')} ${known === 1 ? 'has' : 'have'} figures of both years`;
  const together =
    found.every(({ share }) => share !== 0) && found.length > 1
      ? `together ${signedTenths(sum)} from their emissions per revenue; `
      : '';
  const words = found.map(({ effect, share, tenths: part }, at) => {
    const what = effect === 'supplier_emissions' ? 'emissions' : 'revenue';
    const name = at === 0 ? `suppliers' ${what}` : `their ${what}`;
    const last = at === found.length - 1 ? ` (${together}${of})` : '';
    return [share === 0 ? nothing : signedPart(share, part), `${name}${last}`] as const;
  });
  return { size: Math.abs(found[0]?.tenths ?? 0), tenths: sum, words };
}

/* Says of spend in which direction it went, if that is one in every currency. */
function causeName({ rows, effects: all }: BridgeStep, effect: Effect): string {
  const name = lower(effectWords[effect]);
  if (effect !== 'spend') return name;
  const some = rows.filter((row) => 'spend' in row.effects);
  const changes = [...groupBy(some, ({ currency }) => currency).values()].map((ofCurrency) =>
    totalOf(ofCurrency.map(({ before, after }) => (after?.spend ?? 0) - (before?.spend ?? 0))),
  );
  const emissions = all.find((each) => each.effect === effect)?.emissions ?? 0;
  const isOne = changes.length > 0 && changes.every((each) => each * emissions > 0);
  if (!isOne) return name;
  return `${name} (you spent ${emissions > 0 ? 'more' : 'less'})`;
}

const maxCauses = 3;

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
 * Returns the shares of the effects in tenths of a percent, as every view shows them: they add up
 * to the change.
 */
export function effectTenths(step: BridgeStep): ReadonlyMap<Effect | null, number> {
  const { effects: all } = step;
  const shares = all.map(({ share }) => share ?? 0);
  const tenths = tenthsAddingUp(shares, tenthsOf(changeShare(step) ?? 0));
  return new Map(all.map(({ effect }, at) => [effect, tenths[at] ?? 0]));
}

function lower(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** Says what caused most of a supplier's change: the largest effect, and the reason for it. */
export function causeText(rows: readonly BridgeRow[]): string {
  const sizeIn = ({ effects }: BridgeRow, effect: Effect) => Math.abs(effects[effect] ?? 0);
  const size = (effect: Effect) =>
    Math.abs(rows.reduce((sum, { effects }) => sum + (effects[effect] ?? 0), 0));
  const found = new Set(rows.flatMap(({ effects }) => Object.keys(effects) as Effect[]));
  const [largest] = [...found].sort((a, b) => size(b) - size(a));
  if (largest === undefined) return '';
  const [row] = rows.toSorted((a, b) => sizeIn(b, largest) - sizeIn(a, largest));
  const reason = row?.reason ?? null;
  const why = hasReason(largest) && reason !== null ? `: ${reasonText(reason)}` : '';
  return `${effectWords[largest]}${why}`;
}

/** Names the effects that are no real change, of those that occur. */
export function dataWords(found: readonly { readonly effect: Effect }[]): readonly string[] {
  return dataEffects
    .filter((effect) => found.some((each) => each.effect === effect))
    .flatMap((effect) => lower(effectWords[effect]).split(' and '));
}

const maxLargest = 4;

/** Names the suppliers with the largest changes of a step; undefined if nothing changed. */
export function largestText(step: BridgeStep, unit: string | null): string | undefined {
  const words = changedSuppliers(step, maxLargest).map(({ rows, change }) => {
    const currencies = rows.map(({ currency }) => currency ?? unknownCurrency).sort();
    const all = currencies.length === 1 ? '' : `(${listing(currencies)})`;
    const amount = `${signedAmount(change)} ${unit ?? ''}`.trimEnd();
    return `${rowName(rows[0])} ${amount} ${all}`.trimEnd();
  });
  return words.length === 0 ? undefined : words.join(', ');
}

/** Returns the suppliers with the largest changes of a step, over all of their currencies. */
export function changedSuppliers({ rows }: BridgeStep, max: number): readonly SupplierChange[] {
  return changesBySupplier(rows)
    .filter(({ change }) => change !== 0)
    .slice(0, max);
}

export function reasonText(reason: string): string {
  return reason === 'categories' || reason === 'region' ? `other ${reason}` : reason;
}

export function rowName({ name, id }: BridgeRow): string {
  return supplierName({ supplier: name, id });
}

export function changeShare({ before, together }: BridgeStep): number | null {
  return before > 0 ? together / before : null;
}

function signed(value: number, write: (size: number) => string): string {
  const written = write(Math.abs(value));
  return value === 0 ? written : `${value < 0 ? '−' : '+'}${written}`;
}

export function signedShare(share: number | null): string {
  return share === null ? '–' : signed(share, shareText);
}

export function signedAmount(value: number): string {
  return signed(value, (size) => figure(size).rounded);
}

/** Says what a reader could misunderstand in a step. */
export function stepNotes({ steps, before }: Comparison, step: BridgeStep): readonly string[] {
  const change = changeShare(step);
  if (isRestated(step))
    return change !== null && Math.abs(change) >= 0.05
      ? ['At or above 5%: recalculate your base year (SBTi); your own policy may be stricter']
      : [];
  const effectOf = (effect: Effect) =>
    step.effects.find((each) => each.effect === effect)?.emissions ?? 0;
  const data = dataEffects.map(effectOf).reduce((sum, effect) => sum + effect, 0);
  const real = step.before > 0 ? (step.together - data) / step.before : null;
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
    ...(data === 0 ? [] : [`Without ${listing(dataWords(step.effects))}: ${signedShare(real)}`]),
    "Spend and revenue include price changes; only suppliers' emissions show a real change",
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

/* Suppliers of one side that no effect counts, because they have no emissions. */
function uncountedNames({ rows }: BridgeStep, side: 'before' | 'after'): readonly string[] {
  const lone = rows.filter((row) => {
    const isLone = side === 'after' ? 'new' in row.effects : 'left' in row.effects;
    return isLone && row[side]?.hasEmissions === false;
  });
  return [...new Map(lone.map((row) => [row.id ?? row.name, rowName(row)])).values()];
}

const askWords: Readonly<Record<BridgeAsk['why'], readonly [one: string, several: string]>> = {
  rose: ['supplier whose own emissions rose', 'suppliers whose own emissions rose'],
  industry: ['supplier on industry averages', 'suppliers on industry averages'],
  unmatched: ['supplier on industry averages', 'suppliers on industry averages'],
  uncovered: ['supplier without emissions', 'suppliers without emissions'],
};

/* How many of the suppliers whose own emissions rose have a larger footprint, unless all have. */
function largerText({ why, suppliers }: BridgeAsk): string {
  const larger = suppliers.filter(isLarger).length;
  if (why !== 'rose' || larger === suppliers.length) return '';
  if (suppliers.length === 1) return ', but not your footprint';
  const some = larger === 0 ? 'none' : count.format(larger);
  return `, ${some} of them with a larger footprint for you`;
}

/* What the records on averages lack. */
function lackText({ reasons, missing, suppliers }: BridgeAsk): string {
  return reasons.length === 0 ? '' : ` ${findingsOf(reasons, missing, suppliers.length)}`;
}

/** Says why to ask a supplier, in a row for each. */
export function askReason({ why, reasons, missing }: BridgeAsk, supplier: AskedSupplier): string {
  if (why === 'industry') return `${askReasons.industry}: ${findingsOf(reasons, missing, 1)}`;
  return why === 'rose' && !isLarger(supplier)
    ? `${askReasons.rose}, your footprint did not`
    : askReasons[why];
}

const askReasons: Readonly<Record<BridgeAsk['why'], string>> = {
  rose: 'its own emissions rose',
  industry: 'on industry averages',
  unmatched: 'not matched',
  uncovered: 'no emissions',
};

/** Says whom a comparison leads to: how many, what to do, and the first of their names. */
export function askText(ask: BridgeAsk, maxNames: number, unit: string | null) {
  const { why, next_step: step, suppliers } = ask;
  const names = suppliers.slice(0, maxNames).map(({ emissions, ...each }) => {
    const name = cut(supplierName(each), 60);
    if (emissions === null) return name;
    const size = why === 'rose' ? signedAmount(emissions) : figure(emissions).rounded;
    return `${name} ${size}${unit === null ? '' : ` ${unit}`}`;
  });
  return {
    what: `${plural(suppliers.length, ...askWords[why])}${lackText(ask)}${largerText(ask)}${step.includes(':') ? ',' : ':'} ${step}`,
    names: andMore(names.join(', '), suppliers.length - names.length),
  };
}
