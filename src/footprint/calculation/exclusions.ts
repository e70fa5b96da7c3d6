import type { SpendGroup, Supplier } from '../ledger.ts';
import type { RegisterRow } from '../register-row.ts';
import { DecimalSum } from './decimal-sum.ts';

/**
 * Finds the groups that count in no total: those without spend, and those of suppliers whose net
 * spend in the currency is negative, such as after credit notes for an earlier year.
 */
export class Exclusions {
  readonly #negative = new Map<Supplier, Set<string | null>>();

  constructor(groups: Iterable<SpendGroup>) {
    for (const [supplier, currencies] of netSpends(groups)) {
      const negative = [...currencies].filter(([, sum]) => sum.isNegative());
      if (negative.length === 0) continue;
      this.#negative.set(supplier, new Set(negative.map(([currency]) => currency)));
    }
  }

  /** Returns why a group is excluded; null if it counts. */
  of({ supplier, currency, spend }: SpendGroup): RegisterRow['excluded'] {
    if (spend === null) return 'no_spend';
    return this.#negative.get(supplier)?.has(currency) ? 'negative_net_spend' : null;
  }
}

type NetSpends = Map<Supplier, Map<string | null, DecimalSum>>;

/* Sums only suppliers with a negative group: no others can have negative net spend. */
function netSpends(groups: Iterable<SpendGroup>): NetSpends {
  const spends: NetSpends = new Map();
  for (const { supplier, spend } of groups) {
    if (spend?.startsWith('-')) spends.set(supplier, new Map());
  }
  if (spends.size === 0) return spends;
  for (const { supplier, currency, spend } of groups) {
    const currencies = spends.get(supplier);
    if (currencies === undefined || spend === null) continue;
    const sum = currencies.get(currency) ?? new DecimalSum();
    currencies.set(currency, sum);
    sum.add(spend);
  }
  return spends;
}
