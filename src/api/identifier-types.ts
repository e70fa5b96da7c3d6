/** Fields that identify an organization to register (section 4.1). Only `name` is required. */
export interface Identifier {
  /** Name of the organization. */
  readonly name: string;
  /** Country of the headquarters, ISO 3166-1 alpha-2, such as `DE`. */
  readonly hq_region?: string | undefined;
  /** Subregion of the headquarters, ISO 3166-2 without the country, such as `OH`. */
  readonly hq_subregion?: string | undefined;
  /** Country name or address, if the country code is unknown. */
  readonly hq_fuzzy?: string | undefined;
  /** Id of the industry in the service. */
  readonly industry_id?: string | undefined;
  /** Name of the industry. */
  readonly industry_name?: string | undefined;
  /** Website or e-mail address. */
  readonly website?: string | undefined;
  /** Your own id for the organization, such as a supplier number. */
  readonly external_id?: string | undefined;
  /** Whether `name` is the name of the legal entity rather than a brand. */
  readonly is_legal_entity_name?: boolean | undefined;
  /** D-U-N-S number, 9 digits. */
  readonly duns_number?: string | undefined;
  /** Legal Entity Identifier, ISO 17442, 20 characters. */
  readonly lei_number?: string | undefined;
  /** ISIN, ISO 6166, 12 characters. */
  readonly isin_number?: string | undefined;
  /** S&P Global identifier. */
  readonly sp_global_number?: string | undefined;
  /** ISO 4217 code of the currency of revenue and emission factors (default `USD`). */
  readonly currency?: string | undefined;
}

/** Body of a registration: the known fields, and fields that this version does not know yet. */
export type Registration = Identifier & { readonly [field: string]: string | boolean | undefined };

/** Body of an error response (section 2.10). */
export interface ErrorBody {
  /** HTTP status of the response. */
  readonly status?: number | string | null | undefined;
  /** Short description of the error; absent from the 404 of registration. */
  readonly title?: string | null | undefined;
  /** Full description of the error. */
  readonly detail?: string | null | undefined;
  /** Requested id; only in the 404 of retrieval. */
  readonly id?: string | number | null | undefined;
}
