import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Case, inPipe, terminal, waysOut, withoutEscapes } from '../support/questions.ts';
import { keys, newFolder, run, transcript, type World } from '../support/run.ts';
import { serve } from '../support/server.ts';

const severalNames: Case = {
  files: { 'list.csv': 'Company,Firma,Land\nAcme AG,Borealis GmbH,DE\nDeep Sea Ltd,東京商事,GB\n' },
  argv: ['sync', 'list.csv', '--sandbox', '--dry-run'],
};

/* A list with two rows that a run registered with a profile. */
const registeredFiles = (profile: string) => {
  const header = { carbon: 'journal', version: 1, keys: 1, service: 'https://a.example', profile };
  const row = (key: string, id: number) => ({ key: key.repeat(32), id, line: id + 1 });
  const lines = [{ ...header, mapping: { name: 'name' } }, row('a', 1), row('b', 2)];
  return {
    'list.csv': 'name\nAcme AG\nGlobex\n',
    'list.csv.carbon.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  };
};

describe('the help of --yes', () => {
  it.each(['sync', 'batch'])('in carbon %s says which question it answers', async (of) => {
    expect((await run(['help', of])).stdout).toContain(
      '--yes                  answer yes to "Register ...?", and to no other question',
    );
  });
});

describe('a question at a terminal', () => {
  it('offers the sandbox for a list without a service, and shows how to log in', async () => {
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': 'name\nAcme AG\n' },
      argv: ['batch', 'list.csv'],
    });
    expect(await waysOut(line, folder)).toMatchInlineSnapshot(`
      "No service is configured: there is no base URL
      ◆  Where should the list be registered? (Esc: stop)
      In the sandbox: no account, synthetic data → Running: carbon batch list.csv --sandbox
      At a service: log in first → To continue, run: carbon login --base-url https://...
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: No service is configured: there is no base URL
      Hint: Run \`carbon login --base-url https://...\` to store a base URL and its API key, or use --sandbox, which needs neither.
      --- exit 2"
    `);
    const env = { CARBON_BASE_URL: 'https://a.example' };
    expect(await waysOut(line, folder, { env })).toMatchInlineSnapshot(`
      "There is no API key for https://a.example
      ◆  Where should the list be registered? (Esc: stop)
      In the sandbox: no account, synthetic data → Running: carbon batch list.csv --sandbox
      At a service: log in first → To continue, run: carbon login --base-url https://a.example
      Stop → exit 4"
    `);
  });

  it.each(['batch', 'sync'])(
    'shows how to log in to the service of a registered list, and never offers the sandbox: %s',
    async (name) => {
      const files = registeredFiles('default');
      const { folder, line, pipe } = await inPipe({ files, argv: [name, 'list.csv'] });
      expect((await waysOut(line, folder)).split('\n')).toEqual([
        'list.csv is registered at https://a.example (2 organizations), but no API key is configured for it',
        '◆  How should this run use it? (Esc: stop)',
        'Log in there → To continue, run: carbon login --base-url https://a.example',
        'Stop → exit 4',
      ]);
      expect(pipe.split('\n')).toEqual([
        '--- stderr',
        'Error: list.csv is registered at https://a.example (2 organizations), but no API key is configured for it',
        'Hint: Run `carbon login --base-url https://a.example` to store one.',
        '--- exit 4',
      ]);
      const env = { CARBON_BASE_URL: 'https://a.example' };
      expect(await waysOut(line, folder, { env })).toMatch(/Log in there.*\nStop → exit 4$/);
    },
  );

  it('uses the profile of a registered list', async () => {
    const files = registeredFiles('acme');
    const { folder, line, pipe } = await inPipe({ files, argv: ['sync', 'list.csv'] });
    expect(pipe).toContain(
      'Hint: Run `carbon login --base-url https://a.example --profile acme` to store one.',
    );
    const env = { CARBON_CONFIG_DIR: newFolder() };
    const stored = { acme: { baseUrl: 'https://a.example', apiKey: 'key-of-acme' } };
    writeFileSync(
      join(env.CARBON_CONFIG_DIR, 'config.json'),
      JSON.stringify({ version: 1, profiles: stored }),
      { mode: 0o600 },
    );
    expect(await waysOut(line, folder, { env })).toMatchInlineSnapshot(`
      "list.csv is registered at https://a.example (2 organizations), but its API key is in profile acme
      ◆  How should this run use it? (Esc: stop)
      With profile acme → Running: carbon sync list.csv --profile acme
      Stop → exit 2"
    `);
    expect(await transcript(line, { env })).toMatchInlineSnapshot(`
      "--- stderr
      Error: <folder>/list.csv is registered at https://a.example (2 organizations), but its API key is in profile acme
      Hint: Run: carbon sync <folder>/list.csv --profile acme
      --- exit 2"
    `);
  });

  it.each([
    [
      'env',
      [],
      {},
      'Set CARBON_BASE_URL=https://a.example and CARBON_API_KEY_FILE (a file with the key): the list',
    ],
    ['default', ['--base-url', 'https://b.example'], {}, 'Run the command without --base-url.'],
    ['default', [], { CARBON_BASE_URL: 'https://b.example' }, 'Unset CARBON_BASE_URL.'],
  ])('says which access a registered list needs: profile %s, %j, %j', async (...given) => {
    const [profile, options, env, hint] = given;
    const files = registeredFiles(profile);
    const { line } = await inPipe({ files, argv: ['sync', 'list.csv'] });
    const { exit, stderr } = await run([...line, ...options], { ...terminal, env, typed: [] });
    expect(stderr).toContain('list.csv is registered at https://a.example (2 organizations), but ');
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain('sandbox');
    expect(exit).toBe(4);
  });

  it.each(['batch', 'sync'])(
    'reports a missing list before a missing service: %s',
    async (name) => {
      const { line, pipe } = await inPipe({ files: {}, argv: [name, 'missing.csv'] });
      expect(pipe).toMatch(/^--- stderr\nError: missing\.csv: no such file or directory\n/);
      expect(pipe).not.toContain('service');
      const { exit, stderr } = await run(line, { ...terminal, typed: [] });
      expect([exit, withoutEscapes(stderr)]).toEqual([2, expect.stringMatching(/: no such file/)]);
    },
  );

  it('offers another name for a file that exists', async () => {
    const { folder, line, pipe } = await inPipe({
      files: { 'list.csv': 'name\nAcme AG\n', 'out.csv': 'mine\n' },
      argv: ['batch', 'list.csv', '--sandbox', '-o', 'out.csv'],
    });
    const changed = /last changed \d+ \w+ \d+/;
    expect((await waysOut(line, folder)).replace(changed, 'last changed D')).toMatchInlineSnapshot(`
      "-o out.csv: this file already exists
      ◆  Where should the result go? (Esc: stop)
      Replace out.csv: last changed D → Running: carbon batch list.csv --sandbox -o out.csv --overwrite
      Write out-2.csv → Running: carbon batch list.csv --sandbox -o out-2.csv
      Stop → exit 2"
    `);
    expect(pipe).toMatchInlineSnapshot(`
      "--- stderr
      Error: -o out.csv: this file already exists
      Hint: Use another name, such as -o out-2.csv. To replace it, run: carbon batch list.csv --sandbox -o out.csv --overwrite
      --- exit 2"
    `);
  });

  it.each<string[]>([
    ['sycn', 'list.csv', '--sandbox', '--dry-run'],
    ['sycn', 'list.csv', '--token=canary', '--sandbox'],
    ['upload', 'list.csv', '--sandbox', '--dry-run'],
    ['register', 'Dee', 'GmbH', '--sandbox', '--dry-run'],
    ['register', '--sandbox', '--name', 'Dee', 'GmbH', '--dry-run'],
    ['register', 'list.csv', '--sandbox'],
    ['register', '--name', 'list.csv', '--sandbox'],
    ['register', '--name', 'Acme', '--wait', '10m', '--sandbox'],
    ['register', '--name', 'acme.org', '--sandbox', '--dry-run'],
    ['register', '--name', 'A', '--website', 'none', '--sandbox', '--dry-run'],
    ['register', 'CARBON_API_KEY=canary'],
    ['frobnicate'],
  ])('offers the command that was probably meant: %s %s %s %s', async (...argv) => {
    const asked = await waysOut(argv);
    expect(asked).not.toContain('canary');
    expect(`${asked}\n${await transcript(argv)}`).toMatchSnapshot();
  });

  it('breaks the command that it runs between words, as a shell reads it', async () => {
    const { line } = await inPipe(severalNames);
    const typed = [keys.enter];
    const { stderr } = await run(line, { ...terminal, terminal: 40, typed });
    const shown = withoutEscapes(stderr);
    const [command = ''] = /(?<=^Running: )carbon (?:.* \\\n)+.*$/m.exec(shown) ?? [];
    const echo = `printf '%s\\n' ${command.replace(/^carbon /, '')}`;
    const words = execFileSync('sh', ['-c', echo], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(words).toEqual([...line, '--map', 'name=Company']);
  });

  it('stops with the error of a pipe after Esc, and with 130 after Ctrl-C', async () => {
    const { folder, line, pipe } = await inPipe(severalNames);
    const left = await run(line, { ...terminal, typed: [keys.escape] });
    expect(left.exit).toBe(2);
    const [, message = '', hint = ''] = /(Error: .*)\n(Hint: .*)/.exec(pipe) ?? [];
    const shown = left.stderr.replaceAll(`${folder}/`, '');
    expect(shown).toContain(`${message}\n${hint}\n`);
    const stopped = await run(line, { ...terminal, typed: ['\u0003'] });
    expect(stopped.exit).toBe(130);
    expect(stopped.stderr).not.toContain('Hint:');
    const ended = await run(line, { ...terminal, typed: ['\u0004'] });
    expect(ended.exit).toBe(2);
  });

  it.each<[string, string[], World]>([
    ['--json', ['--json'], {}],
    ['--no-progress', ['--no-progress'], {}],
    ['standard output in a file', [], { isRedirected: true }],
    ['CI or TERM=dumb', [], { isAnimated: false }],
    ['standard input in a pipe', [], { stdin: '' }],
  ])('is not asked with %s', async (_, more, world) => {
    const { line } = await inPipe(severalNames);
    const typed = 'stdin' in world ? {} : { typed: [keys.enter] };
    const { exit, stderr } = await run([...line, ...more], { ...terminal, ...typed, ...world });
    expect(exit).toBe(2);
    expect(stderr).not.toMatch(/\u001b|Running/);
    expect(stderr).toContain('--map name=Firma');
  });

  it('shows text of a file without its control characters', async () => {
    const { line } = await inPipe({
      files: { 'list.csv': '"Com\u001b[2Jpany",Land\nAcme\u202e AG,DE\n' },
      argv: ['sync', 'list.csv', '--sandbox', '--dry-run', '--map', 'name=', '--no-color'],
    });
    const { stderr } = await run(line, { ...terminal, typed: [keys.enter] });
    expect(stderr).not.toMatch(/\u001b\[2J|\u202e/);
    expect(withoutEscapes(stderr)).toMatch(/^Running: .* --map name=#\d$/m);
  });
});

describe('the question before organizations are registered', () => {
  const files = { 'list.csv': 'name,hq_region\nAcme AG,DE\nBorealis GmbH,AT\n' };
  const record = { json: { id: 1, name: 'Acme AG', status: 'synced' } };

  async function ask(more: readonly string[], typed: readonly string[], world: World = {}) {
    const { env, url, seen } = await serve(record);
    const { line } = await inPipe({ files, argv: ['batch', 'list.csv', ...more] });
    const outcome = await run(line, { ...terminal, env, typed, ...world });
    return { ...outcome, host: new URL(url).host, seen: seen.length, line, env };
  }

  it.each([
    ['Enter', keys.enter, 2],
    ['n', 'n', 2],
    ['Esc', keys.escape, 2],
    ['Ctrl-D', '\u0004', 2],
    ['Ctrl-C', '\u0003', 130],
  ])('sends nothing after %s', async (_, typed, code) => {
    const { exit, stderr, host, seen } = await ask([], [typed]);
    expect([exit, seen]).toEqual([code, 0]);
    const shown = withoutEscapes(stderr);
    expect(shown).toContain('Checked 2 rows: 2 new\n');
    expect(shown).toContain(
      `Register 2 new organizations at ${host}? It uses quota and cannot be undone. (y/N)`,
    );
    expect(shown.includes('Nothing was sent.\n')).toBe(code === 2);
    expect(shown).not.toMatch(/Error|Hint/);
  });

  it('leaves no file after a no to the first carbon sync', async () => {
    const { env } = await serve(record);
    const { folder, line } = await inPipe({ files, argv: ['check', 'list.csv'] });
    const { exit } = await run(['sync', ...line.slice(1)], { ...terminal, env, typed: ['n'] });
    expect([exit, readdirSync(folder)]).toEqual([2, ['list.csv']]);
  });

  it('registers after y, and then asks no more because no row is new', async () => {
    const { exit, seen, line, env } = await ask([], ['y']);
    expect([exit, seen]).toEqual([0, 2]);
    const again = await run(line, { ...terminal, env, typed: [] });
    expect(again.exit).toBe(0);
    expect(again.stderr).not.toContain('Register');
  });

  it.each<[string, string[], World]>([
    ['--yes', ['--yes'], {}],
    ['--sandbox', ['--sandbox'], {}],
    ['--max-new 0', ['--max-new', '0'], {}],
    ['--no-progress', ['--no-progress'], {}],
    ['a pipe', [], { isAnimated: false }],
  ])('is not asked with %s', async (_, more, world) => {
    const [command, ...others] = more.includes('--max-new')
      ? ['sync', ...more]
      : ['batch', ...more];
    const { env } = await serve(record);
    const { line } = await inPipe({ files, argv: [command ?? '', 'list.csv', ...others] });
    const { stderr } = await run(line, { ...terminal, env, typed: [keys.enter], ...world });
    expect(stderr).not.toContain('Register ');
    expect(stderr).not.toContain('Nothing was sent.');
  });

  it('counts no more than --max-new, and is no answer to another question', async () => {
    const { env } = await serve(record);
    const sync = await inPipe({ files, argv: ['sync', 'list.csv', '--max-new', '1'] });
    const { stderr } = await run(sync.line, { ...terminal, env, typed: [keys.enter] });
    expect(stderr).toContain('Register 1 new organization at');
    const { line } = await inPipe(severalNames);
    const other = await run([...line, '--yes'], { ...terminal, typed: [keys.escape] });
    expect(other.exit).toBe(2);
    expect(other.stderr).toContain('Which column');
  });
});
