import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pacer, type PacingOutcome, type Ticket } from '../../../src/client/pace/pacer.ts';
import {
  Changing,
  FixedWindow,
  type Limiter,
  LimitReq,
  Quota,
  RefusingShare,
  SlidingLog,
  TokenBucket,
  unlimited,
} from '../../support/pacing-limiters.ts';
import { type Announcement, simulate, simulateSeeds } from '../../support/pacing-simulation.ts';
import { runs } from '../../support/seed.ts';

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

describe('the learned rate', () => {
  const bucket = (burst: number, perSecond: number) => () => new TokenBucket(burst, perSecond);
  const steady = (perSecond: number) => () => new LimitReq(perSecond);
  const slow = { limiter: bucket(10, 50), latencyMs: 50 };
  const fast = { limiter: bucket(1_000, 1_000), latencyMs: 5, rows: 20_000 };
  const changing = (perSecond: number) => () =>
    new Changing(new TokenBucket(10, 50), 15_000, new TokenBucket(10, perSecond));
  const uneven = { limiter: steady(50), latencyMs: 20, jitter: 0, delayMs: 5 };
  const short = { limiter: () => new FixedWindow(3_600_000, 0, 5_000), rows: 300 };
  const fixed = (random: () => number) => new FixedWindow(60_000, random() * 60_000, 100);

  /* At least the first share of the limit in percent, with at most the second one refused. */
  it.each<[string, Parameters<typeof expectShare>[0], readonly Announcement[], number, number]>([
    ['50/s, burst 10', slow, everyAnnouncement, 95, 2],
    ['50/s, burst 50, 5 ms', { limiter: bucket(50, 50), latencyMs: 5 }, withoutHeaders, 95, 2],
    ['1000/s, burst 1000, 5 ms', fast, ['Retry-After'], 95, 2],
    ['5/s without a burst', { limiter: steady(5), latencyMs: 50 }, everyAnnouncement, 70, 5],
    ['50/s without a burst, 5 ms', { limiter: steady(50), latencyMs: 5 }, withoutHeaders, 70, 5],
    ['50/s without a burst, 10 to 40 ms', uneven, withoutHeaders, 60, 3],
    ['300 in 60 s', { limiter: () => new SlidingLog(60_000, 300) }, everyAnnouncement, 75, 8],
    ['a fixed window', { limiter: fixed }, everyAnnouncement, 75, 8],
    ['falls', { limiter: changing(20) }, withoutHeaders, 95, 3],
    ['rises', { limiter: changing(100) }, withoutHeaders, 80, 2],
    ['no limit', { limiter: unlimited }, withoutHeaders, 97, 0],
    ['a service that sometimes fails', { ...slow, failing: 0.05 }, withoutHeaders, 95, 2],
    ['a short list in a long window', short, withoutHeaders, 90, 0],
  ])('reaches its share of a limit: %s', (_, scenario, announcements, share, refused) =>
    expectShare(scenario, announcements, [share, refused]),
  );
});

describe('refusals that do not depend on the rate', () => {
  /* At one request per second, at least this share of those that the servers accept. */
  it.each([
    [0.3, 80],
    [1 / 3, 80],
    [0.5, 75],
    [0.7, 60],
  ])('leave the rate at one request per second: %d', (share, minPercent) => {
    for (const announcement of withoutHeaders)
      for (const rows of [100, 1_000]) {
        const limiter = (random: () => number) => new RefusingShare(share, random);
        const { done, finishMs, stopped } = simulate({ limiter, rows, announcement });
        expect([done, stopped]).toEqual([rows, 0]);
        const percent = (100 * done) / (finishMs / 1_000) / (1 - share);
        expect(percent).toBeGreaterThanOrEqual(minPercent);
      }
  });

  it('are measured as a share at the lowest rate', () => {
    const pacer = new Pacer({ concurrency: 4 });
    let now = 0;
    const send = (count: number, kind: (index: number) => PacingOutcome['kind']) => {
      for (let index = 0; index < count; index += 1) {
        now += pacer.delay(now);
        pacer.responded(pacer.sent(now), now + 50, { kind: kind(index) });
        now += 50;
      }
    };
    send(20, () => 'accepted');
    expect(pacer.refusedShare).toBe(undefined);
    send(120, (index) => (index % 3 === 0 ? 'refused' : 'accepted'));
    expect(pacer.refusedShare).toBeCloseTo(1 / 3, 1);
  });
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
