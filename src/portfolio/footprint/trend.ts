/*
 * How emissions changed from year to year without data changes (of method, data and coverage): the
 * number of a comparison, for a footprint of the same file. A footprint that needs it loads this.
 */
import { UsageError } from '../../runtime/carbon-error.ts';
import { type Effect, effectsBetween, withoutEffects } from './bridge.ts';
import { spentMoreWith } from './bridge-asks.ts';
import { bridgeItemsOf } from './bridge-cells.ts';
import type { MainCause } from './cause-words.ts';
import { mainCauseOf } from './causes.ts';
import { dataEffects } from './data-effects.ts';
import { plus, zero } from './decimal.ts';
import { type FootprintEntry, groupBy } from './entries.ts';
import { entriesOf } from './footprint.ts';
import type { MethodOptions } from './line-item.ts';
import type { SpendReport } from './spend/spend-file.ts';
import type { Move } from './statements.ts';
import type { SpendOfYears } from './suppliers.ts';

type ComparedYears = Omit<Move, 'totals' | 'change'>;

/** A change of the emissions from year to year as a comparison shows it. */
export interface Trend {
  readonly from: number;
  readonly to: number;
  /** The change without `effects`, as a share of the earlier emissions. */
  readonly change_without_data: number;
  /** The effects that only change what is known, of those that occur. */
  readonly effects: readonly Effect[];
  /** What the larger part of the change is from; null without one. */
  readonly main_cause: MainCause | null;
  /** With whom more was spent, if that is the main cause: those with two thirds of the rises. */
  readonly spent_more_with: readonly Named[];
}

type Named = Readonly<ReturnType<typeof spentMoreWith>[number]>;

/**
 * Calculates a change as the comparison of its years does; null if that begins with other totals.
 * @param entries those of the two years
 */
export function trendOf(
  { from, to, totals }: Move,
  entries: readonly FootprintEntry[],
): Trend | null {
  const items = bridgeItemsOf(entries);
  const inYear = (year: number) => items.filter(({ spend_year: each }) => each === year);
  const step = effectsBetween(inYear(from), inYear(to));
  const { before, after, effects } = step;
  if (before !== totals[0] || after !== totals[1]) return null;
  const known = effects.map(({ effect }) => effect);
  const main = mainCauseOf(step);
  return {
    from,
    to,
    change_without_data: withoutEffects(step) / before,
    effects: known.filter((effect) => dataEffects.includes(effect)),
    main_cause: main,
    spent_more_with: main?.spent === 'more' ? spentMoreWith(step) : [],
  };
}

/**
 * Calculates the emissions of two years as if the file had no others; undefined if the comparison
 * of these years fails.
 * @param spend that of the two years alone
 * @param report what was understood of the file
 */
export function entriesAlone(
  years: ComparedYears,
  spend: SpendOfYears,
  report: SpendReport,
  options: MethodOptions,
): readonly FootprintEntry[] | undefined {
  if (!hasClearSigns(spend, report, years)) return undefined;
  try {
    return entriesOf(spend, options).entries;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/* Whether the signs of the years alone are certain, too; in doubt, they are not. */
function hasClearSigns(
  { groups }: SpendOfYears,
  { kinds, years, rows, positive }: SpendReport,
  { from, to }: ComparedYears,
): boolean {
  const sums = groupBy(groups, ({ currency }) => currency).values();
  const isNegative = [...sums].every(
    (some) => some.reduce((sum, { spend }) => plus(sum, spend), zero).units < 0n,
  );
  const credits = kinds.get('credits')?.count ?? 0;
  const zeros = rows - positive - credits;
  const [before = 0, after = 0] = [from, to].map((year) => years.get(year));
  // The rows of a year of its own were checked alone.
  const isMixed = before > 0 && 2 * credits > before + after - zeros;
  return !isNegative && !isMixed;
}
