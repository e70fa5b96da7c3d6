import type { Entry } from './digest.ts';

/** Organizations with a score from `from` to below `to`; the last bin includes 1. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly organizations: number;
}

/**
 * The distribution of scores, from 0 (worst) to 1 (best) as the service sends them; null without
 * scores.
 */
export interface ScoreSummary {
  readonly organizations: number;
  /** Scores that are not from 0 to 1; no other member includes them. */
  readonly out_of_range: number;
  readonly min: number | null;
  readonly lower_quartile: number | null;
  readonly median: number | null;
  readonly upper_quartile: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly histogram: readonly Bin[];
}

const bins = 10;

/** Summarizes scores. Quartiles are interpolated linearly, as QUARTILE.INC of spreadsheets does. */
export class ScoreSpread {
  /* Quartiles need all scores, at eight bytes each. */
  readonly #scores: number[] = [];
  #outOfRange = 0;

  add({ score }: Entry): void {
    if (score === undefined) return;
    if (score >= 0 && score <= 1) this.#scores.push(score);
    else this.#outOfRange += 1;
  }

  result(): ScoreSummary {
    const sorted = Float64Array.from(this.#scores).sort();
    const counts = Array<number>(bins).fill(0);
    let sum = 0;
    for (const score of sorted) {
      const bin = Math.min(bins - 1, Math.floor(score * bins));
      counts[bin] = (counts[bin] ?? 0) + 1;
      sum += score;
    }
    return {
      organizations: sorted.length,
      out_of_range: this.#outOfRange,
      min: quantile(sorted, 0),
      lower_quartile: quantile(sorted, 0.25),
      median: quantile(sorted, 0.5),
      upper_quartile: quantile(sorted, 0.75),
      max: quantile(sorted, 1),
      mean: sorted.length === 0 ? null : sum / sorted.length,
      histogram: counts.map((organizations, bin) => ({
        from: bin / bins,
        to: (bin + 1) / bins,
        organizations,
      })),
    };
  }
}

function quantile(sorted: Float64Array, share: number): number | null {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
