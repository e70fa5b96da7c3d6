/* Which figures of a performance count, and the currency that they are in. */
import {
  type Emissions,
  type Organization,
  type Performance,
  type Scope3,
  scope3Categories,
} from '../../api/schema.ts';
import { isYear } from '../../organizations/history.ts';
import type { FactorInputs } from '../line-item.ts';

/* No figure of an organization comes near; below it, no product and no sum is infinite. */
const maxFigure = 1e100;

/** Returns a figure from 0 to 1e100; any other value is not used. */
export function usableFigure(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= maxFigure
    ? Math.abs(value)
    : undefined;
}

/** Returns a figure above 0 and up to 1e100; any other value is not used. */
export function positiveFigure(value: unknown): number | undefined {
  return usableFigure(value) || undefined;
}

/** Returns scope 1: the total, else the sum of its disclosed parts. */
export function scope1Of({ scope_1 }: Emissions): number | undefined {
  return usableFigure(scope_1?.total) ?? usableFigure(scope_1?.sum);
}

/**
 * Returns scope 2: market-based where disclosed, else location-based, else the total or the sum of
 * its parts, whose method is undisclosed.
 *
 * Views prefer the total, because they show what the organization reports. A factor needs a figure
 * whose method can be named, so the total comes after the figures with a method.
 */
export function scope2Of({ scope_2 }: Emissions, prefersLocation = false): number | undefined {
  return (
    byMethod(scope_2, prefersLocation) ?? usableFigure(scope_2?.total) ?? usableFigure(scope_2?.sum)
  );
}

/** Returns scopes 1 and 2 as one figure, with scope 2 as `scope2Of` chooses it. */
export function combinedScopesOf(
  { scope_1_and_2 }: Emissions,
  prefersLocation = false,
): number | undefined {
  return byMethod(scope_1_and_2, prefersLocation) ?? usableFigure(scope_1_and_2?.total);
}

/** Returns scopes 1 and 2: the sum of both, else the combined figure. */
export function scopes1And2Of(emissions: Emissions, prefersLocation = false): number | undefined {
  const [scope1, scope2] = [scope1Of(emissions), scope2Of(emissions, prefersLocation)];
  if (scope1 === undefined || scope2 === undefined) {
    return combinedScopesOf(emissions, prefersLocation);
  }
  return scope1 + scope2;
}

type Methods =
  | {
      readonly total_market_based?: number | null | undefined;
      readonly total_location_based?: number | null | undefined;
    }
  | null
  | undefined;

function byMethod(scope: Methods, prefersLocation: boolean): number | undefined {
  const market = usableFigure(scope?.total_market_based);
  const location = usableFigure(scope?.total_location_based);
  return prefersLocation ? (location ?? market) : (market ?? location);
}

/** Names the method of the figure that `scope2Of` or `combinedScopesOf` chooses. */
export function scope2Method(scope: Methods): FactorInputs['scope_2_method'] {
  if (usableFigure(scope?.total_market_based) !== undefined) return 'market-based';
  return usableFigure(scope?.total_location_based) === undefined ? null : 'location-based';
}

/** The upstream categories of the GHG Protocol, 1 to 8. */
const upstreamCategories = scope3Categories.slice(0, 8);

/**
 * Returns the sum of the upstream categories with a value, in their order; undefined unless
 * purchased goods and services are above 0, because every organization buys something.
 */
export function upstreamOf(scope3: Scope3 | null | undefined): number | undefined {
  if (positiveFigure(scope3?.purchased_goods_and_services) === undefined) return undefined;
  let sum = 0;
  for (const category of upstreamCategories) sum += usableFigure(scope3?.[category]) ?? 0;
  return sum;
}

/** Returns the number of disclosed upstream categories, from 0 to 8. */
export function countUpstreamCategories(scope3: Scope3 | null | undefined): number {
  return upstreamCategories.filter((category) => usableFigure(scope3?.[category]) !== undefined)
    .length;
}

/**
 * Returns the total emissions: the disclosed total, else the sum of the disclosed parts if all
 * three scopes are among them.
 */
export function totalOf(emissions: Emissions): number | undefined {
  const total = usableFigure(emissions.total);
  if (total !== undefined || scopes1And2Of(emissions) === undefined) return total;
  const { scope_3 } = emissions;
  const scope3 = usableFigure(scope_3?.total) ?? usableFigure(scope_3?.sum) ?? upstreamOf(scope_3);
  return scope3 === undefined ? undefined : usableFigure(emissions.sum);
}

const scope2Figures = ['total_market_based', 'total_location_based', 'total', 'sum'] as const;
const combinedFigures = ['total_market_based', 'total_location_based', 'total'] as const;

/**
 * Yields every figure for scopes 1 and 2 that an organization discloses: with scope 2 market-based,
 * location-based and without a method, and the combined figures.
 */
export function* allScopes1And2(emissions: Emissions): Iterable<number> {
  const scope1 = scope1Of(emissions);
  for (const name of scope2Figures) {
    const scope2 = usableFigure(emissions.scope_2?.[name]);
    if (scope1 !== undefined && scope2 !== undefined) yield scope1 + scope2;
  }
  for (const name of combinedFigures) {
    const combined = usableFigure(emissions.scope_1_and_2?.[name]);
    if (combined !== undefined) yield combined;
  }
}

/**
 * Returns a function that reads the currency of a record's figures. Those that name none have the
 * only currency that its performances name, otherwise the requested one, because a response has one
 * currency (section 2.4). It is undefined if the performances name several, or if nothing is known.
 */
export function currencyReader(record: Organization, requested: string | undefined) {
  let ofRecord: { readonly currency: string | undefined } | undefined;
  const readRecord = () => {
    const stated = new Set((record.performances ?? []).map(statedCurrency));
    stated.delete(undefined);
    const [currency = currencyCode(requested)] = stated;
    return { currency: stated.size > 1 ? undefined : currency };
  };
  return (stated: unknown): string | undefined => {
    const currency = currencyCode(stated);
    if (currency !== undefined) return currency;
    ofRecord ??= readRecord();
    return ofRecord.currency;
  };
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

/** Returns a plausible year of figures (1900 to 2200), else null. */
export function yearOf(year: unknown): number | null {
  return isYear(year as number) ? (year as number) : null;
}

/** Returns the region of figures as in the record; null without one. */
export function regionOf(region: unknown): string | null {
  return (typeof region === 'string' && region) || null;
}
