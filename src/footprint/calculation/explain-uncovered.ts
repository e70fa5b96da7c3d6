/* Explains why a record has no factor for a row, with the reason that helps most. */

import { hasEnded } from '../../api/ids.ts';
import type { Organization, Performance } from '../../api/schema.ts';
import type { Uncovered } from '../ledger.ts';
import type { UncoveredReason } from '../register-row.ts';
import type { FactorNeed } from './choose-factor.ts';
import { disclosedEmissions, disclosedFactor, serviceFactor } from './factor-values.ts';
import { type CurrencyReader, currencyCode, positiveFigure } from './figures.ts';
import { industryCurrency, industryItems } from './industry-factor.ts';

/**
 * Returns the reason why a record has no usable factor. What the user can change comes first (the
 * currency), then what time changes (the research), then what the record lacks.
 */
export function explainUncovered(
  record: Organization,
  need: FactorNeed,
  currencyReader: CurrencyReader,
): Uncovered {
  if (currencyCode(need.currency) === undefined) {
    return because('no_currency', 'the row has no currency');
  }
  const currencies = usableCurrencies(record, need, currencyReader);
  const [other] = currencies;
  if (other !== undefined) return because('other_currency', `the record is in ${nameOf(other)}`);
  if (currencies.size > 0) return because('no_currency', 'the record names no currency');
  const { status, performances } = record;
  if (status && !hasEnded(status)) return because('in_progress', `status ${status.slice(0, 40)}`);
  if (!performances?.length) {
    return because(status === 'errored' ? 'errored' : 'no_performance', null);
  }
  const lacksOnlyRevenue = performances.some(
    (performance) =>
      positiveFigure(performance.revenue) === undefined &&
      disclosedEmissions(performance, need.boundary) !== undefined,
  );
  return lacksOnlyRevenue
    ? because('no_revenue', 'the record has emissions, but no revenue')
    : because('no_factor', `the record has no factor for the boundary ${need.boundary}`);
}

/*
 * Returns the currencies of usable factors that are not in the row's currency; undefined stands for
 * a currency that nothing names.
 */
function usableCurrencies(
  record: Organization,
  need: FactorNeed,
  reader: CurrencyReader,
): Set<string | undefined> {
  const currencies = new Set<string | undefined>();
  for (const performance of record.performances ?? []) {
    if (isUsable(performance, need)) currencies.add(reader.read(performance.revenue_currency));
  }
  if (need.fallback === 'industry') {
    for (const item of industryItems(record)) currencies.add(industryCurrency(item, reader));
  }
  currencies.delete(currencyCode(need.currency));
  // A named currency explains more than an unnamed one.
  if (currencies.size > 1) currencies.delete(undefined);
  return currencies;
}

function isUsable(performance: Performance, { boundary }: FactorNeed): boolean {
  return (
    disclosedFactor(performance, boundary) !== undefined ||
    serviceFactor(performance, boundary, 'additive') !== undefined ||
    serviceFactor(performance, boundary, 'nested') !== undefined
  );
}

/* Text from outside can have any length. */
function nameOf(currency: string): string {
  return /^[A-Z]{3}$/.test(currency) ? currency : 'another currency';
}

function because(reason: UncoveredReason, detail: string | null): Uncovered {
  return { reason, detail };
}
