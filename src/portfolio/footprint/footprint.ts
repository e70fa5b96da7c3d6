/* Calculates the line items and the summary of a footprint from spend with factors. */
import { figure } from '../../display/terminal/figure.ts';
import { listing, plural } from '../../display/terminal/format.ts';
import { isAboutMatch } from '../checks/check-records.ts';
import { numberOf, plus, zero } from './decimal.ts';
import { type FootprintEntry, groupBy, shareOf } from './entries.ts';
import { isUncovered, readingMatters } from './factors/choose.ts';
import { checkUnits, countReadings, decideReading, type ReadingResult } from './factors/figures.ts';
import {
  type Boundary,
  doubtOf,
  type Factor,
  type MethodOptions,
  type Provenance,
  type Uncovered,
  type UpstreamReading,
  upstreamReadings,
} from './line-item.ts';
import { askedCategories } from './missing-figures.ts';
import type { SpendGroup } from './supplier-groups.ts';
import type { MatchedSpend, SpendOfYears } from './suppliers.ts';
import { summarizeFootprint } from './totals.ts';

/**
 * Calculates a footprint. The emissions of an item are its spend as a double times the factor;
 * totals are exact sums of items, so that the order of the rows changes no digit.
 *
 * @throws UsageError if an item needs the reading of the upstream factor and nothing decides it,
 * and if the units of factors and emissions differ
 */
export function calculateFootprint(
  spend: MatchedSpend,
  options: MethodOptions,
  provenance: Provenance,
) {
  const { groups } = spend;
  const { entries, upstream } = entriesOf(spend, options, (reading) => {
    const read = { ...options, upstreamFactor: reading };
    const { years } = calculateFootprint(spend, read, provenance).summary;
    const [{ emissions = null } = {}, ...others] = years;
    return {
      text: years.map(emissionsOfYear).join(', '),
      emissions: others.length === 0 ? emissions : null,
    };
  });
  // Where the records do not decide, so that the other reading is a choice, too.
  const other =
    upstream.decided_by === 'option' &&
    upstreamReadings.find((reading) => reading !== upstream.reading);
  const reread = other && {
    reading: other,
    entries: entries.map((entry) => {
      const { group, excluded } = entry;
      const isNegative = excluded === 'negative_net_spend';
      return isReadEitherWay(group) ? entryOf(group, other, isNegative) : entry;
    }),
  };
  const bought = [...new Set(groups.map(({ record }) => record))].filter(
    (record) => record !== undefined,
  );
  const organizations = new Set(bought.map(({ organization }) => organization)).size;
  const summary = summarizeFootprint(entries, options, provenance, {
    ...upstream,
    reread: reread || undefined,
    /** The records of the suppliers bought from, of all records that decide. */
    of_suppliers: { ...countReadings(bought), organizations },
  });
  const totals = new Map(summary.years.map(({ year, emissions }) => [year, emissions]));
  return {
    summary,
    entries,
    /**
     * Yields the line items in the order of the first lines of their suppliers.
     * @param wordsOf returns what a warning calls a rule; by default its name
     */
    *items(wordsOf?: (rule: string) => string): Generator<LineItem> {
      for (const entry of entries)
        yield itemOf(entry, options, totals.get(entry.group.year) ?? null, wordsOf);
    },
  };
}

/* Checks whether the reading of the upstream factor matters, and its record does not show it. */
function isReadEitherWay({ record, choice }: SpendGroup): boolean {
  return record?.upstream === undefined && readingMatters(choice);
}

/**
 * Calculates the emissions of each group.
 * @param describe says what a reading of the upstream factor leads to
 * @throws UsageError as `calculateFootprint` does
 */
export function entriesOf(
  { groups, evidence }: SpendOfYears,
  { upstreamFactor }: MethodOptions,
  describe: (reading: UpstreamReading) => ReadingResult = () => ({ text: '', emissions: null }),
) {
  checkUnits(evidence);
  const items = groups.filter(isReadEitherWay).length;
  const upstream = decideReading(evidence, upstreamFactor, items, describe);
  const negative = negativeSpend(groups);
  const entries = groups.map((group) =>
    // What a record itself shows applies to it, whatever the others show.
    entryOf(group, group.record?.upstream ?? upstream.reading ?? 'additive', negative.has(group)),
  );
  return { entries, upstream };
}

function emissionsOfYear({
  year,
  emissions,
}: {
  readonly year: number | null;
  readonly emissions: number | null;
}): string {
  const amount = emissions === null ? 'nothing' : figure(emissions).compact;
  return `emissions ${amount}${year === null ? '' : ` in ${year}`}`;
}

function entryOf(group: SpendGroup, reading: UpstreamReading, isNegative: boolean): FootprintEntry {
  const spend = numberOf(group.spend);
  const choice = group.choice[reading];
  const doubt = isUncovered(choice) ? choice : doubtAbout(group, choice);
  const factor = isUncovered(choice) || doubt !== undefined ? null : choice;
  // Any factor yields no emissions of a spend of 0.
  const hasNothing = factor === null && spend === 0;
  return {
    group,
    spend,
    reading,
    factor,
    emissions: factor === null ? null : spend * factor.value + 0,
    uncovered: hasNothing ? null : (doubt ?? null),
    excluded: isNegative ? 'negative_net_spend' : hasNothing ? 'no_spend' : null,
  };
}

/* An error about figures concerns the year that the factor is from, and no industry average. */
function doubtAbout({ findings }: SpendGroup, { basis, year }: Factor): Uncovered | undefined {
  for (const { rule, severity, evidence, ...finding } of findings) {
    const reason = severity === 'error' ? doubtOf(rule) : undefined;
    if (reason === undefined) continue;
    if (isAboutMatch(rule) || (basis !== 'industry' && finding.year === year))
      return { reason, detail: evidence };
  }
  return undefined;
}

/*
 * Finds the groups of suppliers whose net spend in a currency and year is negative, such as after
 * credit notes for an earlier year.
 */
function negativeSpend(groups: readonly SpendGroup[]): ReadonlySet<SpendGroup> {
  const found = new Set<SpendGroup>();
  const credits = groups.filter(({ spend }) => spend.units < 0n);
  const credited = new Set(credits.map(({ member }) => member));
  const ofCredited = groups.filter(({ member }) => credited.has(member));
  for (const ofSupplier of groupBy(ofCredited, ({ member }) => member).values()) {
    for (const same of groupBy(ofSupplier, (group) => `${group.currency} ${group.year}`).values()) {
      const net = same.reduce((sum, { spend }) => plus(sum, spend), zero);
      if (net.units < 0n) for (const group of same) found.add(group);
    }
  }
  return found;
}

/**
 * A line item: what was spent with one supplier in one currency, year and category, and everything
 * that its emissions were calculated from. Its JSON is a line of `carbon footprint --json`;
 * `lineItemColumns` describes its members.
 */
export type LineItem = Readonly<ReturnType<typeof itemOf>>;

function itemOf(
  entry: FootprintEntry,
  { boundary }: MethodOptions,
  total: number | null,
  wordsOf?: (rule: string) => string,
) {
  const { factor, emissions, excluded } = entry;
  const item = bareItemOf(entry, wordsOf);
  if (factor !== null) item.boundary = factor.basis === 'industry' ? 'undocumented' : boundary;
  if (emissions !== null && excluded === null) item.share = shareOf(emissions, total);
  return item;
}

/**
 * Returns the line item of an entry, without the boundary and the share, which depend on more than
 * the entry. They are null: an item spread into another one would have a hidden class of its own.
 */
export function bareItemOf(entry: FootprintEntry, wordsOf?: (rule: string) => string) {
  const { group, spend, factor, emissions, uncovered, excluded } = entry;
  const { member, record, findings } = group;
  return {
    lines: group.lines,
    supplier: group.name,
    id: member.id,
    name: record?.name ?? null,
    matched_by: group.matchedBy,
    currency: group.currency,
    spend,
    spend_year: group.year,
    category: group.category,
    boundary: null as Boundary | 'undocumented' | null,
    basis: factor?.basis ?? null,
    reason: factor?.lack?.reason ?? null,
    reason_detail: factor?.lack?.detail ?? null,
    factor: factor?.value ?? null,
    factor_year: factor?.year ?? null,
    factor_region: factor?.region ?? null,
    upstream_factor: factor?.upstream ?? null,
    inputs: factor?.inputs ?? null,
    emissions,
    share: null as number | null,
    sbti_near_term: group.target,
    retrieved_at: record?.retrievedAt ?? null,
    synthetic: record?.isSynthetic ?? false,
    warning: findings.length === 0 ? null : warningOf(findings, wordsOf),
    uncovered: uncovered?.reason ?? null,
    uncovered_detail: uncovered?.detail ?? null,
    excluded,
    hq_region: member.country ?? record?.hqRegion ?? null,
    matched_id: record?.matched?.id ?? null,
    industry: factor?.lack?.industry ?? null,
    missing_categories: askedCategories(factor?.lack ?? uncovered),
  };
}

/*
 * Several findings of a rule are told apart by their years. People read only the latest, because
 * the others differ in their numbers alone.
 */
function warningOf(
  findings: SpendGroup['findings'],
  wordsOf?: (rule: string) => string,
): string | null {
  const texts = findings.flatMap(({ rule, evidence, year }) => {
    const all = findings.filter((each) => each.rule === rule);
    const text = `${wordsOf?.(rule) ?? rule}: ${all.length === 1 || year === null ? '' : `${year}: `}${evidence}`;
    if (wordsOf === undefined || year === null) return text;
    const years = [...new Set(all.flatMap((each) => each.year ?? []))].sort();
    if (year !== years.pop()) return [];
    return years.length === 0 ? text : `${text} (and in ${someYears(years)})`;
  });
  return texts.join('; ') || null;
}

const maxYears = 3;

function someYears(years: readonly number[]): string {
  return years.length > maxYears ? plural(years.length, 'earlier year') : listing(years);
}
