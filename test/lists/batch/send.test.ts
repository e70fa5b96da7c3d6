import { describe, expect, it } from 'vitest';
import { Pacer } from '../../../src/client/pace/pacer.ts';
import { VirtualClock } from '../../support/clock.ts';
import { BatchFixture, CountingService, idsByLine } from './batch-fixture.ts';

const table = (rows: number) =>
  `name\n${Array.from({ length: rows }, (_, index) => `n${index}`).join('\n')}\n`;

describe('Batch.send, at the end of a run', () => {
  it('lets requests in flight finish when it is interrupted, and sends nothing new', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const api = new CountingService(async (_, sent) => {
      if (sent === 5) stop.abort();
      await clock.sleep(5_000);
    });
    const { outcome } = await new BatchFixture(table(50), api).run({
      clock,
      signal: stop.signal,
      concurrency: 5,
    });
    expect(outcome).toMatchObject({
      left: 45,
      stop: { code: 'interrupted' },
      counts: { registered: 5 },
    });
    expect(api.bodies).toHaveLength(5);
  });

  it('records the rows in flight when the caller cannot report an outcome', async () => {
    const fixture = new BatchFixture(table(40));
    const onEvents = () => {
      throw new Error('no space');
    };
    const clock = new VirtualClock();
    const { api } = fixture;
    const register: typeof api.register = async (body) => {
      await clock.sleep(60);
      return api.register(body);
    };
    const { outcome, sent } = await fixture.run({ clock, register, onEvents });
    expect(outcome.stop?.message).toContain('no space');
    expect(outcome.counts.registered).toBe(sent.length);
    const { sent: rest } = await fixture.run();
    expect([sent.length + rest.length, sent.length < 40]).toEqual([40, true]);
  });

  it('stops when the file has changed since the check', async () => {
    const fixture = new BatchFixture(table(5));
    const batch = await fixture.open();
    fixture.write(`${table(4)}other\n`);
    const options = {
      register: fixture.api.register,
      pacer: new Pacer({ concurrency: 4 }),
      graceMs: 0,
      random: () => 0,
    };
    const outcome = await batch.send({ ...options, onEvents: () => undefined });
    expect(outcome.stop).toMatchObject({
      name: 'LocalError',
      message: expect.stringContaining('changed'),
    });
    expect(fixture.api.bodies).toEqual([]);
    batch.close();
  });
});

it('Batch.send limits the requests in flight and sends equal rows once', async () => {
  const clock = new VirtualClock();
  let inFlight = 0;
  let most = 0;
  const api = new CountingService(async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await clock.sleep(100);
    inFlight -= 1;
  });
  const rows = Array.from({ length: 300 }, (_, index) => `n${index % 30}`);
  const { events, outcome } = await new BatchFixture(`name\n${rows.join('\n')}\n`, api).run({
    clock,
    concurrency: 7,
  });
  expect([most, api.bodies.length]).toEqual([7, 30]);
  expect(outcome.counts).toMatchObject({ registered: 30, duplicate: 270 });
  expect(idsByLine(events).size).toBe(300);
});
