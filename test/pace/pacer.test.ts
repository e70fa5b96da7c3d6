import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tryOut } from '../../bench/pacing.ts';
import { LimitReq, TokenBucket, Unlimited } from '../../bench/pacing-limiters.ts';
import { quotas, scenarioOf, type Trial, trials } from '../../bench/pacing-scenarios.ts';
import { simulate } from '../../bench/pacing-simulation.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import type { PacingOutcome, Ticket } from '../../src/pace/request-pacer.ts';
import { runs } from '../support/seed.ts';

const goals = trials.flatMap(({ goal, goalWhenTold, ...limit }) => [
  ...(goal ? [{ limit, goal, manner: 'Retry-After' as const }] : []),
  ...(goal && (limit.rows === 2_000 || limit.name.includes('without a burst'))
    ? [{ limit, goal, manner: 'bare 429' as const }]
    : []),
  ...(goalWhenTold ? [{ limit, goal: goalWhenTold, manner: 'headers' as const }] : []),
]);

function trial(name: string): Trial {
  const found = [...trials, ...quotas].find((known) => known.name === name);
  if (!found) throw new Error(`no trial is called ${name}`);
  return found;
}

describe('the learned rate', () => {
  for (const { limit, goal, manner } of goals) {
    const tags = limit.rows > 4_000 ? ['long'] : [];
    it(`is near to what is permitted: ${limit.name}, ${manner}`, { tags }, () => {
      const { share, refused, done } = tryOut(limit, manner, 5);
      expect(done).toBe(limit.rows);
      expect(share.median).toBeGreaterThanOrEqual(goal[0]);
      expect(refused.median).toBeLessThanOrEqual(goal[1]);
    });
  }

  it.each([
    [5, 98],
    [200, 96],
  ])('does not depend on the latency: %d ms', (latencyMs, leastShare) => {
    for (const name of ['bucket 50/s, burst 10', 'bucket 50/s, burst 50']) {
      const { share, refused } = tryOut({ ...trial(name), latencyMs }, 'Retry-After', 5);
      expect(share.median).toBeGreaterThanOrEqual(leastShare);
      expect(refused.median).toBeLessThanOrEqual(2);
    }
  });

  it('gives a process that comes later 40 to 60 % in the mean of 16 runs, 20 to 80 % in each', () => {
    const seeds = Array.from({ length: 16 }, (_, index) => index + 1);
    const portions = seeds.map((seed) => {
      const limiter = () => new TokenBucket(10, 50);
      const { accepted } = simulate({ seed, limiter, rows: 10_000, starts: [0, 20_000] });
      const counts = accepted.map(
        (times) => times.filter((time) => time >= 40_000 && time < 80_000).length,
      );
      return (counts[1] ?? 0) / counts.reduce((sum, count) => sum + count);
    });
    const mean = portions.reduce((sum, portion) => sum + portion) / portions.length;
    expect(mean).toBeGreaterThan(0.4);
    expect(mean).toBeLessThan(0.6);
    expect(Math.min(...portions)).toBeGreaterThan(0.2);
    expect(Math.max(...portions)).toBeLessThan(0.8);
  });

  it.each([
    [0.1, 16],
    [0.1, 1],
    [3, 1],
  ])('never exceeds --rate %d, with %d in flight', (maxRate, concurrency) => {
    const limiter = () => new Unlimited();
    const { accepted, share } = simulate({
      seed: 1,
      limiter,
      rows: 30,
      maxRate,
      concurrency,
      jitter: 0,
    });
    const times = accepted[0] ?? [];
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(
      (29 / maxRate) * 1000 - 10,
    );
    expect(share).toBeGreaterThan(0.98);
  });

  it.each([5, 50])('never exceeds --rate where a limit of %d/s has no burst', (rate) => {
    const limiter = () => new LimitReq(rate);
    const maxRate = rate - 1;
    const { sentAt, done } = simulate({ seed: 1, limiter, rows: 200, maxRate, retryAfter: false });
    const spans = sentAt.slice(10).map((time, from) => time - (sentAt[from] ?? 0));
    expect(done).toBe(200);
    expect(Math.min(...spans)).toBeGreaterThanOrEqual((10 / maxRate) * 1000 - 10 - 1e-6);
  });

  it('is not spent evenly where a short file fits into a long window', () => {
    const { share, refused } = tryOut(trial('fixed window 5000 per 1 h, 300 rows'), 'headers', 5);
    expect(share.worst).toBeGreaterThan(90);
    expect(refused.worst).toBe(0);
  });
});

describe('a quota', () => {
  it.each([
    ['429 for ever', 'bare 429', 130, 80],
    ['429 for ever, Retry-After 60', 'Retry-After', 300, 12],
    ['quota of 500', 'bare 429', 300, 60],
    ['quota of 500, 50/s without a burst', 'bare 429', 300, 400],
    ['quota of 2, 5/s without a burst', 'bare 429', 300, 400],
  ] as const)('is distinguished from a rate limit: %s', (name, manner, seconds, maxRefused) => {
    const limit = trial(name);
    const { stopped, finishMs, sent, done } = simulate(scenarioOf(limit, manner, 1));
    expect(stopped).toBe(1);
    expect(finishMs / 1000).toBeGreaterThanOrEqual(seconds * 0.99);
    expect(finishMs / 1000).toBeLessThan(seconds + 30);
    expect(sent - done).toBeLessThanOrEqual(maxRefused);
  });

  it.each(['Retry-After', 'bare 429', 'headers'] as const)(
    'is not a window of a minute: %s',
    (manner) => {
      for (const name of ['fixed window 100 per 60 s', '4 processes, 100 per 60 s']) {
        const limit = trial(name);
        expect(tryOut(limit, manner, 3).done).toBe(limit.rows);
      }
    },
  );

  it.each([
    [0, 30, 60, 70_000],
    [0, 10, 20, 30, 40, 50, 60, 70_000],
  ])('is not a window that others have drained when a process begins: %j', (...starts) => {
    const { limiter } = trial('fixed window 100 per 60 s');
    for (const seed of [1, 2, 3, 4, 5]) {
      const { accepted } = simulate({ seed, limiter, rows: 1_500, starts, retryAfter: false });
      expect(accepted.filter((times) => times.length === 0)).toEqual([]);
    }
  });

  it('has a refusal streak with start and end', () => {
    const pacer = new Pacer({ concurrency: 4 });
    const refuse = (now: number, retryAfterMs?: number) =>
      pacer.responded(pacer.sent(now), now + 50, {
        kind: 'refused',
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
    refuse(1_000);
    expect(pacer.refusalStreak).toBeUndefined();
    refuse(2_000);
    expect(pacer.refusalStreak).toEqual({ since: 1_000, until: 131_000 });
    refuse(5_000, 1_000);
    expect(pacer.refusalStreak).toEqual({ since: 1_000, until: 301_000 });
    pacer.responded(pacer.sent(7_000), 7_050, { kind: 'accepted' });
    expect(pacer.refusalStreak).toBeUndefined();
    refuse(8_000);
    refuse(9_000);
    expect(pacer.refusalStreak).toEqual({ since: 8_000, until: 308_000 });
  });

  it('is assumed when a refusal requests a wait above one hour', () => {
    const pacer = new Pacer({ concurrency: 4 });
    pacer.responded(pacer.sent(0), 50, { kind: 'refused', retryAfterMs: 3_600_000 });
    expect(pacer.exhausted).toBe(false);
    pacer.responded(pacer.sent(4_000_000), 4_000_050, { kind: 'refused', retryAfterMs: 3_601_000 });
    expect(pacer.exhausted).toBe(true);
  });

  it('is no longer assumed when a request is accepted', () => {
    const pacer = new Pacer({ concurrency: 4 });
    const accepted = pacer.sent(0);
    pacer.responded(pacer.sent(0), 50, { kind: 'refused', retryAfterMs: 86_400_000 });
    pacer.responded(accepted, 60, { kind: 'accepted' });
    expect(pacer.exhausted).toBe(false);
  });
});

describe('Pacer', () => {
  const accepted: PacingOutcome = { kind: 'accepted' };

  it('starts with 4 in flight, then 8, then 4 more in each round trip, and waits for nothing else', () => {
    const pacer = new Pacer({ concurrency: 18 });
    const inFlight: number[] = [];
    for (let now = 0; now < 600; now += 100) {
      const tickets: Ticket[] = [];
      while (pacer.delay(now) === 0) tickets.push(pacer.sent(now));
      expect(pacer.delay(now)).toBe(Infinity);
      inFlight.push(tickets.length);
      for (const ticket of tickets) pacer.responded(ticket, now + 100, accepted);
    }
    expect(inFlight).toEqual([4, 8, 12, 16, 18, 18]);
  });

  it('stops all requests for a Retry-After above two seconds, but not for a shorter one', () => {
    const pacer = new Pacer({ concurrency: 4 });
    pacer.responded(pacer.sent(0), 50, { kind: 'refused', retryAfterMs: 2_000 });
    expect(pacer.delay(50)).toBe(50);
    pacer.responded(pacer.sent(100), 150, accepted);
    pacer.responded(pacer.sent(200), 250, { kind: 'refused', retryAfterMs: 60_000 });
    expect(pacer.delay(250)).toBe(60_000);
    expect(pacer.delay(60_000)).toBe(250);
    expect(pacer.delay(60_250)).toBe(0);
  });

  it('sends one probe at a time while everything is refused, each after a longer wait', () => {
    expect(probes(new Pacer({ concurrency: 16 }), 0).slice(0, 12)).toEqual([
      0, 20, 50, 110, 230, 470, 950, 1910, 3830, 5840, 7850, 9860,
    ]);
  });

  it('probes less often when a request was accepted before', () => {
    const pacer = new Pacer({ concurrency: 16 });
    pacer.responded(pacer.sent(0), 10, accepted);
    expect(probes(pacer, 1_000).map((time) => time - 1_000)).toEqual([
      0, 20, 50, 110, 230, 470, 950, 1910, 3830, 7670, 15350, 30360, 45370,
    ]);
  });

  /* When a request is sent within a minute in which all are refused. */
  function probes(pacer: Pacer, from: number): number[] {
    const sent: number[] = [];
    for (let now = from; now < from + 60_000; now += 1) {
      if (pacer.delay(now) > 0) continue;
      sent.push(now);
      const ticket = pacer.sent(now);
      if (sent.length > 2) expect(pacer.delay(now)).toBe(Infinity);
      pacer.responded(ticket, now + 10, { kind: 'refused' });
    }
    return sent;
  }

  it('returns the permitted rate only while the limit delays requests', () => {
    const send = (
      pacer: Pacer,
      everyMs: number,
      refused: (sent: number) => boolean,
      count: number,
    ) => {
      let now = 0;
      for (let sent = 0; sent < count; sent += 1) {
        now += Math.max(everyMs, pacer.delay(now));
        pacer.responded(pacer.sent(now), now + 10, {
          kind: refused(sent) ? 'refused' : 'accepted',
        });
        now += 10;
      }
      return pacer;
    };
    const never = () => false;
    const seldom = (sent: number) => sent % 20 === 10;
    expect(send(new Pacer({ concurrency: 4 }), 0, never, 100).permitted).toBeUndefined();
    expect(
      send(new Pacer({ concurrency: 4, maxRate: 5 }), 0, never, 100).permitted,
    ).toBeUndefined();
    const limited = send(new Pacer({ concurrency: 4 }), 0, seldom, 100);
    expect(limited.permitted).toBeGreaterThan(5);
    expect(limited.permitted).toBeLessThan(100);
    expect(send(limited, 10_000, never, 10).permitted).toBeUndefined();
  });

  it('learns nothing from a request without a response', () => {
    const pacer = new Pacer({ concurrency: 4 });
    for (const ticket of [pacer.sent(0), pacer.sent(0), pacer.sent(0)]) {
      pacer.responded(ticket, 30_000, { kind: 'failed' });
    }
    expect(pacer.delay(30_000)).toBe(0);
    expect(pacer.exhausted).toBe(false);
  });

  it('follows the headers from the first response', () => {
    const pacer = new Pacer({ concurrency: 16 });
    const limit = { quota: 50, windowMs: 1_000, remaining: 46, resetMs: 1_000 };
    pacer.responded(pacer.sent(0), 50, { kind: 'accepted', limit });
    pacer.sent(50);
    pacer.sent(50);
    expect(pacer.delay(50)).toBeCloseTo(2 * (1_000 / 50 / 0.995) - 10);
  });

  it('waits for the reset when the headers advertise no remaining requests', () => {
    const pacer = new Pacer({ concurrency: 16 });
    const limit = { quota: 100, windowMs: 60_000, remaining: 0, resetMs: 20_000 };
    pacer.responded(pacer.sent(0), 50, { kind: 'accepted', limit });
    expect(pacer.delay(50)).toBe(20_000);
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
