/* Whether a declared unit can be right, by what industries emit for the money they get. */
import { type Covered, emissionsOf, groupBy, spendOf } from './entries.ts';
import type { MethodOptions } from './line-item.ts';

/**
 * Kilograms per unit of spend that no whole purchase reaches. Cement, among the highest averages,
 * has 3.9 kg CO2e per USD (US EPA, Supply Chain Greenhouse Gas Emission Factors v1.3, 2024).
 */
export const maxKilogramsPerSpend = 10;

/* Currencies whose units are worth about the same. */
const comparable: readonly string[] = ['CHF', 'EUR', 'GBP', 'USD'];

/** Returns the kilograms per unit of spend by currency; none without a unit. */
export function kilogramsPerSpend(
  covered: readonly Covered[],
  { unit }: Pick<MethodOptions, 'unit'>,
): Readonly<Record<string, number>> {
  if (unit === undefined) return {};
  const kilograms = unit === 't' ? 1_000 : 1;
  const byCurrency = groupBy(covered, ({ group }) => group.currency ?? '');
  return Object.fromEntries(
    comparable.flatMap((currency) => {
      const entries = byCurrency.get(currency) ?? [];
      const spend = spendOf(entries);
      const amount = (kilograms * emissionsOf(entries)) / spend;
      return spend > 0 ? [[currency, amount]] : [];
    }),
  );
}

/** Returns the amounts above the limit. */
export function implausibleKilograms(
  amounts: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const large = Object.entries(amounts).filter(([, amount]) => amount > maxKilogramsPerSpend);
  return Object.fromEntries(large);
}
