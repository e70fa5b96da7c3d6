/* The exit code of every failure, as literals: scripts and alerts depend on each of them. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  combineExits,
  exitCodeOf,
  exitCodeOfItem,
  failures,
  signalExits,
} from '../../src/cli/errors.ts';
import { CarbonError, type CarbonErrorCode } from '../../src/runtime/carbon-error.ts';
import { VirtualClock } from '../support/clock.ts';
import { stopped } from '../support/program.ts';
import { httpResponse, serveRaw } from '../support/raw-server.ts';
import { jsonLines, newFolder, run, type World } from '../support/run.ts';
import { listen, type Reply, serve } from '../support/server.ts';

const exits = {
  usage: 2,
  invalid_input: 2,
  no_base_url: 2,
  no_key: 4,
  unauthorized: 4,
  payment_required: 4,
  rejected: 3,
  not_found: 5,
  rate_limited: 6,
  service_failed: 6,
  unreadable_response: 6,
  network: 6,
  timeout: 6,
  proxy: 6,
  pending: 8,
  not_sent: 8,
  local: 1,
  interrupted: 1,
  bug: 1,
} satisfies Record<CarbonErrorCode, number>;

const codes = Object.keys(exits) as CarbonErrorCode[];

describe('an error code', () => {
  it('has one exit code', () => {
    const found = codes.map((code) => [code, exitCodeOf(new CarbonError(code, ''))]);
    expect(Object.fromEntries(found)).toEqual(exits);
    expect(Object.keys(failures).sort()).toEqual([...codes].sort());
  });

  it('counts as a failed row among several instead of exit code 2', () => {
    const found = codes.map((code) => [code, exitCodeOfItem(new CarbonError(code, ''))]);
    expect(Object.fromEntries(found)).toEqual({
      ...exits,
      usage: 9,
      invalid_input: 9,
      no_base_url: 9,
    });
  });
});

it.each([
  [[], 0],
  [[0, 0], 0],
  [[5], 5],
  [[0, 5, 5], 5],
  [[5, 3], 9],
  [[0, 8, 7], 9],
])('the exit codes %j of several items combine to %d', (several, exit) => {
  expect(combineExits(several)).toBe(exit);
});

it('a signal has the exit code of a shell', async () => {
  expect(signalExits).toEqual({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });
  const { env } = await serve({ json: { id: 1 } });
  for (const [name, exit] of Object.entries(signalExits)) {
    const signal = AbortSignal.abort(stopped(name as NodeJS.Signals));
    expect(await run(['get', '1'], { env, signal })).toMatchObject({ exit });
  }
});

/* A command line of the built program for every code that one can lead to. */
type Scene = () => Promise<readonly [argv: readonly string[], world: World]>;
const problem = (status: number, id?: string) => ({
  status,
  json: { status, title: 'Title', detail: 'Detail.', ...(id && { id }) },
});
const get =
  (reply: Reply, id = '7'): Scene =>
  async () => [['get', id], { env: (await serve(reply)).env }];
const account = { CARBON_BASE_URL: 'https://carbon.example', CARBON_API_KEY: 'k' };

const scenes: Readonly<
  Record<Exclude<CarbonErrorCode, 'pending' | 'not_sent' | 'interrupted' | 'bug'>, Scene>
> = {
  usage: async () => [['get', '--unknown'], {}],
  invalid_input: async () => [['register', '--name', 'Acme', '--hq-region', 'Atlantis'], {}],
  no_base_url: async () => [['get', '7'], {}],
  no_key: async () => [['get', '7'], { env: { CARBON_BASE_URL: account.CARBON_BASE_URL } }],
  unauthorized: get(problem(401)),
  payment_required: get(problem(402)),
  rejected: async () => [['register', '--name', 'Acme'], { env: (await serve(problem(422))).env }],
  not_found: get(problem(404, '7')),
  rate_limited: get(problem(429)),
  service_failed: get(problem(500)),
  unreadable_response: get({ text: '<html>' }),
  network: async () => {
    const { url } = await serveRaw((socket) => void socket.destroy());
    return [['get', '7'], { env: { ...account, CARBON_BASE_URL: url } }];
  },
  timeout: async () => {
    const clock = new VirtualClock();
    const { env } = await serve(() => clock.letGo());
    return [['get', '7'], { env: { ...env, CARBON_HTTP_TIMEOUT: '1s' }, clock }];
  },
  proxy: async () => {
    const refusal = httpResponse('', { status: '403 Forbidden' });
    const { url } = await serveRaw((socket) => void socket.end(refusal));
    return [['get', '7'], { env: { ...account, HTTPS_PROXY: url } }];
  },
  local: async () => [['sandbox', '--port', String(await listen(createServer()))], {}],
};

it.each(Object.entries(scenes))(
  'the built program prints the code %s, and its exit code',
  async (code, scene) => {
    const [argv, world] = await scene();
    const { exit, stdout, stderr } = await run([...argv, '--json'], world);
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    const expected = exits[code as CarbonErrorCode];
    expect([stdout, error.code, error.exit, exit]).toEqual(['', code, expected, expected]);
  },
);

it('research that is in progress at the time limit has the exit code of pending', async () => {
  const { env } = await serve({ json: { id: 7, name: 'Acme', status: 'created' } });
  expect(await run(['watch', '7', '--timeout', '1m'], { env })).toMatchObject({
    exit: exits.pending,
  });
});

it('rows that a limit keeps from being sent have the exit code of not_sent', async () => {
  const { env } = await serve({ json: { id: 7, name: 'Acme', status: 'synced' } });
  const list = join(newFolder(), 'list.csv');
  writeFileSync(list, 'Company\nAcme\nGlobex\n');
  const { exit, stdout } = await run(['sync', list, '--max-new', '1', '--json'], { env });
  expect([exit, jsonLines(stdout)[1].error.code]).toEqual([exits.not_sent, 'not_sent']);
});
