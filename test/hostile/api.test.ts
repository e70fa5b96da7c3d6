/* A service, its links and its arguments against carbon api. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carbon, node, start } from '../support/executable.ts';
import { httpResponse, serveRaw } from '../support/raw-server.ts';
import { newFolder, run, type World } from '../support/run.ts';
import { type Reply, serve } from '../support/server.ts';

const key = 'canary-key-4711';

async function service(...replies: Reply[]) {
  const { url, seen } = await serve(...replies);
  const env = { CARBON_BASE_URL: `${url}/v1`, CARBON_API_KEY: key };
  const api = (words: readonly string[], world: World = {}) =>
    run(['api', ...words], { env, ...world });
  return { url, seen, env, api };
}

describe('carbon api', () => {
  it.each([
    'a/..%2f..%2fadmin',
    'a/%2e%2e%2Fadmin',
    '..%5cadmin',
    'a/..;/admin',
    'a/..;x=1/admin',
    '%2e%2e;/admin',
  ])('refuses %s, which a server may read as a path above the base URL', async (path) => {
    const { api, seen } = await service({ json: {} });
    const { exit, stdout, stderr } = await api([path]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Invalid path: it has a segment . or ..');
    expect(seen).toEqual([]);
  });

  it('sends fields with the names of object members as they are', async () => {
    const { api, seen } = await service({ json: {} });
    const fields = ['-f', '__proto__=x', '-f', 'constructor=y', '-F', 'toString={"__proto__":1}'];
    expect((await api(['x', ...fields])).exit).toBe(0);
    expect(seen[0]?.body).toBe('{"__proto__":"x","constructor":"y","toString":{"__proto__":1}}');
    expect((await api(['GET', 'x', '-f', '__proto__=x'])).exit).toBe(0);
    expect(seen[1]?.path).toBe('/v1/x?__proto__=x');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('sends line breaks of fields only inside a query or a body', async () => {
    const { api, seen } = await service({ json: {} });
    const value = 'a\r\nX-Evil: 1\r\n\r\nGET /';
    await api(['GET', 'x', '-f', `q=${value}`]);
    await api(['POST', 'x', '-f', `${value}=1`]);
    expect(seen.map(({ path }) => path)).toEqual([
      '/v1/x?q=a%0D%0AX-Evil%3A%201%0D%0A%0D%0AGET%20%2F',
      '/v1/x',
    ]);
    expect(seen.flatMap(({ headers }) => Object.keys(headers))).not.toContain('x-evil');
  });

  it('names a field that a query cannot contain', async () => {
    const { api, seen } = await service({ json: {} });
    const { exit, stderr } = await api(['GET', 'x', '-F', 'q="\\ud800"']);
    expect(exit).toBe(2);
    expect(stderr).toContain('Error: -F q: half of a surrogate pair cannot be in a query');
    expect(seen).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each([
    ['--input', '/dev/zero'],
    ['-F', 'text=@/dev/zero'],
  ])('refuses %s %s, which never ends', async (...words) => {
    const { api, seen } = await service({ json: {} });
    const { exit, stderr } = await api(['x', ...words]);
    expect(exit).toBe(2);
    expect(stderr).toContain('cannot read /dev/zero: it is larger than 16 MiB');
    expect(seen).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('reads a pipe as --input', async () => {
    const { env, seen } = await service({ json: {} });
    const pipe = join(newFolder(), 'pipe');
    spawnSync('mkfifo', [pipe]);
    const running = start(['api', 'x', '--input', pipe], { env });
    const writer = spawn('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', '{"a":1}', pipe]);
    onTestFinished(() => void writer.kill('SIGKILL'));
    expect((await running.ended).exit).toBe(0);
    expect(seen[0]?.body).toBe('{"a":1}');
  });

  it('stops at Ctrl-C while it reads the body from standard input', async () => {
    const { env } = await service({ json: {} });
    const words = ['api', 'x', '--input', '-', '--debug'];
    const child = spawn(node, [carbon, ...words], { env: { HOME: newFolder(), ...env } });
    await new Promise((resolve) => child.stdin.write(' '.repeat(200_000), resolve));
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.on('close', (_, died) => resolve(died)))).toBe(
      'SIGINT',
    );
  });

  it.each([
    ['organizations', 4],
    ['organizations?x=1', 1],
    ['organizations/', 1],
    ['organizations/1', 1],
    ['%6frganizations', 1],
  ])('sends POST %s %i times to a service that always fails', async (path, attempts) => {
    const { api, seen } = await service({ status: 503, json: {} });
    await api(['POST', path, '-f', 'name=A']);
    expect(seen.length).toBe(attempts);
  });

  it('refuses a response of more than 16 MiB without printing a part of it', async () => {
    const { api } = await service((response) => {
      response.on('error', () => undefined).on('close', () => response.destroy());
      const chunk = Buffer.alloc(1 << 20, 'a');
      const send = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', send);
      };
      send();
    });
    const { exit, stdout, stderr } = await api(['POST', 'x']);
    expect([exit, stdout]).toEqual([6, '']);
    expect(stderr).toContain('16 MiB');
  });

  it('hides the key and cookies in every header, and prints one line for each', async () => {
    const headers = [
      `X-Echo: Bearer ${key}`,
      `X-Quoted: "${key}"; a=%22${encodeURIComponent(key)}`,
      `${key}: 1`,
      'Set-Cookie: session=1',
      'Set-Cookie2: session=2',
      'X-Text: \u009b31m\u0085',
    ];
    const server = await serveRaw((socket) => socket.write(httpResponse('{}', { headers })));
    const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: key };
    for (const terminal of [undefined, 100]) {
      const world = terminal === undefined ? { env } : { env, terminal };
      const { stdout } = await run(['api', 'x', '-i', '--no-color'], world);
      const [head = ''] = stdout.split('\n\n');
      expect(head).not.toContain(key);
      expect(head).not.toMatch(/session|[\u0080-\u009f]/);
      expect(head.split('\n').every((line) => /^(HTTP\/1\.1 |[\w[\]-]+: )/.test(line))).toBe(true);
    }
  });

  it('prints no binary data, escape sequence or key to a terminal', async () => {
    const { api } = await service(
      { text: '\u001b]0;title\u0007<html>\u202e', headers: { 'content-type': 'text/html' } },
      (response) => {
        response.writeHead(500, { 'content-type': '\u009b31m' });
        response.end(Buffer.from([0x1b, 0x5b, 0xff]));
      },
    );
    const page = await api(['x'], { terminal: 80 });
    expect(page.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    const binary = await api(['POST', 'x'], { terminal: 80 });
    expect(binary.stdout).toBe('');
    expect(binary.stderr).toContain('3 bytes that are not text');
  });
});
