import type { FootprintSummary } from '../footprint-summary.ts';

/** Difference in years above which a factor is old. */
const maxGapYears = 2;

/** Counts covered rows by the difference between the years of spend and factor. */
export class FactorGaps {
  readonly #gaps = new Map<number, number>();
  #unknown = 0;
  #old = 0;

  /** Adds a covered row. */
  add(spendYear: number | null, factorYear: number | null): void {
    if (spendYear === null || factorYear === null) {
      this.#unknown += 1;
      return;
    }
    const gap = spendYear - factorYear;
    this.#gaps.set(gap, (this.#gaps.get(gap) ?? 0) + 1);
    if (Math.abs(gap) > maxGapYears) this.#old += 1;
  }

  result(): Pick<FootprintSummary, 'year_gaps' | 'old_factors'> {
    const gaps = [...this.#gaps].sort(([a], [b]) => a - b);
    const unknown = this.#unknown > 0 ? { unknown: this.#unknown } : {};
    return { year_gaps: { ...Object.fromEntries(gaps), ...unknown }, old_factors: this.#old };
  }
}
