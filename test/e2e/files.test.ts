/* What the executable leaves in a folder, and in which order it makes that durable. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asidePath } from '../../src/runtime/atomic-file.ts';
import { thisMachine } from '../../src/runtime/machine.ts';
import { carbon, execute, isOpenToOthers, node } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

const calls = join(import.meta.dirname, '../support/file-calls.cjs');

async function refusing() {
  const { url } = await serve({
    status: 422,
    json: { status: 422, title: 'Unprocessable', detail: 'No.' },
  });
  const home = newFolder();
  writeFileSync(join(home, 's.csv'), 'name\nAcme\nGlobex\n');
  const env = { HOME: home, CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
  const hooked = { ...env, NODE_OPTIONS: `--require ${JSON.stringify(calls)}` };
  return { home, env, hooked };
}

const records = '{"id":1,"name":"Acme","status":"synced","score":0.5}\n';
const hidden = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith('.carbon-'));

/* Where the system does not, files aside are removed for their age only. */
const knowsProcesses = thisMachine(process.pid).self.space !== undefined;

describe.runIf(knowsProcesses)(
  'a process that is killed (runs where the system tells who is alive)',
  () => {
    it('while it writes failed rows leaves a file aside, and the next run removes it', async () => {
      const { home, env, hooked } = await refusing();
      const killed = await execute(['batch', 's.csv'], {
        env: { ...hooked, KILL_AT_RENAME: 's.failed.csv' },
      });
      expect([killed.signal, hidden(home).length]).toEqual(['SIGKILL', 1]);
      expect((await execute(['batch', 's.csv'], { env })).exit).toBe(9);
      expect(readdirSync(home).sort()).toEqual(['s.csv', 's.csv.carbon.jsonl', 's.failed.csv']);
    });

    it('while it writes a page leaves a file aside, and the next page removes it', async () => {
      const { home, env, hooked } = await refusing();
      writeFileSync(join(home, 'r.ndjson'), records);
      const words = ['report', 'r.ndjson', '--out', 'page.html'];
      const killed = await execute(words, { env: { ...hooked, KILL_AT_RENAME: 'page.html' } });
      expect([killed.signal, hidden(home).length]).toEqual(['SIGKILL', 1]);
      expect((await execute(words, { env })).exit).toBe(0);
      expect(readdirSync(home).sort()).toEqual(['page.html', 'r.ndjson', 's.csv']);
    });

    it('while it reads standard input leaves nothing', async () => {
      const { home, env } = await refusing();
      const temporary = newFolder();
      const words = ['batch', '-', '--journal', 'j'];
      const child = spawn(node, [carbon, ...words], {
        env: { ...env, TMPDIR: temporary },
        cwd: home,
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
      child.stdin.on('error', () => undefined);
      // More than a pipe holds: the process has copied most of it when all of it has gone.
      await new Promise((resolve) =>
        child.stdin.write(`name\n${'Acme\n'.repeat(200_000)}`, resolve),
      );
      child.kill('SIGKILL');
      expect([await ended, readdirSync(temporary)]).toEqual(['SIGKILL', []]);
    });
  },
);

it.runIf(knowsProcesses)(
  'removes only what dead processes left aside (runs where the system tells who is alive)',
  async () => {
    const { home, env } = await refusing();
    const { self, startOf } = thisMachine(process.pid);
    const target = join(home, 's.failed.csv');
    const alive = asidePath(target, self);
    const dead = asidePath(target, { ...self, pid: 2 ** 22 + 1 });
    const reused = asidePath(target, { ...self, started: `${startOf(process.pid)}0` });
    const elsewhere = { ...self, space: 'another machine' };
    const [near, far] = [asidePath(target, elsewhere), asidePath(target, elsewhere)];
    const [old, young] = [`${target}.${randomUUID()}`, join(home, `.carbon-${randomUUID()}`)];
    const users = [`${target}.backup`, join(home, '.carbon-notes')];
    for (const path of [alive, dead, reused, near, far, old, young, ...users])
      writeFileSync(path, 'x');
    const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
    for (const path of [far, old, alive, ...users]) utimesSync(path, twoDaysAgo, twoDaysAgo);
    expect((await execute(['batch', 's.csv'], { env })).exit).toBe(9);
    const left = readdirSync(home).map((name) => join(home, name));
    expect(left.filter((path) => ![join(home, 's.csv'), target].includes(path)).sort()).toEqual(
      [alive, near, young, ...users, join(home, 's.csv.carbon.jsonl')].sort(),
    );
  },
);

describe('names are on the disk before a run ends', () => {
  /* The calls of a run, with the file aside as <aside>. */
  async function callsOf(words: readonly string[], home: string, env: Record<string, string>) {
    const log = join(newFolder(), 'calls');
    const run = await execute(words, { env: { ...env, FILE_CALLS: log } });
    const text = readFileSync(log, 'utf8').replace(/\.carbon-[\w-]+/g, '<aside>');
    return { ...run, calls: text.replaceAll(`${home}/`, './').replaceAll(home, '.').split('\n') };
  }

  it('of a new journal and of failed rows', async () => {
    const { home, hooked } = await refusing();
    const { exit, calls } = await callsOf(['batch', 's.csv', '--concurrency', '1'], home, hooked);
    expect(exit).toBe(9);
    // The header, the folder; then the rows, and last the file that takes its place.
    expect(calls.slice(0, 2)).toEqual(['sync s.csv.carbon.jsonl', 'sync .']);
    expect(calls.slice(-4)).toEqual([
      'sync ./<aside>',
      'rename ./<aside> s.failed.csv',
      'sync .',
      '',
    ]);
  });

  it('of a page', async () => {
    const { home, hooked } = await refusing();
    writeFileSync(join(home, 'r.ndjson'), records);
    const { calls } = await callsOf(['report', 'r.ndjson', '--out', 'page.html'], home, hooked);
    expect(calls).toEqual(['sync ./<aside>', 'rename ./<aside> page.html', 'sync .', '']);
  });
});

/* Root may write everywhere, so another user runs it. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined;
const readOnly =
  'writes failed rows beside the journal when the folder of the input is read-only ' +
  '(skipped for root whose files are closed to others)';

it.skipIf(uid !== undefined && !isOpenToOthers())(readOnly, async () => {
  const { home, env } = await refusing();
  const journals = newFolder();
  chmodSync(home, 0o555);
  chmodSync(journals, 0o777);
  const words = ['batch', 's.csv', '--journal', join(journals, 'night.carbon.jsonl')];
  for (const found of ['registered', 'refused earlier']) {
    const { exit, stderr } = await execute(words, { env, cwd: home, uid });
    expect([exit, stderr]).toEqual([9, expect.stringContaining('2 refused')]);
    expect(stderr).toMatch(new RegExp(found));
    expect(stderr).toContain(`carbon batch ${journals}/night.failed.csv`);
  }
  expect(readFileSync(join(journals, 'night.failed.csv'), 'utf8')).toMatch(/^Acme,.*No\./m);
  expect(readdirSync(home)).toEqual(['s.csv']);
});
