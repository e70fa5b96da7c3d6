/*
 * Foreign text may move the cursor, forge a line, reverse a name or become a formula. It comes from
 * records, error bodies, headers, arguments, cells, file names, the environment and profiles. No
 * command prints it unescaped on a terminal.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { organizationSchema } from '../../src/api/organization-schema.ts';
import { build, hostileText } from '../cli/output/schema.ts';
import { httpResponse, serveRaw } from '../support/raw-server.ts';
import { newFolder, type Outcome, run, type World } from '../support/run.ts';
import { runs } from '../support/seed.ts';
import { type Reply, serve } from '../support/server.ts';
import { attacks, unsafe } from './attacks.ts';

const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...attacks) }, hostileText);
const numRuns = runs(12);

/** A command line and a service that contain a hostile text. */
interface Attack {
  readonly argv: readonly string[];
  readonly world?: World;
  readonly reply?: Reply;
}

const record = (value: string) =>
  build(organizationSchema, (type) =>
    type === 'string' ? value : type === 'boolean' ? true : 0.5,
  );
const wellFormed = (value: string) => Buffer.from(value).toString();
const noNul = (value: string) => wellFormed(value).replaceAll('\0', '').slice(0, 200);
/* Returns a valid file name with the text. */
const fileName = (value: string) => `x${noNul(value).replaceAll('/', '').slice(0, 40)}`;

const scenarios: Readonly<Record<string, (value: string) => Attack>> = {
  'a record': (value) => ({ argv: ['get', '1'], reply: { json: record(value) } }),
  'several records': (value) => ({ argv: ['get', '1', '2'], reply: { json: record(value) } }),
  'records as CSV': (value) => ({
    argv: ['get', '1', '2', '--csv'],
    reply: { json: record(value) },
  }),
  'ids of records': (value) => ({ argv: ['get', '1', '2', '-q'], reply: { json: record(value) } }),
  'a registered record': (value) => ({
    argv: [
      'register',
      '--name',
      noNul(value) || 'x',
      '--website',
      noNul(value),
      '--field',
      `${noNul(value)}=1`,
    ],
    reply: { json: record(value) },
  }),
  'invalid values': (value) => ({
    argv: ['register', '--name', 'x', '--hq-region', noNul(value), '--lei-number', noNul(value)],
  }),
  'a status': (value) => ({
    argv: ['watch', '1', '--timeout', '15s'],
    reply: { json: { id: 1, name: value, status: value } },
  }),
  'several statuses': (value) => ({
    argv: ['watch', '1', '2', '--timeout', '15s'],
    reply: { json: { id: 1, name: value, status: value } },
  }),
  ...Object.fromEntries(
    [400, 401, 404, 422, 429, 500, 200].map((status) => [
      `an error body with ${status}`,
      (value: string): Attack => ({
        argv: ['get', '1', '2'],
        reply: { status, json: { status, title: value, detail: value, id: value } },
      }),
    ]),
  ),
  'a body that is not JSON': (value) => ({ argv: ['get', '1'], reply: { text: value } }),
  'an id': (value) => ({ argv: ['get', noNul(value)] }),
  'ids on standard input': (value) => ({
    argv: ['get', '-'],
    world: { stdin: `1\n${value}\n${JSON.stringify({ id: value })}\n{"id":2}\n` },
    reply: { json: { id: 1, name: value } },
  }),
  'a command': (value) => ({ argv: [noNul(value)] }),
  'an option': (value) => ({ argv: ['get', '1', `--${noNul(value)}`] }),
  'a help topic': (value) => ({ argv: ['help', noNul(value)] }),
  'a shell': (value) => ({ argv: ['completion', noNul(value)] }),
  'a base URL': (value) => ({ argv: ['get', '1', '--base-url', noNul(value)] }),
  'a profile': (value) => ({ argv: ['whoami', '--profile', noNul(value)] }),
  'an interval': (value) => ({ argv: ['watch', '1', '--interval', noNul(value)] }),
  'a sandbox fault': (value) => ({ argv: ['sandbox', '--fault', noNul(value)] }),
  ...Object.fromEntries(
    [
      'CARBON_CURRENCY',
      'CARBON_PROFILE',
      'CARBON_BASE_URL',
      'CARBON_HTTP_TIMEOUT',
      'CARBON_API_KEY',
    ].map((name) => [
      name,
      (value: string): Attack => ({ argv: ['whoami'], world: { env: { [name]: noNul(value) } } }),
    ]),
  ),
  'the configuration directory': (value) => ({
    argv: ['login', '--base-url', 'http://127.0.0.1:1', '--with-key'],
    world: { stdin: 'some-key', env: { CARBON_CONFIG_DIR: join(newFolder(), fileName(value)) } },
  }),
  'names of stored profiles': (value) => {
    const home = newFolder();
    mkdirSync(join(home, '.config/carbon'), { recursive: true, mode: 0o700 });
    const stored = { version: 1, profiles: { [value]: { baseUrl: value, apiKey: value } } };
    writeFileSync(join(home, '.config/carbon/config.json'), JSON.stringify(stored), {
      mode: 0o600,
    });
    return { argv: ['whoami', '--profile', 'other'], world: { home } };
  },
};

const worlds = {
  pipe: {},
  terminal: { terminal: 80 },
  'moving terminal': { terminal: 60, isAnimated: true },
};

/* The escape sequences of ora, which no attack contains. */
const spinning = /\u001b\[(?:1G|0K|2K|1A)/g;

async function attacked(
  { argv, world = {}, reply = { json: {} } }: Attack,
  more: World,
): Promise<Outcome> {
  const { url } = await serve(reply);
  const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'canary-key-4711', ...world.env };
  return run(argv, { ...world, ...more, env });
}

function expectSafe({ exit, stdout, stderr }: Outcome): void {
  for (const output of [stdout, stderr]) {
    const lines = output.replace(spinning, '').split(/\r?\n/);
    expect(lines.filter((line) => unsafe.test(line.replaceAll('\t', '')))).toEqual([]);
  }
  expect(stderr).not.toMatch(/This is a bug|^Error: forged/m);
  expect(exit).not.toBe(1);
}

test.each(Object.entries(scenarios))(
  'carbon prints hostile text safely in %s',
  { tags: ['property'] },
  async (_, scenario) => {
    const withJson = ({ argv, ...rest }: Attack): Attack => ({
      argv: [...argv.filter((word) => !['-q', '--csv'].includes(word)), '--json'],
      ...rest,
    });
    const names = Object.keys(worlds) as (keyof typeof worlds)[];
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...names, 'JSON' as const), async (value, name) => {
        const attack = scenario(value);
        if (name === 'JSON') expectSafe(await attacked(withJson(attack), worlds.terminal));
        else expectSafe(await attacked(attack, worlds[name]));
      }),
      {
        numRuns,
        examples: attacks.flatMap((value) =>
          (['pipe', 'terminal', 'JSON'] as const).map((name) => [value, name] as const),
        ) as never,
      },
    );
  },
);

const cell = (value: string) => `"${wellFormed(value).replaceAll('\0', '').replaceAll('"', '""')}"`;

function suppliers(value: string): { path: string; home: string; out: string } {
  const home = newFolder();
  const stem = join(home, fileName(value).replaceAll('.', ''));
  writeFileSync(`${stem}.csv`, `name,${cell(value || 'x')}\n${cell(`A${value}`)},${cell(value)}\n`);
  return { path: `${stem}.csv`, home, out: `${stem}.results.csv` };
}

test.each(['', '--json', '--csv', '-q', '--dry-run'])(
  'carbon batch %s prints hostile text safely',
  { tags: ['property'] },
  async (form) => {
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), fc.boolean(), async (value, isRefused, isTerminal) => {
        const { path, home, out } = suppliers(value);
        const error = { status: 422, json: { status: 422, title: value, detail: `=${value}` } };
        const reply = isRefused ? error : { json: record(value) };
        const more = form === '' ? ['-o', out] : [form];
        const argv = ['batch', path, '--invalid', 'skip', ...more];
        const isJson = form === '--json';
        const outcome = await attacked(
          { argv, reply },
          { home, ...((isTerminal || isJson) && { terminal: 80 }) },
        );
        expectSafe(outcome);
        if (!isRefused || form !== '') return;
        // carbon sends nothing when two columns contain the name.
        if (!existsSync(out)) {
          expect([outcome.exit, outcome.stderr]).toEqual([2, expect.stringContaining('name')]);
          return;
        }
        const rows: string[][] = parse(readFileSync(out), {
          bom: true,
          relax_column_count: true,
        });
        const reason = rows.at(-1)?.at(-1) ?? '';
        expect(reason).not.toMatch(unsafe);
        expect(reason).not.toMatch(/^\s*[=+\-@＝＋－＠]/u);
      }),
      { numRuns, examples: [['name', true, false]] },
    );
  },
);

it('carbon get --debug escapes response headers', async () => {
  const hostile = 'https://else.example/\u009b31m\u0085x';
  const headers = [
    `Location: ${hostile}`,
    `Retry-After: ${hostile}`,
    `RateLimit: "${hostile}";r=1;t=1`,
  ];
  for (const status of ['302 \u009b31m', '429 \u009b31m', '503 \u009b31m']) {
    const { url } = await serveRaw(
      (socket) => void socket.write(httpResponse('{"title":"x"}', { status, headers })),
    );
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'canary-key-4711' };
    for (const world of [{ env }, { env, terminal: 80 }]) {
      expectSafe(await run(['get', '1', '--debug'], world));
    }
  }
});

it.each(['bash', 'zsh', 'fish'])('carbon completion %s prints plain text', async (shell) => {
  expectSafe(await run(['completion', shell]));
});
