import { describe, expect, it } from 'vitest';
import { realClock } from '../../src/runtime/clock.ts';

describe('realClock.sleep', () => {
  it('resolves at once when the time is zero or negative', async () => {
    await expect(realClock.sleep(0)).resolves.toBeUndefined();
    await expect(realClock.sleep(-1)).resolves.toBeUndefined();
  });

  it('rejects with the reason of the signal when it is aborted before or during the sleep', async () => {
    const reason = new Error('enough');
    await expect(realClock.sleep(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const ended = new AbortController();
    const asleep = realClock.sleep(2 ** 40, ended.signal);
    ended.abort(reason);
    await expect(asleep).rejects.toBe(reason);
  });
});
