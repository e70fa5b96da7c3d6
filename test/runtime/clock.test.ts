import { expect, it } from 'vitest';
import { realClock } from '../../src/runtime/clock.ts';

it('sleeps not at all for no time', async () => {
  await expect(realClock.sleep(0)).resolves.toBeUndefined();
  await expect(realClock.sleep(-1)).resolves.toBeUndefined();
});

it('wakes up at once with the signal’s reason, before and while it sleeps', async () => {
  const reason = new Error('enough');
  await expect(realClock.sleep(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const ended = new AbortController();
  const asleep = realClock.sleep(2 ** 40, ended.signal);
  ended.abort(reason);
  await expect(asleep).rejects.toBe(reason);
});
