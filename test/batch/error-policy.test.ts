import { describe, expect, it } from 'vitest';
import { NotFoundError, UnavailableError } from '../../src/api/errors.ts';
import { graceMs } from '../../src/batch/send.ts';
import { exitOf } from '../../src/cli/commands/batch/summary.ts';
import { VirtualClock } from '../support/clock.ts';
import { BatchFixture, CountingService, idsByLine, UnlimitedPacer } from './batch-fixture.ts';

const table = (rows: number) =>
  `name\n${Array.from({ length: rows }, (_, index) => `n${index}`).join('\n')}\n`;
const limited = (retryAfterMs?: number) =>
  new UnavailableError('rate_limited', 'slow down', { status: 429, retryAfterMs });
const down = () =>
  new UnavailableError('service_failed', 'The service at https://api.example.com failed', {
    status: 500,
  });

describe('Batch.send, when the service limits the rate', () => {
  it('stops when the pacer detects a quota, and counts the remaining rows', async () => {
    const pacer = new UnlimitedPacer(1);
    const api = new CountingService((_, sent) => {
      if (sent <= 3) return;
      pacer.exhausted = true;
      throw limited();
    });
    const fixture = new BatchFixture(table(10), api);
    const { outcome } = await fixture.run({ pacer, concurrency: 1 });
    expect(outcome).toMatchObject({ left: 7, stop: { code: 'rate_limited' } });
    fixture.api = Object.assign(new CountingService(), { ids: api.ids });
    expect((await fixture.run()).sent).toHaveLength(7);
  });

  it('reports every response to the pacer', async () => {
    const pacer = new UnlimitedPacer(1);
    const api = new CountingService((_, sent) => {
      if (sent === 1) throw limited(1_000);
      if (sent === 2) throw down();
    });
    await new BatchFixture(table(2), api).run({ pacer, concurrency: 1 });
    expect(pacer.outcomes.map(({ kind, retryAfterMs }) => [kind, retryAfterMs])).toEqual([
      ['refused', 1_000],
      ['failed', undefined],
      ['accepted', undefined],
      ['accepted', undefined],
    ]);
  });
});

describe('Batch.send, when the service fails', () => {
  it('ends the run within seconds when the responses are not those of the service', async () => {
    const clock = new VirtualClock();
    const api = new CountingService(() => {
      throw new UnavailableError('unreadable_response', 'https://api.example.com sent HTML');
    });
    const { outcome } = await new BatchFixture(table(100), api).run({ clock });
    expect(outcome.stop).toMatchObject({
      code: 'service_failed',
      message: expect.stringContaining('https://api.example.com'),
    });
    expect(api.bodies.length).toBeLessThan(20 + 4);
    expect(clock.elapsed()).toBeLessThan(5_000);
    expect([outcome.left, exitOf(outcome)]).toEqual([100, 6]);
  });

  it('refuses a row when the service does not find it', async () => {
    const api = new CountingService(() => {
      throw new NotFoundError('not found', { status: 404 });
    });
    const { outcome } = await new BatchFixture(table(50), api).run();
    expect(outcome).toMatchObject({ stop: undefined, counts: { rejected: 50 } });
  });
});

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

  it('aborts requests that take too long when it is interrupted', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const fixture = new BatchFixture(table(50));
    const register = async (_: unknown, signal: AbortSignal) => {
      stop.abort();
      await clock.sleep(graceMs * 10, signal);
      throw new Error('not reached');
    };
    const { outcome } = await fixture.run({ clock, signal: stop.signal, register });
    expect(outcome).toMatchObject({ left: 50, stop: { code: 'interrupted' } });
    expect(clock.elapsed()).toBeLessThan(graceMs * 10);
  });

  it('sends nothing when it is interrupted before it starts', async () => {
    const fixture = new BatchFixture(table(5));
    const stop = new AbortController();
    const batch = await fixture.open({ signal: stop.signal });
    stop.abort();
    const options = {
      register: fixture.api.register,
      pacer: new UnlimitedPacer(),
      random: () => 0,
    };
    expect(await batch.send({ ...options, onEvents: () => undefined })).toMatchObject({ left: 5 });
    expect(fixture.api.bodies).toEqual([]);
    batch.close();
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
      pacer: new UnlimitedPacer(),
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
