import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceOptions } from '../src/api/client.ts';
import type { ClientOptions, Registration } from '../src/index.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { VirtualClock } from './support/clock.ts';
import { loadLibrary } from './support/library.ts';
import { newFolder } from './support/run.ts';
import { serve } from './support/server.ts';
import { openHeld } from './support/transport.ts';

const baseUrl = 'https://api.example.com';

describe.each(await loadLibrary())('the library by %s', (_, library) => {
  const { bothScopes, CarbonClient, CarbonError, chooseFactor, fieldOf, isUncovered } = library;
  const { latestPerformance, PendingError, readEmissions, readRecord } = library;

  describe('CarbonClient', () => {
    it.each([
      [
        'no URL',
        { baseUrl: 'api.example.com', apiKey: 'k' },
        'baseUrl: the URL does not start with https://',
      ],
      ['plain http', { baseUrl: 'http://api.example.com', apiKey: 'k' }, 'uses plain http'],
      ['an empty query', { baseUrl: `${baseUrl}/v1?`, apiKey: 'k' }, 'must not have a query'],
      ['a timeout of 0', { baseUrl, apiKey: 'k', timeoutMs: 0 }, 'must be greater than 0'],
      ['no key', { baseUrl, apiKey: '' }, 'apiKey: the API key is empty'],
      ['a key with a line break', { baseUrl, apiKey: 'a\nb' }, 'contains invalid characters'],
    ])('throws a CarbonError for %s', (_, options, says) => {
      expect(() => new CarbonClient(options)).toThrow(CarbonError);
      expect(() => new CarbonClient(options)).toThrow(says);
    });

    it('rejects invalid arguments without a request', async () => {
      const options: ServiceOptions = {
        baseUrl,
        apiKey: 'k',
        openTransport: () => expect.unreachable('a connection was opened'),
      };
      const client = new CarbonClient(options);
      const nothing = [{}, undefined, { name: ' ' }, { name: 7 }] as unknown as Registration[];
      for (const identifier of nothing) {
        await expect(client.register(identifier)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      for (const id of [Number.NaN, -1, 1.5, '', '../1', 'acme']) {
        await expect(client.retrieve(id)).rejects.toMatchObject({ code: 'invalid_input' });
        await expect(client.wait(id)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      const invalid = [{ timeoutMs: Number.NaN }, { timeoutMs: -1 }, { intervalMs: 0 }];
      for (const durations of [...invalid, { intervalMs: Number.NaN }]) {
        await expect(client.wait(7, durations)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      await client.close();
    });
  });

  describe('a record', () => {
    it('has no field that is misspelled, and every field that the service sent', () => {
      const { record } = readRecord({ id: 7, score: 0.75, invented: 'kept' });
      expect(record.score).toBe(0.75);
      // @ts-expect-error: the field is misspelled
      expect(record.scroe).toBeUndefined();
      // @ts-expect-error: within a year too
      expect(record.performances?.[0]?.emission).toBeUndefined();
      // @ts-expect-error: and within a scope
      expect(record.performances?.[0]?.emissions?.scope_3?.travel).toBeUndefined();
      expect(record).toHaveProperty('invented', 'kept');
    });
  });

  describe('the figures of a record', () => {
    const { record } = readRecord({
      id: 7,
      performances: [
        { year: 2023, emissions: { scope_1: { total: 9 } } },
        {
          year: 2024,
          revenue: 1_000,
          revenue_currency: 'EUR',
          emissions: {
            scope_1: { total: 5 },
            scope_2: { total_market_based: 2, total_location_based: 3 },
          },
        },
      ],
    });

    it('are those that the commands show for the latest year', () => {
      const figures = readEmissions(latestPerformance(record)?.emissions);
      const { scope1, scope2, scope3 } = figures;
      expect([scope1?.value, scope2?.value, scope3]).toEqual([5, 2, undefined]);
      expect(scope2 && fieldOf(scope2)).toBe('total_market_based');
      expect(bothScopes(figures)?.value).toBe(7);
    });

    it('give the factor that a footprint uses, or the reason why there is none', () => {
      const method = { boundary: 'scope-1-2', maxFactorAge: 5 } as const;
      const need = { currency: 'EUR', year: 2024, requestedCurrency: 'EUR', method };
      const { additive } = chooseFactor(record, need);
      expect(additive).toMatchObject({ basis: 'own', year: 2024, value: 0.007 });
      const { additive: other } = chooseFactor(record, { ...need, currency: 'USD' });
      expect(isUncovered(other) && other.reason).toBe('other_currency');
    });
  });

  describe('the options of a client', () => {
    it('declare neither clock, random numbers, environment nor transport', () => {
      const options: ClientOptions = { baseUrl, apiKey: 'k' };
      // @ts-expect-error: internal
      expect(options.clock).toBeUndefined();
      // @ts-expect-error: internal
      expect(options.random).toBeUndefined();
      // @ts-expect-error: internal
      expect(options.env).toBeUndefined();
      // @ts-expect-error: internal
      expect(options.openTransport).toBeUndefined();
      // @ts-expect-error: internal
      expect(new CarbonClient(options).registerAs).toBeUndefined();
    });
  });

  describe('wait', () => {
    const connect = (url: string, apiKey = 'k', more: Partial<ServiceOptions> = {}) => {
      const clock = new VirtualClock();
      const options: ServiceOptions = {
        baseUrl: url,
        apiKey,
        clock,
        random: () => 0.5,
        openTransport: openHeld(clock),
        ...more,
      };
      const client = new CarbonClient(options);
      onTestFinished(() => client.close());
      return { client, clock };
    };
    const researching = { json: { id: 7, status: 'researching' } };

    it('returns the final record of research in the sandbox', async () => {
      const clock = new VirtualClock();
      const sandbox = await startSandbox({ clock, dataDir: newFolder(), key: 'k' });
      onTestFinished(() => sandbox.close());
      const { client } = connect(sandbox.url, 'k', { clock, openTransport: openHeld(clock) });
      const { record } = await client.register({ name: 'Acme AG' });
      expect(record.status).toBe('created');
      const ended = await client.wait(record.id ?? '', { currency: 'EUR' });
      expect(ended.record).toMatchObject({ id: record.id, status: 'synced' });
      expect(ended.record.performances?.[0]?.revenue_currency).toBe('EUR');
    });

    it('checks as often as carbon watch, and continues after failures of the service', async () => {
      const { url, seen } = await serve(
        researching,
        { status: 503, json: {} },
        { status: 429, json: {}, headers: { 'retry-after': '90' } },
        { json: { id: 7, status: 'synced' } },
      );
      const { client, clock } = connect(url);
      expect((await client.wait('7')).record.status).toBe('synced');
      expect([seen.length, Math.round(clock.elapsed() / 1000)]).toEqual([4, 10 + 1 + 90]);
    });

    it('rejects with the last status when the time is over', async () => {
      const { url, seen } = await serve(researching);
      const { client, clock } = connect(url);
      const error: unknown = await client
        .wait(7, { timeoutMs: 15_000 })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PendingError);
      expect(error).toMatchObject({
        code: 'pending',
        id: '7',
        researchStatus: 'researching',
        message: 'Research on organization 7 was still in progress after 15 s (researching)',
      });
      expect([seen.length, clock.elapsed()]).toEqual([3, 15_000]);
    });
  });
});
