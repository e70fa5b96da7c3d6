import type { SpendGroup, Supplier } from '../ledger.ts';
import type { RegisterRow } from '../register-row.ts';
import { DecimalSum, toDecimal } from './decimal-sum.ts';

/**
 * Finds the groups that count in no total: those without spend, and those of suppliers whose net
 * spend in the currency is negative, such as after credit notes for an earlier year.
 */
export class Exclusions {
  readonly #negative = new Map<Supplier, Set<string | null>>();

  /** @param credited the suppliers with a credit note; no others can have negative net spend */
  constructor(groups: Iterable<SpendGroup>, credited: ReadonlySet<Supplier>) {
    if (credited.size === 0) return;
    for (const [supplier, currencies] of netSpends(groups, credited)) {
      const negative = [...currencies].filter(([, sum]) => sum.isNegative());
      if (negative.length === 0) continue;
      this.#negative.set(supplier, new Set(negative.map(([currency]) => currency)));
    }
  }

  /** Returns why a group is excluded; null if it counts. */
  of({ supplier, currency, spend }: SpendGroup): RegisterRow['excluded'] {
    if (spend === null) return 'no_spend';
    if (this.#negative.size === 0) return null;
    return this.#negative.get(supplier)?.has(currency) ? 'negative_net_spend' : null;
  }
}

/** Checks whether a group is a credit note. */
export function isCredit({ spend }: SpendGroup): boolean {
  return spend?.startsWith('-') ?? false;
}

function netSpends(
  groups: Iterable<SpendGroup>,
  credited: ReadonlySet<Supplier>,
): Map<Supplier, Map<string | null, DecimalSum>> {
  const spends = new Map<Supplier, Map<string | null, DecimalSum>>();
  for (const { supplier, currency, spend } of groups) {
    if (spend === null || !credited.has(supplier)) continue;
    const currencies = spends.get(supplier) ?? new Map<string | null, DecimalSum>();
    spends.set(supplier, currencies);
    const sum = currencies.get(currency) ?? new DecimalSum();
    currencies.set(currency, sum);
    sum.add(toDecimal(spend));
  }
  return spends;
}
