/* The summary of a footprint, which all views show. Its JSON ends `carbon footprint --json`. */
import type { Basis, Boundary, LineItem, UncoveredReason, UpstreamReading } from './line-item.ts';

/** Spend in one currency. */
export interface SpendSummary {
  /** All spend, except for excluded items. */
  readonly total: number;
  /** Spend of the items with emissions. */
  readonly covered: number;
}

/** Spend by ISO 4217 code; the key is `unknown` where the file has no currency. */
export type SpendByCurrency = Readonly<Record<string, SpendSummary>>;

/** The reading of the upstream factor for records that do not show their own. */
export interface UpstreamSummary {
  /** Null if no factor depends on the reading. */
  readonly reading: UpstreamReading | null;
  /** `records` if the records decided, `option` if `--upstream-factor` did. */
  readonly decided_by: 'records' | 'option' | null;
  /** Numbers of records whose own figures agree with each reading. */
  readonly additive: number;
  readonly nested: number;
  /** Number of records whose figures agree with neither reading. */
  readonly neither: number;
  /** Number of records without evidence: missing figures, or readings within 3 %. */
  readonly undecided: number;
}

/** Whether the factors of the records have the unit of their emissions. */
export interface UnitSummary {
  /** Number of records whose factor times revenue is their emissions. */
  readonly fitting: number;
  /** Names of the records for which it is not; their items are uncovered. */
  readonly others: readonly string[];
}

/** A share from 0 to 1 that lies between two limits; null without a total. */
export interface ShareRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** What adds up line items, of all years or of one. */
export interface Totals {
  /** Sum of all items that are neither uncovered nor excluded; null if there is none. */
  readonly emissions: number | null;
  /** Emissions by basis. Those of industry averages have an undocumented boundary. */
  readonly emissions_by_basis: Readonly<Record<Basis, number>>;
  /** Items with spend that are not excluded, and those of them with emissions. */
  readonly rows: number;
  readonly covered_rows: number;
  readonly spend: SpendByCurrency;
  /**
   * Share of the emissions from supplier data: at least scopes 1 and 2 of the records' own figures,
   * at most all of these figures, because upstream emissions are mostly modelled.
   */
  readonly supplier_data_share: ShareRange;
  readonly service_share: number | null;
  readonly industry_share: number | null;
  /**
   * Share of the emissions that is covered, if uncovered spend has the average factor of its
   * category and currency; null if there is no such average.
   */
  readonly completeness: number | null;
  /** The emissions of uncovered spend by that estimate, in no total. */
  readonly uncovered_estimate: number | null;
}

/** The totals of one year of spend; `year` is null for spend without a year. */
export interface YearTotals extends Totals {
  readonly year: number | null;
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
  /** Number of suppliers whose status has an unknown wording. */
  readonly other: number;
  /** Number of suppliers without SBTi data. */
  readonly unknown: number;
  /** The unknown wordings with their numbers of suppliers. */
  readonly other_wordings: Readonly<Record<string, number>>;
  /** Shares of the suppliers that committed to a target, and whose commitment was removed. */
  readonly committed_share: SbtiShares;
  readonly removed_share: SbtiShares;
  /** Earliest and latest date of the evidence, ISO 8601. */
  readonly evidence: DateRange;
}

/** The earliest and the latest of dates, ISO 8601; null without one. */
export interface DateRange {
  readonly from: string | null;
  readonly to: string | null;
}

/** Emissions of one purchasing category; `category` is null for items without one. */
export interface CategorySummary {
  readonly category: string | null;
  readonly emissions: number;
  readonly share: number | null;
  readonly supplier_data_share: ShareRange;
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
  /** The basis, factor and year of the supplier's largest item. */
  readonly basis: LineItem['basis'];
  readonly factor: number | null;
  readonly factor_year: number | null;
  readonly sbti_near_term: string | null;
}

/** The total that another choice would give, where a record allows it. */
export interface Alternative {
  readonly choice:
    | 'service factors'
    | 'industry averages'
    | 'scope 2 location-based'
    | 'upstream factor additive'
    | 'upstream factor nested';
  readonly emissions: number;
  /** Number of items whose emissions differ. */
  readonly rows: number;
}

/** A finding that every view shows. */
export interface Warning {
  readonly kind: string;
  readonly text: string;
}

/** How the figures came about. */
export interface Method {
  readonly version: string;
  /** Base URL of the service, `sandbox`, or null for files of records. */
  readonly service: string | null;
  /** Names of the input files: the spend file first, then the records. */
  readonly files: readonly string[];
  /** What selects the rows of the file: `--rows` and `--year`. */
  readonly selection: readonly string[];
  /** Earliest and latest retrieval of a record. */
  readonly retrieved: DateRange;
  readonly max_factor_age: number;
  /** The unit of the service's factors if `--factor-unit` declares one. */
  readonly factor_unit: 'kg' | 't' | null;
  /** What `--invert` and `--amounts-in` changed. */
  readonly amounts: readonly string[];
  /** The time of the calculation, ISO 8601. */
  readonly calculated_at: string;
}

/** The summary of a footprint. Shares are 0 to 1. */
export interface FootprintSummary extends Totals {
  /** `kg` or `t` if declared, otherwise null: the service documents no unit. */
  readonly unit: 'kg' | 't' | null;
  readonly boundary: Boundary;
  /** The totals of each year of spend. With several years, `emissions` is null. */
  readonly years: readonly YearTotals[];
  readonly upstream: UpstreamSummary;
  readonly units: UnitSummary;
  /** Number of suppliers with an item that counts. */
  readonly suppliers: number;
  /** Median number of upstream categories behind items with the basis `own`; null without one. */
  readonly upstream_categories: number | null;
  readonly alternatives: readonly Alternative[];
  readonly sbti_coverage: SbtiCoverage;
  /** Numbers of items by reason, without reasons that do not occur. */
  readonly uncovered: Readonly<Partial<Record<UncoveredReason, number>>>;
  readonly excluded: {
    /** Suppliers with negative net spend, and their spend and emissions. */
    readonly negative_net_spend: {
      readonly suppliers: number;
      readonly rows: number;
      readonly spend: Readonly<Record<string, number>>;
      readonly emissions: number;
    };
    /** Items without spend. */
    readonly no_spend: { readonly rows: number };
  };
  readonly categories: readonly CategorySummary[];
  /** The twenty largest suppliers. */
  readonly largest: readonly SupplierSummary[];
  /** Number of suppliers that account for 80 % of the emissions; null without emissions. */
  readonly suppliers_for_80_percent: number | null;
  /**
   * Covered items by the difference between the years of spend and factor, such as `0`, `1`, `-2`
   * (negative: the factor is later); `unknown` without a year.
   */
  readonly year_gaps: Readonly<Record<string, number>>;
  /** Items by the way in which their record was found; the others have no record. */
  readonly matched_by: Readonly<Record<string, number>>;
  /** Suppliers with synthetic figures of the sandbox. */
  readonly synthetic: number;
  /** What a reader must know before using the figures. */
  readonly warnings: readonly Warning[];
  readonly method: Method;
}
