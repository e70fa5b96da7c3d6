import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import {
  carbon,
  carbonCommand,
  carbonProgram,
  execute,
  fastClock,
  isWindows,
  isWine,
  node,
  shell,
  single,
  start,
} from '../support/executable.ts';
import { jsonLines, newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

/* Node's flag for its permission model, which Node 20 calls experimental. */
const permission =
  spawnSync(node, ['--permission', '--version']).status === 0
    ? '--permission'
    : '--experimental-permission';
const acme = ['--name', 'Acme AG', '--hq-region', 'DE'];

describe('carbon', () => {
  it('prints the prerendered help and version', async () => {
    const version = await execute(['--version']);
    expect(version).toMatchObject({ exit: 0, stdout: `${packageJson.version}\n`, stderr: '' });
    const help = 'Usage: carbon <command> [options]';
    expect((await execute(['--help'])).stdout).toContain(help);
    const missing = await execute([]);
    expect([missing.exit, missing.stdout, missing.stderr]).toEqual([
      2,
      '',
      expect.stringContaining(help),
    ]);
  });

  it('shares the sandbox between the processes of register, watch and get', async () => {
    const env = { HOME: newFolder(), ...fastClock };
    const registered = await execute(['register', '--sandbox', ...acme, '-q'], { env });
    expect(registered).toMatchObject({ exit: 0, stdout: '1\n', stderr: '' });
    const [again, other] = await Promise.all([
      execute(['register', '--sandbox', ...acme, '-q'], { env }),
      execute(['register', '--sandbox', '--name', 'Globex', '-q'], { env }),
    ]);
    expect([again.stdout, other.stdout]).toEqual(['1\n', '2\n']);
    const watched = await execute(['watch', '1', '--sandbox', '--interval', '200ms', '--json'], {
      env,
    });
    expect(watched.exit).toBe(0);
    expect(JSON.parse(watched.stdout)).toMatchObject({ id: 1, name: 'Acme AG', status: 'synced' });
    const changes = jsonLines(watched.stderr).map(({ text }) => text);
    expect(changes.at(-1)).toMatch(/^1 Acme AG: synced \(/);
    const shown = await execute(['get', '1', '--sandbox'], { env });
    expect(shown.stdout).toContain('Acme AG');
    expect(shown.stdout).not.toContain('\u001b');
  });

  it('creates no file when the environment has all settings', async () => {
    const { url, seen } = await serve({
      text: '{"id": 1,  "big": 12345678901234567890, "z": 1.50}',
    });
    const home = newFolder();
    const env = { HOME: home, CARBON_BASE_URL: url, CARBON_API_KEY: 'canary-1' };
    const { exit, stdout, stderr } = await execute(['get', '1', '--json', '--debug'], { env });
    expect([exit, stdout]).toEqual([0, '{"id":1,"big":12345678901234567890,"z":1.50}\n']);
    expect(stderr).toContain(`> GET ${url}/organizations/1`);
    expect(stdout + stderr).not.toContain('canary-1');
    expect(seen[0]?.headers.authorization).toBe('Bearer canary-1');
    expect(readdirSync(home)).toEqual([]);
  });

  it('prints a large record completely when the reader of the pipe is slow', async () => {
    const text = JSON.stringify({ id: 1, name: 'x'.repeat(3_000_000) });
    const { url } = await serve({ text });
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    const slow = `${carbonCommand} get 1 --json | (read -r -n 1 first; cat) | wc -c`;
    const { stdout } = await shell(slow, { env });
    expect(Number(stdout)).toBe(text.length);
  });

  it('ends without an error when the reader closes the pipe', async () => {
    const { url } = await serve((response, { url = '' }) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ id: Number(url.split('/').at(-1)), name: 'x'.repeat(200_000) }),
      );
    });
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    const { stdout, stderr } = await shell(
      `seq 1 500 | ${carbonCommand} get - --json | head -c 5; echo " \${PIPESTATUS[1]}"`,
      { env },
    );
    expect([stdout, stderr]).toEqual(['{"id" 0\n', '']);
  });

  it.skipIf(isWindows).each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'carbon watch ends by %s and prints the command that resumes (skipped on Windows: no signals)',
    async (signal) => {
      const env = { HOME: newFolder() };
      await execute(['register', '--sandbox', ...acme, '-q'], { env });
      const watching = start(['watch', '1', '--sandbox', '--interval', '10m'], { env });
      await watching.seen('stderr', /1 Acme AG|1: /);
      watching.child.kill(signal);
      const { exit, signal: died, stdout, stderr } = await watching.ended;
      expect([exit, died, stdout]).toEqual([null, signal, '']);
      expect(stderr).toContain('To resume: carbon watch 1 --sandbox --interval 10m');
    },
  );

  it('serves the sandbox until Ctrl-C ends it', async () => {
    const sandbox = start(['sandbox', '--port', '0', '--json']);
    await sandbox.seen('stdout', /\n/);
    const { url } = JSON.parse(sandbox.output.stdout) as { url: string };
    expect((await fetch(`${url}/organizations/1`)).status).toBe(401);
    sandbox.child.kill('SIGINT');
    const { exit, signal } = await sandbox.ended;
    // Programs outside Wine see the last byte of the exit code of Windows.
    expect(isWine ? exit : signal).toBe(isWine ? 0x3a : 'SIGINT');
  });

  it.skipIf(isWindows || !existsSync('/dev/full'))(
    'reports one error when standard output is full (skipped without /dev/full, and on Windows)',
    async () => {
      const { url } = await serve({ json: { id: 1 } });
      const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
      for (const words of ['get 1', '--help', 'completion bash']) {
        const { exit, stderr } = await shell(`${carbonCommand} ${words} > /dev/full`, { env });
        expect(exit).toBe(1);
        expect(stderr.match(/Error: standard output could not be written/gi)).toHaveLength(1);
      }
      const { exit, stderr } = await shell(`${carbonCommand} get 1 --json > /dev/full`, { env });
      expect(exit).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'local', exit: 1 } });
    },
  );

  it('runs without HOME, TERM and standard input', async () => {
    const { env } = await serve({ json: { id: 1, name: 'Acme AG' } });
    const { CARBON_BASE_URL: url } = env;
    const { stdout, stderr, exit } = await shell(
      `env -i CARBON_BASE_URL=${url} CARBON_API_KEY=k ${carbonCommand} get 1 --csv <&-`,
    );
    expect([exit, stderr, stdout.split('\r\n').length]).toEqual([0, '', 3]);
  });

  it.each(['18.20.0', '20.18.3', '21.7.3', '22.1.0'])('fails when Node is %s', (version) => {
    const old = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); require(${JSON.stringify(carbon)})`;
    const { status, stderr } = spawnSync(node, ['-e', old], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('carbon needs Node.js 20.19 or later of 20, or 22.2');
  });

  // Wine needs a script that the permission model would not let Node read.
  it.each(
    [
      {
        flags: ['--jitless'],
        exit: 1,
        error:
          'Error: The HTTP client needs WebAssembly, which this Node.js process has disabled\nHint: Start Node.js without --jitless.\n',
      },
      {
        flags: [permission, `--allow-fs-read=${carbon}`],
        exit: 1,
        error: `Error: Node.js is not permitted to read carbon's files: start it with --allow-fs-read=${join(carbon, '../../*')}\n`,
      },
    ].filter(({ flags }) => !isWine || flags[0] !== permission),
  )(
    'names the missing permission or feature when Node runs with $flags.0',
    ({ flags, exit, error }) => {
      const env = { HOME: newFolder(), CARBON_BASE_URL: 'http://127.0.0.1:9', CARBON_API_KEY: 'k' };
      const { status, stderr } = spawnSync(node, [...flags, carbon, 'get', '1'], {
        encoding: 'utf8',
        env,
      });
      expect(stderr.replace(/^(Warning: disabling flag|\(.*\n|\(Use).*\r?\n/gm, '')).toBe(error);
      expect(status).toBe(exit);
    },
  );

  it.skipIf(single !== undefined)(
    'prints stack traces that point to src/ (skipped for a single executable: it has no source maps)',
    async () => {
      const { exit, stderr } = await execute(['get', 'x1'], { env: { CARBON_DEBUG: '1' } });
      expect(exit).toBe(2);
      expect(stderr).toMatch(/ at .*src[\\/]cli[\\/]parse-ids\.ts:\d+/);
      expect(stderr).not.toMatch(/main\.cjs|chunks/);
    },
  );

  it('names the build command when it has not been built', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'bin'));
    copyFileSync(carbon, join(folder, 'bin/carbon.cjs'));
    const { status, stderr } = spawnSync(node, [join(folder, 'bin/carbon.cjs'), 'get', '1'], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      'Error: carbon has not been built: run `npm run build` first\n',
    ]);
  });

  it.skipIf(isWindows)(
    'ends by a signal when nobody reads its output (skipped on Windows: no signals)',
    async () => {
      const { env } = await serve({ json: { id: 1, name: 'x'.repeat(1_000_000) } });
      const [file, ...first] = carbonProgram;
      const child = spawn(file, [...first, 'get', '1', '2', '3', '--json', '--debug'], { env });
      onTestFinished(() => void child.kill('SIGKILL'));
      await new Promise<void>((resolve) => {
        child.stderr.on('data', (data) => /< 200/.test(String(data)) && resolve());
      });
      const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
      child.kill('SIGTERM');
      expect(await ended).toBe('SIGTERM');
    },
  );
});

describe.skipIf(single === undefined)(
  'the single executable (skipped without CARBON_TEST_EXECUTABLE)',
  () => {
    it('needs no Node on PATH and no file beside it', () => {
      const folder = newFolder();
      const program = join(folder, isWindows ? 'carbon.exe' : 'carbon');
      copyFileSync(single ?? '', program);
      const home = newFolder();
      const env = { HOME: home, PATH: home };
      const carbonAlone = (...argv: string[]) =>
        spawnSync(program, argv, { cwd: home, env, encoding: 'utf8' });
      expect(carbonAlone('--version').stdout).toBe(`${packageJson.version}\n`);
      const licenses = carbonAlone('help', 'licenses').stdout;
      for (const owner of ['The carbon maintainers', 'Node.js contributors', 'Unicode, Inc.'])
        expect(licenses).toContain(owner);
      const { stdout } = carbonAlone('--help');
      expect(stdout).toBe(spawnSync(node, [carbon, '--help'], { encoding: 'utf8' }).stdout);
      writeFileSync(join(home, 'rows.csv'), 'name,country\nAcme AG,DE\nGlobex,UK\n');
      const registered = carbonAlone('batch', 'rows.csv', '--sandbox', '-q', '--no-progress');
      expect(registered).toMatchObject({ status: 0, stdout: '1\n2\n', stderr: '' });
      expect(carbonAlone('get', '1', '--sandbox').stdout).toContain('Acme AG');
      expect(readdirSync(folder)).toEqual([basename(program)]);
    });
  },
);

const hasScript = spawnSync('script', ['--version']).status === 0;

// Wine does not recognize the terminal of `script`.
describe.skipIf(!hasScript || isWine)(
  'carbon batch on a terminal (skipped without script, and on Windows)',
  () => {
    const show = (pipe: string, more: Record<string, string> = {}) => {
      const folder = newFolder();
      writeFileSync(join(folder, 'rows.csv'), 'name\nAcme\n');
      const line = `${carbonCommand} batch rows.csv --sandbox --json ${pipe}`;
      const env = { HOME: folder, PATH: process.env['PATH'], TERM: 'xterm', ...more };
      return spawnSync('script', ['-qec', line, '/dev/null'], {
        cwd: folder,
        env,
        encoding: 'utf8',
      }).stdout;
    };

    it('animates its status line, but not where CI is set', () => {
      expect(show('> out')).toMatch(/[\u2801-\u28ff]/);
      expect(show('> out', { CI: 'true' })).not.toMatch(/[\u2801-\u28ff]/);
    });

    it('leaves the last line to the program that reads its output, and clears it before a line', () => {
      const lines = show('| cat > out').trimEnd().split('\n');
      expect(lines.at(-1)).toContain('Done in');
      for (const line of lines) expect(line).toMatch(/^\r\u001b\[K[^\u2801-\u28ff]+$/);
    });
  },
);
