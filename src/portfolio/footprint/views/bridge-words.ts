/* What a comparison means, in sentences: what changed, why, and whom to ask. */
import { figure } from '../../../display/terminal/figure.ts';
import {
  andMore,
  count,
  cut,
  dateText,
  listing,
  percentText,
  plural,
} from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { withUnit } from '../../organizations/statements.ts';
import { totalOf } from '../../organizations/sum.ts';
import {
  type BridgeRow,
  type BridgeStep,
  changesBySupplier,
  type Effect,
  effects,
  hasReason,
  type Step,
  type SupplierChange,
} from '../bridge.ts';
import type { BridgeAsk } from '../bridge-asks.ts';
import type { Comparison } from '../compare.ts';
import { dataEffectWords } from '../data-effects.ts';
import { unknownCurrency } from '../entries.ts';
import { reasonWords } from '../line-item.ts';
import { findingsOf, splitStep } from '../missing-figures.ts';
import { signedAmount } from '../signed.ts';
import { shareText, supplierName } from './words.ts';

/** Names the effects. */
export const effectWords: Readonly<Record<Effect, string>> = {
  spend: 'Your spend',
  supplier_emissions: "Suppliers' emissions",
  supplier_revenue: "Suppliers' revenue",
  ...dataEffectWords,
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
 * @param latest the day of the latest record, ISO 8601
 */
export function recordsText({ since, isSaved }: Comparison, latest: string): string {
  if (isSaved) return 'as published';
  return since === null ? latestRecordsText(latest) : `records as of ${dateText(since)}`;
}

export function latestRecordsText(latest: string): string {
  return `records of ${dateText(latest.slice(0, 10))}`;
}

/** Tells whether a step compares records of two days. */
export function isRestated({ step }: BridgeStep): boolean {
  return step === 'restated';
}

/** Tells whether a step restated nothing, so that a line says all of it. */
export function isUnchanged(step: BridgeStep): boolean {
  return isRestated(step) && step.together === 0 && step.effects.length === 0;
}

/** Returns the steps with something to explain. */
export function explainedSteps({ steps }: Comparison): readonly BridgeStep[] {
  return steps.filter((step) => !isUnchanged(step));
}

/**
 * What caused a supplier's change: both its emissions and its revenue are one cause, as in the
 * sentences about all suppliers, because its emissions may rise with what it sells.
 */
export type SupplierCause = Effect | 'supplier';

/* The causes behind a supplier's change in brackets, for a rise and a fall. */
const shortCauses: Readonly<Record<SupplierCause, readonly [rise: string, fall: string]>> = {
  spend: ['your higher spend', 'your lower spend'],
  supplier: ['its higher emissions per revenue', 'its lower emissions per revenue'],
  supplier_emissions: ['its emissions', 'its emissions'],
  supplier_revenue: ['its lower revenue', 'its higher revenue'],
  method_and_data: ['method and data', 'method and data'],
  coverage: ['no emissions known before', 'no emissions known now'],
  currency_change: ['currency', 'currency'],
  new: ['new', 'new'],
  left: ['left', 'left'],
};

/** Names the cause of a supplier's change in brackets. */
export function shortCause(
  cause: SupplierCause,
  change: number,
  rows: readonly BridgeRow[],
): string {
  const known = cause === 'coverage' ? coverageCause(rows, change) : undefined;
  return known ?? shortCauses[cause][change < 0 ? 1 : 0];
}

/* Why emissions count in one year only: a reader takes what is missing for a cut. */
function coverageCause(rows: readonly BridgeRow[], change: number): string | undefined {
  const row = rows.find(({ effects: { coverage = 0 } }) => coverage * change > 0);
  const lacking = change < 0 ? row?.after : row?.before;
  const { uncovered, hasEmissions } = lacking ?? {};
  if (row === undefined || uncovered == null || hasEmissions) return undefined;
  if (change > 0) return `not counted before: ${reasonWords[uncovered]}`;
  if (uncovered !== 'too_old') return `no longer counted: ${reasonWords[uncovered]}`;
  const { basis, factor_year: year = null } = row.before?.source ?? {};
  const of = year === null ? '' : ` of ${year}`;
  const what = basis === 'industry' ? `the industry average${of} is` : `its figures${of} are`;
  return `${what} too old now: no longer counted`;
}

/* Returns what an effect changed in the emissions of a supplier, over all of its currencies. */
function effectOf(rows: readonly BridgeRow[], effect: Effect): number {
  return rows.reduce((sum, { effects }) => sum + (effects[effect] ?? 0), 0);
}

/** Lists what each effect changed in the emissions of a supplier, in the order of the views. */
export function effectsOf(rows: readonly BridgeRow[]) {
  return effects
    .map((effect) => ({ effect, size: effectOf(rows, effect) }))
    .filter(({ size }) => size !== 0);
}

/* Both are one cause if a supplier has both. */
const ownEffects: readonly Effect[] = ['supplier_emissions', 'supplier_revenue'];

/** Returns what caused a supplier's change, first what did most of it in its direction. */
export function causesOf(rows: readonly BridgeRow[]) {
  const all = effectsOf(rows);
  const own = all.filter(({ effect }) => ownEffects.includes(effect));
  const sizes: readonly { readonly cause: SupplierCause; readonly size: number }[] = [
    ...all
      .filter((each) => own.length < 2 || !own.includes(each))
      .map(({ effect, size }) => ({ cause: effect, size })),
    ...(own.length < 2
      ? []
      : [{ cause: 'supplier', size: totalOf(own.map(({ size }) => size)) } as const]),
  ];
  const found = sizes.filter(({ size }) => size !== 0);
  const way = Math.sign(totalOf(found.map(({ size }) => size))) || 1;
  return found.sort((a, b) => way * (b.size - a.size));
}

export function isOwnFigure(effect: Effect): boolean {
  return ownEffects.includes(effect);
}

/**
 * Says of how many suppliers a figure rose and fell, because a sum says it of none of them; more
 * revenue takes emissions off.
 */
export function eachWay({ rows }: Pick<BridgeStep, 'rows'>, effect: Effect): string {
  const way = effect === 'supplier_revenue' ? -1 : 1;
  const sizes = changesBySupplier(rows).map((each) => way * effectOf(each.rows, effect));
  const parts = [
    [sizes.filter((size) => size > 0).length, 'rose'],
    [sizes.filter((size) => size < 0).length, 'fell'],
  ] as const;
  const some = parts.filter(([number]) => number > 0);
  return some
    .map(([number, word]) => `${some.length === 1 ? 'all' : count.format(number)} ${word}`)
    .join(', ');
}

/** Says what caused most of a supplier's change, and the reason for it. */
export function causeText(rows: readonly BridgeRow[]): string {
  const largest = causesOf(rows)[0]?.cause;
  if (largest === undefined) return '';
  if (largest === 'supplier') return 'Emissions per revenue';
  const sizeIn = ({ effects }: BridgeRow) => Math.abs(effects[largest] ?? 0);
  const [row] = rows.toSorted((a, b) => sizeIn(b) - sizeIn(a));
  const reason = row?.reason ?? null;
  const why = hasReason(largest) && reason !== null ? `: ${reasonText(reason)}` : '';
  return `${effectWords[largest]}${why}`;
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

/** Names the supplier with the largest emissions, over all of its currencies. */
export function largestNow(
  { steps, before, after }: Comparison,
  unit: string | null,
  digits: 'compact' | 'rounded' = 'rounded',
): { readonly label: string; readonly text: string } | undefined {
  const step = steps.at(-1);
  if (step === undefined || !(step.after > 0)) return undefined;
  const [most] = changesBySupplier(step.rows)
    .map(({ rows }) => ({
      row: rows[0],
      emissions: totalOf(rows.map((row) => row.after?.emissions ?? 0)),
    }))
    .sort((a, b) => b.emissions - a.emissions);
  if (most?.row === undefined || !(most.emissions > 0)) return undefined;
  const amount = withUnit(figure(most.emissions)[digits], unit);
  return {
    label: `Largest supplier of ${after ?? before}`,
    text: `${rowName(most.row)} ${amount}, ${shareText(most.emissions / step.after)} of the footprint`,
  };
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

/** Says why no effect of a row is known, neither side of which has emissions. */
export function unknownReason(step: Step, { before, after, effects }: BridgeRow): string {
  const unknown = 'emissions unknown';
  if (before !== null && after !== null)
    return `${unknown} ${step === 'years' ? 'in both years' : 'on both days'}`;
  const lone = 'currency_change' in effects ? 'another currency' : before === null ? 'new' : 'left';
  const { uncovered = null } = after ?? before ?? {};
  return `${lone}; ${unknown}${uncovered === null ? '' : `: ${reasonWords[uncovered]}`}`;
}

export function rowName({ name, id }: BridgeRow): string {
  return supplierName({ supplier: name, id });
}

const askWords: Readonly<Record<Exclude<BridgeAsk['why'], 'bought'>, readonly [string, string]>> = {
  rose: ['supplier whose emissions per revenue rose', 'suppliers whose emissions per revenue rose'],
  industry: ['supplier on industry averages', 'suppliers on industry averages'],
  unmatched: ['supplier on industry averages', 'suppliers on industry averages'],
  uncovered: ['supplier with unknown emissions', 'suppliers with unknown emissions'],
};

/** Says how much of all rises of emissions per revenue some make up; empty of all. */
export function risePart({ share, of, suppliers }: BridgeAsk): string {
  if (share === null || suppliers.length === of) return '';
  return `${percentText(share, 1)} of these rises`;
}

/* What the rises add, or what the records on averages lack. */
function findingText(ask: BridgeAsk, unit: string | null): string {
  const { why, reasons, missing, suppliers, share } = ask;
  if (why === 'rose') {
    const sum = totalOf(suppliers.map(({ emissions }) => emissions ?? 0));
    const part = risePart(ask);
    return ` (${withUnit(signedAmount(sum), unit)} in your footprint${part === '' ? '' : `, ${part}`})`;
  }
  if (why === 'uncovered' || reasons.length === 0) return '';
  const part = share === null ? '' : ` (${percentText(share, 1)} of the footprint)`;
  return `${part} ${findingsOf(reasons, missing, suppliers.length)}`;
}

/** Says why to ask a supplier, in a row for each. */
export function askReason(
  { why, reasons, missing }: BridgeAsk,
  { emissions }: BridgeAsk['suppliers'][number],
): string {
  if (emissions === null) return askReasons.uncovered;
  if (why === 'industry') return `${askReasons.industry}: ${findingsOf(reasons, missing, 1)}`;
  return askReasons[why];
}

const askReasons: Readonly<Record<BridgeAsk['why'], string>> = {
  bought: 'your spend added emissions',
  rose: 'its emissions per revenue rose',
  industry: 'on industry averages',
  unmatched: 'not matched',
  uncovered: 'no emissions',
};

/* The suppliers of the change are few, and each is a question to the user's own buyers. */
const maxBought = 4;

/** Says whom a comparison leads to: how many, what to do, and the first of their names. */
export function askText(ask: BridgeAsk, maxNames: number, unit: string | null) {
  const { why, suppliers } = ask;
  const max = why === 'bought' ? Math.max(maxNames, maxBought) : maxNames;
  const names = suppliers.slice(0, max).map(({ emissions, ...each }) => {
    const name = cut(supplierName(each), 60);
    if (emissions === null) return name;
    const isAdded = why === 'bought' || why === 'rose';
    const size = isAdded ? signedAmount(emissions) : figure(emissions).rounded;
    return `${name} ${size}${unit === null ? '' : ` ${unit}`}`;
  });
  return {
    what: whatToAsk(ask, unit),
    names: andMore(names.join(', '), suppliers.length - names.length),
  };
}

/** Says the same in one line, with a command only at its end, so that it can be pasted. */
export function askLine(ask: BridgeAsk, maxNames: number, unit: string | null): string {
  const { what, names } = askText(ask, maxNames, unit);
  if (ask.reasons.includes('unmatched')) return matchText(ask, names);
  if (what.endsWith('?')) return `${what} ${names}`;
  return what.endsWith(')') ? `${what}: ${names}` : `${what} (${names})`;
}

/* Whose rows to correct must be said before how. */
function matchText({ suppliers, share, next_step: step }: BridgeAsk, names?: string): string {
  const [correction = step] = step.split(/^not matched: /).slice(-1);
  const part = share === null ? [] : [`${percentText(share, 1)} of the footprint`];
  const inside = [...part, ...(names === undefined ? [] : [names])].join(': ');
  const who = `${plural(suppliers.length, 'supplier')}${inside === '' ? '' : ` (${inside})`}`;
  return `Match ${who}: ${correction}`;
}

/* Those without an average have no part in the footprint. */
function whoIsAsked({ suppliers, of }: BridgeAsk, why: keyof typeof askWords): string {
  const isMixed = why === 'industry' && suppliers.some(({ emissions }) => emissions === null);
  const words = isMixed
    ? (['supplier without own figures', 'suppliers without own figures'] as const)
    : askWords[why];
  if (of === null || of === suppliers.length) return plural(suppliers.length, ...words);
  return `${count.format(suppliers.length)} of ${plural(of, ...words)}`;
}

/* What to do comes first, and then why. */
function whatToAsk(ask: BridgeAsk, unit: string | null): string {
  const { why, next_step: step, reasons, suppliers, share } = ask;
  if (why !== 'bought') {
    if (reasons.includes('unmatched')) return matchText(ask);
    const { reason, what } = splitStep(step);
    const because = reason === '' ? '' : `, ${reason}`;
    return `${capital(what)}: ${whoIsAsked(ask, why)}${findingText(ask, unit)}${because}`;
  }
  const these =
    suppliers.length === 1 ? 'this supplier' : `these ${count.format(suppliers.length)}`;
  const part = share === null ? '' : ` (${percentText(share, 1)} of all rises by spend)`;
  return `Ask your own buyers why you spent more with ${these}${part}: more goods or higher prices?`;
}
