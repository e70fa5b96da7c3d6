/* The summary of a footprint, which all views show. Its JSON ends `carbon footprint --json`. */
import type { Boundary, RegisterRow, UncoveredReason, UpstreamReading } from './register-row.ts';

/** Spend in one currency. */
export interface SpendSummary {
  /** All spend, except for excluded rows. */
  readonly total: number;
  /** Spend of the rows with emissions. */
  readonly covered: number;
}

/** Spend by ISO 4217 code; the key is `unknown` where the file states no currency. */
export type SpendByCurrency = Readonly<Record<string, SpendSummary>>;

/** The reading of the upstream factor and the records that support it. */
export interface UpstreamSummary {
  /** Null if no factor depends on the reading. */
  readonly reading: UpstreamReading | null;
  /** `records` if the records decided, `option` if `--upstream` did, null without a reading. */
  readonly decided_by: 'records' | 'option' | null;
  /** Numbers of records whose disclosed figures agree with each reading. */
  readonly additive: number;
  readonly nested: number;
  /** Number of records whose figures agree with neither reading. */
  readonly neither: number;
  /** Number of records without evidence: no disclosed figures, or readings within 3 %. */
  readonly undecided: number;
}

/** Coverage by suppliers with science-based targets. Shares are 0 to 1; null without a total. */
export interface SbtiShares {
  /** Share of the emissions. */
  readonly by_emissions: number | null;
  /** Share of the spend, null unless all spend is in one currency. */
  readonly by_spend: number | null;
}

/** SBTi coverage. Only near-term targets with the status `set` count. */
export interface SbtiCoverage extends SbtiShares {
  /** Numbers of suppliers by status. */
  readonly set: number;
  readonly committed: number;
  readonly removed: number;
  readonly none: number;
  /** Number of suppliers without SBTi data or with another status. */
  readonly unknown: number;
  /** Shares of the suppliers that committed to a target, and whose commitment was removed. */
  readonly committed_share: SbtiShares;
  readonly removed_share: SbtiShares;
  /** Earliest and latest date of the evidence, ISO 8601. */
  readonly evidence: { readonly from: string | null; readonly to: string | null };
}

/** Emissions of one purchasing category; `category` is null for rows without one. */
export interface CategorySummary {
  readonly category: string | null;
  readonly emissions: number;
  readonly share: number | null;
  readonly spend: SpendByCurrency;
  readonly rows: number;
  readonly covered_rows: number;
}

/** One of the largest suppliers by emissions. */
export interface SupplierSummary {
  readonly supplier: string | null;
  readonly id: string | number | null;
  readonly emissions: number;
  readonly share: number;
  /** Share of this supplier and all larger ones. */
  readonly cumulative_share: number;
  readonly spend: Readonly<Record<string, number>>;
  /** The basis, factor and year of the supplier's largest row. */
  readonly basis: RegisterRow['basis'];
  readonly factor: number | null;
  readonly factor_year: number | null;
  readonly sbti_near_term: string | null;
}

/** Coverage if the largest suppliers without a target set one (`--what-if set:10`). */
export interface WhatIf {
  readonly suppliers: number;
  readonly by_emissions: number | null;
  readonly by_spend: number | null;
}

/** The summary of a footprint. Shares are 0 to 1. */
export interface FootprintSummary {
  /** Sum of all rows that are neither uncovered nor excluded; null if there is no such row. */
  readonly emissions: number | null;
  /** `kg` or `t` if declared, else null: the service documents no unit. */
  readonly unit: 'kg' | 't' | null;
  readonly boundary: Boundary;
  readonly upstream: UpstreamSummary;
  /** Rows with spend that are not excluded, and those of them with emissions. */
  readonly rows: number;
  readonly covered_rows: number;
  /** Number of suppliers with such a row. */
  readonly suppliers: number;
  readonly spend: SpendByCurrency;
  /** Share of the emissions with the basis `disclosed`; null without emissions. */
  readonly supplier_data_share: number | null;
  readonly factor_share: number | null;
  readonly industry_share: number | null;
  readonly sbti_coverage: SbtiCoverage;
  /** Numbers of rows by reason, without reasons that do not occur. */
  readonly uncovered: Readonly<Partial<Record<UncoveredReason, number>>>;
  readonly excluded: {
    /** Suppliers with negative net spend, and their spend and emissions. */
    readonly negative_net_spend: {
      readonly suppliers: number;
      readonly rows: number;
      readonly spend: Readonly<Record<string, number>>;
      readonly emissions: number;
    };
    /** Rows without spend. */
    readonly no_spend: { readonly rows: number };
  };
  readonly categories: readonly CategorySummary[];
  /** The twenty largest suppliers. */
  readonly largest: readonly SupplierSummary[];
  /** Number of suppliers that account for 80 % of the emissions; null without emissions. */
  readonly suppliers_for_80_percent: number | null;
  readonly what_if: WhatIf | null;
  /**
   * Covered rows by the difference between the years of spend and factor, such as `0`, `1`, `-2`
   * (negative: the factor is later); `unknown` without a year.
   */
  readonly year_gaps: Readonly<Record<string, number>>;
  /** Rows with an absolute difference above two years. */
  readonly old_factors: number;
  /** Rows by the way in which their record was found; the other rows have no record. */
  readonly matched_by: Readonly<Record<string, number>>;
  /** Records whose `emission_factor` differs from emissions / revenue by more than 5 %. */
  readonly inconsistent_factors: number;
  /** Suppliers with synthetic figures of the sandbox. */
  readonly synthetic: number;
  readonly method: {
    readonly version: string;
    /** Base URL of the service, `sandbox`, or null for snapshots. */
    readonly service: string | null;
    /** Names of the input files: the spend file first, then the snapshots. */
    readonly files: readonly string[];
    /** Earliest and latest retrieval of a record, ISO 8601; null where unknown. */
    readonly retrieved: { readonly from: string | null; readonly to: string | null };
    readonly fallback: 'industry' | 'none';
    /** The time of the calculation, ISO 8601. */
    readonly calculated_at: string;
  };
}
