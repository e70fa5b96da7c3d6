/* Key commands with real password stores. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { execute } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve, notFound0 as unknown } from '../support/server.ts';

const key = 'canary-key-4711';
const isInstalled = (...programs: string[]) =>
  programs.every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);

/* Runs a program that must succeed, and returns its output. */
function must(
  program: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
): string {
  const { status, stdout, stderr } = spawnSync(program, argv, { env, input, encoding: 'utf8' });
  expect({ program, status, stderr }).toMatchObject({ program, status: 0 });
  return stdout;
}

describe('carbon login --key-command', () => {
  it.skipIf(!isInstalled('pass', 'gpg'))(
    'reads the key from pass (skipped without pass and gpg)',
    async () => {
      const home = newFolder();
      const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
      mkdirSync(join(home, '.gnupg'), { mode: 0o700 });
      onTestFinished(() => void spawnSync('gpgconf', ['--kill', 'all'], { env }));
      const id = ['carbon-test', 'default', 'default', 'never'];
      must('gpg', ['--batch', '--passphrase', '', '--quick-generate-key', ...id], env);
      must('pass', ['init', 'carbon-test'], env);
      must('pass', ['insert', '--multiline', 'carbon'], env, `${key}\nurl: https://a.example\n`);
      const { url, seen } = await serve(unknown, { json: { id: 1 } });
      const login = ['login', '--base-url', url, '--key-command', 'pass show carbon'];
      expect(await execute(login, { env })).toMatchObject({ exit: 0, stderr: '' });
      expect(readFileSync(join(home, '.config/carbon/config.json'), 'utf8')).not.toContain(key);
      expect(await execute(['get', '1', '-q'], { env })).toMatchObject({ stdout: '1\n' });
      expect(seen.map(({ headers }) => headers.authorization)).toEqual([
        `Bearer ${key}`,
        `Bearer ${key}`,
      ]);
      must('pass', ['rm', '--force', 'carbon'], env);
      const { exit, stderr } = await execute(['get', '1'], { env });
      expect(exit).toBe(4);
      expect(stderr).toContain('carbon is not in the password store.\n');
      expect(stderr).toContain(
        'The key command `pass show carbon` (profile default) failed with exit code 1',
      );
    },
  );
});
