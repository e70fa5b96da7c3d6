/*
 * After a killed `carbon login`, the next command does not wait and removes the copies of the key.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../support/clock.ts';
import { execute, preload } from '../support/executable.ts';
import { newFolder, run } from '../support/run.ts';
import { serve, notFound0 as unknown } from '../support/server.ts';

const key = 'canary-key-4711';

/** Kills a login just before a file system call; returns its home and configuration directory. */
async function killLogin(call: string, home = newFolder()) {
  const { url } = await serve(unknown);
  const env = { HOME: home, KILL_AT: call, NODE_OPTIONS: preload('kill-at.cjs') };
  const argv = ['login', '--profile', 'killed', '--base-url', url, '--with-key'];
  expect(await execute(argv, { env, stdin: `${key}\n` })).toMatchObject({ signal: 'SIGKILL' });
  const folder = join(home, '.config/carbon');
  return { home, folder, url };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const stages = {
  'before it wrote the new file': 'open /.carbon-',
  'before it renamed the new file': 'rename config.json',
};

// /proc shows which processes are alive.
describe.skipIf(!existsSync('/proc/self/stat'))('after a login was killed', () => {
  describe.each(Object.entries(stages))('%s', (_, call) => {
    it.each([
      ['logout', []],
      ['login', ['--base-url', 'https://a.example', '--profile', 'other']],
    ])('carbon %s removes its files without waiting', async (command, flags) => {
      const { home, folder, url } = await killLogin(call);
      expect(readdirSync(folder)).not.toEqual([]);
      const clock = new VirtualClock();
      const argv = command === 'login' ? [...flags, '--base-url', url, '--with-key'] : flags;
      const { exit, stderr } = await run([command, ...argv], { home, clock, stdin: 'other-key' });
      expect([exit, stderr]).toEqual([0, '']);
      expect(clock.elapsed()).toBeLessThan(1_000);
      expect(readdirSync(folder)).toEqual(command === 'login' ? ['config.json'] : []);
      for (const path of filesIn(home)) expect(readFileSync(path, 'utf8')).not.toContain(key);
    });
  });
});

it('a login that is killed before it renamed the new file leaves the old one', async () => {
  const { url } = await serve(unknown);
  const home = newFolder();
  await run(['login', '--base-url', url, '--with-key'], { home, stdin: 'old-key' });
  const config = join(home, '.config/carbon/config.json');
  const before = readFileSync(config, 'utf8');
  await killLogin('rename config.json', home);
  expect(readFileSync(config, 'utf8')).toBe(before);
});

it('carbon login names the process it waits for and continues when that process is done', async () => {
  const { url } = await serve(unknown);
  const home = newFolder();
  const lock = join(home, '.config/carbon/config.json.lock');
  mkdirSync(dirname(lock), { recursive: true });
  // The process is on another machine, so carbon cannot know whether it is alive.
  const holder = { host: 'elsewhere', pid: 77, space: 'other', started: '1', since: 'today' };
  writeFileSync(lock, JSON.stringify(holder));
  const { exit, stderr } = await run(['login', '--base-url', url, '--with-key'], {
    home,
    stdin: key,
    onOutput: (text) => {
      if (text.includes('process 77')) rmSync(lock);
    },
  });
  expect([exit, stderr]).toEqual([
    0,
    `Warning: Another carbon process is changing ${join(home, '.config/carbon/config.json')} ` +
      '(process 77 on elsewhere, since today). Waiting for it, up to 30 s.\n',
  ]);
  expect(readdirSync(join(home, '.config/carbon'))).toEqual(['config.json']);
});
