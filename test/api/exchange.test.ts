import { expect, it } from 'vitest';
import { type Deadline, exchange, type Request } from '../../src/api/exchange.ts';
import type { Transport } from '../../src/transport.ts';
import { VirtualClock } from '../support/clock.ts';

type Dispatched = Parameters<Transport['dispatch']>[1];
type Controller = Parameters<NonNullable<Dispatched['onRequestStart']>>[0];

const request: Request = { origin: 'http://service.example', method: 'GET', path: '/', headers: {} };
const late = new Error('late');

/** A transport whose requests do what the test lets them do, and the reasons that they were ended for. */
function scripted(act: (handler: Dispatched, controller: Controller) => void) {
  const reasons: unknown[] = [];
  const controller = { abort: (reason: unknown) => void reasons.push(reason) } as unknown as Controller;
  const transport: Transport = {
    dispatch(_, handler) {
      act(handler, controller);
      return true;
    },
    destroy: async () => undefined,
  };
  return { transport, reasons };
}

const deadline = (clock: VirtualClock): Deadline => ({ clock, ms: 5_000, reason: () => late });

it('gives up at the deadline, on the clock that it was given', async () => {
  const clock = new VirtualClock();
  const { transport, reasons } = scripted((handler, controller) => handler.onRequestStart?.(controller, {}));
  const { signal } = new AbortController();
  await expect(exchange(transport, request, signal, deadline(clock))).rejects.toBe(late);
  expect([clock.elapsed(), reasons]).toEqual([5_000, [late]]);
});

it('ends with the signal, also a request that has not begun, or when that came before', async () => {
  const enough = new Error('enough');
  const ended = new AbortController();
  let begin = () => {};
  const { transport, reasons } = scripted((handler, controller) => {
    begin = () => handler.onRequestStart?.(controller, {});
  });
  const asked = exchange(transport, request, ended.signal, deadline(new VirtualClock()));
  ended.abort(enough);
  await expect(asked).rejects.toBe(enough);
  expect(reasons).toEqual([]);
  begin();
  expect(reasons).toEqual([enough]);
  const again = exchange(transport, request, ended.signal, deadline(new VirtualClock()));
  await expect(again).rejects.toBe(enough);
});

it('leaves no timer behind when it is answered', async () => {
  const clock = new VirtualClock();
  const { transport } = scripted((handler, controller) => {
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 200, {}, 'OK');
    handler.onResponseData?.(controller, Buffer.from('{}'));
    handler.onResponseEnd?.(controller, {});
  });
  const { signal } = new AbortController();
  const answer = await exchange(transport, request, signal, deadline(clock));
  expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, '{}']);
  await clock.sleep(1);
  expect(clock.elapsed()).toBe(1);
});
