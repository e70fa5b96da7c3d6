import { describe, expect, it } from 'vitest';
import { CarbonClient, CarbonError, type Registration } from '../src/index.ts';

const baseUrl = 'https://api.example.com';

describe('the library', () => {
  it.each([
    ['no URL', { baseUrl: 'api.example.com', apiKey: 'k' }, 'baseUrl: this is not a URL'],
    ['plain http', { baseUrl: 'http://api.example.com', apiKey: 'k' }, 'is plain http'],
    ['no key', { baseUrl, apiKey: '' }, 'apiKey: the API key is empty'],
    ['an undefined key', { baseUrl, apiKey: undefined as unknown as string }, 'apiKey: the API key is empty'],
    ['a key with a line break', { baseUrl, apiKey: 'a\nb' }, 'characters that no key has'],
  ])('refuses %s with a CarbonError when a client is made', (_, options, says) => {
    expect(() => new CarbonClient(options)).toThrow(CarbonError);
    expect(() => new CarbonClient(options)).toThrow(says);
  });

  it('rejects what cannot be sent with a CarbonError, without a request', async () => {
    const client = new CarbonClient({
      baseUrl,
      apiKey: 'k',
      openTransport: () => expect.unreachable('a connection was opened'),
    });
    const nothing = [{}, undefined, { name: ' ' }, { name: 7 }] as unknown as Registration[];
    for (const identifier of nothing) {
      await expect(client.register(identifier)).rejects.toMatchObject({ code: 'invalid_input', exit: 2 });
    }
    for (const id of [Number.NaN, -1, 1.5, '', '../1', 'acme']) {
      await expect(client.retrieve(id)).rejects.toMatchObject({ code: 'invalid_input', exit: 2 });
    }
    await client.close();
  });
});
