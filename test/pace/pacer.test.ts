import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pacer, type PacingOutcome, type Ticket } from '../../src/pace/pacer.ts';
import {
  Changing,
  FixedWindow,
  type Limiter,
  LimitReq,
  Quota,
  SlidingLog,
  TokenBucket,
  unlimited,
} from '../support/pacing-limiters.ts';
import { type Announcement, simulate, simulateSeeds } from '../support/pacing-simulation.ts';
import { runs } from '../support/seed.ts';

const withoutHeaders: readonly Announcement[] = ['Retry-After', 'nothing'];
const withHeaders: readonly Announcement[] = ['RateLimit', 'X-RateLimit', 'full reset'];
const everyAnnouncement = [...withoutHeaders, ...withHeaders];

/* The shares are medians of three seeds, in percent. */
function expectShare(
  scenario: Parameters<typeof simulateSeeds>[0],
  announcements: readonly Announcement[],
  [minShare, maxRefused]: readonly [number, number],
) {
  for (const announcement of announcements) {
    const { share, refused, done } = simulateSeeds({ ...scenario, announcement }, 3);
    expect(done, announcement).toBe(scenario.rows ?? 2_000);
    expect(share, announcement).toBeGreaterThanOrEqual(minShare);
    expect(refused, announcement).toBeLessThanOrEqual(maxRefused);
  }
}

describe('--rate', () => {
  it.each<[string, number, number, number, () => Limiter]>([
    ['a low rate', 0.1, 16, 30, unlimited],
    ['one request in flight', 3, 1, 30, unlimited],
    ['a high rate', 1_000, 16, 5_000, unlimited],
    ['a limit that is slightly higher', 49, 16, 500, () => new TokenBucket(10, 50)],
    ['a limit without a burst', 4, 16, 200, () => new LimitReq(5)],
  ])('is never exceeded: %s', (_, maxRate, concurrency, rows, limiter) => {
    const latencyMs = 5;
    const { sentAt, done } = simulate({ limiter, rows, maxRate, concurrency, latencyMs });
    expect(done).toBe(rows);
    for (const count of [1, 10]) {
      const spans = sentAt.slice(count).map((time, from) => time - (sentAt[from] ?? 0));
      expect(Math.min(...spans)).toBeGreaterThanOrEqual((count / maxRate) * 1000 - 10 - 1e-6);
    }
  });
});

describe('the learned rate', () => {
  it.each<[string, () => Limiter, number?, number?]>([
    ['50/s, burst 10', () => new TokenBucket(10, 50)],
    ['50/s, burst 10, 5 ms', () => new TokenBucket(10, 50), 5],
    ['50/s, burst 50', () => new TokenBucket(50, 50)],
    ['1000/s, burst 1000, 5 ms', () => new TokenBucket(1_000, 1_000), 5, 20_000],
  ])(
    'reaches 95 percent of a limit with a burst, 2 percent refused: %s',
    (_, limiter, latencyMs = 50, rows = 2_000) => {
      const announcements = rows > 2_000 ? everyAnnouncement.slice(0, 1) : everyAnnouncement;
      expectShare({ limiter, latencyMs, rows }, announcements, [95, 2]);
    },
  );

  it.each<[string, () => Limiter, number]>([
    ['5/s', () => new LimitReq(5), 50],
    ['50/s, 5 ms', () => new LimitReq(50), 5],
  ])('reaches 70 percent of a limit without a burst: %s', (_, limiter, latencyMs) => {
    expectShare({ limiter, latencyMs }, everyAnnouncement, [70, 5]);
  });

  it('reaches 60 percent of a limit without a burst when responses take 10 to 40 ms', () => {
    const scenario = { limiter: () => new LimitReq(50), latencyMs: 20, jitter: 0, delayMs: 5 };
    expectShare(scenario, withoutHeaders, [60, 3]);
  });

  it.each<[string, (random: () => number) => Limiter]>([
    ['100 in 10 s', () => new SlidingLog(10_000, 100)],
    ['300 in 60 s', () => new SlidingLog(60_000, 300)],
    ['fixed window', (random) => new FixedWindow(60_000, random() * 60_000, 100)],
  ])('reaches 75 percent of a limit with a window: %s', (_, limiter) => {
    expectShare({ limiter }, everyAnnouncement, [75, 8]);
  });

  it('follows a limit that decreases or increases', () => {
    const changeTo = (rate: number) => () =>
      new Changing(new TokenBucket(10, 50), 15_000, new TokenBucket(10, rate));
    expectShare({ limiter: changeTo(20) }, withoutHeaders, [95, 3]);
    expectShare({ limiter: changeTo(100) }, withoutHeaders, [80, 2]);
  });

  it.each<[string, Parameters<typeof expectShare>[0], readonly [number, number]]>([
    ['adds almost nothing without a limit', { limiter: unlimited }, [97, 0]],
    [
      'survives occasional failures of the service',
      { limiter: () => new TokenBucket(10, 50), failing: 0.05 },
      [95, 2],
    ],
    [
      'lets a short list hurry at the start of a long window',
      { limiter: () => new FixedWindow(3_600_000, 0, 5_000), rows: 300 },
      [90, 0],
    ],
  ])('%s', (_, scenario, shares) => expectShare(scenario, withoutHeaders, shares));
});

describe('a quota', () => {
  it.each<[string, () => Limiter, Announcement, number, number]>([
    ['nothing accepted', () => new Quota(0), 'nothing', 300, 60],
    ['500 accepted', () => new Quota(500), 'nothing', 300, 60],
    ['2 accepted', () => new Quota(2, new LimitReq(5)), 'nothing', 300, 60],
    ['headers', () => new Quota(500), 'RateLimit', 0, 20],
  ])('ends the run: %s', (_, limiter, announcement, seconds, maxRefused) => {
    const { stopped, finishMs, sent, done } = simulate({ limiter, announcement, latencyMs: 5 });
    expect(stopped).toBeGreaterThan(0);
    expect(finishMs / 1000).toBeGreaterThanOrEqual(seconds * 0.99);
    expect(finishMs / 1000).toBeLessThan(seconds + 30);
    expect(sent - done).toBeLessThanOrEqual(maxRefused);
  });

  it('is not a window of a minute that others use up', () => {
    const limiter = () => new FixedWindow(60_000, 0, 100);
    for (const announcement of withoutHeaders)
      for (const seed of [1, 2, 3]) {
        const starts = [0, 30, 60, 70_000];
        const { stopped, done } = simulate({ seed, limiter, rows: 1_500, starts, announcement });
        expect([stopped, done]).toEqual([0, 1_500]);
      }
  });

  it('is assumed when a refusal requests a wait above one hour, until a later request is accepted', () => {
    const pacer = new Pacer({ concurrency: 4 });
    pacer.responded(pacer.sent(0), 50, { kind: 'refused', retryAfterMs: 3_600_000 });
    expect(pacer.exhausted).toBe(false);
    const [before, refused, after] = [pacer.sent(4e6), pacer.sent(4e6), pacer.sent(4e6)];
    pacer.responded(refused, 4e6 + 50, { kind: 'refused', retryAfterMs: 3_601_000 });
    pacer.responded(before, 4e6 + 60, { kind: 'accepted' });
    expect(pacer.exhausted).toBe(true);
    pacer.responded(after, 4e6 + 70, { kind: 'accepted' });
    expect(pacer.exhausted).toBe(false);
  });
});

describe('Pacer', () => {
  it('waits for the reset when the headers advertise no remaining requests', () => {
    const pacer = new Pacer({ concurrency: 16 });
    const limit = { quota: 100, windowMs: 60_000, remaining: 0, resetMs: 20_000 };
    pacer.responded(pacer.sent(0), 50, { kind: 'accepted', limit });
    expect(pacer.delay(50)).toBe(20_000);
  });

  it('waits for the last response at a slow rate, but only for a few round trips', () => {
    const pacer = new Pacer({ concurrency: 16 });
    const limit = { quota: 50, windowMs: 1_000, remaining: undefined, resetMs: undefined };
    for (let at = 0; at < 2_000; at += 20)
      pacer.responded(pacer.sent(at), at + 20, { kind: 'accepted', limit });
    const stalled = pacer.sent(2_000);
    expect(pacer.delay(2_030)).toBe(50);
    expect(pacer.delay(2_080)).toBe(0);
    // The next response ends the wait, although the stalled one is still missing.
    pacer.responded(pacer.sent(2_080), 2_100, { kind: 'accepted', limit });
    expect(pacer.delay(2_100)).toBe(0);
    pacer.responded(stalled, 12_000, { kind: 'accepted', limit });
    pacer.sent(12_000);
    expect(pacer.delay(12_020)).toBeLessThan(150);
  });

  const limits = fc.record({
    quota: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined }),
    windowMs: fc.option(fc.integer({ min: 1, max: 90_000_000 }), { nil: undefined }),
    remaining: fc.option(fc.nat({ max: 5_000 }), { nil: undefined }),
    resetMs: fc.option(fc.nat({ max: 90_000_000 }), { nil: undefined }),
  });
  const outcomes: fc.Arbitrary<PacingOutcome> = fc.record(
    {
      kind: fc.constantFrom('accepted', 'accepted', 'accepted', 'refused', 'failed'),
      retryAfterMs: fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 5_000_000 })),
      limit: limits,
    },
    { requiredKeys: ['kind'] },
  );
  const steps = fc.array(
    fc.record({
      passMs: fc.oneof(
        fc.constant(0),
        fc.double({ min: 0, max: 300, noNaN: true }),
        fc.nat({ max: 100_000 }),
      ),
      patient: fc.boolean(),
      responded: fc.nat({ max: 4 }),
      which: fc.nat(),
      outcome: outcomes,
    }),
    { maxLength: 120 },
  );
  const setups = fc.record(
    {
      concurrency: fc.integer({ min: 1, max: 64 }),
      maxRate: fc.double({ min: 0.01, max: 2_000, noNaN: true }),
    },
    { requiredKeys: ['concurrency'] },
  );

  it('keeps to its bounds and never gets stuck, whatever comes', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(setups, steps, (setup, history) => {
        const pacer = new Pacer(setup);
        const sentAt: number[] = [];
        let inFlight: Ticket[] = [];
        let stoppedUntil = 0;
        let now = 0;
        for (const { passMs, patient, responded, which, outcome } of history) {
          now += passMs;
          const delay = pacer.delay(now);
          expect(delay).toBeGreaterThanOrEqual(0);
          if (inFlight.length === 0) expect(delay).toBeLessThan(Infinity);
          if (patient && delay < Infinity) now += delay;
          for (let most = 20; most > 0 && pacer.delay(now) === 0; most -= 1) {
            expect(now).toBeGreaterThanOrEqual(stoppedUntil);
            inFlight.push(pacer.sent(now));
            sentAt.push(now);
          }
          expect(inFlight.length).toBeLessThanOrEqual(setup.concurrency);
          for (const ticket of inFlight.splice(which % (inFlight.length + 1), responded)) {
            pacer.responded(ticket, now, outcome);
            const { kind, retryAfterMs = 0 } = outcome;
            if (kind !== 'accepted' && retryAfterMs > 2_000) stoppedUntil = now + retryAfterMs;
          }
        }
        for (const ticket of inFlight) pacer.responded(ticket, now, { kind: 'failed' });
        inFlight = [];
        expect(pacer.delay(now)).toBeLessThan(Infinity);
        const { maxRate = Infinity } = setup;
        for (const [last, end] of sentAt.entries()) {
          for (const [first, begin] of sentAt.slice(0, last).entries()) {
            // Who comes up to 10 ms late may catch up.
            const most = 1 + ((end - begin + 10) * maxRate) / 1000;
            expect(last - first + 1).toBeLessThanOrEqual(most * (1 + 1e-9));
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
