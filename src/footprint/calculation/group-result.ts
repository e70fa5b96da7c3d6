import { type FactorChoice, isUncovered, type SpendGroup, type Uncovered } from '../ledger.ts';
import type { Factor, RegisterRow, UpstreamReading } from '../register-row.ts';

/** What the calculation yields for one group. */
export interface GroupResult {
  readonly factor: Factor | null;
  /** Spend times factor; null without one of them. */
  readonly emissions: number | null;
  /** Why a group with spend has no factor. */
  readonly uncovered: Uncovered | null;
  readonly excluded: RegisterRow['excluded'];
}

/**
 * Multiplies the spend of a group by its factor. A group with a spend of 0 and without a factor
 * counts as one without spend.
 *
 * @param reading null if the reading of the upstream factor is irrelevant
 */
export function resultOf(
  { spend, factors }: SpendGroup,
  reading: UpstreamReading | null,
  excluded: RegisterRow['excluded'],
): GroupResult {
  if (spend === null) return { factor: null, emissions: null, uncovered: null, excluded };
  const choice = factors[reading ?? 'additive'];
  if (isUncovered(choice)) {
    // Any factor yields no emissions of a spend of 0.
    const isZero = Number(spend) === 0;
    return {
      factor: null,
      emissions: null,
      uncovered: isZero ? null : choice,
      excluded: isZero ? (excluded ?? 'no_spend') : excluded,
    };
  }
  return { factor: choice, emissions: Number(spend) * choice.value + 0, uncovered: null, excluded };
}

/** Checks whether the factor depends on the reading of the upstream factor. */
export function readingMatters({ additive, nested }: FactorChoice): boolean {
  if (additive === nested) return false;
  if (isUncovered(additive) || isUncovered(nested)) {
    return isUncovered(additive) !== isUncovered(nested);
  }
  return additive.value !== nested.value || additive.year !== nested.year;
}
