/*
 * Types of emissions in a record (section 2.4 of the specification). Every field may be absent or
 * null. Undeclared fields pass through.
 */

/** Direct emissions of one year (scope 1 of the GHG Protocol). The unit is not documented. */
export interface Scope1 {
  /** Total as disclosed. */
  readonly total?: number | null | undefined;
  /** Emissions from stationary combustion, such as heating. */
  readonly stationary_combustion?: number | null | undefined;
  /** Emissions from mobile combustion, such as vehicles. */
  readonly mobile_combustion?: number | null | undefined;
  /** Fugitive emissions, such as leaks of refrigerants. */
  readonly fugitive_emissions?: number | null | undefined;
  /** Emissions of industrial processes. */
  readonly process_emissions?: number | null | undefined;
  /** Sum of the disclosed parts. */
  readonly sum?: number | null | undefined;
}

/** Emissions from purchased energy in one year (scope 2). The unit is not documented. */
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

/** Emissions of scopes 1 and 2 combined. The unit is not documented. */
export interface Scope1And2 {
  /** Total as disclosed. */
  readonly total?: number | null | undefined;
  /** Total with scope 2 location-based. */
  readonly total_location_based?: number | null | undefined;
  /** Total with scope 2 market-based. */
  readonly total_market_based?: number | null | undefined;
}

/**
 * Value-chain emissions of one year (scope 3), by the 15 categories of the GHG Protocol. The unit
 * is not documented.
 */
export interface Scope3 {
  /** Total as disclosed. */
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

/** Emissions of one year by scope (section 2.4). The unit is not documented. */
export interface Emissions {
  /** Direct emissions. */
  readonly scope_1?: Scope1 | null | undefined;
  /** Emissions from purchased energy. */
  readonly scope_2?: Scope2 | null | undefined;
  /** Scopes 1 and 2 combined. */
  readonly scope_1_and_2?: Scope1And2 | null | undefined;
  /** Value-chain emissions. */
  readonly scope_3?: Scope3 | null | undefined;
  /** Total of all scopes as disclosed. */
  readonly total?: number | null | undefined;
  /** Sum of the disclosed scopes. */
  readonly sum?: number | null | undefined;
}

/** Emissions and revenue of one year (section 2.4). */
export interface Performance {
  /** Calendar year, such as 2024. */
  readonly year?: number | null | undefined;
  /** Region of the figures; the format is not documented. */
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
  /** Emission factors of production; the format is not documented. */
  readonly production_emission_factors?: unknown;
  /** Documents that contain the figures; the format is not documented. */
  readonly documents?: unknown;
}
