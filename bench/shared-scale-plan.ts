/*
 * Simulates many workers that share a pace, for the plan in docs/scale.md: what share of the
 * permitted rate they use, how many requests are refused, and how often they call Redis. A real
 * Redis server runs the real script at the virtual time.
 */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Finding } from './findings.ts';
import { bareEnvironment, isInstalled, temporaryDirectory } from './measure.ts';
import { TokenBucket } from './pacing-limiters.ts';
import { simulateShared } from './shared-pace-simulation.ts';

const section = 'plan, virtual clock';
const latencyMs = 200;
const concurrency = 16;
const startsWithinMs = 2_000;

/** Numbers of workers, a limit in requests per second, and the rows as seconds of this limit. */
export type SharedPlan = readonly [workers: number, rate: number, seconds: number];

/** Simulates workers that share a pace. Prints why it does not, if there is no Redis. */
export async function* sharedScalePlan(
  plans: readonly SharedPlan[],
  print: (text: string) => void,
): AsyncGenerator<Finding> {
  if (!isInstalled('redis-server', '--version')) return print('redis-server; not installed');
  const socket = `${temporaryDirectory}/plan.sock`;
  const options = [
    '--port',
    '0',
    '--unixsocket',
    socket,
    '--save',
    '',
    '--dir',
    temporaryDirectory,
  ];
  const server = spawn('redis-server', options, { env: bareEnvironment, stdio: 'ignore' });
  await sleep(500);
  const redis = new Redis({ path: socket });
  for (const plan of plans) yield* findings(redis, plan);
  const [, micros] =
    /cmdstat_eval:.*usec_per_call=([\d.]+)/.exec(await redis.info('commandstats')) ?? [];
  const what = 'time of one call in Redis';
  yield { section, what, value: Number(micros) / 1_000, unit: 'ms' } as const;
  redis.disconnect();
  server.kill();
}

async function* findings(redis: Redis, [workers, rate, seconds]: SharedPlan) {
  const total = rate * seconds;
  const burst = Math.max(10, rate / 10);
  const rows = Array.from({ length: workers }, (_, at) => Math.ceil((total - at) / workers));
  const { finishMs, refused, sent, calls } = await simulateShared(redis, {
    seed: 1,
    limiter: new TokenBucket(burst, rate),
    rows,
    starts: rows.map((_, at) => (at * startsWithinMs) / workers),
    latencyMs,
    jitter: 0.2,
    retryAfterMs: 1_000,
    concurrency,
  });
  // A few workers cannot reach a high limit.
  const reachable = Math.min(rate, (workers * concurrency * 1_000) / latencyMs);
  const idealMs = ((total - burst) / reachable) * 1_000 + latencyMs;
  const finding = { section, unit: '%' } as const;
  const what = `${workers} workers at ${rate}/s, sharing the pace`;
  yield { ...finding, what: `${what}: of the ideal`, value: (100 * idealMs) / finishMs };
  yield { ...finding, what: `${what}: refused`, value: (100 * refused) / sent };
  const perSecond = (1_000 * calls) / finishMs;
  yield { section, unit: 'requests', what: `${what}: calls per second`, value: perSecond } as const;
}
