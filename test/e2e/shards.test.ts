/* Shards of one list as the documented engines start them, one of which is killed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, readText } from '../support/documents.ts';
import { carbonCommand, start } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';

const rows = 400;
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

/* Starts a sandbox with a rate limit, and a directory with a list and `carbon` in its PATH. */
async function startJob() {
  const limits = ['--rate', '100', '--burst', '10', '--latency', '100ms'];
  const sandbox = start(['sandbox', '--port', '0', '--json', ...limits]);
  await sandbox.seen('stdout', /\n/);
  const { url, key } = JSON.parse(sandbox.output.stdout);
  const folder = newFolder();
  const names = Array.from({ length: rows }, (_, row) => `Supplier ${row}\n`);
  writeFileSync(join(folder, 'suppliers.csv'), `name\n${names.join('')}`);
  const shim = `#!/bin/sh\nexec ${carbonCommand} "$@"\n`;
  writeFileSync(join(folder, 'carbon'), shim, { mode: 0o755 });
  const env = {
    HOME: folder,
    PATH: [folder, process.env['PATH']].join(delimiter),
    CARBON_BASE_URL: url,
    CARBON_API_KEY: key,
  };
  const shell = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const child = spawn('bash', ['-c', line], { env: { ...env, ...more }, cwd: folder });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [exit] = await once(child, 'close');
    return exit;
  };
  const journal = join(folder, 'suppliers.csv.3-of-8.carbon.jsonl');
  const killThird = async () => {
    const lines = () =>
      existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0;
    await expect.poll(lines, { timeout: 60_000 }).toBeGreaterThan(5);
    process.kill(JSON.parse(readFileSync(`${journal}.lock`, 'utf8')).pid, 'SIGKILL');
  };
  const proveOnce = () => {
    const journals = readdirSync(folder).filter((name) => name.endsWith('.carbon.jsonl'));
    const entries = journals
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(1))
      // The kill may have cut a line off.
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line));
    const distinct = (member: string) => new Set(entries.map((entry) => entry[member])).size;
    expect([journals.length, entries.length]).toEqual([8, rows]);
    expect([distinct('line'), distinct('id')]).toEqual([rows, rows]);
    // Only requests that were in flight at the kill are sent again.
    const sent = sandbox.output.stderr.match(/"POST".*"status":200/g)?.length ?? 0;
    expect(sent).toBeGreaterThanOrEqual(rows);
    expect(sent).toBeLessThanOrEqual(rows + 16);
  };
  return { shell, killThird, proveOnce };
}

describe('eight shards, one of which is killed, register every row once', {
  tags: ['long'],
}, () => {
  it.skipIf(!isInstalled('parallel'))('with GNU parallel (skipped without it)', async () => {
    const lines = codeBlocks('sh', ['docs/operations.md']).join('').split('\n');
    const [first = '', again = ''] = lines.filter((line) => line.startsWith('parallel '));
    const { shell, killThird, proveOnce } = await startJob();
    const running = shell(first);
    await killThird();
    expect([await running, await shell(again)]).toEqual([1, 0]);
    proveOnce();
  });

  const deployed = (file: string) => parse(readText(`deploy/${file}`));
  it.each<[string, string, readonly string[]]>([
    [
      'Kubernetes',
      'JOB_COMPLETION_INDEX',
      deployed('kubernetes/indexed-job.yaml').spec.template.spec.containers[0].args,
    ],
    [
      'AWS Batch',
      'AWS_BATCH_JOB_ARRAY_INDEX',
      deployed('aws-batch/carbon-batch.json').containerProperties.command,
    ],
  ])('with the arguments and the variable of %s', async (_, variable, args) => {
    const { shell, killThird, proveOnce } = await startJob();
    const line = `exec carbon ${args.join(' ').replace('/data/', '')}`;
    const run = (index: number) => shell(line, { [variable]: `${index}` });
    const tasks = Array.from({ length: 8 }, (_, index) => run(index));
    await killThird();
    const exits = await Promise.all(tasks);
    expect(exits.filter((exit) => exit !== 0)).toHaveLength(1);
    expect(await run(2)).toBe(0);
    proveOnce();
  });
});
