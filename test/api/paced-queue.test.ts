import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { NotFoundError, UnavailableError } from '../../src/api/errors.ts';
import { PacedQueue } from '../../src/api/paced-queue.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import { InterruptedError } from '../../src/runtime/carbon-error.ts';
import { VirtualClock } from '../support/clock.ts';

function open(
  { concurrency = 4, maxRate = 1_000_000 } = {},
  signal = new AbortController().signal,
) {
  const clock = new VirtualClock();
  setMaxListeners(0, signal);
  const pacer = new Pacer({ concurrency, maxRate });
  const waits: number[] = [];
  const onWait = (ms: number) => void waits.push(ms);
  return {
    clock,
    waits,
    gate: new PacedQueue({ pacer, clock, random: () => 0.5, signal, onWait }),
  };
}

it('runs requests in order, within concurrency and rate', async () => {
  const { clock, gate } = open({ concurrency: 2, maxRate: 10 });
  const begun: string[] = [];
  let active = 0;
  const request = (name: number) => async () => {
    begun.push(`${Math.round(clock.elapsed())} ${name}`);
    active += 1;
    expect(active).toBeLessThanOrEqual(2);
    await clock.sleep(250);
    active -= 1;
    return {};
  };
  await Promise.all([1, 2, 3, 4, 5].map((name) => gate.run(request(name))));
  expect(begun).toEqual(['0 1', '100 2', '250 3', '350 4', '500 5']);
});

it('retries after each refusal, a few times after other failures, and never after an unknown id', async () => {
  const { gate, waits } = open();
  const limited = new UnavailableError('rate_limited', 'slower', {
    status: 429,
    retryAfterMs: 1_500,
  });
  const answers = [...Array(9).fill(limited), {}];
  await gate.run(async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return {};
  });
  // Includes the waits of the pacer between its own.
  expect(waits.filter((ms) => ms === 1_500).length).toBeGreaterThanOrEqual(9);

  let tries = 0;
  const failing = (error: Error) => async () => {
    tries += 1;
    throw error;
  };
  const broken = new UnavailableError('service_failed', 'broken', { status: 500 });
  await expect(gate.run(failing(broken))).rejects.toBe(broken);
  expect(tries).toBe(4);
  const unknown = new NotFoundError('unknown');
  await expect(gate.run(failing(unknown))).rejects.toBe(unknown);
  expect(tries).toBe(5);
});

it('reports no wait of a request that fails after the command has ended', async () => {
  const end = new AbortController();
  const { gate, waits } = open({}, end.signal);
  const running = gate.run(async () => {
    end.abort(new InterruptedError());
    throw new UnavailableError('rate_limited', 'slower', { status: 429, retryAfterMs: 1_500 });
  });
  await expect(running).rejects.toBeInstanceOf(InterruptedError);
  expect(waits).toEqual([]);
});

it('retries a 429 whose Retry-After is longer than a minute', async () => {
  const { gate, waits } = open();
  const limited = new UnavailableError('rate_limited', 'slower', {
    status: 429,
    retryAfterMs: 90_000,
  });
  let attempts = 0;
  await gate.run(async () => {
    attempts += 1;
    if (attempts === 1) throw limited;
    return {};
  });
  expect(attempts).toBe(2);
  expect(waits).toContain(90_000);
});

it('rejects waiting requests when the signal aborts', async () => {
  const stop = new AbortController();
  const { gate } = open({ concurrency: 1, maxRate: 0.001 }, stop.signal);
  await gate.run(async () => ({}));
  const waiting = gate.run(async () => ({}));
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

it('retries a 503 with Retry-After like a 429, up to one minute', async () => {
  const { gate } = open();
  const refusal = (retryAfterMs: number) => () => {
    tries += 1;
    throw new UnavailableError('service_failed', '', { status: 503, retryAfterMs });
  };
  let tries = 0;
  const after = (count: number) => async () => (tries < count ? refusal(1_000)() : {});
  await gate.run(after(9));
  expect(tries).toBe(9);
  await expect(gate.run(async () => refusal(61_000)())).rejects.toMatchObject({ status: 503 });
  expect(tries).toBe(10);
});
