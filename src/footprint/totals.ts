/* Adds up the line items of a footprint. */
import { Sum } from './decimal.ts';
import type { Entry, Provenance } from './entry.ts';
import { isUncovered } from './factors/choose.ts';
import { unknownTarget } from './factors/evidence.ts';
import {
  bases,
  type Factor,
  type MethodOptions,
  matches,
  type NearTermTarget,
  type Uncovered,
  uncoveredReasons,
} from './line-item.ts';
import type {
  Alternative,
  CategorySummary,
  DateRange,
  FootprintSummary,
  SbtiCoverage,
  SbtiShares,
  ShareRange,
  SpendByCurrency,
  SupplierSummary,
  Totals,
  UnitSummary,
  UpstreamSummary,
  Warning,
} from './summary.ts';
import type { Supplier } from './suppliers/ledger.ts';

/** What decided the calculation. */
interface Decided {
  readonly options: MethodOptions;
  readonly provenance: Provenance;
  readonly upstream: UpstreamSummary;
  readonly units: UnitSummary;
  readonly outliers: readonly Warning[];
}

/* An entry with spend that counts. */
type Counted = Entry & { readonly spend: number };

/** Summarizes the entries of a footprint. */
export function summarize(entries: readonly Entry[], decided: Decided): FootprintSummary {
  const counted = entries.filter(({ excluded }) => excluded === null) as readonly Counted[];
  const covered = counted.filter(hasEmissions);
  const { upstream, units, outliers } = decided;
  const {
    boundary,
    unit = null,
    maxFactorAge,
    factorUnit = null,
    excludeOutliers,
  } = decided.options;
  const { warnings = [], ...method } = decided.provenance;
  const all = totalsOf(counted);
  const byYear = groupBy(counted, ({ group }) => group.year);
  const years = [...byYear]
    .map(([year, each]) => ({ year, ...(byYear.size === 1 ? all : totalsOf(each)) }))
    .sort((a, b) => (a.year ?? Infinity) - (b.year ?? Infinity));
  const ranked = rankSuppliers(covered);
  const suppliers = groupBy(counted, ({ group }) => group.supplier);
  const records = [...suppliers.values()].map(([first]) => first?.group.record);
  return {
    ...all,
    // Spend of two years is no footprint of a year.
    emissions: years.length > 1 ? null : all.emissions,
    unit,
    boundary,
    years,
    upstream,
    units,
    suppliers: suppliers.size,
    upstream_categories: median(
      covered.flatMap(({ factor }) => factor?.inputs.upstream_categories ?? []),
    ),
    alternatives: alternatives(covered),
    sbti_coverage: sbtiCoverage(counted, suppliers, all),
    uncovered: inOrder(
      uncoveredReasons,
      countBy(counted, ({ uncovered }) => uncovered?.reason),
    ),
    excluded: excludedTotals(entries),
    categories: categories(counted, all.emissions),
    largest: largest(ranked, suppliers, all.emissions),
    suppliers_for_80_percent: suppliersForShare(ranked, all.emissions, 0.8),
    year_gaps: yearGaps(covered),
    matched_by: inOrder(
      matches,
      countBy(counted, ({ group }) => group.matchedBy),
    ),
    synthetic: records.filter((record) => record?.isSynthetic).length,
    warnings: [...warnings, ...outliers],
    method: {
      ...method,
      selection: [...method.selection, ...(excludeOutliers ? ['without outliers'] : [])],
      max_factor_age: maxFactorAge,
      factor_unit: factorUnit,
      retrieved: dateRange(counted.map(({ group }) => group.record?.retrievedAt ?? null)),
    },
  };
}

/** Returns a part of a total, from 0 to 1; null if the total allows no share. */
export function shareOf(part: number, total: number | null): number | null {
  const share = total === null ? Number.NaN : part / total;
  return Number.isFinite(share) ? share + 0 : null;
}

function totalsOf(counted: readonly Counted[]): Totals {
  const { emissions, ...amounts } = amountsOf(counted);
  const byBasis = groupBy(counted.filter(hasEmissions), ({ factor }) => factor?.basis);
  const emissionsOf = Object.fromEntries(
    bases.map((basis) => [basis, sum(byBasis.get(basis) ?? [], (entry) => entry.emissions)]),
  ) as Totals['emissions_by_basis'];
  const estimate = estimateUncovered(counted);
  return {
    emissions,
    emissions_by_basis: emissionsOf,
    ...amounts,
    service_share: shareOf(emissionsOf.service, emissions),
    industry_share: shareOf(emissionsOf.industry, emissions),
    completeness:
      estimate === null || emissions === null ? null : shareOf(emissions, emissions + estimate),
    uncovered_estimate: estimate,
  };
}

function amountsOf(counted: readonly Counted[]) {
  const covered = counted.filter(hasEmissions);
  const emissions = covered.length === 0 ? null : sum(covered, (entry) => entry.emissions);
  return {
    emissions,
    rows: counted.length,
    covered_rows: covered.length,
    spend: spendOf(counted),
    supplier_data_share: supplierDataShare(covered, emissions),
  };
}

function hasEmissions({ emissions }: Entry): boolean {
  return emissions !== null;
}

function supplierDataShare(covered: readonly Counted[], emissions: number | null): ShareRange {
  const own = covered.filter(({ factor }) => factor?.basis === 'own');
  return {
    from: shareOf(
      sum(own, ({ spend, factor }) => spend * (factor?.scopes1And2 ?? 0)),
      emissions,
    ),
    to: shareOf(
      sum(own, (entry) => entry.emissions),
      emissions,
    ),
  };
}

/* Uncovered spend at the average factor of its category and currency, otherwise of its currency. */
function estimateUncovered(counted: readonly Counted[]): number | null {
  const estimate = new Sum();
  for (const ofCurrency of groupBy(counted, ({ group }) => group.currency).values()) {
    if (ofCurrency.every(hasEmissions)) continue;
    const ofAll = averageFactor(ofCurrency);
    for (const entries of groupBy(ofCurrency, ({ group }) => group.category).values()) {
      if (entries.every(hasEmissions)) continue;
      const average = averageFactor(entries) ?? ofAll;
      if (average === undefined) return null;
      for (const { spend, emissions } of entries)
        if (emissions === null) estimate.add(spend * average);
    }
  }
  return estimate.value;
}

function averageFactor(entries: readonly Counted[]): number | undefined {
  const covered = entries.filter(hasEmissions);
  const spend = sum(covered, ({ group }) => group.spend);
  return spend > 0 ? sum(covered, ({ emissions }) => emissions) / spend : undefined;
}

function spendOf(counted: readonly Counted[]): SpendByCurrency {
  const currencies = groupBy(counted, ({ group }) => group.currency ?? unknownCurrency);
  const amount = ({ group }: Entry) => group.spend;
  return Object.fromEntries(
    sorted(currencies).map(([currency, each]) => [
      currency,
      {
        total: sum(each, amount),
        covered: sum(each.filter(hasEmissions), amount),
      },
    ]),
  );
}

/** Names spend without a currency. */
export const unknownCurrency = 'unknown';

function totalSpend(entries: readonly Entry[]): Record<string, number> {
  const currencies = groupBy(entries, ({ group }) => group.currency ?? unknownCurrency);
  return Object.fromEntries(
    sorted(currencies).map(([currency, each]) => [currency, sum(each, ({ group }) => group.spend)]),
  );
}

/* The total of all years with other choices of the method, where a record allows them. */
function alternatives(covered: readonly Counted[]): Alternative[] {
  const choices: readonly (readonly [Alternative['choice'], (entry: Counted) => number | null])[] =
    [
      ['service factors', ({ group, reading }) => group.choice?.others[reading] ?? null],
      ['industry averages', ({ group }) => group.choice?.others.industry ?? null],
      ['scope 2 location-based', ({ group }) => group.choice?.others.location ?? null],
      ['upstream factor additive', ({ group }) => valueOfChoice(group.choice?.additive)],
      ['upstream factor nested', ({ group }) => valueOfChoice(group.choice?.nested)],
    ];
  return choices.flatMap(([choice, valueFor]) => {
    let rows = 0;
    const emissions = sum(covered, (entry) => {
      const value = valueFor(entry);
      if (value === null || value === entry.factor?.value) return entry.emissions;
      rows += 1;
      return entry.spend * value;
    });
    return rows === 0 ? [] : [{ choice, emissions, rows }];
  });
}

function valueOfChoice(choice: Factor | Uncovered | undefined): number | null {
  return choice === undefined || isUncovered(choice) ? null : choice.value;
}

function sbtiCoverage(
  counted: readonly Counted[],
  suppliers: ReadonlyMap<Supplier, readonly Counted[]>,
  { emissions, spend }: Totals,
): SbtiCoverage {
  const targetOf = ({ group }: Entry): NearTermTarget => group.record?.target ?? unknownTarget;
  const byStatus = groupBy(counted, (entry) => targetOf(entry).status);
  const [currency, ...others] = Object.keys(spend);
  const hasOneCurrency =
    currency !== undefined && others.length === 0 && currency !== unknownCurrency;
  const total = hasOneCurrency ? (spend[currency]?.total ?? null) : null;
  const shares = (status: NearTermTarget['status']): SbtiShares => {
    const entries = byStatus.get(status) ?? [];
    return {
      by_emissions: shareOf(
        sum(entries, (entry) => entry.emissions),
        emissions,
      ),
      by_spend:
        total === null
          ? null
          : shareOf(
              sum(entries, ({ group }) => group.spend),
              total,
            ),
    };
  };
  // A supplier has the status in the record of its first item that has one.
  const targets = [...suppliers.values()].map(
    (entries) => entries.map(targetOf).find(({ status }) => status !== null) ?? unknownTarget,
  );
  const numberOf = (status: NearTermTarget['status']) =>
    targets.filter((target) => target.status === status).length;
  const others_ = targets.filter(({ status }) => status === 'other');
  return {
    ...shares('set'),
    set: numberOf('set'),
    committed: numberOf('committed'),
    removed: numberOf('removed'),
    none: numberOf('none'),
    other: others_.length,
    unknown: numberOf(null),
    other_wordings: Object.fromEntries(
      sorted(groupBy(others_, ({ wording }) => wording ?? '')).map(([wording, each]) => [
        wording,
        each.length,
      ]),
    ),
    committed_share: shares('committed'),
    removed_share: shares('removed'),
    // When the status was retrieved, otherwise when SBTi recorded it.
    evidence: dateRange(targets.map(({ retrieved_at, created_at }) => retrieved_at ?? created_at)),
  };
}

function excludedTotals(entries: readonly Entry[]): FootprintSummary['excluded'] {
  const negative = entries.filter(({ excluded }) => excluded === 'negative_net_spend');
  return {
    negative_net_spend: {
      suppliers: new Set(negative.map(({ group }) => group.supplier)).size,
      rows: negative.length,
      spend: totalSpend(negative),
      emissions: sum(negative, ({ emissions }) => emissions),
    },
    no_spend: { rows: entries.filter(({ excluded }) => excluded === 'no_spend').length },
  };
}

/* The largest emissions first; items without a category come last. */
function categories(counted: readonly Counted[], total: number | null): CategorySummary[] {
  return [...groupBy(counted, ({ group }) => group.category)]
    .map(([category, entries]) => {
      const { emissions, supplier_data_share, spend, rows, covered_rows } = amountsOf(entries);
      const amount = emissions ?? 0;
      const share = shareOf(amount, total);
      return { category, emissions: amount, share, supplier_data_share, spend, rows, covered_rows };
    })
    .sort(
      (a, b) =>
        Number(a.category === null) - Number(b.category === null) ||
        b.emissions - a.emissions ||
        ((a.category ?? '') < (b.category ?? '') ? -1 : 1),
    );
}

interface Ranked {
  readonly supplier: Supplier;
  readonly emissions: number;
  readonly entries: readonly Counted[];
}

/* The largest first. Equal ones are in the order of ID and name, whatever the order of the rows. */
function rankSuppliers(covered: readonly Counted[]): Ranked[] {
  const identity = ({ supplier: { id, name } }: Ranked) =>
    `${String(id ?? '').padStart(20, '0')} ${name ?? ''}`;
  return [...groupBy(covered, ({ group }) => group.supplier)]
    .map(([supplier, entries]) => ({
      supplier,
      entries,
      emissions: sum(entries, ({ emissions }) => emissions),
    }))
    .sort((a, b) => b.emissions - a.emissions || (identity(a) < identity(b) ? -1 : 1));
}

const maxLargest = 20;

function largest(
  ranked: readonly Ranked[],
  suppliers: ReadonlyMap<Supplier, readonly Counted[]>,
  total: number | null,
): SupplierSummary[] {
  const cumulative = new Sum();
  return ranked.slice(0, maxLargest).map(({ supplier, emissions, entries }) => {
    cumulative.add(emissions);
    const [most] = [...entries].sort(compareEntries);
    const targets = entries.map(({ group }) => group.record?.target.status ?? null);
    return {
      supplier: supplier.name,
      id: supplier.id,
      emissions,
      share: shareOf(emissions, total) ?? 0,
      cumulative_share: shareOf(cumulative.value, total) ?? 0,
      spend: totalSpend(suppliers.get(supplier) ?? entries),
      basis: most?.factor?.basis ?? null,
      factor: most?.factor?.value ?? null,
      factor_year: most?.factor?.year ?? null,
      sbti_near_term: targets.find((status) => status !== null) ?? null,
    };
  });
}

/* Items with equal emissions are compared by their factor, so that the row order is irrelevant. */
function compareEntries(a: Counted, b: Counted): number {
  const rank = ({ factor }: Counted) => bases.indexOf(factor?.basis ?? 'industry');
  return (
    (b.emissions ?? 0) - (a.emissions ?? 0) ||
    rank(a) - rank(b) ||
    (b.factor?.year ?? 0) - (a.factor?.year ?? 0) ||
    (b.factor?.value ?? 0) - (a.factor?.value ?? 0)
  );
}

function suppliersForShare(
  ranked: readonly Ranked[],
  total: number | null,
  share: number,
): number | null {
  if (total === null || total <= 0) return null;
  const cumulative = new Sum();
  const index = ranked.findIndex(({ emissions }) => {
    cumulative.add(emissions);
    return cumulative.value >= share * total;
  });
  return index === -1 ? null : index + 1;
}

function yearGaps(covered: readonly Counted[]): Record<string, number> {
  const gaps = countBy(covered, ({ group, factor }) =>
    group.year === null || factor?.year == null ? 'unknown' : String(group.year - factor.year),
  );
  const rank = (gap: string) => (gap === 'unknown' ? Infinity : Number(gap));
  return Object.fromEntries([...gaps].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1)));
}

function median(values: readonly number[]): number | null {
  const ascending = values.toSorted((a, b) => a - b);
  const middle = (ascending.length - 1) / 2;
  const [low, high] = [ascending[Math.floor(middle)], ascending[Math.ceil(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

const isDate = /^\d{4}-\d{2}-\d{2}/;

/* Ignores texts that do not start with a date. */
function dateRange(dates: readonly (string | null)[]): DateRange {
  let [from, to]: (string | null)[] = [null, null];
  for (const date of dates) {
    if (date === null || !isDate.test(date)) continue;
    if (from == null || date < from) from = date;
    if (to == null || date > to) to = date;
  }
  return { from: from ?? null, to: to ?? null };
}

function sum<Item>(
  items: readonly Item[],
  termOf: (item: Item) => Parameters<Sum['add']>[0] | null,
): number {
  const total = new Sum();
  for (const item of items) {
    const term = termOf(item);
    if (term !== null) total.add(term);
  }
  return total.value;
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/* Counts the items by key; those without a key do not count. */
function countBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | null | undefined,
): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null && key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/* The order of the rows must not change the order of members. */
function inOrder<Key extends string>(
  keys: readonly Key[],
  counts: ReadonlyMap<Key, number>,
): Partial<Record<Key, number>> {
  return Object.fromEntries(
    keys.flatMap((key) => (counts.has(key) ? [[key, counts.get(key)]] : [])),
  ) as Partial<Record<Key, number>>;
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
