import { isObject } from '../../api/ids.ts';
import type { Organization } from '../../api/schema.ts';
import type { Factor } from '../register-row.ts';
import type { FactorNeed } from './choose-factor.ts';
import { factorInputs } from './factor-values.ts';
import { nearestYearDistance, regionOf, yearOf } from './factor-years.ts';
import { type CurrencyReader, currencyCode, positiveFigure } from './figures.ts';

/**
 * Returns the industry average of the nearest year in the row's currency.
 *
 * Its format and boundary are not documented (section 2.2), so every item is checked. An item that
 * names no currency is in the currency of the record.
 */
export function industryFactor(
  record: Organization,
  need: FactorNeed,
  currencies: CurrencyReader,
): Factor | undefined {
  const currency = currencyCode(need.currency);
  let best: Readonly<Record<string, unknown>> | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  if (currency === undefined) return undefined;
  for (const item of industryItems(record)) {
    const distance = nearestYearDistance(item['year'], need.year);
    if (distance >= bestDistance || industryCurrency(item, currencies) !== currency) continue;
    best = item;
    bestDistance = distance;
  }
  const value = positiveFigure(best?.['emission_factor']);
  if (best === undefined || value === undefined) return undefined;
  return {
    basis: 'industry',
    value,
    year: yearOf(best['year']),
    region: regionOf(best['region']),
    inputs: factorInputs({ totalFactor: value }),
  };
}

/** Yields the items of an industry's performances that have a usable factor. */
export function* industryItems(record: Organization): Iterable<Readonly<Record<string, unknown>>> {
  for (const item of record.industry?.performances ?? []) {
    if (isObject(item) && positiveFigure(item['emission_factor']) !== undefined) yield item;
  }
}

/** Returns the currency of an industry average; undefined if nothing states it. */
export function industryCurrency(
  item: Readonly<Record<string, unknown>>,
  currencies: CurrencyReader,
): string | undefined {
  return currencies.read(currencyCode(item['revenue_currency']) ?? item['currency']);
}
