/*
 * Whom a comparison leads to: those who caused the change, and then, as in a footprint, suppliers
 * without figures of their own.
 */
import { correctionOf, unmatchedStep } from '../organizations/correction.ts';
import { totalOf } from '../organizations/sum.ts';
import {
  type BridgeRow,
  type BridgeStep,
  boughtEffects,
  changeOf,
  changesBySupplier,
  type Effect,
} from './bridge.ts';
import type { Comparison } from './compare.ts';
import { byIdentity, shareOf, unknownCurrency } from './entries.ts';
import type { LineItem } from './footprint.ts';
import { currencyToRetrieve, type Lack, type LackReason, largestLack } from './line-item.ts';
import { askedCategories, byStep, byStepWithoutEmissions, lackReasons } from './missing-figures.ts';

/** Suppliers about whom there is one thing to do. */
export interface BridgeAsk {
  readonly why: 'bought' | 'rose' | 'industry' | 'unmatched' | 'uncovered';
  /** What to do, in words. */
  readonly next_step: string;
  /** Why they have no figures of their own, and what is missing; empty for those with some. */
  readonly reasons: readonly LackReason[];
  readonly missing: Lack['missing'];
  /** Numbers of the upstream categories that some of these lack, such as `1 4 6`. */
  readonly missing_categories: string;
  /**
   * The part of these in all rises by your spend, or by emissions per revenue, or of averages in
   * the emissions now; or null.
   */
  readonly share: number | null;
  /** The number of all suppliers whose emissions per revenue rose; null if it asks about others. */
  readonly of: number | null;
  /** The largest first. */
  readonly suppliers: readonly AskedSupplier[];
}

export interface AskedSupplier extends Pick<LineItem, 'supplier' | 'id'> {
  /** What was added to the footprint, or the emissions now; null without any. */
  readonly emissions: number | null;
  /** What the footprint changed by; null without emissions. */
  readonly footprint_change: number | null;
  /** Numbers of the upstream categories to ask for; null without any. */
  readonly missing_categories: string | null;
}

/**
 * Lists whom to ask about the change of a step: first those who caused it, by what they added, then
 * suppliers on averages by their emissions, then those without emissions by the spend.
 */
export function asksOf({
  step,
  rows,
  effects: all,
  after: total,
  spend_after: spend,
}: Pick<BridgeStep, 'step' | 'rows' | 'effects' | 'after' | 'spend_after'>): readonly BridgeAsk[] {
  const suppliers = changesBySupplier(rows).map((supplier) => supplier.rows);
  const bySize = (some: readonly BridgeAsk[]) =>
    some.toSorted((a, b) => sizeOf(b) - sizeOf(a)).filter(isSome);
  return [
    // Restating has the spend of one year and its figures, so that nobody caused the change.
    ...(step === 'years' ? bySize([buyersOf(suppliers, all), whoseFactorRose(suppliers)]) : []),
    ...joined(bySize(onAverages(suppliers, total)), withoutEmissions(suppliers, spend)).filter(
      isSome,
    ),
  ];
}

/**
 * Returns the suppliers with whom more was spent, and what that added, as the first question of a
 * comparison does.
 */
export function spentMoreWith({ rows, effects: all }: Pick<BridgeStep, 'rows' | 'effects'>) {
  return buyersOf(
    changesBySupplier(rows).map((supplier) => supplier.rows),
    all,
  ).suppliers.map(({ supplier, id, emissions }) => ({ supplier, id, emissions }));
}

/** Lists whom to ask about the last step, with the list to correct and its command if known. */
export function comparisonAsks({
  steps,
  list,
}: Pick<Comparison, 'steps' | 'list'>): readonly BridgeAsk[] {
  const last = steps.at(-1);
  const asks = last === undefined ? [] : asksOf(last);
  if (list === undefined) return asks;
  const correction = correctionOf(list);
  return asks.map((ask) => ({
    ...ask,
    next_step: ask.next_step.replace(unmatchedStep, () => correction),
  }));
}

/* One request for one thing, whether or not there is an average in place of what is missing. */
function joined(
  averages: readonly BridgeAsk[],
  others: readonly BridgeAsk[],
): readonly BridgeAsk[] {
  const sameAs = (ask: BridgeAsk) => averages.find(({ next_step }) => next_step === ask.next_step);
  const all = averages.map((ask) => {
    const same = others.filter((other) => sameAs(other) === ask);
    return {
      ...ask,
      reasons: [...new Set([ask, ...same].flatMap(({ reasons }) => reasons))].sort(),
      suppliers: [ask, ...same].flatMap(({ suppliers }) => suppliers),
    };
  });
  return [...all, ...others.filter((other) => sameAs(other) === undefined)];
}

function isSome({ suppliers }: BridgeAsk): boolean {
  return suppliers.length > 0;
}

const lackless = {
  reasons: [],
  missing: [],
  missing_categories: '',
  share: null,
  of: null,
} as const;

/*
 * The fewest suppliers that make up two thirds of what the user's spend added; none if it added
 * nothing. Their share is one of all rises, because falls make the sum smaller than its parts.
 */
function buyersOf(
  suppliers: readonly (readonly BridgeRow[])[],
  effects: BridgeStep['effects'],
): BridgeAsk {
  const added = totalOf(
    effects.flatMap(({ effect, emissions }) => (boughtEffects.includes(effect) ? emissions : [])),
  );
  const rises = added > 0 ? largest(suppliers, effectsIn(boughtEffects)) : [];
  const most = twoThirds(rises, added);
  const next_step = 'ask your own buyers why: more goods, or higher prices';
  return {
    why: 'bought',
    next_step,
    ...lackless,
    share: shareOf(sizeOf({ suppliers: most }), sizeOf({ suppliers: rises })),
    suppliers: most,
  };
}

/* Returns the first suppliers that make up two thirds of a sum. */
function twoThirds(rises: readonly AskedSupplier[], sum: number): readonly AskedSupplier[] {
  const most: AskedSupplier[] = [];
  let size = 0;
  for (const supplier of rises) {
    if (size >= (2 / 3) * sum * (1 - 1e-12)) break;
    size += supplier.emissions ?? 0;
    most.push(supplier);
  }
  return most;
}

/*
 * The fewest suppliers that make up two thirds of what a rise of emissions per revenue added. A
 * supplier whose revenue rose more than its emissions adds less to the footprint: its part of these
 * is smaller for the same spend.
 */
function whoseFactorRose(suppliers: readonly (readonly BridgeRow[])[]): BridgeAsk {
  const own = effectsIn(['supplier_emissions', 'supplier_revenue']);
  const rises = largest(suppliers, own);
  const sum = sizeOf({ suppliers: rises });
  const most = twoThirds(rises, sum);
  const share = shareOf(sizeOf({ suppliers: most }), sum);
  return {
    ...{ why: 'rose', next_step: 'ask why', ...lackless },
    ...{ share, of: rises.length, suppliers: most },
  };
}

function effectsIn(some: readonly Effect[]) {
  return (rows: readonly BridgeRow[]) =>
    totalOf(rows.flatMap(({ effects }) => some.map((effect) => effects[effect] ?? 0)));
}

/* By what to do. */
function onAverages(
  suppliers: readonly (readonly BridgeRow[])[],
  total: number,
): readonly BridgeAsk[] {
  const lacking = suppliers.flatMap((rows) => {
    const lack = lackNow(rows);
    return lack === null ? [] : [{ rows, lack }];
  });
  return byStep(lacking).map(({ items: all, ...step }): BridgeAsk => {
    const isUnmatched = all.some(({ lack }) => lack.reason === 'unmatched');
    const asked = largest(
      all.map(({ rows }) => rows),
      (rows) => totalOf(rows.flatMap(estimated).map(({ emissions }) => emissions)),
      (rows) => askedCategories(lackNow(rows)),
    );
    const sum = totalOf(asked.map(({ emissions }) => emissions ?? 0));
    return {
      why: isUnmatched ? 'unmatched' : 'industry',
      ...step,
      share: shareOf(sum, total),
      of: null,
      suppliers: asked,
    };
  });
}

function lackNow(rows: readonly BridgeRow[]): Lack | null {
  return largestLack(rows.flatMap(estimated), (cell) => cell.lack);
}

/** Returns what is from industry averages now. */
export function estimated({ after }: BridgeRow) {
  return after?.source?.basis === 'industry' ? [after] : [];
}

function sizeOf({ suppliers }: Pick<BridgeAsk, 'suppliers'>): number {
  return totalOf(suppliers.map(({ emissions }) => emissions ?? 0));
}

function largest(
  suppliers: readonly (readonly BridgeRow[])[],
  amountOf: (rows: readonly BridgeRow[]) => number,
  categoriesOf: (rows: readonly BridgeRow[]) => string | null = () => null,
): readonly AskedSupplier[] {
  return suppliers
    .map((rows) => ({
      ...identityOf(rows),
      emissions: amountOf(rows),
      footprint_change: totalOf(rows.map(changeOf)),
      missing_categories: categoriesOf(rows),
    }))
    .filter(({ emissions }) => emissions > 0)
    .sort((a, b) => b.emissions - a.emissions || byIdentity(nameFirst(a), nameFirst(b)));
}

/* By what to do, the largest share of a currency's spend first. */
function withoutEmissions(
  suppliers: readonly (readonly BridgeRow[])[],
  spend: BridgeStep['spend_after'],
): readonly BridgeAsk[] {
  const missing = suppliers.flatMap((rows) => {
    const now = rows.flatMap(({ after, currency }) => (after === null ? [] : { after, currency }));
    if (now.length === 0 || now.some(({ after }) => after.hasEmissions)) return [];
    const codes = now.flatMap(({ after, currency }) => {
      return currencyToRetrieve(after.uncovered, currency) ?? [];
    });
    const [first] = now;
    const step =
      codes.length > 0 ? `retrieve them in ${[...new Set(codes)].join(' and ')}` : undefined;
    const { uncovered: reason = null, figures } = first?.after ?? {};
    const shares = now.map(({ after, currency }) => {
      return after.spend / (spend[currency ?? unknownCurrency] || 1);
    });
    const size = Math.max(...shares);
    const supplier = {
      ...identityOf(rows),
      emissions: null,
      footprint_change: null,
      missing_categories: reason && askedCategories({ reason, figures }),
    };
    return [{ supplier, step, reason, figures, size }];
  });
  missing.sort(
    (a, b) => b.size - a.size || byIdentity(nameFirst(a.supplier), nameFirst(b.supplier)),
  );
  return byStepWithoutEmissions(missing).map(({ items, ...step }) => ({
    why: 'uncovered' as const,
    ...lackless,
    ...step,
    reasons: lackReasons(items.map(({ reason }) => reason)),
    suppliers: items.map(({ supplier }) => supplier),
  }));
}

function identityOf([first]: readonly BridgeRow[]) {
  return { supplier: first?.name ?? null, id: first?.id ?? null };
}

function nameFirst({ supplier, id }: Pick<AskedSupplier, 'supplier' | 'id'>) {
  return { name: supplier, id };
}
