/* What a change from year to year is from: what was bought, what suppliers did, or data. */
import { totalOf } from '../organizations/sum.ts';
import { type BridgeStep, boughtEffects, type Effect } from './bridge.ts';
import type { Cause, MainCause } from './cause-words.ts';
import { dataEffects } from './data-effects.ts';
import { tenthsAddingUp, tenthsOf } from './shares.ts';

/** The effects of each cause. */
export const causeGroups: Readonly<Record<Cause, readonly Effect[]>> = {
  spend: boughtEffects,
  suppliers: ['supplier_emissions', 'supplier_revenue'],
  data: dataEffects,
};

/** What the causes of a step are read from. */
export type Explained = Pick<
  BridgeStep,
  'before' | 'together' | 'effects' | 'bought_before' | 'bought_after'
>;

/** Returns the change as a share of the earlier emissions; null without any. */
export function changeShare({
  before,
  together,
}: Pick<BridgeStep, 'before' | 'together'>): number | null {
  return before > 0 ? together / before : null;
}

/**
 * Returns the shares of the effects in tenths of a percent, as every view shows them: those of a
 * cause add up to it, and the causes to the change, and to the change without data.
 */
export function effectTenths(step: Explained): ReadonlyMap<Effect | null, number> {
  const groups = Object.values(causeGroups).map((effects) =>
    step.effects.filter(({ effect }) => effects.includes(effect)),
  );
  const sharesOf = (some: BridgeStep['effects']) => some.map(({ share }) => share ?? 0);
  const all = tenthsOf(changeShare(step) ?? 0);
  const data = totalOf(sharesOf(groups.at(-1) ?? []));
  // The title has the change without data, whose parts add up as well.
  const real = tenthsOf((changeShare(step) ?? 0) - data);
  const sums = [
    ...tenthsAddingUp(
      groups.slice(0, -1).map((some) => totalOf(sharesOf(some))),
      real,
    ),
    all - real,
  ];
  const pairs = groups.flatMap((some, at) => {
    const tenths = tenthsAddingUp(sharesOf(some), sums[at] ?? 0);
    return some.map(({ effect }, index) => [effect, tenths[index] ?? 0] as const);
  });
  return new Map(pairs);
}

/** Returns the effects of a cause with their shares as shown, and the sum of these. */
export function partsFrom(step: Explained, cause: Cause) {
  const tenths = effectTenths(step);
  const parts = step.effects
    .filter(({ effect, share }) => causeGroups[cause].includes(effect) && share !== 0)
    .map((each) => ({ ...each, tenths: tenths.get(each.effect) ?? 0 }));
  return { parts, sum: parts.reduce((sum, each) => sum + each.tenths, 0) };
}

/** Finds the main cause: data, or that of the change without it; null if there is none. */
export function mainCauseOf(step: Explained): MainCause | null {
  const [spend, suppliers, data] = (['spend', 'suppliers', 'data'] as const).map((cause) =>
    Math.abs(partsFrom(step, cause).sum),
  ) as [number, number, number];
  if (data > spend + suppliers) return { cause: 'data', spent: null };
  if (spend === suppliers) return null;
  return spend > suppliers
    ? { cause: 'spend', spent: spentOf(step) }
    : { cause: 'suppliers', spent: null };
}

/* More emissions of what was bought are more money spent only if no currency has less. */
function spentOf(step: Explained): MainCause['spent'] {
  const way = Math.sign(partsFrom(step, 'spend').sum);
  const ways = spendWays(step);
  const isAlong = ways.includes(way) && ways.every((each) => each === way || each === 0);
  if (!isAlong) return null;
  return way > 0 ? 'more' : 'less';
}

/** Which way the spend in each currency moved; not a number without a year to compare. */
export function spendWays({
  bought_before: then,
  bought_after: now,
}: Pick<BridgeStep, 'bought_before' | 'bought_after'>): readonly number[] {
  return Object.keys({ ...then, ...now }).map((code) => {
    const [from, to] = [then[code] ?? 0, now[code] ?? 0];
    return from > 0 && to > 0 ? Math.sign(to - from) : Number.NaN;
  });
}
