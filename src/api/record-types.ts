/*
 * Types of the records that the schemas in schema.ts read. A service may send additional fields:
 * they stay in the record, but no type declares them, so that a misspelled field does not compile.
 */
import type { Performance } from './emission-types.ts';

/** Record of an organization (section 2.1). Every field may be absent or null. */
export interface Organization {
  /** Id of the organization, for `retrieve` and `wait`. */
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
   * Status of the research (section 3): `synced` or `errored` when it has ended, any other value
   * while it is in progress. See `hasEnded`.
   */
  readonly status?: string | null | undefined;
  /** Organization in the reference data that this one was matched to. */
  readonly matching_organization?: MatchingOrganization | null | undefined;
  /** Emissions and revenue by year. */
  readonly performances?: readonly Performance[] | null | undefined;
  /** Sources that the record was built from. */
  readonly sources?: readonly Source[] | null | undefined;
  /** Score from 0 (worst) to 1 (best); `carbon` prints it as 0 to 100. */
  readonly score?: number | null | undefined;
  /** Percentile of the score within the industry, from 0 to 100. */
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
  /** Commitment to The Climate Pledge. */
  readonly climate_pledge?: ClimatePledge | null | undefined;
}

/** Industry of an organization (section 2.2). */
export interface Industry {
  /** Identifier of the industry. */
  readonly id?: string | number | null | undefined;
  /** Name of the industry. */
  readonly name?: string | null | undefined;
  /** Mean score of the industry, from 0 (worst) to 1 (best). */
  readonly mean_score?: number | null | undefined;
  /** Figures of the industry by year; the specification does not document their format. */
  readonly performances?: readonly unknown[] | null | undefined;
}

/** Name or website of a matching organization (section 2.3). */
export interface Named {
  /** The name or website. */
  readonly value?: string | null | undefined;
}

/** Industry of a matching organization (section 2.3). */
export interface MatchingIndustry {
  /** Identifier of the industry. */
  readonly id?: string | number | null | undefined;
  /** Name of the industry. */
  readonly name?: string | null | undefined;
}

/** Listing at a stock exchange (section 2.3). */
export interface Ticker {
  /** Stock exchange. */
  readonly exchange?: string | null | undefined;
  /** Symbol at the exchange. */
  readonly symbol?: string | null | undefined;
}

/** Organization in the reference data that the registered one was matched to (section 2.3). */
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

/** Document that the record was built from (section 2.5). */
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

/** Near-term target (section 2.7). */
export interface NearTermTarget {
  /** Whether the organization has such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Status of the target: `set`, `committed`, `removed` or `none`. */
  readonly target_status?: string | null | undefined;
}

/** Long-term target (section 2.7). */
export interface LongTermTarget {
  /** Whether the organization has such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Warming that the target is aligned with, in °C: `1.5` or `2`. */
  readonly target?: string | null | undefined;
  /** Year of the target. */
  readonly year?: number | null | undefined;
}

/** Net-zero target (section 2.7). */
export interface NetZeroTarget {
  /** Whether the organization has such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Year of the target. */
  readonly target_year?: number | null | undefined;
}

/** Membership of the campaign Business Ambition for 1.5 °C (section 2.7). */
export interface BusinessAmbition {
  /** Whether the organization has such a target. */
  readonly has_target?: boolean | null | undefined;
  /** Date of joining, YYYY-MM-DD. */
  readonly joined_at?: string | null | undefined;
}

/** Target record of the Science Based Targets initiative (section 2.7). */
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

/** Initiative of the United Nations (section 2.8). */
export interface Initiative {
  /** Name of the initiative. */
  readonly name?: string | null | undefined;
  /** Short name of the initiative for addresses. */
  readonly slug?: string | null | undefined;
}

/** Participation in initiatives of the United Nations (section 2.8). */
export interface Un {
  /** Date of the last retrieval, YYYY-MM-DD. */
  readonly last_retrieved_at?: string | null | undefined;
  /** Address of the entry. */
  readonly url?: string | null | undefined;
  /** The initiatives. */
  readonly initiatives?: readonly Initiative[] | null | undefined;
}

/** Commitment to The Climate Pledge (section 2.9). */
export interface ClimatePledge {
  /** Whether the organization signed the pledge. */
  readonly signed?: boolean | null | undefined;
  /** Date of signing, YYYY-MM-DD. */
  readonly signed_at?: string | null | undefined;
  /** Address of the entry. */
  readonly link?: string | null | undefined;
}
