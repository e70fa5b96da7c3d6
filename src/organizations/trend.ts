/*
 * Compares two years of one organization like for like: only scopes and categories that both years
 * have, scope 2 by the same method. The caller chooses performances of one region.
 */
import { scope3Categories } from '../api/schema.ts';
import { type Basis, figureName, type Inventory } from './emissions.ts';

export type Scope = 1 | 2 | 3;

/* A figure of both years. */
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
 *
 * @returns the names of the common figures, such as `scope 2 market-based`, with their sums in both
 * years; undefined without any
 */
export function compareYears(earlier: Inventory, later: Inventory, scopes: readonly Scope[]) {
  const single = scopes.flatMap((scope) =>
    scope === 3 ? scope3Parts(earlier, later) : common(`scope_${scope}`, earlier, later),
  );
  // One figure for both scopes replaces two figures only if these are not comparable.
  const hasBoth = scopes.includes(1) && scopes.includes(2);
  const joint = hasBoth && single.length < 2 ? common('scope_1_and_2', earlier, later) : [];
  const parts = joint.length > 0 ? joint : single;
  if (parts.length === 0) return undefined;
  let [before, after] = [0, 0];
  for (const part of parts) {
    before += part.before;
    after += part.after;
  }
  return { before, after, compared: parts.map(({ name }) => name) };
}

/* Returns the first figure that both years have, among those of the first group of either year. */
function common(scope: keyof typeof groups, earlier: Inventory, later: Inventory): Common[] {
  const [old, now] = [earlier[scope], later[scope]];
  for (const group of groups[scope]) {
    let isKnown = false;
    for (const { field, name } of group) {
      const [before, after] = [old[field], now[field]];
      if (before !== undefined && after !== undefined) return [{ name, before, after }];
      isKnown ||= before !== undefined || after !== undefined;
    }
    if (isKnown) break;
  }
  return [];
}

/* Categories are compared one by one; totals only if neither year has any. */
function scope3Parts(earlier: Inventory, later: Inventory): Common[] {
  if (earlier.scope_3.partCount + later.scope_3.partCount === 0)
    return common('scope_3', earlier, later);
  const [old, now] = [earlier.scope_3.parts, later.scope_3.parts];
  const parts: Common[] = [];
  for (let index = 0; index < categoryNames.length; index += 1) {
    const before = old[index];
    const after = now[index];
    if (before !== undefined && after !== undefined)
      parts.push({ name: categoryNames[index] ?? '', before, after });
  }
  return parts;
}
