/* The built program behind proxies that work; network.test.ts has those that refuse. */
import { describe, expect, it } from 'vitest';
import { execute } from '../support/executable.ts';
import { serveProxy, serveTls, trusting } from '../support/tls.ts';

const account = { CARBON_BASE_URL: 'https://else.example', CARBON_API_KEY: 'canary-key' };

describe('carbon behind a proxy', () => {
  it.each([
    ['http', 'HTTPS_PROXY'],
    ['http', 'HTTP_PROXY'],
    ['http', 'https_proxy'],
    ['https', 'HTTPS_PROXY'],
  ] as const)(
    'retrieves and registers through an %s:// proxy in %s',
    async (protocol, variable) => {
      const keys: (string | undefined)[] = [];
      const service = await serveTls('elsewhere', ({ headers }) =>
        keys.push(headers.authorization),
      );
      const proxy = await serveProxy(service, protocol);
      const address = proxy.url.replace('://', '://user:p%40ss@');
      const env = { ...account, ...trusting, [variable]: address };
      const ends = [
        await execute(['get', '1', '-q'], { env }),
        await execute(['register', '--name', 'Acme AG', '-q'], { env }),
      ];
      const ok = { exit: 0, stdout: '1\n', stderr: '' };
      expect(ends).toEqual([expect.objectContaining(ok), expect.objectContaining(ok)]);
      expect(keys).toEqual(['Bearer canary-key', 'Bearer canary-key']);
      expect(proxy.tunnels).toHaveLength(2);
      for (const head of proxy.tunnels) {
        expect(head).toMatch(/^CONNECT else\.example:443 HTTP\/1\.1\r\n/);
        expect(head).toContain(`proxy-authorization: Basic ${btoa('user:p@ss')}`);
        expect(head).not.toContain('canary-key');
      }
    },
  );

  it('opens one tunnel for each request in flight of a list', async () => {
    let requests = 0;
    const service = await serveTls('elsewhere', () => {
      requests += 1;
    });
    const proxy = await serveProxy(service);
    const env = { ...account, ...trusting, HTTPS_PROXY: proxy.url };
    const ids = Array.from({ length: 40 }, (_, index) => `${index + 1}\n`);
    const { exit, stdout, stderr } = await execute(['get', '-', '-q'], {
      env,
      stdin: ids.join(''),
    });
    expect([exit, stdout, stderr, requests]).toEqual([0, ids.join(''), '', 40]);
    expect(proxy.tunnels.length).toBeLessThanOrEqual(16);
  });
});
