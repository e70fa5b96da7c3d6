/* Distributions and counts over the organizations of a portfolio. */

import { totalOf } from '../organizations/sum.ts';

/**
 * Describes values; without any, each quartile is null. Quartiles are interpolated linearly, as
 * QUARTILE.INC of spreadsheets does.
 */
export function spreadOf(values: readonly number[]) {
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

const bins = 10;

/** Describes scores, from 0 (worst) to 1 (best) as the service sends them. */
export function summarizeScores(all: readonly number[]) {
  const scores = all.filter((score) => score >= 0 && score <= 1);
  const counts = Array<number>(bins).fill(0);
  for (const score of scores) {
    const bin = Math.min(bins - 1, Math.floor(score * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const sorted = Float64Array.from(scores).sort();
  return {
    ...spreadOf(scores),
    /** Scores that are not from 0 to 1; no other member includes them. */
    out_of_range: all.length - scores.length,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    mean: scores.length > 0 ? totalOf(scores) / scores.length : null,
    /** Each bin is from `from` to below `to`; the last one includes 1. */
    histogram: counts.map((organizations, bin) => ({
      from: bin / bins,
      to: (bin + 1) / bins,
      organizations,
    })),
  };
}

export type Tallied = ReturnType<Tally['result']>;

/* Further unexpected values count as `other`. */
const maxValues = 40;

/** Counts organizations by the value of a field; an empty one is missing. */
export class Tally {
  readonly #counts: Map<string, number>;
  #missing = 0;

  /** @param expected values that come first, in their order, even if their count is 0 */
  constructor(expected: readonly string[]) {
    this.#counts = new Map(expected.map((value) => [value, 0]));
  }

  add(value: string | undefined): void {
    if (!value) {
      this.#missing += 1;
      return;
    }
    const isNamed = this.#counts.has(value) || this.#counts.size < maxValues;
    const name = isNamed ? value : 'other';
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  result() {
    return { counts: Object.fromEntries(this.#counts), missing: this.#missing };
  }
}
