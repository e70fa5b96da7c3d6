import {
  type Change,
  FixedWindow,
  LimitReq,
  Quota,
  SlidingLog,
  TokenBucket,
  Unlimited,
} from './pacing-limiters.ts';
import type { Scenario } from './pacing-simulation.ts';

/** How the service announces its limit. */
export type Manner = 'Retry-After' | 'bare 429' | 'headers';

/** Minimum share of the permitted rate and maximum share of refused requests, in percent. */
export type Goal = readonly [share: number, refused: number];

/** A line of the table: a scenario and the pacer's goal in it (the median of nine seeds). */
export interface Trial extends Omit<Scenario, 'seed'> {
  readonly name: string;
  readonly goal?: Goal;
  /** The goal when the service announces its limit in headers. */
  readonly goalWhenTold?: Goal;
}

const second = 1_000;
const minute = 60 * second;

type Build = Scenario['limiter'];

function bucket(burst: number, rate: number, ...later: readonly Change[]): Build {
  return () => new TokenBucket(burst, rate, ...later);
}

/* The limit of nginx without a burst. */
function strict(rate: number): Build {
  return () => new LimitReq(rate);
}

function windows(windowMs: number, quota: number, ...later: readonly Change[]): Build {
  return (random) => new FixedWindow(windowMs, random() * windowMs, quota, ...later);
}

function against(
  name: string,
  limiter: Build,
  more: Omit<Partial<Trial>, 'name' | 'limiter'> = {},
): Trial {
  return { name, limiter, rows: 2_000, ...more };
}

const falling = { fromMs: 15 * second, limit: 20 };
const rising = [
  { fromMs: 10 * second, limit: 25 },
  { fromMs: 20 * second, limit: 100 },
];
const four = { starts: [0, 30, 60, 90], rows: 10_000 };
const two = { starts: [0, 150], rows: 4_000 };
const eight = { starts: [0, 30, 60, 90, 120, 150, 180, 210], rows: 6_000 };
const long = { rows: 20_000, latencyMs: 5 };
const busy = { rows: 6_000, latencyMs: 5, busy: true };
const atOnce = (processes: number) => new Array<number>(processes).fill(0);
const shared = { goal: [80, 15] } as const;
const near = { goal: [98, 1.5], goalWhenTold: [97, 0.5] } as const;
const fair = { goal: [85, 4] } as const;

/** All scenarios. Rates are in requests per second. */
export const trials: readonly Trial[] = [
  against('bucket 50/s, burst 10', bucket(10, 50), near),
  against('bucket 50/s, burst 50', bucket(50, 50), near),
  against('bucket 50/s, burst 10, 10,000 rows', bucket(10, 50), { ...near, rows: 10_000 }),
  against('bucket 50/s, burst 5', bucket(5, 50), { ...fair, goalWhenTold: [97, 0.5] }),
  against('bucket 50/s, burst 1', bucket(1, 50)),
  against('fixed window 50 per 1 s', windows(second, 50), { ...fair, goalWhenTold: [95, 0.5] }),
  against('sliding log 50 per 1 s', () => new SlidingLog(second, 50), {
    ...fair,
    goalWhenTold: [85, 1],
  }),
  against('falls 50 to 20', bucket(10, 50, falling), { ...fair, goalWhenTold: [97, 0.5] }),
  against('window falls 50 to 20', windows(second, 50, falling), {
    ...fair,
    goalWhenTold: [95, 0.5],
  }),
  against('50, 25, 100, burst 10', bucket(10, 50, ...rising), { ...fair, goalWhenTold: [97, 0.5] }),
  against('50, 25, 100, burst 50', bucket(50, 50, ...rising), { ...fair, goalWhenTold: [97, 0.5] }),
  against('4 processes, burst 10', bucket(10, 50), {
    ...four,
    goal: [95, 8],
    goalWhenTold: [95, 8],
  }),
  against('4 processes, burst 50', bucket(50, 50), { ...four, goal: [95, 8] }),
  against('4 processes, fixed window', windows(second, 50), { ...four, goal: [85, 8] }),
  against('4 processes, 100 per 60 s', windows(minute, 100), { starts: four.starts }),
  against('5/s without a burst', strict(5), { goal: [90, 8] }),
  against('50/s without a burst, 5 ms', strict(50), { rows: 4_000, latencyMs: 5, goal: [90, 8] }),
  against('2 processes, 5/s without a burst', strict(5), { ...two, goal: [85, 15] }),
  against('2 processes, 50/s without a burst, 5 ms', strict(50), {
    ...two,
    ...long,
    goal: [85, 15],
  }),
  against('4 processes, 5/s without a burst', strict(5), { ...four, rows: 4_000, ...shared }),
  against('4 processes, 50/s without a burst, 5 ms', strict(50), { ...four, ...long, ...shared }),
  against('8 processes, 5/s without a burst', strict(5), { ...eight, ...shared }),
  against('8 processes, 50/s without a burst, 5 ms', strict(50), { ...eight, ...long, ...shared }),
  against('8 shards of 625 rows, 50/s without a burst', strict(50), {
    starts: atOnce(8),
    rows: 5_000,
    latencyMs: 5,
    ...shared,
  }),
  against('busy, 5/s without a burst', strict(5), { ...busy, rows: 1_000, goal: [85, 10] }),
  against('busy, 50/s without a burst', strict(50), { ...busy, goal: [76, 8] }),
  against('busy, 2 processes, 50/s without a burst', strict(50), {
    ...busy,
    starts: atOnce(2),
    goal: [77, 10],
  }),
  against('busy, 4 processes, 50/s without a burst', strict(50), {
    ...busy,
    starts: atOnce(4),
    goal: [76, 12],
  }),
  against('busy, 8 processes, 50/s without a burst', strict(50), {
    ...busy,
    starts: atOnce(8),
    goal: [74, 15],
  }),
  against('bucket 5/s, burst 5', bucket(5, 5), fair),
  against('bucket 0.5/s, burst 5', bucket(5, 0.5), { goal: [85, 6] }),
  against('fixed window 100 per 60 s', windows(minute, 100), {
    goal: [85, 8],
    goalWhenTold: [90, 0.5],
  }),
  against('fixed window 5000 per 1 h, 300 rows', windows(60 * minute, 5_000), { rows: 300 }),
  against('bucket 1000/s, burst 1000, 5 ms', bucket(1_000, 1_000), {
    rows: 20_000,
    latencyMs: 5,
    goal: [97, 1.5],
  }),
  against('jitter 50 %', bucket(10, 50), { ...near, jitter: 0.5 }),
  against('5 % fail with 500', bucket(10, 50), { failing: 0.05, goal: [95, 2] }),
  against('Retry-After always 120', bucket(100, 10), { rows: 1_000, retryAfter: 120 }),
  against('no limit', () => new Unlimited(), { goal: [97, 0] }),
  against('no limit, 64 in flight', () => new Unlimited(), {
    rows: 20_000,
    concurrency: 64,
    goal: [97, 0],
  }),
  against('no limit, --rate 20', () => new Unlimited(), { maxRate: 20, goal: [98, 0] }),
  against('no limit, --rate 1000, 5 ms', () => new Unlimited(), {
    maxRate: 1_000,
    latencyMs: 5,
    goal: [97, 0],
  }),
];

/** Limits that never reset: the run must stop automatically. */
export const quotas: readonly Trial[] = [
  against('429 for ever', () => new Quota(0)),
  against('429 for ever, Retry-After 60', () => new Quota(0), { retryAfter: 60 }),
  against('quota of 500', () => new Quota(500)),
  against('quota of 500, 50/s without a burst', () => new Quota(500, new LimitReq(50)), {
    latencyMs: 5,
  }),
  against('quota of 2, 5/s without a burst', () => new Quota(2, new LimitReq(5)), { latencyMs: 5 }),
];

/** Returns the scenario of a trial for a seed and a way of announcing the limit. */
export function scenarioOf(trial: Trial, manner: Manner, seed: number): Scenario {
  const announcement =
    manner === 'bare 429' ? { retryAfter: false } : manner === 'headers' ? { headers: true } : {};
  return { ...trial, seed, ...announcement };
}
