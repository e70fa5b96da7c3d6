/* What a comparison or a goal needs: a footprint that can be calculated again in other ways. */

import type { OrganizationId } from '../../client/api/ids.ts';
import { listing } from '../../display/terminal/format.ts';
import type { CarbonError } from '../../runtime/carbon-error.ts';
import type { ListToCorrect } from '../organizations/correction.ts';
import type { calculateFootprint } from './footprint.ts';
import type { SpendRow } from './spend/spend-file.ts';
import type { SpendGroup } from './supplier-groups.ts';
import type { MatchedSpend } from './suppliers.ts';

/** How the file is read, besides the options. */
export interface Reading {
  /** The only years of spend to read; by default, that of the options. */
  readonly years?: readonly number[] | undefined;
  /** Uses the records of the end of this day, `YYYY-MM-DD` in UTC. */
  readonly at?: string | undefined;
  /** Whether the file was read before, so that nothing is reported again. */
  readonly isAgain?: boolean;
  /** More rows, such as those of a saved footprint. */
  readonly rows?: readonly SpendRow[];
  /** Whether to calculate the totals of the year before the one of the options, too. */
  readonly hasEarlier?: boolean;
  /** Whether to read since when there are records, too. */
  readonly hasHistory?: boolean;
}

/** What lists keep of earlier records. */
export interface RecordHistory {
  /** Since when each organization has a record, `YYYY-MM-DD` in UTC, by `comparableId`. */
  readonly firstDays: ReadonlyMap<OrganizationId, string>;
  /**
   * Matches the same rows with the records of the end of a day, for their targets alone.
   * @throws UsageError and LocalError if the records cannot be read
   */
  groupsAt(day: string): Promise<readonly SpendGroup[]>;
}

export interface Calculation {
  readonly result: ReturnType<typeof calculateFootprint>;
  readonly spend: MatchedSpend;
  /** The years in the file, before others were added; null for rows without a year. */
  readonly fileYears: readonly (number | null)[];
  /** The years in the file that were not chosen. */
  readonly otherYears: ReadonlySet<number>;
  /** Undefined unless it was asked for, and if no list keeps the records; an error if damaged. */
  readonly history?: RecordHistory | CarbonError | undefined;
  /** The file, if its records are those of its own rows. */
  readonly toCorrect?: ListToCorrect | undefined;
}

/** Reads the file and the records, and calculates the footprint; can be called several times. */
export type Calculate = (reading?: Reading) => Promise<Calculation>;

/** Describes the choice of years among the selected rows. */
export function yearSelection(years: readonly number[]): string {
  return `spend of ${yearList(years)}`;
}

/** Lists years, and rows without one: "2024, 2025 and no year". */
export function yearList(years: readonly (number | null)[]): string {
  return listing(years.map((year) => year ?? 'no year'));
}
