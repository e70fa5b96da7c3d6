/* Chooses the emission factor of a supplier: the year first, then the best basis. */
import type { Organization, Performance } from '../../api/schema.ts';
import type { FactorChoice, Uncovered } from '../ledger.ts';
import type { Boundary, Factor, UpstreamReading } from '../register-row.ts';
import { explainUncovered } from './explain-uncovered.ts';
import { disclosedFactor, disclosedInputs, serviceFactor, serviceInputs } from './factor-values.ts';
import { regionOf, yearDistance, yearOf } from './factor-years.ts';
import { currencyCode, recordCurrency, statedCurrency } from './figures.ts';
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

/** Chooses the factor of a record under one reading of the service's upstream factor. */
export function chooseFactor(
  record: Organization,
  need: FactorNeed,
  reading: UpstreamReading,
): Factor | Uncovered {
  return chooseFactors(record, need)[reading];
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
  const additive = selectPerformance(record, need, 'additive');
  const nested =
    need.boundary === 'cradle-to-gate' ? selectPerformance(record, need, 'nested') : additive;
  const additiveChoice = additive ? build(additive, need) : replaceFactor(record, need);
  if (isSame(additive, nested)) return { additive: additiveChoice, nested: additiveChoice };
  const nestedChoice = nested ? build(nested, need) : replaceFactor(record, need);
  return { additive: additiveChoice, nested: nestedChoice };
}

interface Selection {
  readonly performance: Performance;
  readonly basis: 'disclosed' | 'factor';
  readonly value: number;
}

function selectPerformance(
  record: Organization,
  need: FactorNeed,
  reading: UpstreamReading,
): Selection | undefined {
  const { boundary } = need;
  let best: Selection | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const performance of record.performances ?? []) {
    const distance = yearDistance(performance.year, need.year);
    const isBetterYear = distance < bestDistance;
    const isSameYear = distance === bestDistance && best?.basis === 'factor';
    if (!(isBetterYear || isSameYear) || !isInCurrency(performance, record, need)) continue;
    const disclosed = disclosedFactor(performance, boundary);
    const value =
      disclosed ?? (isBetterYear ? serviceFactor(performance, boundary, reading) : undefined);
    if (value === undefined) continue;
    best = { performance, basis: disclosed === undefined ? 'factor' : 'disclosed', value };
    bestDistance = distance;
  }
  return best;
}

/* Compares the performances that two readings select. */
function isSame(a: Selection | undefined, b: Selection | undefined): boolean {
  return a?.performance === b?.performance && a?.basis === b?.basis && a?.value === b?.value;
}

function isInCurrency(
  performance: Performance,
  record: Organization,
  { currency, requestedCurrency }: FactorNeed,
): boolean {
  if (currency === null) return false;
  if (performance.revenue_currency === currency) return true;
  const stated = statedCurrency(performance) ?? recordCurrency(record, requestedCurrency);
  return stated === currencyCode(currency);
}

function build({ performance, basis, value }: Selection, { boundary }: FactorNeed): Factor {
  return {
    basis,
    value,
    year: yearOf(performance.year),
    region: regionOf(performance.region),
    inputs:
      basis === 'disclosed'
        ? disclosedInputs(performance, boundary)
        : serviceInputs(performance, boundary),
  };
}

function replaceFactor(record: Organization, need: FactorNeed): Factor | Uncovered {
  const average = need.fallback === 'industry' ? industryFactor(record, need) : undefined;
  return average ?? explainUncovered(record, need);
}
