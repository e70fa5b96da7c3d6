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
  /** Whether each of the scopes is compared, without a category that only one year has. */
  readonly isComplete: boolean;
}

type Amounts = Readonly<Record<string, unknown>> | null | undefined;

interface Figure {
  readonly field: string;
  readonly name: string;
}

const figuresOf = (scope: string, ...fields: readonly string[]): readonly Figure[] =>
  fields.map((field) => ({ field, name: `${scope} ${figureName(field)}`.trim() }));

/*
 * The figures of a scope that compare with each other, the preferred first. A total without a
 * method compares only with another one: its method could be either.
 */
const basesOf = (scope: string, withMethod: boolean, ...others: readonly string[]) => [
  ...(withMethod ? [figuresOf(scope, 'total_market_based', 'total_location_based')] : []),
  figuresOf(scope, 'total', ...others),
];
const bases = {
  scope1: basesOf('scope 1', false, 'sum'),
  scope2: basesOf('scope 2', true, 'sum'),
  scope1And2: basesOf('scope 1 and 2', true),
  scope3: basesOf('scope 3', false, 'sum'),
};
const categories = figuresOf('scope 3', ...scope3Categories);
const categoryIndex = new Map(categories.map(({ field }, index) => [field, index]));

/**
 * Compares the emissions of two years.
 * @param scopes to compare, all by default
 */
export function compareYears(
  earlier: Emissions | null | undefined,
  later: Emissions | null | undefined,
  scopes: readonly Scope[] = [1, 2, 3],
): LikeForLike {
  const separate: Part[] = [];
  if (scopes.includes(1)) separate.push(common(bases.scope1, earlier?.scope_1, later?.scope_1));
  if (scopes.includes(2)) separate.push(common(bases.scope2, earlier?.scope_2, later?.scope_2));
  // One figure for both scopes replaces two figures only if these are not comparable.
  const joint =
    separate.length === 2 && !separate.every(isCommon)
      ? common(bases.scope1And2, earlier?.scope_1_and_2, later?.scope_1_and_2)
      : undefined;
  const isJoint = joint !== undefined && isCommon(joint);
  const scope3 = scopes.includes(3) ? scope3Parts(earlier?.scope_3, later?.scope_3) : [];
  const parts = [...(isJoint ? [joint] : separate), ...scope3];
  const compared: string[] = [];
  let [before, after] = [0, 0];
  for (const part of parts) {
    if (part.before === undefined) continue;
    compared.push(part.name);
    before += part.before;
    after += part.after ?? 0;
  }
  const isKnown = compared.length > 0;
  return {
    before: isKnown ? before : undefined,
    after: isKnown ? after : undefined,
    compared,
    isComplete:
      (isJoint || separate.every(isCommon)) &&
      (!scopes.includes(3) || scope3.some(isCommon)) &&
      !parts.some(({ isLeftOut }) => isLeftOut),
  };
}

function isCommon({ before }: Part): boolean {
  return before !== undefined;
}

interface Part {
  readonly name: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Whether a year has it, but not both. */
  readonly isLeftOut: boolean;
}

const missing: Part = { name: '', before: undefined, after: undefined, isLeftOut: false };
const leftOut: Part = { ...missing, isLeftOut: true };

/* Returns the first figure that both years have, among those of the first basis of either year. */
function common(bases: readonly (readonly Figure[])[], earlier: Amounts, later: Amounts): Part {
  for (const figures of bases) {
    let [isEarlier, isLater] = [false, false];
    for (const { field, name } of figures) {
      const [before, after] = [amountOf(earlier, field), amountOf(later, field)];
      if (before !== undefined && after !== undefined)
        return { name, before, after, isLeftOut: false };
      isEarlier ||= before !== undefined;
      isLater ||= after !== undefined;
    }
    if (isEarlier || isLater) return leftOut;
  }
  return missing;
}

function amountOf(amounts: Amounts, name: string): number | undefined {
  const value = amounts?.[name];
  return typeof value === 'number' ? value : undefined;
}

/* Categories are compared one by one; totals only if neither year has any. */
function scope3Parts(earlier: Amounts, later: Amounts): Part[] {
  const [before, after] = [categoryAmounts(earlier), categoryAmounts(later)];
  const parts: Part[] = [];
  for (let index = 0; index < categories.length; index += 1) {
    const old = before[index];
    const now = after[index];
    if (old !== undefined && now !== undefined)
      parts.push({
        name: categories[index]?.name ?? '',
        before: old,
        after: now,
        isLeftOut: false,
      });
    else if (old !== now) parts.push(leftOut);
  }
  return parts.length > 0 ? parts : [common(bases.scope3, earlier, later)];
}

/* Records differ in the categories that they have, so that V8 is slow to look up each one. */
function categoryAmounts(amounts: Amounts): (number | undefined)[] {
  const found = Array<number | undefined>(categories.length);
  for (const field in amounts ?? {}) {
    const index = categoryIndex.get(field);
    if (index !== undefined) found[index] = amountOf(amounts, field);
  }
  return found;
}
