import { describe, expect, it } from 'vitest';
import { withDeadline } from '../src/clock.ts';
import { colourLevel } from '../src/context.ts';
import { VirtualClock } from './support/clock.ts';

describe('colourLevel', () => {
  const millions = () => 24;
  it.each([
    ['a terminal', {}, true, 3],
    ['a pipe', {}, false, 0],
    ['NO_COLOR', { NO_COLOR: '1' }, true, 0],
    ['an empty NO_COLOR', { NO_COLOR: '' }, true, 3],
    ['TERM=dumb', { TERM: 'dumb' }, true, 0],
    ['FORCE_COLOR into a pipe', { FORCE_COLOR: '1' }, false, 1],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, 0],
    ['FORCE_COLOR=true', { FORCE_COLOR: 'true' }, false, 1],
    ['FORCE_COLOR=9', { FORCE_COLOR: '9' }, false, 3],
    ['NO_COLOR and FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '3' }, true, 0],
  ])('obeys %s', (_, env, isTerminal, level) => {
    expect(colourLevel(env, isTerminal, millions)).toBe(level);
  });

  it.each([
    [1, 0],
    [4, 1],
    [8, 2],
    [24, 3],
  ])('turns a depth of %d bits into level %d', (bits, level) => {
    expect(colourLevel({}, true, () => bits)).toBe(level);
  });
});

describe('withDeadline', () => {
  const never = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  it('gives up with its reason when the time is over, on the clock that it was given', async () => {
    const clock = new VirtualClock();
    const late = new Error('late');
    const outer = new AbortController();
    await expect(withDeadline(clock, 5_000, outer.signal, () => late, never)).rejects.toBe(late);
    expect(clock.elapsed()).toBe(5_000);
  });

  it('ends with the outer reason, also when that came before', async () => {
    const reason = new Error('enough');
    const outer = new AbortController();
    const work = withDeadline(new VirtualClock(), 5_000, outer.signal, () => new Error('late'), never);
    outer.abort(reason);
    await expect(work).rejects.toBe(reason);
    const early = (signal: AbortSignal) => Promise.reject(signal.reason);
    await expect(
      withDeadline(new VirtualClock(), 1, outer.signal, () => new Error('late'), early),
    ).rejects.toBe(reason);
  });

  it('leaves no timer behind when the work is done', async () => {
    const clock = new VirtualClock();
    await withDeadline(
      clock,
      5_000,
      new AbortController().signal,
      () => new Error('late'),
      async () => 1,
    );
    await clock.sleep(1);
    expect(clock.elapsed()).toBe(1);
  });
});
