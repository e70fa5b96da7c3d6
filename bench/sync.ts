/*
 * Measures `carbon sync`: a run in which nothing is old, beside a loop that reads and parses the
 * stored records, and a run in which every row is new, behind a rate limit.
 */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from './findings.ts';
import { carbon, median, program, startServer, type Used, use, writeSuppliers } from './measure.ts';

const section = 'sync';
const limit = { rate: 50, burst: 50 };
/* The goals are for large lists. */
const minGoalRows = 100_000;

/** Measures a list in which nothing is old, and one in which every row is new. */
export async function* sync(
  rows: number,
  { turns, newRows }: { readonly turns: number; readonly newRows: number },
): AsyncGenerator<Finding> {
  yield* nothingOld(rows, turns);
  yield* everythingNew(newRows);
}

async function* nothingOld(rows: number, turns: number): AsyncGenerator<Finding> {
  const server = await startServer({ idempotent: true });
  const file = await writeSuppliers(rows);
  const words = [carbon, 'sync', file, '--no-progress', '--max-age', 'never'];
  const first = await use(words, server.env, 'ignore');
  const own: Used[] = [];
  const bare: Used[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    own.push(await use(words, server.env));
    bare.push(await use([program('bare-reading.js'), `${file}.records.ndjson`]));
  }
  server.stop();
  rmSync(dirname(file), { recursive: true });
  const isGoal = rows >= minGoalRows;
  const atMost = (most: number) => (isGoal ? ({ goal: ['at most', most] } as const) : {});
  const cpuOf = (all: readonly Used[]) => median(all.map(({ cpuMs }) => cpuMs));
  const peakOf = (all: readonly Used[]) => Math.max(...all.map(({ peakMiB }) => peakMiB));
  const what = `${rows.toLocaleString('en')} rows`;
  yield { section, what: `${what}, all new: memory`, value: first.peakMiB, unit: 'MiB' };
  yield {
    section,
    what: `${what}, nothing old: processor time`,
    value: cpuOf(own) / 1000,
    unit: 's',
    ratio: cpuOf(own) / cpuOf(bare),
    ...atMost(0.8),
  };
  const memory = { section, what: `${what}, nothing old: memory`, unit: 'MiB' } as const;
  yield { ...memory, value: peakOf(own), ...(isGoal ? { goal: ['at most', 286] as const } : {}) };
}

async function* everythingNew(rows: number): AsyncGenerator<Finding> {
  const server = await startServer({ ...limit, idempotent: true });
  const file = await writeSuppliers(rows);
  // Registers the rows, and retrieves every record.
  await use([carbon, 'sync', file, '--no-progress'], server.env, 'ignore');
  const { elapsedMs, accepted, refused } = await server.counts();
  server.stop();
  rmSync(dirname(file), { recursive: true });
  const share = (((accepted - limit.burst) / limit.rate) * 100_000) / elapsedMs;
  const what = `${rows.toLocaleString('en')} rows behind ${limit.rate} requests/s`;
  const atLeast = ['at least', 95] as const;
  yield { section, what: `${what}: share of the rate`, value: share, unit: '%', goal: atLeast };
  const refusals = (100 * refused) / (accepted + refused);
  yield { section, what: `${what}: refused`, value: refusals, unit: '%', goal: ['at most', 2] };
}
