import type { Entry } from './digest.ts';

/**
 * Revenue in one currency, of the latest year of each organization; currencies are never added up.
 */
export interface RevenueSummary {
  /** Null where the record names none. */
  readonly currency: string | null;
  readonly organizations: number;
  /** Null where it is more than a number holds. */
  readonly revenue: number | null;
}

/** Adds up revenue, currency by currency. */
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

  /** The currency of the most organizations first. */
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
