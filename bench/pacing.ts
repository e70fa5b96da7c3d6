/*
 * Measures on the virtual clock what share of the allowed rate the pacer reaches, and how many
 * requests are refused. The last lines are limits that nothing is promised for.
 */
import type { Finding } from './findings.ts';
import { FixedWindow, LimitReq, SlidingLog, TokenBucket } from './pacing-limiters.ts';
import { type Announcement, type Scenario, simulateSeeds } from './pacing-simulation.ts';

const shards = { starts: [0, 30, 60, 90, 120, 150, 180, 210], rows: 1_200, areShards: true };

const trials: readonly (Scenario & {
  readonly name: string;
  /** Minimum share of the allowed rate and maximum share of refused requests, in percent. */
  readonly goal?: readonly [share: number, refused: number];
})[] = [
  { name: 'burst 10, 50/s', limiter: () => new TokenBucket(10, 50), goal: [95, 2] },
  { name: 'burst 50, 50/s', limiter: () => new TokenBucket(50, 50), goal: [95, 2] },
  {
    name: 'burst 1000, 1000/s, 5 ms',
    limiter: () => new TokenBucket(1_000, 1_000),
    rows: 20_000,
    latencyMs: 5,
    goal: [95, 2],
  },
  { name: 'no burst, 5/s', limiter: () => new LimitReq(5), goal: [70, 10] },
  {
    name: 'no burst, 50/s, 5 ms',
    limiter: () => new LimitReq(50),
    latencyMs: 5,
    goal: [70, 10],
  },
  { name: 'sliding window, 50 in 1 s', limiter: () => new SlidingLog(1_000, 50), goal: [75, 10] },
  {
    name: 'sliding window, 300 in 60 s',
    limiter: () => new SlidingLog(60_000, 300),
    goal: [75, 10],
  },
  {
    name: '8 shards, burst 5, 5/s',
    limiter: () => new TokenBucket(5, 5),
    ...shards,
    goal: [75, 25],
  },
  { name: 'no burst, 50/s, 50 ms', limiter: () => new LimitReq(50) },
  { name: '8 shards, no burst, 5/s', limiter: () => new LimitReq(5), ...shards },
  {
    name: 'fixed window, 100 in 60 s',
    limiter: (random) => new FixedWindow(60_000, random() * 60_000, 100),
  },
  {
    name: 'falls from 50/s to 20/s',
    limiter: () => new TokenBucket(10, 50, { fromMs: 15_000, limit: 20 }),
  },
];

const announcements: readonly Announcement[] = [
  'Retry-After',
  'nothing',
  'RateLimit',
  'X-RateLimit',
];

/** Measures every limit with each way to announce it. */
export function* pacing(seeds: number): Generator<Finding> {
  for (const { name, goal, ...scenario } of trials) {
    for (const announcement of announcements) {
      const { share, refused } = simulateSeeds({ ...scenario, announcement }, seeds);
      const of = { section: 'pacing, virtual clock', unit: '%' } as const;
      const what = `${name}, ${announcement}`;
      yield {
        ...of,
        what: `${what}: of the rate`,
        value: share,
        ...(goal && { goal: ['at least', goal[0]] as const }),
      };
      yield {
        ...of,
        what: `${what}: refused`,
        value: refused,
        ...(goal && { goal: ['at most', goal[1]] as const }),
      };
    }
  }
}
