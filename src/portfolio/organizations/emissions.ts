/* The figures of a year's emissions, and which of them stands for a scope. */
import type { Organization, Performance } from '../../client/api/schema.ts';
import { scope3Categories } from '../../client/api/vocabulary.ts';

/**
 * The fields that stand for a scope, the preferred first; all but the disclosed total have a mark.
 * A figure of scope 2 with a method precedes the total, whose method is unknown, as in a footprint.
 */
export const figureBases = [
  { field: 'total_market_based', mark: '*', basis: 'market-based', meaning: 'market-based' },
  { field: 'total_location_based', mark: '‡', basis: 'location-based', meaning: 'location-based' },
  { field: 'total', mark: '', basis: '', meaning: '' },
  {
    field: 'sum',
    mark: '†',
    basis: 'sum',
    meaning: 'sum of the disclosed parts, no total disclosed',
  },
] as const;

/** A field that may stand for a scope. */
export type FigureBasis = (typeof figureBases)[number]['field'];

/* A text is a value that could not be read as a number. */
type Amount = number | string | null | undefined;
type Amounts = { readonly [Field in FigureBasis]?: Amount } | null | undefined;

/** The figure that views show for a scope; all but the disclosed total have a mark. */
export interface ReportedFigure {
  readonly value: number;
  readonly mark: string;
}

/** Describes the basis of a figure in a word; empty for a disclosed total. */
export function basisOf({ mark }: ReportedFigure): string {
  return figureBases.find((base) => base.mark === mark)?.basis ?? '';
}

/** Returns the field that holds a figure: `total`, `sum` or one of the other bases. */
export function fieldOf({ mark }: ReportedFigure): string {
  return figureBases.find((base) => base.mark === mark)?.field ?? '';
}

export interface ReportedEmissions {
  readonly scope1: ReportedFigure | undefined;
  readonly scope2: ReportedFigure | undefined;
  /** Scopes 1 and 2 together, if the organization discloses them as one figure. */
  readonly scope1And2: ReportedFigure | undefined;
  readonly scope3: ReportedFigure | undefined;
  readonly total: ReportedFigure | undefined;
}

/* Emissions as in a record, or with scopes that have been read. */
type Scopes = { readonly [Scope in keyof typeof scopes]?: Amounts } & Pick<
  NonNullable<Amounts>,
  'total' | 'sum'
>;

/** Selects the figures of a year's emissions for views, without adding any up. */
export function readEmissions(emissions: Scopes | null | undefined): ReportedEmissions {
  const { scope_1, scope_2, scope_1_and_2, scope_3, total, sum } = emissions ?? {};
  return {
    scope1: read(scope_1),
    scope2: read(scope_2),
    scope1And2: read(scope_1_and_2),
    scope3: read(scope_3),
    total: read({ total, sum }),
  };
}

/**
 * Returns the value, as it came, that would stand for a scope if it could be read as a number;
 * undefined if there is none, or if a figure stands for the scope.
 */
export function unreadableFigure(amounts: Amounts): string | undefined {
  if (amounts === null || amounts === undefined || read(amounts) !== undefined) return undefined;
  for (const { field } of figureBases) {
    const amount = amounts[field];
    if (isUnreadable(amount)) return amount;
  }
  return undefined;
}

/** Checks whether a value of a number is a text that could not be read as one. */
export function isUnreadable(amount: unknown): amount is string {
  return typeof amount === 'string' && amount.trim() !== '';
}

export function hasReportedFigure(figures: ReportedEmissions): boolean {
  const { scope1, scope2, scope1And2, scope3, total } = figures;
  return (scope1 ?? scope2 ?? scope1And2 ?? scope3 ?? total) !== undefined;
}

/**
 * Returns scopes 1 and 2 together: as disclosed together, unless scope 2 has a preferred method;
 * otherwise the sum of both, marked as its scope 2 or otherwise its scope 1. It is undefined if one
 * is missing or the sum is beyond a double.
 */
export function bothScopes(figures: ReportedEmissions): ReportedFigure | undefined {
  const { scope1, scope2, scope1And2 } = figures;
  if (!scope1 || !scope2) return scope1And2;
  if (scope1And2 !== undefined && rankOf(scope1And2) <= rankOf(scope2)) return scope1And2;
  const value = scope1.value + scope2.value;
  return Number.isFinite(value) ? { value, mark: scope2.mark || scope1.mark } : undefined;
}

function rankOf({ mark }: ReportedFigure): number {
  return figureBases.findIndex((base) => base.mark === mark);
}

/** The figures of a scope that rules and comparisons need; undefined where a record has none. */
export interface ScopeFigures extends Readonly<Record<FigureBasis, number | undefined>> {
  /** The disclosed parts, in the order of `scopes`. */
  readonly parts: readonly (number | undefined)[];
  readonly partCount: number;
  /** What the parts add up to, in the order of the record. */
  readonly partSum: number;
  /** The largest part; 0 without one above 0. */
  readonly partMax: number;
  /** The first figure that could not be read, by its field. */
  readonly unreadable: string | undefined;
}

export interface Inventory extends Readonly<Record<keyof typeof scopes, ScopeFigures>> {
  readonly performance: Performance;
  /** Null if it is missing; any number otherwise. */
  readonly year: number | null;
  /** Empty if it is missing. */
  readonly region: string;
  readonly shown: ReportedEmissions;
}

/**
 * Reads the figures of each performance once for all rules and comparisons: records differ in the
 * members that they have, so that V8 is slow to look up each one.
 */
export function readInventories({ performances }: Organization): Inventory[] {
  return (performances ?? []).map((performance) => {
    const { year, region, emissions } = performance;
    const { total, sum } = emissions ?? {};
    const scope_1 = readScope(emissions?.scope_1, parts.scope_1);
    const scope_2 = readScope(emissions?.scope_2, parts.scope_2);
    const scope_1_and_2 = readScope(emissions?.scope_1_and_2, parts.scope_1_and_2);
    const scope_3 = readScope(emissions?.scope_3, parts.scope_3);
    return {
      performance,
      year: numberOf(year) ?? null,
      region: region ?? '',
      scope_1,
      scope_2,
      scope_1_and_2,
      scope_3,
      shown: readEmissions({ scope_1, scope_2, scope_1_and_2, scope_3, total, sum }),
    };
  });
}

function readScope(
  amounts: Readonly<Record<string, Amount>> | null | undefined,
  indexOf: ReadonlyMap<string, number>,
): ScopeFigures {
  if (amounts === null || amounts === undefined) return undisclosed;
  const found = Array<number | undefined>(indexOf.size);
  let [partCount, partSum, partMax] = [0, 0, 0];
  let unreadable: string | undefined;
  for (const field in amounts) {
    const amount = amounts[field];
    const index = indexOf.get(field);
    if (typeof amount === 'string' && isUnreadable(amount)) unreadable ??= field;
    if (index === undefined || typeof amount !== 'number') continue;
    found[index] = amount;
    partCount += 1;
    partSum += amount;
    if (amount > partMax) partMax = amount;
  }
  return {
    total: numberOf(amounts['total']),
    total_market_based: numberOf(amounts['total_market_based']),
    total_location_based: numberOf(amounts['total_location_based']),
    sum: numberOf(amounts['sum']),
    parts: found,
    partCount,
    partSum,
    partMax,
    unreadable,
  };
}

/** The first value of a performance that is no number where a number is usual, as it came. */
export interface UnreadableValue {
  /** Path in the performance, such as `emissions.scope_1.total`. */
  readonly field: string;
  readonly text: string;
}

const amountNames = [
  'year',
  'revenue',
  'emission_factor',
  'scope_1_and_2_emission_factor',
  'total_upstream_emission_factor',
] as const;

/** Finds what of a performance no calculation can use, although the service sent a value. */
export function unreadableValue(inventory: Inventory): UnreadableValue | undefined {
  const { performance } = inventory;
  for (const field of amountNames) {
    const text = performance[field];
    if (typeof text === 'string' && isUnreadable(text)) return { field, text };
  }
  const { emissions } = performance;
  for (const field of ['total', 'sum'] as const) {
    const text = emissions?.[field];
    if (typeof text === 'string' && isUnreadable(text))
      return { field: `emissions.${field}`, text };
  }
  for (const scope of scopeNames) {
    const { unreadable } = inventory[scope];
    if (unreadable === undefined) continue;
    const amounts: Readonly<Record<string, Amount>> = emissions?.[scope] ?? {};
    return { field: `emissions.${scope}.${unreadable}`, text: String(amounts[unreadable]) };
  }
  return undefined;
}

function numberOf(value: Amount): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const [marketBased, locationBased, disclosed, sumOfParts] = figureBases;

function read(amounts: Amounts): ReportedFigure | undefined {
  if (amounts === null || amounts === undefined) return undefined;
  const { total, total_market_based: market, total_location_based: location, sum } = amounts;
  if (typeof market === 'number') return { value: market, mark: marketBased.mark };
  if (typeof location === 'number') return { value: location, mark: locationBased.mark };
  if (typeof total === 'number') return { value: total, mark: disclosed.mark };
  return typeof sum === 'number' ? { value: sum, mark: sumOfParts.mark } : undefined;
}

/** The figures of each scope: disclosed totals first, then the sum of the parts, then the parts. */
export const scopes = {
  scope_1: [
    'total',
    'sum',
    'stationary_combustion',
    'mobile_combustion',
    'fugitive_emissions',
    'process_emissions',
  ],
  scope_2: [
    'total',
    'total_market_based',
    'total_location_based',
    'sum',
    'purchased_electricity',
    'purchased_steam',
    'purchased_heat',
    'purchased_cooling',
  ],
  scope_1_and_2: ['total', 'total_market_based', 'total_location_based'],
  scope_3: ['total', 'sum', ...scope3Categories],
} as const;

const scopeNames = ['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const;

/** Returns the parts that the total of a scope covers, in the order of `scopes`. */
export function partFields(scope: keyof typeof scopes): readonly string[] {
  return scopes[scope].filter((each) => figureBases.every(({ field }) => field !== each));
}

/* The parts of a scope with their indexes. */
const partsOf = (scope: keyof typeof scopes): ReadonlyMap<string, number> =>
  new Map(partFields(scope).map((field, index) => [field, index]));
const parts = {
  scope_1: partsOf('scope_1'),
  scope_2: partsOf('scope_2'),
  scope_1_and_2: partsOf('scope_1_and_2'),
  scope_3: partsOf('scope_3'),
};
const undisclosed = readScope({}, new Map());

/* Terms of the GHG Protocol that differ from the service's field names. */
const names: Readonly<Record<string, string>> = {
  total: '',
  total_market_based: 'market-based',
  total_location_based: 'location-based',
  sum: 'sum of parts',
  fuel_and_energy_related_activities: 'fuel- and energy-related activities',
  employee_commute: 'employee commuting',
  end_of_life_treatment_of_sold_products: 'end-of-life treatment of sold products',
};

/** The fields whose names differ from those of the service. */
export const namedFigures = Object.keys(names);

/** Names a figure in terms of the GHG Protocol; the disclosed total has no name. */
export function figureName(field: string): string {
  return names[field] ?? field.replaceAll('_', ' ');
}
