import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { hintOf } from '../../../src/cli/errors.ts';
import {
  type ClientEvent,
  ServiceClient,
  type ServiceOptions,
} from '../../../src/client/api/client.ts';
import { CarbonError } from '../../../src/runtime/carbon-error.ts';
import { VirtualClock } from '../../support/clock.ts';
import { type Reply, serve } from '../../support/server.ts';
import { openHeld } from '../../support/transport.ts';

const acme = { name: 'Acme AG', hq_region: 'DE' };

function connect(
  baseUrl: string,
  {
    clock = new VirtualClock(),
    ...options
  }: Partial<ServiceOptions> & { clock?: VirtualClock } = {},
): ServiceClient {
  const client = new ServiceClient({
    baseUrl,
    apiKey: 'key-1',
    clock,
    openTransport: openHeld(clock),
    random: () => 0.5,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

async function failure(work: Promise<unknown>): Promise<CarbonError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CarbonError) return error;
  throw new Error(`expected a CarbonError, got ${error}`);
}

describe('register', () => {
  it('posts the identifier with the key and returns the record and its JSON text', async () => {
    const text = '{ "id": 12, "name":"Acme AG", "extra": 1.0, "id": 12 }';
    const { url, seen } = await serve({ text });
    const received = await connect(`${url}/v1/`).register(acme);
    expect(received).toEqual({
      record: { id: 12, name: 'Acme AG', extra: 1 },
      droppedPaths: [],
      droppedCount: 0,
      json: text,
      limit: undefined,
      id: 12,
      status: undefined,
    });
    expect(seen).toMatchObject([
      { method: 'POST', path: '/v1/organizations', body: JSON.stringify(acme) },
    ]);
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer key-1',
      'content-type': 'application/json',
      'user-agent': `carbon/${packageJson.version}`,
    });
  });

  it('checks the values of a record unless only its text matters', async () => {
    const sent = { id: 12, score: 'high', cdp: { is_listed: 'yes' } };
    const { url } = await serve({ json: sent });
    expect(await connect(url).retrieve(12)).toMatchObject({
      record: { id: 12, score: null, cdp: { is_listed: null } },
      json: JSON.stringify(sent),
      droppedPaths: ['score', 'cdp.is_listed'],
      droppedCount: 2,
    });
    const record = await connect(url, { isTextOnly: true }).retrieve(12);
    expect(record).toMatchObject({ record: sent, json: JSON.stringify(sent), droppedCount: 0 });
  });

  it.each([
    [400, true],
    [422, true],
    [413, false],
  ])('mentions --field only when the fields may be wrong: %d', async (status, points) => {
    const { url } = await serve({ status, json: { status, title: 'No', detail: 'No.' } });
    const error = await failure(connect(url).register(acme));
    expect(hintOf(error)?.includes('--field') ?? false).toBe(points);
  });
});

describe('retries', () => {
  it('retries a registration after 503 and a lost connection, with waits', async () => {
    const clock = new VirtualClock();
    const events: ClientEvent[] = [];
    const { url, seen } = await serve({ status: 503, json: {} }, (response) => response.destroy(), {
      json: { id: 1 },
    });
    await connect(url, { clock, onEvent: (event) => events.push(event) }).register(acme);
    expect(seen.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(acme)));
    expect(events.flatMap((event) => (event.kind === 'retry' ? [event.ms] : []))).toEqual([
      500, 1_000,
    ]);
    expect(clock.elapsed()).toBe(1_500);
  });

  it.each([-3_600_000, 60_000])(
    'respects Retry-After in full, although the clock of the service is %d ms ahead',
    async (aheadMs) => {
      const clock = new VirtualClock();
      const serverDate = (ms: number) => new Date(clock.now() + aheadMs + ms).toUTCString();
      const { url } = await serve(
        { status: 429, json: {}, headers: { 'retry-after': '20' } },
        {
          status: 429,
          json: {},
          headers: { date: serverDate(20_000), 'retry-after': serverDate(50_000) },
        },
        { json: { id: 1 } },
      );
      await connect(url, { clock }).register(acme);
      expect(clock.elapsed()).toBe(50_000);
    },
  );

  it('gives up at once when Retry-After is an hour', async () => {
    const headers = { 'retry-after': '3600' };
    const { url, seen } = await serve({ status: 429, json: {}, headers });
    const error = await failure(connect(url).register(acme));
    const hint = 'Try again after 2026-01-15T10:30:00Z, as the service requests.';
    expect([error.code, hintOf(error), seen.length]).toEqual(['rate_limited', hint, 1]);
  });

  it('removes its timers and its listeners when many requests have waited', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { signal } = new AbortController();
    const busy = Array<Reply>(15).fill({ status: 503, json: {} });
    const { url } = await serve(...busy, { json: { id: 1 } });
    const clock = new VirtualClock();
    const client = connect(url, { clock, signal, connections: 15 });
    await Promise.all(busy.map(() => client.register(acme)));
    expect([warnings, getEventListeners(signal, 'abort'), clock.timers]).toEqual([[], [], 0]);
  });
});
