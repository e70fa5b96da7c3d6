import { describe, expect, it } from 'vitest';
import { SharePacer } from '../../src/pace/share-pacer.ts';

const start = (share: number | undefined, random: number) =>
  new SharePacer({ concurrency: 16, maxRate: undefined, share, now: 1_000, random: () => random });

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
});
