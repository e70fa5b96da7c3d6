import { describe, expect, it } from 'vitest';
import { SharePacer } from '../../src/pace/share-pacer.ts';

const start = (share: number | undefined, random: number, isNewcomer = false) =>
  new SharePacer({
    concurrency: 16,
    maxRate: undefined,
    share,
    isNewcomer,
    now: 1_000,
    random: () => random,
  });

describe('SharePacer', () => {
  it('sends the first request after a random part of the interval', () => {
    expect(start(4, 0.6).delay(1_000)).toBe(150);
    expect(start(4, 0.6).delay(1_150)).toBe(0);
    expect(start(undefined, 0.6).delay(1_000)).toBe(0);
  });

  it('waits for half a second at most, because the server may be back', () => {
    expect(start(0.1, 0.5).delay(1_000)).toBe(500);
  });

  it('waits for a response instead of a time when no more requests may be in flight', () => {
    const pacer = start(undefined, 0.5);
    while (pacer.delay(1_000) <= 0) pacer.sent(1_000);
    expect(pacer.delay(1_000)).toBe(Infinity);
  });

  it('sends one request a second at first when it never reached the server', () => {
    const pacer = start(undefined, 0.5, true);
    expect(pacer.delay(1_000)).toBe(0);
    const ticket = pacer.sent(1_000);
    pacer.responded(ticket, 1_010, { kind: 'accepted' });
    expect(pacer.delay(1_400)).toBe(500);
    expect(pacer.delay(2_000)).toBe(0);
  });

  it('waits longer after each refusal when it never reached the server', () => {
    const pacer = start(undefined, 0.5, true);
    pacer.responded(pacer.sent(1_000), 1_010, { kind: 'refused' });
    expect(pacer.delay(2_200)).toBeGreaterThan(0);
    expect(pacer.delay(2_260)).toBe(0);
  });

  it('learns the rate without a careful start after half a minute', () => {
    const pacer = start(undefined, 0.5, true);
    const ticket = pacer.sent(30_900);
    pacer.responded(ticket, 30_910, { kind: 'accepted' });
    expect(pacer.delay(30_999)).toBe(500);
    expect(pacer.delay(31_000)).toBe(0);
  });

  it('waits for a Retry-After that began during the careful start', () => {
    const pacer = start(undefined, 0.5, true);
    const refusal = { kind: 'refused', retryAfterMs: 60_000 } as const;
    pacer.responded(pacer.sent(5_000), 5_010, refusal);
    expect(pacer.delay(32_000)).toBe(500);
    expect(pacer.delay(65_010)).toBe(0);
  });
});
