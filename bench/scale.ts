/*
 * Measures a file in one process and in eight shards, all of them at the same time, against the
 * fast server. Then it kills eight shards in the middle and resumes the file as four.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './findings.ts';
import type { Counts } from './load-server.ts';
import {
  bareEnvironment,
  carbon,
  type LoadServer,
  node,
  startServer,
  type Used,
  use,
  writeSuppliers,
} from './measure.ts';

const section = 'shards';

/** Measures one process, eight shards, a resume as four shards, and the state of all journals. */
export async function* scale(rows: number): AsyncGenerator<Finding> {
  const name = `${rows.toLocaleString('en')} rows`;
  const one = await measure(rows, 1);
  yield* findings(`${name} in one process`, one);
  const eight = await measure(rows, 8);
  yield* findings(`${name} in 8 shards at the same time`, eight, one);
  yield* resume(rows, name);
}

interface Measured {
  readonly wallMs: number;
  readonly shards: readonly Used[];
}

/* Runs all shards of a new file at the same time. */
async function measure(rows: number, count: number): Promise<Measured> {
  const server = await startServer({ idempotent: true });
  const file = await writeSuppliers(rows);
  const measured = await runShards(server, file, count);
  await checkRegistered(server, rows, rows);
  server.stop();
  rmSync(dirname(file), { recursive: true });
  return measured;
}

async function runShards(server: LoadServer, file: string, count: number): Promise<Measured> {
  const began = performance.now();
  const shards = await Promise.all(
    shardWords(file, count).map((words) => use([carbon, ...words], server.env)),
  );
  return { wallMs: performance.now() - began, shards };
}

function shardWords(file: string, count: number): string[][] {
  const words = ['batch', file, '--no-progress'];
  if (count === 1) return [words];
  return Array.from({ length: count }, (_, at) => [...words, '--shard', `${at + 1}/${count}`]);
}

function* findings(what: string, { wallMs, shards }: Measured, one?: Measured): Generator<Finding> {
  const finding = { section, ratio: one && wallMs / one.wallMs };
  yield { ...finding, what: `${what}: duration`, value: wallMs / 1000, unit: 's' };
  const cpuMs = sumCpu(shards);
  const ratio = one && cpuMs / sumCpu(one.shards);
  yield { section, what: `${what}: processor time`, value: cpuMs / 1000, unit: 's', ratio };
  const peak = Math.max(...shards.map(({ peakMiB }) => peakMiB));
  const goal = ['at most', 381] as const;
  yield { section, what: `${what}: memory of each, at most`, value: peak, unit: 'MiB', goal };
}

function sumCpu(shards: readonly Used[]): number {
  return shards.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/*
 * Kills eight shards when half of the rows are registered, and resumes with four. The server then
 * has every row, and it has received twice exactly the rows that no journal had after the kill.
 */
async function* resume(rows: number, name: string): AsyncGenerator<Finding> {
  const server = await startServer({ idempotent: true });
  const file = await writeSuppliers(rows);
  const shards = shardWords(file, 8).map((words) => start(server, words));
  while ((await server.counts()).accepted < rows / 2) await sleep(50);
  for (const shard of shards) shard.kill('SIGKILL');
  await Promise.all(shards.map((shard) => once(shard, 'exit')));
  const killed = await settledCounts(server);
  const open = killed.registered - registeredIn(server, file);
  const state = await use([carbon, 'batch', file, '--status'], server.env, 'inherit', 8);
  const goal = ['at most', 381] as const;
  const what = `--status, ${name}, half of them registered`;
  yield { section, what: `${what}: memory`, value: state.peakMiB, unit: 'MiB', goal };
  yield { section, what: `${what}: duration`, value: state.wallMs / 1000, unit: 's' };
  yield* findings(`${name} of 8 killed shards, resumed as 4`, await runShards(server, file, 4));
  await checkRegistered(server, rows, rows + open);
  if (registeredIn(server, file) !== rows) throw new Error('the journals lack rows');
  const again = (await server.counts()).accepted - killed.accepted - (rows - killed.registered);
  const max = ['at most', open] as const;
  yield { section, what: 'rows without a journal line after 8 kills', value: open, unit: 'rows' };
  yield { section, what: 'rows sent twice', value: again, unit: 'rows', goal: max };
  server.stop();
  rmSync(dirname(file), { recursive: true });
}

/* Waits until the server has served the requests that the killed processes had sent. */
async function settledCounts(server: LoadServer): Promise<Counts> {
  for (;;) {
    const before = await server.counts();
    await sleep(500);
    const after = await server.counts();
    if (before.accepted === after.accepted) return after;
  }
}

/* Returns how many rows the journals record as registered. */
function registeredIn(server: LoadServer, file: string): number {
  const env = { ...bareEnvironment, ...server.env };
  const words = [carbon, 'batch', file, '--status', '--json'];
  return JSON.parse(spawnSync(node, words, { env, encoding: 'utf8' }).stdout).registered;
}

/* Throws unless each row has an id and the server accepted at most so many requests. */
async function checkRegistered(server: LoadServer, rows: number, max: number): Promise<void> {
  const { accepted, registered } = await server.counts();
  if (registered !== rows) throw new Error(`${registered} of ${rows} rows have an id`);
  if (accepted > max) throw new Error(`${accepted} requests for ${rows} rows`);
}

function start(server: LoadServer, words: readonly string[]): ChildProcess {
  const env = { ...bareEnvironment, ...server.env };
  return spawn(node, [carbon, ...words], { env, stdio: 'ignore' });
}
