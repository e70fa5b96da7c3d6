import { describe, expect, it } from 'vitest';
import { LimitReq } from '../../bench/pacing-limiters.ts';
import { simulate } from '../../bench/pacing-simulation.ts';

describe('the complete rate of a limit without a burst', () => {
  it.each([
    [5, [1, 2, 3, 4, 5]],
    [50, [1, 2, 3]],
  ])('belongs to the last process within 30 s after the others end: %d/s', (rate, seeds) => {
    for (const seed of seeds) {
      const starts = [0, 30, 60, 90, 120, 150, 180, 60_000];
      // So many that a shard which waits long for its turn has ended before.
      const rowsOfLast = 3_000 * rate;
      const rows = 160 * rate + rowsOfLast;
      const limiter = () => new LimitReq(rate);
      const scenario = {
        seed,
        limiter,
        starts,
        rows,
        rowsOfLast,
        latencyMs: 5,
        retryAfter: false,
      };
      const { accepted } = simulate(scenario);
      const alone = Math.max(...accepted.slice(0, -1).map((times) => times.at(-1) ?? 0));
      const from = alone + 30_000;
      const until = from + 60_000;
      const count = (accepted.at(-1) ?? []).filter((time) => time >= from && time < until).length;
      expect(count).toBeGreaterThan(0.85 * 60 * rate);
    }
  });

  it('is unused for less than a tenth of a run in which eight shards end one after the other', () => {
    const unused = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seed) => {
      const limiter = () => new LimitReq(50);
      const starts = new Array<number>(8).fill(0);
      const scenario = { seed, limiter, starts, rows: 5_000, latencyMs: 5, retryAfter: false };
      const { accepted, finishMs } = simulate(scenario);
      const times = accepted.flat().sort((a, b) => a - b);
      const gaps = times.slice(1).map((time, before) => time - (times[before] ?? time));
      const handOvers = gaps.filter((gapMs) => gapMs > 500);
      return handOvers.reduce((sum, gapMs) => sum + gapMs, 0) / finishMs;
    });
    expect(unused.sort((a, b) => a - b)[4]).toBeLessThan(0.1);
  });
});
