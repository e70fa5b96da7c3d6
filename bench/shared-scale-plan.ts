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

/** Numbers of workers, a limit in requests per second, and the simulated time in seconds. */
export type SharedPlan = readonly [workers: number, rate: number, seconds: number];

/** Simulates workers that share a pace. Prints why it does not, if there is no Redis. */
export async function* sharedScalePlan(
  plans: readonly SharedPlan[],
  print: (text: string) => void,
): AsyncGenerator<Finding> {
  if (!isInstalled('redis-server', '--version')) return print('redis-server; not installed');
  const path = `${temporaryDirectory}/plan.sock`;
  const files = ['--unixsocket', path, '--dir', temporaryDirectory];
  const options = ['--port', '0', ...files, '--save', ''];
  const server = spawn('redis-server', options, { env: bareEnvironment, stdio: 'ignore' });
  await sleep(500);
  const connections = plans.map((_, db) => new Redis({ path, db }));
  // Simulations that wait for Redis in turns take half the time.
  const simulations = plans.map((plan, at) => simulate(connections[at] as Redis, plan));
  for (const findings of simulations) yield* await findings;
  const stats = (await connections[0]?.info('commandstats')) ?? '';
  const [, micros] = /cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(stats) ?? [];
  const what = 'time of one call in Redis';
  yield { section, what, value: Number(micros) / 1_000, unit: 'ms' } as const;
  for (const redis of connections) redis.disconnect();
  server.kill();
}

/* Every worker has more rows than it can send. */
async function simulate(redis: Redis, [workers, rate, seconds]: SharedPlan): Promise<Finding[]> {
  const burst = Math.max(10, rate / 10);
  const endMs = 1_000 * seconds;
  const all = <Value>(value: Value) => Array.from({ length: workers }, () => value);
  const { accepted, refused, sent, calls } = await simulateShared(redis, {
    seed: 1,
    limiter: new TokenBucket(burst, rate),
    rows: all(Infinity),
    starts: all(0).map((_, at) => (at * startsWithinMs) / workers),
    ends: all(endMs),
    latencyMs,
    jitter: 0.2,
    retryAfterMs: 1_000,
    concurrency,
  });
  // A few workers cannot reach a high limit.
  const perMs = Math.min(rate / 1_000, (workers * concurrency) / latencyMs);
  const times = accepted.flat();
  const late = times.filter((at) => at > endMs / 2).length;
  const what = `${workers} workers at ${rate}/s, sharing the pace`;
  const percent = (name: string, value: number): Finding => {
    return { section, what: `${what}: ${name}`, value: 100 * value, unit: '%' };
  };
  return [
    percent('of the ideal', times.length / (burst + endMs * perMs)),
    percent('of the ideal in the second half', late / ((endMs / 2) * perMs)),
    percent('refused', refused / sent),
    { section, unit: 'requests', what: `${what}: calls per second`, value: calls / seconds },
  ];
}
