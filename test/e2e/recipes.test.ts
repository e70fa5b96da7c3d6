/* Shells, cron, systemd and YAML parsers accept the recipes in the documents. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseDocument } from 'yaml';
import { startSandbox } from '../../src/sandbox/server.ts';
import { VirtualClock } from '../support/clock.ts';
import { codeBlocks, readText } from '../support/documents.ts';
import { carbonProgram, shell } from '../support/executable.ts';
import { itNeeds } from '../support/programs.ts';
import { newFolder, run } from '../support/run.ts';
import { serve } from '../support/server.ts';

it.each(['sh', 'bash'])('the recipes for %s have the syntax of the shell', (shell) => {
  const recipes = codeBlocks(shell);
  expect(recipes).not.toEqual([]);
  const quoted = recipes.flatMap((text) =>
    [...text.matchAll(/--wrap '(.*?)'/g)].map(([, line = '']) => line),
  );
  const input = [...recipes, ...quoted].join('\n');
  const { status, stderr } = spawnSync(shell, ['-n'], { input, encoding: 'utf8' });
  expect([status, stderr], input).toEqual([0, '']);
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

it('the crontab registers the rows in the environment of cron and prints nothing on success', async () => {
  const [text = ''] = codeBlocks('crontab');
  const [, path = ''] = /^PATH=(.*)$/m.exec(text) ?? [];
  const [, times = '', command = ''] = /^(\S+ \S+ \S+ \S+ \S+) +(.*)$/m.exec(text) ?? [];
  expect(times).toMatch(/^([0-5]?\d) ([01]?\d|2[0-3]) \* \* \*$/);
  // cron reads % as a line break.
  expect(command).not.toContain('%');
  const clock = new VirtualClock();
  const { url, close } = await startSandbox({ clock, key: 'k' });
  onTestFinished(close);
  const home = newFolder();
  mkdirSync(join(home, 'bin'));
  const note = 'printf "%s\\n" "$@" > called';
  writeFileSync(join(home, 'bin/carbon'), `#!/bin/sh\n${note}\n`, { mode: 0o755 });
  writeFileSync(join(home, 'suppliers.csv'), 'name\nAcme\n');
  const PATH = [join(home, 'bin'), path].join(delimiter);
  const env = { HOME: home, LOGNAME: 'me', SHELL: '/bin/sh', PATH };
  const night = await shell('exec /bin/sh', { env, stdin: command });
  expect(night).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  const words = readFileSync(join(home, 'called'), 'utf8').trim().split('\n');
  // Without a login, the two variables that the page names.
  const [CARBON_BASE_URL, CARBON_API_KEY_FILE] = [url, join(home, 'key.txt')];
  writeFileSync(CARBON_API_KEY_FILE, 'k\n', { mode: 0o600 });
  const carbon = await run(words, { env: { CARBON_BASE_URL, CARBON_API_KEY_FILE }, home, clock });
  expect(carbon).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect(readFileSync(join(home, 'suppliers.csv.carbon.jsonl'), 'utf8')).toContain('"id"');
});

describe('the systemd units', () => {
  const service = readText('deploy/systemd/user/carbon.service');
  const timer = readText('deploy/systemd/user/carbon.timer');
  const system = readText('deploy/systemd/system/carbon.service');

  it('restart after exit code 6 and no other failure of carbon sync', () => {
    for (const unit of [service, system]) {
      expect(unit).toMatch(/^Restart=on-failure$/m);
      expect(unit).toMatch(/^SuccessExitStatus=8$/m);
      expect(unit).toMatch(/^RestartPreventExitStatus=1 2 3 4 7 9$/m);
    }
  });

  it('of the system have their user, their directories and their timer', () => {
    const users = readText('deploy/systemd/system/carbon.sysusers.conf');
    const directories = readText('deploy/systemd/system/carbon.tmpfiles.conf');
    const [, user = ''] = /^User=(\w+)$/m.exec(system) ?? [];
    expect(users).toMatch(new RegExp(`^u ${user} `, 'm'));
    const [, writable = ''] = /^ReadWritePaths=(.*)$/m.exec(system) ?? [];
    for (const path of writable.split(' '))
      expect(directories).toMatch(new RegExp(`^d ${path} \\d+ \\w+ ${user}$`, 'm'));
    expect(readText('deploy/systemd/system/carbon.timer')).toBe(timer);
  });

  itNeeds('systemd-analyze', 'are valid', () => {
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
    const analyze = (...words: string[]) =>
      spawnSync('systemd-analyze', words, { env, encoding: 'utf8' });
    const verified = analyze('verify', '--user', '--man=no', ...units);
    expect(verified).toMatchObject({ status: 0, stdout: '', stderr: '' });
    // Exits with 1 if the exposure of the system service exceeds a tenth of the threshold.
    const security = ['security', '--offline=true', '--threshold=50', '--no-pager'];
    const { status, stderr } = analyze(...security, units[2] ?? '');
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('the alerts', () => {
  const rules = readText('deploy/prometheus/carbon.rules.yml');

  itNeeds('promtool', 'pass promtool check rules', () => {
    const file = join(newFolder(), 'carbon.rules.yml');
    writeFileSync(file, rules);
    const { stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], {
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual([expect.stringContaining('SUCCESS: 5 rules found'), '']);
  });

  itNeeds('promtool', 'tell about a failed row for a day, and about the next one again', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'carbon.rules.yml'), rules);
    const series = 'carbon_run_result{task="suppliers",name="rejected"}';
    const expected = { exp_labels: { severity: 'ticket', task: 'suppliers', name: 'rejected' } };
    const at = (hours: number, value?: number) => ({
      eval_time: `${hours}h`,
      alertname: 'CarbonRowsFailed',
      exp_alerts:
        value === undefined
          ? []
          : [{ ...expected, exp_annotations: { summary: `suppliers: ${value} rejected` } }],
    });
    const test = {
      rule_files: ['carbon.rules.yml'],
      evaluation_interval: '1h',
      tests: [
        {
          interval: '1h',
          // One row fails from the second day on, and another one after a week.
          input_series: [{ series, values: '0x23 1x167 2x100' }],
          alert_rule_test: [at(12), at(30, 1), at(60), at(180), at(200, 2), at(230)],
        },
        {
          interval: '1h',
          // A row fails in the first run of all.
          input_series: [{ series, values: '3x100' }],
          alert_rule_test: [at(1, 3), at(40)],
        },
      ],
    };
    writeFileSync(join(folder, 'test.yml'), JSON.stringify(test));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'test.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([status, stderr], stdout).toEqual([0, '']);
  });

  it('are valid YAML and use metrics that carbon writes', async () => {
    const { errors, warnings } = parseDocument(rules, { strict: true, uniqueKeys: true });
    expect([...errors, ...warnings]).toEqual([]);
    const home = newFolder();
    let written = '';
    for (const command of ['batch', 'sync']) {
      const [csv, file] = [join(home, `${command}.csv`), join(home, `${command}.prom`)];
      writeFileSync(csv, 'name\nSandbox synced\n');
      const argv = [command, csv, '--sandbox', '--metrics-file', file];
      expect(await run(argv, { home })).toMatchObject({ exit: 0 });
      written += readFileSync(file, 'utf8');
    }
    for (const [name] of rules.matchAll(/\bcarbon_\w+/g)) expect(written).toContain(`\n${name}{`);
  });
});

itNeeds('curl', 'the ping sends the messages, and a failure where the alerts see one', async () => {
  const recipes = codeBlocks('sh', ['docs/operations.md']);
  const recipe = recipes.find((text) => text.includes('hc-ping.com')) ?? '';
  const pings = [0, 1, 2, 4, 6, 7, 8, 9, 143].map(async (exit) => {
    const { url, seen } = await serve({ text: 'OK' });
    const home = newFolder();
    const fake = `#!/bin/sh\necho "Error: no" >&2\nexit ${exit}\n`;
    writeFileSync(join(home, 'carbon'), fake, { mode: 0o755 });
    const PATH = [home, process.env['PATH']].join(delimiter);
    const env = { HOME: home, PATH, NO_PROXY: '*', check: 'c1' };
    await shell('exec sh', { env, stdin: recipe.replace('https://hc-ping.com', url) });
    expect(seen.map(({ method, body }) => [method, body])).toEqual([['POST', 'Error: no\n']]);
    return [exit, seen[0]?.path];
  });
  // Research that failed or is in progress, and failed rows, are finished runs.
  expect(await Promise.all(pings)).toEqual([
    [0, '/c1/0'],
    [1, '/c1/1'],
    [2, '/c1/2'],
    [4, '/c1/4'],
    [6, '/c1/6'],
    [7, '/c1/0'],
    [8, '/c1/0'],
    [9, '/c1/0'],
    [143, '/c1/143'],
  ]);
});
