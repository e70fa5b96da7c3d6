/* Broken files, streams and settings: each causes one clear error at once, without data loss. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../support/run.ts';
import { serve } from '../support/server.ts';

const stored = (more = {}) =>
  JSON.stringify({
    version: 1,
    profiles: { default: { baseUrl: 'http://127.0.0.1:1', apiKey: 'k', ...more } },
  });

function configured(text: string): { home: string; config: string } {
  const home = newFolder();
  const config = join(home, '.config/carbon/config.json');
  mkdirSync(dirname(config), { recursive: true, mode: 0o700 });
  writeFileSync(config, text, { mode: 0o600 });
  return { home, config };
}

describe('carbon get, whoami, login and logout', () => {
  it.each([
    ['broken JSON', '{"version":1,', 'is not JSON: see line 1'],
    [
      'broken JSON in a later line',
      '{"version":1,\n"k": "v"\n"l": 1}\n',
      'is not JSON: see line 3',
    ],
    ['half of a file', '{"version":1,\n"profiles": {\n', 'is not JSON: see line 2'],
    ['null', 'null', 'does not have the format'],
    [
      'a profile that is text',
      '{"version":1,"profiles":{"default":"k"}}',
      'does not have the format',
    ],
    [
      'a key that is a number',
      stored({ apiKey: 12 }),
      'does not have the format of this version of carbon: see profiles.default.apiKey',
    ],
    ['a future version', '{"version":2,"profiles":{}}', 'does not have the format'],
    ['bytes', '\u0000\u0001\u0002', 'is not JSON'],
  ])('name the configuration file and keep it when it contains %s', async (_, text, reason) => {
    const { home, config } = configured(text);
    for (const words of [
      ['get', '1'],
      ['whoami'],
      ['logout'],
      ['login', '--base-url', 'http://127.0.0.1:1', '--with-key'],
    ]) {
      const { exit, stdout, stderr } = await run(words, { home, stdin: 'k' });
      expect([exit, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringContaining(`${config} ${reason}`),
      ]);
    }
    expect(readFileSync(config, 'utf8')).toBe(text);
  });

  it.each(['a directory', 'a pipe'])('fail when the configuration file is %s', async (kind) => {
    const { home, config } = configured(stored());
    rmSync(config);
    if (kind === 'a directory') mkdirSync(config);
    else execFileSync('mkfifo', [config]);
    for (const words of [['whoami'], ['login', '--base-url', 'http://127.0.0.1:1', '--with-key']]) {
      const { exit, stdout, stderr } = await run(words, { home, stdin: 'k' });
      expect([exit, stdout, stderr]).toEqual([1, '', expect.stringContaining(config)]);
    }
  });
});

describe('carbon batch', () => {
  it.each(['batch', 'journal'])('fails at once when a pipe is given as the %s', async (role) => {
    const home = newFolder();
    const pipe = join(home, 'pipe');
    const csv = join(home, 'suppliers.csv');
    execFileSync('mkfifo', [pipe, `${csv}.sandbox.carbon.jsonl`]);
    writeFileSync(csv, 'name\nAcme\n');
    const file = role === 'batch' ? pipe : csv;
    const { exit, stdout, stderr } = await run(['batch', file, '--sandbox'], { home });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/is a pipe or device|is not a carbon journal/);
  });
});

describe('carbon list', () => {
  it('fails at once when the records of a list are a pipe', async () => {
    const csv = join(newFolder(), 'suppliers.csv');
    writeFileSync(csv, 'name\nAcme\n');
    execFileSync('mkfifo', [`${csv}.records.ndjson`]);
    const { exit, stderr } = await run(['list', csv]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('records.ndjson is not a file')]);
  });
});

/* Names that broke other programs. */
const naughty = [
  ...['constructor', '__proto__', '-1', '--name', 'NaN', '{{7*7}}', '$(touch x)', '`id`', '1e999'],
  ...[
    "'; DROP TABLE organizations;--",
    '../../etc/passwd',
    '%s%n%x',
    '👩‍👩‍👧‍👦🏴‍☠️',
    'ﷺ'.repeat(50),
  ],
  ...['\ufeffAcme', 'A\u0000B', 'Acme\nname\nGlobex'],
];

describe('carbon register and batch', () => {
  it.each(naughty)('send the name %j unchanged from options, fields and files', async (given) => {
    // carbon trims names.
    const name = `Acme ${given.replaceAll('\0', '')} AG`;
    const { env, seen } = await serve({ json: { id: 1 } });
    const fields = ['--field', `__proto__=${name}`, '--field', `constructor=${name}`];
    expect((await run(['register', `--name=${name}`, ...fields, '-q'], { env })).exit).toBe(0);
    const body = JSON.parse(seen[0]?.body ?? '');
    expect(Object.entries(body)).toEqual(
      expect.arrayContaining([
        ['constructor', body.name],
        ['__proto__', body.name],
      ]),
    );
    expect(body.name.normalize('NFKC')).toContain('Acme');
    const path = join(newFolder(), 's.csv');
    writeFileSync(path, `name,__proto__,constructor\n"${name.replaceAll('"', '""')}",a,b\n`);
    const batch = await run(['batch', path, '-q'], { env });
    expect([batch.exit, batch.stdout]).toEqual([0, '1\n']);
    expect(Object.keys(JSON.parse(seen[1]?.body ?? ''))).toEqual(['name']);
  });
});
