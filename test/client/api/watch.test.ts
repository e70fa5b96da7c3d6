/* What test/cli/commands/organizations/watch.test.ts does not reach. */
import { expect, it } from 'vitest';
import { UnavailableError } from '../../../src/client/api/errors.ts';
import { watch } from '../../../src/client/api/watch.ts';
import { Pacer } from '../../../src/client/pace/pacer.ts';
import { VirtualClock } from '../../support/clock.ts';

/* Follows ids against a service that takes 500 ms, and returns each id with what happened to it. */
async function watchAll(
  ids: readonly string[],
  answer: (id: string, seconds: number) => string | Error,
  { timeoutMs = 1_800_000, concurrency = 4 } = {},
) {
  const clock = new VirtualClock();
  const retrieve = async (id: string) => {
    await clock.sleep(500);
    const status = answer(id, clock.elapsed() / 1000);
    if (status instanceof Error) throw status;
    return { record: { status }, json: '{}', droppedPaths: [], droppedCount: 0 };
  };
  const environment = { clock, random: () => 0.5, signal: new AbortController().signal };
  const options = { retrieve, pacer: new Pacer({ concurrency }), timeoutMs };
  const events: string[] = [];
  for await (const { item, kind } of watch(environment, ids, options))
    events.push(`${item} ${kind}`);
  return { events, elapsedMs: clock.elapsed() };
}

it('continues after any number of unreadable responses once the service has responded', async () => {
  const page = new UnavailableError('unreadable_response', 'a page');
  const { events } = await watchAll(['1', '2'], (id, seconds) => {
    if (seconds < 1) return id === '1' ? 'waiting' : 'synced';
    return seconds > 500 ? 'synced' : page;
  });
  expect(events.filter((event) => event === '1 retrying').length).toBeGreaterThan(8);
  expect(events.filter((event) => event.includes('ended'))).toEqual(['2 ended', '1 ended']);
});

it('checks a last time at the deadline', async () => {
  const { events, elapsedMs } = await watchAll(['1'], () => 'waiting', { timeoutMs: 15_000 });
  expect([events.slice(-2), elapsedMs]).toEqual([['1 checked', '1 pending'], 15_500]);
});

it('starts no check of many organizations after the deadline', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => String(index + 1));
  const limits = { concurrency: 2, timeoutMs: 3_000 };
  const { events, elapsedMs } = await watchAll(ids, () => 'waiting', limits);
  expect(events.filter((event) => event.includes('pending'))).toHaveLength(100);
  expect(elapsedMs).toBeLessThanOrEqual(3_500);
});
