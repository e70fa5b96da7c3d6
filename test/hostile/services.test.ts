import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/cli/errors.ts';
import { CarbonError } from '../../src/runtime/carbon-error.ts';
import { VirtualClock } from '../support/clock.ts';
import { httpResponse, type RawReply, serveRaw } from '../support/raw-server.ts';
import { responseForms } from '../support/response-forms.ts';
import { newFolder, run } from '../support/run.ts';
import { type Misbehavior, misbehaviors, unusualResponses } from './misbehaviors.ts';

const commands = {
  get: ['get', '1'],
  'get of several': ['get', '1', '2', '3'],
  register: ['register', '--name', 'Acme AG'],
  watch: ['watch', '1', '--timeout', '5m'],
};

/* Creates a service that registers every name once. */
function honest(): { reply: RawReply; ids: Map<string, number> } {
  const ids = new Map<string, number>();
  const reply: RawReply = (socket, request) => {
    const { name } = JSON.parse(request.slice(request.indexOf('\r\n\r\n') + 4));
    const id = ids.get(name) ?? ids.size + 1;
    ids.set(name, id);
    socket.write(httpResponse(JSON.stringify({ id, name, status: 'created' })));
  };
  return { reply, ids };
}

async function against(misbehave: Misbehavior, argv: readonly string[]) {
  const clock = new VirtualClock();
  const server = await serveRaw(misbehave(clock));
  const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: 'canary-key-4711' };
  const outcome = await run(argv, { env, clock });
  return { ...outcome, seconds: Math.round(clock.elapsed() / 100) / 10, server };
}

async function batchAgainst(reply: (clock: VirtualClock) => RawReply) {
  const clock = new VirtualClock();
  const server = await serveRaw(reply(clock));
  const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: 'canary-key-4711' };
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, 'name\nAcme\nGlobex\nInitech\n');
  const first = await run(['batch', path, '-q'], { env, clock, home });
  const service = honest();
  server.become(service.reply);
  const second = await run(['batch', path, '-q', '--retry-failed'], { env, home });
  expect([second.exit, second.stdout, second.stderr]).toEqual([0, '1\n2\n3\n', '']);
  expect([...service.ids.keys()].sort()).toEqual(['Acme', 'Globex', 'Initech']);
  return first;
}

describe.each(
  Object.entries(misbehaviors).map(([name, [answer, says]]) => ({ name, answer, says })),
)('with a service that is faulty: $name', ({ answer, says }) => {
  it('carbon get fails after its retries, within two minutes', async () => {
    const { exit, stdout, stderr, seconds, server } = await against(answer, ['get', '1']);
    const errors = stderr.split('\n').filter((line) => line.startsWith('Error: '));
    expect(errors.at(-1)).toContain(says);
    expect(stderr).not.toMatch(/bug|Infinity|NaN|undefined|\[object/);
    expect([exit, stdout]).toEqual([6, '']);
    expect(seconds).toBeLessThanOrEqual(124);
    expect(server.requests.length).toBeLessThan(80);
  });

  it('carbon batch loses no row', async () => {
    const { exit, stdout, stderr } = await batchAgainst(answer);
    expect([exit, stdout]).toEqual([6, '']);
    expect(stderr).toContain(says);
  });
});

/* One response of each meaning; test/api/responses.test.ts reads every form. */
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
    const { exit, stderr } = await against(() => respond, ['get', '12']);
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
    for (const words of [...Object.values(commands), ['get', '1', '--csv']]) {
      const { exit, stdout, stderr, server } = await against(answer, words);
      // The service sends the record of organization 1 for each id.
      const [status, text] =
        words[2] === '2'
          ? [6, expect.stringContaining('of organization 1 for organization 2')]
          : [0, expect.not.stringContaining('Error')];
      expect([exit, stderr]).toEqual([status, text]);
      expect(stdout).toContain('Acme AG');
      expect(stdout).not.toMatch(/9007199254740992|-0|\[object/);
      expect(server.requests.length).toBe(words[2] === '2' ? 3 : 1);
    }
  },
);

it.each([
  ['an object', '{"toString":1}'],
  ['beyond 2^53', '9007199254740993'],
  ['a fraction', '1.5'],
  ['missing', 'null'],
])('commands do not print a wrong id when the id is %s', async (_, id) => {
  const body = `{"id":${id},"name":{"toString":1},"status":{"toString":1},"score":0.5}`;
  const unusual: Misbehavior = () => (socket) => void socket.write(httpResponse(body));
  const quiet = await against(unusual, ['register', '--name', 'Acme AG', '-q']);
  expect([quiet.exit, quiet.stdout]).toEqual([6, '']);
  expect(quiet.stderr).toContain('responded 200 with a record without a usable ID');
  const asJson = await against(unusual, ['get', '1', '--json']);
  expect([asJson.exit, asJson.stdout]).toEqual([0, `${body}\n`]);
  const watched = await against(unusual, ['watch', '1', '--timeout', '1m']);
  expect([watched.exit, watched.stderr]).toEqual([8, expect.stringContaining('no status')]);
  for (const words of [
    ['get', '1'],
    ['get', '1', '2'],
    ['get', '1', '--csv'],
  ]) {
    const shown = await against(unusual, words);
    expect([shown.exit, shown.stderr]).toEqual([0, expect.stringContaining('name, status')]);
    expect(shown.stdout).not.toMatch(/9007199254740992|\[object/);
  }
});

it('carbon batch sends only the remaining rows after a 401', async () => {
  const service = honest();
  let sent = 0;
  const server = await serveRaw((socket, request) => {
    sent += 1;
    if (sent <= 7) service.reply(socket, request);
    else
      socket.write(
        httpResponse('{"status":401,"title":"Unauthorized"}', { status: '401 Unauthorized' }),
      );
  });
  const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: 'canary-key-4711' };
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  const names = Array.from({ length: 40 }, (_, index) => `Supplier ${index}`);
  writeFileSync(path, `name\n${names.join('\n')}\n`);
  const first = await run(['batch', path, '-q'], { env, home });
  expect([first.exit, first.stdout.trim().split('\n').length, service.ids.size]).toEqual([4, 7, 7]);
  expect(first.stderr).toContain('The service rejected the API key');
  server.become(service.reply);
  const before = server.requests.length;
  const second = await run(['batch', path, '-q'], { env, home });
  expect([second.exit, second.stdout.trim().split('\n').length]).toEqual([0, 40]);
  expect(server.requests.length - before).toBe(33);
  expect([...service.ids.keys()].sort()).toEqual(names.sort());
});

it('carbon prints and stores only the start of a huge error text', async () => {
  const detail = `${'x'.repeat(1_000_000)}\u001b[2J`;
  const reply: RawReply = (socket) =>
    void socket.write(
      httpResponse(JSON.stringify({ status: 422, title: detail, detail }), { status: '422 No' }),
    );
  const { exit, stderr } = await against(() => reply, ['register', '--name', 'Acme AG']);
  expect([exit, stderr.length]).toEqual([3, expect.closeTo(4_300, -3)]);
  const server = await serveRaw(reply);
  const env = { CARBON_BASE_URL: server.url, CARBON_API_KEY: 'canary-key-4711' };
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, `name\n${'Acme '.repeat(30_000)}\n`);
  expect((await run(['batch', path, '--json'], { env, home })).exit).toBe(9);
  const again = await run(['batch', path, '--json'], { env, home });
  expect(JSON.parse(again.stdout)).toMatchObject({
    ok: false,
    error: { code: 'rejected', status: 422 },
  });
  expect(server.requests.length).toBe(1);
});
