/** What identifies an organization in a registration (section 4.1). Only `name` is required. */
export interface Identifier {
  /** Name of the organization. */
  readonly name: string;
  /** Country of the headquarters, ISO 3166-1 alpha-2, such as `DE`. */
  readonly hq_region?: string | undefined;
  /** Subregion of the headquarters, ISO 3166-2 without the country, such as `OH`. */
  readonly hq_subregion?: string | undefined;
  /** Country name or address, where the country code is not known. */
  readonly hq_fuzzy?: string | undefined;
  /** Identifier of the industry at the service. */
  readonly industry_id?: string | undefined;
  /** Industry in words. */
  readonly industry_name?: string | undefined;
  /** Website or e-mail address. */
  readonly website?: string | undefined;
  /** Your own identifier of the organization, such as a supplier number. */
  readonly external_id?: string | undefined;
  /** Whether `name` is that of the legal entity rather than a brand. */
  readonly is_legal_entity_name?: boolean | undefined;
  /** D-U-N-S number, 9 digits. */
  readonly duns_number?: string | undefined;
  /** Legal Entity Identifier, ISO 17442, 20 characters. */
  readonly lei_number?: string | undefined;
  /** ISIN, ISO 6166, 12 characters. */
  readonly isin_number?: string | undefined;
  /** Identifier of S&P Global. */
  readonly sp_global_number?: string | undefined;
  /**
   * ISO 4217 currency of revenue and emission factors in the response; the service uses USD by
   * default.
   */
  readonly currency?: string | undefined;
}

/** A body of a registration: the known fields, and any that this version does not know yet. */
export type Registration = Identifier & { readonly [field: string]: string | boolean | undefined };

/** The body of an error response (section 2.10). */
export interface ErrorBody {
  /** HTTP status of the response. */
  readonly status?: number | string | null | undefined;
  /** What failed, in a few words; absent from the 404 of registration. */
  readonly title?: string | null | undefined;
  /** What failed, in full. */
  readonly detail?: string | null | undefined;
  /** The requested id, in the 404 of retrieval only. */
  readonly id?: string | number | null | undefined;
}
