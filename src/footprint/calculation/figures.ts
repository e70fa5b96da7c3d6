/* Which figures of a performance count, and the currency that they are in. */
import type { Emissions, Organization, Performance } from '../../api/schema.ts';
import { scope3Categories } from '../../api/schema.ts';
import type { FactorInputs } from '../register-row.ts';

/* No figure of an organization comes near; below it, no product and no sum is infinite. */
const maxFigure = 1e100;

/** Returns a figure from 0 to 1e100; any other value is not used. */
export function usableFigure(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value >= 0 && value <= maxFigure)) return undefined;
  return Math.abs(value);
}

/** Returns a figure above 0 and up to 1e100; any other value is not used. */
export function positiveFigure(value: unknown): number | undefined {
  return usableFigure(value) || undefined;
}

/** The upstream categories of the GHG Protocol, 1 to 8. */
const upstreamCategories = scope3Categories.slice(0, 8);

/** Emissions that an organization discloses for one year. */
export interface Inventory {
  /** Scopes 1 and 2, disclosed separately or together; undefined unless both are disclosed. */
  readonly scopes1And2: number | undefined;
  readonly scope1: number | undefined;
  readonly scope2: number | undefined;
  /** Scopes 1 and 2 as one figure, only if they are not both disclosed separately. */
  readonly combined: number | undefined;
  readonly method: FactorInputs['scope_2_method'];
  /** Sum of the disclosed upstream categories, in their order; 0 without any. */
  readonly upstream: number;
  readonly upstreamCategories: number;
  readonly hasPurchasedGoods: boolean;
  readonly total: number | undefined;
}

/**
 * Reads the disclosed figures that a factor can be calculated from.
 *
 * Scope 2 is market-based where disclosed, else location-based, else the total or the sum of its
 * parts, whose method is undisclosed.
 */
export function readInventory(emissions: Emissions): Inventory {
  const { scope_1, scope_2, scope_1_and_2, scope_3 } = emissions;
  const scope1 = usableFigure(scope_1?.total) ?? usableFigure(scope_1?.sum);
  const byMethod = readByMethod(scope_2);
  const scope2 = byMethod ?? usableFigure(scope_2?.total) ?? usableFigure(scope_2?.sum);
  const isSeparate = scope1 !== undefined && scope2 !== undefined;
  const combined = isSeparate
    ? undefined
    : (readByMethod(scope_1_and_2) ?? usableFigure(scope_1_and_2?.total));
  let upstream = 0;
  let count = 0;
  for (const category of upstreamCategories) {
    const value = usableFigure(scope_3?.[category]);
    if (value === undefined) continue;
    upstream += value;
    count++;
  }
  const hasScope3 =
    usableFigure(scope_3?.total) !== undefined || usableFigure(scope_3?.sum) !== undefined;
  return {
    scopes1And2: isSeparate ? scope1 + scope2 : combined,
    scope1,
    scope2,
    combined,
    method: methodOf(isSeparate ? scope_2 : scope_1_and_2),
    upstream,
    upstreamCategories: count,
    hasPurchasedGoods: usableFigure(scope_3?.purchased_goods_and_services) !== undefined,
    total:
      usableFigure(emissions.total) ??
      ((isSeparate || combined !== undefined) && (hasScope3 || count > 0)
        ? usableFigure(emissions.sum)
        : undefined),
  };
}

/**
 * Returns every figure for scopes 1 and 2 that an organization discloses: with scope 2
 * market-based, location-based and without a method, and the combined figures.
 */
export function scopes1And2Figures({ scope_1, scope_2, scope_1_and_2 }: Emissions): number[] {
  const scope1 = usableFigure(scope_1?.total) ?? usableFigure(scope_1?.sum);
  const figures = [
    scope_1_and_2?.total_market_based,
    scope_1_and_2?.total_location_based,
    scope_1_and_2?.total,
  ].map(usableFigure);
  if (scope1 !== undefined) {
    const { total_market_based, total_location_based, total, sum } = scope_2 ?? {};
    for (const figure of [total_market_based, total_location_based, total, sum]) {
      const scope2 = usableFigure(figure);
      if (scope2 !== undefined) figures.push(scope1 + scope2);
    }
  }
  return figures.filter((figure) => figure !== undefined);
}

type Methods =
  | {
      readonly total_market_based?: number | null | undefined;
      readonly total_location_based?: number | null | undefined;
    }
  | null
  | undefined;

function readByMethod(scope: Methods): number | undefined {
  return usableFigure(scope?.total_market_based) ?? usableFigure(scope?.total_location_based);
}

function methodOf(scope: Methods): FactorInputs['scope_2_method'] {
  if (usableFigure(scope?.total_market_based) !== undefined) return 'market-based';
  if (usableFigure(scope?.total_location_based) !== undefined) return 'location-based';
  return null;
}

/**
 * Returns the currency of a record's figures that name none: the only currency that its
 * performances name, else the requested one, because a response has one currency (section 2.4).
 * Returns undefined if its performances name several, or if nothing is known.
 */
export function recordCurrency(
  record: Organization,
  requested: string | undefined,
): string | undefined {
  let stated: string | undefined;
  for (const performance of record.performances ?? []) {
    const currency = statedCurrency(performance);
    if (currency === undefined || currency === stated) continue;
    if (stated !== undefined) return undefined;
    stated = currency;
  }
  return stated ?? currencyCode(requested);
}

/** Returns the currency that a performance names, in capitals. */
export function statedCurrency(performance: Performance): string | undefined {
  return currencyCode(performance.revenue_currency);
}

/** Returns a currency in capitals; undefined without one. */
export function currencyCode(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return (isCode.test(value) ? value : value.trim().toUpperCase()) || undefined;
}

const isCode = /^[A-Z]{3}$/;
