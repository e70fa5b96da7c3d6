import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../../../support/run.ts';
import { serve, notFound0 as unknown } from '../../../support/server.ts';

const key = 'canary-key-4711';

const configText = (home: string) => readFileSync(join(home, '.config/carbon/config.json'), 'utf8');

/* Creates a home directory with a file that contains the key, and a command that prints it. */
function newStore(): { home: string; command: string } {
  const home = newFolder();
  writeFileSync(join(home, 'key'), `${key}\n`, { mode: 0o600 });
  return { home, command: `cat '${join(home, 'key')}'` };
}

describe('carbon login --key-command', () => {
  it('stores the command, never the key, after the service accepts the key', async () => {
    const { url, seen } = await serve(unknown, { json: { id: 1 } });
    const { home, command } = newStore();
    const argv = ['login', '--base-url', url, '--key-command', command, '--debug'];
    const outcome = await run(argv, { home });
    expect(outcome.exit).toBe(0);
    expect(outcome.stdout).toBe(
      `Logged in to ${url} as profile default. The key command is in ${home}/.config/carbon/config.json\n`,
    );
    expect(JSON.parse(configText(home))).toEqual({
      version: 1,
      profiles: { default: { baseUrl: url, keyCommand: command } },
    });
    expect(configText(home) + JSON.stringify(outcome)).not.toContain(key);
    expect((await run(['get', '1', '-q'], { home })).stdout).toBe('1\n');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${key}`,
      `Bearer ${key}`,
    ]);
    expect((await run(['logout'], { home })).stdout).toBe(
      'Removed profile default and its key command\n',
    );
  });

  it('replaces a stored key, and a stored key replaces the command', async () => {
    const { url } = await serve(unknown);
    const { home, command } = newStore();
    const login = ['login', '--base-url', url];
    const profile = () => JSON.parse(configText(home)).profiles.default;
    await run([...login, '--with-key'], { home, stdin: key });
    expect(profile()).toEqual({ baseUrl: url, apiKey: key });
    const env = { CARBON_API_KEY_FILE: join(home, 'key') };
    const { stdout, stderr } = await run([...login, '--key-command', command, '--json'], {
      home,
      env,
    });
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      base_url: url,
      checked: true,
      file: join(home, '.config/carbon/config.json'),
      key_command: command,
    });
    expect(stderr).toContain('CARBON_API_KEY_FILE is set and overrides the stored key command.');
    expect(profile()).toEqual({ baseUrl: url, keyCommand: command });
    await run([...login, '--with-key'], { home, stdin: key });
    expect(profile()).toEqual({ baseUrl: url, apiKey: key });
  });

  it.each([
    ['exit 3', "sh -c 'exit 3'", 4, 'failed with exit code 3'],
    ['the key itself', `echo ${key}`, 2, 'the command contains the API key that it prints'],
  ])('stores nothing for a command with %s', async (_, command, code, problem) => {
    const { url, seen } = await serve(unknown);
    const home = newFolder();
    const argv = ['login', '--base-url', url, '--key-command', command];
    const { exit, stdout, stderr } = await run(argv, { home });
    expect([exit, stdout, seen]).toEqual([code, '', []]);
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain(key);
    expect(() => configText(home)).toThrow('ENOENT');
  });
});
