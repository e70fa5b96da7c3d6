import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from '../../build/docs/json-schemas.ts';
import { Stopped } from '../../src/runtime/context.ts';
import { compile } from '../support/json-schema.ts';
import { newFolder, run, type World } from '../support/run.ts';
import { type Reply, serve } from '../support/server.ts';

const isSummary = compile(jsonSchemaOf('metrics'));

const refusal = { status: 422, json: { status: 422, title: 'No', detail: 'No such company.' } };
const record: Reply = { json: { id: 1, name: 'Acme', status: 'synced' } };

async function job(csv: string, ...replies: Reply[]) {
  const folder = newFolder();
  const { url } = await serve(...replies);
  const input = join(folder, 'suppliers.csv');
  writeFileSync(input, csv);
  const metrics = join(folder, 'nightly.prom');
  const summary = join(folder, 'run.json');
  const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'secret-key-1' };
  return {
    folder,
    input,
    metrics,
    readMetrics: () => readFileSync(metrics, 'utf8'),
    /* Every summary of these tests meets its published schema. */
    readSummary: () => {
      const value = JSON.parse(readFileSync(summary, 'utf8'));
      expect(isSummary(value)).toEqual([]);
      return value;
    },
    start: (argv: readonly string[], world: World = {}) =>
      run([...argv, '--metrics-file', metrics], { env, ...world }),
    startJson: (argv: readonly string[], world: World = {}) =>
      run([...argv, '--metrics-file', summary], { env, ...world }),
  };
}

/** Returns the samples of a metrics file without the label that all have. */
function samples(text: string, pattern: RegExp): string[] {
  return text.split('\n').filter((line) => !line.startsWith('#') && pattern.test(line));
}

describe('carbon batch --metrics-file', () => {
  it.each(['-', 'run.txt', 'run'])('rejects %s as the file', async (path) => {
    const { stderr, exit } = await run(['batch', 'x.csv', '--metrics-file', path]);
    expect(exit).toBe(2);
    expect(stderr).toContain('--metrics-file: the name must end in .prom (Prometheus) or .json');
    expect(existsSync(path)).toBe(false);
  });

  it('writes the numbers of the run, readable for other users', async () => {
    const { input, start, startJson, metrics, readMetrics, readSummary } = await job(
      'name\nAcme\nBeta\nAcme\n',
      record,
      refusal,
      record,
      refusal,
    );
    const { exit } = await start(['batch', input, '--concurrency', '1']);
    expect(exit).toBe(9);
    expect(samples(readMetrics(), /rows|responses|exit/)).toMatchInlineSnapshot(`
      [
        "carbon_run_exit_code{command="batch",task="nightly"} 9",
        "carbon_run_responses{command="batch",task="nightly",status="200"} 1",
        "carbon_run_responses{command="batch",task="nightly",status="422"} 1",
        "carbon_batch_rows{command="batch",task="nightly",outcome="registered"} 1",
        "carbon_batch_rows{command="batch",task="nightly",outcome="skipped"} 0",
        "carbon_batch_rows{command="batch",task="nightly",outcome="duplicate"} 1",
        "carbon_batch_rows{command="batch",task="nightly",outcome="rejected"} 1",
        "carbon_batch_rows{command="batch",task="nightly",outcome="postponed"} 0",
        "carbon_batch_rows{command="batch",task="nightly",outcome="invalid"} 0",
        "carbon_batch_rows_left{command="batch",task="nightly"} 0",
      ]
    `);
    await startJson(['batch', input, '--concurrency', '1', '--restart']);
    expect(readSummary()).toMatchObject({
      kind: 'carbon_run',
      command: 'batch',
      exit: 9,
      last_success_at: expect.any(String),
      subject: 'rows',
      outcomes: { registered: 1, rejected: 1, duplicate: 1 },
      left: 0,
      requests: 2,
      responses: { 200: 1, 422: 1 },
    });
    expect(statSync(metrics).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(readMetrics()).not.toMatch(/secret-key|127\.0\.0\.1|suppliers/);
  });

  it('keeps the last success when a later run fails, is refused or is stopped', async () => {
    const { input, start, readMetrics } = await job('name\nAcme\n', record, refusal);
    expect((await start(['batch', input])).exit).toBe(0);
    const [success = ''] = samples(readMetrics(), /last_success/);
    const stop = new AbortController();
    stop.abort(new Stopped('SIGTERM'));
    const failures: readonly [argv: string[], exit: number, world?: World][] = [
      [['batch', `${input}.missing`], 2],
      [['batch', input, '--map', 'name'], 2],
      [['batch', input, '--restart'], 143, { signal: stop.signal }],
    ];
    for (const [argv, exit, world] of failures) {
      expect((await start(argv, world)).exit).toBe(exit);
      expect(samples(readMetrics(), /last_success|exit_code/)).toEqual([
        `carbon_run_exit_code{command="batch",task="nightly"} ${exit}`,
        success,
      ]);
    }
  });

  it('counts a run that finished as a success, even if rows failed', async () => {
    const { input, start, readMetrics } = await job('name\nAcme\n', refusal);
    expect((await start(['batch', input])).exit).toBe(9);
    expect(samples(readMetrics(), /last_success/)).toHaveLength(1);
  });

  it('writes the files after a usage error if the flags come before the invalid word', async () => {
    const { input, metrics, readMetrics } = await job('name\nAcme\n', record);
    const words = ['--metrics-file', metrics];
    expect((await run(['batch', input, ...words, '--concurrency', 'x'])).exit).toBe(2);
    expect(readMetrics()).toContain('carbon_run_exit_code{command="batch",task="nightly"} 2');
    expect((await run(['batch', input, ...words, '--unknown'])).exit).toBe(2);
  });

  it('does not count a dry run as a success', async () => {
    const { input, startJson, readSummary } = await job('name\nAcme\n', record);
    expect((await startJson(['batch', input, '--dry-run'])).exit).toBe(0);
    expect(readSummary()).toMatchObject({ dry_run: true, left: 1, last_success_at: null });
  });

  it('only warns when it cannot write the file', async () => {
    const { input, folder } = await job('name\nAcme\n', record);
    const own = join(folder, 'own.json');
    writeFileSync(own, '{}');
    mkdirSync(join(folder, 'dir.prom'));
    for (const [path, why] of [
      [own, 'carbon did not write the existing file'],
      [join(folder, 'dir.prom'), 'it is not a regular file'],
      [join(folder, 'none/carbon.prom'), 'its directory does not exist'],
    ]) {
      const argv = ['batch', input, '--sandbox', '-q', '--metrics-file', `${path}`];
      const { stderr, exit } = await run(argv);
      expect([exit, stderr]).toEqual([
        0,
        `Warning: --metrics-file: cannot write ${path}: ${why}\n`,
      ]);
    }
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

describe('carbon watch --metrics-file', () => {
  it('counts the organizations by the end of their research', async () => {
    const { startJson, readSummary } = await job('', (response, request) => {
      const id = Number(request.url?.split('/').at(-1));
      const status = id === 1 ? 'synced' : id === 2 ? 'errored' : 'created';
      response.statusCode = id === 4 ? 422 : 200;
      response.end(JSON.stringify(id === 4 ? refusal.json : { id, name: 'A', status }));
    });
    const { exit } = await startJson(['watch', '1', '2', '3', '4', '--timeout', '1m', '--json']);
    expect(exit).toBe(9);
    expect(readSummary()).toMatchObject({
      command: 'watch',
      subject: 'organizations',
      outcomes: { synced: 1, errored: 1, pending: 1, failed: 1, invalid: 0 },
      left: 0,
    });
  });
});

it('writes the numbers of carbon sync as its schema says', async () => {
  const { input, startJson, readSummary } = await job('name\nAcme\n', record);
  const { exit } = await startJson(['sync', input, '--dry-run']);
  expect(readSummary()).toMatchObject({ command: 'sync', exit, dry_run: true });
});
