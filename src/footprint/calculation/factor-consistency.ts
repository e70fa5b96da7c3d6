import type { Organization, Performance } from '../../api/schema.ts';
import { positiveFigure, usableFigure } from './figures.ts';

/** Relative difference above which the service's factor contradicts the disclosed figures. */
const maxDifference = 0.05;

/**
 * Checks whether an `emission_factor` of a record differs from emissions / revenue of its year by
 * more than 5 %. A wrong currency shows here.
 */
export function hasInconsistentFactor(record: Organization): boolean {
  return (record.performances ?? []).some(isInconsistent);
}

function isInconsistent({ emission_factor, revenue, emissions }: Performance): boolean {
  const stated = positiveFigure(emission_factor);
  const amount = usableFigure(emissions?.total) ?? usableFigure(emissions?.sum);
  const divisor = positiveFigure(revenue);
  if (stated === undefined || amount === undefined || divisor === undefined) return false;
  const expected = amount / divisor;
  return Math.abs(stated - expected) > maxDifference * expected;
}
