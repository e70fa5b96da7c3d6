/* Faulty services: every request ends in one clear error within two minutes, and no row is lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { exitCodeOf } from '../../src/cli/errors.ts';
import type { ServiceOptions } from '../../src/client/api/client.ts';
import { CarbonError } from '../../src/runtime/carbon-error.ts';
import { VirtualClock } from '../support/clock.ts';
import { loadLibrary } from '../support/library.ts';
import { openBuiltTransport } from '../support/program.ts';
import { httpResponse, type RawReply, serveRaw } from '../support/raw-server.ts';
import { responseForms } from '../support/response-forms.ts';
import { newFolder, run } from '../support/run.ts';
import { openHeld } from '../support/transport.ts';

const [[, { CarbonClient }]] = await loadLibrary();

/* Creates a faulty reply. Silent replies let the client's clock run. */
type Misbehavior = (clock: VirtualClock) => RawReply;

const always =
  (bytes: Buffer | string): Misbehavior =>
  () =>
  (socket) =>
    void socket.write(bytes);

const thenEnd =
  (bytes: string): Misbehavior =>
  () =>
  (socket) =>
    void socket.end(bytes);

/* Returns a record with additional members. */
const record = (more: string) => `{"id":1,"name":"Acme AG","status":"synced"${more}}`;
const answer = (body: string | Buffer, status?: string, ...headers: string[]) =>
  always(httpResponse(body, { ...(status && { status }), headers }));
const error = (status: number, title: string, ...headers: string[]) =>
  answer(JSON.stringify({ status, title, detail: `${title}.` }), `${status} ${title}`, ...headers);

const patientlySilent: Misbehavior = (clock) => () => clock.letGo();

/* Sends one byte a second, but never the last one. */
function byteByByte(bytes: Buffer): Misbehavior {
  return (clock) => (socket) => {
    const send = async () => {
      for (let index = 0; index < bytes.length - 1 && !socket.destroyed; index += 1) {
        socket.write(bytes.subarray(index, index + 1));
        await clock.sleep(1_000);
      }
    };
    void send();
    clock.letGo();
  };
}

/* Sends as much as the client reads, up to 100 MB. */
const flood: Misbehavior = () => (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n{"name":"');
  const chunk = Buffer.alloc(1 << 20, 'x');
  let left = 100;
  const more = () => {
    while (left-- > 0 && socket.write(chunk));
    if (left > 0) socket.once('drain', more);
  };
  more();
};

const deep = '['.repeat(100_000) + ']'.repeat(100_000);

const silent = 'did not respond within 30 s';
const cut = 'connection closed before the response was complete';
const noHttp = 'the server does not speak HTTP';

/* Each sends the same wrong response to every request, for which the client has this error. */
const misbehaviors: Readonly<Record<string, readonly [answer: Misbehavior, says: string]>> = {
  'silent after accept': [patientlySilent, silent],
  'byte by byte': [byteByByte(httpResponse(record(''))), silent],
  'closed at once': [() => (socket) => void socket.destroy(), cut],
  reset: [() => (socket) => void socket.resetAndDestroy(), 'connection reset'],
  'half a body': [thenEnd('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":1'), cut],
  'Content-Length too small': [
    answer(record(''), '200 OK', 'Content-Length: 10'),
    'truncated or invalid JSON',
  ],
  'Content-Length twice': [
    answer(record(''), '200 OK', 'Content-Length: 5', 'Content-Length: 6'),
    'content-length',
  ],
  'not HTTP': [thenEnd('SSH-2.0-OpenSSH_9.2\r\n'), noHttp],
  'headers of 200 kB': [
    answer(record(''), '200 OK', `X-Large: ${'x'.repeat(200_000)}`),
    'Headers Overflow',
  ],
  '100 MB': [flood, 'sent a response of more than 16 MiB'],
  'a gzip bomb': [
    answer(gzipSync(Buffer.alloc(50_000_000, 32)), '200 OK', 'Content-Encoding: gzip'),
    'a compressed body (gzip or similar), which carbon did not request',
  ],
  '429 forever': [error(429, 'Too many', 'Retry-After: 1000000000'), '(429): Too many'],
  '500, Retry-After: 10^9': [
    error(500, 'Oops', 'Retry-After: 1000000000', 'RateLimit: "a";r=0;t=999999999999'),
    'failed (500): Oops',
  ],
  '503, Retry-After: 200': [error(503, 'Away', 'Retry-After: 200'), 'failed (503): Away'],
};

/* Unusual but valid responses: commands use the record. */
const unusualResponses = {
  'nothing wrong': answer(record('')),
  '103 first': always(
    Buffer.concat([
      Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
      httpResponse(record('')),
    ]),
  ),
  '100,000 lists within each other': answer(record(`,"deep":${deep}`)),
  'repeated keys': answer(record(',"score":0.1,"score":0.9')),
  '__proto__ keys': answer(
    record(
      ',"__proto__":{"score":1},"constructor":{"prototype":{}},"cdp":{"__proto__":{"url":1},"url":5}',
    ),
  ),
  'numbers beyond 2^53 and -0': answer(
    record(',"score":-0,"industry":{"id":9007199254740993,"mean_score":1e999}'),
  ),
  'every field of another type': answer(
    record(
      ',"score":"x","hq_region":1,"industry":[],"performances":{},"sources":"s","cdp":true,"sbti":1,"un":"u"',
    ),
  ),
} satisfies Readonly<Record<string, Misbehavior>>;

/* A faulty service, and the clock and environment of its client. */
async function meet(misbehave: Misbehavior) {
  const clock = new VirtualClock();
  const server = await serveRaw(misbehave(clock));
  const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: 'canary-key-4711' };
  return { clock, server, env };
}

/* Registers three rows with the service, and again when it works: each gets one id. */
async function batchAgainst(misbehave: Misbehavior) {
  const { clock, server, env } = await meet(misbehave);
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, 'name\nAcme\nGlobex\nInitech\n');
  const first = await run(['batch', path, '-q'], { env, clock, home });
  const ids = new Map<string, number>();
  server.become((socket, request) => {
    const { name } = JSON.parse(request.slice(request.indexOf('\r\n\r\n') + 4));
    const id = ids.get(name) ?? ids.size + 1;
    ids.set(name, id);
    socket.write(httpResponse(JSON.stringify({ id, name, status: 'created' })));
  });
  const second = await run(['batch', path, '-q', '--retry-failed'], { env, home });
  expect(second).toEqual({ exit: 0, stdout: '1\n2\n3\n', stderr: '' });
  expect([...ids.keys()].sort()).toEqual(['Acme', 'Globex', 'Initech']);
  return first;
}

const failures = ['network', 'timeout', 'unreadable_response', 'rate_limited', 'service_failed'];

it.each(Object.entries(misbehaviors))(
  'the client fails after its attempts, within two minutes: %s',
  async (_, [answer, says]) => {
    const { clock, server } = await meet(answer);
    const options: ServiceOptions = {
      baseUrl: server.url,
      apiKey: 'canary-key-4711',
      clock,
      openTransport: openHeld(clock, openBuiltTransport),
      random: () => 0.5,
    };
    const client = new CarbonClient(options);
    onTestFinished(() => client.close());
    const error = await client.retrieve(1).catch((thrown: unknown) => thrown);
    const { code, message } = error as CarbonError;
    // The row of a list that fails with one of these codes is sent again.
    expect(failures).toContain(code);
    expect(message).toContain(says);
    expect(message).not.toMatch(/bug|Infinity|NaN|undefined|\[object/);
    expect(clock.elapsed()).toBeLessThanOrEqual(124_000);
    expect(server.requests.length).toBeLessThanOrEqual(4);
  },
);

it.each(['byte by byte', 'half a body', '429 forever'])(
  'carbon get fails, and carbon batch loses no row, with a service that is faulty: %s',
  async (name) => {
    const [answer, says] = misbehaviors[name] as (typeof misbehaviors)[string];
    // A batch says how many rows the quota has left out, with the same words of the service.
    const saysOfRows = says.replace('(429): Too many', '(429: Too many): 0 of ');
    for (const [{ exit, stdout, stderr }, words] of [
      [await run(['get', '1'], await meet(answer)), says],
      [await batchAgainst(answer), saysOfRows],
    ] as const)
      expect([exit, stdout, stderr]).toEqual([6, '', expect.stringContaining(words)]);
  },
);

/* One response of each meaning; test/client/api/responses.test.ts reads every form. */
const meanings = new Map(
  Object.entries(responseForms).map(([name, form]) => [`${form.get} ${form.post}`, { name, form }]),
);

it.each([...meanings.values()])(
  'carbon get exits as the meaning of a response demands, and carbon batch loses no row: $name',
  async ({ form: { status, body, headers = {}, get, post } }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const respond: RawReply = (socket) =>
      void socket.write(httpResponse(body, { status: `${status} Status`, headers: lines }));
    const codeOf = (meaning: typeof get) =>
      meaning === 'record' ? 0 : exitCodeOf(new CarbonError(meaning, ''));
    const { exit, stderr } = await run(['get', '12'], await meet(() => respond));
    expect([exit, stderr.includes('Error: ')]).toEqual([codeOf(get), get !== 'record']);
    if (post === 'record') return;
    const isOfRow = post === 'rejected' || post === 'not_found';
    const batch = await batchAgainst(() => respond);
    expect([batch.exit, batch.stdout]).toEqual([isOfRow ? 9 : codeOf(post), '']);
  },
);

it.each(Object.entries(unusualResponses))(
  'commands accept the record of a response with %s',
  async (_, answer) => {
    for (const words of [
      ['get', '1', '--csv'],
      ['register', '--name', 'Acme AG'],
    ]) {
      const { server, ...world } = await meet(answer);
      const { exit, stdout, stderr } = await run(words, world);
      expect([exit, server.requests.length]).toEqual([0, 1]);
      expect(stderr).not.toContain('Error');
      expect(stdout).toContain('Acme AG');
      expect(stdout).not.toMatch(/9007199254740992|-0|\[object/);
    }
  },
);

it('carbon prints and stores only the start of a huge error text', async () => {
  const detail = `${'x'.repeat(100_000)}\u001b[2J`;
  const reply: RawReply = (socket) =>
    void socket.write(
      httpResponse(JSON.stringify({ status: 422, title: detail, detail }), { status: '422 No' }),
    );
  const { server, env } = await meet(() => reply);
  const { exit, stderr } = await run(['register', '--name', 'Acme AG'], { env });
  expect([exit, stderr.length]).toEqual([3, expect.closeTo(4_300, -3)]);
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, `name\n${'Acme '.repeat(3_000)}\n`);
  expect((await run(['batch', path, '--json'], { env, home })).exit).toBe(9);
  const again = await run(['batch', path, '--json'], { env, home });
  expect(JSON.parse(again.stdout)).toMatchObject({
    ok: false,
    error: { code: 'rejected', status: 422 },
  });
  expect(server.requests.length).toBe(2);
});
