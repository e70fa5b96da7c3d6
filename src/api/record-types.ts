/*
 * The types of a record, as the schemas in contract.ts read it. Every field may be absent or null.
 * A service may send more fields than these: they stay in the record, but no type names them, so
 * that a misspelled field does not compile.
 */
import type { Performance } from './emission-types.ts';

/** The record of an organization (section 2.1): every field may be absent or null. */
export interface Organization {
  /** Id of the organization. `String(id)` is what `retrieve` and `wait` take. */
  readonly id?: string | number | null | undefined;
  /** Name of the organization. */
  readonly name?: string | null | undefined;
  /** Country of the registered headquarters, ISO 3166-1 alpha-2, such as `DE`. */
  readonly hq_region?: string | null | undefined;
  /** Subregion of the headquarters, ISO 3166-2 without the country, such as `OH`. */
  readonly hq_subregion?: string | null | undefined;
  /** Industry of the organization. */
  readonly industry?: Industry | null | undefined;
  /** Website or e-mail address of the organization. */
  readonly website?: string | null | undefined;
  /** Identifier of a customer or a third party, such as a supplier number. */
  readonly external_id?: string | null | undefined;
  /**
   * Status of the research (section 3): `synced` and `errored` end it, any other value means that
   * it is in progress. `hasEnded` decides.
   */
  readonly status?: string | null | undefined;
  /** Organization of the reference data that this one was matched to. */
  readonly matching_organization?: MatchingOrganization | null | undefined;
  /** Emissions and revenue by year. */
  readonly performances?: readonly Performance[] | null | undefined;
  /** Sources that the record was built from. */
  readonly sources?: readonly Source[] | null | undefined;
  /** Score from 0 (worst) to 1 (best); people usually see it as 0 to 100. */
  readonly score?: number | null | undefined;
  /** Percentile of the score in the same industry, 0 to 100: 80 is the 80th percentile. */
  readonly industry_score_percentile?: number | null | undefined;
  /** Confidence in the assumptions about the industry: `low`, `medium` or `high`. */
  readonly industry_confidence?: string | null | undefined;
  /**
   * Rank of the industry among all industries: `very_high`, `high`, `medium`, `low`, `very_low` or
   * `unknown`.
   */
  readonly industry_rank?: string | null | undefined;
  /**
   * Rank of the region among all regions: `very_high`, `high`, `medium`, `low`, `very_low` or
   * `unknown`.
   */
  readonly region_rank?: string | null | undefined;
  /** Status of the environmental report: `processing`, `found` or `not_found`. */
  readonly related_environmental_report_status?: string | null | undefined;
  /** Listing in the CDP disclosure system. */
  readonly cdp?: Cdp | null | undefined;
  /** Targets with the Science Based Targets initiative. */
  readonly sbti?: Sbti | null | undefined;
  /** Initiatives of the United Nations. */
  readonly un?: Un | null | undefined;
  /** The Climate Pledge. */
  readonly climate_pledge?: ClimatePledge | null | undefined;
}

/** The industry of an organization (section 2.2). */
export interface Industry {
  /** Identifier of the industry. */
  readonly id?: string | number | null | undefined;
  /** Name of the industry. */
  readonly name?: string | null | undefined;
  /** Mean score of the industry, from 0 (worst) to 1 (best). */
  readonly mean_score?: number | null | undefined;
  /** Figures of the industry by year; no format is documented. */
  readonly performances?: readonly unknown[] | null | undefined;
}

/** One of several names or websites of a matching organization (section 2.3). */
export interface Named {
  /** The name or website. */
  readonly value?: string | null | undefined;
}

/** The industry of a matching organization (section 2.3). */
export interface MatchingIndustry {
  /** Identifier of the industry. */
  readonly id?: string | number | null | undefined;
  /** Name of the industry. */
  readonly name?: string | null | undefined;
}

/** A listing at a stock exchange (section 2.3). */
export interface Ticker {
  /** Stock exchange. */
  readonly exchange?: string | null | undefined;
  /** Symbol at the exchange. */
  readonly symbol?: string | null | undefined;
}

/** The organization of the reference data that the registered one was matched to (section 2.3). */
export interface MatchingOrganization {
  /** Id in the reference data. */
  readonly id?: string | number | null | undefined;
  /** Address of the entry in the reference data. */
  readonly link?: string | null | undefined;
  /** Name of the organization. */
  readonly name?: string | null | undefined;
  /** Other names of the organization. */
  readonly names?: readonly Named[] | null | undefined;
  /** Websites of the organization. */
  readonly websites?: readonly Named[] | null | undefined;
  /** Country of the headquarters, ISO 3166-1 alpha-2. */
  readonly hq_region?: string | null | undefined;
  /** Subregion of the headquarters, ISO 3166-2 without the country. */
  readonly hq_subregion?: string | null | undefined;
  /** Industry of the organization. */
  readonly industry?: MatchingIndustry | null | undefined;
  /** Listings at stock exchanges. */
  readonly tickers?: readonly Ticker[] | null | undefined;
}

/** A document that the record was built from (section 2.5). */
export interface Source {
  /** Address of the source. */
  readonly url?: string | null | undefined;
  /** Address of a copy of the source. */
  readonly mirror_url?: string | null | undefined;
}

/** Listing in the CDP disclosure system (section 2.6). */
export interface Cdp {
  /** Date of the last retrieval, YYYY-MM-DD. */
  readonly last_retrieved_at?: string | null | undefined;
  /** Whether CDP lists the organization. */
  readonly is_listed?: boolean | null | undefined;
  /** Address of the listing. */
  readonly url?: string | null | undefined;
}

/** A near-term target (section 2.7). */
export interface NearTermTarget {
  /** Whether there is such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Status of the target: `set`, `committed`, `removed` or `none`. */
  readonly target_status?: string | null | undefined;
}

/** A long-term target (section 2.7). */
export interface LongTermTarget {
  /** Whether there is such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Warming that the target is aligned with, in °C: `1.5` or `2`. */
  readonly target?: string | null | undefined;
  /** Year of the target. */
  readonly year?: number | null | undefined;
}

/** A net-zero target (section 2.7). */
export interface NetZeroTarget {
  /** Whether there is such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Year of the target. */
  readonly target_year?: number | null | undefined;
}

/** Membership of the campaign Business Ambition for 1.5 °C (section 2.7). */
export interface BusinessAmbition {
  /** Whether there is such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Date of joining, YYYY-MM-DD. */
  readonly joined_at?: string | null | undefined;
}

/** One target record of the Science Based Targets initiative (section 2.7). */
export interface SbtiTarget {
  /** Date of the record, YYYY-MM-DD. */
  readonly created_at?: string | null | undefined;
  /** Date of the retrieval, YYYY-MM-DD. */
  readonly retrieved_at?: string | null | undefined;
  /** Near-term target. */
  readonly near_term?: NearTermTarget | null | undefined;
  /** Long-term target. */
  readonly long_term?: LongTermTarget | null | undefined;
  /** Net-zero target. */
  readonly net_zero?: NetZeroTarget | null | undefined;
  /** Business Ambition for 1.5 °C. */
  readonly business_ambition_1_5?: BusinessAmbition | null | undefined;
  /** Target in words. */
  readonly target_detail?: string | null | undefined;
}

/** Data of the Science Based Targets initiative (section 2.7). */
export interface Sbti {
  /** Date of the last retrieval, YYYY-MM-DD. */
  readonly last_retrieved_at?: string | null | undefined;
  /** Target records. */
  readonly data?: readonly SbtiTarget[] | null | undefined;
}

/** An initiative of the United Nations (section 2.8). */
export interface Initiative {
  /** Name of the initiative. */
  readonly name?: string | null | undefined;
  /** Short name of the initiative for addresses. */
  readonly slug?: string | null | undefined;
}

/** Initiatives of the United Nations that the organization takes part in (section 2.8). */
export interface Un {
  /** Date of the last retrieval, YYYY-MM-DD. */
  readonly last_retrieved_at?: string | null | undefined;
  /** Address of the entry. */
  readonly url?: string | null | undefined;
  /** The initiatives. */
  readonly initiatives?: readonly Initiative[] | null | undefined;
}

/** The Climate Pledge (section 2.9). */
export interface ClimatePledge {
  /** Whether the organization signed the pledge. */
  readonly signed?: boolean | null | undefined;
  /** Date of signing, YYYY-MM-DD. */
  readonly signed_at?: string | null | undefined;
  /** Address of the entry. */
  readonly link?: string | null | undefined;
}
