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
import { organizationSchema } from '../../src/client/api/schema.ts';
import { build, hostileText } from '../cli/output/schema.ts';
import { httpResponse, serveRaw } from '../support/raw-server.ts';
import { newFolder, type Outcome, run, type World } from '../support/run.ts';
import { unsafe } from '../support/screen.ts';
import { runs } from '../support/seed.ts';
import { type Reply, serve } from '../support/server.ts';

/* Texts that attack terminals, spreadsheets and parsers. */
const attacks = [
  '\u001b[31mred\u001b[2J\u001b[H',
  '\u001b]0;title\u0007\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007',
  '\u009b31mC1\u0090q\u009c',
  'a\r\nError: forged\rover',
  '\u202egnp.exe\u2066x',
  '\u2028\u2029\u0000\u0008\u007f\u0085',
  '=cmd|calc!A0',
  '\ud800 alone',
  '\u{e0041}\u{e007f}tags',
];

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

/* Command lines that print a record or a status of the service. */
const ofRecords = ['get 1', 'get 1 2', 'get 1 2 --csv', 'get 1 2 -q'];
const ofStatuses = ['watch 1 --timeout 15s', 'watch 1 2 --timeout 15s'];
/* Command lines in which X is the text. */
const ofWords = [
  'get X',
  'X',
  'get 1 --X',
  'help X',
  'completion X',
  'get 1 --base-url X',
  'whoami --profile X',
  'watch 1 --interval X',
  'sandbox --fault X',
  'register --name x --hq-region X --lei-number X',
];
const variables = ['CURRENCY', 'PROFILE', 'BASE_URL', 'HTTP_TIMEOUT', 'API_KEY'];
const statuses = [400, 401, 404, 422, 429, 500, 200];

type Scenario = (value: string) => Attack;
const table = <Item extends string | number>(
  items: readonly Item[],
  attack: (item: Item, value: string) => Attack,
) =>
  Object.fromEntries(
    items.map((item): [string, Scenario] => [`${item}`, (value) => attack(item, value)]),
  );

const scenarios: Readonly<Record<string, Scenario>> = {
  ...table(ofRecords, (line, value) => ({ argv: line.split(' '), reply: { json: record(value) } })),
  ...table(ofStatuses, (line, value) => ({
    argv: line.split(' '),
    reply: { json: { id: 1, name: value, status: value } },
  })),
  ...table(ofWords, (line, value) => ({
    argv: line.split(' ').map((word) => word.replace('X', () => noNul(value))),
  })),
  ...table(statuses, (status, value) => ({
    argv: ['get', '1', '2'],
    reply: { status, json: { status, title: value, detail: value, id: value } },
  })),
  ...table(variables, (name, value) => ({
    argv: ['whoami'],
    world: { env: { [`CARBON_${name}`]: noNul(value) } },
  })),
  'a registered record': (value) => ({
    argv: ['register', `--name=${noNul(value) || 'x'}`, '--field', `${noNul(value)}=1`],
    reply: { json: record(value) },
  }),
  'a body that is not JSON': (value) => ({ argv: ['get', '1'], reply: { text: value } }),
  'ids on standard input': (value) => ({
    argv: ['get', '-'],
    world: { stdin: `1\n${value}\n${JSON.stringify({ id: value })}\n{"id":2}\n` },
    reply: { json: { id: 1, name: value } },
  }),
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
const spinning = /\u001b\[(?:1G|0K|2K|1A|\?2026[hl])/g;

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
        examples: attacks.map((value) => [value, 'terminal'] as [string, 'terminal']),
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

test.each(['', '--json', '--csv', '--dry-run'])(
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

/* Each with its own reason to be named in a note of a goal, a report or a footprint. */
const noted: readonly object[] = [
  { matching_organization: null },
  { sbti: null },
  { sbti: target({ target_status: 'set', has_target: false }) },
  { sbti: target({ target_status: 'set', target_text: 'by 2021' }) },
  { sbti: target({ target_status: 'set', target_text: 'by 2031' }) },
  { sbti: target({ target_status: 'removed' }, { last_retrieved_at: '2024-01-01' }) },
  { sbti: target({ target_status: 'set' }, { last_retrieved_at: undefined }) },
  { sbti: target({ target_status: 'set' }), status: 'errored' },
  { sbti: target({ target_status: 'set' }), performances: [], industry: null },
  { matching_organization: { id: 1, name: 'Other' }, sbti: target({ target_status: 'set' }) },
  // Neither figure is twice the other, so that carbon check only warns.
  { performances: [yearOf({ scope_1_and_2: { total_market_based: 17 } })] },
  { performances: [yearOf({ scope_1: { total: -5 } })] },
];

function target(nearTerm: object, more: object = {}): object {
  const data = [{ created_at: '2026-06-01', near_term: nearTerm }];
  return { last_retrieved_at: '2026-05-01', data, ...more };
}

function yearOf(emissions: object): object {
  return {
    year: 2024,
    region: 'GLOBAL',
    revenue_currency: 'EUR',
    revenue: 1000,
    emission_factor: 0.1,
    emissions: { scope_1: { total: 5 }, scope_2: { total_market_based: 5 }, ...emissions },
  };
}

function portfolioOf(name: string, changed = 0): string {
  const records = noted.map((more, at) => ({
    id: at + 1,
    name: `${name}${at}`,
    hq_region: 'DE',
    status: 'synced',
    matching_organization: { id: 50 + at, name },
    industry: { id: 1, name, performances: [yearOf({})] },
    performances: [yearOf({ scope_1: { total: 5 + at + changed } })],
    sbti: target({ target_status: name }),
    ...more,
  }));
  return records.map((each) => `${JSON.stringify(each)}\n`).join('');
}

const forms: Readonly<Record<string, string>> = {
  footprint: 'footprint LIST --records NOW --year 2024',
  'footprint --full': 'footprint LIST --records NOW --year 2024 --full',
  goal: 'footprint LIST --records NOW --year 2024 --goal 90',
  'goal with a year': 'footprint LIST --records NOW --year 2024 --goal GOAL --full',
  comparison: 'footprint LIST --records NOW --year 2024 --compare 2023',
  report: 'report NOW',
  'report --full': 'report NOW --full',
  check: 'check NOW',
  'check of a list': 'check NOW --list LIST',
  diff: 'diff OLD NOW',
};

it.each(Object.keys(forms))(
  'carbon prints hostile names safely in each line of a %s',
  async (form) => {
    for (const attack of attacks) {
      const home = newFolder();
      const paths: Readonly<Record<string, string>> = {
        GOAL: '90% by 2035',
        LIST: join(home, 'list.csv'),
        NOW: join(home, 'now.ndjson'),
        OLD: join(home, 'old.ndjson'),
      };
      const rows = noted.flatMap((_, at) =>
        [2023, 2024].map(
          (year) => `${cell(`${attack}${at}`)},${at + 1},${1000 + at},EUR,${year}\n`,
        ),
      );
      const head = 'Supplier,carbon_id,Amount,Currency,Year\n';
      writeFileSync(paths['LIST'] ?? '', `${head}${rows.join('')}`);
      writeFileSync(paths['NOW'] ?? '', portfolioOf(attack));
      writeFileSync(paths['OLD'] ?? '', portfolioOf(attack, 1));
      const words = forms[form]?.split(' ').map((word) => paths[word] ?? word) ?? [];
      const argv = [...words, ...(words[0] === 'footprint' ? ['--upstream-factor', 'nested'] : [])];
      for (const world of Object.values(worlds)) {
        const outcome = await run(argv, { home, ...world });
        expectSafe(outcome);
        expect(outcome.stdout.length).toBeGreaterThan(100);
      }
    }
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

it.each([
  ['beyond a double', '1e400', null, 0],
  ['whose sum is beyond a double', '1.7e308', null, 2],
  ['below zero beyond a double', '-1.7e308', undefined, undefined],
  ['minus zero', '-0', 0, 2],
  ['too small for a double', '1e-400', 0, 2],
  ['above 2^53', '9007199254740993', 18014398509481984, 2],
])(
  'carbon report and diff print no Infinity or NaN when amounts are %s',
  async (_, amount, sum, organizations) => {
    const home = newFolder();
    const [old, now] = [join(home, 'old.ndjson'), join(home, 'now.ndjson')];
    const record = (id: number, amount: string) => {
      const emissions = `{"scope_1":{"total":${amount}},"scope_2":{"total":1.7e308},"scope_3":{"total":${amount}}}`;
      const year = `{"year":2024,"revenue":${amount},"revenue_currency":"EUR","emissions":${emissions}}`;
      return `{"id":${id},"name":"A","score":${amount},"performances":[${year}]}\n`;
    };
    writeFileSync(old, record(1, '1'));
    writeFileSync(now, record(1, amount) + record(2, amount));
    for (const words of [
      ['report', now],
      ['diff', old, now],
    ])
      for (const world of [{ home }, { home, terminal: 80 }])
        for (const more of [[], ['--json']])
          expect((await run([...words, ...more], world)).stdout).not.toMatch(/Infinity|NaN|∞/);
    const { stdout } = await run(['report', now, '--json'], { home });
    // A negative amount is an error, so that no sum contains it.
    const [year] = JSON.parse(stdout).emissions.years;
    expect([year?.scope_1.sum, year?.scope_1.organizations]).toEqual([sum, organizations]);
    await run(['report', now, '--out', join(home, 'p.html')], { home });
    const page = readFileSync(join(home, 'p.html'), 'utf8').replace(/<script>.*?<\/script>/s, '');
    expect(page).not.toMatch(/Infinity|NaN|∞/);
  },
);
