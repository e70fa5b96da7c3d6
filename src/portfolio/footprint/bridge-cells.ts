/*
 * What was spent with a supplier in one currency on one side of a comparison, and which cells of
 * the two sides are one supplier's.
 */
import type { OrganizationId } from '../../client/api/ids.ts';
import { totalOf } from '../organizations/sum.ts';
import { byIdentity, type FootprintEntry, groupBy } from './entries.ts';
import { bareItemOf, type LineItem } from './footprint.ts';
import { type Lack, largestLack, type MissingFigures, type UncoveredReason } from './line-item.ts';

/** What the bridge reads of a line item, and the group that its supplier belongs to. */
export interface BridgeItem
  extends Pick<
    LineItem,
    | 'supplier'
    | 'id'
    | 'hq_region'
    | 'matched_id'
    | 'currency'
    | 'spend'
    | 'spend_year'
    | 'basis'
    | 'factor'
    | 'factor_year'
    | 'factor_region'
    | 'upstream_factor'
    | 'inputs'
    | 'emissions'
    | 'uncovered'
    | 'uncovered_detail'
    | 'excluded'
    | 'synthetic'
  > {
  /** Equal for suppliers that are one in the footprint; null for one that is its own. */
  readonly group: string | null;
  /** Why it has an industry average; a saved footprint does not say what is missing. */
  readonly lack?: Lack | null;
  /** What to ask for if it has no emissions. */
  readonly figures?: MissingFigures | undefined;
}

/**
 * Returns the line items of entries as a bridge reads them, with the group of each: suppliers of
 * one matched organization.
 */
export function bridgeItemsOf(entries: readonly FootprintEntry[]): BridgeItem[] {
  return entries.map((entry) => {
    const { group, factor, uncovered } = entry;
    const item = bareItemOf(entry);
    return Object.assign(item, {
      group: group.supplier.members === undefined ? null : String(item.matched_id ?? ''),
      lack: factor?.lack ?? null,
      figures: uncovered?.figures,
    });
  });
}

/** What was spent with a supplier in one currency on one side. */
export interface SpendCell {
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly country: string | null;
  readonly group: string | null;
  readonly currency: string | null;
  readonly spend: number;
  /** The part of the spend that has emissions. */
  readonly coveredSpend: number;
  readonly emissions: number;
  /** Whether all of the spend has emissions. */
  readonly isCovered: boolean;
  /** Whether any of it has. */
  readonly hasEmissions: boolean;
  /** What the factor is from; null without a factor, and if the items have several. */
  readonly source: Source | null;
  /** Why the largest item without emissions has none; null if all have some. */
  readonly uncovered: UncoveredReason | null;
  /** Explains the reason in words. */
  readonly uncoveredDetail: string | null;
  /** What to ask for then. */
  readonly figures: MissingFigures | undefined;
  /** Why the largest item with an average has one; null without averages. */
  readonly lack: Lack | null;
  readonly synthetic: boolean;
}

/** One side of a row. */
export type Side = Pick<
  SpendCell,
  | 'spend'
  | 'coveredSpend'
  | 'emissions'
  | 'hasEmissions'
  | 'source'
  | 'uncovered'
  | 'figures'
  | 'lack'
>;

const sourceMembers = [
  'basis',
  'factor',
  'factor_year',
  'factor_region',
  'upstream_factor',
  'matched_id',
  'scope2Method',
  'categories',
  'revenue',
] as const satisfies readonly (keyof Source)[];

export type Source = Pick<
  BridgeItem,
  'basis' | 'factor' | 'factor_year' | 'factor_region' | 'upstream_factor' | 'matched_id'
> & {
  readonly scope2Method: string | null;
  readonly categories: string | null;
  readonly revenue: number | null;
};

/** Items of one supplier, currency and country are one cell. Without ID and name, none is one. */
export function cellsOf(items: readonly BridgeItem[]): SpendCell[] {
  const counted = items.filter(({ excluded, id, supplier }) => {
    return excluded === null && (id !== null || comparableName(supplier) !== '');
  });
  const keyOf = ({ id, supplier, hq_region, currency }: BridgeItem) =>
    id === null
      ? JSON.stringify([currency, comparableName(supplier), hq_region])
      : `${currency} ${id}`;
  return [...groupBy(counted, keyOf).values()]
    .map(cellOf)
    .filter(({ spend, emissions }) => spend !== 0 || emissions !== 0);
}

export function byCell(a: SpendCell, b: SpendCell): number {
  return byIdentity(a, b) || ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1);
}

function cellOf(items: readonly BridgeItem[]): SpendCell {
  const [first] = items;
  const covered = items.filter(({ emissions }) => emissions !== null);
  const missing =
    covered.length === items.length && items.every(({ uncovered }) => uncovered === null)
      ? undefined
      : items.filter(({ uncovered }) => uncovered !== null).sort((a, b) => b.spend - a.spend)[0];
  return {
    id: first?.id ?? null,
    name: first?.supplier ?? null,
    country: first?.hq_region ?? null,
    group: first?.group ?? null,
    currency: first?.currency ?? null,
    spend: totalOf(items.map(({ spend }) => spend)),
    coveredSpend: totalOf(covered.map(({ spend }) => spend)),
    emissions: totalOf(covered.map(({ emissions }) => emissions ?? 0)),
    isCovered: items.every(({ uncovered }) => uncovered === null),
    hasEmissions: covered.length > 0,
    source: oneSource(covered.map(sourceOf)),
    uncovered: missing?.uncovered ?? null,
    uncoveredDetail: missing?.uncovered_detail ?? null,
    figures: missing?.figures,
    lack: largestLack(covered, ({ lack }) => lack),
    synthetic: items.some(({ synthetic }) => synthetic),
  };
}

function sourceOf(item: BridgeItem): Source {
  const { basis, factor, factor_year, factor_region, upstream_factor, matched_id, inputs } = item;
  return {
    basis,
    factor,
    factor_year,
    factor_region,
    upstream_factor,
    matched_id,
    scope2Method: inputs?.scope_2_method ?? null,
    categories: inputs?.upstream_categories ?? null,
    revenue: inputs?.revenue ?? null,
  };
}

/* Returns the source of all; null if they have several. */
function oneSource([first = null, ...others]: readonly (Source | null)[]): Source | null {
  return others.every((each) => isSameSource(first, each)) ? first : null;
}

export function isSameSource(a: Source | null, b: Source | null): boolean {
  if (a === null || b === null) return a === b;
  return sourceMembers.every((name) => a[name] === b[name]);
}

/* Equal for names that differ in case, spaces or the form of accents. */
function comparableName(text: string | null): string {
  return (text ?? '').normalize('NFC').trim().toUpperCase();
}

interface Pairs {
  readonly both: (readonly [from: SpendCell, to: SpendCell])[];
  readonly onlyBefore: readonly SpendCell[];
  readonly onlyAfter: readonly SpendCell[];
}

/**
 * Pairs cells by ID, then what is left by group, then what is left without an ID by name, so that a
 * new name or a merged record is no supplier that left.
 */
export function pairsOf(before: readonly SpendCell[], after: readonly SpendCell[]): Pairs {
  const byId = pairBy(before, after, ({ id, currency }) => id !== null && `${id} ${currency}`);
  const byGroup = pairBy(
    merged(byId.onlyBefore),
    merged(byId.onlyAfter),
    ({ group, currency }) => group !== null && `${group} ${currency}`,
  );
  const byName = pairBy(byGroup.onlyBefore, byGroup.onlyAfter, ({ name, currency }) => {
    return comparableName(name) !== '' && `${comparableName(name)} ${currency}`;
  });
  return {
    both: [...byId.both, ...byGroup.both, ...byName.both],
    onlyBefore: byName.onlyBefore,
    onlyAfter: byName.onlyAfter,
  };
}

/* Pairs cells with equal keys that are unique on both sides, unless they contradict each other. */
function pairBy(
  before: readonly SpendCell[],
  after: readonly SpendCell[],
  keyOf: (cell: SpendCell) => string | false,
): Pairs {
  const [first, second] = [before, after].map((cells) => {
    return groupBy(
      cells.filter((cell) => keyOf(cell) !== false),
      keyOf,
    );
  });
  const both = [...(first ?? [])].flatMap(([key, [from, ...others]]) => {
    const [to, ...further] = second?.get(key) ?? [];
    const isUnique = others.length === 0 && further.length === 0;
    return from && to && isUnique && isPossible(from, to) ? [[from, to] as const] : [];
  });
  const paired = new Set(both.flat());
  const rest = (cells: readonly SpendCell[]) => cells.filter((cell) => !paired.has(cell));
  return { both, onlyBefore: rest(before), onlyAfter: rest(after) };
}

/* Cells without a common ID or group must not contradict each other: IDs, or countries. */
function isPossible(from: SpendCell, to: SpendCell): boolean {
  if (from.group !== null && from.group === to.group) return true;
  if (from.id !== null && to.id !== null) return String(from.id) === String(to.id);
  return !from.country || !to.country || from.country.toUpperCase() === to.country.toUpperCase();
}

/* Makes the cells of one group and currency one. */
function merged(cells: readonly SpendCell[]): readonly SpendCell[] {
  const groups = groupBy(cells, ({ group, currency }) => group !== null && `${group} ${currency}`);
  return [...groups].flatMap(([key, all]) => {
    if (key === false || all.length === 1) return all;
    const [first] = all.sort(byCell);
    if (first === undefined) return all;
    const missing = all.find(({ uncovered }) => uncovered !== null);
    return {
      ...first,
      spend: totalOf(all.map(({ spend }) => spend)),
      coveredSpend: totalOf(all.map(({ coveredSpend }) => coveredSpend)),
      emissions: totalOf(all.map(({ emissions }) => emissions)),
      isCovered: all.every(({ isCovered }) => isCovered),
      hasEmissions: all.some(({ hasEmissions }) => hasEmissions),
      source: oneSource(all.map(({ source }) => source)),
      uncovered: missing?.uncovered ?? null,
      uncoveredDetail: missing?.uncoveredDetail ?? null,
      figures: missing?.figures,
      lack: largestLack(all, ({ lack }) => lack),
      synthetic: all.some(({ synthetic }) => synthetic),
    };
  });
}

/**
 * Returns what tells whether the supplier of a cell of one side has another one on the other side,
 * in another currency.
 */
export function otherCurrencies(others: readonly SpendCell[]): (cell: SpendCell) => boolean {
  const currencies = new Set(others.map(({ currency }) => currency));
  let index: ReturnType<typeof indexOf> | undefined;
  return ({ id, group, name, currency }) => {
    if (currencies.size === 1 && currencies.has(currency)) return false;
    index ??= indexOf(others);
    const named = index.byName.get(comparableName(name)) ?? [];
    const same = [
      ...(index.byId.get(String(id)) ?? []),
      ...(index.byGroup.get(String(group)) ?? []),
      ...named.filter((other) => id === null || other.id === null),
    ];
    return same.some((other) => other.currency !== currency);
  };
}

/* Cells without an ID, group or name are under the key `false`. */
function indexOf(cells: readonly SpendCell[]) {
  return {
    byId: groupBy(cells, ({ id }) => id !== null && String(id)),
    byGroup: groupBy(cells, ({ group }) => group !== null && group),
    byName: groupBy(cells, ({ name }) => comparableName(name) || false),
  };
}
