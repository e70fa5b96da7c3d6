/*
 * Many rows and ids on a virtual clock: how long an unreliable service takes, and that no row is
 * lost. A million rows would take seven minutes, so these tests use ten thousand. `npm run bench`
 * measures memory and time of a million rows.
 */
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UnavailableError } from '../../src/api/errors.ts';
import { watch } from '../../src/api/watch.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import { BatchFixture, CountingService } from '../batch/batch-fixture.ts';
import { VirtualClock } from '../support/clock.ts';
import { newFolder, run } from '../support/run.ts';

it('carbon batch registers 10,000 rows when 5 % of requests fail, 2 % are reset and 1 % take 25 s', {
  tags: ['long'],
}, async () => {
  const clock = new VirtualClock();
  const rows = 10_000;
  const fixture = new BatchFixture(
    `name\n${Array.from({ length: rows }, (_, index) => `Supplier ${index}`).join('\n')}\n`,
  );
  const tried = new Set<string>();
  fixture.api = new CountingService(async ({ name }) => {
    const share = Number(name.split(' ')[1]) % 100;
    const isFirst = !tried.has(name);
    tried.add(name);
    if (share < 1) await clock.sleep(25_000);
    if (isFirst && share >= 1 && share < 6)
      throw new UnavailableError('service_failed', 'Oops', { status: 500 });
    if (isFirst && share >= 6 && share < 8) throw new UnavailableError('network', 'reset');
    await turn();
  });
  const { outcome, events } = await fixture.run({ clock, concurrency: 64 });
  expect(outcome).toMatchObject({
    left: 0,
    stop: undefined,
    counts: { registered: rows, postponed: 0 },
  });
  expect([new Set(events.map(({ line }) => line)).size, fixture.api.ids.size]).toEqual([
    rows,
    rows,
  ]);
  // The slow requests would take 2,700 s one after the other.
  expect(clock.elapsed()).toBeLessThan(1_000_000);
});

it('carbon watch follows 10,000 ids to their end', { tags: ['long'] }, async () => {
  const clock = new VirtualClock();
  const ids = Array.from({ length: 10_000 }, (_, index) => `${index + 1}`);
  const checks = new Map<string, number>();
  let inFlight = 0;
  let most = 0;
  const retrieve = async (id: string) => {
    const release = clock.hold();
    inFlight += 1;
    most = Math.max(most, inFlight);
    const count = (checks.get(id) ?? 0) + 1;
    checks.set(id, count);
    await turn();
    inFlight -= 1;
    release();
    if (count === 1 && Number(id) % 20 === 0) throw new UnavailableError('network', 'reset');
    const status = count < 3 ? 'researching' : 'synced';
    return { record: { id, status }, json: '{}' };
  };
  const given = (async function* () {
    yield* ids;
  })();
  const options = {
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    timeoutMs: 1_800_000,
  };
  const ended: string[] = [];
  for await (const event of watch(retrieve, given, {
    ...options,
    pacer: new Pacer({ concurrency: 64 }),
  })) {
    if (event.kind === 'ended') ended.push(event.id);
  }
  expect([ended.length, new Set(ended).size]).toEqual([10_000, 10_000]);
  expect(most).toBeLessThanOrEqual(64);
  expect(Math.max(...checks.values())).toBeLessThanOrEqual(4);
});

it('carbon get and register use a sandbox with a million registrations', {
  tags: ['long'],
}, async () => {
  const home = newFolder();
  const folder = join(home, '.local/share/carbon');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lines: string[] = [];
  for (let id = 1; id <= 1_000_000; id += 1) {
    const body = `{"name":"Supplier ${id}"}`;
    const identity = hash('md5', `${id}`);
    lines.push(`1 ${identity} 001700000000000 ${String(body.length).padStart(8, '0')} ${body}\n`);
  }
  writeFileSync(join(folder, 'sandbox.log'), lines.join(''), { mode: 0o600 });
  const last = await run(['get', '1000000', '--sandbox', '--json'], { home });
  expect(JSON.parse(last.stdout)).toMatchObject({ id: 1_000_000, name: 'Supplier 1000000' });
  expect(await run(['register', '--name', 'Acme AG', '--sandbox', '-q'], { home })).toMatchObject({
    exit: 0,
    stdout: '1000001\n',
  });
});
