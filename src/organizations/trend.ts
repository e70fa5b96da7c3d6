/*
 * Compares two years of one organization like for like: only scopes and categories that both years
 * have, scope 2 by the same method. The caller chooses performances of one region.
 */
import { scope3Categories } from '../api/schema.ts';
import { type Basis, figureName, type Inventory } from './emissions.ts';

export type Scope = 1 | 2 | 3;

export interface LikeForLike {
  /** The sum of the common figures in the earlier year; undefined without any. */
  readonly before: number | undefined;
  /** The sum of the same figures in the later year. */
  readonly after: number | undefined;
  /** The common figures, such as `scope 2 market-based`. */
  readonly compared: readonly string[];
  /** Whether each of the scopes is compared, without a category that only one year has. */
  readonly isComplete: boolean;
}

/* A figure of both years; `left out` if only one has it, undefined if none has. */
type Part = Common | 'left out' | undefined;

interface Common {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/*
 * The figures of a scope that compare with each other, the preferred first. A total without a
 * method compares only with another one: its method could be either.
 */
const groupOf = (scope: string, ...fields: readonly Basis[]) =>
  fields.map((field) => ({ field, name: `${scope} ${figureName(field)}`.trim() }));
const methods = ['total_market_based', 'total_location_based'] as const;
const groups = {
  scope_1: [groupOf('scope 1', 'total', 'sum')],
  scope_2: [groupOf('scope 2', ...methods), groupOf('scope 2', 'total', 'sum')],
  scope_1_and_2: [groupOf('scope 1 and 2', ...methods), groupOf('scope 1 and 2', 'total')],
  scope_3: [groupOf('scope 3', 'total', 'sum')],
};
const categoryNames = scope3Categories.map((field) => `scope 3 ${figureName(field)}`);

/**
 * Compares the emissions of two years.
 * @param scopes to compare, all by default
 */
export function compareYears(
  earlier: Inventory,
  later: Inventory,
  scopes: readonly Scope[] = [1, 2, 3],
): LikeForLike {
  let parts: Part[] = [];
  if (scopes.includes(1)) parts.push(common('scope_1', earlier, later));
  if (scopes.includes(2)) parts.push(common('scope_2', earlier, later));
  // One figure for both scopes replaces two figures only if these are not comparable.
  if (parts.length === 2 && !parts.every(isCommon)) {
    const joint = common('scope_1_and_2', earlier, later);
    if (isCommon(joint)) parts = [joint];
  }
  let isComplete = parts.every(isCommon);
  if (scopes.includes(3)) {
    const scope3 = scope3Parts(earlier, later);
    isComplete &&= scope3.some(isCommon) && !scope3.includes('left out');
    parts.push(...scope3);
  }
  const compared: string[] = [];
  let [before, after] = [0, 0];
  for (const part of parts) {
    if (!isCommon(part)) continue;
    compared.push(part.name);
    before += part.before;
    after += part.after;
  }
  if (compared.length === 0) return { before: undefined, after: undefined, compared, isComplete };
  return { before, after, compared, isComplete };
}

function isCommon(part: Part): part is Common {
  return typeof part === 'object';
}

/* Returns the first figure that both years have, among those of the first group of either year. */
function common(scope: keyof typeof groups, earlier: Inventory, later: Inventory): Part {
  const [old, now] = [earlier[scope], later[scope]];
  for (const group of groups[scope]) {
    let isKnown = false;
    for (const { field, name } of group) {
      const [before, after] = [old[field], now[field]];
      if (before !== undefined && after !== undefined) return { name, before, after };
      isKnown ||= before !== undefined || after !== undefined;
    }
    if (isKnown) return 'left out';
  }
  return undefined;
}

/* Categories are compared one by one; totals only if neither year has any. */
function scope3Parts(earlier: Inventory, later: Inventory): Part[] {
  const [old, now] = [earlier.scope_3.parts, later.scope_3.parts];
  const parts: Part[] = [];
  for (let index = 0; index < categoryNames.length; index += 1) {
    const before = old[index];
    const after = now[index];
    if (before !== undefined && after !== undefined)
      parts.push({ name: categoryNames[index] ?? '', before, after });
    else if (before !== after) parts.push('left out');
  }
  return parts.length > 0 ? parts : [common('scope_3', earlier, later)];
}
