/*
 * Adds up the line items of a footprint. All views show the summary, and its JSON ends
 * `carbon footprint --json`. Shares are 0 to 1, and null without a total.
 */
import { dayAt } from '../../runtime/clock.ts';
import { isOffBenchmark } from '../checks/figure-warnings.ts';
import type { Finding } from '../checks/findings.ts';
import { ExactSum, totalOf } from '../organizations/sum.ts';
import { isOldLookup } from '../organizations/targets.ts';
import { datesOf } from '../records/dates.ts';
import {
  byCurrency,
  bySupplier,
  type Covered,
  emissionsOf,
  type FootprintEntry,
  groupBy,
  hasSynthetic,
  isCovered,
  recordIn,
  type SupplierEntries,
  shareOf,
  spendOf,
  tallyBy,
  unknownCurrency,
} from './entries.ts';
import type { UpstreamSummary } from './factors/figures.ts';
import {
  type Basis,
  bases,
  exclusionWords,
  type MethodOptions,
  matchWords,
  type Provenance,
  reasonWords,
  type UpstreamReading,
} from './line-item.ts';
import { lackName } from './missing-figures.ts';
import {
  concentration,
  largestName,
  largestNames,
  largestSuppliers,
  leftOut,
  scope2Methods,
  scope2Shares,
  suppliersOnAverages,
  uncoveredSuppliers,
} from './named-suppliers.ts';
import { implausibleKilograms, kilogramsPerSpend } from './plausible-unit.ts';
import type { Trend } from './trend.ts';

export type FootprintSummary = Readonly<ReturnType<typeof summarizeFootprint>>;

export function summarizeFootprint(
  entries: readonly FootprintEntry[],
  options: MethodOptions,
  { warnings = [], calculated_at: now, as_of: at, list, ...method }: Provenance,
  { reread, ...upstream }: UpstreamSummary & { readonly reread?: Reread | undefined },
) {
  const counted = entries.filter(({ excluded }) => excluded === null);
  const covered = counted.filter(isCovered);
  const years = yearsOf(entries);
  const [only, ...others] = years;
  const isOne = only !== undefined && others.length === 0;
  const { year: _, ...all } = isOne ? only : { year: null, ...totalsOf(counted) };
  const suppliers = bySupplier(counted);
  const perSpend = kilogramsPerSpend(covered, options);
  return {
    ...all,
    // Spend of two years is no footprint of a year: each year has its total.
    emissions: years.length > 1 ? null : all.emissions,
    /** Null unless declared: the service documents no unit. */
    unit: options.unit ?? null,
    boundary: options.boundary,
    /** The totals of each year of spend; `year` is null for spend without a year. */
    years,
    /** The totals of the year before the one that is chosen, if the file has one. */
    previous: null as (typeof years)[number] | null,
    /** The change of the last two years without changes of data; null if it is unknown. */
    trend: null as Trend | null,
    upstream,
    /** Numbers of suppliers with an item that counts, and with emissions. */
    suppliers: suppliers.length,
    covered_suppliers: suppliers.filter((each) => each.isCovered).length,
    /** Number of items whose record has several regions in the year of the factor. */
    several_regions: covered.filter(({ factor }) => factor.regions > 1).length,
    /** The years of the figures behind the factors by basis, with one of their suppliers. */
    factor_years: factorYears(covered),
    /** Kilograms per unit of spend by currency, where the declared unit makes it too many. */
    implausible_kg_per_spend: implausibleKilograms(perSpend),
    /** The same of all these currencies, plausible or not. */
    kg_per_spend: perSpend,
    alternatives: [...alternatives(covered), ...(reread ? [otherReading(entries, reread)] : [])],
    /** Numbers of suppliers by the method of scope 2, if their own figures are used. */
    scope_2_methods: scope2Methods(suppliers),
    /** The shares of the emissions from own figures with these methods. */
    scope_2_shares: scope2Shares(counted),
    sbti_coverage: {
      ...sbtiCoverage(counted, suppliers, all),
      lookups: lookupsOf(suppliers, at ?? dayAt(now), all),
    },
    /** Errors and warnings of `carbon check` behind the emissions, by rule. */
    checks: checks(covered, all.emissions),
    /** Suppliers whose factor is far from the average of their industry, by their emissions. */
    off_benchmark: offBenchmark(covered, options, all.emissions),
    /** Numbers of items by reason, without reasons that do not occur. */
    uncovered: tallyBy(reasonWords, counted, ({ uncovered }) => uncovered?.reason),
    /** The suppliers of these items by reason, the largest share of a currency's spend first. */
    uncovered_suppliers: uncoveredSuppliers(counted, all),
    /** Numbers of items that count in no total, by reason. */
    excluded: tallyBy(exclusionWords, entries, ({ excluded }) => excluded),
    /** Why factors are industry averages, and what is missing, by emissions. */
    industry_reasons: industryReasons(covered, all.emissions),
    /** The suppliers with emissions by industry averages, to ask for figures of their own. */
    on_averages: suppliersOnAverages(counted, all.emissions, list),
    categories: categories(counted, all.emissions),
    largest: largestSuppliers(suppliers, all.emissions),
    /**
     * How many of the largest suppliers make up two thirds of the emissions; null without a total
     * of one year, and if a supplier's emissions are negative.
     */
    two_thirds: years.length > 1 ? null : concentration(suppliers),
    /** Suppliers with an item whose record has an error of `carbon check`. */
    left_out: leftOut(counted),
    /** Items by the way in which their record was found; the others have no record. */
    matched_by: tallyBy(matchWords, counted, ({ group }) => group.matchedBy),
    /** Suppliers with synthetic figures of the sandbox. */
    synthetic: suppliers.filter((each) => hasSynthetic(each.entries)).length,
    /** Suppliers with other data. */
    not_synthetic: suppliers.filter((each) =>
      each.entries.some(({ group }) => group.record?.hasRealData),
    ).length,
    warnings,
    ...datesOf(
      counted.map(({ group }) => group.record?.retrievedAt),
      now,
      at,
    ),
    method: { ...method, max_factor_age: options.maxFactorAge },
  };
}

/** Adds up the items of each year that are not excluded; those without a year come last. */
export function yearsOf(entries: readonly FootprintEntry[]) {
  const counted = entries.filter(({ excluded }) => excluded === null);
  return [...groupBy(counted, ({ group }) => group.year)]
    .map(([year, each]) => ({ year, ...totalsOf(each) }))
    .sort((a, b) => (a.year ?? Infinity) - (b.year ?? Infinity));
}

/** The totals of items that are not excluded. */
export type Totals = ReturnType<typeof totalsOf>;

function totalsOf(counted: readonly FootprintEntry[]) {
  const [sum, scopes1And2] = [new ExactSum(), new ExactSum()];
  const byBasis = { own: new ExactSum(), service: new ExactSum(), industry: new ExactSum() };
  let coveredCount = 0;
  for (const entry of counted) {
    if (!isCovered(entry)) continue;
    const { emissions: amount, factor, spend } = entry;
    coveredCount += 1;
    sum.add(amount);
    byBasis[factor.basis].add(amount);
    scopes1And2.add(spend * factor.scopes1And2);
  }
  /** Sum of all items that are neither uncovered nor excluded; null if there is none. */
  const emissions = coveredCount === 0 ? null : sum.value;
  const own = byBasis.own.value;
  return {
    emissions,
    /** Emissions by basis. Those of industry averages have an undocumented boundary. */
    emissions_by_basis: {
      own,
      service: byBasis.service.value,
      industry: byBasis.industry.value,
    },
    line_items: counted.length,
    covered_line_items: coveredCount,
    /** Spend by ISO 4217 code; the key is `unknown` where the file has no currency. */
    spend: byCurrency(counted, (entries) => ({
      total: spendOf(entries),
      covered: spendOf(entries.filter(isCovered)),
    })),
    /**
     * At least scopes 1 and 2 of the records' own figures, at most all of these figures, because
     * upstream emissions are usually modeled.
     */
    supplier_data_share: {
      from: shareOf(scopes1And2.value, emissions),
      to: shareOf(own, emissions),
    },
  };
}

/* Without bases whose factors name no year. */
function factorYears(covered: readonly Covered[]) {
  return bases.flatMap((basis) => {
    const suppliersOf = new Map<number, Set<FootprintEntry['group']['supplier']>>();
    for (const { factor, group } of covered) {
      if (factor.basis !== basis || factor.year === null) continue;
      const suppliers = suppliersOf.get(factor.year) ?? new Set();
      suppliersOf.set(factor.year, suppliers.add(group.supplier));
    }
    const years = [...suppliersOf]
      .sort(([a], [b]) => a - b)
      .map(([year, suppliers]) => {
        const [{ name, id } = { name: null, id: null }] = suppliers;
        return { year, suppliers: suppliers.size, supplier: name, id };
      });
    const [from, to] = [years[0]?.year, years.at(-1)?.year];
    return from === undefined || to === undefined ? [] : [{ basis, from, to, years }];
  });
}

/** The entries with the upstream factor read the other way, in their order. */
interface Reread {
  readonly reading: UpstreamReading;
  readonly entries: readonly FootprintEntry[];
}

/* The total with the other reading, under which other items may have a factor. */
function otherReading(entries: readonly FootprintEntry[], { reading, entries: others }: Reread) {
  const [sum, replaced, found] = [new ExactSum(), new ExactSum(), new Set<Basis>()];
  let changed = 0;
  for (const [at, other] of others.entries()) {
    const entry = entries[at] ?? other;
    const [before, after] = [entry, other].map(countedEmissions);
    sum.add(after ?? 0);
    if (before === after) continue;
    changed += 1;
    replaced.add(before ?? 0);
    if (isCovered(entry)) found.add(entry.factor.basis);
  }
  return {
    choice: `upstream factors ${reading}`,
    emissions: sum.value,
    line_items: changed,
    replaced_emissions: replaced.value,
    replaced_bases: bases.filter((basis) => found.has(basis)),
  };
}

function countedEmissions({ emissions, excluded }: FootprintEntry): number {
  return excluded === null ? (emissions ?? 0) : 0;
}

/* The total of all years with other choices of the method, where a record allows them. */
function alternatives(covered: readonly Covered[]) {
  const choice = (name: string) => ({
    choice: name,
    sum: new ExactSum(),
    line_items: 0,
    replaced: new ExactSum(),
    found: new Set<Basis>(),
  });
  const service = choice('service factors');
  const industry = choice('industry averages');
  const location = choice('scope 2 location-based');
  // Reaching the objects of 100,000 items takes longer than adding up, so it is done once for all.
  for (const { group, reading, spend, factor, emissions } of covered) {
    const { others } = group.choice;
    const add = (to: ReturnType<typeof choice>, value = factor.value) => {
      to.sum.add(spend * value);
      if (value === factor.value) return;
      to.line_items += 1;
      to.replaced.add(emissions);
      to.found.add(factor.basis);
    };
    add(service, others[reading] ?? undefined);
    add(industry, others.industry ?? undefined);
    add(location, others.location ?? undefined);
  }
  return [service, industry, location].flatMap(
    ({ choice: name, sum, line_items, replaced, found }) =>
      line_items === 0
        ? []
        : [
            {
              choice: name,
              emissions: sum.value,
              /** The items that change, their emissions in the total, and the bases of these. */
              line_items,
              replaced_emissions: replaced.value,
              replaced_bases: bases.filter((basis) => found.has(basis)),
            },
          ],
  );
}

/** Other wordings of a status are `other`, and missing data `unknown`. */
export const coverageStatuses = [
  'set',
  'committed',
  'removed',
  'none',
  'other',
  'unknown',
] as const;
export type TargetStatus = (typeof coverageStatuses)[number];

export function targetStatusOf(target: string | null) {
  if (target === null) return 'unknown';
  return coverageStatuses.find((each) => each === target) ?? 'other';
}

/* Coverage by suppliers with near-term targets; only those with the status `set` count. */
function sbtiCoverage(
  counted: readonly FootprintEntry[],
  suppliers: readonly SupplierEntries[],
  { emissions, spend }: Totals,
) {
  const byStatus = groupBy(counted, ({ group }) => targetStatusOf(group.target));
  const texts = new Map<string, number>();
  const supplierStatuses = groupBy(suppliers, ({ entries: [first] }) => {
    const target = first?.group.target ?? null;
    const status = targetStatusOf(target);
    if (status === 'other' && target !== null) texts.set(target, (texts.get(target) ?? 0) + 1);
    return status;
  });
  const [currency = unknownCurrency, ...otherCurrencies] = Object.keys(spend);
  const hasOneCurrency = currency !== unknownCurrency && otherCurrencies.length === 0;
  const total = hasOneCurrency ? (spend[currency]?.total ?? null) : null;
  const rowOf = (status: (typeof coverageStatuses)[number]) => {
    const entries = byStatus.get(status) ?? [];
    const ofStatus = supplierStatuses.get(status) ?? [];
    return {
      status,
      suppliers: ofStatus.length,
      /** Those in the share of the emissions. */
      covered_suppliers: ofStatus.filter((each) => each.isCovered).length,
      /** Those with the largest emissions. */
      largest: largestNames(ofStatus),
      by_emissions: shareOf(emissionsOf(entries), emissions),
      /** Null unless all spend is in one currency. */
      by_spend: total === null ? null : shareOf(spendOf(entries), total),
    };
  };
  const set = rowOf('set');
  const targets = coverageStatuses.map((status) => (status === 'set' ? set : rowOf(status)));
  return {
    ...set,
    targets: targets.filter(({ suppliers: some }) => some > 0),
    /** The texts of other statuses as received, with their numbers of suppliers. */
    other: [...texts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([status, number]) => ({ status, suppliers: number })),
  };
}

/* The suppliers with emissions by when SBTi was looked up, of those with a day. */
function lookupsOf(
  suppliers: readonly SupplierEntries[],
  today: string,
  { emissions }: Pick<Totals, 'emissions'>,
) {
  const known = suppliers.flatMap((each) => {
    const day = recordIn(each.entries)?.lookedUp;
    return each.isCovered && day && !Number.isNaN(Date.parse(day)) ? [{ ...each, day }] : [];
  });
  const days = known.map(({ day }) => day);
  const { records_from: from, records_to: to } = datesOf(days, 0);
  const old = known.filter(({ day }) => isOldLookup(day, today));
  const entries = old.flatMap((each) => each.entries);
  return {
    from,
    to,
    suppliers: known.length,
    /** Those looked up more than six months ago. */
    old: old.length,
    old_share: old.length === 0 ? null : shareOf(emissionsOf(entries), emissions),
  };
}

/* Errors first, then by the share of the emissions that they carry. */
function checks(covered: readonly Covered[], total: number | null) {
  const found = covered
    .filter(({ group }) => group.findings.length > 0)
    .flatMap((entry) => entry.group.findings.map((finding) => ({ entry, finding })));
  return [...groupBy(found, ({ finding }) => finding.rule).values()]
    .flatMap((all) => {
      const [first] = all;
      if (first === undefined) return [];
      const { rule, severity, name, id, evidence } = first.finding;
      const entries = [...new Set(all.map(({ entry }) => entry))];
      const suppliers = new Set(entries.map(({ group }) => group.supplier)).size;
      const example = `${name ?? `ID ${id}`}: ${evidence}`;
      const share = shareOf(emissionsOf(entries), total);
      return { rule, severity, suppliers, share, example, effect: effectOf(all) };
    })
    .sort(
      (a, b) =>
        Number(a.severity !== 'error') - Number(b.severity !== 'error') ||
        (b.share ?? 0) - (a.share ?? 0),
    );
}

interface Found {
  readonly entry: Covered;
  readonly finding: Finding;
}

/*
 * What the other one of two figures for scopes 1 and 2 would change; null for other rules, and if
 * no factor is from the year of these figures.
 */
function effectOf(found: readonly Found[]): number | null {
  const effects = found.flatMap(({ entry: { spend, factor }, finding }) => {
    const { rule, year, value: other, limit: used } = finding;
    const isUsed = rule === 'joint' && factor.basis === 'own' && factor.year === year;
    if (!isUsed || typeof other !== 'number' || typeof used !== 'number' || used === 0) return [];
    return spend * factor.scopes1And2 * (other / used - 1);
  });
  return effects.length === 0 ? null : totalOf(effects);
}

/*
 * Compares each factor of a supplier with the average of its industry in the same currency. One of
 * scopes 1 and 2 only can be too large, but not too small.
 */
function offBenchmark(
  covered: readonly Covered[],
  { boundary }: MethodOptions,
  total: number | null,
) {
  const far = covered.filter(({ factor: { basis, value }, group: { choice } }) => {
    if (basis === 'industry' || choice.average === null || value === 0) return false;
    const isPart = boundary === 'scope-1-2' && value < choice.average;
    return !isPart && isOffBenchmark(value, choice.average);
  });
  return [...groupBy(far, ({ group }) => group.supplier)]
    .map(([{ name, id }, entries]) => {
      const [first] = entries.toSorted((a, b) => b.emissions - a.emissions);
      return {
        supplier: name,
        id,
        /** That of the largest of these items, and the average it is compared with. */
        factor: first?.factor.value ?? null,
        industry_average: first?.group.choice.average ?? null,
        currency: first?.group.currency ?? null,
        emissions: emissionsOf(entries),
        share: shareOf(emissionsOf(entries), total),
      };
    })
    .sort((a, b) => b.emissions - a.emissions);
}

/*
 * The largest emissions first; items without a category come last. If one is negative, such as
 * after credit notes, the others are more than the total, so that none has a share.
 */
function categories(counted: readonly FootprintEntry[], total: number | null) {
  const all = [...groupBy(counted, ({ group }) => group.category)].map(([category, entries]) => {
    const { emissions, emissions_by_basis: _, ...totals } = totalsOf(entries);
    return { category, emissions: emissions ?? 0, totals };
  });
  const whole = all.some(({ emissions }) => emissions < 0) ? null : total;
  return all
    .map(({ category, emissions, totals }) => {
      return { category, emissions, share: shareOf(emissions, whole), ...totals };
    })
    .sort(
      (a, b) =>
        Number(a.category === null) - Number(b.category === null) ||
        b.emissions - a.emissions ||
        ((a.category ?? '') < (b.category ?? '') ? -1 : 1),
    );
}

function industryReasons(covered: readonly Covered[], total: number | null) {
  const averages = covered.filter(({ factor }) => factor.lack !== null);
  return [...groupBy(averages, ({ factor }) => factor.lack && lackName(factor.lack)).values()]
    .flatMap((entries) => {
      const { reason, missing } = entries[0]?.factor.lack ?? {};
      if (reason === undefined || missing === undefined) return [];
      const suppliers = bySupplier(entries);
      const emissions = emissionsOf(entries);
      const share = shareOf(emissions, total);
      // The supplier with the largest of these emissions.
      const largest = largestName(suppliers);
      return { reason, missing, suppliers: suppliers.length, emissions, share, ...largest };
    })
    .sort((a, b) => b.emissions - a.emissions || (lackName(a) < lackName(b) ? -1 : 1));
}
