/*
 * Compares two years of one organization like for like: only scopes and categories that both years
 * have, scope 2 by the same method. The caller chooses performances of one region.
 */
import { scope3Categories } from '../api/schema.ts';
import { figureName, type Inventory } from './emissions.ts';

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
const methods = ['total_market_based', 'total_location_based'] as const;
const bases = {
  scope_1: { scope: 'scope 1', groups: [['total', 'sum']] },
  scope_2: { scope: 'scope 2', groups: [methods, ['total', 'sum']] },
  scope_1_and_2: { scope: 'scope 1 and 2', groups: [methods, ['total']] },
  scope_3: { scope: 'scope 3', groups: [['total', 'sum']] },
} as const;
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
  const found = parts.filter(isCommon);
  const add = (side: 'before' | 'after') =>
    found.length === 0 ? undefined : found.reduce((sum, part) => sum + part[side], 0);
  const compared = found.map(({ name }) => name);
  return { before: add('before'), after: add('after'), compared, isComplete };
}

function isCommon(part: Part): part is Common {
  return typeof part === 'object';
}

/* Returns the first figure that both years have, among those of the first group of either year. */
function common(field: keyof typeof bases, earlier: Inventory, later: Inventory): Part {
  const { scope, groups } = bases[field];
  const [old, now] = [earlier[field], later[field]];
  for (const group of groups) {
    const known = group.filter((name) => (old[name] ?? now[name]) !== undefined);
    for (const name of known) {
      const [before, after] = [old[name], now[name]];
      if (before !== undefined && after !== undefined)
        return { name: `${scope} ${figureName(name)}`.trim(), before, after };
    }
    if (known.length > 0) return 'left out';
  }
  return undefined;
}

/* Categories are compared one by one; totals only if neither year has any. */
function scope3Parts(earlier: Inventory, later: Inventory): Part[] {
  const parts = categoryNames.flatMap((name, index): Part[] => {
    const [before, after] = [earlier.scope_3.parts[index], later.scope_3.parts[index]];
    if (before !== undefined && after !== undefined) return [{ name, before, after }];
    return before === after ? [] : ['left out'];
  });
  return parts.length > 0 ? parts : [common('scope_3', earlier, later)];
}
