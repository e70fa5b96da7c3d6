/*
 * Which of an organization's performances count, in which order, and which region stands for a
 * year.
 */
import type { Organization, Performance } from '../../client/api/schema.ts';
import { hasReportedFigure, type Inventory, readEmissions } from './emissions.ts';

const [minYear, maxYear] = [1900, 2200];

/** Checks whether a value is a plausible year of a figure (1900 to 2200). */
export function isYear(year: Performance['year']): year is number {
  return typeof year === 'number' && Number.isInteger(year) && year >= minYear && year <= maxYear;
}

export function isSynthetic(record: Organization): boolean {
  return 'sandbox' in record && record.sandbox === 'synthetic';
}

const findings = ['score', 'industry', 'cdp', 'sbti', 'un', 'climate_pledge'] as const;

/**
 * Checks whether a record has data that is not synthetic. A record without any, such as one of
 * failed research, is neither synthetic nor real.
 */
export function hasRealData(record: Organization): boolean {
  const { performances } = record;
  const hasData = (performances ?? []).length > 0 || findings.some((name) => record[name] != null);
  return hasData && !isSynthetic(record);
}

/** Orders performances or inventories, the latest year first and those without one last. */
export function byYear<Item extends Pick<Performance, 'year'>>(
  all: readonly Item[],
): readonly Item[] {
  const year = (item: Item | undefined) =>
    isYear(item?.year) ? item.year : Number.NEGATIVE_INFINITY;
  // Services send them in this order.
  if (all.every((each, index) => index === 0 || year(all[index - 1]) >= year(each))) return all;
  return all.toSorted((a, b) => (year(a) === year(b) ? 0 : year(b) - year(a)));
}

const globalRegion = /^(?:global|glo|world|worldwide)$/i;

export function performancesByYear({ performances }: Organization): readonly Performance[] {
  return byYear(performances ?? []);
}

/**
 * Returns the place of a region among several of a year; the lowest stands for the organization:
 * the global region, that of its headquarters, or the first one.
 */
export function regionRank(region: string | null | undefined, { hq_region }: Organization): number {
  const name = region?.trim().toLowerCase();
  if (name && globalRegion.test(name)) return 0;
  return name && name === hq_region?.trim().toLowerCase() ? 1 : 2;
}

/** Chooses the performance or inventory that stands for several regions of a year. */
export function preferredRegion<Item extends Pick<Performance, 'region'>>(
  items: readonly Item[],
  record: Organization,
): Item | undefined {
  return items
    .toSorted((a, b) => regionRank(a.region, record) - regionRank(b.region, record))
    .at(0);
}

/**
 * Chooses one row for each year of a record, as `chooseYears` does: a region is a part of another
 * one, so that a sum of both counts it twice. Rows stay in their order.
 */
export function oneRegionEachYear<Row extends { readonly performance: Performance }>(
  record: Organization,
  rows: readonly Row[],
): Row[] {
  const years = new Map<Performance['year'], Row[]>();
  for (const row of rows) {
    const { year } = row.performance;
    years.set(year, [...(years.get(year) ?? []), row]);
  }
  return [...years.values()].flatMap((all) => {
    const reported = all.filter(({ performance: { emissions } }) =>
      hasReportedFigure(readEmissions(emissions)),
    );
    const performances = (reported.length > 0 ? reported : all).map((row) => row.performance);
    const chosen = preferredRegion(performances, record);
    return all.filter(({ performance }) => performance === chosen).slice(0, 1);
  });
}

/** Checks whether a record has emissions in a plausible year. */
export function hasEmissions({ performances }: Organization): boolean {
  for (const { year, emissions } of performances ?? [])
    if (isYear(year) && hasReportedFigure(readEmissions(emissions))) return true;
  return false;
}

/** Returns the year of a performance with emissions; undefined without any. */
export function yearOfEmissions({ year, emissions }: Performance): number | undefined {
  return isYear(year) && hasReportedFigure(readEmissions(emissions)) ? year : undefined;
}

export interface ChosenYear {
  readonly year: number;
  readonly chosen: Inventory;
  /** The inventories to choose from; with several, another would change the figures. */
  readonly choices: readonly Inventory[];
}

/**
 * Chooses an inventory with emissions for each plausible year, the latest first.
 * @param inventories those of the record
 */
export function chooseYears(record: Organization, inventories: readonly Inventory[]): ChosenYear[] {
  const years: { readonly year: number; readonly choices: Inventory[] }[] = [];
  for (const each of byYear(inventories)) {
    if (!isYear(each.year) || !hasReportedFigure(each.shown)) continue;
    const last = years.at(-1);
    if (last?.year === each.year) last.choices.push(each);
    else years.push({ year: each.year, choices: [each] });
  }
  return years.map(({ year, choices }) => {
    const chosen = preferredRegion(choices, record) as Inventory;
    return { year, chosen, choices };
  });
}

/**
 * Pairs the years that are compared: adjacent ones of the calendar, then the first with the last.
 * @param years the latest first
 */
export function comparedYears<Item extends { readonly year: number }>(
  years: readonly Item[],
): (readonly [earlier: Item, later: Item])[] {
  const [last, first] = [years[0], years.at(-1)];
  const pairs: (readonly [Item, Item])[] = [];
  years.forEach((later, index) => {
    const earlier = years[index + 1];
    if (earlier !== undefined && later.year - earlier.year === 1) pairs.push([earlier, later]);
  });
  if (first !== undefined && last !== undefined && last.year - first.year > 1)
    pairs.push([first, last]);
  return pairs;
}

/**
 * Chooses the performance for views that show only one per organization.
 *
 * It belongs to the latest year with emissions, otherwise to the latest year with any figure, and
 * otherwise to the latest year.
 */
export function latestPerformance(record: Organization): Performance | undefined {
  const performances = performancesByYear(record);
  const hasEmissions = ({ emissions }: Performance) => hasReportedFigure(readEmissions(emissions));
  for (const counts of [hasEmissions, hasFigure, () => true]) {
    const first = performances.find(counts);
    if (first === undefined) continue;
    if (!isYear(first.year)) return first;
    const sameYear = performances.filter((each) => each.year === first.year && counts(each));
    return preferredRegion(sameYear, record);
  }
  return undefined;
}

/**
 * Chooses a performance with emissions for each of the last years until that of `last`, the latest
 * at the end; undefined for a year without one.
 */
export function yearsUntil(
  record: Organization,
  last: Performance,
  count: number,
): (Performance | undefined)[] {
  const { year } = last;
  if (!isYear(year)) return [];
  return Array.from({ length: count }, (_, index) => {
    const wanted = year - count + 1 + index;
    if (wanted === year) return last;
    const ofYear = (record.performances ?? []).filter(
      (each) => each.year === wanted && hasReportedFigure(readEmissions(each.emissions)),
    );
    return preferredRegion(ofYear, record);
  });
}

function hasFigure(performance: Performance): boolean {
  const scopes = Object.values(performance.emissions ?? {});
  return [
    performance.revenue,
    performance.emission_factor,
    performance.scope_1_and_2_emission_factor,
    performance.total_upstream_emission_factor,
    ...scopes.flatMap((scope) => Object.values(scope ?? {})),
  ].some((amount) => typeof amount === 'number');
}
