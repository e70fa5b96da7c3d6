/*
 * Emissions in a record (section 2.4 of the specification). Every field may be absent or null;
 * fields that are not listed pass through unread.
 */

/** Direct emissions of one year (scope 1 of the GHG Protocol). No unit is documented. */
export interface Scope1 {
  /** Total as disclosed. */
  readonly total?: number | null | undefined;
  /** Emissions of stationary combustion, such as heating. */
  readonly stationary_combustion?: number | null | undefined;
  /** Emissions of mobile combustion, such as vehicles. */
  readonly mobile_combustion?: number | null | undefined;
  /** Fugitive emissions, such as leaks of refrigerants. */
  readonly fugitive_emissions?: number | null | undefined;
  /** Emissions of industrial processes. */
  readonly process_emissions?: number | null | undefined;
  /** Sum of the disclosed parts. */
  readonly sum?: number | null | undefined;
}

/** Emissions of purchased energy in one year (scope 2). No unit is documented. */
export interface Scope2 {
  /** Total as disclosed. */
  readonly total?: number | null | undefined;
  /** Emissions of purchased electricity. */
  readonly purchased_electricity?: number | null | undefined;
  /** Emissions of purchased steam. */
  readonly purchased_steam?: number | null | undefined;
  /** Emissions of purchased heat. */
  readonly purchased_heat?: number | null | undefined;
  /** Emissions of purchased cooling. */
  readonly purchased_cooling?: number | null | undefined;
  /** Total by the average emissions of the local grid. */
  readonly total_location_based?: number | null | undefined;
  /** Total by the contracts for the purchased energy. */
  readonly total_market_based?: number | null | undefined;
  /** Sum of the disclosed parts. */
  readonly sum?: number | null | undefined;
}

/** Scopes 1 and 2 together. No unit is documented. */
export interface Scope1And2 {
  /** Total as disclosed. */
  readonly total?: number | null | undefined;
  /** Total with scope 2 location-based. */
  readonly total_location_based?: number | null | undefined;
  /** Total with scope 2 market-based. */
  readonly total_market_based?: number | null | undefined;
}

/** Emissions of the value chain in one year (scope 3), by the 15 categories of the GHG Protocol. */
export interface Scope3 {
  /** Total as disclosed. No unit is documented. */
  readonly total?: number | null | undefined;
  /** Sum of the disclosed parts. */
  readonly sum?: number | null | undefined;
  /** Category 1: purchased goods and services. */
  readonly purchased_goods_and_services?: number | null | undefined;
  /** Category 2: capital goods. */
  readonly capital_goods?: number | null | undefined;
  /** Category 3: fuel and energy related activities. */
  readonly fuel_and_energy_related_activities?: number | null | undefined;
  /** Category 4: upstream transportation and distribution. */
  readonly upstream_transportation_and_distribution?: number | null | undefined;
  /** Category 5: waste generated in operations. */
  readonly waste_generated_in_operations?: number | null | undefined;
  /** Category 6: business travel. */
  readonly business_travel?: number | null | undefined;
  /** Category 7: employee commute. */
  readonly employee_commute?: number | null | undefined;
  /** Category 8: upstream leased assets. */
  readonly upstream_leased_assets?: number | null | undefined;
  /** Category 9: downstream transportation and distribution. */
  readonly downstream_transportation_and_distribution?: number | null | undefined;
  /** Category 10: processing of sold products. */
  readonly processing_of_sold_products?: number | null | undefined;
  /** Category 11: use of sold products. */
  readonly use_of_sold_products?: number | null | undefined;
  /** Category 12: end of life treatment of sold products. */
  readonly end_of_life_treatment_of_sold_products?: number | null | undefined;
  /** Category 13: downstream leased assets. */
  readonly downstream_leased_assets?: number | null | undefined;
  /** Category 14: franchises. */
  readonly franchises?: number | null | undefined;
  /** Category 15: investments. */
  readonly investments?: number | null | undefined;
}

/**
 * Emissions of one year by scope: `total` as disclosed, `sum` of the disclosed parts. No unit is
 * documented.
 */
export interface Emissions {
  /** Direct emissions. */
  readonly scope_1?: Scope1 | null | undefined;
  /** Emissions of purchased energy. */
  readonly scope_2?: Scope2 | null | undefined;
  /** Scopes 1 and 2 together. */
  readonly scope_1_and_2?: Scope1And2 | null | undefined;
  /** Emissions of the value chain. */
  readonly scope_3?: Scope3 | null | undefined;
  /** Total of all scopes as disclosed. */
  readonly total?: number | null | undefined;
  /** Sum of the disclosed scopes. */
  readonly sum?: number | null | undefined;
}

/** One year of an organization (section 2.4). */
export interface Performance {
  /** Calendar year, such as 2024. */
  readonly year?: number | null | undefined;
  /** Region that the figures are for; no format is documented. */
  readonly region?: string | null | undefined;
  /** Total emissions divided by revenue, in `revenue_currency`. */
  readonly emission_factor?: number | null | undefined;
  /** Emissions of the upstream value chain divided by revenue, in `revenue_currency`. */
  readonly total_upstream_emission_factor?: number | null | undefined;
  /** Emissions of scopes 1 and 2 divided by revenue, in `revenue_currency`. */
  readonly scope_1_and_2_emission_factor?: number | null | undefined;
  /** ISO 4217 code of the currency of revenue and emission factors. */
  readonly revenue_currency?: string | null | undefined;
  /** Revenue of the year in `revenue_currency`. */
  readonly revenue?: number | null | undefined;
  /** Emissions of the year by scope. */
  readonly emissions?: Emissions | null | undefined;
  /** Factors of production; no format is documented. */
  readonly production_emission_factors?: unknown;
  /** Documents that the figures are from; no format is documented. */
  readonly documents?: unknown;
}
