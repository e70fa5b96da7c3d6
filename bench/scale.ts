/*
 * Measures a file in one process and in eight shards, all of them at the same time, against the
 * fast server. Then it kills eight shards in the middle and resumes the file as four.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from './findings.ts';
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
  const server = await startServer();
  const file = await writeSuppliers(rows);
  const measured = await runShards(server, file, count);
  await checkAccepted(server, rows, rows);
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
  const goal = ['at most', 160] as const;
  yield { section, what: `${what}: memory of each, at most`, value: peak, unit: 'MiB', goal };
}

function sumCpu(shards: readonly Used[]): number {
  return shards.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/* Kills eight shards when half of the rows are registered, and resumes with four. */
async function* resume(rows: number, name: string): AsyncGenerator<Finding> {
  const server = await startServer();
  const file = await writeSuppliers(rows);
  const shards = shardWords(file, 8).map((words) => start(server, words));
  while ((await server.counts()).accepted < rows / 2) await sleep(50);
  for (const shard of shards) shard.kill('SIGKILL');
  await Promise.all(shards.map((shard) => once(shard, 'exit')));
  const state = await use([carbon, 'batch', file, '--state'], server.env, 'inherit', 8);
  const goal = ['at most', 160] as const;
  const what = `--state, ${name}, half of them registered`;
  yield { section, what: `${what}: memory`, value: state.peakMiB, unit: 'MiB', goal };
  yield { section, what: `${what}: duration`, value: state.wallMs / 1000, unit: 's' };
  yield* findings(`${name} of 8 killed shards, resumed as 4`, await runShards(server, file, 4));
  const again = (await checkAccepted(server, rows, rows + 8 * maxOpenRows)) - rows;
  const max = ['at most', 8 * maxOpenRows] as const;
  yield {
    section,
    what: 'rows sent twice after 8 kills',
    value: again,
    unit: 'requests',
    goal: max,
  };
  await use([carbon, 'batch', file, '--state'], server.env);
  server.stop();
  rmSync(dirname(file), { recursive: true });
}

/* A kill costs a shard the rows in flight and those that wait for the disk: two groups of rows. */
const maxOpenRows = 16 + 2 * 1024;

async function checkAccepted(server: LoadServer, min: number, max: number): Promise<number> {
  const { accepted } = await server.counts();
  if (accepted < min || accepted > max) throw new Error(`${accepted} rows were registered`);
  return accepted;
}

function start(server: LoadServer, words: readonly string[]): ChildProcess {
  const env = { ...bareEnvironment, ...server.env };
  return spawn(node, [carbon, ...words], { env, stdio: 'ignore' });
}
