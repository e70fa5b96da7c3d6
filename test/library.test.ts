import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServiceOptions } from '../src/client/api/client.ts';
import type { ClientOptions, Registration } from '../src/index.ts';
import * as source from '../src/index.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { VirtualClock } from './support/clock.ts';
import { loadLibrary } from './support/library.ts';
import { openBuiltTransport } from './support/program.ts';
import { newFolder } from './support/run.ts';
import { serve } from './support/server.ts';
import { openHeld } from './support/transport.ts';

const baseUrl = 'https://api.example.com';

describe.each(await loadLibrary())('the library by %s', (_, library) => {
  const { bothScopes, CarbonClient, CarbonError, chooseFactor, fieldOf, isUncovered } = library;
  const { latestPerformance, PendingError, readEmissions, readRecord } = library;

  it('exports what src/index.ts does, and nothing else', () => {
    expect(Object.keys(library).sort()).toEqual(Object.keys(source).sort());
    expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
      [
        "CarbonClient",
        "CarbonError",
        "InvalidInputError",
        "NotFoundError",
        "PendingError",
        "RejectedError",
        "UnauthorizedError",
        "UnavailableError",
        "bothScopes",
        "chooseFactor",
        "fieldOf",
        "hasEnded",
        "identifierSchema",
        "isUncovered",
        "knownStatuses",
        "latestPerformance",
        "organizationSchema",
        "ranks",
        "readEmissions",
        "readRecord",
        "scope3Categories",
      ]
    `);
  });

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
      const invalid: readonly [given: unknown, says: string][] = [
        [undefined, 'name "" is missing: an organization needs a name'],
        [{}, 'name "" is missing: an organization needs a name'],
        [{ name: ' ' }, 'name " " is missing: an organization needs a name'],
        [{ name: 7 }, 'name is not a string'],
        [{ name: 'A', hq_region: null }, 'hq_region is not a string'],
        [{ name: 'A', is_legal_entity_name: 'yes' }, 'is_legal_entity_name is not a boolean'],
        [
          { name: 'A', hq_region: 'UK', lei_number: '529900T8BM49AURSDO56' },
          'hq_region "UK" is not an ISO 3166-1 two-letter country code: did you mean GB?; ' +
            'lei_number "529900T8BM49AURSDO56" has wrong check digits (ISO 17442), so a character may be mistyped: look it up at search.gleif.org, or leave it out',
        ],
        [
          { name: 'A', hq_regoin: 'DE' },
          '"hq_regoin" is neither a field of a registration nor one of otherFields: did you mean hq_region?',
        ],
        [
          { name: 'A', color: 'red' },
          '"color" is neither a field of a registration nor one of otherFields',
        ],
      ];
      for (const [given, message] of invalid) {
        const error = { code: 'invalid_input', name: 'InvalidInputError', message };
        await expect(client.register(given as Registration)).rejects.toMatchObject(error);
        if (given === undefined) continue;
        const all = client.registerAll([given as Registration]);
        expect((await all.next()).value).toMatchObject({ item: given, error });
      }
      for (const id of [Number.NaN, -1, 1.5, '', '../1', 'acme']) {
        await expect(client.retrieve(id)).rejects.toMatchObject({ code: 'invalid_input' });
        await expect(client.wait(id)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      const wrong = [{ timeoutMs: Number.NaN }, { timeoutMs: -1 }, { intervalMs: 0 }];
      for (const durations of [...wrong, { intervalMs: Number.NaN }]) {
        await expect(client.wait(7, durations)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      await client.close();
    });
  });

  it('sends normalized codes, and the fields that the client is told about', async () => {
    const { url, seen } = await serve({ json: { id: 7, status: 'created' } });
    const client = new CarbonClient({ baseUrl: url, apiKey: 'k', otherFields: ['vat_number'] });
    onTestFinished(() => client.close());
    const lei = '529900t8 bm49 aursdo55';
    const registration = { name: ' Acme AG', hq_region: 'de', lei_number: lei, website: undefined };
    await client.register({ ...registration, vat_number: 'DE1' });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      name: 'Acme AG',
      hq_region: 'DE',
      lei_number: '529900T8BM49AURSDO55',
      vat_number: 'DE1',
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
        openTransport: openHeld(clock, openBuiltTransport),
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
      const { client } = connect(sandbox.url, 'k', {
        clock,
        openTransport: openHeld(clock, openBuiltTransport),
      });
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
