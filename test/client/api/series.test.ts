/* Series of requests as users of the packed library send them, over HTTP and on a virtual clock. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemResult } from '../../../src/client/api/carbon-client.ts';
import type { ServiceOptions } from '../../../src/client/api/client.ts';
import type { Registration } from '../../../src/index.ts';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { VirtualClock } from '../../support/clock.ts';
import { loadLibrary } from '../../support/library.ts';
import { openBuiltTransport } from '../../support/program.ts';
import { type Reply, serve } from '../../support/server.ts';
import { openHeld } from '../../support/transport.ts';

describe.each(await loadLibrary())('the library by %s', (_, { CarbonClient }) => {
  function connect(baseUrl: string, clock: VirtualClock, more: Partial<ServiceOptions> = {}) {
    const random = () => 0.5;
    const openTransport = openHeld(clock, openBuiltTransport);
    const options = { baseUrl, apiKey: 'k', clock, random, openTransport, ...more };
    const client = new CarbonClient(options);
    onTestFinished(() => client.close());
    return client;
  }

  /** Connects to a sandbox on the clock of the client. */
  async function connectSandbox(options: Partial<SandboxOptions> = {}) {
    const clock = new VirtualClock();
    const sandbox = await startSandbox({ clock, key: 'k', ...options });
    onTestFinished(() => sandbox.close());
    return { client: connect(sandbox.url, clock), clock };
  }

  /** A server that accepts every registration but those named by a number, which is its status. */
  async function serveNames() {
    let id = 0;
    const reply: Reply = async (response) => {
      const { name } = JSON.parse(server.seen.at(-1)?.body ?? '') as Registration;
      const isFailed = /^\d+$/.test(name);
      id += 1;
      await setTimeout(id % 3);
      response.writeHead(isFailed ? Number(name) : 200, { 'content-type': 'application/json' });
      const error = { status: Number(name), title: 'No', detail: `No ${name}.` };
      response.end(JSON.stringify(isFailed ? error : { id, name, status: 'created' }));
    };
    const server = await serve(reply);
    return server;
  }

  const named = (...names: string[]): Registration[] => names.map((name) => ({ name }));

  async function collect<Item>(results: AsyncIterable<ItemResult<Item>>) {
    const found: ItemResult<Item>[] = [];
    for await (const result of results) found.push(result);
    return found;
  }

  describe('registerAll', () => {
    it('yields in the order of the items, with the error of one that is refused', async () => {
      const { url } = await serveNames();
      const client = connect(url, new VirtualClock());
      async function* rows() {
        yield* named('A', '422', 'B');
        yield { name: ' ' };
        yield* named('500', 'C');
      }
      const results = await collect(client.registerAll(rows()));
      expect(results.map(({ response, error }) => response?.record.name ?? error?.code)).toEqual([
        'A',
        'rejected',
        'B',
        'invalid_input',
        'service_failed',
        'C',
      ]);
      expect(results[1]?.item).toEqual({ name: '422' });
    });

    it('ends with the error for a key without permission after an invalid item', async () => {
      const { url, seen } = await serveNames();
      const client = connect(url, new VirtualClock());
      let isReturned = false;
      function* rows() {
        try {
          yield { name: '' };
          for (;;) yield { name: '403' };
        } finally {
          isReturned = true;
        }
      }
      const results: ItemResult<Registration>[] = [];
      const all = async () => {
        for await (const each of client.registerAll(rows(), { concurrency: 1 })) results.push(each);
      };
      await expect(all()).rejects.toMatchObject({ code: 'unauthorized', status: 403 });
      expect(results.map(({ error }) => error?.code)).toEqual(['invalid_input']);
      expect([seen.length, isReturned]).toEqual([1, true]);
    });

    it.each(['its own', "the client's"])(
      'ends with the reason of %s signal, even while it waits for an item',
      async (whose) => {
        const { url, seen } = await serveNames();
        const stop = new AbortController();
        const clock = new VirtualClock();
        const client = connect(url, clock, whose === 'its own' ? {} : { signal: stop.signal });
        async function* rows() {
          yield { name: 'A' };
          await new Promise(() => {});
        }
        const signal = whose === 'its own' ? stop.signal : undefined;
        const results = client.registerAll(rows(), { signal });
        expect((await results.next()).value).toMatchObject({ response: { record: { name: 'A' } } });
        const reason = new Error('enough');
        clock.after(1_000, () => stop.abort(reason));
        await expect(results.next()).rejects.toBe(reason);
        expect(seen).toHaveLength(1);
      },
    );

    it('sends no more when the caller stops', async () => {
      const { client, clock } = await connectSandbox({ rate: 1 });
      let read = 0;
      function* rows() {
        for (;;) {
          read += 1;
          yield { name: `Supplier ${read} AG` };
        }
      }
      for await (const { response } of client.registerAll(rows(), { concurrency: 1 })) {
        expect(response?.record.id).toBe(1);
        break;
      }
      const before = read;
      await clock.sleep(60_000);
      expect(read).toBe(before);
      expect((await client.register({ name: 'The next AG' })).record.id).toBeLessThanOrEqual(3);
    });

    it('rejects an invalid concurrency without a request', async () => {
      const client = connect('https://api.example.com', new VirtualClock());
      for (const concurrency of [0, 1.5, Number.NaN]) {
        const invalid = { code: 'invalid_input' };
        await expect(client.registerAll([], { concurrency }).next()).rejects.toMatchObject(invalid);
        await expect(client.waitAll([], { concurrency }).next()).rejects.toMatchObject(invalid);
      }
    });

    it('ends if ten different names in a row get one id', async () => {
      const { url } = await serve({ json: { id: 1001, name: 'Other', status: 'created' } });
      const client = connect(url, new VirtualClock());
      const subsidiaries = named(...'abcdefghijkl').map(({ name }) => ({ name: `Acme ${name}` }));
      expect(await collect(client.registerAll(subsidiaries))).toHaveLength(12);
      const different = named(...'abcdefghijkl');
      await expect(collect(client.registerAll(different))).rejects.toThrow(
        'The service sent the same ID 1001 for 10 different organizations in a row, such as "a" and "b"',
      );
    });
  });

  describe('retrieveAll', () => {
    it('retrieves in the order of the ids, in a currency, and names an unknown id', async () => {
      const { client, clock } = await connectSandbox({ researchMs: 10, rate: 5 });
      await collect(client.registerAll(named('Sandbox synced', 'Sandbox factors')));
      await clock.sleep(1_000);
      const results = await collect(client.retrieveAll([2, '1', 77, 'x'], { currency: 'EUR' }));
      expect(results.map(({ item, error }) => [item, error?.code])).toEqual([
        [2, undefined],
        ['1', undefined],
        [77, 'not_found'],
        ['x', 'invalid_input'],
      ]);
      const [first, second] = results.map(({ response }) => response?.record);
      expect([first?.id, second?.id]).toEqual([2, 1]);
      expect(first?.performances?.[0]?.revenue_currency).toBe('EUR');
    });
  });

  describe('waitAll', () => {
    it('yields each organization as its research ends, and every failure with its id', async () => {
      const { client, clock } = await connectSandbox({ researchMs: 30_000 });
      await collect(client.registerAll(named('Sandbox errored', 'Sandbox pending')));
      await clock.sleep(60_000);
      const last = await client.register({ name: 'Acme AG' });
      async function* ids() {
        yield* [last.record.id ?? '', 'x', 2];
        yield* [77, 1, 1];
      }
      const results = await collect(client.waitAll(ids(), { timeoutMs: 120_000 }));
      const found = results.map(({ item, response, error }) => [
        item,
        response?.record.status ?? error?.code,
      ]);
      expect(found.slice(0, 4).sort()).toEqual([
        [1, 'errored'],
        [1, 'errored'],
        [77, 'not_found'],
        ['x', 'invalid_input'],
      ]);
      expect(found.slice(4)).toEqual([
        [3, 'synced'],
        [2, 'pending'],
      ]);
      expect(results.at(-1)?.error).toMatchObject({ id: '2' });
    });
  });
});
