/*
 * Calculates the line items and the summary of a footprint from spend with factors, and names the
 * figures that may be wrong: a revenue of 1 instead of 1,000,000 makes one supplier the entire
 * footprint.
 */
import { addFindings, countsText } from '../checks/findings.ts';
import { figure } from '../terminal/figure.ts';
import { naming } from '../terminal/format.ts';
import { numberOf, Sum, Sums } from './decimal.ts';
import { isUncovered, readingMatters } from './factors/choose.ts';
import { checkUnits, decideReading, fitsUnit, unknownTarget } from './factors/figures.ts';
import type {
  Boundary,
  MethodOptions,
  Provenance,
  Uncovered,
  UpstreamReading,
  Warning,
} from './line-item.ts';
import type { SpendGroup } from './suppliers/ledger.ts';
import type { MatchedSpend } from './suppliers/match.ts';
import { type Entry, type FootprintSummary, shareOf, summarize } from './totals.ts';

/** A calculated footprint. */
export interface Footprint {
  readonly summary: FootprintSummary;
  /**
   * Yields the line items in the order of the first lines of their suppliers: all, or only those
   * without emissions and those that are excluded.
   */
  items(which?: 'all' | 'left out'): Iterable<LineItem>;
}

/**
 * Calculates a footprint. The emissions of an item are its spend as a double times the factor;
 * totals are exact sums of items, so that the order of the rows changes no digit.
 *
 * @throws UsageError if an item needs the reading of the upstream factor and nothing decides it,
 * and if the units of factors and emissions differ
 */
export function calculateFootprint(
  { groups, evidence }: MatchedSpend,
  options: MethodOptions,
  provenance: Provenance,
): Footprint {
  const { boundary, unit, upstreamFactor, excludeOutliers = false } = options;
  const needsReading = groups.some(
    ({ spend, choice, record }) =>
      spend !== null &&
      choice !== undefined &&
      ownReading(record) === undefined &&
      readingMatters(choice),
  );
  const units = checkUnits(evidence, options);
  const upstream = decideReading(evidence, upstreamFactor, needsReading);
  const negative = negativeSpend(groups);
  const entries = groups.map((group) =>
    entryOf(
      group,
      ownReading(group.record) ?? upstream.reading ?? 'additive',
      group.record === undefined || fitsUnit(group.record.evidence),
      negative.has(group),
    ),
  );
  const outliers = findOutliers(entries, unit, excludeOutliers);
  const summary = summarize(entries, options, { provenance, upstream, units, outliers });
  const totals = new Map(summary.years.map(({ year, emissions }) => [year, emissions]));
  return {
    summary,
    *items(which = 'all') {
      for (const entry of entries) {
        if (which === 'left out' && entry.emissions !== null && entry.excluded === null) continue;
        const total = totals.get(entry.group.year) ?? null;
        yield itemOf(entry, boundary, total);
      }
    },
  };
}

/* What a record itself shows applies to it, whatever the others show. */
function ownReading(record: SpendGroup['record']): UpstreamReading | undefined {
  const shown = record?.evidence.upstream;
  return shown === 'additive' || shown === 'nested' ? shown : undefined;
}

function entryOf(
  group: SpendGroup,
  reading: UpstreamReading,
  isFitting: boolean,
  isNegative: boolean,
): Entry {
  const spend = group.spend === null ? null : numberOf(group.spend);
  const choice = group.choice?.[reading] ?? otherUnit;
  const factor = spend === null || isUncovered(choice) || !isFitting ? null : choice;
  // Any factor yields no emissions of a spend of 0.
  const hasNothing = factor === null && !spend;
  const excluded = isNegative ? 'negative_net_spend' : hasNothing ? 'no_spend' : null;
  return {
    group,
    spend,
    reading,
    factor,
    emissions: spend === null || factor === null ? null : spend * factor.value + 0,
    uncovered: factor !== null || hasNothing ? null : isUncovered(choice) ? choice : otherUnit,
    excluded,
    warning: null,
  };
}

const otherUnit: Uncovered = {
  reason: 'other_unit',
  detail: 'its emission factor times revenue is not its emissions',
};

/*
 * Finds the groups of suppliers whose net spend in a currency and year is negative, such as after
 * credit notes for an earlier year.
 */
function negativeSpend(groups: readonly SpendGroup[]): ReadonlySet<SpendGroup> {
  const credits = groups.filter(({ spend }) => spend !== null && spend.units < 0n);
  const found = new Set<SpendGroup>();
  for (const { groups: all } of new Set(credits.map(({ supplier }) => supplier))) {
    const sums = new Sums<string>();
    const keyOf = ({ currency, year }: SpendGroup) => `${currency} ${year}`;
    for (const group of all.values()) if (group.spend) sums.add(keyOf(group), group.spend);
    for (const group of all.values())
      if (group.spend && sums.total(keyOf(group)) < 0) found.add(group);
  }
  return found;
}

/**
 * A line item: what was spent with one supplier in one currency, year and category, and everything
 * that its emissions were calculated from. Its JSON is a line of `carbon footprint --json`;
 * `lineItemColumns` describes its members.
 */
export type LineItem = Readonly<ReturnType<typeof itemOf>>;

function itemOf(entry: Entry, boundary: Boundary, total: number | null) {
  const { group, spend, factor, emissions, uncovered, excluded, warning } = entry;
  const { supplier, record } = group;
  return {
    lines: group.lines,
    supplier: group.name,
    id: supplier.id,
    name: record?.name ?? null,
    matched_by: group.matchedBy,
    currency: group.currency,
    spend,
    spend_year: group.year,
    category: group.category,
    boundary:
      factor === null ? null : factor.basis === 'industry' ? ('undocumented' as const) : boundary,
    basis: factor?.basis ?? null,
    factor: factor?.value ?? null,
    factor_year: factor?.year ?? null,
    factor_region: factor?.region ?? null,
    factor_note: factor?.note ?? null,
    upstream_factor: factor?.upstream ?? null,
    inputs: factor?.inputs ?? null,
    emissions,
    share: emissions === null || excluded !== null ? null : shareOf(emissions, total),
    sbti_near_term: record?.target ?? unknownTarget,
    retrieved_at: record?.retrievedAt ?? null,
    synthetic: record?.isSynthetic ?? false,
    warning,
    uncovered: uncovered?.reason ?? null,
    uncovered_detail: uncovered?.detail ?? null,
    excluded,
  };
}

/* A supplier may differ from its industry by its products; ten times is rare. */
const maxIndustryRatio = 10;
/* A change of more than five times in a year is seldom real. */
const maxYearRatio = 5;
const maxShare = 0.5;
/* In kilograms per unit of a currency near the dollar. */
const [minFactor, maxFactor] = [0.001, 20];
const comparableCurrencies = new Set(['EUR', 'USD', 'GBP', 'CHF']);

type Kind = 'industry' | 'jump' | 'dominant' | 'range';

const texts: Readonly<Record<Kind, string>> = {
  industry: 'Factor far from the average of the industry',
  jump: 'Factor far from that of an earlier year',
  dominant: 'More than half of the emissions in one line item',
  range: 'Factor outside 0.001 to 20 kg per unit of the currency',
};

/**
 * Sets the warning of items that may be wrong.
 *
 * @param isExcluding whether such items become uncovered
 * @returns a warning for each kind, which names the first items
 */
export function findOutliers(
  entries: readonly Entry[],
  unit: 'kg' | 't' | undefined,
  isExcluding: boolean,
): Warning[] {
  const years = new Map<number | null, { sum: Sum; count: number }>();
  const counted = entries.filter(
    ({ emissions, excluded }) => emissions !== null && excluded === null,
  );
  for (const { emissions, group } of counted) {
    const year = years.get(group.year) ?? { sum: new Sum(), count: 0 };
    years.set(group.year, year);
    year.sum.add(emissions ?? 0);
    year.count += 1;
  }
  const totals = new Map(
    [...years].map(([year, { sum, count }]) => [year, count > 1 ? sum.value : 0]),
  );
  const found = new Map<Kind, string[]>();
  for (const entry of counted) {
    const findings = findingsOf(entry, totals.get(entry.group.year) ?? 0, unit);
    if (findings.length === 0) continue;
    entry.warning = findings.map(([, text]) => text).join('; ');
    for (const [kind, text] of findings) {
      const named = found.get(kind) ?? [];
      found.set(kind, named);
      named.push(`${nameOf(entry)}: ${text}`);
    }
    if (!isExcluding || findings.every(([kind]) => kind === 'range')) continue;
    entry.uncovered = { reason: 'outlier', detail: entry.warning };
    entry.factor = null;
    entry.emissions = null;
  }
  const outliers = [...found].map(([kind, items]) => ({
    kind: `outlier_${kind}`,
    text: `${texts[kind]}: ${naming(items)}`,
  }));
  return [...outliers, ...checkWarnings(counted)];
}

/* Sums up what `carbon check` finds in the records behind the emissions. */
function checkWarnings(counted: readonly Entry[]): Warning[] {
  const records = new Set(counted.map(({ group }) => group.record));
  const found = addFindings([...records].flatMap((record) => record?.checks ?? []));
  const worst = found.worst
    .slice(0, 3)
    .map(({ id, name, evidence }) => `${naming([name ?? `ID ${id}`])}: ${evidence}`);
  if (worst.length === 0) return [];
  const text = `carbon check finds ${countsText(found)} in these records, such as ${worst.join('; ')}`;
  return [{ kind: 'checks', text }];
}

function findingsOf(
  { factor, emissions, group }: Entry,
  total: number,
  unit: 'kg' | 't' | undefined,
): (readonly [Kind, string])[] {
  if (factor === null || emissions === null) return [];
  const { value, basis, industry, earlier, year } = factor;
  const found: [Kind, string][] = [];
  const short = (number: number) => figure(number).rounded;
  if (basis !== 'industry' && industry !== null && isFar(value, industry, maxIndustryRatio))
    found.push(['industry', `factor ${short(value)}, average of the industry ${short(industry)}`]);
  if (earlier !== null && isFar(value, earlier.value, maxYearRatio))
    found.push([
      'jump',
      `factor ${short(value)} in ${year}, ${short(earlier.value)} in ${earlier.year}`,
    ]);
  if (emissions > maxShare * total && total > 0)
    found.push(['dominant', `${Math.floor((emissions / total) * 1000) / 10}% of the emissions`]);
  const kilograms = unit === undefined ? undefined : unit === 't' ? value * 1000 : value;
  if (kilograms !== undefined && comparableCurrencies.has(group.currency ?? '')) {
    if (kilograms < minFactor || kilograms > maxFactor)
      found.push(['range', `factor ${short(kilograms)} kg per ${group.currency}`]);
  }
  return found;
}

function isFar(value: number, other: number, ratio: number): boolean {
  return value > other * ratio || value * ratio < other;
}

function nameOf({ group }: Entry): string {
  const { supplier, lines } = group;
  return `${supplier.name ?? `ID ${supplier.id}`} (line ${lines[0]})`;
}
