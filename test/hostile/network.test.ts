/* Connections to the service: TLS, IPv6, proxies, redirects. */
import dns, { type LookupOptions } from 'node:dns';
import { createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { VirtualClock } from '../support/clock.ts';
import { startNode } from '../support/executable.ts';
import { installLibrary, loadLibrary } from '../support/library.ts';
import { httpResponse, type RawReply, serveRaw } from '../support/raw-server.ts';
import { run } from '../support/run.ts';
import { listen, serve } from '../support/server.ts';
import { type Certificate, record, serveProxy, serveTls, trusting } from '../support/tls.ts';

const key = 'canary-key-4711';

describe('carbon over TLS', () => {
  it('fails and names NODE_EXTRA_CA_CERTS when the authority is unknown', async () => {
    const url = await serveTls('valid');
    const clock = new VirtualClock();
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: key };
    const { exit, stdout, stderr } = await run(['get', '1'], { env, clock });
    expect([exit, stdout, clock.elapsed()]).toEqual([6, '', 3_500]);
    expect(stderr).toContain(`${url} could not be reached: its certificate is not trusted`);
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS=/path/to/ca.pem');
  });

  it('checks certificates with NODE_EXTRA_CA_CERTS', async () => {
    const names: Certificate[] = ['valid', 'elsewhere', 'expired'];
    const urls = await Promise.all(names.map((name) => serveTls(name)));
    const ask = `
      const { CarbonClient } = require('carbon-data');
      const ends = process.argv.slice(1).map((baseUrl) =>
        new CarbonClient({ baseUrl, apiKey: '${key}', attempts: 1 }).retrieve(1)
          .then(({ record }) => record.name, ({ message }) => message));
      Promise.all(ends).then((texts) => console.log(JSON.stringify(texts)));
    `;
    const running = startNode(['-e', ask, ...urls], { env: trusting, cwd: installLibrary() });
    const { stdout, stderr } = await running.ended;
    expect([JSON.parse(stdout), stderr]).toEqual([
      [
        'Acme AG',
        `${urls[1]} could not be reached: its certificate is for another host name`,
        expect.stringMatching(/ could not be reached: its certificate has expired/),
      ],
      '',
    ]);
  });
});

it('NODE_TLS_REJECT_UNAUTHORIZED=0 does not make carbon send the key to an untrusted certificate', async () => {
  const requests: unknown[] = [];
  const url = await serveTls('valid', (request) => requests.push(request.headers));
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const remote = { CARBON_BASE_URL: 'https://carbon.example', CARBON_API_KEY: key };
  for (const env of [
    { CARBON_BASE_URL: url, CARBON_API_KEY: key },
    // The service behind a tunnel, and a proxy with TLS.
    { ...remote, HTTPS_PROXY: (await serveProxy(url)).url },
    { ...remote, HTTPS_PROXY: url },
  ]) {
    const { exit, stderr } = await run(['get', '1'], { env });
    expect([exit, stderr]).toEqual([6, expect.stringContaining('its certificate is not trusted')]);
  }
  for (const [, { CarbonClient }] of await loadLibrary()) {
    const client = new CarbonClient({ baseUrl: url, apiKey: key, attempts: 1 });
    await expect(client.retrieve(1)).rejects.toThrow('its certificate is not trusted');
    await client.close();
  }
  expect(requests).toEqual([]);
});

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1');

it.skipIf(process.platform !== 'linux')(
  'carbon connects to this machine for localhost and the names below it (skipped unless 127.0.0.66 is a loopback address)',
  async () => {
    const checked = '{"id":0,"name":"None","status":"synced"}';
    const service = await serveRaw((socket) => void socket.write(httpResponse(checked)));
    const respond: RawReply = (socket) => void socket.write(httpResponse(record));
    const attacker = await serveRaw(respond, '127.0.0.66');
    // Resolves every name to the address of an attacker, as a resolver or a hosts file may do.
    const address = '127.0.0.66';
    const resolve = (_: string, { all }: LookupOptions, found: (...found: unknown[]) => void) =>
      found(null, all ? [{ address, family: 4 }] : address, 4);
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(resolve as typeof dns.lookup);
    onTestFinished(() => lookup.mockRestore());
    // login makes one attempt, which sends the key.
    const login = (address: string) =>
      run(['login', '--base-url', `http://${address}`, '--with-key', '--json'], { stdin: key });
    const reached = await login(`carbon.localhost:${service.port}`);
    expect(JSON.parse(reached.stdout)).toMatchObject({ checked: true });
    expect(service.requests.join()).toContain(key);
    await login(`localhost:${attacker.port}`);
    expect(attacker.requests).toEqual([]);
  },
);

it.runIf(hasIpv6)('carbon connects to localhost over IPv6, too (runs with IPv6)', async () => {
  const service = await serveRaw((socket) => void socket.write(httpResponse(record)), '::1');
  const env = { CARBON_BASE_URL: `http://localhost:${service.port}`, CARBON_API_KEY: key };
  expect((await run(['get', '1', '-q'], { env })).stdout).toBe('1\n');
});

/* The environment of a command that reaches the service through a proxy. */
const behind = (proxy: string) => ({
  CARBON_BASE_URL: 'https://carbon.example',
  CARBON_API_KEY: key,
  HTTPS_PROXY: proxy,
});

describe('carbon with a proxy', () => {
  it.each([
    ['407 Proxy Authentication Required', 'The proxy rejected the user name and password (407)'],
    ['403 Forbidden', 'The proxy refused the connection (403)'],
    ['502 Bad Gateway', 'The proxy refused the connection (502)'],
  ])('sends neither key nor request when the proxy responds with %s', async (status, reason) => {
    const proxy = await serveRaw((socket) => void socket.end(httpResponse('', { status })));
    const env = behind(`http://user:canary-password@127.0.0.1:${proxy.port}`);
    const clock = new VirtualClock();
    const { exit, stdout, stderr } = await run(['get', '1', '--debug'], { env, clock });
    expect([exit, stdout, stderr]).toEqual([6, '', expect.stringContaining(reason)]);
    expect(stderr).not.toContain('canary');
    expect(proxy.requests.join()).toMatch(/^CONNECT carbon\.example:443 /);
    expect(proxy.requests.join()).not.toMatch(/canary-key|organizations/);
  });

  it.each([
    ['no challenge', [], 'requires a user name and password', 'HTTPS_PROXY=http://USER:PASSWORD@'],
    [
      'Basic and others',
      ['NTLM', 'Basic realm="a, b"'],
      'requires a user name and password',
      'HTTPS_PROXY=http://USER:PASSWORD@',
    ],
    ['NTLM', ['Negotiate', 'NTLM', 'NTLM TlRM'], 'accepts only Negotiate or NTLM', 'cntlm'],
    [
      'Digest',
      ['Digest realm="a, Basic", nonce="b", qop="auth", Kerberos'],
      'accepts only Digest or Kerberos',
      'cntlm',
    ],
  ])('says how to sign in to a proxy that asks for %s', async (_, challenges, why, hint) => {
    const headers = challenges.map((challenge) => `Proxy-Authenticate: ${challenge}`);
    const answer = httpResponse('', { status: '407 Authenticate', headers });
    const proxy = await serveRaw((socket) => void socket.end(answer));
    const { exit, stdout, stderr } = await run(['get', '1'], { env: behind(proxy.url) });
    expect([exit, stdout, proxy.requests.length]).toEqual([6, '', 1]);
    expect(stderr).toContain(`Error: The proxy ${why} (407)\nHint: `);
    expect(stderr).toContain(hint);
  });

  it.each([
    ['closes the connection', (socket: Socket) => void socket.end(), 'connection closed'],
    [
      'resets the connection',
      (socket: Socket) => void socket.resetAndDestroy(),
      'connection reset',
    ],
    ['speaks SSH', (socket: Socket) => void socket.end('SSH-2.0-x\r\n\r\n'), 'does not speak HTTP'],
  ])('makes four attempts when the proxy %s instead of opening a tunnel', async (_, drop, why) => {
    const proxy = await serveRaw(drop);
    const { exit, stdout, stderr } = await run(['get', '1'], { env: behind(proxy.url) });
    expect([exit, stdout, proxy.requests.length]).toEqual([6, '', 4]);
    expect(stderr).toContain(`Error: The proxy ${proxy.url} could not be reached: `);
    expect(stderr).toContain(why);
    expect(stderr).toContain('Hint: Check the proxy in HTTPS_PROXY, and NO_PROXY');
  });

  it('makes four attempts when the proxy closes each tunnel', async () => {
    const proxy = await serveRaw((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const { exit, stdout, stderr } = await run(['get', '1'], { env: behind(proxy.url) });
    expect([exit, stdout, proxy.requests.length]).toEqual([6, '', 4]);
    expect(stderr).toContain('Error: https://carbon.example could not be reached: ');
  });

  it('reaches this machine and the hosts of NO_PROXY without it', async () => {
    const proxy = await serveProxy('http://127.0.0.1:9');
    const proxies = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    const { env } = await serve({ json: { id: 1, name: 'Acme AG', status: 'synced' } });
    const { stdout } = await run(['get', '1', '-q'], { env: { ...env, ...proxies } });
    // 0.0.0.0 also leads to this machine, but is no loopback address.
    const url = (await serveTls('valid')).replace('127.0.0.1', '0.0.0.0');
    const account = { CARBON_BASE_URL: url, CARBON_API_KEY: key };
    const excluded = { ...account, ...proxies, NO_PROXY: 'else.example,0.0.0.0' };
    const { stderr } = await run(['get', '1'], { env: excluded });
    expect([stdout, proxy.tunnels]).toEqual(['1\n', []]);
    expect(stderr).toContain(`${url} could not be reached: its certificate is not trusted`);
  });

  it('times out when the proxy is silent', async () => {
    const clock = new VirtualClock();
    const { url } = await serveRaw(() => clock.letGo());
    const { exit, stderr } = await run(['get', '1'], { env: behind(url), clock });
    expect([exit, clock.elapsed()]).toEqual([6, 123_500]);
    expect(stderr).toContain('did not respond within 30 s');
  });

  it('does not send the key to an https:// proxy that speaks no TLS', async () => {
    const proxy = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const host = `127.0.0.1:${await listen(proxy)}`;
    const env = behind(`https://user:canary-password@${host}`);
    const { exit, stdout, stderr } = await run(['get', '1'], { env, clock: new VirtualClock() });
    expect([exit, stdout]).toEqual([6, '']);
    expect(stderr).toContain(`Error: The proxy https://${host} could not be reached: it does not`);
    expect(stderr).not.toContain('canary');
  });
});

it.each([302, 307])('carbon does not follow a redirect with status %d', async (status) => {
  const other = await serveRaw((socket) => void socket.write(httpResponse(record)));
  const headers = [`Location: ${other.url}/organizations/1`];
  const service = await serveRaw(
    (socket) => void socket.write(httpResponse('', { status: `${status} Moved`, headers })),
  );
  const env = { CARBON_BASE_URL: service.url, CARBON_API_KEY: key };
  for (const words of [
    ['get', '1'],
    ['register', '--name', 'Acme'],
  ]) {
    const { exit, stdout } = await run(words, { env });
    expect([exit, stdout]).toEqual([6, '']);
  }
  expect(other.requests).toEqual([]);
});
