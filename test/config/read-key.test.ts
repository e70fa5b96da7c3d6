import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run, type World } from '../support/run.ts';
import { serve } from '../support/server.ts';

const key = 'canary-key-4711';

/* Creates a program that records each of its runs, and a command that starts it. */
function newProgram(script: string): { command: string; runs(): number } {
  const folder = newFolder();
  const file = join(folder, 'program');
  const log = join(folder, 'log');
  writeFileSync(file, `#!/bin/sh\necho >> ${log}\n${script}\n`, { mode: 0o755 });
  const runs = () => (existsSync(log) ? readFileSync(log, 'utf8').length : 0);
  return { command: file, runs };
}

async function getWith(env: Record<string, string>, world: World = {}, ...more: string[]) {
  const { url, seen } = await serve({ json: { id: 1 } });
  const service = { CARBON_BASE_URL: url };
  const outcome = await run(['get', '1', ...more], { ...world, env: { ...service, ...env } });
  return { ...outcome, authorizations: seen.map(({ headers }) => headers.authorization) };
}

const success = { exit: 0, stdout: '1\n', stderr: '', authorizations: [`Bearer ${key}`] };

describe('CARBON_API_KEY_FILE', () => {
  it('provides the key of every request', async () => {
    const file = join(newFolder(), 'key');
    writeFileSync(file, `${key}\n`, { mode: 0o444 });
    expect(await getWith({ CARBON_API_KEY_FILE: file }, {}, '-q')).toEqual(success);
  });

  it('exits with 4 and sends nothing when the file has no valid key', async () => {
    const file = join(newFolder(), 'key');
    writeFileSync(file, 'canary key\n');
    const outcome = await getWith({ CARBON_API_KEY_FILE: file });
    expect(outcome).toMatchObject({ exit: 4, stdout: '', authorizations: [] });
    expect(outcome.stderr).toContain(`The key file ${file}`);
    expect(outcome.stderr).not.toContain('canary key');
  });
});

describe('CARBON_API_KEY_COMMAND', () => {
  it('provides the first line that the command prints', async () => {
    const { command, runs } = newProgram(`echo ${key}; echo url: https://api.example.com`);
    expect(await getWith({ CARBON_API_KEY_COMMAND: command }, {}, '-q')).toEqual(success);
    expect(runs()).toBe(1);
  });

  it('does not run without a request to the service', async () => {
    const { command, runs } = newProgram(`echo ${key}`);
    const home = newFolder();
    writeFileSync(join(home, 'suppliers.csv'), 'name\nAcme\n');
    const env = { CARBON_API_KEY_COMMAND: command, CARBON_BASE_URL: 'https://api.example.com' };
    const commands = [
      ['whoami'],
      ['get', '1', '--sandbox'],
      ['register', '--name', 'Acme', '--dry-run'],
      ['batch', join(home, 'suppliers.csv'), '--dry-run'],
      ['get', 'not-an-id'],
    ];
    for (const argv of commands) await run(argv, { env, home });
    expect(runs()).toBe(0);
  });

  it.each([
    [`sh -c 'echo ${key}; exit 1'`, 'failed with exit code 1'],
    [`sh -c 'kill -9 $$'`, 'was terminated by SIGKILL'],
    ['no-such-program show', 'was not found\nHint: Write its full path'],
    [`sh -c 'echo; echo later'`, 'printed no key'],
    ['head -c 70000 /dev/zero', 'contains invalid characters'],
  ])('reports how %j failed, and exits with 4', async (command, problem) => {
    const { exit, stdout, stderr, authorizations } = await getWith({
      CARBON_API_KEY_COMMAND: command,
    });
    expect([exit, stdout, authorizations]).toEqual([4, '', []]);
    expect(stderr).toContain('key command');
    expect(stderr).toContain('(CARBON_API_KEY_COMMAND)');
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain(key);
  });

  it('ends a command that does not end within its limit', async () => {
    const { exit, stderr } = await getWith(
      { CARBON_API_KEY_COMMAND: 'sleep 1000' },
      { commandLimitMs: 50 },
    );
    expect([exit, stderr]).toEqual([4, expect.stringContaining('did not end within 30 s')]);
  });

  it('passes on the standard error of the command, sanitized and without the key', async () => {
    const script = `printf '\\033[31mlocked\\n\\nno line break' >&2; echo ${key}; echo ${key} >&2`;
    const { command } = newProgram(script);
    const env = { CARBON_API_KEY_COMMAND: command };
    expect((await getWith(env, {}, '-q')).stderr).toBe('\ufffd[31mlocked\nno line break[key]\n');
    expect((await getWith(env, {}, '--json')).stderr).toBe(
      '{"level":"failure","text":"\\u001b[31mlocked"}\n' +
        '{"level":"failure","text":"no line break[key]"}\n',
    );
  });

  it('starts the command in the root directory, with an empty standard input', async () => {
    const { command } = newProgram('echo "$PWD:$(cat)" >&2; echo k');
    expect((await getWith({ CARBON_API_KEY_COMMAND: command })).stderr).toContain('/:\n');
  });
});

describe('the source of the key', () => {
  it('must be one variable', async () => {
    const { exit, stderr } = await getWith({ CARBON_API_KEY: 'k', CARBON_API_KEY_FILE: '/k' });
    const problem = 'Several variables set the API key: CARBON_API_KEY, CARBON_API_KEY_FILE';
    expect([exit, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  it('appears in carbon whoami, which neither reads nor runs it', async () => {
    const api_key = async (env: Record<string, string>) => {
      const { stdout } = await run(['whoami'], { env });
      const json = JSON.parse((await run(['whoami', '--json'], { env })).stdout);
      return [/^API key: (.*)$/m.exec(stdout)?.[1], json.api_key];
    };
    expect(await api_key({ CARBON_API_KEY_FILE: '/run/secrets/carbon' })).toEqual([
      'in the file /run/secrets/carbon (CARBON_API_KEY_FILE)',
      { set: true, from: 'CARBON_API_KEY_FILE', file: '/run/secrets/carbon' },
    ]);
    expect(await api_key({ CARBON_API_KEY_COMMAND: 'pass show carbon' })).toEqual([
      'printed by `pass show carbon` (CARBON_API_KEY_COMMAND)',
      { set: true, from: 'CARBON_API_KEY_COMMAND', command: 'pass show carbon' },
    ]);
    const secret = { CARBON_API_KEY_COMMAND: 'curl https://me:canary@host.example/key' };
    expect(JSON.stringify(await api_key(secret))).not.toContain('canary');
  });
});

describe('a stored key command', () => {
  const stored = (baseUrl: string, command: string) => {
    const home = newFolder();
    const file = join(home, 'config.json');
    const profiles = { default: { baseUrl, keyCommand: command } };
    writeFileSync(file, JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
    return { home, file, env: { CARBON_CONFIG_DIR: home } };
  };

  it('provides the key, only for the origin that it was stored for', async () => {
    const { url, seen } = await serve({ json: { id: 1 } });
    const { command, runs } = newProgram(`echo ${key}`);
    const { env } = stored(url, command);
    expect(await run(['get', '1', '-q'], { env })).toEqual({ exit: 0, stdout: '1\n', stderr: '' });
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${key}`);
    const other = await serve({ json: { id: 1 } });
    const { exit, stderr } = await run(['get', '1', '--base-url', other.url], { env });
    expect([exit, other.seen, runs()]).toEqual([4, [], 1]);
    expect(stderr).toContain(`was stored for ${url} and is not sent to ${other.url}`);
    expect((await run(['whoami'], { env })).stdout).toContain(
      `API key: printed by \`${command}\`, sent only to ${url} (profile default)`,
    );
  });

  it.each([0o620, 0o606])('is not run when the configuration file has mode %o', async (mode) => {
    const { url, seen } = await serve({ json: { id: 1 } });
    const { command, runs } = newProgram(`echo ${key}`);
    const { env, home, file } = stored(url, command);
    chmodSync(file, mode);
    const { exit, stderr } = await run(['get', '1'], { env });
    expect([exit, runs(), seen]).toEqual([1, 0, []]);
    expect(stderr).toContain(
      `carbon does not run the key command of profile default: other users can change ${file}`,
    );
    chmodSync(file, 0o600);
    chmodSync(home, 0o777);
    expect((await run(['get', '1'], { env })).stderr).toContain(`other users can change ${home}`);
    expect(runs()).toBe(0);
  });

  it('is overridden by the environment, with a warning for a requested profile', async () => {
    const { url, seen } = await serve({ json: { id: 1 } });
    const { command, runs } = newProgram(`echo ${key}`);
    const env = { ...stored(url, command).env, CARBON_API_KEY: 'env-key' };
    const { stderr } = await run(['get', '1', '--profile', 'default'], { env });
    expect(stderr).toContain('CARBON_API_KEY in the environment overrides profile default.');
    expect([seen[0]?.headers.authorization, runs()]).toEqual(['Bearer env-key', 0]);
  });
});
