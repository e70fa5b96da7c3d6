import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/clock.ts';
import { jsonLines, newFolder, run, type World } from '../../../support/run.ts';
import { serve } from '../../../support/server.ts';

const handshake = [
  {
    id: 'open',
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
];

type Call = readonly [tool: string, given?: object];

/** Calls tools of `carbon mcp`, and returns the results in the order of the calls. */
async function call(argv: readonly string[], calls: readonly Call[], world: World = {}) {
  const requests = calls.map(([name, given = {}], id) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: given },
  }));
  const { replies, ...outcome } = await send(argv, requests, world);
  const results = calls.map((_, id) => replies.find((reply) => reply.id === id)?.result);
  return { ...outcome, results };
}

/** Returns the error that a failed call describes. */
const errorOf = (result: { isError?: boolean; content: { text: string }[] }) => {
  expect(result.isError).toBe(true);
  return JSON.parse(result.content[0]?.text ?? '').error;
};

/** Returns the lines of a client that sends these requests after the handshake. */
const linesOf = (...requests: readonly (object | string)[]) =>
  [...handshake, ...requests]
    .map((message) =>
      typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }),
    )
    .map((line) => `${line}\n`)
    .join('');

/** Sends requests to `carbon mcp`, and closes its input after their responses. */
async function send(
  argv: readonly string[],
  requests: readonly (object | string)[],
  world: World = {},
  refused = 0,
) {
  const stdin = new PassThrough();
  stdin.write(linesOf(...requests));
  const expected = requests.filter((request) => typeof request === 'object').length + refused;
  let responses = 0;
  const onOutput = (text: string) => {
    responses += text.split('"jsonrpc"').length - 1;
    if (responses > expected) stdin.end();
  };
  const outcome = await run(['mcp', ...argv], { ...world, stdin, onOutput });
  return { ...outcome, replies: jsonLines(outcome.stdout) };
}

/** Creates a root directory with two snapshots of three organizations. */
function newRoot(): string {
  const root = newFolder();
  const record = (id: number, name: string, score: number, sandbox?: string) =>
    JSON.stringify({ id, name, status: 'synced', hq_region: 'DE', score, sandbox });
  writeFileSync(
    join(root, 'old.ndjson'),
    [record(1, 'Acme AG', 0.5), record(2, 'Borg GmbH', 0.4)].join('\n'),
  );
  mkdirSync(join(root, 'new'));
  writeFileSync(
    join(root, 'new/all.ndjson'),
    [
      record(1, 'Acme AG', 0.6),
      record(3, 'Cyber SE', 0.7, 'synthetic'),
      '{"ok":false,"id":"4"}',
    ].join('\n'),
  );
  return root;
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

describe('carbon mcp: tools', () => {
  it('gives a slow reader every answer after the end of the input', async () => {
    const stdin = new PassThrough();
    const reader = new Promise<void>((resolve) => stdin.on('close', () => setImmediate(resolve)));
    stdin.write(linesOf(...['a', 'b', 'c'].map((id) => ({ id, method: 'tools/list' }))));
    const { stdout } = await run(['mcp'], { stdin, reader, onOutput: () => void stdin.end() });
    expect(jsonLines(stdout).map(({ id }) => id)).toEqual(['open', 'a', 'b', 'c']);
  });

  it('adds tools for files and registration, and describes each argument briefly', async () => {
    const argv = ['--root', newFolder(), '--allow-register'];
    const { replies } = await send(argv, [{ id: 1, method: 'tools/list' }]);
    const tools: readonly {
      name: string;
      annotations: Record<string, boolean>;
      inputSchema: { properties: Record<string, { description?: string }> };
    }[] = replies.at(-1)?.result.tools;
    expect(tools.map(({ name, annotations }) => [name, annotations['readOnlyHint']])).toEqual([
      ['get_organization', true],
      ['watch_organization', true],
      ['register_organization', false],
      ['list_files', true],
      ['list_organizations', true],
      ['get_listed', true],
      ['report', true],
      ['diff', true],
      ['footprint', true],
    ]);
    const values = tools.flatMap(({ inputSchema }) => Object.values(inputSchema.properties));
    expect(values.filter(({ description }) => description === undefined)).toEqual([]);
    // JSON of schemas has three to four characters for each token of common tokenizers.
    const tokens = Math.ceil(JSON.stringify(tools).length / 3);
    expect(tokens, 'shorten what the tools say').toBeLessThanOrEqual(3_300);
  });

  it('registers, watches and gets an organization of the sandbox', async () => {
    const world = { home: newFolder(), clock: new VirtualClock() };
    const argv = ['--sandbox', '--allow-register'];
    const given = { name: 'Acme AG', hq_region: 'de' };
    const registered = await call(argv, [['register_organization', given]], world);
    expect(registered.results[0].structuredContent).toMatchObject({
      ended: false,
      synthetic: true,
      record: { id: 1, name: 'Acme AG', hq_region: 'DE' },
    });
    const watched = await call(argv, [['watch_organization', { id: 1 }]], world);
    expect(watched.results[0].structuredContent).toMatchObject({
      ended: true,
      synthetic: true,
      status: 'synced',
    });
    const got = await call(argv, [['get_organization', { id: '1', currency: 'EUR' }]], world);
    const { structuredContent, content } = got.results[0];
    expect(structuredContent.record.performances[0].revenue_currency).toBe('EUR');
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    expect(got.stderr).toBe('');
  });

  it('reports research as pending after the given time', async () => {
    const home = newFolder();
    await run(['register', '--sandbox', '--name', 'Sandbox pending'], { home });
    const { results } = await call(
      ['--sandbox'],
      [['watch_organization', { id: 1, timeout_seconds: 5 }]],
      { home },
    );
    expect(results[0].structuredContent).toMatchObject({ ended: false, synthetic: true });
    expect(results[0].isError).toBeUndefined();
  });

  it('reports the status of research to a caller that asks for progress', async () => {
    const home = newFolder();
    await run(['register', '--sandbox', '--name', 'Sandbox pending'], { home });
    const params = {
      name: 'watch_organization',
      arguments: { id: 1, timeout_seconds: 30 },
      _meta: { progressToken: 'p' },
    };
    const { replies } = await send(
      ['--sandbox'],
      [{ id: 1, method: 'tools/call', params }],
      { home },
      3,
    );
    const progress = replies.filter(({ method }) => method === 'notifications/progress');
    expect(progress.slice(0, 2).map((each) => each.params)).toEqual([
      { progressToken: 'p', progress: 1, message: 'created' },
      { progressToken: 'p', progress: 2, message: expect.any(String) },
    ]);
  });

  it('refuses a registration with an invalid value, and sends nothing', async () => {
    const { env, seen } = await serve({ json: { id: 1, name: 'Acme AG' } });
    const given = { name: 'Acme AG', lei_number: '529900T8BM49AURSDO56' };
    const { results } = await call(['--allow-register'], [['register_organization', given]], {
      env,
    });
    expect(errorOf(results[0])).toMatchObject({ code: 'invalid_input', exit: 2 });
    expect(seen).toEqual([]);
  });

  it('asks about a doubtful name or website, and sends it if the user means it', async () => {
    const { env, seen } = await serve({ json: { id: 1, name: 'acme.org' } });
    const doubts = [{ name: 'acme.org' }, { name: 'A', website: 'not a site' }];
    const calls = (more: object) =>
      doubts.map((given): [string, object] => ['register_organization', { ...given, ...more }]);
    const asked = await call(['--allow-register'], calls({}), { env });
    for (const result of asked.results)
      expect(errorOf(result)).toMatchObject({
        code: 'invalid_input',
        hint: expect.stringContaining('doubtful: "send"'),
      });
    expect(seen).toEqual([]);
    await call(['--allow-register'], calls({ doubtful: 'send' }), { env });
    expect(seen.map(({ body }) => JSON.parse(body ?? '')).sort(byName)).toEqual(
      doubts.toSorted(byName),
    );
  });

  it('refuses an argument that a tool does not have, instead of ignoring it', async () => {
    const given = { files: ['old.ndjson'], country: 'FR' };
    const { results } = await call(['--root', newRoot()], [['list_organizations', given]]);
    expect(results[0]).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"country"') }],
    });
  });

  it('describes failures with code and hint, and never shows the key', async () => {
    const key = 'secret-key-0123456789';
    const detail = `The key ${key} has no such organization.`;
    const json = { status: 404, title: 'Not found', detail, id: '7' };
    const { env } = await serve({ status: 404, json });
    const world = { env: { ...env, CARBON_API_KEY: key } };
    const outcome = await call(['--debug'], [['get_organization', { id: 7 }]], world);
    expect(errorOf(outcome.results[0])).toMatchObject({
      code: 'not_found',
      id: '7',
      detail: 'The key [key] has no such organization.',
    });
    expect(outcome.stdout + outcome.stderr).not.toContain(key);
    expect(outcome.stderr).toContain('get_organization failed');
  });

  it('fails only the tools of the service when no service is configured', async () => {
    const calls: Call[] = [
      ['get_organization', { id: 1 }],
      ['report', { files: ['old.ndjson'] }],
    ];
    const { results, exit } = await call(['--root', newRoot()], calls);
    expect(errorOf(results[0])).toMatchObject({ code: 'no_base_url' });
    expect(results[1].structuredContent.organizations).toBe(2);
    expect(exit).toBe(0);
  });
});

describe('carbon mcp: files', () => {
  it('lists, summarizes and compares files below the root', async () => {
    const files = ['old.ndjson', 'new/all.ndjson'];
    const { results } = await call(
      ['--root', newRoot()],
      [
        ['list_organizations', { files, search: 'C', limit: 1 }],
        ['report', { files }],
        ['diff', { old: files[0], new: files[1] }],
      ],
    );
    const [list, report, diff] = results.map(({ structuredContent }) => structuredContent);
    expect(list).toMatchObject({
      organizations: [{ id: 1, name: 'Acme AG', score: 60, hq_region: 'DE' }],
      matched: 2,
      total: 3,
      synthetic: 1,
      input: { records: 4, failed: 1 },
    });
    expect(report).toMatchObject({ organizations: 3, synthetic: 1, input: { superseded: 1 } });
    expect(diff).toMatchObject({
      differences: [
        { id: 1, change: 'changed', fields: [{ field: 'score', old: 0.5, new: 0.6 }] },
        { id: 3, change: 'new', synthetic: true },
        { id: 2, change: 'removed' },
      ],
      total: 3,
    });
  });

  it('filters, sorts, selects and groups as carbon list does', async () => {
    const files = ['old.ndjson', 'new/all.ndjson'];
    const list = (given: object): Call => ['list_organizations', { files, ...given }];
    const { results } = await call(
      ['--root', newRoot()],
      [
        list({ where: ['score>45', 'hq_region=de'], sort: '-score', columns: 'name,score' }),
        list({ group_by: 'country', sum: 'scope_1' }),
      ],
    );
    const [filtered, groups] = results.map(({ structuredContent }) => structuredContent);
    expect(filtered).toMatchObject({
      organizations: [
        { name: 'Cyber SE', score: 70 },
        { name: 'Acme AG', score: 60 },
      ],
      matched: 2,
      total: 3,
    });
    expect(groups).toMatchObject({
      groups: [{ hq_region: 'DE', organizations: 3, scope_1: null, scope_1_organizations: 0 }],
      group_count: 1,
    });
  });

  it.each([
    [{ where: ['scor<40'] }, 'where "scor<40": unknown column "scor"', 'Did you mean score?'],
    [
      { group_by: 'country', sum: 'total' },
      'sum: carbon does not add up total: a total contains scope 3, which a sum counts twice',
      'Use sum scope_1,scope_2 or sum revenue.',
    ],
    [{ sum: 'scope_1' }, 'sum needs group_by', 'Choose the groups'],
  ])('explains why it refuses %j', async (given, message, hint) => {
    const { results } = await call(
      ['--root', newRoot()],
      [['list_organizations', { files: ['old.ndjson'], ...given }]],
    );
    const error = errorOf(results[0]);
    expect([error.message, error.hint]).toEqual([message, expect.stringContaining(hint)]);
  });

  it('opens no file outside the root, whatever the path', async () => {
    const root = newRoot();
    const outside = newFolder();
    writeFileSync(join(outside, 'secret.ndjson'), '{"id":9,"name":"Secret SE"}');
    symlinkSync(join(outside, 'secret.ndjson'), join(root, 'link.ndjson'));
    symlinkSync(outside, join(root, 'away'));
    symlinkSync(join(root, 'old.ndjson'), join(root, 'inside.ndjson'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const problems = {
      '../../secret.ndjson': ' is not below the root directory',
      [join(outside, 'secret.ndjson')]: ' is not below the root directory',
      'new/../../x': ' is not below the root directory',
      'link.ndjson': ' is not below the root directory',
      'away/secret.ndjson': ' is not below the root directory',
      'old.ndjson\0.txt': ' is not below the root directory',
      pipe: ' is not a file',
      '.': ' is not a file',
      'missing.ndjson': ': no such file or directory (ENOENT)',
    };
    const paths = [...Object.keys(problems), 'inside.ndjson', join(root, 'old.ndjson')];
    const calls = paths.map((path): Call => ['report', { files: [path] }]);
    const { results, stdout } = await call(['--root', root], calls);
    for (const [index, [path, problem]] of Object.entries(problems).entries())
      expect(errorOf(results[index]).message).toBe(path.replace('\0', '\ufffd') + problem);
    for (const { structuredContent } of results.slice(-2))
      expect(structuredContent.organizations).toBe(2);
    expect(stdout).not.toContain('Secret SE');
  });

  it('refuses a root that is no directory', async () => {
    const { exit, stderr } = await run(['mcp', '--root', join(newRoot(), 'old.ndjson')]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is not a directory')]);
  });
});

describe('carbon mcp: connection', () => {
  it('prints the configuration for a client at a terminal, without the key', async () => {
    const world = { typed: [], env: { CARBON_API_KEY: 'secret-key' } };
    const { stdout } = await run(['mcp', '--sandbox', '--allow-register'], world);
    expect(stdout).not.toContain('secret');
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toEqual({
      mcpServers: { carbon: { command: 'carbon', args: ['mcp', '--sandbox', '--allow-register'] } },
    });
  });

  it('responds to invalid messages with protocol errors, and keeps serving', async () => {
    const calls = [
      { id: 2, method: 'unknown/method' },
      { id: 3, method: 'ping' },
    ];
    const lines = ['not json', '', ' ', '5', '[]', '{"id":7,"method":"ping"}'];
    const { replies, exit } = await send(['--sandbox'], [...lines, ...calls], {}, 4);
    const byId = (wanted: unknown) => replies.find(({ id }) => id === wanted);
    expect(replies.filter(({ id }) => id === null).map(({ error }) => error)).toEqual([
      { code: -32_700, message: 'line 3 is not JSON' },
      { code: -32_600, message: 'line 6 is not a message of JSON-RPC 2.0' },
      { code: -32_600, message: 'line 7 is not a message of JSON-RPC 2.0' },
    ]);
    expect(byId(7).error.code).toBe(-32_600);
    expect(byId(2).error.code).toBe(-32601);
    expect(byId(3).result).toEqual({});
    expect(exit).toBe(0);
  });
});

describe('carbon mcp: input', () => {
  const ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}';

  async function repliesTo(...chunks: readonly (string | Buffer)[]) {
    const { stdout, exit } = await run(['mcp'], { stdin: Readable.from(chunks) });
    expect(exit).toBe(0);
    return jsonLines(stdout);
  }

  it('reads a first message after a byte order mark, in pieces, and without a line feed', async () => {
    const opening = Buffer.from(`\ufeff${linesOf()}`);
    const bytes = Array.from(opening, (_, index) => opening.subarray(index, index + 1));
    const replies = await repliesTo(...bytes, `${ping}\r\n`, ping.replace('"p"', '"last"'));
    expect(replies.map(({ id }) => id)).toEqual(['open', 'p', 'last']);
  });

  it('answers a message above 10 MiB with an error, and keeps serving', async () => {
    const limit = 10 * 1024 * 1024;
    const ofSize = (size: number) => ping.padEnd(size, ' ');
    const long = [
      ofSize(limit - 1),
      '\n',
      ofSize(limit).slice(0, -1),
      ' ',
      '\n',
      ofSize(3 * limit),
    ];
    const replies = await repliesTo(linesOf(), ...long, '\n', ping.replace('"p"', '"last"'));
    const tooLong = (line: number) => ({
      code: -32_600,
      message: `line ${line} is longer than 10 MiB`,
    });
    expect(replies.flatMap(({ error }) => error ?? [])).toEqual([tooLong(4), tooLong(5)]);
    expect(replies.flatMap(({ result, id }) => (result ? id : []))).toEqual(['open', 'p', 'last']);
  });

  it('answers text in UTF-16, and text without a line feed, but no truncated message', async () => {
    const replies = await repliesTo(Buffer.from(`\ufeff${ping}\n`, 'utf16le'));
    const error = { message: 'line 1 is not JSON' };
    expect(replies[0]).toMatchObject({ id: null, error });
    expect(await repliesTo('hello')).toMatchObject([{ id: null, error }]);
    expect(await repliesTo(ping.slice(0, 9))).toEqual([]);
  });
});

/** Creates a root directory with a list and its records: one synced, one still in progress. */
async function newList() {
  const root = newFolder();
  const world = { home: newFolder(), clock: new VirtualClock() };
  writeFileSync(join(root, 'suppliers.csv'), 'name,hq_region\nAcme AG,DE\nSandbox pending,FR\n');
  const sync = (...more: string[]) =>
    run(['sync', join(root, 'suppliers.csv'), '--sandbox', '--timeout', '60s', ...more], world);
  expect((await sync('-o', join(root, 'results.xlsx'))).exit).toBe(8);
  return { root, sync, clock: world.clock };
}

describe('carbon mcp: lists', () => {
  it('compares a list with an earlier day', async () => {
    const { root, sync, clock } = await newList();
    await clock.sleep(30 * 86_400_000);
    writeFileSync(join(root, 'suppliers.csv'), 'name,hq_region\nAcme AG,DE\nHooli,US\n');
    expect((await sync()).exit).toBe(0);
    const { results } = await call(
      ['--root', root],
      [
        ['diff', { old: 'suppliers.csv', since: '2026-01-15' }],
        ['diff', { old: 'suppliers.csv', since: '2026-01-14' }],
        ['diff', { old: 'suppliers.csv' }],
      ],
    );
    expect(results[0]?.structuredContent).toMatchObject({
      differences: [
        { name: 'Hooli', change: 'new' },
        { name: 'Sandbox pending', change: 'removed' },
      ],
    });
    expect(results.slice(1).map((result) => errorOf(result).message)).toEqual([
      'There are no records of 2026-01-14: they begin on 2026-01-15',
      'diff needs either new or since',
    ]);
  });

  it.each([
    ['diff', { old: 'suppliers.csv', since: '2026-01-18' }, 'since: 2026-01-18 is in the future'],
    ['footprint', { file: 'suppliers.csv', at: '2026-01-18' }, 'at: 2026-01-18 is in the future'],
    [
      'footprint',
      { file: 'suppliers.csv', compare: '2024', since: '2026-01-18' },
      'since: 2026-01-18 is in the future',
    ],
    [
      'footprint',
      { file: 'suppliers.csv', goal: '67', since: '2026-01-15' },
      'since 2026-01-15 is not before today',
    ],
  ])('rejects the day of %s %j as the command does', async (tool, given, message) => {
    const { root, clock } = await newList();
    const { results } = await call(['--root', root], [[tool, given]], { clock });
    expect(errorOf(results[0])).toMatchObject({
      code: 'usage',
      message,
      hint: expect.stringMatching(/^(Use today or|Choose) an earlier day\.$/),
    });
  });

  it('reads the records that carbon sync keeps of a list, and says from when they are', async () => {
    const { root } = await newList();
    const list = 'suppliers.csv';
    const calls: Call[] = [['list_files'], ['list_organizations', { files: [list] }]];
    const { results } = await call(['--root', root], calls);
    const [files, organizations] = results.map(({ structuredContent }) => structuredContent);
    expect(
      files.files.map(({ path, has_records }: Record<string, unknown>) => [path, has_records]),
    ).toEqual([
      ['results.xlsx', undefined],
      ['suppliers.csv', true],
    ]);
    const described = {
      list,
      organizations: 2,
      in_progress: 1,
      removed: 0,
      oldest: expect.stringMatching(/^2026-01-15T/),
      newest: expect.stringMatching(/^2026-01-15T/),
      currency: null,
    };
    expect(organizations).toMatchObject({
      organizations: [{ name: 'Acme AG' }, { name: 'Sandbox pending' }],
      synthetic: 2,
      input: { records: 2, lists: [described] },
    });
  });

  it('names files below the root, and no command, for a list without records', async () => {
    const { root } = await newList();
    writeFileSync(join(root, 'new.csv'), 'name\nAcme AG\n');
    rmSync(join(root, 'suppliers.csv.sandbox.records.ndjson'));
    const { results } = await call(
      ['--root', root],
      ['new.csv', 'results.xlsx'].map((path): Call => ['report', { files: [path] }]),
    );
    const [list, workbook] = results.map(errorOf);
    expect(list.message).toBe('There are no records of new.csv');
    expect(workbook.message).toBe('There are no records of results.xlsx');
    expect(list.hint).toBe('Choose a file of list_files; a list needs has_records.');
  });

  it('reads no records outside the root, whatever a link names', async () => {
    const { root } = await newList();
    const store = 'suppliers.csv.sandbox.records.ndjson';
    const linked = newFolder();
    writeFileSync(join(linked, 'suppliers.csv'), 'name\nAcme AG\n');
    symlinkSync(join(root, store), join(linked, store));
    const { results, stdout } = await call(
      ['--root', linked],
      [['report', { files: ['suppliers.csv'] }]],
    );
    expect(errorOf(results[0]).message).toMatch(
      /suppliers\.csv.* is not below the root directory$/,
    );
    expect(stdout).not.toContain('Acme');
  });
});

describe('carbon mcp: footprint', () => {
  /* Two suppliers of one list, which were synced, with spend of two years. */
  async function newSpend() {
    const root = newFolder();
    const world = { home: newFolder(), clock: new VirtualClock() };
    writeFileSync(
      join(root, 'buy.csv'),
      'name,hq_region,spend,currency,year\nAcme AG,DE,100,EUR,2023\nAcme AG,DE,200,EUR,2024\nNordic Steel SE,SE,50,EUR,2024\n',
    );
    const sync = await run(
      ['sync', join(root, 'buy.csv'), '--sandbox', '--currency', 'EUR'],
      world,
    );
    expect(sync.exit).toBe(0);
    return root;
  }

  it('answers what it is, where a goal stands, and why it changed', async () => {
    const root = await newSpend();
    const file = 'buy.csv';
    const { results } = await call(
      ['--root', root],
      [
        ['footprint', { file, year: 2024 }],
        ['footprint', { file, year: 2024, goal: '67' }],
        ['footprint', { file, compare: '2023' }],
        ['footprint', { file, goal: '67' }],
        ['footprint', { file: '../buy.csv' }],
      ],
    );
    const [total, goal, change, ...failed] = results;
    expect(total?.structuredContent).toMatchObject({
      statements: expect.any(Array),
      understood: { rows: 2 },
      line_items: 2,
      synthetic: 2,
    });
    expect(goal?.structuredContent).toMatchObject({
      goal: { percent: 67, of: 'emissions' },
      reached: expect.any(Boolean),
      supplier_count: 2,
    });
    expect(change?.structuredContent.bridge).toMatchObject({ before: 2023, after: 2024 });
    expect(failed.map((result) => errorOf(result).message)).toEqual([
      'buy.csv has spend of 2023 and 2024, but a goal is for one year',
      '../buy.csv is not below the root directory',
    ]);
  });

  it('says which way a goal moves, as since that day does', async () => {
    const root = await newSpend();
    const given = { file: 'buy.csv', year: 2024, goal: '67' };
    const store = join(root, 'buy.csv.sandbox.records.ndjson');
    const earlier = (calls: readonly Call[]) => call(['--root', root], calls);
    const first = await earlier([['footprint', given]]);
    expect(first.results[0]?.structuredContent).toMatchObject({
      direction: null,
      statements: expect.arrayContaining([
        {
          rule: 'since',
          text: expect.stringMatching(/^No direction yet: no record is from before /),
        },
      ]),
    });
    const text = readFileSync(store, 'utf8');
    writeFileSync(
      store,
      text.replaceAll(/(?<="valid_from":"|"listed":\[")2026-01-15/g, '2026-01-10'),
    );
    const { results } = await earlier([
      ['footprint', given],
      ['footprint', { ...given, since: '2026-01-10' }],
    ]);
    const [byDefault, since] = results.map((each) => each?.structuredContent);
    expect(byDefault.direction).toMatchObject({ day: '2026-01-10', change: 0, not_known: 0 });
    expect(byDefault.direction).toEqual(since.direction);
    expect([byDefault.since, since.since.day]).toEqual([null, '2026-01-10']);
  });
});

describe('carbon mcp: one organization and groups', () => {
  it('shows one record of a list by ID and by name', async () => {
    const { results } = await call(
      ['--root', newRoot()],
      [
        ['get_listed', { files: ['old.ndjson'], id: 2 }],
        ['get_listed', { files: ['old.ndjson'], name: 'acme' }],
        ['get_listed', { files: ['old.ndjson'], name: 'nobody' }],
        ['get_listed', { files: ['old.ndjson'], name: 'a' }],
      ],
    );
    const names = results.slice(0, 2).map((each) => each?.structuredContent.record.name);
    expect(names).toEqual(['Borg GmbH', 'Acme AG']);
    expect(errorOf(results[2]).message).toBe('no organization has the name nobody');
  });

  it('returns means, columns as they were named, and the names that exist', async () => {
    const files = ['old.ndjson'];
    const { results } = await call(
      ['--root', newRoot()],
      [
        ['list_organizations', { files, group_by: 'country', mean: 'score' }],
        ['list_organizations', { files, columns: 'name,country' }],
        ['list_organizations', { files, columns: 'nmae' }],
        ['list_organizations', { files, where: ['status=snced'] }],
        ['list_organizations', { files, group_by: 'country', mean: 'year' }],
      ],
    );
    expect(results[0]?.structuredContent.groups).toEqual([
      { hq_region: 'DE', organizations: 2, mean_score: 45, mean_score_organizations: 2 },
    ]);
    expect(results[1]?.structuredContent.organizations[0]).toEqual({
      name: 'Acme AG',
      country: 'DE',
    });
    expect(errorOf(results[2]).hint).toContain('Columns: id, name, status');
    expect(results[3]?.structuredContent).toMatchObject({
      matched: 0,
      existing_values: { status: ['synced'] },
    });
    expect(errorOf(results[4]).message).toContain('year has no mean');
  });

  it('leaves out figures that cannot be right, names their organizations, and says of when it is', async () => {
    const root = newFolder();
    const line = (id: number, day: string, record: object) =>
      `${JSON.stringify({ ok: true, id, retrieved_at: `${day}T08:00:00Z`, record: { id, ...record } })}\n`;
    const emissions = (scope1: number) => ({
      performances: [{ year: 2024, emissions: { scope_1: { total: scope1 } } }],
    });
    writeFileSync(
      join(root, 'all.ndjson'),
      line(1, '2026-01-03', { name: 'Acme', score: 0.5, ...emissions(4) }) +
        line(2, '2026-01-02', { name: 'Berg', score: 48, ...emissions(-9) }),
    );
    const files = ['all.ndjson'];
    const grouped = { files, group_by: 'status', sum: 'scope_1', mean: 'score' };
    const { results } = await call(
      ['--root', root],
      [
        ['list_organizations', { files }],
        ['list_organizations', grouped],
        ['list_organizations', { files, group_by: 'status', mean: 'score' }],
        ['diff', { old: files[0], new: files[0] }],
      ],
    );
    const [all, groups, means, diff] = results.map(({ structuredContent }) => structuredContent);
    const dates = { records_from: '2026-01-02', records_to: '2026-01-03', as_of: null };
    const names = '1 company whose record cannot be right, Berg (carbon check)';
    expect(all).toMatchObject({
      ...dates,
      written_at: expect.stringMatching(/^20\d\d-/),
      organizations: [
        { id: 1, check: null },
        { id: 2, check: 'negative' },
      ],
      statements: [
        { rule: 'count', text: '2 companies, all of them with emissions', disclosing: 2 },
        { rule: 'errors', text: names, wrong: 1 },
      ],
    });
    expect(groups).toMatchObject({
      ...dates,
      groups: [{ organizations: 2, scope_1: 4, scope_1_organizations: 1, mean_score: 50 }],
      statements: [{ rule: 'count' }, { rule: 'errors', text: `Left out: ${names}`, left_out: 1 }],
    });
    expect(means).toMatchObject({
      groups: [{ organizations: 2, mean_score: 50, mean_score_organizations: 1 }],
      statements: [{ rule: 'count' }, { rule: 'errors', text: `Left out: ${names}` }],
    });
    expect(diff).toMatchObject({
      ...dates,
      statements: [{ rule: 'movers', text: 'None of 2 companies changed' }],
    });
  });
});
