import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { UnavailableError } from '../../src/api/errors.ts';
import { BatchFixture, CountingService } from '../batch/batch-fixture.ts';
import { VirtualClock } from '../support/clock.ts';

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
