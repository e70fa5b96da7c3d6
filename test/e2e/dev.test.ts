import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/run.ts';

const root = join(import.meta.dirname, '../..');

it('npm run dev runs a command line from src/ without a build', { tags: ['long'] }, () => {
  const words = [
    '--enable-source-maps',
    join(root, 'build/dev.js'),
    'register',
    '--name',
    'Acme',
    '-q',
  ];
  const env = { HOME: newFolder() };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words, '--sandbox'], {
    encoding: 'utf8',
    env,
  });
  expect([status, stdout, stderr]).toEqual([0, '1\n', '']);
  const failed = spawnSync(process.execPath, [...words, '--debug'], { encoding: 'utf8', env });
  expect([failed.status, failed.stdout]).toEqual([2, '']);
  expect(failed.stderr).toMatch(/src[\\/]config[\\/]settings\.ts:\d+/);
});
