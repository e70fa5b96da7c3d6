import type { Organization, Performance } from '../api/schema.ts';
import { place } from '../terminal/place.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { truncate } from '../terminal/text.ts';
import { performancesByYear } from './latest.ts';

/** One performance under the label of its row. */
export interface Year {
  /** The year, with the region where regions differ; `no year` when there is none. */
  readonly label: string;
  readonly performance: Performance;
}

/**
 * The performances of an organization, the latest first, and the one region that they all are of.
 */
export interface Years {
  readonly years: readonly Year[];
  readonly region: string | undefined;
}

/** Labels the performances of an organization by year, and by region where there are several. */
export function labelYears(record: Organization): Years {
  const performances = performancesByYear(record);
  const regions = performances.map((performance) =>
    truncate(sanitize(place(performance.region) ?? '').trim(), 24),
  );
  const differ = new Set(regions).size > 1;
  const years = performances.map((performance, at) => {
    const year = typeof performance.year === 'number' ? String(performance.year) : 'no year';
    return { performance, label: differ && regions[at] ? `${year} ${regions[at]}` : year };
  });
  return { years, region: differ ? undefined : regions[0] || undefined };
}
