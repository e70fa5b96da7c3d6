/* Chooses the emission factor of a supplier: the year first, then the best basis. */
import type { Organization, Performance } from '../../api/schema.ts';
import type { FactorChoice, Uncovered } from '../ledger.ts';
import type { Boundary, Factor, UpstreamReading } from '../register-row.ts';
import { explainUncovered } from './explain-uncovered.ts';
import { disclosedFactor, disclosedInputs, serviceFactor, serviceInputs } from './factor-values.ts';
import { regionOf, yearDistance, yearOf } from './factor-years.ts';
import { CurrencyReader, currencyCode } from './figures.ts';
import { industryFactor } from './industry-factor.ts';

/** What a row of the register needs a factor for. */
export interface FactorNeed {
  /** ISO 4217 code of the spend; null if the file states none. */
  readonly currency: string | null;
  /** Year of the spend; null if unknown. */
  readonly year: number | null;
  readonly boundary: Boundary;
  /** What replaces a missing factor of the supplier: the industry average, or nothing. */
  readonly fallback: 'industry' | 'none';
  /** Currency that the record was requested in; undefined if unknown. */
  readonly requestedCurrency?: string | undefined;
}

/**
 * Chooses the factor of a record under both readings of the service's upstream factor.
 *
 * The year is the latest one with a usable factor that is not later than the spend, else the
 * earliest later one, else a performance without a year. Without a year of spend, it is the latest
 * one. Within a year, the supplier's disclosed figures come first, then the service's factors; of
 * several performances with that basis, such as regions, the first one in the record counts. Both
 * choices are one object if the reading makes no difference.
 */
export function chooseFactors(record: Organization, need: FactorNeed): FactorChoice {
  const additive = new Selection('additive');
  const nested = new Selection('nested');
  const { boundary } = need;
  const currency = currencyCode(need.currency);
  const currencies = new CurrencyReader(record, need.requestedCurrency);
  const performances = currency === undefined ? [] : (record.performances ?? []);
  for (const performance of performances) {
    const distance = yearDistance(performance.year, need.year);
    if (!additive.canImprove(distance) && !nested.canImprove(distance)) continue;
    if (currencies.read(performance.revenue_currency) !== currency) continue;
    const disclosed = disclosedFactor(performance, boundary);
    additive.consider(performance, distance, disclosed, boundary);
    nested.consider(performance, distance, disclosed, boundary);
  }
  const additiveChoice = build(additive, record, need, currencies);
  if (additive.isSame(nested)) return { additive: additiveChoice, nested: additiveChoice };
  return { additive: additiveChoice, nested: build(nested, record, need, currencies) };
}

/* The best performance so far under one reading. */
class Selection {
  readonly #reading: UpstreamReading;
  #distance = Number.POSITIVE_INFINITY;
  performance: Performance | null = null;
  basis: 'disclosed' | 'factor' = 'factor';
  value = 0;

  constructor(reading: UpstreamReading) {
    this.#reading = reading;
  }

  canImprove(distance: number): boolean {
    return distance < this.#distance || (distance === this.#distance && this.basis === 'factor');
  }

  consider(
    performance: Performance,
    distance: number,
    disclosed: number | undefined,
    boundary: Boundary,
  ): void {
    if (!this.canImprove(distance)) return;
    const isBetterYear = distance < this.#distance;
    const value =
      disclosed ?? (isBetterYear ? serviceFactor(performance, boundary, this.#reading) : undefined);
    if (value === undefined) return;
    this.performance = performance;
    this.basis = disclosed === undefined ? 'factor' : 'disclosed';
    this.value = value;
    this.#distance = distance;
  }

  isSame({ performance, basis, value }: Selection): boolean {
    return this.performance === performance && this.basis === basis && this.value === value;
  }
}

function build(
  { performance, basis, value }: Selection,
  record: Organization,
  need: FactorNeed,
  currencies: CurrencyReader,
): Factor | Uncovered {
  if (performance === null) return replaceFactor(record, need, currencies);
  const inputs = basis === 'disclosed' ? disclosedInputs : serviceInputs;
  return {
    basis,
    value,
    year: yearOf(performance.year),
    region: regionOf(performance.region),
    inputs: inputs(performance, need.boundary),
  };
}

function replaceFactor(
  record: Organization,
  need: FactorNeed,
  currencies: CurrencyReader,
): Factor | Uncovered {
  const average =
    need.fallback === 'industry' ? industryFactor(record, need, currencies) : undefined;
  return average ?? explainUncovered(record, need, currencies);
}
