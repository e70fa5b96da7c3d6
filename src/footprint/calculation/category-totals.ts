import type { CategorySummary } from '../footprint-summary.ts';
import type { Decimal } from './decimal-sum.ts';
import { ExactSum } from './exact-sum.ts';
import { SpendTotals } from './spend-totals.ts';
import { shareOf } from './supplier-totals.ts';

interface Category {
  readonly emissions: ExactSum;
  readonly spend: SpendTotals;
  rows: number;
  coveredRows: number;
}

/** Adds up emissions and spend by purchasing category. */
export class CategoryTotals {
  readonly #categories = new Map<string | null, Category>();

  /** Adds a row; emissions are null for an uncovered one. */
  add(
    name: string | null,
    currency: string | null,
    spend: Decimal,
    emissions: number | null,
  ): void {
    let category = this.#categories.get(name);
    if (category === undefined) {
      const [emissionsSum, spendTotals] = [new ExactSum(), new SpendTotals()];
      category = { emissions: emissionsSum, spend: spendTotals, rows: 0, coveredRows: 0 };
      this.#categories.set(name, category);
    }
    category.rows += 1;
    category.spend.add(currency, spend, emissions !== null);
    if (emissions === null) return;
    category.coveredRows += 1;
    category.emissions.add(emissions);
  }

  /** Returns the categories, the largest emissions first; rows without a category come last. */
  result(total: number | null): CategorySummary[] {
    return [...this.#categories]
      .map(([category, { emissions, spend, rows, coveredRows }]) => ({
        category,
        emissions: emissions.value(),
        share: shareOf(emissions.value(), total),
        spend: spend.result(),
        rows,
        covered_rows: coveredRows,
      }))
      .sort(
        (a, b) =>
          Number(a.category === null) - Number(b.category === null) ||
          b.emissions - a.emissions ||
          ((a.category ?? '') < (b.category ?? '') ? -1 : 1),
      );
  }
}
