/*
 * Simulates a thousand workers at one rate limit on the virtual clock, for the plan in
 * docs/scale.md: what share of the permitted rate they use, and how many requests are refused.
 */
import type { Finding } from './findings.ts';
import { TokenBucket } from './pacing-limiters.ts';
import { simulate } from './pacing-simulation.ts';

const section = 'plan, virtual clock';
const latencyMs = 200;
/* The engine starts all workers within this time. */
const startsWithinMs = 2_000;
/* Number of rows, as seconds of the permitted rate. */
const seconds = 60;

/** Simulates workers that each learn the limit alone, for several rates and numbers of workers. */
export function* scalePlan(workers: readonly number[]): Generator<Finding> {
  for (const rate of [50, 1_000, 5_000]) {
    for (const count of workers) {
      const { share, refused } = simulate({
        seed: 1,
        limiter: () => new TokenBucket(Math.max(10, rate / 10), rate),
        rows: rate * seconds,
        starts: Array.from({ length: count }, (_, worker) => (worker * startsWithinMs) / count),
        latencyMs,
      });
      const what = `${count} workers at ${rate}/s, each alone`;
      yield { section, what: `${what}: of the ideal`, value: 100 * share, unit: '%' };
      yield { section, what: `${what}: refused`, value: 100 * refused, unit: '%' };
    }
  }
}
