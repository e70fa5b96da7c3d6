/* A report page is complete or missing, even after a signal, a full disk or a closed pipe. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRoot, mountDisk } from '../support/disk.ts';
import { carbon, execute, node, start } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';

/* Creates a directory with records, by default enough for a page of half a megabyte. */
function filledFolder(length = 1_500): string {
  const home = newFolder();
  const records = Array.from({ length }, (_, id) => ({
    id,
    name: `Supplier ${id}`,
    performances: [{ year: 2024, emissions: { total: id } }],
  }));
  writeFileSync(
    join(home, 'r.ndjson'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  return home;
}
const isComplete = (path: string) => {
  const page = readFileSync(path, 'utf8');
  return page.startsWith('<!doctype html>') && page.endsWith('</html>\n');
};
const oldPage = '<!doctype html><meta name="generator" content="carbon">the old one</html>\n';

/* Creates a home with records, and a directory in it with the page of an earlier report. */
function folderWithPage(): { home: string; folder: string; out: string } {
  const home = filledFolder();
  const folder = join(home, 'out');
  mkdirSync(folder);
  const out = join(folder, 'p.html');
  writeFileSync(out, oldPage);
  return { home, folder, out };
}

/* Resolves with how a process ended and what it printed, so that a failed test shows the cause. */
async function endOf(child: ChildProcessWithoutNullStreams) {
  // A process that ends before it has read everything breaks the pipe.
  child.stdin.on('error', () => undefined);
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const [code, died] = await once(child, 'close');
  return { died, code, stderr };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  '%s leaves the complete old or new page when carbon report writes a page',
  async (signal) => {
    const { home, folder, out } = folderWithPage();
    const running = start(['report', 'r.ndjson', '--out', out, '--overwrite'], {
      env: { HOME: home },
    });
    // The first change in the directory is the temporary file. The test sends one signal, because a
    // second one ends any run at once.
    const watcher = watch(folder, () => {
      watcher.close();
      running.child.kill(signal);
    });
    onTestFinished(() => watcher.close());
    const { signal: died, stderr } = await running.ended;
    expect([isComplete(out), stderr]).toEqual([
      true,
      expect.not.stringMatching(/Error|at .*\.cjs/),
    ]);
    if (signal === 'SIGKILL') return;
    expect([died, readdirSync(folder)]).toEqual([signal, ['p.html']]);
  },
);

describe('SIGINT', () => {
  it('ends carbon report when nobody opens a named pipe for writing', async () => {
    const home = filledFolder(3);
    execFileSync('mkfifo', [join(home, 'pipe')]);
    const child = spawn(node, [carbon, 'report', '-', 'pipe'], { env: { HOME: home }, cwd: home });
    const ended = endOf(child);
    await new Promise((resolve) => child.stdin.write('{"id":1}\n'.repeat(20_000), resolve));
    // The process opens the pipe after the end of standard input.
    child.stdin.end();
    child.kill('SIGINT');
    expect(await ended).toEqual({ died: 'SIGINT', code: null, stderr: expect.any(String) });
  });
});

describe('carbon report and diff with a faulty disk', () => {
  it.runIf(isRoot).for<[string, string, string]>([
    ['full', 'size=64k', 'no space left on device'],
    ['read-only', 'ro', 'read-only'],
  ])(
    'keep the old page when the disk is %s (runs where tests can mount a disk)',
    async ([, options, says], test) => {
      const folder = mountDisk(options);
      if (folder === undefined) return test.skip('this container may not mount a tmpfs');
      const home = filledFolder();
      const out = join(folder, 'p.html');
      if (options !== 'ro') writeFileSync(out, oldPage);
      const { exit, stderr } = await execute(['report', 'r.ndjson', '--out', out, '--overwrite'], {
        env: { HOME: home },
      });
      expect([exit, stderr]).toEqual([1, expect.stringContaining(says)]);
      expect(stderr.match(/^Error: /gm)).toHaveLength(1);
      expect(existsSync(out) ? readFileSync(out, 'utf8') : oldPage).toBe(oldPage);
      expect(readdirSync(folder)).toEqual(options === 'ro' ? [] : ['p.html']);
    },
  );
});
