/*
 * Compares two years of one organization like for like: only scopes and categories that both years
 * have, scope 2 by the same method. The caller chooses performances of one region.
 */
import { type Emissions, scope3Categories } from '../api/schema.ts';
import { figureName } from './emissions.ts';

/** A scope of the GHG Protocol. */
export type Scope = 1 | 2 | 3;

/** What two years have in common. */
export interface LikeForLike {
  /** The sum of the common figures in the earlier year; undefined without any. */
  readonly before: number | undefined;
  /** The sum of the same figures in the later year. */
  readonly after: number | undefined;
  /** The common figures, such as `scope 2 market-based`. */
  readonly compared: readonly string[];
  /** Figures that only one of the years has. */
  readonly leftOut: readonly string[];
  /** Whether each of the scopes is compared, without a category that only one year has. */
  readonly isComplete: boolean;
}

/* Figures of a scope, of which a comparison takes the first that both years have. */
type Bases = ReadonlyMap<string, number>;

const methods = ['total_market_based', 'total_location_based'] as const;

/**
 * Compares the emissions of two years.
 * @param scopes to compare, all by default
 */
export function compareYears(
  earlier: Emissions | null | undefined,
  later: Emissions | null | undefined,
  scopes: readonly Scope[] = [1, 2, 3],
): LikeForLike {
  const pair = [earlier ?? {}, later ?? {}] as const;
  const separate = [
    ...(scopes.includes(1) ? [commonBasis('scope 1', pair.map(scope1Bases))] : []),
    ...(scopes.includes(2) ? [commonBasis('scope 2', pair.map(scope2Bases))] : []),
  ];
  // One figure for both scopes replaces two figures only if these are not comparable.
  const joint =
    separate.length === 2 && !separate.every(isCommon)
      ? commonBasis('scope 1 and 2', pair.map(jointBases))
      : undefined;
  const isJoint = joint !== undefined && isCommon(joint);
  const scope3 = scopes.includes(3) ? scope3Parts(pair) : [];
  const parts = [...(isJoint ? [joint] : separate), ...scope3];
  const common = parts.filter(isCommon);
  return {
    before: total(common.map(({ before }) => before)),
    after: total(common.map(({ after }) => after)),
    compared: common.map(({ name }) => name),
    leftOut: parts.filter(({ isLeftOut }) => isLeftOut).map(({ name }) => name),
    isComplete:
      (isJoint || separate.every(isCommon)) &&
      (!scopes.includes(3) || scope3.some(isCommon)) &&
      !parts.some(({ isLeftOut }) => isLeftOut),
  };
}

function isCommon({ before }: Part): boolean {
  return before !== undefined;
}

function total(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

interface Part {
  readonly name: string;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** Whether a year has it, but not both. */
  readonly isLeftOut: boolean;
}

function commonBasis(scope: string, years: readonly Bases[]): Part {
  const [earlier = new Map(), later = new Map()] = years;
  for (const [basis, before] of earlier) {
    const after = later.get(basis);
    if (after === undefined) continue;
    return { name: [scope, figureName(basis)].join(' ').trim(), before, after, isLeftOut: false };
  }
  return { name: scope, isLeftOut: earlier.size > 0 || later.size > 0 };
}

function scope1Bases({ scope_1 }: Emissions): Bases {
  return bases(scope_1, ['total', 'sum']);
}

/* A total without a method compares only with another one: its method could be either. */
function scope2Bases({ scope_2 }: Emissions): Bases {
  const named = bases(scope_2, methods);
  return named.size > 0 ? named : bases(scope_2, ['total', 'sum']);
}

function jointBases({ scope_1_and_2 }: Emissions): Bases {
  const named = bases(scope_1_and_2, methods);
  return named.size > 0 ? named : bases(scope_1_and_2, ['total']);
}

function bases(amounts: object | null | undefined, names: readonly string[]): Bases {
  const found = new Map<string, number>();
  if (!amounts) return found;
  for (const name of names) {
    const value = (amounts as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'number') found.set(name, value);
  }
  return found;
}

/* Categories are compared one by one; totals only if neither year has any. */
function scope3Parts(pair: readonly [Emissions, Emissions]): Part[] {
  const [earlier, later] = pair.map(({ scope_3 }) => bases(scope_3, scope3Categories)) as [
    Bases,
    Bases,
  ];
  if (earlier.size === 0 && later.size === 0)
    return [
      commonBasis(
        'scope 3',
        pair.map((year) => bases(year.scope_3, ['total', 'sum'])),
      ),
    ];
  return scope3Categories.map((category): Part => {
    const [before, after] = [earlier.get(category), later.get(category)];
    const name = `scope 3 ${figureName(category)}`;
    return before !== undefined && after !== undefined
      ? { name, before, after, isLeftOut: false }
      : { name, isLeftOut: before !== after };
  });
}
