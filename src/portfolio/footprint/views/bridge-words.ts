/* What a comparison means, in sentences: what changed, why, and whom to ask. */
import { amountInWords, figure } from '../../../display/terminal/figure.ts';
import { andMore, count, cut, dateText, naming, plural } from '../../../display/terminal/format.ts';
import { type BridgeRow, type BridgeStep, dataEffects, type Effect, hasReason } from '../bridge.ts';
import { type AskedSupplier, type BridgeAsk, isLarger } from '../bridge-asks.ts';
import type { Comparison } from '../compare.ts';
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
 * Says how much of a change from year to year is from each cause, the suppliers' own emissions
 * first, in percentage points that add up to the change as it is shown.
 */
function causesText(step: BridgeStep): string | undefined {
  const change = changeShare(step);
  if (isRestated(step) || change === null || step.effects.length === 0) return undefined;
  const { known, all } = ownFigures(step);
  if (known === 0)
    return `No supplier's own emissions can be compared: none of ${plural(all, 'supplier')} has own figures of both years.`;
  const of = `(${count.format(known)} of ${plural(all, 'supplier')} ${known === 1 ? 'has' : 'have'} figures of both years)`;
  const tenths = effectTenths(step);
  const own = step.effects.find(({ effect }) => effect === 'supplier_emissions')?.share ?? 0;
  const others = step.effects
    .filter(({ effect }) => effect !== 'supplier_emissions' && tenths.get(effect) !== 0)
    .sort((a, b) => Math.abs(b.emissions) - Math.abs(a.emissions))
    .map(({ effect, share }) => ({ effect, share: share ?? 0, tenths: tenths.get(effect) ?? 0 }));
  const rest = others.slice(maxCauses).reduce((sum, each) => sum + each.tenths, 0);
  const points = signedPart(own, tenths.get('supplier_emissions') ?? 0);
  const much = own === 0 ? 'nothing' : `${points} percentage points`;
  const parts = [
    `suppliers' own emissions account for ${much} ${of}`,
    ...others.slice(0, maxCauses).map((each) => {
      return `${lower(effectWords[each.effect])} for ${signedPart(each.share, each.tenths)}`;
    }),
    ...(rest === 0 ? [] : [`all else for ${signedTenths(rest)}`]),
  ];
  return `Of the ${signedShare(change)}, ${parts.join(', ')}.`;
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

/** Says what caused most of a change: the largest effect, and the reason for it. */
export function causeText({ effects, reason }: BridgeRow): string {
  const size = (effect: Effect) => Math.abs(effects[effect] ?? 0);
  const [largest] = (Object.keys(effects) as Effect[]).sort((a, b) => size(b) - size(a));
  if (largest === undefined) return '';
  const why = hasReason(largest) && reason !== null ? `: ${reasonText(reason)}` : '';
  return `${effectWords[largest]}${why}`;
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
    ...(data === 0 ? [] : [`Without method, data and coverage: ${signedShare(real)}`]),
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
  unmatched: [
    'supplier on industry averages that was not matched',
    'suppliers on industry averages that were not matched',
  ],
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

/** Says why to ask a supplier, in a row for each. */
export function askReason(why: BridgeAsk['why'], supplier: AskedSupplier): string {
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
    what: `${plural(suppliers.length, ...askWords[why])}${largerText(ask)}${step.includes(':') ? ',' : ':'} ${step}`,
    names: andMore(names.join(', '), suppliers.length - names.length),
  };
}
