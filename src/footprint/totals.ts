/*
 * Adds up the line items of a footprint. All views show the summary, and its JSON ends
 * `carbon footprint --json`. Shares are 0 to 1, and null without a total.
 */
import { numberOf, Sum, Sums, sumOf } from './decimal.ts';
import { isUncovered } from './factors/choose.ts';
import { type UnitSummary, type UpstreamSummary, unknownTarget } from './factors/figures.ts';
import {
  type Basis,
  bases,
  type Exclusion,
  type Factor,
  type MethodOptions,
  matchWords,
  type NearTermTarget,
  type Provenance,
  reasonWords,
  type Uncovered,
  type UpstreamReading,
  type Warning,
} from './line-item.ts';
import type { SpendGroup, Supplier } from './suppliers/ledger.ts';

/** A group of spend with its result. */
export interface Entry {
  readonly group: SpendGroup;
  /** The spend as the nearest double; null without spend. */
  readonly spend: number | null;
  /** The reading of the upstream factor that applies to its record. */
  readonly reading: UpstreamReading;
  factor: Factor | null;
  /** Spend times factor; null without one of them. */
  emissions: number | null;
  uncovered: Uncovered | null;
  readonly excluded: Exclusion | null;
  warning: string | null;
}

/** What decided the calculation. */
interface Decided {
  readonly provenance: Provenance;
  readonly upstream: UpstreamSummary;
  readonly units: UnitSummary;
  readonly outliers: readonly Warning[];
}

/* An entry with spend that counts. */
type Counted = Entry & { readonly spend: number };

/** The summary of a footprint. */
export type FootprintSummary = Readonly<ReturnType<typeof summarize>>;

/** Summarizes the entries of a footprint. */
export function summarize(entries: readonly Entry[], options: MethodOptions, decided: Decided) {
  const counted = entries.filter(({ excluded }) => excluded === null) as readonly Counted[];
  const covered = counted.filter(hasEmissions);
  const { upstream, units, outliers } = decided;
  const { boundary, maxFactorAge, excludeOutliers } = options;
  const { warnings = [], ...method } = decided.provenance;
  const all = totalsOf(counted);
  const byYear = groupBy(counted, ({ group }) => group.year);
  const years = [...byYear]
    .map(([year, each]) => ({ year, ...(byYear.size === 1 ? all : totalsOf(each)) }))
    .sort((a, b) => (a.year ?? Infinity) - (b.year ?? Infinity));
  const suppliers = groupBy(counted, ({ group }) => group.supplier);
  const records = [...suppliers.values()].map(([first]) => first?.group.record);
  return {
    ...all,
    // Spend of two years is no footprint of a year: each year has its totals.
    emissions: years.length > 1 ? null : all.emissions,
    /** Null unless declared: the service documents no unit. */
    unit: options.unit ?? null,
    boundary,
    /** The totals of each year of spend; `year` is null for spend without a year. */
    years,
    upstream,
    units,
    /** Number of suppliers with an item that counts. */
    suppliers: suppliers.size,
    /** Median number of upstream categories behind items with the basis `own`. */
    upstream_categories: median(
      covered.flatMap(({ factor }) => factor?.inputs.upstream_categories ?? []),
    ),
    alternatives: alternatives(covered),
    sbti_coverage: sbtiCoverage(counted, suppliers, all),
    /** Numbers of items by reason, without reasons that do not occur. */
    uncovered: inOrder(
      reasonWords,
      countBy(counted, ({ uncovered }) => uncovered?.reason),
    ),
    excluded: excludedTotals(entries),
    categories: categories(counted, all.emissions),
    ...largestSuppliers(suppliers, all.emissions),
    year_gaps: yearGaps(covered),
    /** Items by the way in which their record was found; the others have no record. */
    matched_by: inOrder(
      matchWords,
      countBy(counted, ({ group }) => group.matchedBy),
    ),
    /** Suppliers with synthetic figures of the sandbox. */
    synthetic: records.filter((record) => record?.isSynthetic).length,
    warnings: [...warnings, ...outliers],
    method: {
      ...method,
      selection: [...method.selection, ...(excludeOutliers ? ['without outliers'] : [])],
      max_factor_age: maxFactorAge,
      factor_unit: options.factorUnit ?? null,
      /** Earliest and latest retrieval of a record. */
      retrieved: dateRange(counted.map(({ group }) => group.record?.retrievedAt ?? null)),
    },
  };
}

/** Returns a part of a total, from 0 to 1; null if the total allows no share. */
export function shareOf(part: number, total: number | null): number | null {
  const share = total === null ? Number.NaN : part / total;
  return Number.isFinite(share) ? share + 0 : null;
}

/** The totals of items with spend that are not excluded, of all years or of one. */
export type Totals = ReturnType<typeof totalsOf>;

function totalsOf(counted: readonly Counted[]) {
  const { emissions, emissions_by_basis, ...amounts } = amountsOf(counted);
  const estimate = estimateUncovered(counted);
  return {
    emissions,
    emissions_by_basis,
    ...amounts,
    service_share: shareOf(emissions_by_basis.service, emissions),
    industry_share: shareOf(emissions_by_basis.industry, emissions),
    /** Share of the emissions that is covered, with that estimate of the others. */
    completeness:
      estimate === null || emissions === null ? null : shareOf(emissions, emissions + estimate),
    /** Emissions of uncovered spend at the average factor of its category, in no total. */
    uncovered_estimate: estimate,
  };
}

/* Visits each item once: a large footprint does not fit into the caches of a processor. */
function amountsOf(counted: readonly Counted[]) {
  const bases = new Sums<Basis>();
  const scopes1And2 = new Sum();
  const spent = new Sums<string>();
  const covered = new Sums<string>();
  let covered_rows = 0;
  for (const { group, spend, factor, emissions } of counted) {
    spent.add(currencyOf(group), group.spend ?? 0);
    if (factor === null || emissions === null) continue;
    covered.add(currencyOf(group), group.spend ?? 0);
    covered_rows += 1;
    bases.add(factor.basis, emissions);
    if (factor.basis === 'own') scopes1And2.add(spend * factor.scopes1And2);
  }
  /** Sum of all items that are neither uncovered nor excluded; null if there is none. */
  const emissions =
    covered_rows === 0
      ? null
      : numberOf(sumOf(...[...bases.values()].map(({ decimal }) => decimal)));
  const own = bases.total('own');
  /**
   * At least scopes 1 and 2 of the records' own figures, at most all of these figures, because
   * upstream emissions are mostly modelled.
   */
  const supplier_data_share: ShareRange = {
    from: shareOf(scopes1And2.value, emissions),
    to: shareOf(own, emissions),
  };
  const spend: SpendByCurrency = Object.fromEntries(
    sorted(spent).map(([code, { value }]) => [
      code,
      { total: value, covered: covered.total(code) },
    ]),
  );
  return {
    emissions,
    /** Emissions by basis. Those of industry averages have an undocumented boundary. */
    emissions_by_basis: {
      own,
      service: bases.total('service'),
      industry: bases.total('industry'),
    },
    rows: counted.length,
    covered_rows,
    spend,
    supplier_data_share,
  };
}

/** A share that lies between two limits. */
export interface ShareRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Spend by ISO 4217 code; the key is `unknown` where the file has no currency. */
export type SpendByCurrency = Readonly<
  Record<string, { readonly total: number; readonly covered: number }>
>;

const unknownCurrency = 'unknown';

function currencyOf({ currency }: SpendGroup): string {
  return currency ?? unknownCurrency;
}

function totalSpend(entries: readonly Entry[]): Readonly<Record<string, number>> {
  const sums = new Sums<string>();
  for (const { group } of entries) sums.add(currencyOf(group), group.spend ?? 0);
  return Object.fromEntries(sorted(sums).map(([code, { value }]) => [code, value]));
}

function targetOf({ group }: Entry): NearTermTarget {
  return group.record?.target ?? unknownTarget;
}

function hasEmissions({ emissions }: Entry): boolean {
  return emissions !== null;
}

/* Uncovered spend at the average factor of its category and currency, otherwise of its currency. */
function estimateUncovered(counted: readonly Counted[]): number | null {
  if (counted.every(hasEmissions)) return 0;
  const spent = new Sums<string>();
  const emitted = new Sums<string>();
  const keysOf = ({ group: { currency, category } }: Counted) =>
    [`${currency}\n${category ?? '\n'}`, `${currency}`] as const;
  for (const entry of counted) {
    if (entry.emissions === null || entry.group.spend === null) continue;
    for (const key of keysOf(entry)) {
      spent.add(key, entry.group.spend);
      emitted.add(key, entry.emissions);
    }
  }
  const averages = new Map(
    [...spent].flatMap(([key, { value }]) =>
      value > 0 ? [[key, emitted.total(key) / value] as const] : [],
    ),
  );
  const estimate = new Sum();
  for (const entry of counted) {
    if (hasEmissions(entry)) continue;
    const [ofCategory, ofCurrency] = keysOf(entry);
    const average = averages.get(ofCategory) ?? averages.get(ofCurrency);
    if (average === undefined) return null;
    estimate.add(entry.spend * average);
  }
  return estimate.value;
}

/* The total of all years with other choices of the method, where a record allows them. */
function alternatives(covered: readonly Counted[]) {
  const total = new Sum();
  const choices = [
    'service factors',
    'industry averages',
    'scope 2 location-based',
    'upstream factor additive',
    'upstream factor nested',
  ].map((choice) => ({ choice, change: new Sum(), rows: 0 }));
  for (const { group, spend, factor, emissions, reading } of covered) {
    total.add(emissions ?? 0);
    if (group.choice === undefined) continue;
    const { additive, nested, others } = group.choice;
    const values = [
      others[reading],
      others.industry,
      others.location,
      isUncovered(additive) ? null : additive.value,
      isUncovered(nested) ? null : nested.value,
    ];
    for (const [index, alternative] of choices.entries()) {
      const value = values[index] ?? null;
      if (value === null || value === factor?.value) continue;
      alternative.change.add(spend * value);
      alternative.change.add(-(emissions ?? 0));
      alternative.rows += 1;
    }
  }
  return choices.flatMap(({ choice, change, rows }) =>
    rows === 0 ? [] : [{ choice, emissions: numberOf(sumOf(total.decimal, change.decimal)), rows }],
  );
}

/* Coverage by suppliers with near-term targets; only those with the status `set` count. */
function sbtiCoverage(
  counted: readonly Counted[],
  suppliers: ReadonlyMap<Supplier, readonly Counted[]>,
  { emissions, spend }: Totals,
) {
  const emitted = new Sums<NearTermTarget['status']>();
  const spent = new Sums<NearTermTarget['status']>();
  for (const entry of counted) {
    const { status } = targetOf(entry);
    emitted.add(status, entry.emissions ?? 0);
    spent.add(status, entry.group.spend ?? 0);
  }
  const [currency = unknownCurrency, ...otherCurrencies] = Object.keys(spend);
  const hasOneCurrency = currency !== unknownCurrency && otherCurrencies.length === 0;
  const total = hasOneCurrency ? (spend[currency]?.total ?? null) : null;
  const shares = (status: NearTermTarget['status']) => ({
    by_emissions: shareOf(emitted.total(status), emissions),
    /** Null unless all spend is in one currency. */
    by_spend: total === null ? null : shareOf(spent.total(status), total),
  });
  // A supplier has the status in the record of its first item that has one.
  const targets = [...suppliers.values()].map(
    (entries) => entries.map(targetOf).find(({ status }) => status !== null) ?? unknownTarget,
  );
  const byStatus = groupBy(targets, ({ status }) => status);
  const numberOfStatus = (status: NearTermTarget['status']) => byStatus.get(status)?.length ?? 0;
  const wordings = countBy(byStatus.get('other') ?? [], ({ wording }) => wording ?? '');
  return {
    ...shares('set'),
    /** Numbers of suppliers by status; `other` has an unknown wording, `unknown` no data. */
    set: numberOfStatus('set'),
    committed: numberOfStatus('committed'),
    removed: numberOfStatus('removed'),
    none: numberOfStatus('none'),
    other: numberOfStatus('other'),
    unknown: numberOfStatus(null),
    other_wordings: Object.fromEntries(sorted(wordings)),
    committed_share: shares('committed'),
    removed_share: shares('removed'),
    // When the status was retrieved, otherwise when SBTi recorded it.
    evidence: dateRange(targets.map(({ retrieved_at, created_at }) => retrieved_at ?? created_at)),
  };
}

function excludedTotals(entries: readonly Entry[]) {
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
function categories(counted: readonly Counted[], total: number | null) {
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

const maxLargest = 20;

/*
 * The largest suppliers by emissions, and how many account for 80 %. Equal ones are in the order of
 * ID and name, whatever the order of the rows.
 */
function largestSuppliers(
  suppliers: ReadonlyMap<Supplier, readonly Counted[]>,
  total: number | null,
) {
  const identity = ({ id, name }: Supplier) =>
    `${String(id ?? '').padStart(20, '0')} ${name ?? ''}`;
  const ranked = [...suppliers]
    .filter(([, entries]) => entries.some(hasEmissions))
    .map(([supplier, entries]) => ({
      supplier,
      entries,
      emissions: sum(entries, ({ emissions }) => emissions),
    }))
    .sort(
      (a, b) => b.emissions - a.emissions || (identity(a.supplier) < identity(b.supplier) ? -1 : 1),
    );
  const cumulative = new Sum();
  const sums: number[] = [];
  let few = 0;
  for (const [index, { emissions }] of ranked.entries()) {
    if (few > 0 && index >= maxLargest) break;
    cumulative.add(emissions);
    sums.push(cumulative.value);
    if (few === 0 && total !== null && cumulative.value >= 0.8 * total) few = index + 1;
  }
  return {
    largest: ranked.slice(0, maxLargest).map(({ supplier, emissions, entries }, index) => {
      const [most] = entries.filter(hasEmissions).sort(compareEntries);
      const targets = entries.filter(hasEmissions).map((entry) => targetOf(entry).status);
      return {
        supplier: supplier.name,
        id: supplier.id,
        emissions,
        share: shareOf(emissions, total) ?? 0,
        /** Share of this supplier and all larger ones. */
        cumulative_share: shareOf(sums[index] ?? 0, total) ?? 0,
        spend: totalSpend(entries),
        /** Those of the supplier's largest item. */
        basis: most?.factor?.basis ?? null,
        factor: most?.factor?.value ?? null,
        factor_year: most?.factor?.year ?? null,
        sbti_near_term: targets.find((status) => status !== null) ?? null,
      };
    }),
    suppliers_for_80_percent: few === 0 || (total ?? 0) <= 0 ? null : few,
  };
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

/*
 * Covered items by the difference between the years of spend and factor, such as `0`, `1`, `-2`
 * (negative: the factor is later); `unknown` without a year.
 */
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

/** The earliest and the latest of dates, ISO 8601; null without one. */
export type DateRange = ReturnType<typeof dateRange>;

/* Ignores texts that do not start with a date. Most dates are equal to one of the two. */
function dateRange(dates: readonly (string | null)[]) {
  let [from, to]: (string | null)[] = [null, null];
  for (const date of dates) {
    if (date === null || date === from || date === to || !isDate.test(date)) continue;
    if (from == null || date < from) from = date;
    if (to == null || date > to) to = date;
  }
  return { from: from ?? null, to: to ?? null };
}

function sum<Item>(items: readonly Item[], termOf: (item: Item) => number | null): number {
  const total = new Sum();
  for (const item of items) total.add(termOf(item) ?? 0);
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
  words: Readonly<Record<Key, string>>,
  counts: ReadonlyMap<Key, number>,
): Partial<Record<Key, number>> {
  const keys = Object.keys(words) as Key[];
  const known = keys.filter((key) => counts.has(key)).map((key) => [key, counts.get(key)]);
  return Object.fromEntries(known) as Partial<Record<Key, number>>;
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
