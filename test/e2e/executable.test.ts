import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { listCommand } from '../../src/cli/commands/portfolio/list.ts';
import {
  carbon,
  carbonCommand,
  carbonProgram,
  execute,
  isWindows,
  isWine,
  node,
  shell,
  single,
  start,
} from '../support/executable.ts';
import { itNeeds } from '../support/programs.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

/* Node's flag for its permission model, which Node 20 calls experimental. */
const permission =
  spawnSync(node, ['--permission', '--version']).status === 0
    ? '--permission'
    : '--experimental-permission';

describe('carbon', () => {
  it('prints a large record completely when the reader of the pipe is slow', async () => {
    const text = JSON.stringify({ id: 1, name: 'x'.repeat(3_000_000) });
    const { env } = await serve({ text });
    const slow = `${carbonCommand} get 1 --json | (read -r -n 1 first; cat) | wc -c`;
    const { stdout } = await shell(slow, { env });
    expect(Number(stdout)).toBe(text.length);
  });

  it('ends without an error when the reader closes the pipe', async () => {
    const { env } = await serve((response, { url = '' }) => {
      const id = Number(url.split('/').at(-1));
      response.end(JSON.stringify({ id, name: 'x'.repeat(200_000) }));
    });
    const { stdout, stderr } = await shell(
      `seq 1 500 | ${carbonCommand} get - --json | head -c 5; echo " \${PIPESTATUS[1]}"`,
      { env },
    );
    expect([stdout, stderr]).toEqual(['{"id" 0\n', '']);
  });

  it.skipIf(isWindows)(
    'ends carbon watch by each signal and says how to resume (skipped on Windows: no signals)',
    async () => {
      const { env } = await serve({ json: { id: 1, name: 'Acme AG', status: 'created' } });
      const ends = (['SIGINT', 'SIGHUP'] as const).map(async (signal) => {
        const watching = start(['watch', '1', '--interval', '10m'], { env });
        await watching.seen('stderr', /Acme AG/);
        watching.child.kill(signal);
        const { exit, signal: died, stdout, stderr } = await watching.ended;
        expect([exit, died, stdout]).toEqual([null, signal, '']);
        expect(stderr).toContain('To resume, run the same command again');
      });
      await Promise.all(ends);
    },
  );

  it.skipIf(isWindows || !existsSync('/dev/full'))(
    'reports one error when standard output is full (skipped without /dev/full, and on Windows)',
    async () => {
      const { env } = await serve({ json: { id: 1 } });
      const help = await shell(`${carbonCommand} --help > /dev/full`);
      expect(help.exit).toBe(1);
      expect(help.stderr.match(/Error: standard output could not be written/g)).toHaveLength(1);
      const record = await shell(`${carbonCommand} get 1 --json > /dev/full`, { env });
      expect(record.exit).toBe(1);
      expect(JSON.parse(record.stderr)).toMatchObject({ error: { code: 'local', exit: 1 } });
    },
  );

  it('runs without HOME, TERM and standard input', async () => {
    const { env } = await serve({ json: { id: 1, name: 'Acme AG' } });
    const variables = Object.entries(env).map((pair) => pair.join('='));
    const { stdout, stderr, exit } = await shell(
      `env -i ${variables.join(' ')} ${carbonCommand} get 1 --csv <&-`,
    );
    expect([exit, stderr, stdout.split('\r\n').length]).toEqual([0, '', 3]);
  });

  it('carbon mcp ends with its input', async () => {
    const { exit, stdout } = await execute(['mcp'], {
      stdin: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    });
    expect([exit, JSON.parse(stdout)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('fails when Node is too old', () => {
    const old = `for (const node of ['18.20.0', '20.18.3', '21.7.3', '22.1.0']) {
      Object.defineProperty(process, 'versions', { value: { node }, configurable: true });
      delete require.cache[require.resolve(process.argv[1])];
      require(process.argv[1]);
    }`;
    const { status, stderr } = spawnSync(node, ['-e', old, carbon], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr.match(/carbon needs Node\.js 20\.19 or later of 20, or 22\.2/g)).toHaveLength(4);
  });

  it.each([
    [
      '--jitless',
      [],
      'Error: The HTTP client needs WebAssembly, which this Node.js process has disabled\nHint: Start Node.js without --jitless.\n',
    ],
    [
      permission,
      [`--allow-fs-read=${carbon}`],
      `Error: Node.js is not allowed to read carbon's files: start it with --allow-fs-read=${join(carbon, '../../*')}\n`,
    ],
  ])('names the missing feature or permission when Node runs with %s', (flag, more, error) => {
    // The permission model would not let Node read the script that Wine needs.
    if (isWine && flag === permission) return;
    const env = { HOME: newFolder(), CARBON_BASE_URL: 'http://127.0.0.1:9', CARBON_API_KEY: 'k' };
    const words = [flag, ...more, carbon, 'get', '1'];
    const { status, stderr } = spawnSync(node, words, { encoding: 'utf8', env });
    expect(stderr.replace(/^(Warning: disabling flag|\(.*\n|\(Use).*\r?\n/gm, '')).toBe(error);
    expect(status).toBe(1);
  });

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

itNeeds('script', 'carbon sync --help breaks its lines for a narrow terminal', async () => {
  const line = `script -qec 'stty cols 60; ${carbonCommand} sync --help' /dev/null`;
  const { stdout } = await shell(line);
  const lines = stdout.split(/\r?\n/);
  expect(Math.max(...lines.map((each) => each.length))).toBeLessThanOrEqual(60);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'assign columns to fields: name=Firm,hq_region=Land',
  );
  // A line that the build broke at 80 columns is not broken twice.
  expect(stdout).toMatch(
    /directory of the journal and\r?\n {25}records \(default: next to the list\)/,
  );
});

itNeeds('script', 'carbon help leaves examples whole in a narrow terminal', async () => {
  const line = `script -qec 'stty cols 50; ${carbonCommand} help list' /dev/null`;
  const { stdout } = await shell(line);
  const [, examples = ''] = /^Examples:\r?\n(.*?)\r?\n\r?\n/ms.exec(stdout) ?? [];
  expect(examples.split(/\r?\n/).map((each) => each.slice(2))).toEqual(listCommand.examples);
});

itNeeds(
  'script',
  'carbon help columns breaks lines with words wider than the terminal',
  async () => {
    const line = `script -qec 'stty cols 45; ${carbonCommand} help columns' /dev/null`;
    const { stdout } = await shell(line);
    const lines = stdout.split(/\r?\n/);
    expect(lines.filter((each) => each.length > 45 && each.trim().includes(' '))).toEqual([]);
    const heading = lines.indexOf('Short names, with the column that each stands');
    expect(lines.slice(heading, heading + 2)).toEqual([
      'Short names, with the column that each stands',
      'for in parentheses:',
    ]);
  },
);

itNeeds('script', 'carbon batch animates a status line in a terminal', async () => {
  const { env } = await serve({ json: { id: 1 } });
  const cwd = newFolder();
  writeFileSync(join(cwd, 'a'), 'name\nAcme\n');
  const line = `script -qec '${carbonCommand} batch --json a > out' /dev/null`;
  const { stdout } = await shell(line, { cwd, env: { ...env, TERM: 'xterm' } });
  expect(stdout).toMatch(/[\u2801-\u28ff]/);
});
