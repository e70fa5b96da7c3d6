/* Which files the executable leaves in a directory, and in which order it syncs them. */
import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isRoot, mountDisk } from '../support/disk.ts';
import { carbonProgram, execute, isOpenToOthers, preload } from '../support/executable.ts';
import { newFolder, run } from '../support/run.ts';
import { serve, notFound0 as unknown } from '../support/server.ts';

async function startRefusing() {
  const { url } = await serve({
    status: 422,
    json: { status: 422, title: 'Unprocessable', detail: 'No.' },
  });
  const home = newFolder();
  writeFileSync(join(home, 's.csv'), 'name\nAcme\nGlobex\n');
  const env = { HOME: home, CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
  return { home, env };
}

it('a killed batch leaves no partial file of results', async () => {
  const { home, env } = await startRefusing();
  const killed = await execute(['batch', 's.csv', '-o', 'r.csv', '--overwrite'], {
    env: { ...env, KILL_AT: 'rename r.csv', NODE_OPTIONS: preload('kill-at.cjs') },
  });
  expect(killed.signal).toBe('SIGKILL');
  expect(readdirSync(home)).not.toContain('r.csv');
  expect((await execute(['batch', 's.csv', '-o', 'r.csv'], { env })).exit).toBe(9);
  expect(readdirSync(home)).toContain('r.csv');
});

it('a killed login leaves the stored profiles, and logout removes its copies of the key', async () => {
  const { url } = await serve(unknown);
  const home = newFolder();
  const folder = join(home, '.config/carbon');
  const config = join(folder, 'config.json');
  const login = ['login', '--base-url', url, '--with-key'];
  await run(login, { home, stdin: 'old-key' });
  const before = readFileSync(config, 'utf8');
  const env = {
    HOME: home,
    KILL_AT: 'renameSync config.json',
    NODE_OPTIONS: preload('kill-at.cjs'),
  };
  expect(await execute(login, { env, stdin: 'canary-key-4711\n' })).toMatchObject({
    signal: 'SIGKILL',
  });
  expect(readFileSync(config, 'utf8')).toBe(before);
  expect(readdirSync(folder)).toHaveLength(2);
  expect((await run(['logout', '--profile', 'none'], { home })).exit).toBe(0);
  expect(readdirSync(folder)).toEqual(['config.json']);
  expect((await run(login, { home, stdin: 'new-key' })).exit).toBe(0);
  expect(readFileSync(config, 'utf8')).toContain('new-key');
});

it.runIf(isRoot).for<[string, string, string]>([
  ['full', 'size=64k', 'no space left on device'],
  ['read-only', 'ro', 'read-only'],
])(
  'carbon report keeps the old page when the disk is %s (runs where tests can mount a disk)',
  async ([, options, says], test) => {
    const folder = mountDisk(options);
    if (folder === undefined) return test.skip('this container may not mount a tmpfs');
    const home = newFolder();
    const records = Array.from(
      { length: 1_500 },
      (_, id) => `{"id":${id},"name":"Supplier ${id}"}`,
    );
    writeFileSync(join(home, 'r.ndjson'), records.join('\n'));
    const out = join(folder, 'p.html');
    if (options !== 'ro') writeFileSync(out, '<meta name="generator" content="carbon">');
    const words = ['report', join(home, 'r.ndjson'), '-o', out, '--overwrite'];
    const { exit, stderr } = await execute(words, { env: { HOME: home } });
    expect([exit, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr.match(/^Error: /gm)).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(options === 'ro' ? [] : ['p.html']);
  },
);

it.skipIf(process.platform === 'win32')(
  'a killed batch leaves no copy of standard input (skipped on Windows, which keeps open files)',
  async () => {
    const { home, env } = await startRefusing();
    const temporary = newFolder();
    const words = ['batch', '-', '--keep', '.'];
    const [file, ...first] = carbonProgram;
    const child = spawn(file, [...first, ...words], {
      env: { ...env, TMPDIR: temporary },
      cwd: home,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
    child.stdin.on('error', () => undefined);
    // This is more than the pipe buffers, so the process has copied most of it after the write.
    await new Promise((resolve) => child.stdin.write(`name\n${'Acme\n'.repeat(200_000)}`, resolve));
    child.kill('SIGKILL');
    expect([await ended, readdirSync(temporary)]).toEqual(['SIGKILL', []]);
  },
);

it('carbon batch syncs its journal, the results and their directories', async () => {
  const { home, env } = await startRefusing();
  const log = join(newFolder(), 'calls');
  const { exit } = await execute(['batch', 's.csv', '-o', 'r.csv', '--overwrite'], {
    env: { ...env, FILE_CALLS: log, NODE_OPTIONS: preload('file-calls.cjs') },
  });
  expect(exit).toBe(9);
  const text = readFileSync(log, 'utf8').replace(/\.carbon-[\w-]+/g, '<aside>');
  const calls = text.replaceAll(`${home}/`, './').replaceAll(home, '.').split('\n');
  // First the journal and its directory in any order, at the end the results and their directory.
  expect(calls.slice(0, 2).sort()).toEqual(['sync .', 'sync s.csv.carbon.jsonl']);
  expect(calls.slice(-4)).toEqual(['sync ./<aside>', 'rename ./<aside> r.csv', 'sync .', '']);
});

/* Root may write everywhere, so another user runs the command. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined;
const asUser = it.skipIf(uid !== undefined && !isOpenToOthers());
const skipped = '(skipped for root if other users cannot read the executable)';

asUser(`carbon batch --keep writes nothing next to the list ${skipped}`, async () => {
  const { home, env } = await startRefusing();
  const journals = newFolder();
  chmodSync(home, 0o555);
  chmodSync(journals, 0o777);
  const words = ['batch', 's.csv', '--keep', journals];
  for (const found of ['2 rejected', 'rejected earlier']) {
    const { exit, stderr } = await execute(words, { env, cwd: home, uid });
    expect([exit, stderr]).toEqual([9, expect.stringContaining(found)]);
  }
  expect(readdirSync(home)).toEqual(['s.csv']);
});

asUser(`carbon get reports a read-only directory before the first request ${skipped}`, async () => {
  const { env, seen } = await serve({ json: { id: 1, status: 'synced' } });
  const folder = newFolder();
  chmodSync(folder, 0o555);
  const out = join(folder, 'records.xlsx');
  const { exit, stderr } = await execute(['get', '1', '--out', out], { env, uid });
  expect([exit, stderr, seen.length]).toEqual([
    1,
    expect.stringContaining(`Cannot write ${out}: permission denied`),
    0,
  ]);
});
