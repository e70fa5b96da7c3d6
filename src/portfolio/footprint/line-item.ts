/* The words of a footprint: what its method, its factors and its line items are made of. */

import type { ListToCorrect } from '../organizations/correction.ts';

/** The emissions that a factor contains (GHG Protocol, Scope 3 Standard, table 5.4). */
export const boundaries = ['cradle-to-gate', 'scope-1-2', 'total'] as const;
export type Boundary = (typeof boundaries)[number];

/**
 * The origin of a factor, the best first: the record's own figures, the factors of the service, the
 * industry average.
 */
export const bases = ['own', 'service', 'industry'] as const;
export type Basis = (typeof bases)[number];

/** Whether the service's upstream factor excludes scopes 1 and 2 (additive) or contains them. */
export const upstreamReadings = ['additive', 'nested'] as const;
export type UpstreamReading = (typeof upstreamReadings)[number];

/** How a footprint is calculated. */
export interface MethodOptions {
  readonly boundary: Boundary;
  /** Years by which figures may be older than the spend. */
  readonly maxFactorAge: number;
  /** Declared unit of emissions. */
  readonly unit?: 'kg' | 't' | undefined;
  /** Reading of the upstream factor for records that do not show their own. */
  readonly upstreamFactor?: UpstreamReading | undefined;
}

/** How the record of a row was found, the most certain way first, in words. */
export const matchWords = {
  journal: 'registration',
  id: 'ID',
  external_id: 'external ID',
  name: 'name and country',
} as const;
export type Match = keyof typeof matchWords;

/** Why a line item with spend has no emissions, in words. */
export const reasonWords = {
  not_registered: 'not registered',
  rejected: 'rejected by the service',
  ambiguous_match: 'several records match',
  no_record: 'no record',
  in_progress: 'research in progress',
  errored: 'research failed',
  unmatched: 'no matched organization',
  no_performance: 'no figures in the record',
  not_readable: 'figures not readable',
  no_revenue: 'no revenue in the record',
  no_factor: 'no factor for this boundary',
  too_old: 'figures too old',
  other_currency: 'factor in another currency',
  no_currency: 'no currency',
  match_differs: 'record of another organization',
  match_shared: 'match shared with another organization',
  other_unit: 'emissions or factors in another unit',
  sum_scope: 'parts of a scope do not add up',
  sum_total: 'scopes do not add up to the total',
  negative: 'negative figures',
  year: 'figures of an impossible year',
  zero: 'emissions of 0 in spite of revenue',
} as const;
export type UncoveredReason = keyof typeof reasonWords;

/** Why the factor of a line item is an industry average: what the record lacks, in words. */
export const lackWords = {
  in_progress: reasonWords.in_progress,
  errored: reasonWords.errored,
  unmatched: reasonWords.unmatched,
  no_performance: reasonWords.no_performance,
  no_emissions: 'no emissions disclosed',
  incomplete: 'emissions incomplete',
  not_readable: reasonWords.not_readable,
  no_revenue: reasonWords.no_revenue,
  too_old: reasonWords.too_old,
  other_currency: 'own figures in another currency',
  no_currency: 'own figures without a currency',
} as const satisfies Partial<Record<UncoveredReason, string>> & Record<string, string>;
export type LackReason = keyof typeof lackWords;

/** The parts of own figures that a factor from cradle to gate requires, in words. */
export const missingWords = {
  scopes_1_and_2: 'scopes 1 and 2',
  purchased_goods_and_services: 'purchased goods and services',
} as const;
export type MissingPart = keyof typeof missingWords;

/** The figures of the year of the spend that a record lacks for a factor of its own. */
export interface MissingFigures {
  /** Year of the spend; if that is unknown, the latest one with emissions; null without either. */
  readonly year: number | null;
  readonly scopes1And2: boolean;
  /** Numbers of the upstream categories in order, such as `1 4 6`; empty if they are not needed. */
  readonly upstream: string;
  readonly revenue: boolean;
}

/** What a record lacks, so that its factor is an industry average. */
export interface Lack {
  readonly reason: LackReason;
  /** Explains the reason in words, such as the missing scopes. */
  readonly detail: string | null;
  /** What is missing if the reason is `incomplete`; otherwise empty. */
  readonly missing: readonly MissingPart[];
  readonly figures: MissingFigures;
  /** The industry whose average it is; null if the record does not say. */
  readonly industry: string | null;
}

/** Returns why the largest of these has an industry average; null if none has. */
export function largestLack<Item extends { readonly emissions: number | null }>(
  items: readonly Item[],
  lackOf: (item: Item) => Lack | null | undefined,
): Lack | null {
  const [only] = items;
  // Most suppliers have one item.
  if (only !== undefined && items.length === 1) return lackOf(only) ?? null;
  const [largest] = items
    .filter((item) => lackOf(item))
    .toSorted((a, b) => (b.emissions ?? 0) - (a.emissions ?? 0));
  return (largest && lackOf(largest)) ?? null;
}

/* Errors of `carbon check` about whose figures a record has, and about the figures of a year. */
const doubts: Readonly<Record<string, UncoveredReason>> = {
  match_differs: 'match_differs',
  match_shared: 'match_shared',
  unit: 'other_unit',
  sum_scope: 'sum_scope',
  sum_total: 'sum_total',
  negative: 'negative',
  year: 'year',
  zero: 'zero',
};

/** Returns why an error of `carbon check` leaves a line item without emissions, if it does. */
export function doubtOf(rule: string): UncoveredReason | undefined {
  return doubts[rule];
}

/** Checks whether a line item has no emissions because of an error of `carbon check`. */
export function isDoubt(reason: UncoveredReason): boolean {
  return Object.values(doubts).includes(reason);
}

/** Why a line item has no factor. */
export interface Uncovered {
  readonly reason: UncoveredReason;
  /** Explains the reason in words, such as the ids of an ambiguous match. */
  readonly detail: string | null;
  /** What to ask for; undefined without a record. */
  readonly figures?: MissingFigures | undefined;
  /** Whether the record has a factor, but in another currency than that of the spend or in none. */
  readonly isInOtherCurrency?: boolean;
}

/**
 * Returns the currency in which to retrieve the record of a line item that is uncovered because the
 * record has figures in another currency, or in none; null for any other reason.
 */
export function currencyToRetrieve(
  reason: UncoveredReason | null | undefined,
  currency: string | null,
): string | null {
  return reason === 'other_currency' || reason === 'no_currency' ? currency : null;
}

/** The values of a record that a factor was calculated from; `lineItemColumns` describes them. */
export interface FactorInputs {
  readonly revenue: number | null;
  readonly scope_1: number | null;
  readonly scope_2: number | null;
  readonly scope_2_method: 'market-based' | 'location-based' | null;
  readonly scope_1_and_2: number | null;
  readonly upstream: number | null;
  /** Numbers of the categories in order, such as `1 4 6`. */
  readonly upstream_categories: string | null;
  readonly total: number | null;
  readonly scope_1_and_2_emission_factor: number | null;
  readonly total_upstream_emission_factor: number | null;
  readonly emission_factor: number | null;
}

/**
 * Returns inputs of which some are known. Spread into one another, all would have hidden classes of
 * their own in V8, which takes twice the memory and slows down everything that reads them.
 */
export function inputsWith(
  known: {
    readonly [Name in keyof FactorInputs]?: FactorInputs[Name] | undefined;
  },
): FactorInputs {
  return {
    revenue: known.revenue ?? null,
    scope_1: known.scope_1 ?? null,
    scope_2: known.scope_2 ?? null,
    scope_2_method: known.scope_2_method ?? null,
    scope_1_and_2: known.scope_1_and_2 ?? null,
    upstream: known.upstream ?? null,
    upstream_categories: known.upstream_categories ?? null,
    total: known.total ?? null,
    scope_1_and_2_emission_factor: known.scope_1_and_2_emission_factor ?? null,
    total_upstream_emission_factor: known.total_upstream_emission_factor ?? null,
    emission_factor: known.emission_factor ?? null,
  };
}

/** A factor with its origin. */
export interface Factor {
  readonly basis: Basis;
  /** Emissions per unit of the item's currency. */
  readonly value: number;
  /** Year of the values; null if the service names none. */
  readonly year: number | null;
  /** Region of the values, as in the record. */
  readonly region: string | null;
  /** Number of regions to choose from: the global one, that of the headquarters, the first. */
  readonly regions: number;
  /** The reading of the upstream factor, if the factor contains it. */
  readonly upstream: UpstreamReading | null;
  /** The part of the value from scopes 1 and 2 of the record's own figures; 0 for other bases. */
  readonly scopes1And2: number;
  /** Why there is no other factor; null unless the basis is the industry. */
  readonly lack: Lack | null;
  readonly inputs: FactorInputs;
}

/**
 * Why a line item does not count in totals, shares and coverage, in words. The net spend is that
 * with the supplier in this currency and year.
 */
export const exclusionWords = {
  negative_net_spend: 'net spend is negative',
  no_spend: 'spend of 0',
} as const;
export type Exclusion = keyof typeof exclusionWords;

/** Where a footprint comes from. */
export interface Provenance {
  readonly version: string;
  /** Base URL of the service, `sandbox`, or null for files of records. */
  readonly service: string | null;
  /** Names of the input files: the spend file first, then the records. */
  readonly files: readonly string[];
  /** What selects the rows of the file: `--rows` and `--year`. */
  readonly selection: readonly string[];
  /** All years of spend in the selected rows, whether or not `--year` chooses one. */
  readonly file_years?: readonly number[];
  /** What `--invert` and `--amounts-in` changed. */
  readonly amounts: readonly string[];
  /** The time of the calculation, in milliseconds since 1970. */
  readonly calculated_at: number;
  /** The day of --at, `YYYY-MM-DD`. */
  readonly as_of?: string | undefined;
  /** The file, if its records are those of its own rows. */
  readonly list?: ListToCorrect | undefined;
  /** What was found while reading the file and the records. */
  readonly warnings?: readonly string[] | undefined;
}
