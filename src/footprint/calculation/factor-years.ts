/* Which year of a supplier's figures fits the year of the spend best. */
import { isYear } from '../../organizations/history.ts';

/* Later years come after all earlier ones, and figures without a year come last. */
const laterYear = 1_000;
const withoutYear = 1e9;
const maxYear = 2_200;

/**
 * Ranks the year of a performance, the best rank lowest: the latest year up to the spend's, then
 * the earliest later one, then figures without a year. Without a year of spend, the latest year.
 */
export function yearDistance(year: unknown, spendYear: number | null): number {
  const known = yearOf(year);
  if (known === null) return withoutYear;
  const gap = (spendYear ?? maxYear) - known;
  return gap >= 0 ? gap : laterYear - gap;
}

/**
 * Ranks the year of an industry average, the best rank lowest: the nearest year, the earlier of two
 * equally near ones. Without a year of spend, the latest year.
 */
export function nearestYearDistance(year: unknown, spendYear: number | null): number {
  const known = yearOf(year);
  if (known === null) return withoutYear;
  const gap = (spendYear ?? maxYear) - known;
  return gap >= 0 ? gap : 0.5 - gap;
}

/** Returns a plausible year of figures (1900 to 2200), else null. */
export function yearOf(year: unknown): number | null {
  return isYear(year as number) ? (year as number) : null;
}

/** Returns the region of figures as the record states it; null without one. */
export function regionOf(region: unknown): string | null {
  return (typeof region === 'string' && region) || null;
}
