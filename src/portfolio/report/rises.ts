/* Who made the sum of scopes 1 and 2 rise: the largest rises that are at least half of it. */
import { changeSize } from '../../display/terminal/figure.ts';
import { type Entry, valuesOf } from './entry.ts';

/** The sums of the years that are compared, the earliest first. */
type Years = readonly { readonly year: number; readonly sum: number }[];

/** The organizations that made a sum rise. */
export interface LargestRises {
  readonly entries: ReadonlySet<Entry>;
  /** Their part in the net rise, more than 1 if others fell. */
  readonly share: number;
  /** The year before the rise. */
  readonly since: number;
}

/**
 * Finds the fewest organizations whose rises in the last year are at least half of the net rise of
 * all that are compared. Undefined if the sum did not rise, and if it takes half of those that
 * rose, as of equal ones.
 */
export function largestRises(entries: readonly Entry[], years: Years): LargestRises | undefined {
  const [before, last] = years.slice(-2);
  if (before === undefined || last === undefined || !(before.sum > 0)) return undefined;
  const net = last.sum - before.sum;
  if (!(net > 0 && Number.isFinite(net)) || changeSize(net / before.sum) === undefined)
    return undefined;
  const rises = risesOf(
    entries,
    years.map(({ year }) => year),
  );
  // Rounding must not add another one to those that are half.
  const wanted = (net / 2) * (1 - 1e-9);
  const found = new Set<Entry>();
  let sum = 0;
  for (const { entry, rise } of rises) {
    if (sum >= wanted) break;
    sum += rise;
    found.add(entry);
  }
  const isFew = 2 * found.size < rises.length;
  return isFew ? { entries: found, share: sum / net, since: before.year } : undefined;
}

/* The rises in the last year of those that are compared, the largest first. */
function risesOf(entries: readonly Entry[], years: readonly number[]) {
  const rises: { readonly entry: Entry; readonly rise: number }[] = [];
  for (const entry of entries) {
    const [before = Number.NaN, after = Number.NaN] = valuesOf(entry, years)?.slice(-2) ?? [];
    // Sums of the same figures may differ in their last digits.
    if (after - before > 1e-12 * Math.abs(after)) rises.push({ entry, rise: after - before });
  }
  return rises.sort((a, b) => b.rise - a.rise);
}

/** What a summary says of the largest rises. */
export function risesInSummary({ entries, share, since }: LargestRises) {
  const withTarget = (status: string) =>
    [...entries].filter(({ nearTerm }) => nearTerm === status).length;
  return {
    /** Share of the net rise. */
    share,
    since,
    /** Numbers of organizations with a validated target, and with one that was removed. */
    validated: withTarget('set'),
    removed: withTarget('removed'),
  };
}
