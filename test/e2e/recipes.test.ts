/* Shells, cron, systemd and YAML parsers accept the recipes in the documents. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { codeBlocks, readText } from '../support/documents.ts';
import { carbonCommand, carbonProgram, execute, shell, start } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

describe.each(['sh', 'bash'])('the recipes for %s', (shell) => {
  it('have the syntax of the shell', () => {
    const recipes = codeBlocks(shell);
    expect(recipes).not.toEqual([]);
    const quoted = recipes.flatMap((text) =>
      [...text.matchAll(/--wrap '(.*?)'/g)].map(([, line = '']) => line),
    );
    for (const input of [...recipes, ...quoted]) {
      const { status, stderr } = spawnSync(shell, ['-n'], { input, encoding: 'utf8' });
      expect({ input, status, stderr }).toEqual({ input, status: 0, stderr: '' });
    }
  });
});

it('the script for a report continues after the exit codes of a finished sync', async () => {
  const [script = ''] = codeBlocks('bash', ['docs/scripts.md']);
  const codes = [0, 7, 8, 9, 6, 4, 143];
  const runs = codes.map(async (sync) => {
    const cwd = newFolder();
    const fake = `#!/bin/sh\ncase $1 in sync) exit ${sync} ;; *) echo "$1" >> ran ;; esac\n`;
    writeFileSync(join(cwd, 'carbon'), fake, { mode: 0o755 });
    const PATH = [cwd, process.env['PATH']].join(delimiter);
    const { exit } = await shell(script, { cwd, env: { PATH } });
    return [exit, existsSync(join(cwd, 'ran'))];
  });
  expect(await Promise.all(runs)).toEqual(
    codes.map((sync) => (sync > 9 || sync === 6 || sync === 4 ? [sync, false] : [0, true])),
  );
});

describe('the crontab', () => {
  const [text = ''] = codeBlocks('crontab');
  const entry = /^(\S+ \S+ \S+ \S+ \S+) +(.*)$/m;

  it('has valid times and no %, which cron reads as a line break', () => {
    const [, times = '', command = ''] = entry.exec(text) ?? [];
    expect(times).toMatch(/^([0-5]?\d) ([01]?\d|2[0-3]) \* \* \*$/);
    expect(command).toContain('carbon sync');
    expect(command).not.toContain('%');
  });

  it('registers the rows in the environment of cron and prints nothing on success', async () => {
    const sandbox = start(['sandbox', '--port', '0', '--research', '1ms', '--json']);
    await sandbox.seen('stdout', /\n/);
    const { url, key } = JSON.parse(sandbox.output.stdout);
    const home = newFolder();
    mkdirSync(join(home, 'bin'));
    writeFileSync(join(home, 'bin/carbon'), `#!/bin/sh\nexec ${carbonCommand} "$@"\n`, {
      mode: 0o755,
    });
    writeFileSync(join(home, '.carbon.env'), `CARBON_BASE_URL=${url}\nCARBON_API_KEY=${key}\n`);
    writeFileSync(join(home, 'suppliers.csv'), 'name\nAcme\n');
    const [, path = ''] = /^PATH=(.*)$/m.exec(text) ?? [];
    const [, , command = ''] = entry.exec(text) ?? [];
    const env = {
      HOME: home,
      LOGNAME: 'me',
      SHELL: '/bin/sh',
      PATH: [join(home, 'bin'), path].join(delimiter),
    };
    const night = () => spawnSync('/bin/sh', ['-c', command], { env, cwd: home, encoding: 'utf8' });
    expect(night()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(home, 'suppliers.csv.carbon.jsonl'), 'utf8')).toContain('"id"');
  });
});

describe('the systemd units', () => {
  const service = readText('deploy/systemd/user/carbon.service');
  const timer = readText('deploy/systemd/user/carbon.timer');
  const system = readText('deploy/systemd/system/carbon.service');

  it('restart after exit code 6 and no other failure of carbon sync', () => {
    for (const unit of [service, system]) {
      const [, never = ''] = /^RestartPreventExitStatus=(.*)$/m.exec(unit) ?? [];
      expect(unit).toMatch(/^Restart=on-failure$/m);
      expect(unit).toMatch(/^SuccessExitStatus=8$/m);
      expect(never.split(' ')).toEqual(['1', '2', '3', '4', '7', '9']);
    }
  });

  it.skipIf(!isInstalled('systemd-analyze'))('are valid (skipped without systemd-analyze)', () => {
    const folder = newFolder();
    const units = Object.entries({
      'carbon.service': service,
      'carbon.timer': timer,
      'system.service': system,
    }).map(([name, unit]) => {
      // systemd-analyze requires that the program of each command exists.
      const text = unit.replace(/^ExecStart=\S+/m, `ExecStart=${carbonProgram.join(' ')}`);
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const env = { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder };
    const verify = ['verify', '--user', '--man=no', ...units];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', verify, {
      env,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });

    // Exits with 1 if the exposure of the system service exceeds a tenth of the threshold.
    const security = ['security', '--offline=true', '--threshold=50', '--no-pager'];
    const analyzed = spawnSync('systemd-analyze', [...security, units[2] ?? ''], { env });
    expect(analyzed.status, String(analyzed.stderr)).toBe(0);
  });
});

describe('the alerts', () => {
  const rules = readText('deploy/prometheus/carbon.rules.yml');

  it.skipIf(!isInstalled('promtool'))(
    'pass promtool check rules (skipped without promtool)',
    () => {
      const file = join(newFolder(), 'carbon.rules.yml');
      writeFileSync(file, rules);
      const { stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
        encoding: 'utf8',
      });
      expect([stdout, stderr]).toEqual([expect.stringContaining('SUCCESS: 5 rules found'), '']);
    },
  );

  it('are valid YAML and use metrics that carbon writes', async () => {
    const { errors, warnings } = parseDocument(rules, { strict: true, uniqueKeys: true });
    expect([...errors, ...warnings]).toEqual([]);
    const folder = newFolder();
    const writes = ['batch', 'sync'].map(async (command) => {
      const [csv, file] = [join(folder, `${command}.csv`), join(folder, `${command}.prom`)];
      writeFileSync(csv, 'name\nSandbox synced\n');
      const argv = [command, csv, '--sandbox', '--metrics-file', file];
      expect(await execute(argv)).toMatchObject({ exit: 0 });
      return readFileSync(file, 'utf8');
    });
    const written = (await Promise.all(writes)).join('');
    for (const [name] of rules.matchAll(/\bcarbon_\w+/g)) expect(written).toContain(`\n${name}{`);
  });
});

describe('the ping', () => {
  it.skipIf(!isInstalled('curl'))(
    'sends the exit code and the messages of the run (skipped without curl)',
    async () => {
      const [recipe = ''] = codeBlocks('sh', ['docs/operations.md']).filter((text) =>
        text.includes('hc-ping.com'),
      );
      const { url, seen } = await serve({ text: 'OK' });
      const home = newFolder();
      writeFileSync(join(home, 'carbon'), `#!/bin/sh\nexec ${carbonCommand} "$@"\n`, {
        mode: 0o755,
      });
      writeFileSync(join(home, 'suppliers.csv'), 'price\n1\n');
      const env = {
        HOME: home,
        PATH: [home, process.env['PATH']].join(delimiter),
        NO_PROXY: '*',
        CARBON_BASE_URL: url,
        CARBON_API_KEY: 'k',
        check: 'c1',
      };
      const script = recipe.replace('https://hc-ping.com', url);
      // The server is in this process, which must not block.
      const shell = spawn('sh', ['-c', script], { env, cwd: home, stdio: 'ignore' });
      await new Promise((resolve) => shell.on('close', resolve));
      expect(seen.map(({ method, path }) => [method, path])).toEqual([['POST', '/c1/2']]);
      expect(seen[0]?.body).toContain('Error: ');
    },
  );
});
