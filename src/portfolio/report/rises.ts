/* Who made the sum of scopes 1 and 2 rise: the largest rises that are at least half of it. */
import { changeSize } from '../../display/terminal/figure.ts';
import { type Entry, valuesOf } from './entry.ts';

/** The sums of the years that are compared, the earliest first. */
type Years = readonly { readonly year: number; readonly sum: number }[];

/** A rise in the last year. */
interface Rise {
  readonly rise: number;
  /** By how much the emissions rose, as a share of the year before; null if that has none. */
  readonly change: number | null;
  /** By how much its revenue changed; null if that is unknown. */
  readonly revenue_change: number | null;
}

/** The organizations that made a sum rise. */
export interface LargestRises {
  readonly entries: ReadonlyMap<Entry, Rise>;
  /** The net rise of all that are compared. */
  readonly net: number;
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
  const found = new Map<Entry, Rise>();
  let sum = 0;
  for (const { entry, ...each } of rises) {
    if (sum >= wanted) break;
    sum += each.rise;
    found.set(entry, each);
  }
  const isFew = 2 * found.size < rises.length;
  return isFew ? { entries: found, net, share: sum / net, since: before.year } : undefined;
}

/* The rises in the last year of those that are compared, the largest first. */
function risesOf(entries: readonly Entry[], years: readonly number[]) {
  const rises: (Rise & { readonly entry: Entry })[] = [];
  const last = years.at(-1) ?? Number.NaN;
  for (const entry of entries) {
    const [before = Number.NaN, after = Number.NaN] = valuesOf(entry, years)?.slice(-2) ?? [];
    // Sums of the same figures may differ in their last digits.
    if (!(after - before > 1e-12 * Math.abs(after))) continue;
    const growth = entry.years.growth(last);
    rises.push({
      entry,
      rise: after - before,
      change: before > 0 ? after / before - 1 : null,
      revenue_change: growth === undefined ? null : growth - 1,
    });
  }
  return rises.sort((a, b) => b.rise - a.rise);
}

/**
 * Tells whether the emissions of one that made a sum rise rose as much as its revenue or more, or
 * its revenue is unknown; otherwise its growth is why.
 */
export function rosePerRevenue({ entries }: LargestRises, entry: Entry): boolean {
  const { change, revenue_change: growth } = entries.get(entry) ?? {};
  return change == null || growth == null || change >= growth;
}

/** What a summary says of largest rises: of those that `grew`, or of the others. */
export function risesInSummary(rises: LargestRises, why: 'rose' | 'grew') {
  const { entries, net, since } = rises;
  const own = [...entries].filter(([entry]) => rosePerRevenue(rises, entry) === (why === 'rose'));
  const withTarget = (status: string) => own.filter(([{ nearTerm }]) => nearTerm === status).length;
  return {
    /** Share of the net rise. */
    share: own.reduce((sum, [, { rise }]) => sum + rise, 0) / net,
    since,
    /** Numbers of organizations with a validated target, and with one that was removed. */
    validated: withTarget('set'),
    removed: withTarget('removed'),
  };
}
