/* What a comparison or a goal needs: a footprint that can be calculated again in other ways. */

import { listing } from '../../display/terminal/format.ts';
import type { ListToCorrect } from '../organizations/matches.ts';
import type { calculateFootprint } from './footprint.ts';
import type { SpendRow } from './spend/spend-file.ts';
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
}

export interface Calculation {
  readonly result: ReturnType<typeof calculateFootprint>;
  readonly spend: MatchedSpend;
  /** The years in the file, before others were added; null for rows without a year. */
  readonly fileYears: readonly (number | null)[];
  /** The years in the file that were not chosen. */
  readonly otherYears: ReadonlySet<number>;
  /** Since when a list keeps some of the records, `YYYY-MM-DD` in UTC. */
  readonly recordsSince?: string | undefined;
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
