import { describe, expect, it } from 'vitest';
import { NotFoundError, UnauthorizedError, UnavailableError } from '../../src/api/errors.ts';
import type { RecordResponse } from '../../src/api/responses.ts';
import type { Environment } from '../../src/api/scheduler.ts';
import { type WatchEvent, type WatchOptions, watch } from '../../src/api/watch.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { VirtualClock } from '../support/clock.ts';

const received = (status: string | undefined): RecordResponse => ({
  record: status === undefined ? {} : { status },
  json: '{}',
});

/**
 * Follows ids against a service that knows the time; returns what happened, with the second it
 * happened at.
 */
async function watchAll(
  ids: readonly string[],
  answer: (id: string, seconds: number) => RecordResponse | Error,
  options: Partial<WatchOptions<string>> & Partial<Environment> = {},
): Promise<string[]> {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const retrieve = async (id: string) => {
    const outcome = answer(id, clock.elapsed() / 1000);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const all = { ...environment(clock), ...options };
  const pacer = new Pacer({ concurrency: 4 });
  const watched = watch(all, ids, { retrieve, pacer, timeoutMs: 1_800_000, ...options });
  for await (const event of watched)
    lines.push(`${Math.round(clock.elapsed() / 1000)}s ${event.item} ${describeEvent(event)}`);
  return lines;
}

const environment = (clock: Clock): Environment => ({
  clock,
  random: () => 0.5,
  signal: new AbortController().signal,
});

function describeEvent(event: WatchEvent<string>): string {
  if (event.kind === 'failed' || event.kind === 'retrying')
    return `${event.kind}: ${event.error.message}`;
  return `${event.kind} ${event.status}${event.kind === 'checked' && event.changed ? ' (changed)' : ''}`;
}

describe('watch', () => {
  it('checks immediately, then every 10 s, and reports each change of the status', async () => {
    const statuses = ['created', 'created', undefined, 'pondering', 'synced'];
    const lines = await watchAll(['7'], (_, seconds) =>
      received(statuses[Math.round(seconds / 10)]),
    );
    expect(lines).toEqual([
      '0s 7 checked created (changed)',
      '10s 7 checked created',
      '20s 7 checked undefined (changed)',
      '30s 7 checked pondering (changed)',
      '40s 7 ended synced',
    ]);
  });

  it('checks a last time at the deadline and leaves what is still in progress', async () => {
    const lines = await watchAll(['1', '2'], (id) => received(id === '1' ? 'errored' : 'waiting'), {
      timeoutMs: 15_000,
    });
    expect(lines).toEqual([
      '0s 1 ended errored',
      '0s 2 checked waiting (changed)',
      '10s 2 checked waiting',
      '15s 2 checked waiting',
      '15s 2 pending waiting',
    ]);
  });

  it('continues after failures of the service, with growing waits and Retry-After', async () => {
    const failures = [
      ...Array(4).fill(new UnavailableError('network', 'lost')),
      new UnavailableError('rate_limited', 'slower', { retryAfterMs: 90_000 }),
    ];
    const lines = await watchAll(['5'], () => failures.shift() ?? received('synced'));
    expect(lines).toEqual(['4s 5 retrying: lost', '114s 5 ended synced']);
  });

  it('ends only the watch of an unknown id, and everything when the key is refused', async () => {
    const answer = (id: string) =>
      id === '404' ? new NotFoundError('unknown') : received('synced');
    expect(await watchAll(['404', '1'], answer)).toEqual([
      '0s 404 failed: unknown',
      '0s 1 ended synced',
    ]);
    const refused = () => new UnauthorizedError('no');
    await expect(watchAll(['1', '2'], refused)).rejects.toBeInstanceOf(UnauthorizedError);
  });

  it('continues after any number of unreadable responses once the service has responded', async () => {
    const page = new UnavailableError('unreadable_response', 'a page');
    const of1 = (seconds: number) => (seconds === 0 || seconds > 500 ? received('synced') : page);
    const lines = await watchAll(['1', '2'], (id, seconds) =>
      id === '1' && seconds === 0 ? received('waiting') : of1(seconds),
    );
    expect(lines.filter((line) => line.includes('retrying')).length).toBeGreaterThan(8);
    expect(
      lines.filter((line) => line.includes('ended')).map((line) => line.replace(/^\d+s /, '')),
    ).toEqual(['2 ended synced', '1 ended synced']);
  });

  it('ends with the last failure if no check succeeded before the deadline', async () => {
    const lost = new UnavailableError('network', 'lost');
    const retrieve = () => Promise.reject(lost);
    const options = { retrieve, pacer: new Pacer({ concurrency: 1 }), timeoutMs: 1_000 };
    const events: WatchEvent<string>[] = [];
    for await (const event of watch(environment(new VirtualClock()), ['1'], options))
      events.push(event);
    expect(events).toEqual([{ kind: 'pending', item: '1', status: undefined, error: lost }]);
  });

  it('starts no check of many organizations after the deadline', async () => {
    const clock = new VirtualClock();
    const retrieve = async () => {
      await clock.sleep(500);
      return received('waiting');
    };
    const ids = Array.from({ length: 100 }, (_, index) => String(index + 1));
    const options = { retrieve, pacer: new Pacer({ concurrency: 2 }), timeoutMs: 3_000 };
    const pending: string[] = [];
    for await (const { kind, item } of watch(environment(clock), ids, options))
      if (kind === 'pending') pending.push(item);
    expect(pending).toHaveLength(100);
    expect(clock.elapsed()).toBeLessThanOrEqual(3_500);
  });
});
