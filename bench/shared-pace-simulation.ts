/*
 * Simulates processes that share a pace, on a virtual clock. A real Redis server runs the real
 * script with the virtual time, so every decision is the one that `carbon batch --pace` meets.
 */
import type { Redis } from 'ioredis';
import { PaceError, type PaceReply, type PaceRequest } from '../src/pace/pace-bucket.ts';
import { SharedPacer } from '../src/pace/shared-pacer.ts';
import type { Limiter } from './pacing-limiters.ts';
import { callScript } from './shared-pace-script.ts';
import { VirtualEvents } from './virtual-events.ts';

/** Processes at one limit. Times are in milliseconds. */
export interface SharedScenario {
  readonly seed: number;
  readonly limiter: Limiter;
  /** Rows of each process. */
  readonly rows: readonly number[];
  /** When each process starts. */
  readonly starts: readonly number[];
  /** When each process is killed (default: never). */
  readonly ends?: readonly (number | undefined)[];
  readonly latencyMs: number;
  /** Maximum deviation of the time of each way, as a share of it. */
  readonly jitter: number;
  readonly concurrency?: number;
  readonly retryAfterMs?: number;
  /** Maximum lateness of a timer (default 1.2 ms). */
  readonly timerMs?: number;
  /** Round trip to Redis (default 0.6 ms). */
  readonly redisMs?: number;
  /** When Redis hangs: from, to. It runs the calls of this time at the end. */
  readonly outage?: readonly [number, number];
  /** Returns the first time, `at` or later, at which a busy machine runs a process. */
  readonly runsAt?: (index: number, at: number) => number;
  /** When Redis loses its data. */
  readonly flushAt?: number;
}

/** Outcome of a simulation. */
export interface SharedResult {
  sent: number;
  refused: number;
  /** Times at which the service accepted a request, by process. */
  readonly accepted: number[][];
  /** Times at which the service refused a request. */
  readonly refusedAt: number[];
  calls: number;
  finishMs: number;
  /** When each process stopped because of a used-up quota. */
  readonly stoppedAt: (number | undefined)[];
  readonly notices: string[];
}

/** Runs a scenario. The keys of the database of `redis` are deleted first. */
export async function simulateShared(
  redis: Redis,
  scenario: SharedScenario,
): Promise<SharedResult> {
  const { seed, limiter, rows, starts, ends, latencyMs, jitter, concurrency = 16 } = scenario;
  const { retryAfterMs, timerMs = 1.2, redisMs = 0.6, outage, flushAt } = scenario;
  const { runsAt = (_, at) => at } = scenario;
  const random = randomNumbers(seed);
  const events = new VirtualEvents();
  const result: SharedResult = {
    sent: 0,
    refused: 0,
    accepted: rows.map(() => []),
    refusedAt: [],
    calls: 0,
    finishMs: 0,
    stoppedAt: rows.map(() => undefined),
    notices: [],
  };
  let now = 0;
  const pending = new Set<Promise<unknown>>();
  let active = rows.length;
  const epoch = 1_790_000_000_000;
  await redis.flushdb();
  if (flushAt !== undefined) events.add(flushAt, () => void hold(redis.flushdb()));
  const hold = async <Value>(promise: Promise<Value>): Promise<Value> => {
    pending.add(promise);
    try {
      return await promise;
    } finally {
      pending.delete(promise);
    }
  };
  const later = (ms: number) =>
    new Promise<void>((resolve) => {
      events.add(now + ms, resolve);
    });
  const oneWayMs = () => (latencyMs / 2) * (1 + jitter * (2 * random() - 1));

  const start = async (index: number) => {
    const clockOffset = 1e6 * random();
    let isKilled = false;
    const clock = {
      now: () => epoch + now,
      // Advances a little, so that a loop that waits for a time ends.
      elapsed: () => {
        now += 0.001;
        return now + clockOffset;
      },
      sleep: () => Promise.reject(new Error('unused')),
      after(ms: number, call: () => void) {
        let isCanceled = false;
        events.add(runsAt(index, now + Math.max(0, ms) + timerMs * random()), () => {
          if (!isCanceled) call();
        });
        return () => {
          isCanceled = true;
        };
      },
    };
    const call = async (request: PaceRequest): Promise<PaceReply> => {
      if (isKilled) return new Promise(() => undefined);
      result.calls += 1;
      await later(redisMs * (0.3 + 0.4 * random()));
      const reply = respond(request);
      return isHanging() ? Promise.race([reply, timeOut()]) : reply;
    };
    const isHanging = () => outage !== undefined && now >= outage[0] && now < outage[1];
    const respond = async (request: PaceRequest): Promise<PaceReply> => {
      if (isHanging()) await later((outage?.[1] ?? now) - now);
      const reply = await hold(callScript(redis, request, index, epoch + now));
      await later(runsAt(index, now + redisMs * (0.3 + 0.4 * random())) - now);
      return reply;
    };
    const timeOut = async (): Promise<never> => {
      await later(1_000);
      throw new PaceError('no response within 1000 ms', false, undefined);
    };
    const pacer = new SharedPacer({
      bucket: { call },
      concurrency,
      clock,
      random,
      onNotice: (notice) => result.notices.push(`${index} ${Math.round(now)} ${notice.kind}`),
    });
    await pacer.open();
    let left = rows[index] ?? 0;
    let inFlight = 0;
    let wakesAt = Infinity;
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      active -= 1;
      void pacer.close();
    };
    const endsAt = ends?.[index];
    if (endsAt !== undefined) {
      events.add(endsAt, () => {
        if (isOver) return;
        isOver = true;
        isKilled = true;
        active -= 1;
      });
    }
    const pump = () => {
      while (!isOver && left > 0) {
        const delayMs = pacer.delay(clock.elapsed());
        if (delayMs > 0) return wakeIn(delayMs);
        left -= 1;
        send();
      }
      if (left === 0 && inFlight === 0) finish();
    };
    const wakeIn = (ms: number) => {
      if (ms === Infinity) return;
      const at = now + ms;
      if (wakesAt > now && wakesAt <= at) return;
      wakesAt = at;
      events.add(runsAt(index, at + timerMs * random()), () => {
        if (wakesAt !== at) return;
        wakesAt = Infinity;
        pump();
      });
    };
    const send = () => {
      const ticket = pacer.sent(clock.elapsed());
      inFlight += 1;
      result.sent += 1;
      events.add(now + oneWayMs(), () => {
        const passes = limiter.freeAt(now) <= now;
        if (passes) {
          limiter.take(now);
          result.accepted[index]?.push(now);
        } else {
          result.refused += 1;
          result.refusedAt.push(now);
        }
        events.add(runsAt(index, now + oneWayMs()), () => {
          inFlight -= 1;
          const kind = passes ? 'accepted' : 'refused';
          const wait = passes || retryAfterMs === undefined ? {} : { retryAfterMs };
          pacer.responded(ticket, clock.elapsed(), { kind, ...wait });
          if (!passes) left += 1;
          if (passes) result.finishMs = now;
          if (!passes && pacer.exhausted) {
            result.stoppedAt[index] ??= now;
            left = 0;
          }
          pump();
        });
      });
    };
    pump();
  };

  for (const [index, at] of starts.entries()) events.add(at, () => void start(index));
  while (active > 0) {
    // Lets promises settle, and real calls to Redis return, before time moves forward.
    do {
      await Promise.allSettled(pending);
      await new Promise((resolve) => setImmediate(resolve));
    } while (pending.size > 0);
    const next = events.take();
    if (next === undefined) throw new Error('the simulation has no more events');
    now = Math.max(now, next.at);
    next.run();
  }
  return result;
}

/* A linear congruential generator, so that a seed decides everything. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
