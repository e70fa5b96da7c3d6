/*
 * The words of the specification that code compares. They are apart from the schema, because every
 * command that reads records would wait for zod.
 */

/** Known statuses (sections 3 and 9 of docs/service.md). Any other string is also valid. */
export const knownStatuses = [
  'created',
  'locating',
  'located',
  'enriching',
  'enriched',
  'resolving',
  'unresolved',
  'researching',
  'resolved',
  'calculating',
  'waiting',
  'synced',
  'errored',
] as const;

/** Values of `industry_rank` and `region_rank` (section 2.1). */
export const ranks = ['very_high', 'high', 'medium', 'low', 'very_low', 'unknown'] as const;

/** The 15 scope 3 categories by their field names, in the order of the GHG Protocol. */
export const scope3Titles = {
  purchased_goods_and_services: 'purchased goods and services',
  capital_goods: 'capital goods',
  fuel_and_energy_related_activities: 'fuel and energy related activities',
  upstream_transportation_and_distribution: 'upstream transportation and distribution',
  waste_generated_in_operations: 'waste generated in operations',
  business_travel: 'business travel',
  employee_commute: 'employee commute',
  upstream_leased_assets: 'upstream leased assets',
  downstream_transportation_and_distribution: 'downstream transportation and distribution',
  processing_of_sold_products: 'processing of sold products',
  use_of_sold_products: 'use of sold products',
  end_of_life_treatment_of_sold_products: 'end of life treatment of sold products',
  downstream_leased_assets: 'downstream leased assets',
  franchises: 'franchises',
  investments: 'investments',
} as const;

export type Scope3Category = keyof typeof scope3Titles;

/** Field names of the 15 scope 3 categories, in the order of the GHG Protocol. */
export const scope3Categories = Object.keys(scope3Titles) as Scope3Category[];
