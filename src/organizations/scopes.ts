import { scope3Categories } from '../api/schema.ts';

/** The figures of each scope: what was disclosed as a whole, the sum of the parts, the parts. */
export const scopes = {
  scope_1: [
    'total',
    'sum',
    'stationary_combustion',
    'mobile_combustion',
    'fugitive_emissions',
    'process_emissions',
  ],
  scope_2: [
    'total',
    'total_market_based',
    'total_location_based',
    'sum',
    'purchased_electricity',
    'purchased_steam',
    'purchased_heat',
    'purchased_cooling',
  ],
  scope_1_and_2: ['total', 'total_market_based', 'total_location_based'],
  scope_3: ['total', 'sum', ...scope3Categories],
} as const;

/* The words of the GHG Protocol where they are not the service's with spaces for underscores. */
const names: Readonly<Record<string, string>> = {
  total: '',
  total_market_based: 'market-based',
  total_location_based: 'location-based',
  sum: 'sum of parts',
  fuel_and_energy_related_activities: 'fuel- and energy-related activities',
  employee_commute: 'employee commuting',
  end_of_life_treatment_of_sold_products: 'end-of-life treatment of sold products',
};

/** Names a figure as the GHG Protocol does; the disclosed whole has no name. */
export function figureName(field: string): string {
  return names[field] ?? field.replaceAll('_', ' ');
}
