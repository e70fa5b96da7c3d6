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

function world(ms = 5_000) {
  const clock = new VirtualClock();
  const ended = new AbortController();
  return { clock, ended, inFlight: new RequestDeadlines(clock, ms, ended.signal) };
}

describe('sendRequest', () => {
  it('returns status, headers and the complete body', async () => {
    const response = await sendRequest(prompt, request, world().inFlight, late);
    expect({ ...response, body: `${response.body}` }).toEqual({
      status: 200,
      headers: { server: 'test' },
      body: '42',
    });
  });

  it('rejects at its deadline on the given clock', async () => {
    const { clock, inFlight } = world();
    await expect(sendRequest(silent, request, inFlight, late)).rejects.toThrow('late');
    expect(clock.elapsed()).toBe(5_000);
  });

  it('rejects with the reason of the signal, also when it was aborted before', async () => {
    const { ended, inFlight } = world();
    const reason = new Error('enough');
    const several = [1, 2, 3].map(() => sendRequest(silent, request, inFlight, late));
    ended.abort(reason);
    const all = await Promise.allSettled([
      ...several,
      sendRequest(prompt, request, inFlight, late),
    ]);
    expect(all).toEqual(all.map(() => ({ status: 'rejected', reason })));
  });

  it('aborts the transport when it starts after the abort', async () => {
    const { ended, inFlight } = world();
    const stopped: unknown[] = [];
    let begin = () => {};
    const slow = {
      dispatch(_: unknown, handler: Parameters<Transport['dispatch']>[1]) {
        begin = () =>
          handler.onRequestStart?.({ abort: (why: Error) => stopped.push(why) } as never, {});
        return true;
      },
    } as unknown as Transport;
    const asked = sendRequest(slow, request, inFlight, late);
    ended.abort('enough');
    await expect(asked).rejects.toBe('enough');
    begin();
    expect(stopped).toEqual(['enough']);
  });

  it('rejects when the transport throws', async () => {
    const { clock, inFlight } = world();
    const broken = {
      dispatch() {
        throw new Error('broken');
      },
    } as unknown as Transport;
    await expect(sendRequest(broken, request, inFlight, late)).rejects.toThrow('broken');
    expect(getEventListeners(inFlight.signal, 'abort')).toEqual([]);
    await expect(sendRequest(silent, request, inFlight, late)).rejects.toThrow('late');
    expect(clock.elapsed()).toBe(5_000);
  });

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
