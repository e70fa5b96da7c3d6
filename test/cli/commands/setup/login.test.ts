import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run, transcript } from '../../../support/run.ts';
import { type Reply, serve, notFound0 as unknown } from '../../../support/server.ts';

const key = 'canary-key-4711';
const nothingServed = 'Check the base URL with `carbon whoami`: a path such as /v1';

function stored(home: string): unknown {
  return JSON.parse(readFileSync(join(home, '.config/carbon/config.json'), 'utf8'));
}

async function loggedIn(url: string, ...more: string[]): Promise<string> {
  const home = newFolder();
  const { exit } = await run(['login', '--base-url', url, '--with-key', ...more], {
    home,
    stdin: `${key}\n`,
  });
  expect(exit).toBe(0);
  return home;
}

describe('carbon login', () => {
  it('stores a key that the service accepts, for its owner only, and shows it nowhere', async () => {
    const { url, seen } = await serve(unknown);
    const home = newFolder();
    const outcome = await run(['login', '--base-url', `${url}/`, '--with-key', '--debug'], {
      home,
      stdin: ` \r\n${key}\r\n\r\n`,
    });
    expect(outcome.exit).toBe(0);
    expect(outcome.stdout).toContain(`Logged in to ${url} as profile default.`);
    expect(JSON.stringify(outcome)).not.toContain(key);
    expect(seen).toMatchObject([
      { path: '/organizations/0', headers: { authorization: `Bearer ${key}` } },
    ]);
    expect(stored(home)).toEqual({
      version: 1,
      profiles: { default: { baseUrl: url, apiKey: key } },
    });
    expect(statSync(join(home, '.config/carbon')).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, '.config/carbon/config.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, '.config/carbon'))).toEqual(['config.json']);
  });

  it('prompts for the address and the key', async () => {
    const { url } = await serve(unknown);
    const home = newFolder();
    const typed = [`${url}\r`, `${key}\r`];
    const { exit, stderr } = await run(['login'], { home, terminal: 80, typed });
    expect(exit).toBe(0);
    expect(stderr).toMatch(/Base URL of the service \(https:\/\/\.\.\.\)[\s\S]*API key for http:/);
    expect(stderr).not.toContain('canary');
    expect(stored(home)).toMatchObject({ profiles: { default: { baseUrl: url, apiKey: key } } });
  });

  it('shows nothing of the key in a terminal without escape sequences', async () => {
    const { url } = await serve(unknown);
    const home = newFolder();
    const world = { home, terminal: 80, env: { TERM: 'dumb' }, typed: [`${key}\r`] };
    const { exit, stderr } = await run(['login', '--base-url', url], world);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/API key for/);
    expect(stderr).not.toMatch(/canary|\u001b|\u25aa/);
    expect(stored(home)).toMatchObject({ profiles: { default: { baseUrl: url, apiKey: key } } });
  });

  it.each([
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 2],
    ['Esc', '\u001b', 2],
  ])('stores nothing after %s', async (_, pressed, code) => {
    const home = newFolder();
    const world = { home, terminal: 80, typed: [`typed${pressed}`] };
    const { exit } = await run(['login', '--base-url', 'https://a.example'], world);
    expect(exit).toBe(code);
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([401, 403])('stores nothing when the service responds with %d', async (status) => {
    const { url } = await serve(unknown, { status, json: { status, title: 'No', detail: 'Bad.' } });
    const home = await loggedIn(url);
    const before = stored(home);
    const login = ['login', '--base-url', url, '--with-key'];
    const { exit, stderr } = await run(login, { home, stdin: 'wrong-key' });
    expect([exit, stored(home)]).toEqual([4, before]);
    expect(stderr).toContain('Bad');
    expect(stderr).toContain(
      'Hint: Nothing was stored; profile default is unchanged. Copy the whole key again',
    );
  });

  it('warns when it stores a key that it could not check', async () => {
    const { url } = await serve({
      status: 500,
      json: { status: 500, title: 'Down', detail: 'Later.' },
    });
    const home = newFolder();
    const login = ['login', '--base-url', url, '--with-key'];
    const shown = await transcript(login, { home, stdin: key });
    expect(shown.replaceAll(url, '<url>').replaceAll(home, '<home>')).toMatchInlineSnapshot(`
      "Stored, but not checked: <url> as profile default. The API key is in <home>/.config/carbon/config.json
      --- stderr
      Warning: Stored the API key, but could not check it: The service at <url> failed (500 Down): Later. Try again later. It is safe to repeat the same command.
      --- exit 0"
    `);
    expect(JSON.parse((await run([...login, '--json'], { home, stdin: key })).stdout).checked).toBe(
      false,
    );
    expect(stored(home)).toMatchObject({ profiles: { default: { baseUrl: url, apiKey: key } } });
  });

  it.each<[string, Reply, string]>([
    ['the 404 of a web server', { status: 404, text: '<html>' }, nothingServed],
    ['the 404 of another id', { status: 404, json: { ...unknown.json, id: '1' } }, nothingServed],
  ])('does not report a checked key after %s', async (_, reply, expected) => {
    const { url } = await serve(reply);
    const home = newFolder();
    const { exit, stdout, stderr } = await run(['login', '--base-url', url, '--with-key'], {
      home,
      stdin: key,
    });
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^Stored, but not checked: /)]);
    expect(stderr).toMatch(/^Warning: Stored the API key, but could not check it: /);
    expect(stderr).toContain(expected);
    expect(stored(home)).toMatchObject({ profiles: { default: { baseUrl: url, apiKey: key } } });
  });

  it('accepts a record of organization 0 as a sign that it read the key', async () => {
    const { url } = await serve({ json: { id: '0', name: 'Acme AG' } });
    const { stdout } = await run(['login', '--base-url', url, '--with-key'], { stdin: key });
    expect(stdout).toMatch(/^Logged in to /);
  });

  it.each([
    ['nothing', '', 'standard input: the API key is empty'],
    ['a key with a tab in it', 'canary\tcd', 'contains invalid characters'],
    ['a key in quotes', '"canary-1"\n', 'standard input: remove the quotes around the value'],
    ['two lines', 'canary-1\ncanary-2\n', 'Standard input has 2 lines, but an API key is one'],
  ])('refuses %s as a key, and stores nothing', async (_, stdin, expected) => {
    const home = newFolder();
    const login = ['login', '--base-url', 'https://a.example', '--with-key'];
    const { exit, stderr } = await run(login, { home, stdin });
    expect([exit, readdirSync(home)]).toEqual([2, []]);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain('canary');
  });

  it.each([
    ['http://api.example.com', 'uses plain http'],
    [
      'api.example.com',
      'does not start with https://\nHint: Did you mean https://api.example.com?\n',
    ],
    ['api.example.com/v1', '\nHint: Did you mean https://api.example.com/v1?'],
    ['127.0.0.1:9300', '\nHint: Did you mean http://127.0.0.1:9300?\n'],
    ['localhost:8787', '\nHint: Did you mean http://localhost:8787?\n'],
    ['api.example.com?key=secret', 'does not start with https://\n'],
    ['eyJhbG.secret.Sig', 'does not start with https://\n'],
    ['"https://api.example.com"', 'remove the quotes around the value'],
    ['https://user:secret@api.example.com', 'must not contain a user name, a password'],
    ['https://api.example.com/?a=1', 'must not have a query'],
  ])('refuses the address %s', async (url, expected) => {
    const { exit, stderr } = await run(['login', '--base-url', url, '--with-key'], {
      stdin: key,
    });
    expect(exit).toBe(2);
    expect(stderr).toContain(expected);
  });
});

describe('a stored key', () => {
  it('is used automatically, and never sent to another origin', async () => {
    const { url, seen } = await serve(unknown, { json: { id: 1 } });
    const home = await loggedIn(url);
    expect((await run(['get', '1', '--json'], { home })).stdout).toBe('{"id":1}\n');
    expect(seen[1]?.headers.authorization).toBe(`Bearer ${key}`);

    const other = await serve({ json: { id: 1 } });
    const { exit, stderr } = await run(['get', '1', '--base-url', other.url], { home });
    expect(exit).toBe(4);
    expect(stderr).toContain(`was stored for ${url} and is not sent to ${other.url}`);
    expect(other.seen).toEqual([]);
  });

  it('is not sent anywhere when no address was stored with it', async () => {
    const home = newFolder();
    mkdirSync(join(home, '.config/carbon'), { recursive: true });
    const profiles = { default: { apiKey: key } };
    writeFileSync(
      join(home, '.config/carbon/config.json'),
      JSON.stringify({ version: 1, profiles }),
    );
    const { url, seen } = await serve({ json: { id: 1 } });
    expect((await run(['get', '1', '--base-url', url], { home })).exit).toBe(4);
    expect(seen).toEqual([]);
  });

  it('is overridden by the environment, which needs no file', async () => {
    const { url, seen } = await serve({ json: { id: 1 } });
    const home = newFolder();
    mkdirSync(join(home, '.config/carbon'), { recursive: true });
    writeFileSync(join(home, '.config/carbon/config.json'), 'broken');
    const env = { CARBON_API_KEY: 'env-key', CARBON_BASE_URL: url };
    const withProfile = { ...env, CARBON_PROFILE: 'acme' };
    expect((await run(['get', '1', '-q'], { home, env })).stdout).toBe('1\n');
    expect((await run(['get', '1', '-q'], { home, env: withProfile })).stdout).toBe('1\n');
    expect(readdirSync(home, { recursive: true })).toHaveLength(3);
    expect(seen[0]?.headers.authorization).toBe('Bearer env-key');
    const { exit, stderr } = await run(['get', '1', '-q'], { home });
    expect(exit).toBe(1);
    expect(stderr).toContain('is not JSON');
  });

  it('is read with a warning from a directory that others may change, until the next login', async () => {
    const { url } = await serve(unknown);
    const home = await loggedIn(url);
    const folder = join(home, '.config/carbon');
    const warning = `Warning: Other users can read or change ${folder}. \`carbon login\` makes it private; check the stored profiles with \`carbon whoami\`.\n`;
    for (const mode of [0o777, 0o770, 0o702]) {
      chmodSync(folder, mode);
      expect(await run(['whoami'], { home })).toMatchObject({ exit: 0, stderr: warning });
    }
    expect(statSync(folder).mode & 0o777).toBe(0o702);
    const login = await run(['login', '--base-url', url, '--with-key'], { home, stdin: key });
    expect(login).toMatchObject({ exit: 0, stderr: warning });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect((await run(['whoami'], { home })).stderr).toBe('');
  });

  it('is not read through a symbolic link', async () => {
    const { url } = await serve(unknown);
    const real = await loggedIn(url);
    const home = newFolder();
    mkdirSync(join(home, '.config'));
    symlinkSync(join(real, '.config/carbon'), join(home, '.config/carbon'));
    const { exit, stderr } = await run(['whoami'], { home });
    expect(exit).toBe(1);
    expect(stderr).toContain(': it is a symbolic link');
  });
});

describe('an empty value', () => {
  it.each([
    [['--profile=', 'whoami'], '--profile is empty'],
    [['register', '--name', 'A', '--website', ''], '--website is empty'],
  ])('of a flag is refused: %j', async (argv, expected) => {
    const { exit, stderr } = await run(argv, { env: { CARBON_PROFILE: '' } });
    expect(exit).toBe(2);
    expect(stderr).toContain(expected);
  });

  it('of a variable counts as unset', async () => {
    const { exit, stdout } = await run(['whoami', '--json'], {
      env: { CARBON_PROFILE: '', CARBON_BASE_URL: '' },
    });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      profile: { from: 'default' },
      base_url: { value: null },
    });
  });
});

describe('carbon logout', () => {
  it('removes the profile and its key', async () => {
    const { url } = await serve(unknown);
    const home = await loggedIn(url);
    const logout = () => run(['logout'], { home });
    expect((await logout()).stdout).toBe('Removed profile default and its API key\n');
    expect((await logout()).stdout).toBe('No stored profile is named default\n');
    expect(stored(home)).toEqual({ version: 1, profiles: {} });
  });
});

describe('carbon whoami', () => {
  it('shows every setting with its source and not the key', async () => {
    const { url } = await serve(unknown);
    const home = await loggedIn(url, '--profile', 'acme');
    const shown = await transcript(['whoami', '--profile', 'acme'], {
      home,
      env: { CARBON_CURRENCY: 'eur' },
    });
    expect(shown.replaceAll(url, '<url>').replaceAll(home, '<home>')).toMatchInlineSnapshot(`
      "Profile: acme (--profile)
      Base URL: <url> (profile acme)
      API key: set, sent only to <url> (profile acme)
      Currency: EUR (CARBON_CURRENCY)
      HTTP timeout: 30 s (default)
      Proxy: none
      Stored profiles: acme
      Configuration file: <home>/.config/carbon/config.json
      Sandbox directory: <home>/.local/share/carbon
      --- exit 0"
    `);
    expect(shown).not.toContain(key);
  });

  it('works without settings, and lists the stored profiles', async () => {
    expect((await run(['whoami'])).exit).toBe(0);
    const { url } = await serve(unknown);
    const home = await loggedIn(url, '--profile', 'acme');
    const { exit, stderr } = await run(['whoami', '--profile', 'acmee'], { home });
    expect(exit).toBe(2);
    expect(stderr).toContain('Stored profiles: acme.');
  });
});
