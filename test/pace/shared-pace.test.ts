/*
 * Processes that share a pace, on a virtual clock: real pacers, and the real script in a real Redis
 * server at the virtual time.
 */
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Limiter, LimitReq, Quota, TokenBucket } from '../../bench/pacing-limiters.ts';
import { randomNumbers } from '../../bench/pacing-simulation.ts';
import script from '../../src/pace/bucket.lua?raw';
import { PaceError, type Reply, type Report, SharedPacer } from '../../src/pace/shared-pacer.ts';
import { VirtualClock } from '../support/clock.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';

const virtualScript = script.replace("redis.call('TIME')", '{ ARGV[2], 0 }');
const epochSeconds = 1_790_000_000;

interface World {
  readonly limiter: Limiter;
  /** Rows of each process. */
  readonly rows: readonly number[];
  /** When each process starts (default: 30 ms after the previous one). */
  readonly starts?: readonly number[];
  /** When a process is killed. */
  readonly kills?: Readonly<Record<number, number>>;
  /** When Redis does not respond: from, to. */
  readonly outage?: readonly [from: number, to: number];
  readonly latencyMs?: number;
  readonly maxRate?: number;
  readonly retryAfterMs?: number;
}

/** What the service decided. Times are in milliseconds. */
interface Story {
  readonly accepted: { readonly at: number; readonly process: number }[];
  readonly refused: { readonly at: number; readonly process: number }[];
  readonly notices: string[];
  /** When each process stopped because of a used-up quota. */
  readonly stoppedAt: number[];
  calls: number;
}

async function simulate(world: World): Promise<Story> {
  const { limiter, rows, kills = {}, outage, latencyMs = 10, maxRate, retryAfterMs } = world;
  const redis = new Redis({ path: (await startRedis()).socket });
  onTestFinished(() => redis.disconnect());
  const random = randomNumbers(1);
  const clock = new VirtualClock();
  const story: Story = { accepted: [], refused: [], notices: [], stoppedAt: [], calls: 0 };
  const oneWayMs = () => (latencyMs / 2) * (0.9 + 0.2 * random());

  const call = async (process: number, report: Report): Promise<Reply> => {
    story.calls += 1;
    if (clock.elapsed() >= (kills[process] ?? Infinity)) return new Promise(() => undefined);
    const isLost =
      outage !== undefined && clock.elapsed() >= outage[0] && clock.elapsed() < outage[1];
    await clock.sleep(isLost ? 1_000 : 0.3);
    if (isLost) throw new PaceError('no response within 1000 ms');
    const release = clock.hold();
    const body = JSON.stringify({ ...report, id: `p${process}` });
    const seconds = epochSeconds + clock.elapsed() / 1_000;
    const reply = await redis.eval(virtualScript, 2, 'bucket', 'members', body, seconds);
    release();
    await clock.sleep(0.3);
    return JSON.parse(String(reply)) as Reply;
  };

  const run = async (process: number) => {
    await clock.sleep(world.starts?.[process] ?? 30 * process);
    const pacer = new SharedPacer({
      bucket: { call: (report) => call(process, report) },
      concurrency: 16,
      maxRate,
      clock,
      onNotice: ({ kind }) => void story.notices.push(`${process} ${kind}`),
    });
    await pacer.open();
    let left = rows[process] ?? 0;
    const requests = new Set<Promise<void>>();
    const isKilled = () => clock.elapsed() >= (kills[process] ?? Infinity);
    const send = async () => {
      const ticket = pacer.sent(clock.elapsed());
      await clock.sleep(oneWayMs());
      const at = clock.elapsed();
      const passes = limiter.freeAt(at) <= at;
      if (passes) limiter.take(at);
      story[passes ? 'accepted' : 'refused'].push({ at, process });
      await clock.sleep(oneWayMs());
      const wait = passes || retryAfterMs === undefined ? {} : { retryAfterMs };
      pacer.responded(ticket, clock.elapsed(), { kind: passes ? 'accepted' : 'refused', ...wait });
      if (passes) return;
      left += 1;
      if (!pacer.exhausted) return;
      story.stoppedAt[process] ??= clock.elapsed();
      left = 0;
    };
    while ((left > 0 || requests.size > 0) && !isKilled()) {
      const ms = left > 0 ? pacer.delay(clock.elapsed()) : Infinity;
      if (ms === Infinity) await Promise.race(requests);
      else if (ms > 0) await clock.sleep(ms + random());
      else {
        left -= 1;
        const request = send().finally(() => requests.delete(request));
        requests.add(request);
      }
    }
    // A killed process makes no more calls.
    if (!isKilled()) await pacer.close();
    else await new Promise(() => undefined);
  };

  const running = rows.map((_, process) => run(process));
  await Promise.all(running.filter((_, process) => kills[process] === undefined));
  return story;
}

/* The share of the permitted rate and of refused requests, in percent, from one time to another. */
function shares(story: Story, perSecond: number, from: number, to: number) {
  const isWithin = ({ at }: { at: number }) => at >= from && at < to;
  const accepted = story.accepted.filter(isWithin).length;
  const refused = story.refused.filter(isWithin).length;
  const permitted = (100_000 * accepted) / perSecond / (to - from);
  return { permitted, refused: (100 * refused) / (accepted + refused) };
}

const eight = (rows: number) => new Array<number>(8).fill(rows);

describe.skipIf(!hasRedis)('the shared pace', () => {
  it.each([
    { rate: 50, burst: 10, rows: 300, maxRefused: 2 },
    { rate: 50, burst: 50, rows: 500, maxRefused: 2 },
    { rate: 500, burst: 100, rows: 3_000, maxRefused: 2 },
    // Nothing but refusals shows a low limit, and a short list has few other requests.
    { rate: 5, burst: 10, rows: 250, maxRefused: 6 },
  ])(
    'uses at least 95 %% of $rate/s with a burst of $burst, at most $maxRefused %% refused',
    async ({ rate, burst, rows, maxRefused }) => {
      const story = await simulate({ limiter: new TokenBucket(burst, rate), rows: eight(rows) });
      const endMs = story.accepted.at(-1)?.at ?? 0;
      const sent = story.accepted.length + story.refused.length;
      expect(story.accepted).toHaveLength(8 * rows);
      expect((100_000 * (8 * rows - burst)) / rate / endMs).toBeGreaterThanOrEqual(95);
      expect((100 * story.refused.length) / sent).toBeLessThanOrEqual(maxRefused);
    },
  );

  it('gives each process its share, also one that joins, and the share of a killed one to the others', async () => {
    const story = await simulate({
      limiter: new TokenBucket(10, 50),
      rows: [1_500, 1_500, 700, 700],
      starts: [0, 0, 0, 10_000],
      kills: { 0: 20_000, 1: 20_000 },
    });
    const counts = [0, 1, 2, 3].map(
      (own) =>
        story.accepted.filter(({ at, process }) => process === own && at >= 12_000 && at < 20_000)
          .length,
    );
    for (const count of counts) expect(count).toBeGreaterThan(70);
    expect(shares(story, 50, 22_000, 30_000).permitted).toBeGreaterThanOrEqual(95);
  });

  it('never exceeds --rate of a process', async () => {
    const { accepted } = await simulate({
      limiter: new TokenBucket(10, 50),
      rows: [60],
      maxRate: 10,
    });
    expect((accepted.at(-1)?.at ?? 0) - (accepted[0]?.at ?? 0)).toBeGreaterThanOrEqual(5_800);
  });

  it('works at a limit without a burst', async () => {
    const story = await simulate({ limiter: new LimitReq(50), rows: eight(100) });
    expect(story.accepted).toHaveLength(800);
    expect(shares(story, 50, 2_000, 10_000).permitted).toBeGreaterThan(50);
  });

  it('stops all processes within two seconds when a refusal means a used-up quota', async () => {
    const limiter = new Quota(200, new TokenBucket(10, 50));
    const { stoppedAt } = await simulate({ limiter, rows: eight(100), retryAfterMs: 7_200_000 });
    expect(stoppedAt.filter(Number)).toHaveLength(8);
    expect(Math.max(...stoppedAt) - Math.min(...stoppedAt)).toBeLessThan(2_000);
  });

  it('stops all processes when only time shows a used-up quota', async () => {
    const limiter = new Quota(200, new TokenBucket(10, 50));
    const { stoppedAt, refused } = await simulate({ limiter, rows: eight(100) });
    expect(stoppedAt.filter(Number)).toHaveLength(8);
    expect(Math.min(...stoppedAt)).toBeGreaterThan(300_000);
    expect(Math.max(...stoppedAt) - Math.min(...stoppedAt)).toBeLessThan(2_000);
    expect(refused.length).toBeLessThan(150);
  });

  it('continues at the last share while Redis does not respond', async () => {
    const story = await simulate({
      limiter: new TokenBucket(10, 50),
      rows: eight(200),
      outage: [12_000, 22_000],
    });
    const during = shares(story, 50, 13_000, 22_000);
    expect(during.permitted).toBeGreaterThanOrEqual(90);
    expect(during.refused).toBeLessThanOrEqual(2);
    expect(story.notices.filter((notice) => notice.endsWith('lost'))).toHaveLength(8);
    expect(story.notices.filter((notice) => notice.endsWith('back'))).toHaveLength(8);
  });
});
