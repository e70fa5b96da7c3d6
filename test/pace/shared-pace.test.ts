/* The script in a real Redis server, and processes that share it, on a virtual clock. */
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LimitReq, TokenBucket } from '../../bench/pacing-limiters.ts';
import { callScript } from '../../bench/shared-pace-script.ts';
import {
  type SharedResult,
  type SharedScenario,
  simulateShared,
} from '../../bench/shared-pace-simulation.ts';
import type { PaceReply, PaceRequest } from '../../src/pace/pace-bucket.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';

const title = (text: string) => (hasRedis ? text : `${text} (skipped without redis-server)`);
const began = 1_790_000_000_000;

async function connect(): Promise<Redis> {
  const { socket } = await startRedis();
  const redis = new Redis({ path: socket });
  onTestFinished(() => redis.disconnect());
  return redis;
}

/* Calls the script as a process, at a time in milliseconds. */
async function bucket() {
  const redis = await connect();
  const call = (id: number, at: number, request: Partial<PaceRequest>): Promise<PaceReply> => {
    const none = { accepted: 0, acceptedAt: 0, refused: [], failed: 0, advertised: 0, stop: 0 };
    const full = { want: 0, rtt: 5, delay: 0, spacing: 0, ...none, ...request };
    return callScript(redis, full, id, began + at);
  };
  return { redis, call };
}

const refusal = { gen: 0, gap: -1, spacing: 0, wait: 0 };

describe('bucketScript', () => {
  it.skipIf(!hasRedis)(title('permits few requests before it knows the service'), async () => {
    const { call } = await bucket();
    const first = await call(1, 0, { want: 16 });
    const second = await call(2, 1, { want: 16 });
    expect(first.count).toBe(2);
    expect(second.count).toBeUndefined();
    const accepted = { accepted: 2, acceptedAt: began + 1 };
    expect((await call(1, 10, { want: 16, ...accepted })).count).toBe(2);
  });

  it.skipIf(!hasRedis)(title('counts the processes that called within two seconds'), async () => {
    const { call } = await bucket();
    await call(1, 0, {});
    expect((await call(2, 1_500, {})).members).toBe(2);
    expect((await call(2, 2_001, {})).members).toBe(1);
    expect((await call(3, 2_002, {})).members).toBe(2);
    await call(2, 2_003, { leaves: true });
    expect((await call(3, 2_004, {})).members).toBe(1);
  });

  it.skipIf(!hasRedis)(title('delays all processes by the Retry-After of one'), async () => {
    const { call } = await bucket();
    await call(1, 0, { want: 1, refused: [{ ...refusal, at: began, wait: 30_000 }] });
    const { retry, count } = await call(2, 1_000, { want: 1 });
    expect({ retry, count }).toEqual({ retry: 29_000, count: undefined });
    expect((await call(2, 30_001, { want: 1 })).count).toBe(1);
  });

  it.skipIf(!hasRedis)(title('shares a used-up quota until a request is accepted'), async () => {
    const { call } = await bucket();
    await call(1, 0, { refused: [{ ...refusal, at: began, wait: 7_200_000 }] });
    const { exhausted, count } = await call(2, 100, { want: 16 });
    // One request confirms it.
    expect({ exhausted, count }).toEqual({ exhausted: true, count: 1 });
    await call(2, 200, { accepted: 1, acceptedAt: began + 150 });
    expect((await call(1, 300, {})).exhausted).toBe(false);
  });

  it.skipIf(!hasRedis)(title('follows the rate that the service advertises'), async () => {
    const { call } = await bucket();
    await call(1, 0, { accepted: 1, acceptedAt: began, advertised: 0.01 });
    expect((await call(2, 100, { want: 16 })).spacing).toBe(100);
    expect((await call(2, 60_200, {})).rate).toBeUndefined();
  });

  it.skipIf(!hasRedis)(title('resumes at the known rate after its data was deleted'), async () => {
    const { redis, call } = await bucket();
    const known = { mode: 1, rate: 0.05, gap: 0, edges: 3 };
    await call(1, 0, { want: 1 });
    await redis.flushall();
    const { isNew, spacing } = await call(1, 1_000, { want: 16, known });
    expect({ isNew, spacing }).toEqual({ isNew: true, spacing: 20 });
    expect((await call(2, 1_001, { known })).isNew).toBe(false);
  });

  it.skipIf(!hasRedis)(title('permits requests after the clock was set back'), async () => {
    const { call } = await bucket();
    const known = { mode: 1, rate: 0.05, gap: 0, edges: 3 };
    await call(1, 3_600_000, { want: 16, known });
    const { first = Infinity } = await call(1, 0, { want: 16 });
    expect(first).toBeLessThan(100);
  });

  it.skipIf(!hasRedis)(title('continues after a refusal that nothing confirms'), async () => {
    const { call } = await bucket();
    await call(1, 0, { want: 16 });
    await call(1, 10, { refused: [{ ...refusal, at: began + 1 }] });
    const { solo = -1 } = await call(1, 500, { want: 16 });
    const results = [1, 2, 3].map((ms) => ({ at: began + 500 + ms, passed: true }));
    const accepted = { accepted: 3, acceptedAt: began + 503 };
    await call(1, 520, { solo: { id: solo, results }, ...accepted });
    const { count = 0, rate } = await call(2, 2_000, { want: 16 });
    expect({ isPermitted: count > 0, rate }).toEqual({ isPermitted: true, rate: undefined });
  });

  it.skipIf(!hasRedis)(title('keeps the rate while no process wants permits'), async () => {
    const { call } = await bucket();
    const known = { mode: 1, rate: 0.05, gap: 0, edges: 3 };
    const { spacing } = await call(1, 0, { want: 16, known });
    for (let at = 1_000; at <= 60_000; at += 1_000) await call(1, at, { known });
    const later = await call(2, 60_001, { want: 16 });
    expect(later.spacing).toBeGreaterThan(0.9 * (spacing ?? Infinity));
    expect(later.rate).toBeLessThan(0.06);
  });

  it.skipIf(!hasRedis)(title('keeps the rate during a series of refusals'), async () => {
    const { call } = await bucket();
    const known = { mode: 1, rate: 0.05, gap: 0, edges: 3 };
    await call(1, 0, { want: 16, known });
    for (let at = 1_000; at <= 60_000; at += 1_000) {
      const { gen } = await call(1, at, { known });
      await call(1, at, { known, refused: [{ ...refusal, gen, spacing: 20, at: began + at }] });
    }
    const accepted = { accepted: 1, acceptedAt: began + 60_400 };
    const { rate } = await call(1, 60_500, { known, ...accepted });
    expect(rate).toBeLessThan(0.06);
  });

  it.skipIf(!hasRedis)(
    title('proves no burst by requests that were not sent at once'),
    async () => {
      const { call } = await bucket();
      await call(1, 0, { want: 16, known: { mode: 3, rate: 0, gap: 20, edges: 3 } });
      await call(1, 10, { accepted: 300, acceptedAt: began + 1 });
      const { probe = 0 } = await call(1, 2_000, { want: 16 });
      expect(probe).toBeLessThan(0);
      const results = [0, 50, 100].map((ms) => ({ at: began + 2_050 + ms, passed: true }));
      await call(1, 2_200, { solo: { id: probe, results } });
      expect((await call(1, 2_300, { want: 16 })).isStrict).toBe(true);
    },
  );

  it.skipIf(!hasRedis)(title('expires, but not before a Retry-After ends'), async () => {
    const { redis, call } = await bucket();
    await call(1, 0, { want: 1 });
    expect(await redis.pttl('bucket')).toBeGreaterThan(590_000);
    expect(await redis.pttl('members')).toBeLessThanOrEqual(600_000);
    await call(1, 1, { stop: 1_800_000 });
    expect(await redis.pttl('bucket')).toBeGreaterThan(2_390_000);
  });
});

const eight = {
  seed: 7,
  rows: Array.from({ length: 8 }, () => 180),
  starts: Array.from({ length: 8 }, (_, index) => 100 * index),
  latencyMs: 5,
  jitter: 0.05,
};

async function run(scenario: Omit<SharedScenario, keyof typeof eight> & Partial<SharedScenario>) {
  const redis = await connect();
  return simulateShared(redis, { ...eight, ...scenario });
}

/* Accepted requests per second from one time to another, in milliseconds. */
function rateBetween({ accepted }: SharedResult, from: number, to: number): number {
  const count = accepted.flat().filter((at) => at >= from && at < to).length;
  return (1_000 * count) / (to - from);
}

function refusedShare({ refused, sent }: SharedResult): number {
  return refused / sent;
}

describe('SharedPacer', { tags: ['long'] }, () => {
  const timeout = 300_000;

  it.skipIf(!hasRedis)(
    title('uses a limit with a burst completely and fairly'),
    async () => {
      const result = await run({ limiter: new TokenBucket(10, 50) });
      expect(rateBetween(result, 3_000, 23_000)).toBeGreaterThan(0.97 * 50);
      expect(refusedShare(result)).toBeLessThan(0.02);
      const counts = result.accepted.map(
        (times) => times.filter((at) => at >= 4_000 && at < 20_000).length,
      );
      expect(Math.min(...counts)).toBeGreaterThan(0.8 * Math.max(...counts));
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('uses a limit without a burst'),
    async () => {
      const result = await run({ limiter: new LimitReq(50) });
      expect(rateBetween(result, 3_000, 23_000)).toBeGreaterThan(0.95 * 50);
      expect(refusedShare(result)).toBeLessThan(0.03);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('uses a fast limit in each half of a second'),
    async () => {
      const rows = Array.from({ length: 4 }, () => Infinity);
      const ends = rows.map(() => 20_000);
      const starts = eight.starts.slice(0, 4);
      const service = { limiter: new TokenBucket(300, 3_000), latencyMs: 10, jitter: 0.2 };
      const result = await run({ rows, starts, ends, concurrency: 32, ...service });
      for (let from = 2_000; from < 20_000; from += 500)
        expect(rateBetween(result, from, from + 500)).toBeGreaterThan(0.9 * 3_000);
      expect(refusedShare(result)).toBeLessThan(0.02);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('wants no permits that its requests in flight would delay'),
    async () => {
      const rows = Array.from({ length: 20 }, () => Infinity);
      const ends = rows.map(() => 15_000);
      const starts = rows.map((_, index) => 100 * index);
      const service = { limiter: new TokenBucket(100, 1_000), latencyMs: 200, jitter: 0.2 };
      const result = await run({ rows, starts, ends, ...service });
      expect(rateBetween(result, 10_000, 15_000)).toBeGreaterThan(0.95 * 1_000);
      expect(refusedShare(result)).toBeLessThan(0.05);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('gives a process that joins its share within two seconds'),
    async () => {
      const starts = eight.starts.with(7, 10_000);
      const result = await run({ limiter: new TokenBucket(10, 50), starts });
      const [joined = []] = result.accepted.slice(7);
      expect(joined[0]).toBeLessThan(12_000);
      const count = joined.filter((at) => at >= 12_000 && at < 20_000).length;
      expect(count).toBeGreaterThan(0.8 * 8 * (50 / 8));
      expect(rateBetween(result, 10_000, 20_000)).toBeGreaterThan(0.95 * 50);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('gives the share of killed processes to the others within two seconds'),
    async () => {
      for (const limiter of [new TokenBucket(10, 50), new LimitReq(50)]) {
        const ends = eight.starts.map((_, index) => (index < 4 ? 10_000 : undefined));
        const result = await run({ limiter, ends });
        expect(rateBetween(result, 12_000, 20_000)).toBeGreaterThan(0.95 * 50);
      }
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('stops all processes within two seconds when the quota is used up'),
    async () => {
      const { stoppedAt } = await run({
        limiter: new TokenBucket(100, 1e-9),
        retryAfterMs: 7_200_000,
      });
      const times = stoppedAt.filter((at) => at !== undefined);
      expect(times).toHaveLength(8);
      expect(Math.max(...times) - Math.min(...times)).toBeLessThan(2_000);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('stops all processes within a second when only time shows a used-up quota'),
    async () => {
      const { stoppedAt } = await run({ limiter: new TokenBucket(100, 1e-9) });
      const times = stoppedAt.filter((at) => at !== undefined);
      expect(times).toHaveLength(8);
      expect(Math.min(...times)).toBeGreaterThan(300_000);
      expect(Math.max(...times) - Math.min(...times)).toBeLessThan(1_000);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('uses the limit soon after a busy machine delayed the start of all processes'),
    async () => {
      const runsAt = (_: number, at: number) =>
        at > 10_000 || at % 1_000 < 50 ? at : 1_000 * Math.ceil(at / 1_000);
      const result = await run({ limiter: new TokenBucket(10, 50), runsAt });
      expect(rateBetween(result, 14_000, 20_000)).toBeGreaterThan(0.95 * 50);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('continues at the last share while Redis does not respond'),
    async () => {
      const count = 32;
      const rows = Array.from({ length: count }, () => 50);
      const starts = rows.map((_, index) => 20 * index);
      const outage = [8_000, 18_000] as const;
      const limiter = new TokenBucket(10, 50);
      const result = await run({ limiter, rows, starts, outage });
      expect(result.accepted.flat()).toHaveLength(50 * count);
      expect(rateBetween(result, 9_500, 18_000)).toBeGreaterThan(0.95 * 50);
      const refused = result.refusedAt.filter((at) => at > 9_000 && at < 18_000);
      expect(refused.length).toBeLessThan(0.01 * 9 * 50);
      const kinds = result.notices.map((notice) => notice.split(' ')[2]).sort();
      expect(kinds).toEqual([...Array(count).fill('back'), ...Array(count).fill('lost')]);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('leaves the limit to the others when it starts while Redis does not respond'),
    async () => {
      const rows = Array.from({ length: 36 }, () => 60);
      const starts = rows.map((_, index) => (index < 32 ? 20 * index : 10_200 + 10 * index));
      const outage = [10_000, 20_000] as const;
      const result = await run({ limiter: new TokenBucket(10, 50), rows, starts, outage });
      const refused = result.refusedAt.filter((at) => at > 11_000 && at < 20_000);
      expect(refused.length).toBeLessThan(0.15 * 9 * 50);
      expect(result.accepted.flat()).toHaveLength(36 * 60);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('uses the limit when processes start while Redis does not respond'),
    async () => {
      const rows = eight.rows.map(() => Infinity);
      const ends = rows.map(() => 30_000);
      const limiter = new TokenBucket(10, 50);
      const result = await run({ limiter, rows, ends, outage: [-1, Infinity] });
      expect(rateBetween(result, 10_000, 30_000)).toBeGreaterThan(0.95 * 50);
      expect(refusedShare(result)).toBeLessThan(0.06);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('uses the limit when Redis responds slowly'),
    async () => {
      const rows = eight.rows.map(() => 240);
      const result = await run({ limiter: new TokenBucket(10, 50), redisMs: 400, rows });
      expect(result.accepted.flat()).toHaveLength(8 * 240);
      expect(rateBetween(result, 25_000, 40_000)).toBeGreaterThan(0.8 * 50);
    },
    timeout,
  );

  it.skipIf(!hasRedis)(
    title('resumes at the known rate when Redis loses its data'),
    async () => {
      const result = await run({ limiter: new TokenBucket(10, 50), flushAt: 8_000 });
      expect(result.accepted.flat()).toHaveLength(8 * 180);
      expect(rateBetween(result, 8_000, 18_000)).toBeGreaterThan(0.95 * 50);
      expect(result.notices.filter((notice) => notice.endsWith('flushed'))).toHaveLength(1);
    },
    timeout,
  );
});
