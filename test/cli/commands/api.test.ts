import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Stopped } from '../../../src/runtime/context.ts';
import { httpResponse, serveRaw } from '../../support/raw-server.ts';
import { newFolder, run, transcript, type World } from '../../support/run.ts';
import { type Reply, serve } from '../../support/server.ts';

async function service(...replies: Reply[]) {
  const { url, seen } = await serve(...replies);
  const env = { CARBON_BASE_URL: `${url}/v1`, CARBON_API_KEY: 'secret-key-1', NO_COLOR: '1' };
  return {
    url,
    env,
    seen,
    api: (words: readonly string[], world: World = {}) => run(['api', ...words], { env, ...world }),
    show: (words: readonly string[], world: World = {}) =>
      transcript(['api', ...words], { env, ...world }),
  };
}

describe('carbon api', () => {
  it('prints the body of any endpoint unchanged in a pipe', async () => {
    const sent = '{ "b": 1.0,\r\n "a": "\u202e" }';
    const { api, seen } = await service({ text: sent });
    expect(await api(['industries'])).toEqual({ exit: 0, stdout: sent, stderr: '' });
    expect(seen).toMatchObject([{ method: 'GET', path: '/v1/industries', body: '' }]);
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret-key-1' });
  });

  it('passes bytes that are not text on in a pipe and not to a terminal', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x9b, 0x41]);
    const { api, show } = await service((response) => {
      response.setHeader('content-type', 'image/png');
      response.end(bytes);
    });
    expect((await api(['logo'])).stdout).toBe(bytes.toString('latin1'));
    expect(await show(['logo'], { terminal: 100 })).toMatchInlineSnapshot(`
      "--- stderr
      Warning: The response has 4 bytes that are not text (image/png). Redirect the output to save them.
      --- exit 0"
    `);
  });

  it('indents JSON on a terminal and removes control characters from other text', async () => {
    const { show } = await service(
      { text: '{"a":["x\u009b",1e400]}' },
      { text: 'one\u001b[31m\r\ntwo\n', headers: { 'content-type': 'text/plain' } },
    );
    expect(await show(['a'], { terminal: 80 })).toMatchInlineSnapshot(`
      "{
        "a": [
          "x\\u009b",
          1e400
        ]
      }
      --- exit 0"
    `);
    expect(await show(['a'], { terminal: 80 })).toMatchInlineSnapshot(`
      "one�[31m
      two
      --- exit 0"
    `);
  });

  it('sends fields as a JSON object with their values as written', async () => {
    const { api, seen } = await service({ json: {} });
    const words = ['-f', 'name=Acme=1', '-F', 'id=12345678901234567890', '-F', 'list=[1, null]'];
    const more = ['-f', 'text=two\nlines "quoted"', '-f', 'flag=true', '-f', '__proto__=x'];
    const { exit } = await api(['tags', ...words, ...more]);
    expect(exit).toBe(0);
    expect(seen[0]).toMatchObject({ method: 'POST' });
    expect(seen[0]?.body).toBe(
      '{"name":"Acme=1","text":"two\\nlines \\"quoted\\"","flag":"true","__proto__":"x",' +
        '"id":12345678901234567890,"list":[1, null]}',
    );
  });

  it('sends fields as query parameters with GET', async () => {
    const { api, seen } = await service({ json: {} });
    await api(['get', 'search?a=1', '-f', 'q=Acme & Söhne', '-F', 'limit=10', '-F', 'deep=true']);
    expect(seen).toMatchObject([
      {
        method: 'GET',
        path: '/v1/search?a=1&q=Acme%20%26%20S%C3%B6hne&limit=10&deep=true',
        body: '',
      },
    ]);
  });

  it('sends a file or standard input as the body', async () => {
    const file = join(newFolder(), 'body.json');
    writeFileSync(file, '\ufeff[1.0]\n');
    const { api, seen } = await service({ status: 204, text: '' });
    expect(await api(['PUT', 'tags', '--input', file])).toMatchObject({ exit: 0, stdout: '' });
    await api(['tags', '--input', '-'], { stdin: '{"a":1}' });
    expect(seen).toMatchObject([
      { method: 'PUT', body: '[1.0]\n' },
      { method: 'POST', body: '{"a":1}' },
    ]);
  });

  it.each([
    [['-f', 'name'], '-f: "name" is not key=value'],
    [['x', '-F', 'name=Acme'], '-F name: "Acme" is not JSON'],
    [['x', '-f', 'a=1', '-F', 'a=2'], 'The field a was given twice'],
    [['x', '-f', 'a=1', '--input', '-'], '--input cannot be combined with -f or -F'],
    [['x', '--input', '-'], '--input: standard input is not JSON'],
    [['x', '--input', '/none/file'], '--input: cannot read /none/file: no such file'],
    [['GET', 'x', '--input', '-'], '--input does not apply to GET, which has no body'],
    [['GET', 'x', '-F', 'a=[1]'], '-F a: a query parameter cannot be a list'],
    [['HEAD', 'x'], 'HEAD has no body to print'],
    [['TRACE', 'x'], '"TRACE" is not a method'],
    [['post'], 'The path is missing after post'],
    [['GET', 'x', 'y'], 'Unexpected argument "y"'],
    [['https://evil.example/x'], 'it is at https://evil.example, not under the base URL'],
    [['../x'], 'it has a segment . or ..'],
  ])('refuses %j before it sends anything', async (words, problem) => {
    const { api, seen } = await service({ json: {} });
    const { exit, stdout, stderr } = await api(words, { stdin: 'no JSON' });
    expect(stderr).toContain(`Error: ${problem}`.replace('Error: it', 'Error: Invalid path: it'));
    expect([exit, stdout, seen.length]).toEqual([2, '', 0]);
  });

  it.each([
    [400, 3, 'refused'],
    [401, 4, 'unauthorized'],
    [402, 4, 'payment_required'],
    [403, 4, 'unauthorized'],
    [404, 5, 'not_found'],
    [410, 5, 'not_found'],
    [422, 3, 'refused'],
    [429, 6, 'rate_limited'],
    [500, 6, 'service_failed'],
    [304, 6, 'unreadable_response'],
  ])('exits after a %d with %d, whatever the body', async (status, exit, code) => {
    const text = status === 304 ? '' : 'plain\n';
    const { api } = await service({ status, text });
    const result = await api(['x', '--json']);
    expect(result).toMatchObject({ exit, stdout: text });
    expect(JSON.parse(result.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code, exit, status, message: expect.stringContaining('GET /x failed') },
    });
  });

  it('ends the body of an error with a line break, so that the message begins on its own line', async () => {
    const { api } = await service({ status: 404, text: '{}' });
    expect((await api(['x'])).stdout).toBe('{}\n');
  });

  it('prints the body and the text of an error, without the key', async () => {
    const json = { status: 404, title: 'Not found', detail: 'No tag for secret-key-1.' };
    const { show } = await service({ status: 404, json });
    expect(
      (await show(['tags/1'], { terminal: 80 })).split('--- stderr')[1],
    ).toMatchInlineSnapshot(`
      "
      Error: GET /tags/1 failed: the service responded 404 Not found
        No tag for [key].
      Hint: Check the path. It is relative to the base URL of \`carbon whoami\`.
      --- exit 5"
    `);
  });

  it.each([
    [['x'], 4],
    [['HEAD', 'x', '-i'], 4],
    [['PUT', 'x'], 4],
    [['DELETE', 'x'], 4],
    [['organizations', '-f', 'name=A'], 1],
    [['PATCH', 'x'], 1],
  ])('sends %j %d times to a failing service', async (words, attempts) => {
    const { api, seen } = await service({ status: 503, text: '' });
    const { exit, stderr } = await api(words);
    expect([exit, seen.length]).toEqual([6, attempts]);
    expect(stderr.includes('Check this before you send it again')).toBe(attempts === 1);
  });

  it('warns about a possible effect when the connection of a POST breaks', async () => {
    const { api, seen } = await service((response) => response.destroy());
    const { exit, stderr } = await api(['POST', 'x']);
    expect([exit, seen.length]).toEqual([6, 1]);
    expect(stderr).toContain('Check this before you send it again');
    expect(stderr).not.toContain('safe to repeat');
  });

  it('does not print the response of an earlier attempt', async () => {
    const { api } = await service({ status: 503, text: 'busy' }, (response) => response.destroy());
    expect(await api(['x'])).toMatchObject({ exit: 6, stdout: '' });
  });

  it('does not follow a redirect', async () => {
    const { api, seen, url } = await service({ status: 302, headers: { location: '/elsewhere' } });
    const { exit, stderr } = await api(['x']);
    expect([exit, seen.length]).toEqual([6, 1]);
    expect(stderr).toContain(`${url}/v1 redirects to /elsewhere (302)`);
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

  it('stops at a signal', async () => {
    const stop = new AbortController();
    const { api } = await service(() => stop.abort(new Stopped('SIGINT')));
    expect(await api(['x'], { signal: stop.signal })).toMatchObject({ exit: 130, stdout: '' });
  });
});

describe('carbon api -i', () => {
  it('hides the key and cookies in every header, and prints one line for each', async () => {
    const headers = [
      `X-Echo: Bearer secret-key-1`,
      `X-Quoted: "secret-key-1"; a=%22${encodeURIComponent('secret-key-1')}`,
      `secret-key-1: 1`,
      'Set-Cookie: session=1',
      'Set-Cookie2: session=2',
      'X-Text: \u009b31m\u0085',
    ];
    const server = await serveRaw((socket) => socket.write(httpResponse('{}', { headers })));
    const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: 'secret-key-1' };
    for (const terminal of [undefined, 100]) {
      const world = terminal === undefined ? { env } : { env, terminal };
      const { stdout } = await run(['api', 'x', '-i', '--no-color'], world);
      const [head = ''] = stdout.split('\n\n');
      expect(head).not.toContain('secret-key-1');
      expect(head).not.toMatch(/session|[\u0080-\u009f]/);
      expect(head.split('\n').every((line) => /^(HTTP\/1\.1 |[\w[\]-]+: )/.test(line))).toBe(true);
    }
  });
});
