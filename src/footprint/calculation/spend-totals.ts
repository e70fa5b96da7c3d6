import type { SpendByCurrency } from '../footprint-summary.ts';
import { type Decimal, DecimalSum } from './decimal-sum.ts';

/** Names spend without a currency. */
export const unknownCurrency = 'unknown';

/** Adds up spend by currency, exactly; it never adds up different currencies. */
export class SpendTotals {
  readonly #currencies = new Map<string, { total: DecimalSum; covered: DecimalSum }>();

  add(currency: string | null, spend: Decimal, isCovered: boolean): void {
    const key = currency ?? unknownCurrency;
    let sums = this.#currencies.get(key);
    if (sums === undefined) {
      sums = { total: new DecimalSum(), covered: new DecimalSum() };
      this.#currencies.set(key, sums);
    }
    sums.total.add(spend);
    if (isCovered) sums.covered.add(spend);
  }

  /** The only currency of all spend; null if there are several, none, or an unknown one. */
  get onlyCurrency(): string | null {
    const [currency] = this.#currencies.keys();
    if (this.#currencies.size !== 1 || currency === unknownCurrency) return null;
    return currency ?? null;
  }

  /** Returns the spend by currency, in alphabetical order. */
  result(): SpendByCurrency {
    return Object.fromEntries(
      this.#sorted().map(([currency, { total, covered }]) => [
        currency,
        { total: total.value(), covered: covered.value() },
      ]),
    );
  }

  /** Returns the total spend by currency, in alphabetical order. */
  totals(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      this.#sorted().map(([currency, { total }]) => [currency, total.value()]),
    );
  }

  #sorted() {
    return [...this.#currencies].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
