/*
 * Explains the difference between two footprints by its causes. The effects of a pair of cells are
 * Shapley values, the mean of both orders of change: first of spend and factor, then of emissions
 * and revenue within the factor. They have no rest, and change their signs if the two sides are
 * swapped.
 */
import type { OrganizationId } from '../../client/api/ids.ts';
import { totalOf } from '../organizations/sum.ts';
import {
  type BridgeItem,
  byCell,
  cellsOf,
  isSameSource,
  otherCurrencies,
  pairsOf,
  type Side,
  type Source,
  type SpendCell,
} from './bridge-cells.ts';
import { dataEffects } from './data-effects.ts';
import { byIdentity, groupBy, unknownCurrency } from './entries.ts';
import { reasonWords } from './line-item.ts';

/**
 * From records of one day to those of another with the same spend, or from the spend of one year to
 * that of another with the same records.
 */
export type Step = 'restated' | 'years';

/** Why emissions differ, in the order of the views. */
export const effects = [
  'spend',
  'supplier_emissions',
  'supplier_revenue',
  'method_and_data',
  'coverage',
  'currency_change',
  'new',
  'left',
] as const;
export type Effect = (typeof effects)[number];

/** The effects of what was bought. */
export const boughtEffects: readonly Effect[] = ['spend', 'new', 'left'];

/** A supplier in one currency with the effects of its change; they add up to its difference. */
export interface BridgeRow {
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly currency: string | null;
  readonly before: Side | null;
  readonly after: Side | null;
  readonly effects: Readonly<Partial<Record<Effect, number>>>;
  /** What changed in method and data, or in coverage: the first reason that applies. */
  readonly reason: string | null;
  /** Whether both sides use one and the same figures, so that no change can show. */
  readonly usesSameFigures: boolean;
  readonly synthetic: boolean;
}

export type BridgeStep = Readonly<ReturnType<typeof bridge>>;

/**
 * Compares the line items of two sides. Items that count in no total, and rows without a supplier,
 * have no part in it.
 */
export function bridge(step: Step, before: readonly BridgeItem[], after: readonly BridgeItem[]) {
  const rows = rowsOf(step, cellsOf(before).sort(byCell), cellsOf(after).sort(byCell)).sort(
    (a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || byIdentity(a, b),
  );
  const ranked = changesBySupplier(rows).flatMap((supplier) => supplier.rows);
  const totals = totalsOf(before, after, rows);
  return {
    step,
    ...totals,
    /** Spend by currency code, of suppliers and of rows without one. */
    spend_before: spendOf(before),
    spend_after: spendOf(after),
    /** The share of the total after from pairs that use the same figures on both sides. */
    sameFigures: ratio(
      totalOf(rows.flatMap((row) => (row.usesSameFigures ? (row.after?.emissions ?? 0) : []))),
      totals.after,
    ),
    /** The supplier with the largest change first, its rows together. */
    rows: ranked,
  };
}

/** Compares what `bridge` does, without the order of its rows, in a small part of the time. */
export function effectsBetween(before: readonly BridgeItem[], after: readonly BridgeItem[]) {
  const rows = rowsOf('years', cellsOf(before), cellsOf(after));
  return { ...totalsOf(before, after, rows), rows };
}

function totalsOf(
  before: readonly BridgeItem[],
  after: readonly BridgeItem[],
  rows: readonly BridgeRow[],
) {
  const [totalBefore, totalAfter] = [emissionsOf(before), emissionsOf(after)];
  return {
    before: totalBefore,
    after: totalAfter,
    /** The spend by currency code that the effects of what was bought are of. */
    bought_before: boughtSpend(rows, ({ before }) => before),
    bought_after: boughtSpend(rows, ({ after }) => after),
    /** The difference of the totals, which the effects add up to. */
    together: totalAfter - totalBefore,
    /** The effects that are not 0; shares are of the total before, null if that is 0. */
    effects: effects.flatMap((effect) => effectOf(effect, rows, totalBefore)),
  };
}

function rowsOf(
  step: Step,
  before: readonly SpendCell[],
  after: readonly SpendCell[],
): BridgeRow[] {
  const pairs = pairsOf(before, after);
  const [isBefore, isAfter] = [otherCurrencies(before), otherCurrencies(after)];
  return [
    ...pairs.both.map(([from, to]) => pairRow(step, from, to)),
    ...pairs.onlyBefore.map((cell) => loneRow(cell, undefined, isAfter(cell))),
    ...pairs.onlyAfter.map((cell) => loneRow(undefined, cell, isBefore(cell))),
  ];
}

/** What a supplier changed in all currencies, and its rows, one in each. */
export interface SupplierChange {
  readonly rows: readonly [BridgeRow, ...BridgeRow[]];
  readonly change: number;
}

/** Joins the rows of each supplier, the largest change first. */
export function changesBySupplier(rows: readonly BridgeRow[]): readonly SupplierChange[] {
  return [...groupBy(rows, ({ id, name }) => String(id ?? name)).values()]
    .flatMap(([first, ...others]) => {
      const all = first === undefined ? undefined : ([first, ...others] as const);
      return all === undefined ? [] : [{ rows: all, change: totalOf(all.map(changeOf)) }];
    })
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || byIdentity(a.rows[0], b.rows[0]));
}

/** Returns the change of the emissions without the effects that only change what is known. */
export function withoutEffects({
  together,
  effects: all,
}: Pick<BridgeStep, 'together' | 'effects'>): number {
  const data = all.filter(({ effect }) => dataEffects.includes(effect));
  return together - totalOf(data.map(({ emissions }) => emissions));
}

/** The change of the emissions of a row. */
export function changeOf({ before, after }: Pick<BridgeRow, 'before' | 'after'>): number {
  return (after?.emissions ?? 0) - (before?.emissions ?? 0);
}

function emissionsOf(items: readonly BridgeItem[]): number {
  const counted = items.filter(({ excluded }) => excluded === null);
  return totalOf(counted.map(({ emissions }) => emissions ?? 0));
}

function spendOf(items: readonly BridgeItem[]): Readonly<Record<string, number>> {
  const counted = items.filter(({ excluded }) => excluded === null);
  const byCurrency = groupBy(counted, ({ currency }) => currency ?? unknownCurrency);
  return Object.fromEntries(
    [...byCurrency.keys()].sort().map((code) => {
      return [code, totalOf((byCurrency.get(code) ?? []).map(({ spend }) => spend))];
    }),
  );
}

/* Spend without emissions, or that counts as coverage, changes no emissions by itself. */
function boughtSpend(
  rows: readonly BridgeRow[],
  sideOf: (row: BridgeRow) => Side | null,
): Readonly<Record<string, number>> {
  const bought = rows.filter(({ effects: some }) => boughtEffects.some((each) => each in some));
  const byCurrency = groupBy(bought, ({ currency }) => currency ?? unknownCurrency);
  return Object.fromEntries(
    [...byCurrency].map(([code, some]) => {
      return [code, totalOf(some.map((row) => sideOf(row)?.coveredSpend ?? 0))];
    }),
  );
}

function ratio(part: number, total: number): number | null {
  return total > 0 ? part / total : null;
}

function effectOf(effect: Effect, rows: readonly BridgeRow[], total: number) {
  const some = rows.filter((row) => row.effects[effect]);
  if (some.length === 0) return [];
  const emissions = totalOf(some.map((row) => row.effects[effect] ?? 0));
  const reasons = groupBy(
    hasReason(effect) ? some.flatMap(({ reason }) => reason ?? []) : [],
    (reason) => reason,
  );
  return [
    {
      effect,
      emissions,
      share: ratio(emissions, total),
      suppliers: new Set(some.map(({ id, name }) => id ?? name)).size,
      /** The most frequent one first. */
      reasons: [...reasons].sort(([, a], [, b]) => b.length - a.length).map(([reason]) => reason),
    },
  ];
}

/** Whether the rows with an effect have a reason for it. */
export function hasReason(effect: Effect): boolean {
  return effect === 'method_and_data' || effect === 'coverage';
}

function loneRow(
  before: SpendCell | undefined,
  after: SpendCell | undefined,
  hasOther: boolean,
): BridgeRow {
  const cell = after ?? before;
  const [from, to] = [before ?? null, after ?? null];
  const effect = hasOther ? 'currency_change' : after === undefined ? 'left' : 'new';
  return {
    id: cell?.id ?? null,
    name: cell?.name ?? null,
    currency: cell?.currency ?? null,
    before: from,
    after: to,
    effects: { [effect]: changeOf({ before: from, after: to }) },
    reason: null,
    usesSameFigures: false,
    synthetic: cell?.synthetic ?? false,
  };
}

function pairRow(step: Step, before: SpendCell, after: SpendCell): BridgeRow {
  const { effects: found, reason } = effectsOf(step, before, after);
  const [from, to] = [before.source, after.source];
  return {
    id: after.id ?? before.id,
    name: after.name,
    currency: after.currency,
    before,
    after,
    effects: found,
    reason,
    usesSameFigures: from?.factor != null && isSameSource(from, to),
    synthetic: before.synthetic || after.synthetic,
  };
}

function effectsOf(
  step: Step,
  before: SpendCell,
  after: SpendCell,
): Pick<BridgeRow, 'effects' | 'reason'> {
  const change = after.emissions - before.emissions;
  if (!before.isCovered || !after.isCovered)
    return { effects: { coverage: change }, reason: coverageReason(before, after) };
  const [from, to] = [before.source, after.source];
  const [s0, s1] = [before.spend, after.spend];
  const [f0, f1] = [from?.factor ?? before.emissions / s0, to?.factor ?? after.emissions / s1];
  const spends = (s0 + s1) / 2;
  // Equal spend or equal factors leave one cause, without a rest from rounding.
  const factor = f0 === f1 ? 0 : s0 === s1 ? change : (f1 - f0) * spends;
  if (!Number.isFinite(factor)) return { effects: { spend: change }, reason: null };
  const spend = change - factor;
  const reason = differenceOf(from, to);
  if (step === 'restated' || reason !== undefined || from?.basis !== 'own') {
    const why = factor === 0 ? null : (reason ?? figuresReason(from, to));
    return { effects: { spend, method_and_data: factor }, reason: why };
  }
  const [r0, r1] = [from.revenue ?? Number.NaN, to?.revenue ?? Number.NaN];
  const [e0, e1] = [f0 * r0, f1 * r1];
  const emissions = r0 === r1 ? factor : (((e1 - e0) * (1 / r0 + 1 / r1)) / 2) * spends;
  if (!Number.isFinite(emissions))
    return { effects: { spend, method_and_data: factor }, reason: figuresReason(from, to) };
  return {
    effects: { spend, supplier_emissions: emissions, supplier_revenue: factor - emissions },
    reason: null,
  };
}

/* Why two factors cannot be compared as figures of one supplier; undefined if they can. */
function differenceOf(from: Source | null, to: Source | null): string | undefined {
  if (from === null || to === null) return 'other organization';
  if (String(from.matched_id) !== String(to.matched_id)) return 'other organization';
  if (from.basis !== to.basis) return `${from.basis} → ${to.basis}`;
  if (from.upstream_factor !== to.upstream_factor) return 'upstream reading';
  if (from.scope2Method !== to.scope2Method) return 'scope 2 method';
  if (from.factor_region !== to.factor_region) return 'region';
  if (from.categories !== to.categories) return 'categories';
  return undefined;
}

/* On which side spend has no emissions, and why; that figures are too old explains itself. */
function coverageReason(before: SpendCell, after: SpendCell): string {
  const cells = [before, after].filter(({ isCovered }) => !isCovered);
  const what = cells.some(({ hasEmissions }) => hasEmissions) ? 'part without' : 'no';
  const side = cells.length > 1 ? 'on both sides' : after.isCovered ? 'before' : 'now';
  const [cell] = cells;
  if (cell === undefined || cell.uncovered === null || cells.length > 1)
    return `${what} emissions ${side}`;
  const { uncovered, uncoveredDetail: detail } = cell;
  return uncovered === 'too_old' && detail
    ? detail
    : `${what} emissions ${side}: ${reasonWords[uncovered]}`;
}

function figuresReason(from: Source | null, to: Source | null): string {
  const isIndustry = from?.basis === 'industry' && to?.basis === 'industry';
  const figures = isIndustry ? 'industry averages' : 'figures';
  return from?.factor_year === to?.factor_year
    ? `corrected ${figures}`
    : `another year's ${figures}`;
}
