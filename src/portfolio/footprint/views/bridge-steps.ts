/* By whom a footprint changed, and what a reader of a comparison does first. */

import {
  andMore,
  count,
  cut,
  listing,
  naming,
  percentText,
  plural,
} from '../../../display/terminal/format.ts';
import { askNamed, withUnit } from '../../organizations/statements.ts';
import { totalOf } from '../../organizations/sum.ts';
import {
  type BridgeRow,
  type BridgeStep,
  changesBySupplier,
  type SupplierChange,
} from '../bridge.ts';
import { type BridgeAsk, comparisonAsks, estimated } from '../bridge-asks.ts';
import type { Comparison } from '../compare.ts';
import { dataEffects, withoutDataChanges } from '../data-effects.ts';
import { shareOf } from '../entries.ts';
import { largestLack } from '../line-item.ts';
import { splitStep } from '../missing-figures.ts';
import { signedCompact } from '../signed.ts';
import {
  askLine,
  causesOf,
  largestNow,
  risePart,
  rowName,
  type SupplierCause,
  shortCause,
} from './bridge-words.ts';
import { askBuyers, industryCheck, supplierName } from './words.ts';

const maxNamed = 4;
const maxChanged = 3;
const maxOfData = 2;
const maxSteps = 6;

/**
 * Names whose emissions changed most and by what, apart from those of whom only what is known
 * changed, and the largest supplier.
 */
export function whoTexts(comparison: Comparison, unit: string | null): readonly string[] {
  const step = comparison.steps.at(-1);
  const now = largestNow(comparison, unit, 'compact');
  return [
    ...(step === undefined ? [] : changesText(step, unit)),
    ...(now === undefined ? [] : [`${now.label}: ${now.text}.`]),
  ];
}

/* A change of what is known counts as one only beside the changes that are named. */
function changesText(step: BridgeStep, unit: string | null): readonly string[] {
  const real = mostChangedBy(step, isReal, maxChanged);
  const data = namedOfData(step, real);
  const apart = real.length === 0 ? 'Largest changes' : 'Largest data change';
  const without = data.length === 0 ? '' : ` ${withoutDataChanges}`;
  return [
    ...(real.length === 0
      ? []
      : [`Largest changes${without}: ${namedChanges(real, isReal, unit)}.`]),
    ...(data.length === 0
      ? []
      : [
          `${apart}${real.length > 0 && data.length > 1 ? 's' : ''}: ${namedChanges(data, isOfData, unit)}.`,
        ]),
  ];
}

/* A change of what is known that is as large as the changes that are named. */
function namedOfData(step: BridgeStep, real = mostChangedBy(step, isReal, maxChanged)) {
  const least = Math.abs(real.at(-1)?.change ?? 0);
  return mostChangedBy(step, isOfData, maxOfData).filter(({ change }) => Math.abs(change) >= least);
}

type IsOfCause = (cause: SupplierCause) => boolean;

const isOfData: IsOfCause = (cause) => dataEffects.some((effect) => effect === cause);
const isReal: IsOfCause = (cause) => !isOfData(cause);

/** Returns the suppliers that some causes changed most, and by how much. */
export function mostChangedBy({ rows }: BridgeStep, isOf: IsOfCause, max: number) {
  return changesBySupplier(rows)
    .map((each) => {
      const sizes = causesOf(each.rows).filter(({ cause }) => isOf(cause));
      return { ...each, change: totalOf(sizes.map(({ size }) => size)) };
    })
    .filter(({ change }) => change !== 0)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, max);
}

function namedChanges(
  changed: readonly SupplierChange[],
  isOf: IsOfCause,
  unit: string | null,
): string {
  const named = changed.map(({ rows, change }) => {
    const why = causesText(rows, isOf, change, unit);
    const amount = withUnit(signedCompact(change), unit);
    return `${cut(rowName(rows[0]), 60)} ${amount}${why === '' ? '' : ` (${why})`}`;
  });
  return named.join(', ');
}

/*
 * Names what caused a supplier's change: one cause that is all or nearly all of it, otherwise each
 * that is at least a tenth of it with its amount, because a rise may hide a fall.
 */
function causesText(
  rows: readonly BridgeRow[],
  isOf: IsOfCause,
  change: number,
  unit: string | null,
): string {
  const causes = causesOf(rows)
    .filter(({ cause }) => isOf(cause))
    .sort((a, b) => Math.sign(change) * (b.size - a.size));
  const large = causes.filter(({ size }) => Math.abs(size) >= Math.abs(change) / 10);
  const [main, ...others] = large;
  if (main === undefined) return '';
  if (others.length > 0)
    return large
      .map(({ cause, size }) => {
        return `${shortCause(cause, size, rows)} ${withUnit(signedCompact(size), unit)}`;
      })
      .join(', ');
  const isAll = signedCompact(main.size) === signedCompact(change);
  return `${isAll ? '' : 'mainly '}${shortCause(main.cause, main.size, rows)}`;
}

/**
 * Says what to do first: about the change, and then about the largest parts that only averages
 * stand for.
 */
export function firstSteps(comparison: Comparison, unit: string | null): readonly string[] {
  return stepsOf(comparison, comparisonAsks(comparison), unit).map(({ text }) => text);
}

/** Lists whom to ask after the first steps. */
export function asksAfterSteps(comparison: Comparison, unit: string | null): readonly BridgeAsk[] {
  const asks = comparisonAsks(comparison);
  const said = new Set(stepsOf(comparison, asks, unit).map(({ ask }) => ask));
  return asks.filter((ask) => !said.has(ask));
}

interface Step {
  readonly text: string;
  /** Whom it asks; a check asks nobody. */
  readonly ask?: BridgeAsk;
}

function stepsOf(
  comparison: Comparison,
  asks: readonly BridgeAsk[],
  unit: string | null,
): readonly Step[] {
  const of = (...whys: readonly BridgeAsk['why'][]) => asks.filter(({ why }) => whys.includes(why));
  const changed = [...of('bought'), ...of('rose')];
  const estimated = of('industry', 'unmatched').toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const lost = lostOf(comparison, asks);
  const withText = (ask: BridgeAsk): Step => ({ ask, text: textOf(ask, unit, lost) });
  const steps: readonly Step[] = [
    ...changed.map(withText),
    ...lostStep(lost).map((text) => ({ text })),
    ...industryStep(comparison).map((text) => ({ text })),
    ...estimated.map(withText),
    ...of('uncovered').map(withText),
  ];
  const [first, others] = [steps.slice(0, maxSteps), steps.slice(maxSteps)];
  return others.length < 2 ? steps : [...first, restStep(others)];
}

/* What else there is to do, in one step, so that nobody takes the first ones for all. */
function restStep(steps: readonly Step[]): Step {
  const all = steps.flatMap(({ ask }) => ask ?? []);
  const todo = all.map(({ reasons, next_step: step, suppliers }) => {
    // The list of whom to ask has the command.
    const what = reasons.includes('unmatched') ? 'match their rows' : splitStep(step).what;
    return `${what} (${count.format(suppliers.length)})`;
  });
  const number = totalOf(all.map(({ suppliers }) => suppliers.length));
  return { text: `Then ${plural(number, 'other')}: ${todo.join('; ')}.` };
}

/* Suppliers that are no longer counted, and what to ask them. */
interface Lost {
  readonly request: string;
  readonly suppliers: readonly SupplierChange[];
}

/*
 * Those that are bought from as before, but no longer counted, if the largest is worth a name: a
 * total that fell by it looks like a success.
 */
function lostOf({ steps }: Comparison, asks: readonly BridgeAsk[]): Lost | undefined {
  const step = steps.at(-1);
  const [first] = step === undefined ? [] : namedOfData(step);
  if (step === undefined || first === undefined || !isLost(first)) return undefined;
  const askOf = (each: SupplierChange) =>
    asks.find(({ suppliers }) => suppliers.some((asked) => isSame(asked, each)));
  const ask = askOf(first);
  const suppliers = mostChangedBy(step, isOfData, Number.POSITIVE_INFINITY).filter(
    (each) => isLost(each) && askOf(each) === ask,
  );
  const names = suppliers.map(({ rows: [row] }) => cut(rowName(row), 60));
  const who = names.length > maxNamed ? naming(names, 3) : listing(names);
  const request = ask && askNamed(ask.next_step, who);
  return request === undefined ? undefined : { request, suppliers };
}

function isSame(asked: BridgeAsk['suppliers'][number], { rows: [{ id, name }] }: SupplierChange) {
  return id === null ? asked.supplier === name : asked.id === id;
}

function lostStep(lost: Lost | undefined): readonly string[] {
  if (lost === undefined) return [];
  const [it, is] = lost.suppliers.length === 1 ? ['it', 'it is'] : ['them', 'they are'];
  return [`${lost.request}: you still buy from ${it}, but ${is} no longer counted.`];
}

/* Bought from in the later year, without emissions since then. */
function isLost({ rows }: Pick<SupplierChange, 'rows'>): boolean {
  const now = rows.flatMap(({ after }) => after ?? []);
  const had = rows.some(({ before }) => before?.hasEmissions);
  return had && now.length > 0 && !now.some((side) => side.hasEmissions);
}

function textOf(ask: BridgeAsk, unit: string | null, lost: Lost | undefined): string {
  if (ask.why === 'bought') return buyersText(ask);
  if (ask.why === 'rose' || ask.why === 'industry') return requestText(ask, lost);
  return `${askLine(ask, maxNamed, unit)}.`;
}

function buyersText({ suppliers, share }: BridgeAsk): string {
  return askBuyers(
    suppliers,
    share === null ? '' : ` (${percentText(share, 1)} of all rises by spend)`,
  );
}

/*
 * Names first whom to ask. A share of the footprint is of those with emissions alone; another step
 * asks those that are no longer counted.
 */
function requestText(ask: BridgeAsk, lost: Lost | undefined): string {
  const { suppliers, share, next_step: step } = ask;
  const whoOf = (some: BridgeAsk['suppliers']) => {
    const named = some.slice(0, 3).map((each) => cut(supplierName(each), 60));
    const rest = some.length - named.length;
    return rest === 0 ? listing(named) : andMore(named.join(', '), rest);
  };
  if (ask.why === 'rose') return roseText(ask, whoOf(suppliers));
  const known = suppliers.filter(({ emissions }) => emissions !== null);
  const counted = known.length === 0 ? suppliers : known;
  const others = suppliers.filter(
    (each) => !counted.includes(each) && !lost?.suppliers.some((some) => isSame(each, some)),
  );
  const part = share === null ? '' : ` (${percentText(share, 1)} of the footprint)`;
  const who = `${whoOf(counted)}${part}`;
  const asked = `${askNamed(step, who) ?? `${who}: ${step}`}.`;
  if (others.length === 0) return asked;
  const have = others.length === 1 ? 'which has' : 'which have';
  return `${asked} Ask the same of ${whoOf(others)}, ${have} no emissions yet.`;
}

/* Only some are worth a question, so that it says of how many these are. */
function roseText(ask: BridgeAsk, who: string): string {
  const { suppliers, of } = ask;
  const [number, all] = [suppliers.length, of ?? suppliers.length].map((each) =>
    count.format(each),
  );
  const part = risePart(ask);
  if (suppliers.length === 1) {
    const which = part === '' ? '' : ` (of ${all} suppliers where they did, it made ${part})`;
    return `Ask ${who} why its emissions per revenue rose${which}.`;
  }
  const some = part === '' ? `the ${number}` : `${number} of the ${all}`;
  return `Ask ${some} suppliers whose emissions per revenue rose why: ${who}${part === '' ? '' : ` (${part})`}.`;
}

function industryStep({ steps }: Comparison): readonly string[] {
  const step = steps.at(-1);
  if (step === undefined) return [];
  const averages = changesBySupplier(step.rows).map(({ rows }) => {
    const cells = rows.flatMap(estimated);
    const lack = largestLack(cells, (cell) => cell.lack);
    const industry = lack === null || lack.reason === 'unmatched' ? null : lack.industry;
    const share = shareOf(totalOf(cells.map(({ emissions }) => emissions ?? 0)), step.after);
    return { supplier: rowName(rows[0]), industry, share };
  });
  return [industryCheck(averages) ?? []].flat().map((text) => `${text}.`);
}
