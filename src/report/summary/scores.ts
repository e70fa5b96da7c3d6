import type { Entry } from './digest.ts';

/**
 * Organizations with a score from `from` (inclusive) to `to` (exclusive; 1 belongs to the last).
 */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly organizations: number;
}

/**
 * How scores are distributed, from 0 (worst) to 1 (best) as the service sends them; null where
 * nobody has a score.
 */
export interface ScoreSummary {
  readonly organizations: number;
  /** Scores that are not from 0 to 1: counted here only. */
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

/**
 * Summarizes scores. Quartiles lie between the two scores next to them, in proportion (as
 * spreadsheets' QUARTILE.INC).
 */
export class ScoreSpread {
  /* Eight bytes each: quartiles need them all. */
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
      const at = Math.min(bins - 1, Math.floor(score * bins));
      counts[at] = (counts[at] ?? 0) + 1;
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
      histogram: counts.map((organizations, at) => ({
        from: at / bins,
        to: (at + 1) / bins,
        organizations,
      })),
    };
  }
}

function quantile(sorted: Float64Array, share: number): number | null {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (place - Math.floor(place));
}
