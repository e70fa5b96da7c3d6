/*
 * Compares two years of one organization like for like: only scopes and categories that both years
 * have, scope 2 by the same method. The caller chooses performances of one region.
 */
import { scope3Categories } from '../../client/api/vocabulary.ts';
import { type FigureBasis, figureName, type Inventory } from './emissions.ts';

export type Scope = 1 | 2 | 3;

/* The names and sums of the figures that both years have. */
interface Sums {
  before: number;
  after: number;
  compared: string[];
}

/*
 * The figures of a scope that compare with each other, the preferred first. A total without a
 * method compares only with another one: its method could be either.
 */
const groupOf = (scope: string, ...fields: readonly FigureBasis[]) =>
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
export function compareYears(
  earlier: Inventory,
  later: Inventory,
  scopes: readonly Scope[],
): Readonly<Sums> | undefined {
  const sums: Sums = { before: 0, after: 0, compared: [] };
  for (const scope of scopes)
    if (scope === 3) addScope3(sums, earlier, later);
    else addCommon(sums, `scope_${scope}`, earlier, later);
  // One figure for both scopes replaces two figures only if these are not comparable.
  if (scopes.includes(1) && scopes.includes(2) && sums.compared.length < 2) {
    const joint: Sums = { before: 0, after: 0, compared: [] };
    addCommon(joint, 'scope_1_and_2', earlier, later);
    if (joint.compared.length > 0) return joint;
  }
  return sums.compared.length > 0 ? sums : undefined;
}

/* Adds the first figure that both years have, among those of the first group of either year. */
function addCommon(sums: Sums, scope: keyof typeof groups, earlier: Inventory, later: Inventory) {
  const [old, now] = [earlier[scope], later[scope]];
  for (const group of groups[scope]) {
    let isKnown = false;
    for (const { field, name } of group) {
      if (add(sums, name, old[field], now[field])) return;
      isKnown ||= old[field] !== undefined || now[field] !== undefined;
    }
    if (isKnown) return;
  }
}

/* Categories are compared one by one; totals only if neither year has any. */
function addScope3(sums: Sums, earlier: Inventory, later: Inventory) {
  if (earlier.scope_3.partCount + later.scope_3.partCount === 0)
    return addCommon(sums, 'scope_3', earlier, later);
  const [old, now] = [earlier.scope_3.parts, later.scope_3.parts];
  for (let index = 0; index < categoryNames.length; index += 1)
    add(sums, categoryNames[index] ?? '', old[index], now[index]);
}

/* Reads scopes 1 and 2 of a year from the same figures of each year. */
type BothScopes = (year: Inventory) => number | undefined;

/*
 * What scopes 1 and 2 are read from, in the order in which `bothScopes` prefers it: by each method
 * one figure for both, otherwise one of each scope.
 */
const sources = (['total_market_based', 'total_location_based', 'total', 'sum'] as const).flatMap(
  (field): BothScopes[] => [
    ({ scope_1_and_2 }) => scope_1_and_2[field],
    ({ scope_1, scope_2 }) => sumOf(scope_1.total, scope_2[field]),
    ({ scope_1, scope_2 }) => sumOf(scope_1.sum, scope_2[field]),
  ],
);

function sumOf(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined || second === undefined ? undefined : first + second;
}

/**
 * Returns scopes 1 and 2 of several years, each time from the same figures: one region, one method
 * of scope 2. Undefined if a year lacks one of them.
 * @param years inventories of one region
 */
export function bothScopesOfYears(years: readonly Inventory[]): readonly number[] | undefined {
  for (const source of sources) {
    const values = years.flatMap((year) => source(year) ?? []);
    if (values.length === years.length && values.every(Number.isFinite)) return values;
  }
  return undefined;
}

/**
 * Returns scopes 1 and 2 of each year if the figures that come first are the same ones in all: then
 * they are those of `bothScopesOfYears` for any of these years. Otherwise undefined.
 */
export function bothScopesOfEach(years: readonly Inventory[]): readonly number[] | undefined {
  let common: BothScopes | undefined;
  const values: number[] = [];
  for (const year of years) {
    const source = sources.find((each) => each(year) !== undefined);
    common ??= source;
    const value = common?.(year);
    if (source !== common || value === undefined || !Number.isFinite(value)) return undefined;
    values.push(value);
  }
  return values;
}

function add(sums: Sums, name: string, before: number | undefined, after: number | undefined) {
  if (before === undefined || after === undefined) return false;
  sums.before += before;
  sums.after += after;
  // Pushing to an empty array reserves space for 17 names, and most scopes have one.
  if (sums.compared.length === 0) sums.compared = [name];
  else sums.compared.push(name);
  return true;
}
