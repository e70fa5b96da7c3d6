import { readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carbonCommand, execute, shell, start } from '../support/executable.ts';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { serveRegistry } from '../support/server.ts';

/** Writes a CSV file into a new home directory; returns the environment for the service, too. */
function suppliers(service: { url: string }, count: number) {
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  const lines = Array.from({ length: count }, (_, index) => `Supplier ${index}\n`);
  writeFileSync(path, `name\n${lines.join('')}`);
  const env = { HOME: home, CARBON_BASE_URL: service.url, CARBON_API_KEY: 'canary-key-77' };
  return { path, env, readJournal: () => readFileSync(`${path}.carbon.jsonl`, 'utf8') };
}

describe('carbon batch', () => {
  it('registers every row once when it is killed repeatedly', { tags: ['long'] }, async () => {
    const rows = 2_000;
    let killAfter = 0;
    let kill = () => {};
    const service = await serveRegistry((count) => {
      if (count >= killAfter) kill();
    });
    const { path, env, readJournal } = suppliers(service, rows);
    let killed = 0;
    for (; killed < 12; killed += 1) {
      const running = start(['batch', path, '--no-progress'], { env });
      kill = () => running.child.kill('SIGKILL');
      // Up to 300 requests after the start, spread as the golden ratio spreads them.
      killAfter = service.seen.length + 1 + Math.floor(300 * ((killed * 0.618) % 1));
      const { signal } = await running.ended;
      if (signal !== 'SIGKILL') break;
    }
    kill = () => {};
    expect(killed).toBeGreaterThanOrEqual(5);
    const last = await execute(['batch', path, '--json', '--no-progress'], { env });
    expect([last.exit, last.stderr]).toEqual([0, '']);
    const lines = jsonLines(last.stdout);
    expect(new Set(lines.map(({ line }) => line)).size).toBe(rows);
    for (const { line, id } of lines)
      expect([line, id]).toEqual([line, service.ids.get(`Supplier ${line - 2}`)]);
    expect(service.ids.size).toBe(rows);
    const before = service.seen.length;
    const again = await execute(['batch', path, '--no-progress'], { env });
    expect(again).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    expect(service.seen.length).toBe(before);
    expect(readJournal()).not.toContain('canary-key-77');
  });

  it('completes requests in flight and reports the remaining rows on Ctrl-C', async () => {
    const rows = 60;
    let interrupt = () => {};
    const service = await serveRegistry((count) => {
      if (count === 2) interrupt();
    });
    const { path, env } = suppliers(service, rows);
    const running = start(['batch', path, '--rate', '5', '--json'], { env });
    interrupt = () => running.child.kill('SIGINT');
    const { signal, stdout, stderr } = await running.ended;
    expect(signal).toBe('SIGINT');
    const done = jsonLines(stdout).length;
    expect(done).toBe(service.seen.length);
    const { summary } = jsonLines(stderr).at(-1);
    expect(summary).toMatchObject({ exit: 130, registered: done, remaining: rows - done });
    const finished = await run(['batch', path, '-q', '--no-progress'], { env });
    expect([finished.exit, service.ids.size, service.seen.length]).toEqual([0, rows, rows]);
  });

  it('ends at once on a second signal and sends the rows in flight again in the next run', async () => {
    let responds = false;
    let onAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const service = await serveRegistry(() => {
      onAsked();
      return responds ? undefined : 'ignore';
    });
    const { path, env } = suppliers(service, 20);
    const running = start(['batch', path], { env });
    await asked;
    running.child.kill('SIGINT');
    // The second signal differs, because two equal ones may arrive as one. The process raises the
    // one that arrives first again.
    running.child.kill('SIGTERM');
    const { signal, stdout } = await running.ended;
    expect([signal === 'SIGINT' || signal === 'SIGTERM', stdout]).toEqual([true, '']);
    responds = true;
    const next = await run(['batch', path, '--no-progress'], { env });
    expect(next).toMatchObject({ exit: 0, stderr: '' });
    expect(service.ids.size).toBe(20);
  });

  it('ends when the reader closes the pipe, and resumes in the next run', async () => {
    const rows = 60;
    let close = () => {};
    const service = await serveRegistry((count) => {
      if (count === 2) close();
    });
    const { path, env } = suppliers(service, rows);
    const running = start(['batch', path, '-q', '--no-progress', '--rate', '5'], { env });
    close = () => running.child.stdout?.destroy();
    const { exit, stderr } = await running.ended;
    const error = 'Error: Standard output was closed before all rows were processed\nHint: ';
    expect([exit, stderr]).toEqual([1, expect.stringContaining(error)]);
    expect(service.seen.length).toBeLessThan(rows);
    const finished = await run(['batch', path, '-q'], { env });
    expect([finished.exit, finished.stdout.match(/\n/g)?.length]).toEqual([0, rows]);
    expect([service.ids.size, service.seen.length]).toEqual([rows, rows]);
  });

  it('reports one error and keeps the journal when the journal cannot grow', async () => {
    const many = 400;
    // The journal of so many rows exceeds the limit. The others wait for the run to find out.
    const answered = 150;
    let isOver = false;
    let onFull = () => {};
    const full = new Promise<'disconnect'>((resolve) => {
      onFull = () => resolve('disconnect');
    });
    const service = await serveRegistry((count) =>
      count <= answered || isOver ? undefined : full,
    );
    const { path, env, readJournal } = suppliers(service, many);
    // The shell counts the limit in blocks of 1024 bytes. The journal needs about 45 KB.
    const limited = `ulimit -f 10; exec ${carbonCommand} batch "${path}"`;
    const watcher = watch(dirname(path), () => {
      const journal = statSync(`${path}.carbon.jsonl`, { throwIfNoEntry: false });
      if (journal?.size === 10 * 1024) onFull();
    });
    onTestFinished(() => watcher.close());
    const { exit, stderr } = await shell(limited, { env });
    expect(exit).toBe(1);
    expect(stderr.match(/Error: .*/g)).toEqual([
      expect.stringContaining(`Cannot write the journal ${path}.carbon.jsonl: `),
    ]);
    const sent = service.seen.length;
    expect(sent).toBeLessThan(many);
    const journaled = readJournal().match(/}\n/g)?.length ?? 0;
    expect(journaled).toBeGreaterThan(50);
    isOver = true;
    const next = await run(['batch', path, '--no-progress'], { env });
    expect(next).toMatchObject({ exit: 0, stderr: '' });
    expect(service.ids.size).toBe(many);
    expect(service.seen.length).toBe(sent + many - (journaled - 1));
  });
});
