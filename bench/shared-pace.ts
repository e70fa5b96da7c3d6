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
import {
  carbon,
  isInstalled,
  startServer,
  temporaryDirectory,
  use,
  writeSuppliers,
} from './measure.ts';

const section = 'shared pace, real time';
const rate = 50;

/** Measures 1, 8 and 32 processes at one limit; nothing without redis-server. */
export async function* sharedPace(rows: number): AsyncGenerator<Finding> {
  if (!isInstalled('redis-server', '--version')) return;
  const socket = join(temporaryDirectory, 'pace.sock');
  const flags = ['--port', '0', '--unixsocket', socket, '--save', ''];
  const redis = spawn('redis-server', flags, { stdio: 'ignore', cwd: temporaryDirectory });
  try {
    while (!existsSync(socket)) await sleep(20);
    for (const burst of [10, 1]) {
      for (const processes of [1, 8, 32]) {
        yield* measured(rows, burst, processes, `unix://${socket}`);
        yield* measured(rows, burst, processes, undefined);
      }
    }
  } finally {
    redis.kill();
    await once(redis, 'close');
  }
}

async function* measured(
  rows: number,
  burst: number,
  processes: number,
  pace: string | undefined,
): AsyncGenerator<Finding> {
  const server = await startServer({ rate, burst });
  // Each case has its own port and so its own bucket.
  const env = { ...server.env, ...(pace === undefined ? {} : { CARBON_PACE: pace }) };
  const file = await writeSuppliers(rows);
  const shards = Array.from({ length: processes }, (_, index) =>
    use(
      [carbon, 'batch', file, '--no-progress', '--shard', `${index + 1}/${processes}`],
      env,
      'ignore',
    ),
  );
  await Promise.all(shards);
  const { accepted, refused, elapsedMs } = await server.counts();
  server.stop();
  if (accepted !== rows) throw new Error(`${accepted} of ${rows} rows were registered`);
  const what = `${rate}/s, burst ${burst}, ${processes} processes${pace === undefined ? ' alone' : ''}`;
  const isMeasured = pace !== undefined && processes === 8;
  yield {
    section,
    what: `${what}: of the permitted rate`,
    value: (100_000 * (rows - burst)) / rate / elapsedMs,
    unit: '%',
    goal: isMeasured ? ['at least', 97] : undefined,
  };
  yield {
    section,
    what: `${what}: refused`,
    value: (100 * refused) / (accepted + refused),
    unit: '%',
    goal: isMeasured ? ['at most', 1] : undefined,
  };
}
