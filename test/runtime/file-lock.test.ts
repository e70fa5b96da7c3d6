import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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
  self: { host: 'batch', pid: 1, space: `boot ${space}`, started: space },
  startOf: (pid) => (pid === 1 ? space : undefined),
});

/* Writes the lock of a killed process. */
function abandon(path: string, machine: MachineIdentity): void {
  const self = { ...machine.self, token: 'dead', since: '2026-01-15T00:00:00.000Z', beat: 3 };
  writeFileSync(path, JSON.stringify(self));
}

/* Creates a directory like /proc in which the reader has this process id. */
function procOf(pid: number): string {
  const proc = newFolder();
  for (const folder of ['sys/kernel/random', `${pid}/ns`, `${process.pid}`])
    mkdirSync(join(proc, folder), { recursive: true });
  writeFileSync(join(proc, 'sys/kernel/random/boot_id'), 'boot\n');
  symlinkSync('pid:[4026531836]', join(proc, `${pid}/ns/pid`));
  symlinkSync(`${pid}`, join(proc, 'self'));
  writeFileSync(join(proc, `${process.pid}/stat`), `1 (node) S ${'1 '.repeat(40)}`);
  return proc;
}

describe('lockFile', () => {
  it('refuses a second run at once and names the holder, on one machine', async () => {
    const path = newPath();
    const lock = await takeLock(path, machine(10, [10, 11]));
    await expect(takeLock(path, machine(11, [10, 11]))).rejects.toThrow(
      /^Another run: process 10 on crane, since 2026-01-15/,
    );
    lock.release();
    (await takeLock(path, machine(11, [11]))).release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('takes over at once from a dead process, also when its process id is used again', async () => {
    for (const startOf of [() => undefined, () => 'later']) {
      const path = newPath();
      abandon(path, machine(10));
      const { tookMs, release } = await takeLock(path, { ...machine(11), startOf });
      expect(tookMs).toBeLessThan(1_000);
      release();
    }
  });

  it('takes over at once from a dead process whose parent does not reap it', async () => {
    const proc = procOf(process.pid);
    const here = thisMachine(process.pid, proc);
    const path = newPath();
    abandon(path, here);
    writeFileSync(join(proc, `${process.pid}/stat`), `1 (node) Z ${'1 '.repeat(40)}`);
    const { tookMs, release } = await takeLock(path, here);
    expect(tookMs).toBeLessThan(1_000);
    release();
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

  it('relies on the heartbeat when /proc lists the processes of another PID namespace', async () => {
    const path = newPath();
    const here = thisMachine(process.pid, procOf(process.pid + 1));
    abandon(path, here);
    const { tookMs, release } = await takeLock(path, here);
    expect(tookMs).toBeGreaterThanOrEqual(maxSilenceMs);
    release();
    const ours = thisMachine(process.pid, procOf(process.pid));
    abandon(path, ours);
    await expect(takeLock(path, ours)).rejects.toMatchObject(isBusy);
  });

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
});
