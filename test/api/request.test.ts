import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { RequestDeadlines, sendRequest } from '../../src/api/request.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Transport } from '../../src/runtime/transport.ts';
import { VirtualClock } from '../support/clock.ts';

const request = {
  origin: 'http://127.0.0.1',
  method: 'GET',
  path: '/',
  headers: {},
  body: null,
} as const;
const late = () => new Error('late');

/* A service that never responds, and one that responds immediately. */
const silent = { dispatch: () => true } as unknown as Transport;
const prompt = {
  dispatch(_: unknown, handler: Parameters<Transport['dispatch']>[1]) {
    handler.onResponseStart?.(undefined as never, 200, { server: 'test' });
    handler.onResponseData?.(undefined as never, Buffer.from('4'));
    handler.onResponseData?.(undefined as never, Buffer.from('2'));
    handler.onResponseEnd?.(undefined as never, {});
    return true;
  },
} as unknown as Transport;

function _world(ms = 5_000) {
  const clock = new VirtualClock();
  const ended = new AbortController();
  return { clock, ended, inFlight: new RequestDeadlines(clock, ms, ended.signal) };
}

describe('sendRequest', () => {
  it('removes its timer and its listener', async () => {
    const timers = new Set<symbol>();
    const clock = {
      elapsed: () => 0,
      after() {
        const timer = Symbol('timer');
        timers.add(timer);
        return () => timers.delete(timer);
      },
    } as unknown as Clock;
    const ended = new AbortController();
    const inFlight = new RequestDeadlines(clock, 5_000, ended.signal);
    const unanswered = sendRequest(silent, request, inFlight, late);
    await sendRequest(prompt, request, inFlight, late);
    expect([timers.size, getEventListeners(ended.signal, 'abort').length]).toEqual([1, 1]);
    ended.abort('enough');
    await expect(unanswered).rejects.toBe('enough');
    expect([timers.size, getEventListeners(ended.signal, 'abort').length]).toEqual([0, 0]);
  });
});
