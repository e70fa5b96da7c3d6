/* Distributions and counts over the organizations of a portfolio. */

/** Quartiles of the values of some organizations; null without values. */
export interface Spread {
  readonly organizations: number;
  readonly lower_quartile: number | null;
  readonly median: number | null;
  readonly upper_quartile: number | null;
}

/** Describes values. Quartiles are interpolated linearly, as QUARTILE.INC of spreadsheets does. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  return {
    organizations: sorted.length,
    lower_quartile: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upper_quartile: quantile(sorted, 0.75),
  };
}

function quantile(sorted: Float64Array, share: number): number | null {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}

/** Organizations with a score from `from` to below `to`; the last bin includes 1. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly organizations: number;
}

/** The distribution of scores, from 0 (worst) to 1 (best) as the service sends them. */
export interface ScoreSummary extends Spread {
  /** Scores that are not from 0 to 1; no other member includes them. */
  readonly out_of_range: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly histogram: readonly Bin[];
}

const bins = 10;

export function summarizeScores(all: readonly number[]): ScoreSummary {
  const scores = all.filter((score) => score >= 0 && score <= 1);
  const counts = Array<number>(bins).fill(0);
  let [sum, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const score of scores) {
    const bin = Math.min(bins - 1, Math.floor(score * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
    sum += score;
    [min, max] = [Math.min(min, score), Math.max(max, score)];
  }
  const isKnown = scores.length > 0;
  return {
    ...spreadOf(scores),
    out_of_range: all.length - scores.length,
    min: isKnown ? min : null,
    max: isKnown ? max : null,
    mean: isKnown ? sum / scores.length : null,
    histogram: counts.map((organizations, bin) => ({
      from: bin / bins,
      to: (bin + 1) / bins,
      organizations,
    })),
  };
}

/** The number of organizations with each value of a field. */
export interface Tally {
  /** Counts by value. The expected values come first, in their order, even if their count is 0. */
  readonly counts: Readonly<Record<string, number>>;
  readonly missing: number;
}

/* Further unexpected values count as `other`. */
const maxValues = 40;

/** Counts values; an empty one is missing. */
export function tally(
  values: readonly (string | undefined)[],
  expected: readonly string[] = [],
): Tally {
  const counts = new Map(expected.map((value) => [value, 0]));
  let missing = 0;
  for (const value of values) {
    if (!value) {
      missing += 1;
      continue;
    }
    const name = counts.has(value) || counts.size < maxValues ? value : 'other';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return { counts: Object.fromEntries(counts), missing };
}
