/*
 * The row of the footprint's register: what was spent with one supplier in one currency, year and
 * category, and everything that its emissions were calculated from. Its JSON is a line of
 * `carbon footprint --json`.
 */

/** The emissions that a factor contains (GHG Protocol, Scope 3 Standard, table 5.4). */
export const boundaries = ['cradle-to-gate', 'scope-1-2', 'total'] as const;
export type Boundary = (typeof boundaries)[number];

/**
 * The origin of a factor, the best first: the supplier's disclosed figures, the factors of the
 * service, the industry average.
 */
export const bases = ['disclosed', 'factor', 'industry'] as const;
export type Basis = (typeof bases)[number];

/** Whether the service's upstream factor excludes scopes 1 and 2 (additive) or contains them. */
export const upstreamReadings = ['additive', 'nested'] as const;
export type UpstreamReading = (typeof upstreamReadings)[number];

/** How carbon found the record of a supplier, the most certain way first. */
export const matches = ['journal', 'id', 'external_id', 'name'] as const;
export type Match = (typeof matches)[number];

/** Why a row with spend has no emissions. */
export const uncoveredReasons = [
  'not_registered',
  'ambiguous_match',
  'no_record',
  'in_progress',
  'errored',
  'no_performance',
  'no_revenue',
  'no_factor',
  'other_currency',
  'no_currency',
] as const;
export type UncoveredReason = (typeof uncoveredReasons)[number];

/** The figures of a record that a factor was calculated from. Absent figures are null. */
export interface FactorInputs {
  /** Revenue of `factor_year` in the row's currency. */
  readonly revenue: number | null;
  readonly scope_1: number | null;
  readonly scope_2: number | null;
  /** How scope 2 was calculated: `market-based`, `location-based`, or null where undisclosed. */
  readonly scope_2_method: 'market-based' | 'location-based' | null;
  /** Scopes 1 and 2, if the organization discloses them only together. */
  readonly scope_1_and_2: number | null;
  /** Sum of the disclosed upstream categories (1 to 8) of scope 3. */
  readonly upstream: number | null;
  /** Number of disclosed upstream categories, from 0 to 8. */
  readonly upstream_categories: number | null;
  /** Total emissions as disclosed, for the boundary `total`. */
  readonly total: number | null;
  /** The three factors of the service. */
  readonly scope_1_and_2_emission_factor: number | null;
  readonly total_upstream_emission_factor: number | null;
  readonly emission_factor: number | null;
}

/** A factor with its origin. */
export interface Factor {
  readonly basis: Basis;
  /** Emissions per unit of the row's currency. */
  readonly value: number;
  /** Year of the figures; null if the service states none. */
  readonly year: number | null;
  /** Region of the figures, unchanged from the record. */
  readonly region: string | null;
  readonly inputs: FactorInputs;
}

/** The near-term target of a supplier with the Science Based Targets initiative. */
export interface NearTermTarget {
  /** `set`, `committed`, `removed`, `none`, or another status; null without data. */
  readonly status: string | null;
  /** Dates of the evidence, as the record states them. */
  readonly created_at: string | null;
  readonly retrieved_at: string | null;
}

/** A row of the register. */
export interface RegisterRow {
  /** First line numbers in the user's file, at most 20. */
  readonly lines: readonly number[];
  /** Number of lines in the user's file. */
  readonly line_count: number;
  /** Name of the supplier in the user's file, on the first of the lines. */
  readonly supplier: string | null;
  /** Id of the organization, null if none was found. */
  readonly id: string | number | null;
  /** Name in the record. */
  readonly name: string | null;
  readonly matched_by: Match | null;
  /** ISO 4217 code of the spend, null if the file states none. */
  readonly currency: string | null;
  /** Sum of the lines; null if they have no spend. */
  readonly spend: number | null;
  /** Year of the spend, null if unknown. */
  readonly spend_year: number | null;
  /** Purchasing category in the user's file. */
  readonly category: string | null;
  readonly boundary: Boundary;
  readonly basis: Basis | null;
  /** Emissions per unit of `currency`. */
  readonly factor: number | null;
  readonly factor_year: number | null;
  readonly factor_region: string | null;
  readonly inputs: FactorInputs | null;
  /** `spend` times `factor`, in the declared unit; null for an uncovered row. */
  readonly emissions: number | null;
  /** Share of the total emissions, from 0 to 1; null for uncovered and excluded rows. */
  readonly share: number | null;
  readonly sbti_near_term: NearTermTarget;
  /** Time when the record was retrieved, ISO 8601; null if the snapshot does not state it. */
  readonly retrieved_at: string | null;
  /** Whether the record contains synthetic figures of the sandbox. */
  readonly synthetic: boolean;
  /** Why the row has no emissions; null if it has, or if it has no spend. */
  readonly uncovered: UncoveredReason | null;
  /** Explains `uncovered` in words, such as the ids of an ambiguous match. */
  readonly uncovered_detail: string | null;
  /**
   * Why the row does not count in totals, shares and coverage: the supplier's net spend in this
   * currency is negative, or the row has no spend.
   */
  readonly excluded: 'negative_net_spend' | 'no_spend' | null;
}
