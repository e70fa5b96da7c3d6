import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../src/api/errors.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import type { Registration } from '../../src/registration/fields.ts';
import { VirtualClock } from '../support/clock.ts';
import { BatchFixture, CountingService } from './batch-fixture.ts';

const table = (rows: number) =>
  `name\n${Array.from({ length: rows }, (_, index) => `n${index}`).join('\n')}\n`;
const failed = (status: number, retryAfterMs?: number) =>
  new UnavailableError('service_failed', `The service failed: ${status}`, { status, retryAfterMs });

/*
 * A batch through the real pacer against a service that takes 50 ms for each request; times are
 * since the first one.
 */
async function send(rows: number, decide: (row: number, now: number) => void, concurrency = 16) {
  const clock = new VirtualClock();
  let began: number | undefined;
  let ended = 0;
  const api = new CountingService(async ({ name }: Registration) => {
    began ??= clock.elapsed();
    await clock.sleep(50);
    ended = clock.elapsed() - began;
    decide(Number(name.slice(1)), ended);
  });
  const random = randomNumbers();
  const pacer = new Pacer({ concurrency });
  const { outcome, events } = await new BatchFixture(table(rows), api).run({
    clock,
    concurrency,
    random,
    pacer,
  });
  return { outcome, events, sent: api.bodies.length, seconds: ended / 1_000 };
}

function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/* So many requests a second, and no burst. */
function limiter(rate: number, error: () => Error): (row: number, now: number) => void {
  let free = 0;
  return (_, now) => {
    if (now < free) throw error();
    free = now + 1_000 / rate;
  };
}

describe('Batch.send, when the service refuses with 503', () => {
  it.each([
    ['without Retry-After', undefined],
    ['with Retry-After', 1_000],
  ])('paces requests as after a 429, %s', async (_, retryAfterMs) => {
    const { outcome, sent, seconds } = await send(
      600,
      limiter(20, () => failed(503, retryAfterMs)),
    );
    expect(outcome).toMatchObject({
      left: 0,
      stop: undefined,
      counts: { registered: 600, postponed: 0 },
    });
    expect(sent).toBeLessThan(600 * 1.15);
    expect(seconds).toBeLessThan((600 / 20) * 1.5);
  });

  it.each([400, 2_000])(
    'postpones the only row of %d that the service refuses repeatedly',
    async (rows) => {
      const { outcome, events, sent } = await send(rows, (row) => {
        if (row === 100) throw failed(503);
      });
      expect(outcome).toMatchObject({ left: 0, stop: undefined });
      expect(outcome.counts).toMatchObject({ registered: rows - 1, postponed: 1 });
      expect(events.filter(({ kind }) => kind === 'postponed')).toMatchObject([{ line: 102 }]);
      expect(sent).toBeLessThan(rows + 30);
    },
  );
});

describe('Batch.send, when rows fail on their own', () => {
  it.each([1, 2, 16])(
    'does not slow down the other rows with %d in flight',
    async (concurrency) => {
      const fails = (row: number) => ((row * 2_654_435_761) >>> 8) % 2 === 0;
      const { outcome, sent, seconds } = await send(
        636,
        (row) => {
          if (fails(row)) throw failed(500, 0);
        },
        concurrency,
      );
      const failing = Array.from({ length: 636 }, (_, row) => row).filter(fails).length;
      expect(outcome).toMatchObject({ left: 0, stop: undefined });
      expect(outcome.counts).toMatchObject({ registered: 636 - failing, postponed: failing });
      // The first row gets one more attempt, because the service has not responded before.
      expect(sent).toBe(637 + 3 * failing);
      expect(seconds).toBeLessThan(((sent * 0.05) / concurrency) * 1.3);
    },
  );

  it('does not end the run when many consecutive rows fail', async () => {
    const { outcome } = await send(300, (row) => {
      if (row >= 100 && row < 118) throw failed(500);
    });
    expect(outcome).toMatchObject({
      left: 0,
      stop: undefined,
      counts: { registered: 282, postponed: 18 },
    });
  });
});

describe('Batch.send, when the service goes away', () => {
  it('sends one request at a time, each for another row', async () => {
    let inFlight = 0;
    let most = 0;
    let sent = 0;
    const clock = new VirtualClock();
    const tried = new Map<string, number>();
    const api = new CountingService(async ({ name }) => {
      sent += 1;
      const isAway = sent > 1_000;
      inFlight += 1;
      if (isAway) tried.set(name, (tried.get(name) ?? 0) + 1);
      if (tried.size > 16 + 8) most = Math.max(most, inFlight);
      await clock.sleep(50);
      inFlight -= 1;
      if (isAway) throw failed(500);
    });
    const pacer = new Pacer({ concurrency: 16 });
    const { outcome } = await new BatchFixture(table(5_000), api).run({
      clock,
      concurrency: 16,
      pacer,
    });
    expect([outcome.stop?.code, outcome.counts.postponed, most]).toEqual(['service_failed', 0, 1]);
    expect(Math.max(...tried.values())).toBe(1);
    expect(tried.size).toBeLessThan(20 + 16 + 8);
    expect(clock.elapsed()).toBeGreaterThan(30_000);
  });

  it('waits for the service, then sends every row', async () => {
    const { outcome } = await send(3_000, (_, now) => {
      if (now > 3_000 && now < 23_000) throw failed(502);
    });
    expect(outcome).toMatchObject({
      left: 0,
      stop: undefined,
      counts: { registered: 3_000, postponed: 0 },
    });
  });
});
