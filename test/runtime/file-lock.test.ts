import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalError } from '../../src/runtime/carbon-error.ts';
import {
  heartbeatMs,
  lockFile,
  type MachineIdentity,
  maxSilenceMs,
  thisMachine,
} from '../../src/runtime/file-lock.ts';
import { machine } from '../batch/batch-fixture.ts';
import { VirtualClock } from '../support/clock.ts';
import { newFolder } from '../support/run.ts';

const { signal } = new AbortController();
const newPath = () => join(newFolder(), 'a.lock');

async function takeLock(path: string, machine: MachineIdentity, clock = new VirtualClock()) {
  const watched: string[] = [];
  const began = clock.elapsed();
  const busy = (holder: string) => new LocalError(`Another run: ${holder}`);
  const lock = await lockFile(
    path,
    { busy, unwritable: 'Choose another directory.' },
    { clock, machine, signal, onWait: (holder) => watched.push(holder) },
  );
  return { ...lock, watched, tookMs: clock.elapsed() - began };
}

const isBusy = { name: 'LocalError', message: expect.stringContaining('Another run: process') };

/*
 * Two containers on one node: the same kernel, the same host name, and both are process 1 of their
 * own space.
 */
const container = (space: string): MachineIdentity => ({
  host: 'batch',
  pid: 1,
  space: `boot ${space}`,
  isAlive: (pid) => pid === 1,
});

/* Writes the lock of a killed process. */
function abandon(path: string, machine: MachineIdentity): void {
  const record = { ...machine, token: 'dead', since: '2026-01-15T00:00:00.000Z', beat: 3 };
  writeFileSync(path, JSON.stringify(record));
}

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

  it('takes over at once from a dead process, and later if its process id is used again', async () => {
    const here = thisMachine(process.pid);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const path = newPath();
    abandon(path, { ...here, space: here.space ?? 'a', pid: ended });
    const { tookMs, release } = await takeLock(path, { ...here, space: here.space ?? 'a' });
    expect(tookMs).toBeLessThan(1_000);
    release();
    abandon(path, here);
    const again = await takeLock(path, here);
    expect(again.tookMs).toBeGreaterThanOrEqual(maxSilenceMs);
    again.release();
  });

  it('refuses a second container while the first lives, and takes over when it is dead', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const lock = await takeLock(path, container('A'), clock);
    await expect(takeLock(path, container('B'), clock)).rejects.toMatchObject(isBusy);
    expect(clock.elapsed()).toBeLessThanOrEqual(2 * heartbeatMs);
    lock.release();

    abandon(path, container('A'));
    const { tookMs, watched, release } = await takeLock(path, container('B'), clock);
    expect(tookMs).toBeGreaterThanOrEqual(maxSilenceMs);
    expect(watched).toEqual([expect.stringContaining('process 1 on batch')]);
    release();
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
      expect(tookMs).toBeGreaterThanOrEqual(maxSilenceMs);
      expect(watched).toEqual(['another process']);
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
      expect(watched).toEqual(['another process']);
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
