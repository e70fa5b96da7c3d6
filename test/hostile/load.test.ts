/* Large numbers on a virtual clock: what a bad service costs in time, and that every row and id is accounted for. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Pacer } from '../../src/api/pacer.ts';
import { follow } from '../../src/api/poll.ts';
import { UnavailableError } from '../../src/errors.ts';
import { CountingService, Nightly } from '../batch/nightly.ts';
import { VirtualClock } from '../support/clock.ts';

it('registers 10,000 rows with a service of which 5 % fail, 2 % are reset and 1 % take 25 s', async () => {
  const clock = new VirtualClock();
  const rows = 10_000;
  const nightly = new Nightly(
    `name\n${Array.from({ length: rows }, (_, at) => `Supplier ${at}`).join('\n')}\n`,
  );
  const tried = new Set<string>();
  nightly.api = new CountingService(async ({ name }) => {
    const share = Number(name.split(' ')[1]) % 100;
    const isFirst = !tried.has(name);
    tried.add(name);
    if (share < 1) await clock.sleep(25_000);
    if (isFirst && share >= 1 && share < 6)
      throw new UnavailableError('service_failed', 'Oops', { status: 500 });
    if (isFirst && share >= 6 && share < 8) throw new UnavailableError('network', 'reset');
    await turn();
  });
  const { outcome, events } = await nightly.run({ clock, concurrency: 64 });
  expect(outcome).toMatchObject({ left: 0, stop: undefined, counts: { registered: rows, postponed: 0 } });
  expect([new Set(events.map(({ line }) => line)).size, nightly.api.ids.size]).toEqual([rows, rows]);
  // One after the other the slow ones would take 2,700 s.
  expect(clock.elapsed()).toBeLessThan(1_000_000);
}, 30_000);

it('watches 10,000 ids at once to their end', async () => {
  const clock = new VirtualClock();
  const ids = Array.from({ length: 10_000 }, (_, at) => `${at + 1}`);
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
  const options = { clock, random: () => 0.5, signal: new AbortController().signal, timeoutMs: 1_800_000 };
  const ended: string[] = [];
  for await (const event of follow(retrieve, given, { ...options, pacer: new Pacer({ concurrency: 64 }) })) {
    if (event.kind === 'ended') ended.push(event.id);
  }
  expect([ended.length, new Set(ended).size]).toEqual([10_000, 10_000]);
  expect(most).toBeLessThanOrEqual(64);
  expect(Math.max(...checks.values())).toBeLessThanOrEqual(4);
}, 30_000);
