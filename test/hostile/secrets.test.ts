/*
 * The API key never leaves the process in output or files, even if the service, a file or a crash
 * repeats it.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/client/api/redact.ts';
import { VirtualClock } from '../support/clock.ts';
import { start } from '../support/executable.ts';
import { newFolder, type Outcome, run } from '../support/run.ts';
import { runs } from '../support/seed.ts';
import { type Reply, serve } from '../support/server.ts';

/* All characters that a key may contain, in an order that no message has. */
const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(126 - index)).join('');
const keyOf = (length: number) => `~^Q7${visible}${visible}zZ`.slice(0, length);
/* Lengths around 8, below which carbon replaces only complete words, and around a line. */
const lengths = [1, 7, 8, 200];
const lowerPercent = (text: string) =>
  encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase());

const textsOf = ({ stdout, stderr }: Outcome) => [stdout, stderr];

function expectHidden(key: string, texts: readonly string[]): void {
  const escaped = JSON.stringify(key).slice(1, -1);
  const forms = [key, escaped, encodeURIComponent(key), lowerPercent(key)];
  for (const text of texts) {
    // carbon may break a line within the key.
    const written = text.replace(/\n */g, '');
    for (const form of forms) expect(written).not.toContain(form);
  }
}

/* Reads all files of a directory except the configuration file, which stores the key. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('config.json') && statSync(join(folder, name)).isFile())
    .map((name) => name + readFileSync(join(folder, name), 'utf8'));
}

describe('carbon never', () => {
  it.each(lengths)('prints or stores a key of %d characters', async (length) => {
    const key = keyOf(length);
    const detail = `The key ${key} is unknown.`;
    const echo = (status: number) => ({ status, json: { status, title: key, detail } });
    const unknown: Reply = (response, { url = '' }) => {
      response.statusCode = 404;
      response.end(JSON.stringify({ ...echo(404).json, id: url.slice(url.lastIndexOf('/') + 1) }));
    };
    const location = `https://else.example/?key=${lowerPercent(key)}`;
    const home = newFolder();
    const keyFile = join(newFolder(), 'key');
    writeFileSync(keyFile, key, { mode: 0o600 });
    const source: Record<string, string> =
      length < 8 ? { CARBON_API_KEY: key } : { CARBON_API_KEY_FILE: keyFile };
    const csv = join(home, 'suppliers.csv');
    writeFileSync(csv, 'name\nAcme\nGlobex\n');
    const outcomes: Outcome[] = [];
    const against = async (reply: Reply, ...argv: string[]) => {
      const { env: service } = await serve(reply);
      const env = { CARBON_BASE_URL: service.CARBON_BASE_URL, ...source };
      const runAgain = async () => outcomes.push(await run([...argv, '--debug'], { env, home }));
      await runAgain();
      return runAgain;
    };
    await against(echo(401), 'login', '--with-key');
    await against(unknown, 'get', '1', '2', '--json');
    await against(echo(500), 'watch', '1', '--json', '--timeout', '5m');
    await against({ status: 302, text: '', headers: { location } }, 'register', '--name', 'Acme');
    await against({ text: `"${key}"` }, 'get', '1');
    await against({ json: { status: 500, detail } }, 'get', '1');
    const runAgain = await against(echo(422), 'batch', csv, '--json');
    // Prints what the journal has.
    await runAgain();
    expectHidden(key, [...outcomes.flatMap(textsOf), ...filesIn(home)]);
    expect(outcomes.map(({ exit }) => exit)).toEqual([2, 5, 6, 6, 6, 6, 9, 9]);
  });
});

it('carbon never prints a stored key when the configuration file is broken', async () => {
  const key = keyOf(24);
  const home = newFolder();
  const { url } = await serve({ status: 404, json: { status: 404, title: key, detail: key } });
  const login = await run(['login', '--base-url', url, '--with-key', '--debug'], {
    home,
    stdin: `${key}\n`,
  });
  expect(login.exit).toBe(0);
  const config = join(home, '.config/carbon/config.json');
  const valid = readFileSync(config, 'utf8');
  expect(JSON.parse(valid).profiles.default.apiKey).toBe(key);
  const outcomes = [login];
  const broken = [valid, valid.slice(0, -3), valid.replace('"apiKey"', 'apiKey'), `{"${key}`];
  for (const text of broken) {
    writeFileSync(config, text, { mode: 0o600 });
    for (const words of [['whoami'], ['whoami', '--json'], ['get', '1']])
      outcomes.push(await run([...words, '--debug'], { home, terminal: 60 }));
  }
  expectHidden(key, outcomes.flatMap(textsOf));
});

describe('carbon does not repeat a key or a password', () => {
  it.each([
    'login --api-key=canary-77',
    'get 1 --token=canary-77',
    'login -kcanary-77',
    'login canary-77',
    'login --with-key canary-77',
    'login --with-key=canary-77',
    'CARBON_API_KEY=canary-77 get 1',
    'get https://user:canary-77@host.example/organizations/1',
    'batch https://user:canary-77@host.example/suppliers.csv',
    'register --name A --field https://user:canary-77@host.example',
  ])('in the arguments %s', async (words) => {
    const { stdout, stderr } = await run([...words.split(' '), '--debug']);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('canary');
  });

  const addresses = [
    'https://user:canary-77@host example',
    'ftp://user:canary-77@host.example',
    'https://canary-77@host.example',
    'user:canary-77%40host.example',
    'user%3Acanary-77%40host.example',
    '//user:canary-77@host.example',
    'https:\\\\user:canary-77@host.example',
    'https://user:canary-77%40host.example',
    'https://user:77/canary-77@host.example',
    'https://user:ca?nary:canary-77@host.example',
    'https://host.example/?key=canary-77',
    'https://host.example/#canary-77',
    'http://host.example/?key=canary-77',
    'host.example?key=canary-77',
    'canary-77',
  ];

  it.each(addresses)('in the base URL %s', async (url) => {
    const home = newFolder();
    mkdirSync(join(home, '.config/carbon'), { recursive: true });
    const profiles = { default: { baseUrl: url, apiKey: 'k' } };
    writeFileSync(
      join(home, '.config/carbon/config.json'),
      JSON.stringify({ version: 1, profiles }),
    );
    const { env: good } = await serve({ json: { id: 1 } });
    const worlds = [
      [['login', '--with-key', '--base-url', url], {}],
      [['get', '1'], { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' }],
      [['whoami', '--json'], {}],
      [['get', '1'], {}],
      // carbon sends the key of a profile only to the base URL of the profile.
      [['get', '1', '--base-url', good.CARBON_BASE_URL], {}],
    ] as const;
    for (const [words, env] of worlds) {
      const { stdout, stderr } = await run([...words, '--debug'], { home, env, stdin: 'k' });
      expect(stdout + stderr).not.toContain('canary');
    }
  });

  it.each(addresses.slice(0, -6).map((address) => address.replace('host.example', '127.0.0.1:1')))(
    'in the proxy %s',
    async (proxy) => {
      const env = { CARBON_API_KEY: 'k', CARBON_BASE_URL: 'https://carbon.example' };
      for (const words of [['get', '1'], ['whoami'], ['whoami', '--json']]) {
        const world = { env: { ...env, HTTPS_PROXY: proxy } };
        const { exit, stdout, stderr } = await run([...words, '--debug'], world);
        expect(stdout + stderr).not.toMatch(/canary|bug/);
        if (words[0] === 'get') expect([2, 6]).toContain(exit);
      }
    },
  );
});

it('carbon hides the key in the output of a bug', async () => {
  const key = 'canary-key-4711';
  const clock = new VirtualClock();
  clock.now = () => {
    throw new TypeError(`broken ${key}`);
  };
  const env = { ...(await serve({ json: { id: 1 } })).env, CARBON_API_KEY: key };
  const { exit, stdout, stderr } = await run(['get', '1', '--json', '--debug'], { env, clock });
  expect([exit, stderr]).toEqual([1, expect.stringContaining('Unexpected failure: broken [key]')]);
  expect(stdout + stderr).not.toContain(key);
});

const namedForms: Readonly<Record<string, string>> = {
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
  '&': 'amp',
  '"': 'quot',
  '<': 'lt',
};

/* Returns all forms of a character in JSON, URLs and HTML. */
function formsOf(character: string): string[] {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  const cases = [hex, hex.toUpperCase()];
  const html = [
    ...['', '0', '0000'].map((zeros) => `#${zeros}${code}`),
    ...cases.flatMap((digits) => [`#x${digits}`, `#X00${digits}`]),
    ...(namedForms[character] === undefined ? [] : [namedForms[character]]),
  ];
  return [
    ...html.flatMap((form) => [`&${form};`, `&amp;${form};`]),
    ...cases.flatMap((digits) => [`\\u00${digits}`, `%${digits}`, `%25${digits}`]),
    JSON.stringify(character).slice(1, -1),
    character === '/' ? '\\/' : character,
  ];
}

it('redact hides a key in any mix of JSON, URL and HTML forms', {
  tags: ['property'],
}, () => {
  const character = fc.oneof(fc.constantFrom(...'+/=&"<%\\'), fc.constantFrom(...visible));
  const written = character.chain((one) =>
    fc.tuple(fc.constant(one), fc.constantFrom(...formsOf(one))),
  );
  fc.assert(
    fc.property(fc.array(written, { minLength: 8, maxLength: 20 }), (parts) => {
      const key = parts.map(([one]) => one).join('');
      const text = parts.map(([, form]) => form).join('');
      expect(createRedactor(key)(`x ${text} y`)).toBe('x [key] y');
    }),
    { numRuns: runs(2_000) },
  );
});

it('redact hides short secrets only as separate words, and long ones in linear time', () => {
  expect(createRedactor('key1')('key1 mykey1 key12 "key1"')).toBe('[key] mykey1 key12 "[key]"');
  expect(createRedactor(' \n')('a b')).toBe('a b');
  const long = keyOf(190).repeat(300);
  expect(createRedactor(long)(`a ${long}b ${encodeURIComponent(long)}`)).toBe('a [key]b [key]');
});

it('carbon keeps the key of a key command out of its arguments, its output and its files', async () => {
  const { url } = await serve({ json: { id: 1, status: 'created' } });
  const key = 'canary-key-4711';
  const home = newFolder();
  const keyFile = join(home, 'key');
  writeFileSync(keyFile, `${key}\n`);
  const watching = start(['watch', '1', '--interval', '10m', '--debug'], {
    env: {
      HOME: home,
      CARBON_BASE_URL: url,
      PATH: process.env['PATH'] ?? '',
      CARBON_API_KEY_COMMAND: `sh -xc 'k=$(cat ${keyFile}); echo "$k"; echo "$k" >&2'`,
    },
  });
  await watching.seen('stderr', /created/);
  if (process.platform === 'linux') {
    for (const file of ['cmdline', 'environ'])
      expect(readFileSync(`/proc/${watching.child.pid}/${file}`, 'latin1')).not.toContain(key);
  }
  watching.child.kill('SIGTERM');
  const { stdout, stderr } = await watching.ended;
  expect(stdout + stderr).not.toContain(key);
  expect(stderr).toContain('\n[key]\n');
  writeFileSync(keyFile, '');
  expectHidden(key, filesIn(home));
});
