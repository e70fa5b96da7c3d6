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

type Amounts = Readonly<Record<string, unknown>> | null | undefined;

/* The names of figures that compare with each other, the preferred first. */
const methods = ['total_market_based', 'total_location_based'] as const;
const totals = ['total', 'sum'] as const;
/* A total without a method compares only with another one: its method could be either. */
const basesOf = {
  'scope 1': [totals],
  'scope 2': [methods, totals],
  'scope 1 and 2': [methods, ['total']],
  'scope 3': [totals],
} as const;
const categories = scope3Categories.map(
  (field) => ({ field, name: `scope 3 ${figureName(field)}` }) as const,
);

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
  if (scopes.includes(1)) separate.push(common('scope 1', earlier?.scope_1, later?.scope_1));
  if (scopes.includes(2)) separate.push(common('scope 2', earlier?.scope_2, later?.scope_2));
  // One figure for both scopes replaces two figures only if these are not comparable.
  const joint =
    separate.length === 2 && !separate.every(isCommon)
      ? common('scope 1 and 2', earlier?.scope_1_and_2, later?.scope_1_and_2)
      : undefined;
  const isJoint = joint !== undefined && isCommon(joint);
  const scope3 = scopes.includes(3) ? scope3Parts(earlier?.scope_3, later?.scope_3) : [];
  const parts = [...(isJoint ? [joint] : separate), ...scope3];
  const compared = parts.filter(isCommon);
  const sum = (read: (part: Part) => number | undefined) =>
    compared.length === 0 ? undefined : compared.reduce((all, part) => all + (read(part) ?? 0), 0);
  return {
    before: sum(({ before }) => before),
    after: sum(({ after }) => after),
    compared: compared.map(({ name }) => name),
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

interface Part {
  readonly name: string;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** Whether a year has it, but not both. */
  readonly isLeftOut: boolean;
}

/* Returns the first figure that both years have. */
function common(scope: keyof typeof basesOf, earlier: Amounts, later: Amounts): Part {
  const has = (amounts: Amounts) => (name: string) => amountOf(amounts, name) !== undefined;
  const basis = (amounts: Amounts) =>
    amounts && basesOf[scope].find((each) => each.some(has(amounts)));
  const [before, after] = [basis(earlier), basis(later)];
  const name =
    before === after ? before?.find((each) => has(earlier)(each) && has(later)(each)) : undefined;
  if (name === undefined) return { name: scope, isLeftOut: Boolean(before ?? after) };
  return {
    name: `${scope} ${figureName(name)}`.trim(),
    before: amountOf(earlier, name),
    after: amountOf(later, name),
    isLeftOut: false,
  };
}

function amountOf(amounts: Amounts, name: string): number | undefined {
  const value = amounts?.[name];
  return typeof value === 'number' ? value : undefined;
}

/* Categories are compared one by one; totals only if neither year has any. */
function scope3Parts(earlier: Amounts, later: Amounts): Part[] {
  const parts: Part[] = [];
  let isKnown = false;
  for (const { field, name } of categories) {
    const [before, after] = [amountOf(earlier, field), amountOf(later, field)];
    isKnown ||= before !== undefined || after !== undefined;
    parts.push(
      before !== undefined && after !== undefined
        ? { name, before, after, isLeftOut: false }
        : { name, isLeftOut: before !== after },
    );
  }
  return isKnown ? parts : [common('scope 3', earlier, later)];
}
