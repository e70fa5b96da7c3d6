import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRoot, mountDisk } from '../support/disk.ts';
import { execute, isOpenToOthers, preload } from '../support/executable.ts';
import { newFolder, run } from '../support/run.ts';
import { serve, notFound0 as unknown } from '../support/server.ts';

const fileCalls = { NODE_OPTIONS: preload('file-calls.cjs') };

async function startRefusing() {
  const refusal = { status: 422, title: 'Unprocessable', detail: 'No.' };
  const { env } = await serve({ status: 422, json: refusal });
  const home = newFolder();
  writeFileSync(join(home, 's.csv'), 'name\nAcme\nGlobex\n');
  return { home, env: { ...env, HOME: home } };
}

it('carbon batch syncs its journal, the results and their directories, and a kill leaves no part of them', {
  tags: ['long'],
}, async () => {
  const { home, env } = await startRefusing();
  const log = join(newFolder(), 'calls');
  const words = ['batch', 's.csv', '-o', 'r.csv', '--overwrite'];
  const batch = (more: Record<string, string>) =>
    execute(words, { env: { ...env, ...fileCalls, FILE_CALLS: log, ...more } });
  expect(await batch({ KILL_AT: 'renameSync r.csv' })).toMatchObject({ signal: 'SIGKILL' });
  expect(readdirSync(home)).not.toContain('r.csv');
  expect(await batch({})).toMatchObject({ exit: 9 });
  expect(readdirSync(home)).toContain('r.csv');
  const text = readFileSync(log, 'utf8').replace(/\.carbon-[\w-]+/g, '<aside>');
  const calls = text.replaceAll(`${home}/`, './').replaceAll(home, '.').split('\n');
  // First the journal and its directory in any order, at the end the results and their directory.
  expect(calls.slice(0, 2).sort()).toEqual(['sync .', 'sync s.csv.carbon.jsonl']);
  expect(calls.slice(-4)).toEqual(['sync ./<aside>', 'rename ./<aside> r.csv', 'sync .', '']);
});

it('a killed login leaves the stored profiles, and logout removes its copies of the key', {
  tags: ['long'],
}, async () => {
  const { url } = await serve(unknown);
  const home = newFolder();
  const folder = join(home, '.config/carbon');
  const config = join(folder, 'config.json');
  const login = ['login', '--base-url', url, '--with-key'];
  await run(login, { home, stdin: 'old-key' });
  const before = readFileSync(config, 'utf8');
  const env = { HOME: home, KILL_AT: 'renameSync config.json', ...fileCalls };
  const killed = await execute(login, { env, stdin: 'canary-key-4711\n' });
  expect(killed).toMatchObject({ signal: 'SIGKILL' });
  expect(readFileSync(config, 'utf8')).toBe(before);
  const left = readdirSync(folder).map((name) => name.replace(/(?<=tmp-).*/, '*'));
  expect(left.sort()).toEqual(['config.json', 'config.json.lock', 'config.json.tmp-*']);
  expect((await run(['logout', '--profile', 'none'], { home })).exit).toBe(0);
  expect(readdirSync(folder)).toEqual(['config.json']);
  expect((await run(login, { home, stdin: 'new-key' })).exit).toBe(0);
  expect(readFileSync(config, 'utf8')).toContain('new-key');
});

it.runIf(isRoot)(
  'carbon report keeps the old page when the disk is full (runs where tests can mount a disk)',
  async (test) => {
    const folder = mountDisk('size=64k');
    if (folder === undefined) return test.skip('this container may not mount a tmpfs');
    const home = newFolder();
    const lines = Array.from({ length: 1_500 }, (_, id) => `{"id":${id},"name":"Supplier ${id}"}`);
    writeFileSync(join(home, 'r.ndjson'), lines.join('\n'));
    const out = join(folder, 'p.html');
    writeFileSync(out, 'the old page');
    const words = ['report', join(home, 'r.ndjson'), '-o', out, '--overwrite'];
    const { exit, stderr } = await run(words);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('no space left on device')]);
    expect(stderr.match(/^Error: /gm)).toHaveLength(1);
    expect([readdirSync(folder), readFileSync(out, 'utf8')]).toEqual([['p.html'], 'the old page']);
  },
);

/* Root may write everywhere, so another user runs the command. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined;
const asUser = it.skipIf(uid !== undefined && !isOpenToOthers());
const skipped = '(skipped for root if other users cannot read the executable)';

asUser(`carbon get reports a read-only directory before the first request ${skipped}`, async () => {
  const { env, seen } = await serve({ json: { id: 1, status: 'synced' } });
  const folder = newFolder();
  chmodSync(folder, 0o555);
  const out = join(folder, 'records.xlsx');
  const { exit, stderr } = await execute(['get', '1', '--out', out], { env, uid });
  const error = `Cannot write ${out}: permission denied`;
  expect([exit, stderr, seen.length]).toEqual([1, expect.stringContaining(error), 0]);
});
