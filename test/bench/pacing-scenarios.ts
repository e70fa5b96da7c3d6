import { FixedWindow, type Limiter, Quota, SlidingLog, TokenBucket, Unlimited } from './pacing-limiters.ts';
import type { Scenario } from './pacing-simulation.ts';

/** How the service speaks of its limit. */
export type Manner = 'Retry-After' | 'bare 429' | 'headers';

/** The least share of the permitted rate and the largest share of refused requests, in percent. */
export type Goal = readonly [share: number, refused: number];

/** One line of the table: a scenario, and what the pacer has to reach in it (the median of nine seeds). */
export interface Trial extends Omit<Scenario, 'seed'> {
  readonly name: string;
  readonly goal?: Goal;
  /** The same when the service tells its limit in headers. */
  readonly goalWhenTold?: Goal;
}

const second = 1_000;
const minute = 60 * second;
const fixed =
  (
    windowMs: number,
    ...quotas: ConstructorParameters<typeof FixedWindow> extends [number, number, ...infer Rest]
      ? Rest
      : never
  ) =>
  (random: () => number): Limiter =>
    new FixedWindow(windowMs, random() * windowMs, ...quotas);
const four = { starts: [0, 30, 60, 90], rows: 10_000 };
const rising = [
  { fromMs: 10 * second, limit: 25 },
  { fromMs: 20 * second, limit: 100 },
];

/** Everything that the pacer is tried on. Rates are requests per second. */
export const trials: readonly Trial[] = [
  { name: 'bucket 50/s, burst 10', limiter: () => new TokenBucket(10, 50), rows: 2_000, goal: [98, 1.5] },
  { name: 'bucket 50/s, burst 50', limiter: () => new TokenBucket(50, 50), rows: 2_000, goal: [98, 1.5] },
  {
    name: 'bucket 50/s, burst 10, 10,000 rows',
    limiter: () => new TokenBucket(10, 50),
    rows: 10_000,
    goal: [98, 1.5],
  },
  { name: 'bucket 50/s, burst 5', limiter: () => new TokenBucket(5, 50), rows: 2_000, goal: [85, 4] },
  { name: 'bucket 50/s, burst 1', limiter: () => new TokenBucket(1, 50), rows: 2_000 },
  { name: 'fixed window 50 per 1 s', limiter: fixed(second, 50), rows: 2_000, goal: [85, 4] },
  { name: 'sliding log 50 per 1 s', limiter: () => new SlidingLog(second, 50), rows: 2_000, goal: [85, 4] },
  {
    name: 'falls 50 to 20',
    limiter: () => new TokenBucket(10, 50, { fromMs: 15 * second, limit: 20 }),
    rows: 2_000,
    goal: [85, 4],
  },
  {
    name: 'window falls 50 to 20',
    limiter: fixed(second, 50, { fromMs: 15 * second, limit: 20 }),
    rows: 2_000,
    goal: [85, 4],
  },
  {
    name: '50, 25, 100, burst 10',
    limiter: () => new TokenBucket(10, 50, ...rising),
    rows: 2_000,
    goal: [85, 4],
  },
  {
    name: '50, 25, 100, burst 50',
    limiter: () => new TokenBucket(50, 50, ...rising),
    rows: 2_000,
    goal: [85, 4],
  },
  { name: '4 processes, burst 10', limiter: () => new TokenBucket(10, 50), ...four, goal: [95, 8] },
  { name: '4 processes, burst 50', limiter: () => new TokenBucket(50, 50), ...four, goal: [95, 8] },
  { name: '4 processes, fixed window', limiter: fixed(second, 50), ...four, goal: [85, 8] },
  { name: '4 processes, 100 per 60 s', limiter: fixed(minute, 100), ...four, rows: 2_000 },
  { name: 'bucket 5/s, burst 5', limiter: () => new TokenBucket(5, 5), rows: 2_000, goal: [85, 4] },
  { name: 'bucket 0.5/s, burst 5', limiter: () => new TokenBucket(5, 0.5), rows: 2_000 },
  { name: 'fixed window 100 per 60 s', limiter: fixed(minute, 100), rows: 2_000 },
  { name: 'fixed window 5000 per 1 h, 300 rows', limiter: fixed(60 * minute, 5_000), rows: 300 },
  {
    name: 'bucket 1000/s, burst 1000, 5 ms',
    limiter: () => new TokenBucket(1_000, 1_000),
    rows: 40_000,
    latencyMs: 5,
    goal: [97, 1.5],
  },
  { name: 'jitter 50 %', limiter: () => new TokenBucket(10, 50), rows: 2_000, jitter: 0.5 },
  {
    name: '5 % fail with 500',
    limiter: () => new TokenBucket(10, 50),
    rows: 2_000,
    failing: 0.05,
    goal: [95, 2],
  },
  { name: 'Retry-After always 120', limiter: () => new TokenBucket(100, 10), rows: 1_000, retryAfter: 120 },
  { name: 'no limit', limiter: () => new Unlimited(), rows: 2_000, goal: [97, 0] },
  {
    name: 'no limit, 64 in flight',
    limiter: () => new Unlimited(),
    rows: 20_000,
    concurrency: 64,
    goal: [97, 0],
  },
  { name: 'no limit, --rate 20', limiter: () => new Unlimited(), rows: 1_000, maxRate: 20, goal: [98, 0] },
  {
    name: 'no limit, --rate 1000, 5 ms',
    limiter: () => new Unlimited(),
    rows: 20_000,
    maxRate: 1_000,
    latencyMs: 5,
    goal: [97, 0],
  },
];

/** Limits that never end: the run has to stop by itself. */
export const quotas: readonly Trial[] = [
  { name: '429 for ever, 2,000 rows', limiter: () => new Quota(0), rows: 2_000 },
  { name: '429 for ever, Retry-After 60', limiter: () => new Quota(0), rows: 2_000, retryAfter: 60 },
  { name: 'quota of 500, 2,000 rows', limiter: () => new Quota(500), rows: 2_000 },
];

/** The scenario of a trial with a seed, and with a service that speaks in a manner. */
export function scenarioOf(trial: Trial, manner: Manner, seed: number): Scenario {
  const says = manner === 'bare 429' ? { retryAfter: false } : manner === 'headers' ? { headers: true } : {};
  return { ...trial, seed, ...says };
}
