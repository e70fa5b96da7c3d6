import type { Entry } from './digest.ts';

/** Revenue in one currency, of the latest year of each organization. */
export interface RevenueSummary {
  /** Null if the record names no currency. */
  readonly currency: string | null;
  readonly organizations: number;
  /** Null if the sum exceeds the range of numbers. */
  readonly revenue: number | null;
}

/** Adds up revenue by currency; it never adds up different currencies. */
export class RevenueSum {
  readonly #sums = new Map<string | null, { organizations: number; revenue: number }>();

  add({ revenue }: Entry): void {
    if (revenue === undefined) return;
    const currency = revenue.currency ?? null;
    const sum = this.#sums.get(currency) ?? { organizations: 0, revenue: 0 };
    this.#sums.set(currency, sum);
    sum.organizations += 1;
    sum.revenue += revenue.amount;
  }

  /** Returns the sums, the currency with the largest number of organizations first. */
  result(): RevenueSummary[] {
    return [...this.#sums]
      .map(([currency, { organizations, revenue }]) => ({
        currency,
        organizations,
        revenue: Number.isFinite(revenue) ? revenue : null,
      }))
      .sort((a, b) => b.organizations - a.organizations);
  }
}
