import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LocalError } from '../../src/runtime/carbon-error.ts';
import {
  briefSilenceMs,
  heartbeatMs,
  lockFile,
  type MachineIdentity,
  maxSilenceMs,
  thisMachine,
} from '../../src/runtime/file-lock.ts';
import { machine } from '../lists/batch/batch-fixture.ts';
import { VirtualClock } from '../support/clock.ts';
import { newFolder } from '../support/run.ts';

const { signal } = new AbortController();
const newPath = () => join(newFolder(), 'a.lock');

async function takeLock(
  path: string,
  machine: MachineIdentity,
  clock = new VirtualClock(),
  patienceMs = 0,
) {
  const watched: string[] = [];
  const began = clock.elapsed();
  const busy = (holder: string, suspended: number | undefined) =>
    new LocalError(`Another run: ${holder}; suspended: ${suspended}`);
  const lock = await lockFile(
    path,
    { busy, unwritable: 'Choose another directory.', patienceMs },
    { clock, machine, signal, onWait: (holder, maxMs) => watched.push(`${holder} ${maxMs}`) },
  );
  return { ...lock, watched, tookMs: clock.elapsed() - began };
}

const isBusy = { name: 'LocalError', message: expect.stringContaining('Another run: process') };

const releaseAtOnce = <Lock extends { release(): void }>(lock: Lock): Lock => {
  lock.release();
  return lock;
};

/*
 * Two containers on one node: the same kernel, the same host name, and both are process 1 of their
 * own space.
 */
const container = (space: string): MachineIdentity => ({
  host: 'batch',
  pid: 1,
  space: `boot ${space}`,
  find: (pid) => (pid === 1 ? { start: '1', isSuspended: false } : undefined),
});

/* Writes the lock of a process that writes no more; one of 0.2.0 has neither version nor start. */
function abandon(path: string, { host, pid, space }: MachineIdentity, more = {}): void {
  const record = { host, pid, space, token: 'dead', since: '2026-01-15T00:00:00.000Z', beat: 3 };
  writeFileSync(path, JSON.stringify({ ...record, version: 2, start: '1', ...more }));
}

const of020 = { version: undefined, start: undefined };

describe('lockFile', () => {
  it('rejects a second run on one machine and names the holder', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const lock = await takeLock(path, machine(10, [10, 11]), clock);
    await expect(takeLock(path, machine(11, [10, 11]), clock)).rejects.toThrow(
      /^Another run: process 10 on crane, since 2026-01-15/,
    );
    expect(clock.elapsed()).toBeLessThanOrEqual(2 * heartbeatMs);
    lock.release();
    (await takeLock(path, machine(11, [11]))).release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('takes over at once from a process that has ended', async () => {
    const here = thisMachine(process.pid);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    for (const more of [{}, of020]) {
      const path = newPath();
      abandon(path, { ...here, space: here.space ?? 'a', pid: ended }, more);
      const { tookMs, release } = await takeLock(path, { ...here, space: here.space ?? 'a' });
      expect(tookMs).toBeLessThan(1_000);
      release();
    }
  });

  it('takes over at once if the process id belongs to a later process, or to this one', async () => {
    const path = newPath();
    const later = { start: '2', isSuspended: false };
    const here: MachineIdentity = { ...machine(10), find: () => later };
    for (const holder of [machine(11), machine(10)]) {
      abandon(path, holder);
      const { tookMs, release } = await takeLock(path, here);
      expect(tookMs).toBeLessThan(1_000);
      release();
    }
  });

  it('takes over from a lock of 0.2.0 after 15 s if its process id is used again', async () => {
    const path = newPath();
    abandon(path, machine(11), of020);
    const again = await takeLock(path, machine(10, [10, 11]));
    expect(again.tookMs).toBeGreaterThanOrEqual(briefSilenceMs);
    expect(again.tookMs).toBeLessThan(2 * briefSilenceMs);
    expect(again.watched).toEqual([expect.stringMatching(/^process 11 on crane, .* 15000$/)]);
    again.release();
  });

  it('never takes over from a living process, however long it is suspended', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    abandon(path, machine(11));
    const long = new Date(Date.now() - 86_400_000);
    utimesSync(path, long, long);
    const stopped = { start: '1', isSuspended: true };
    const here: MachineIdentity = { ...machine(10), find: () => stopped };
    await expect(takeLock(path, here, clock)).rejects.toThrow(
      /^Another run: process 11 on crane, .*; suspended: 11$/,
    );
    expect(clock.elapsed()).toBeLessThan(1_000);
  });

  it.runIf(process.platform === 'linux')(
    'finds out when a process started, and whether it is suspended or has ended (Linux only)',
    async () => {
      const { find } = thisMachine(process.pid);
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      onTestFinished(() => void child.kill('SIGKILL'));
      const pid = child.pid ?? 0;
      const until = async (isReached: () => boolean) => {
        while (!isReached()) await new Promise(setImmediate);
      };
      const { start } = find(pid) ?? {};
      expect(start).toMatch(/^\d+$/);
      child.kill('SIGSTOP');
      await until(() => find(pid)?.isSuspended === true);
      child.kill('SIGKILL');
      await until(() => find(pid) === undefined);
      expect(find(process.pid)).toMatchObject({ isSuspended: false });
      expect(find(process.pid)?.start).not.toBe(start);
    },
  );

  it('refuses a second container while the first lives, and takes over when it is dead', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const lock = await takeLock(path, container('A'), clock);
    await expect(takeLock(path, container('B'), clock)).rejects.toMatchObject(isBusy);
    expect(clock.elapsed()).toBeLessThanOrEqual(2 * heartbeatMs);
    lock.release();

    abandon(path, container('A'));
    const { tookMs, watched, release } = await takeLock(path, container('B'), clock);
    expect(tookMs).toBeGreaterThanOrEqual(maxSilenceMs - 1_000);
    expect(watched).toEqual([expect.stringMatching(/^process 1 on batch, .* 600000$/)]);
    release();
  });

  it('watches a lock of another container for 15 s if it is older than ten minutes', async () => {
    const path = newPath();
    abandon(path, container('A'));
    const before = new Date(Date.now() - maxSilenceMs);
    utimesSync(path, before, before);
    const { tookMs, release } = await takeLock(path, container('B'));
    expect(tookMs).toBeGreaterThanOrEqual(briefSilenceMs);
    expect(tookMs).toBeLessThan(2 * briefSilenceMs);
    release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('waits for live holders if it has patience, one after the other', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const first = await takeLock(path, machine(10), clock);
    const waiting = [11, 12, 13].map((pid) =>
      takeLock(path, machine(pid, [10, 11, 12, 13]), clock, 30_000),
    );
    await clock.sleep(5_000);
    first.release();
    for (const lock of await Promise.all(waiting.map((each) => each.then(releaseAtOnce)))) {
      expect(lock.watched).toEqual([]);
      expect(lock.lost.aborted).toBe(false);
    }
    const holder = await takeLock(path, machine(10), clock);
    const again = takeLock(path, machine(11, [10, 11]), clock, 30_000);
    await expect(again).rejects.toMatchObject(isBusy);
    holder.release();
  });

  it('lets only one of three take over', async () => {
    const path = newPath();
    abandon(path, container('A'));
    const clock = new VirtualClock();
    const settled = await Promise.allSettled(
      ['B', 'C', 'D'].map((space) => takeLock(path, container(space), clock)),
    );
    const taken = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    expect(taken).toHaveLength(1);
    taken[0]?.release();
  });

  it('watches a lock that names no holder before it takes over', async () => {
    for (const text of ['', 'null', '5', '{}', '[]']) {
      const path = newPath();
      writeFileSync(path, text);
      const { tookMs, watched, release } = await takeLock(path, machine());
      expect(tookMs).toBeGreaterThanOrEqual(briefSilenceMs);
      expect(watched).toEqual(['another process 15000']);
      release();
    }
  });

  it.skipIf(process.platform === 'win32')(
    'replaces a link to nothing, and never its target (skipped on Windows: links need rights)',
    async () => {
      const path = newPath();
      const target = join(newFolder(), 'target');
      symlinkSync(target, path);
      const { watched, release } = await takeLock(path, machine(10, [10]));
      expect(watched).toEqual(['another process 15000']);
      release();
      writeFileSync(target, 'text');
      symlinkSync(target, path);
      (await takeLock(path, machine(10, [10]))).release();
      expect(readFileSync(target, 'utf8')).toBe('text');
    },
  );

  it('aborts a holder that was asleep when another run took over', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const lock = await takeLock(path, machine(10), clock);
    abandon(path, machine(11));
    await clock.sleep(2 * heartbeatMs);
    expect(lock.lost.reason).toMatchObject({
      name: 'LocalError',
      message: expect.stringContaining('Another run took the lock'),
    });
    lock.release();
    expect(readFileSync(path, 'utf8')).toContain('"pid":11');
  });

  it('tells a holder before its next write that another run took over', async () => {
    for (const step of ['check', 'confirm'] as const) {
      const path = newPath();
      const asleep = Object.assign(new VirtualClock(), {
        sleep: () => new Promise<void>(() => {}),
      });
      const lock = await takeLock(path, container('A'), asleep);
      lock[step]();
      const before = new Date(Date.now() - maxSilenceMs);
      utimesSync(path, before, before);
      writeFileSync(lock.aside, 'half a file');
      const next = await takeLock(path, container('B'));
      expect(existsSync(lock.aside)).toBe(false);
      const error = expect.objectContaining({
        message: expect.stringContaining('Another run took the lock'),
      });
      expect(() => lock[step]()).toThrow(error);
      expect(lock.lost.reason).toEqual(error);
      lock.release();
      next[step]();
      next.release();
      expect(readdirSync(join(path, '..'))).toEqual([]);
    }
  });

  it('says how to continue when the lock cannot be written', async () => {
    await expect(takeLock(join(newPath(), 'b.lock'), machine())).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot write the lock .*: no such file or directory/),
      hint: 'Choose another directory.',
    });
  });

  it('says the same when it cannot be written any more', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const lock = await takeLock(path, machine(10), clock);
    rmSync(path);
    mkdirSync(path);
    await clock.sleep(2 * heartbeatMs);
    expect(lock.lost.reason).toMatchObject({
      name: 'LocalError',
      message: expect.stringContaining(`Cannot write the lock ${path}: `),
      hint: 'Choose another directory.',
    });
    lock.release();
  });
});
