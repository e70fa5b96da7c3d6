/*
 * Measures on the virtual clock what share of the allowed rate the pacer reaches, and how many
 * requests are refused. A name has the latency, and the mean of a random delay each way.
 */

import { FixedWindow, LimitReq, SlidingLog, TokenBucket } from '../test/support/pacing-limiters.ts';
import { type Scenario, simulateSeeds } from '../test/support/pacing-simulation.ts';
import type { Finding } from './findings.ts';

/* Minimum share of the allowed rate and maximum share of refused requests, in percent. */
type Goal = readonly [share: number, refused: number];

const late = (delayMs: number) => ({ latencyMs: 20, jitter: 0, delayMs });
const withBurst = () => new TokenBucket(10, 50);
const strict = () => new LimitReq(50);

const trials: readonly (Scenario & { readonly name: string; readonly goal?: Goal })[] = [
  { name: '50/s, burst 10', limiter: withBurst, goal: [97, 2] },
  { name: '50/s, burst 10, 20 ms + 5 ms', limiter: withBurst, ...late(5), goal: [97, 2] },
  { name: '50/s, no burst, 20 ms + 0.5 ms', limiter: strict, ...late(0.5) },
  { name: '50/s, no burst, 20 ms + 5 ms', limiter: strict, ...late(5), goal: [60, 3] },
  { name: '50/s, no burst, 20 ms + 20 ms', limiter: strict, ...late(20) },
  { name: '5/s, no burst', limiter: () => new LimitReq(5), rows: 200 },
  { name: 'sliding window, 300 in 60 s', limiter: () => new SlidingLog(60_000, 300) },
  {
    name: 'fixed window, 100 in 60 s',
    limiter: (random) => new FixedWindow(60_000, random() * 60_000, 100),
  },
];

/** Measures each limit. */
export function* pacing(seeds: number): Generator<Finding> {
  for (const { name, goal, ...scenario } of trials) {
    const { share, refused } = simulateSeeds(scenario, seeds);
    const of = { section: 'pacing, virtual clock', unit: '%' } as const;
    yield {
      ...of,
      what: `${name}: of the rate`,
      value: share,
      ...(goal && { goal: ['at least', goal[0]] as const }),
    };
    yield {
      ...of,
      what: `${name}: refused`,
      value: refused,
      ...(goal && { goal: ['at most', goal[1]] as const }),
    };
  }
}
