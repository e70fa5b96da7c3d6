/*
 * Measures processes that share a pace through a real Redis server, side by side with processes
 * that do not, against a real server with a rate limit. One case at a time, because the times of
 * sending matter.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './findings.ts';
import { isInstalled, startServer, temporaryDirectory } from './measure.ts';
import { Processes } from './shared-pace-processes.ts';

const section = 'shared pace, real time';
const rate = 50;
const permittedGoal = ['at least', 95] as const;
const refusedGoal = ['at most', 2] as const;

/** How much is measured. */
export interface SharedPaceSize {
  /** Rows of all processes together. */
  readonly rows: number;
  /** Numbers of processes. */
  readonly processes: readonly number[];
}

/** Measures processes at one limit; nothing without redis-server. */
export async function* sharedPace(size: SharedPaceSize): AsyncGenerator<Finding> {
  if (!isInstalled('redis-server', '--version')) return;
  const socket = join(temporaryDirectory, 'pace.sock');
  const flags = ['--port', '0', '--unixsocket', socket, '--save', ''];
  const redis = spawn('redis-server', flags, { stdio: 'ignore', cwd: temporaryDirectory });
  const pace = `unix://${socket}`;
  try {
    while (!existsSync(socket)) await sleep(20);
    for (const processes of size.processes) {
      // Many processes need more rows to run at the same time.
      const rows = Math.max(size.rows, 100 * processes);
      yield* measured(rows, 10, processes, pace);
      if (processes > 1) yield* measured(rows, 10, processes, undefined);
    }
  } finally {
    redis.kill();
    await once(redis, 'close');
  }
}

async function* measured(
  rows: number,
  burst: number,
  count: number,
  pace: string | undefined,
): AsyncGenerator<Finding> {
  // Each server has its own port and so its own bucket.
  const server = await startServer({ rate, burst });
  const processes = new Processes(server, pace);
  const rowsEach = Math.ceil(rows / count);
  await processes.start(count, rowsEach);
  const { exits } = await processes.ended();
  const timeline = await processes.timeline();
  server.stop();
  if (exits.some((exit) => exit !== 0)) throw new Error(`exit codes ${exits}`);
  const { beganAt, endedAt, commonPeriod } = timeline;
  const shared = pace === undefined ? 'alone' : 'shared';
  const what = `${burst > 1 ? `burst ${burst}` : 'no burst'}, ${count} × ${shared}`;
  const share = (name: string, value: number, goal: Finding['goal']): Finding => {
    const of = { section, what: `${what}: ${name}`, value, unit: '%' } as const;
    return pace === undefined || goal === undefined ? of : { ...of, goal };
  };
  const measure = (from: number, to: number, head: number) => {
    const { accepted, refused } = timeline.count(from, to);
    const permitted = (100_000 * (accepted - head)) / rate / (to - from);
    return { permitted, refused: (100 * refused) / (accepted + refused) };
  };
  const all = measure(beganAt, endedAt, burst);
  // The start of many processes takes long, so their goal applies when all have started.
  const hasGoal = count <= 8;
  yield share('allowed rate', all.permitted, hasGoal ? permittedGoal : undefined);
  yield share('refused', all.refused, hasGoal ? refusedGoal : undefined);
  const [from, to] = commonPeriod;
  if (count === 1 || to - from < 5_000) return;
  const common = measure(from, to, 0);
  yield share('allowed rate while all run', common.permitted, permittedGoal);
  yield share('refused while all run', common.refused, refusedGoal);
}
