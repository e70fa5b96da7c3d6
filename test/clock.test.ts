import { expect, it } from 'vitest';
import { realClock, withDeadline } from '../src/clock.ts';
import { VirtualClock } from './support/clock.ts';

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

it('ends work at its deadline, or with the outer signal, and lets go of the clock after it', async () => {
  const clock = new VirtualClock();
  const never = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const late = new Error('late');
  const quiet = new AbortController().signal;
  await expect(withDeadline(clock, 50, quiet, () => late, never)).rejects.toBe(late);
  expect(clock.elapsed()).toBe(50);
  await expect(withDeadline(clock, 50, AbortSignal.abort('stop'), () => late, never)).rejects.toBe('stop');
  await expect(
    withDeadline(
      clock,
      1_000,
      quiet,
      () => late,
      async () => 7,
    ),
  ).resolves.toBe(7);
  await clock.sleep(1);
  expect(clock.elapsed()).toBe(51);
});
