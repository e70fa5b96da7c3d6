/* What the calculation needs: suppliers, what was spent with them, and their factors. */
import type { Factor, Match, NearTermTarget, UncoveredReason } from './register-row.ts';

/** Why a supplier or a row has no factor. */
export interface Uncovered {
  readonly reason: UncoveredReason;
  /** Explains the reason in words, such as the ids of an ambiguous match. */
  readonly detail: string | null;
}

/** A supplier of the user's file: all rows that belong to one organization. */
export interface Supplier {
  /** Name in the user's file, on the first row of the supplier. */
  readonly name: string | null;
  readonly id: string | number | null;
  /** Name in the record. */
  readonly recordName: string | null;
  readonly matchedBy: Match | null;
  readonly target: NearTermTarget;
  /** Time when the record was retrieved, ISO 8601. */
  readonly retrievedAt: string | null;
  readonly isSynthetic: boolean;
}

/** The factor of a group, under each reading of the upstream factor. Both may be one object. */
export interface FactorChoice {
  readonly additive: Factor | Uncovered;
  readonly nested: Factor | Uncovered;
}

/** Spend with one supplier in one currency, year and category. */
export interface SpendGroup {
  readonly supplier: Supplier;
  readonly currency: string | null;
  readonly year: number | null;
  readonly category: string | null;
  /** Exact sum of the lines as a decimal number in plain notation; null without spend. */
  readonly spend: string | null;
  /** First line numbers, at most 20. */
  readonly lines: readonly number[];
  readonly lineCount: number;
  readonly factors: FactorChoice;
}

/** Checks whether a choice is a reason instead of a factor. */
export function isUncovered(choice: Factor | Uncovered): choice is Uncovered {
  return 'reason' in choice;
}
