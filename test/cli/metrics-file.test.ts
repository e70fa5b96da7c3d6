import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeMetrics } from '../../src/cli/metrics-file.ts';
import { stopped } from '../support/program.ts';
import { itNeeds } from '../support/programs.ts';
import { newFolder, run, type World } from '../support/run.ts';
import { type Reply, serve } from '../support/server.ts';

const refusal = { status: 422, json: { status: 422, title: 'No', detail: 'No such company.' } };
const record: Reply = { json: { id: 1, name: 'Acme', status: 'synced' } };

async function job(csv: string, ...replies: Reply[]) {
  const folder = newFolder();
  const { url } = await serve(...replies);
  const input = join(folder, 'suppliers.csv');
  writeFileSync(input, csv);
  const metrics = join(folder, 'nightly.prom');
  const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'secret-key-1' };
  const readMetrics = () => readFileSync(metrics, 'utf8');
  return {
    folder,
    input,
    metrics,
    readMetrics,
    samples: (pattern: RegExp) =>
      readMetrics()
        .split('\n')
        .filter((line) => !line.startsWith('#') && pattern.test(line)),
    start: (argv: readonly string[], world: World = {}) =>
      run([...argv, '--metrics-file', metrics], { env, ...world }),
  };
}

describe('carbon batch --metrics-file', () => {
  it.each(['-', 'run.txt', 'run', 'run.json'])('rejects %s as the file', async (path) => {
    const { stderr, exit } = await run(['batch', 'x.csv', '--metrics-file', path]);
    expect(exit).toBe(2);
    expect(stderr).toContain('does not end with .prom');
    expect(existsSync(path)).toBe(false);
  });

  it('writes the numbers of the run, readable for other users', async () => {
    const { input, start, metrics, readMetrics } = await job(
      'name\nAcme\nBeta\nAcme\n',
      record,
      refusal,
    );
    const { exit } = await start(['batch', input, '--concurrency', '1']);
    expect(exit).toBe(9);
    const text = readMetrics().replace(/(elapsed_ms"}) \d+/, '$1 <ms>');
    expect(text.replace(/\d{5,}[\d.]*/g, '<time>')).toMatchInlineSnapshot(`
      "# Written by carbon. The next run replaces this file.
      # HELP carbon_run_exit_code Exit code of the last run.
      # TYPE carbon_run_exit_code gauge
      carbon_run_exit_code{task="nightly"} 9
      # HELP carbon_last_run_timestamp_seconds End of the last run.
      # TYPE carbon_last_run_timestamp_seconds gauge
      carbon_last_run_timestamp_seconds{task="nightly"} <time>
      # HELP carbon_last_success_timestamp_seconds End of the last run that finished (exit code 0, 7, 8 or 9).
      # TYPE carbon_last_success_timestamp_seconds gauge
      carbon_last_success_timestamp_seconds{task="nightly"} <time>
      # HELP carbon_listed Organizations that the list has.
      # TYPE carbon_listed gauge
      carbon_listed{task="nightly"} 1
      # HELP carbon_run_result Numbers of the summary of the last run.
      # TYPE carbon_run_result gauge
      carbon_run_result{task="nightly",name="exit"} 9
      carbon_run_result{task="nightly",name="listed"} 1
      carbon_run_result{task="nightly",name="registered"} 1
      carbon_run_result{task="nightly",name="skipped"} 0
      carbon_run_result{task="nightly",name="duplicate"} 1
      carbon_run_result{task="nightly",name="rejected"} 1
      carbon_run_result{task="nightly",name="postponed"} 0
      carbon_run_result{task="nightly",name="invalid"} 0
      carbon_run_result{task="nightly",name="remaining"} 0
      carbon_run_result{task="nightly",name="elapsed_ms"} <ms>
      carbon_run_result{task="nightly",name="synthetic"} 0
      "
    `);
    expect(statSync(metrics).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(readMetrics()).not.toMatch(/secret-key|127\.0\.0\.1|suppliers/);
  });

  it('keeps the last success when a later run fails, is rejected or is stopped', async () => {
    const { input, start, samples } = await job('name\nAcme\n', record, refusal);
    expect((await start(['batch', input, '--dry-run'])).exit).toBe(0);
    expect(samples(/last_success/)).toEqual([]);
    expect((await start(['batch', input])).exit).toBe(0);
    const [success = ''] = samples(/last_success/);
    const stop = new AbortController();
    stop.abort(stopped('SIGTERM'));
    const failures: readonly [argv: string[], exit: number, world?: World][] = [
      [['batch', `${input}.missing`], 2],
      [['batch', input, '--map', 'name'], 2],
      [['batch', input, '--restart'], 143, { signal: stop.signal }],
    ];
    for (const [argv, exit, world] of failures) {
      expect((await start(argv, world)).exit).toBe(exit);
      expect(samples(/last_success|exit_code/)).toEqual([
        `carbon_run_exit_code{task="nightly"} ${exit}`,
        success,
      ]);
    }
  });

  it('writes the file after a usage error if the option comes before the invalid word', async () => {
    const { input, metrics, readMetrics } = await job('name\nAcme\n', record);
    const words = ['--metrics-file', metrics];
    expect((await run(['batch', input, ...words, '--concurrency', 'x'])).exit).toBe(2);
    expect(readMetrics()).toContain('carbon_run_exit_code{task="nightly"} 2');
    expect((await run(['batch', input, ...words, '--unknown'])).exit).toBe(2);
  });

  it('only warns when it cannot write the file', async () => {
    const { input, folder } = await job('name\nAcme\n', record);
    const own = join(folder, 'own.prom');
    writeFileSync(own, '# a comment\n');
    mkdirSync(join(folder, 'dir.prom'));
    for (const [path, why] of [
      [own, 'carbon did not write the existing file'],
      [join(folder, 'dir.prom'), 'is a directory (EISDIR)'],
      [join(folder, 'none/carbon.prom'), 'no such file or directory (ENOENT)'],
    ]) {
      const argv = ['batch', input, '--sandbox', '-q', '--metrics-file', `${path}`];
      const { stderr, exit } = await run(argv);
      expect([exit, stderr]).toEqual([
        0,
        `Warning: --metrics-file: cannot write ${path}: ${why}\n`,
      ]);
    }
    expect(readFileSync(own, 'utf8')).toBe('# a comment\n');
  });

  it('writes through a link to a file of an earlier run', async () => {
    const { input, folder, start, metrics } = await job('name\nAcme\n', record);
    mkdirSync(join(folder, 'real'));
    const real = join(folder, 'real/carbon.prom');
    writeFileSync(real, '');
    symlinkSync(real, metrics);
    await start(['batch', input]);
    expect(readFileSync(real, 'utf8')).toContain('task="nightly"');
  });
});

it('carbon sync --metrics-file writes the numbers of its summary', async () => {
  const { input, start, samples } = await job('name\nAcme\n', record);
  const { stdout } = await start(['sync', input, '--json']);
  const { summary } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const numbers = Object.entries({ ...summary, synthetic: 0 }).map(
    ([name, value]) => `carbon_run_result{task="nightly",name="${name}"} ${value}`,
  );
  expect(samples(/run_result/)).toEqual(numbers);
});

describe('writeMetrics', () => {
  it('writes names without the words that Prometheus reserves', async () => {
    const path = join(newFolder(), 'suppliers.prom');
    const summary = { registered: 3 };
    await writeMetrics(path, { exit: 0, endedAtMs: 0, isSuccess: true, summary });
    const text = readFileSync(path, 'utf8');
    const names = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = '']) => name);
    expect(names).toHaveLength(4);
    // The types in a name, and the ends of the names of counters, histograms and summaries.
    const reserved =
      /_(counter|gauge|untyped|histogram|summary)(_|$)|_(total|sum|count|bucket|info)$/;
    expect(names.filter((name) => reserved.test(name))).toEqual([]);
    expect(names.filter((name) => !/^[a-z_]+$/.test(name))).toEqual([]);
  });

  itNeeds('promtool', 'passes promtool check metrics', async () => {
    for (const task of ['suppliers', 'a"b\\c\nd\u0007', 'é']) {
      const path = join(newFolder(), `${task}.prom`);
      await writeMetrics(path, {
        exit: 0,
        endedAtMs: 1_700_000_000_500,
        isSuccess: true,
        summary: { registered: 3, list: {} },
      });
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input: readFileSync(path),
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    }
  });
});
