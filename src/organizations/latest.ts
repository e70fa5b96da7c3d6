import type { Organization, Performance, SbtiTarget } from '../api/schema.ts';
import { readEmissions } from './reported-figure.ts';

const [minYear, maxYear] = [1900, 2200];

/** Whether a value is a year that figures can be of. */
export function isYear(year: Performance['year']): year is number {
  return typeof year === 'number' && Number.isInteger(year) && year >= minYear && year <= maxYear;
}

/**
 * Orders the performances of an organization, the latest year first; those without a year come
 * last.
 */
export function performancesByYear(record: Organization): Performance[] {
  const year = (performance: Performance) =>
    isYear(performance.year) ? performance.year : Number.NEGATIVE_INFINITY;
  return (record.performances ?? []).toSorted((a, b) =>
    year(a) === year(b) ? 0 : year(b) - year(a),
  );
}

/** Whether a performance has a figure that every view shows: a scope or the total. */
export function hasEmissions({ emissions }: Performance): boolean {
  return Object.values(readEmissions(emissions)).some((reading) => reading !== undefined);
}

/**
 * Chooses the performance that stands for an organization wherever only one is shown: that of the
 * latest year with emissions, else of the latest year with any figure, else of the latest year. Of
 * several performances of that year, such as regions, the first counts.
 */
export function latestPerformance(record: Organization): Performance | undefined {
  const performances = performancesByYear(record);
  return performances.find(hasEmissions) ?? performances.find(hasFigure) ?? performances[0];
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
