/* A killed `carbon login` changes nothing, and `carbon logout` removes its copies of the key. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execute, preload } from '../support/executable.ts';
import { newFolder, run } from '../support/run.ts';
import { serve, notFound0 as unknown } from '../support/server.ts';

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
