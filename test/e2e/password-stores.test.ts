/* Key commands with real password stores. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carbon, execute, node } from '../support/executable.ts';
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

  it.skipIf(!isInstalled('secret-tool', 'gnome-keyring-daemon', 'dbus-run-session'))(
    'reads the key from secret-tool (skipped without secret-tool, gnome-keyring and dbus)',
    async () => {
      const home = newFolder();
      const env = { HOME: home, PATH: process.env['PATH'] ?? '', CARBON: `${node} ${carbon}` };
      const { url, seen } = await serve(unknown, { json: { id: 1 } });
      const script = `
        echo | gnome-keyring-daemon --unlock --components=secrets >&2
        # The daemon may not have connected to the bus yet.
        until printf %s ${key} | secret-tool store --label=carbon service carbon; do :; done
        $CARBON login --base-url ${url} --key-command 'secret-tool lookup service carbon' &&
          $CARBON get 1 -q
        secret-tool clear service carbon
        $CARBON get 1 -q
        echo exit $?`;
      // The server is in this process, which must not block.
      const session = spawn('dbus-run-session', ['--', 'sh', '-c', script], { env });
      const output = { stdout: '', stderr: '' };
      session.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
      session.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
      session.stdin.end();
      onTestFinished(() => void session.kill('SIGKILL'));
      await new Promise((resolve) => session.on('close', resolve));
      expect(output.stdout).toContain(`Logged in to ${url}`);
      expect(output.stdout).toMatch(/\n1\nexit 4\n$/);
      expect(seen[1]?.headers.authorization).toBe(`Bearer ${key}`);
      expect(output.stderr).toContain('(profile default) failed with exit code 1');
      expect(output.stdout + output.stderr).not.toContain(key);
    },
  );
});
