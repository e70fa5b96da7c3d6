import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from '../../../support/clock.ts';
import { newFolder, run, transcript } from '../../../support/run.ts';
import { type Reply, serve } from '../../../support/server.ts';

async function service(...replies: Reply[]): Promise<Record<string, string>> {
  return (await serve(...replies)).env;
}

/* Replies with what `recordOf` returns for the requested id. */
const each =
  (recordOf: (id: number) => object): Reply =>
  (response, request) => {
    response.end(JSON.stringify(recordOf(Number(request.url?.split('/').at(-1)))));
  };

const numbers = (length: number) => Array.from({ length }, (_, index) => String(index + 1));

const notFound = (id: string) => ({
  status: 404,
  json: {
    status: 404,
    title: 'Organization Not found',
    detail: 'No organization has this id.',
    id,
  },
});

const record = { id: 1001, name: 'Kessler Stahl AG', status: 'synced' };

const whole = 'Use whole numbers such as 12';

describe('carbon get', () => {
  it.each([
    [[], /unit unknown \(|unit is known/g, /^emissions 2025 total: 24$/m],
    [['--unit', 't'], /emissions in t/g, /^emissions 2025 total: 24 t$/m],
  ])('says the unit of emissions with %j, once in a terminal', async (words, unit, plain) => {
    const year = { year: 2025, emissions: { total: 24 } };
    const env = await service(
      each((id) => ({ id: id || 1, name: 'Acme', status: 'synced', performances: [year] })),
    );
    for (const asked of [
      ['get', '1'],
      ['get', '1', '2'],
      ['get', '1', '--full'],
      ['watch', '1'],
    ]) {
      const { stdout } = await run([...asked, ...words], { env, terminal: 80 });
      expect([asked, stdout.toLowerCase().match(unit)?.length]).toEqual([asked, 1]);
    }
    expect((await run(['get', '1', ...words], { env })).stdout).toMatch(plain);
    const full = await run(['get', '1', '--full', ...words], { env });
    expect(full.stdout).toMatch(/^performances\[0\]\.emissions\.total: 24( t)?$/m);
    expect(full.stdout.includes('24 t')).toBe(words.length > 0);
    // Fields between tabs are numbers only, as those of list.
    for (const asked of [
      ['get', '1', '2'],
      ['get', '1', '--csv'],
      ['watch', '1', '2'],
    ]) {
      const { stdout, stderr } = await run([...asked, ...words], { env });
      expect(stdout).not.toContain('24 t');
      expect([asked, stderr.includes('Emissions in t.')]).toEqual([asked, words.length > 0]);
    }
    const { stdout } = await run(['register', '--name', 'Acme', ...words], { env, terminal: 80 });
    expect(stdout.toLowerCase()).toMatch(unit);
  });

  it('prints the documents of several as received, one per line', async () => {
    const texts: Record<string, string> = {
      '/organizations/1':
        '{ "z": 1.0, "id": 1,\n "a": {"b": [1e400, -0]}, "z": "A  B \\u0041\u202e" }\n',
      '/organizations/2': '{"id":"02","name":"é 😀 \\" { }","status":null}',
      '/organizations/3': '\ufeff{"name": "No id"}',
      '/organizations/4': `${'{"id":4,"un":'.repeat(40)}1${'}'.repeat(40)}`,
    };
    const env = await service((response, request) => response.end(texts[request.url ?? '']));
    const { stdout, stderr, exit } = await run(['get', '1', '2', '3', '4', '--json'], { env });
    expect(stdout.split('\n')).toEqual([
      '{"z":1.0,"id":1,"a":{"b":[1e400,-0]},"z":"A  B \\u0041\u202e"}',
      '{"id":"02","name":"é 😀 \\" { }","status":null}',
      '{"name":"No id"}',
      texts['/organizations/4'],
      '',
    ]);
    expect([stderr, exit]).toEqual(['', 0]);
  });

  it('shows failed items of several as data, in order, and combines exit codes', async () => {
    const env = await service((response, request) => {
      const id = Number(request.url?.split('/').at(-1));
      response.statusCode = id === 2 ? 404 : 200;
      const json = id === 2 ? notFound('2').json : { id, name: `Organization ${id}` };
      response.end(JSON.stringify(json));
    });
    expect(await transcript(['get', '1', '2', '3', '1', '--json'], { env })).toMatchInlineSnapshot(`
      "{"id":1,"name":"Organization 1"}
      {"ok":false,"id":2,"error":{"code":"not_found","exit":5,"message":"No organization has ID 2","status":404,"title":"Organization Not found","detail":"No organization has this id.","id":"2","retryable":false,"hint":"The IDs of a list: \`carbon list <list> --columns id,name\`. For a new organization: \`carbon register --name \\"<name>\\"\`."}}
      {"id":3,"name":"Organization 3"}
      --- stderr
      {"summary":{"failed":1,"of":3,"exit":5}}
      --- exit 5"
    `);
    expect(await transcript(['get', '1', '2', '-q'], { env })).toMatchInlineSnapshot(`
      "1
      --- stderr
      Error: No organization has ID 2
      Hint: The IDs of a list: \`carbon list <list> --columns id,name\`. For a new organization: \`carbon register --name "<name>"\`.
      --- exit 5"
    `);
    expect((await run(['get', '1', '2'], { env })).stdout).toBe(
      `1\tOrganization 1${'\t'.repeat(10)}\n`,
    );
    const mixed = await run(['get', '-', '-q'], { env, stdin: '1\n2\nx\n' });
    expect(mixed.exit).toBe(9);
  });

  it('names UTF-16 on standard input, with a byte order mark and without', async () => {
    for (const stdin of ['1\0\n\x002\0\n\0', '\ufffd\ufffd1\0\n\0']) {
      const { exit, stdout, stderr } = await run(['get', '-', '--sandbox'], { stdin });
      expect([exit, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Error: Standard input seems to be UTF-16, not UTF-8\nHint: Save');
    }
  });

  it('reads ids and NDJSON from standard input and reports an invalid line', async () => {
    const env = await service(each((id) => ({ id })));
    const stdin =
      '\ufeff1\r\n\n{"line":2,"ok":true,"id":"7","status":"created"}\n 007 \n{"id":8}\n{"ok":false}\n{"id":9,"name":"Acme AG","ok":false}\nAcme\n';
    const { stdout, stderr, exit } = await run(['get', '-', '-q'], { env, stdin });
    expect(stdout).toBe('1\n7\n8\n9\n');
    expect(stderr).toContain('Line 8 of standard input: "Acme" is not an organization ID');
    expect(exit).toBe(9);
  });

  it.each([
    ['-', 'id,name\n1,Acme\n', 'Line 1 of standard input: "id,name"', whole],
    ['-', '1 2 3\n', 'Line 1 of standard input: "1 2 3"', 'Did you mean 1 2 3? Separate IDs'],
    [
      '-',
      '\nAcme AG\n1\n',
      'Line 2 of standard input: "Acme AG"',
      `${whole}, separated by spaces. For the ID of an organization on your list: \`carbon list suppliers.csv --where "name=Acme AG"\`. For a new organization, \`carbon register --name "Acme AG"\` registers it`,
    ],
    [
      'Dee GmbH',
      '',
      '"Dee GmbH"',
      `${whole}, separated by spaces. For the ID of an organization on your list: \`carbon list suppliers.csv --where "name=Dee GmbH"\`. For`,
    ],
    [
      'list.csv',
      '',
      '"list.csv"',
      'To read IDs from a file, one per line: `carbon get - < list.csv`.',
    ],
    ['1,2', '', '"1,2"', 'Did you mean 1 2?'],
    ['8-11', '', '"8-11"', 'Did you mean 8 9 10 11?'],
    ['8..9', '', '"8..9"', 'Did you mean 8 9?'],
    ['#1001', '', '"#1001"', 'Did you mean 1001?'],
    ['-5', '', '"-5"', whole],
    ['', '', '""', whole],
  ])('refuses %j with the input %j before anything is sent', async (id, stdin, what, hint) => {
    const { env, seen } = await serve({ json: { id: 1 } });
    const { exit, stdout, stderr } = await run(['get', '--', id], { env, stdin });
    expect([exit, stdout, seen.length]).toEqual([2, '', 0]);
    expect(stderr).toContain(`${what} is not an organization ID\nHint: ${hint}`);
  });

  it('shows the record of a list here and its service when none is configured', async () => {
    const folder = newFolder();
    const { env, url } = await serve({ status: 202, json: { id: 1001 } }, { json: record });
    for (const [name, words] of [
      ['my list.csv', [] as string[]],
      ['sandbox.csv', ['--sandbox']],
    ] as const) {
      writeFileSync(join(folder, name), 'name\nKessler Stahl AG\n');
      const world = { env: words.length > 0 ? {} : env, home: folder };
      expect((await run(['sync', join(folder, name), ...words], world)).exit).toBe(0);
    }
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    const none = 'Error: No service is configured: there is no base URL\nHint: ';
    expect(await run(['get', '1001'])).toMatchObject({
      exit: 2,
      stderr: `${none}Kessler Stahl AG has the ID 1001 in my list.csv. Its record: \`carbon list "my list.csv" --where id=1001\`. To ask its service: \`carbon login --base-url ${url}\` (in scripts, set CARBON_BASE_URL=${url} and CARBON_API_KEY_FILE), then \`carbon get 1001\`\n`,
    });
    const { stdout } = await run([
      'list',
      'my list.csv',
      '--where',
      'id=1001',
      '--columns',
      'name',
    ]);
    expect(stdout).toBe('Kessler Stahl AG\n');
    expect((await run(['watch', '1001', '3'])).stderr).toContain('in my list.csv. Its record: ');
    expect((await run(['get', '1'])).stderr).toContain(
      '`carbon list sandbox.csv --where id=1`. To ask the sandbox, which it is from: `carbon get 1 --sandbox`\n',
    );
    expect((await run(['get', '7'])).stderr).toContain(`${none}Run \`carbon login`);
  });

  it('finds the ID of a name in the lists of this folder', async () => {
    const folder = newFolder();
    const lists = {
      'list.csv': 'name\nKessler Stahl AG\nKessel GmbH\nAcme\nAcme AG\n',
      'purchases.csv': 'name\nKessler Stahl AG\n',
    };
    for (const [name, text] of Object.entries(lists)) {
      writeFileSync(join(folder, name), text);
      await run(['sync', join(folder, name), '--sandbox'], { home: folder });
    }
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    const errorOf = async (...words: string[]) => (await run(words)).stderr;
    expect(await errorOf('get', 'kessler')).toBe(
      'Error: "kessler" is not an organization ID\nHint: Kessler Stahl AG has the ID 1 in list.csv. Its record: `carbon list list.csv --where id=1`. To ask the sandbox: `carbon get 1 --sandbox`\n',
    );
    expect(await errorOf('watch', 'Acme', '--sandbox')).toContain(
      'Hint: Acme has the ID 3 in list.csv. Its record: `carbon list list.csv --where id=3 --sandbox`. To ask the sandbox: `carbon get 3 --sandbox`',
    );
    expect(await errorOf('get', 'Kess')).toContain('`carbon list suppliers.csv --where name=Kess`');
  });

  it.each([
    ['CARBON_API_KEY', '"canary"'],
    ['CARBON_BASE_URL', "'https://a.example'"],
  ])('names quotes around the value of %s', async (name, value) => {
    const env = { CARBON_BASE_URL: 'https://a.example', CARBON_API_KEY: 'k', [name]: value };
    const { exit, stderr } = await run(['get', '1'], { env });
    expect(exit).toBe(2);
    expect(stderr).toContain(`Error: ${name}: remove the quotes around the value, which env files`);
    expect(stderr).not.toContain('canary');
  });

  it('prints a hint when a person types ids', async () => {
    const world = { env: await service({ json: { id: 1 } }), stdin: '1\n', typed: [] };
    expect((await run(['get', '-'], { ...world, terminal: 80 })).stderr).toContain(
      'Ctrl-D ends the list',
    );
  });

  it('loses no record when rate limited, and reports the wait', async () => {
    const clock = new VirtualClock();
    let allowance = 5;
    let refilledAt = 0;
    const env = await service((response, request) => {
      allowance = Math.min(5, allowance + Math.floor((clock.elapsed() - refilledAt) / 1_000));
      refilledAt = clock.elapsed();
      const id = Number(request.url?.split('/').at(-1));
      if (allowance >= 1) allowance -= 1;
      else response.writeHead(429, { 'retry-after': '3' });
      response.end(JSON.stringify({ id, detail: 'Slower.' }));
    });
    const ids = numbers(60);
    expect(await run(['get', ...ids, '-q'], { env, clock })).toEqual({
      exit: 0,
      stdout: ids.map((id) => `${id}\n`).join(''),
      stderr: '',
    });
    const result = await run(['get', ...ids, '--csv'], { env, clock });
    expect(result.stderr).toMatch(/^Too many requests \(429\): Slower; retrying in 3 s\n/);
    const silent = await run(['get', ...ids, '--csv', '--no-progress'], { env, clock });
    expect(silent.stderr).toBe('');
  });

  it('stops when it has many ids and the service refuses connections for two minutes', async () => {
    const clock = new VirtualClock();
    const env = { CARBON_BASE_URL: 'http://127.0.0.1:1', CARBON_API_KEY: 'k' };
    const stdin = `${numbers(300).join('\n')}\n`;
    const { exit, stdout, stderr } = await run(['get', '-', '--json'], { env, clock, stdin });
    expect([exit, stdout]).toEqual([6, '']);
    expect(stderr).toContain('No request succeeded in 2 minutes');
    expect(stderr).toContain('could not be reached: connection refused');
    expect(clock.elapsed()).toBeLessThan(140_000);
  });

  it('stops every wait when the service rejects the key, and shows the received records on a terminal', async () => {
    const clock = new VirtualClock();
    const env = await service((response, request) => {
      const id = Number(request.url?.split('/').at(-1));
      const statuses: Record<number, number> = { 2: 429, 3: 401 };
      response.writeHead(statuses[id] ?? 200, { 'retry-after': '3600' });
      response.end(JSON.stringify({ id, name: `Organization ${id}`, detail: 'No.' }));
    });
    const { exit, stdout, stderr } = await run(['get', '1', '2', '3'], {
      env,
      clock,
      terminal: 80,
    });
    expect([exit, clock.elapsed()]).toEqual([4, 0]);
    expect(stdout).toContain('Organization 1');
    expect(stderr).toContain('The service rejected the API key');
  });

  it('stops requesting while the reader of standard output is slow', async () => {
    const clock = new VirtualClock();
    const { env, seen } = await serve({ json: { id: 1 } });
    let read = () => {};
    const reader = new Promise<void>((resolve) => {
      read = resolve;
    });
    const running = run(['get', ...numbers(200), '--json'], { env, clock, reader });
    await clock.sleep(600_000);
    expect(seen.length).toBeLessThanOrEqual(9);
    read();
    expect((await running).stdout.trim().split('\n')).toHaveLength(200);
  });

  it('requests the currency of the flag, else of CARBON_CURRENCY', async () => {
    const { seen, ...served } = await serve({ json: { id: 1 } });
    const env = { ...served.env, CARBON_CURRENCY: 'chf' };
    await run(['get', '1', '-q', '--currency', 'eur'], { env });
    await run(['get', '1', '-q'], { env });
    expect(seen.map(({ path }) => path)).toEqual([
      '/organizations/1?currency=EUR',
      '/organizations/1?currency=CHF',
    ]);
    const { exit, stderr } = await run(['get', '1', '--currency', 'euro'], { env });
    expect(exit).toBe(2);
    expect(stderr).toContain('Did you mean EUR?');
  });

  it('shows a record with values of unexpected types, and reports what it omits', async () => {
    const env = await service({ json: { id: 1, name: 'Acme', score: 'high', cdp: [1] } });
    const { stdout, stderr, exit } = await run(['get', '1'], { env });
    expect(exit).toBe(0);
    expect(stdout).toContain('Acme');
    expect(stderr).toContain(
      'values of an unexpected type, which carbon does not show: score, cdp',
    );
  });

  it('fails with -q when there is no id, and shows the record otherwise', async () => {
    const env = await service({ json: { name: 'Acme', status: 'locating' } });
    expect((await run(['get', '1'], { env })).exit).toBe(0);
    const { exit, stdout, stderr } = await run(['get', '1', '-q'], { env });
    expect([exit, stdout]).toEqual([6, '']);
    expect(stderr).toContain('a record without a usable ID');
    const several = await run(['get', '1', '2', '-q'], { env });
    expect(several.exit).toBe(6);
    expect(several.stderr.match(/a record without a usable ID/g)).toHaveLength(2);
  });
});

describe('a record of another organization than the requested one', () => {
  const json = { id: 1, name: 'Acme AG', status: 'synced' };
  const problem = 'The service sent the record of organization 1 for organization 5';

  it.each([[[]], [['--csv']], [['--json']], [['-q']]])('is rejected (%s)', async (flags) => {
    const env = await service({ json });
    for (const command of ['get', 'watch']) {
      const one = await run([command, '5', ...flags], { env });
      expect([one.exit, one.stdout]).toEqual([6, '']);
      expect(one.stderr).toContain(problem);
      const several = await run([command, '5', '1', ...flags], { env });
      expect(several.exit).toBe(6);
      expect(several.stdout.match(/Acme AG|^1$/gm)).toHaveLength(1);
      expect((several.stdout + several.stderr).split(problem)).toHaveLength(2);
    }
  });

  it('is the requested one when it has no id, or the same in other digits', async () => {
    const env = await service(
      { json: { name: 'Acme AG' } },
      { json: { id: '005', name: 'Acme AG' } },
    );
    for (const id of ['5', '005']) expect((await run(['get', id], { env })).stderr).toBe('');
  });
});

describe('the key', () => {
  it('is required, and so is a base URL', async () => {
    expect(await transcript(['get', '1'])).toMatchInlineSnapshot(`
      "--- stderr
      Error: No service is configured: there is no base URL
      Hint: Run \`carbon login --base-url https://...\` to store a base URL and its API key, or use --sandbox, which needs neither.
      --- exit 2"
    `);
    expect(
      await transcript(['get', '1'], { env: { CARBON_BASE_URL: 'https://a.example' } }),
    ).toMatchInlineSnapshot(`
      "--- stderr
      Error: There is no API key for https://a.example
      Hint: Run \`carbon login\` to store one. In scripts, set CARBON_API_KEY or CARBON_API_KEY_FILE. --sandbox needs no key.
      --- exit 4"
    `);
  });
});
