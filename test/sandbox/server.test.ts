import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RequestLine, SandboxOptions } from '../../src/sandbox/server.ts';
import { VirtualClock } from '../support/clock.ts';
import { startTestSandbox, type TestSandbox } from './test-sandbox.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function sandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const started = await startTestSandbox(options);
  ends.push(() => started.close());
  return started;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-'));
  ends.push(() => rmSync(path, { recursive: true }));
  return path;
}

describe('sandbox registrations', () => {
  it('returns the same id for the same organization, and retrieves it', async () => {
    const { register, retrieve } = await sandbox();
    const first = await register({
      name: 'Acme AG',
      hq_region: 'de',
      website: 'https://www.acme.example/',
    });
    expect(first.status).toBe(200);
    expect(first.headers['content-type']).toBe('application/json');
    expect(first.headers.date).toBe('Thu, 15 Jan 2026 09:30:00 GMT');
    expect(first.json).toMatchObject({
      id: 1,
      name: 'Acme AG',
      status: 'created',
      sandbox: 'synthetic',
      performances: [],
      score: null,
    });
    const again = await register({
      website: 'ACME.example',
      name: ' acme  ag',
      hq_region: 'DE',
      currency: 'EUR',
    });
    expect(again.text).toBe(first.text);
    expect((await register({ name: 'Another' })).json.id).toBe(2);
    expect((await retrieve(1)).text).toBe(first.text);
  });

  it('keeps registrations and the progress of research after a restart', async () => {
    const dataDir = join(folder(), 'made', 'when missing');
    const clock = new VirtualClock();
    const first = await startTestSandbox({ clock, dataDir });
    await first.register({ name: 'Acme' });
    await first.close();
    await first.close();
    await clock.sleep(60_000);
    const second = await sandbox({ clock, dataDir });
    expect((await second.retrieve(1)).json).toMatchObject({
      id: 1,
      name: 'Acme',
      status: 'synced',
    });
    expect((await second.register({ name: 'Acme' })).json.id).toBe(1);
    expect((await second.register({ name: 'Other' })).json.id).toBe(2);
    if (process.platform !== 'win32') {
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      expect(statSync(join(dataDir, 'sandbox.log')).mode & 0o777).toBe(0o600);
    }
  });

  it('returns figures in the requested currency, and rejects one without a rate', async () => {
    const { clock, register, send } = await sandbox();
    await register({ name: 'Sandbox complete' });
    await clock.sleep(60_000);
    const inCurrency = async (query: string) => {
      const { json } = await send('GET', `/organizations/1${query}`);
      const [{ revenue, revenue_currency, emission_factor } = {}] = json.performances ?? [];
      return [revenue_currency, revenue, emission_factor];
    };
    expect(await inCurrency('')).toEqual(['USD', 1_004_365_000, 0.886416]);
    expect(await inCurrency('?currency=eur&other=1')).toEqual(['EUR', 928_033_260, 0.959325]);
    expect(await inCurrency('?currency=')).toEqual(await inCurrency('?currency=USD'));
    expect((await send('GET', '/organizations/1?currency=XYZ')).json).toMatchObject({
      status: 400,
      detail: expect.stringContaining('no rate for the currency "XYZ"'),
    });
  });
});

/* Bodies that the service refuses, as JSON or as bytes. */
const wrongBodies: readonly (string | Buffer | undefined)[] = [
  undefined,
  '{"name":',
  '[{"name":"A"}]',
  'null',
  Buffer.from([0x7b, 0xff, 0x7d]),
  '{}',
  '{"name":" \\u00a0"}',
  '{"name":1e999}',
  '{"name":"A","website":null}',
  '{"name":"A","is_legal_entity_name":"yes"}',
  '{"name":"A","__proto__":{"a":1},"color":"\\u001b[31m"}',
  '{"name":"A","hq_region":"UK"}',
  '{"name":"A","currency":"DEM"}',
  '{"name":"Sandbox 404 of the registration"}',
  '{"name":"Sandbox 401"}',
  '{"name":"sandbox 429"}',
  '{"name":"Sandbox 500"}',
];

describe('sandbox errors', () => {
  it('sends the error body of the specification', async () => {
    const { send, register } = await sandbox();
    const lines: string[] = [];
    const refused = async (...request: Parameters<typeof send>) => {
      const { headers, status, json } = await send(...request);
      expect(headers['content-type']).toBe('application/json');
      expect(json.status).toBe(status);
      const { status: _, ...rest } = json;
      lines.push(
        `${status} ${JSON.stringify(rest).replace(/(?<=rates for USD).*?(?=\.")/, ' ...')}`,
      );
    };
    for (const path of [
      '/organizations/7',
      '/organizations/acme%',
      '/',
      '/organizations/1/2',
      '/organizations',
    ])
      await refused('GET', path);
    await refused('DELETE', '/organizations/1');
    await refused('GET', '/organizations/1', undefined, {});
    for (const authorization of ['Bearer wrong', 'Basic key of the test'])
      await refused('GET', '/organizations/1', undefined, { authorization });
    for (const body of wrongBodies) await refused('POST', '/organizations', body);
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "404 {"title":"Organization not found","detail":"No organization is registered under this id.","id":"7"}
      404 {"title":"Organization not found","detail":"No organization is registered under this id.","id":"acme%"}
      404 {"title":"Not found","detail":"This path does not exist."}
      404 {"title":"Not found","detail":"This path does not exist."}
      405 {"title":"Method not allowed","detail":"This path supports only POST."}
      405 {"title":"Method not allowed","detail":"This path supports only GET."}
      401 {"title":"Unauthorized","detail":"The request has no API key."}
      401 {"title":"Unauthorized","detail":"The API key is not valid."}
      401 {"title":"Unauthorized","detail":"The API key is not valid."}
      400 {"title":"Bad request","detail":"The body is not valid JSON."}
      400 {"title":"Bad request","detail":"The body is not valid JSON."}
      400 {"title":"Bad request","detail":"The body must be a JSON object."}
      400 {"title":"Bad request","detail":"The body must be a JSON object."}
      400 {"title":"Bad request","detail":"The body is not valid UTF-8."}
      400 {"title":"Bad request","detail":"name is required."}
      400 {"title":"Bad request","detail":"name must not be blank."}
      400 {"title":"Bad request","detail":"name must be a string."}
      400 {"title":"Bad request","detail":"website must be a string."}
      400 {"title":"Bad request","detail":"is_legal_entity_name must be a boolean."}
      422 {"title":"Unrecognized parameters","detail":"Unrecognized parameters: \\"__proto__\\", \\"color\\"."}
      422 {"title":"Unrecognized parameters","detail":"hq_region \\"UK\\" is not an ISO 3166-1 alpha-2 code."}
      400 {"title":"Bad request","detail":"The sandbox has no rate for the currency \\"DEM\\". It has rates for USD ...."}
      404 {"detail":"No organization matches these details."}
      401 {"title":"Unauthorized","detail":"This name asks for 401."}
      429 {"title":"Too many organizations","detail":"This name asks for 429."}
      500 {"title":"Server error","detail":"This name asks for 500."}"
    `);
    expect((await register({ name: 'The first' })).json.id).toBe(1);
  });

  it('survives hostile bodies', async () => {
    const { send, register } = await sandbox();
    const post = async (body: string | Buffer) =>
      (await send('POST', '/organizations', body)).status;
    expect(await post('['.repeat(500_000))).toBe(400);
    expect(await post(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBe(400);
    expect(await post(`{"name":"A"${',"x":1'.repeat(50_000)}}`)).toBe(422);
    expect(await post(Buffer.alloc(1024 * 1024 + 1, ' '))).toBe(400);
    expect(await post('{"constructor":1,"name":"A"}')).toBe(422);
    expect(await post(`{"name":"${'x'.repeat(900_000)}"}`)).toBe(200);
    expect(await post('{"name":"\\ud800"}')).toBe(200);
    expect((await register({ name: '\u{1f600}\u202e\n\u0000' })).json).toMatchObject({
      id: 3,
      name: '\u{1f600}\u202e\n\u0000',
    });
  });
});

describe('startSandbox', () => {
  it('delays every response by the latency', async () => {
    const clock = new VirtualClock();
    const lines: RequestLine[] = [];
    const onRequest = (line: RequestLine) => void lines.push(line);
    const { register, retrieve } = await sandbox({ clock, latencyMs: 250, onRequest });
    expect((await register({ name: 'A' })).status).toBe(200);
    expect((await retrieve(1)).status).toBe(200);
    expect([clock.elapsed(), ...lines.map(({ ms }) => ms)]).toEqual([500, 250, 250]);
  });

  it('closes a half-sent connection when it is closed', async () => {
    const { close, port } = await startTestSandbox();
    const half = connect(port, '127.0.0.1');
    const ended = new Promise((resolve) => half.on('error', resolve).on('close', resolve));
    const head = 'POST /organizations HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{';
    await new Promise((resolve) => half.write(head, resolve));
    await close();
    await ended;
  });

  it('sends status 500 when another program truncates the log', async () => {
    const dataDir = folder();
    const { register } = await sandbox({ dataDir });
    await register({ name: 'A' });
    writeFileSync(join(dataDir, 'sandbox.log'), '');
    expect((await register({ name: 'B' })).json).toMatchObject({
      status: 500,
      detail: 'The sandbox failed: Another program truncated the sandbox log.',
    });
  });
});

describe('startSandbox with a rate', () => {
  it('allows a burst and then the rate, for registrations and retrievals together', async () => {
    const { clock, register, retrieve } = await sandbox({ rate: 3 });
    expect((await register({ name: 'A' })).status).toBe(200);
    for (const expected of [200, 200, 429]) expect((await retrieve(1)).status).toBe(expected);
    const { headers, json } = await register({ name: 'B' });
    expect([headers['retry-after'], json.detail]).toEqual([
      '1',
      'The rate limit is 3 requests per second.',
    ]);
    await clock.sleep(333);
    expect((await retrieve(1)).status).toBe(429);
    await clock.sleep(1);
    for (const expected of [200, 429]) expect((await retrieve(1)).status).toBe(expected);
    await clock.sleep(3_600_000);
    for (const expected of [200, 200, 200, 429]) expect((await retrieve(1)).status).toBe(expected);
  });

  it('sends Retry-After in seconds, after which it accepts a request', async () => {
    const { clock, register } = await sandbox({ rate: 0.3 });
    await register({ name: 'A' });
    expect((await register({ name: 'A' })).headers['retry-after']).toBe('4');
    await clock.sleep(10_000 / 3);
    expect((await register({ name: 'A' })).status).toBe(200);
  });
});

it('startSandbox with a quota rejects only new organizations above it, without Retry-After', async () => {
  const { register, retrieve } = await sandbox({ quota: 2 });
  const statuses = [];
  for (const name of ['A', 'B', 'C', 'A', 'a']) statuses.push((await register({ name })).status);
  expect(statuses).toEqual([200, 200, 429, 200, 200]);
  const { headers, json } = await register({ name: 'D' });
  expect([headers['retry-after'], json.detail]).toEqual([
    undefined,
    'The quota of 2 new organizations is used up.',
  ]);
  expect((await retrieve(2)).status).toBe(200);
});
