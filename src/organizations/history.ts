/* Which of an organization's performances and targets count, and in which order. */
import type { Organization, Performance, SbtiTarget } from '../api/schema.ts';
import { regionName } from '../terminal/format.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { truncate } from '../terminal/text.ts';
import { hasReportedFigure } from './emissions.ts';

const [minYear, maxYear] = [1900, 2200];

/** Checks whether a value is a plausible year of a figure (1900 to 2200). */
export function isYear(year: Performance['year']): year is number {
  return typeof year === 'number' && Number.isInteger(year) && year >= minYear && year <= maxYear;
}

/**
 * Orders the performances of an organization, the latest year first; those without a year come
 * last.
 */
export function performancesByYear(record: Organization): Performance[] {
  const performances = record.performances ?? [];
  // Records of the service are in this order already.
  if (isOrdered(performances)) return [...performances];
  return performances.toSorted((a, b) => (yearOf(a) === yearOf(b) ? 0 : yearOf(b) - yearOf(a)));
}

function isOrdered(performances: readonly Performance[]): boolean {
  let last = Number.POSITIVE_INFINITY;
  for (const performance of performances) {
    const year = yearOf(performance);
    if (year > last) return false;
    last = year;
  }
  return true;
}

function yearOf({ year }: Performance): number {
  return isYear(year) ? year : Number.NEGATIVE_INFINITY;
}

/**
 * Chooses the performance for views that show only one per organization.
 *
 * It belongs to the latest year with emissions, else to the latest year with any figure, else to
 * the latest year. If that year has several performances, such as regions, the first one counts.
 */
export function latestPerformance(record: Organization): Performance | undefined {
  const performances = performancesByYear(record);
  return (
    performances.find(({ emissions }) => hasReportedFigure(emissions)) ??
    performances.find(hasFigure) ??
    performances[0]
  );
}

function hasFigure(performance: Performance): boolean {
  const {
    revenue,
    emission_factor,
    scope_1_and_2_emission_factor,
    total_upstream_emission_factor,
  } = performance;
  const amounts = [
    revenue,
    emission_factor,
    scope_1_and_2_emission_factor,
    total_upstream_emission_factor,
    ...Object.values(performance.emissions ?? {}).flatMap((scope) => Object.values(scope ?? {})),
  ];
  return amounts.some((amount) => typeof amount === 'number');
}

/** Orders the SBTi target records of an organization, the latest `created_at` first. */
export function targetsByDate(record: Organization): SbtiTarget[] {
  const created = (target: SbtiTarget) => target.created_at ?? '';
  return (record.sbti?.data ?? []).toSorted(
    (a, b) => Number(created(a) < created(b)) - Number(created(a) > created(b)),
  );
}

/** A performance with the label of its row. */
export interface Year {
  /** The year, with the region if the record has several; `no year` when the year is missing. */
  readonly label: string;
  readonly performance: Performance;
}

/** The labeled performances of an organization, the latest first. */
export interface Years {
  readonly years: readonly Year[];
  /** The region of all performances; undefined when they differ. */
  readonly region: string | undefined;
}

/** Labels the performances of an organization by year, and by region if there are several. */
export function labelYears(record: Organization): Years {
  const performances = performancesByYear(record);
  const regions = performances.map((performance) =>
    truncate(sanitize(regionName(performance.region) ?? '').trim(), 24),
  );
  const differ = new Set(regions).size > 1;
  const years = performances.map((performance, index) => {
    const year = typeof performance.year === 'number' ? String(performance.year) : 'no year';
    return { performance, label: differ && regions[index] ? `${year} ${regions[index]}` : year };
  });
  return { years, region: differ ? undefined : regions[0] || undefined };
}
