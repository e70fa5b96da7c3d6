import type { FootprintSummary } from '../footprint-summary.ts';
import type { SpendGroup, Supplier } from '../ledger.ts';
import { toDecimal } from './decimal-sum.ts';
import { ExactSum } from './exact-sum.ts';
import type { GroupResult } from './group-result.ts';
import { SpendTotals } from './spend-totals.ts';

/** Counts the groups that are in no total. */
export class ExcludedTotals {
  readonly #suppliers = new Set<Supplier>();
  readonly #spend = new SpendTotals();
  readonly #emissions = new ExactSum();
  #negativeRows = 0;
  #rowsWithoutSpend = 0;

  /** Adds an excluded group. */
  add({ supplier, currency, spend }: SpendGroup, { emissions, excluded }: GroupResult): void {
    if (spend === null || excluded === 'no_spend') {
      this.#rowsWithoutSpend += 1;
      return;
    }
    this.#negativeRows += 1;
    this.#suppliers.add(supplier);
    this.#spend.add(currency, toDecimal(spend), false);
    if (emissions !== null) this.#emissions.add(emissions);
  }

  result(): FootprintSummary['excluded'] {
    return {
      negative_net_spend: {
        suppliers: this.#suppliers.size,
        rows: this.#negativeRows,
        spend: this.#spend.totals(),
        emissions: this.#emissions.value(),
      },
      no_spend: { rows: this.#rowsWithoutSpend },
    };
  }
}
