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
import { isRoot, mountDisk } from '../support/disk.ts';
import { newFolder } from '../support/run.ts';

const signal = new AbortController().signal;
const world = (machine: MachineIdentity, clock = new VirtualClock()) => ({
  clock,
  machine,
  signal,
});
const purpose = {
  busy: (holder: string) => new LocalError(`Another run: ${holder}`),
  unwritable: 'Choose another directory.',
};
const takeLock = (path: string, context: Parameters<typeof lockFile>[2]) =>
  lockFile(path, purpose, context);
const newPath = () => join(newFolder(), 'a.lock');

/*
 * Two containers on one node: the same kernel, the same host name, and both are process 1 of their
 * own space.
 */
const container = (space: string): MachineIdentity => ({
  self: { host: 'batch', pid: 1, space: `boot ${space}`, started: space },
  startOf: (pid) => (pid === 1 ? space : undefined),
});

describe('lockFile', () => {
  it('refuses a second run at once and names the holder, on one machine', async () => {
    const path = newPath();
    const lock = await takeLock(path, world(machine(10, [10, 11])));
    await expect(takeLock(path, world(machine(11, [10, 11])))).rejects.toMatchObject({
      name: 'LocalError',
      message: expect.stringMatching(/process 10 on crane, since 2026-01-15/),
    });
    lock.release();
    (await takeLock(path, world(machine(11, [11])))).release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('takes over at once from a dead process, also when its process id is used again', async () => {
    for (const startOf of [() => undefined, () => 'later']) {
      const path = newPath();
      await abandon(path, machine(10));
      const clock = new VirtualClock();
      const lock = await takeLock(path, world({ ...machine(11), startOf }, clock));
      expect(clock.elapsed()).toBeLessThan(1_000);
      lock.release();
    }
  });

  it('refuses a second container while the first lives, and takes over when it is dead', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const lock = await takeLock(path, world(container('A'), clock));
    await expect(takeLock(path, world(container('B'), clock))).rejects.toMatchObject({
      name: 'LocalError',
    });
    expect(clock.elapsed()).toBeLessThanOrEqual(2 * heartbeatMs);
    lock.release();

    await abandon(path, container('A'));
    const watched: string[] = [];
    const began = clock.elapsed();
    const taken = await takeLock(path, {
      ...world(container('B'), clock),
      onWait: (holder) => watched.push(holder),
    });
    expect(clock.elapsed() - began).toBeGreaterThanOrEqual(maxSilenceMs);
    expect(watched).toEqual([expect.stringContaining('process 1 on batch')]);
    taken.release();
  });

  it('lets only one of two take over', async () => {
    const path = newPath();
    await abandon(path, container('A'));
    const clock = new VirtualClock();
    const all = ['B', 'C', 'D'].map((space) => takeLock(path, world(container(space), clock)));
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of settled) if (one.status === 'fulfilled') one.value.release();
  });

  it('watches a lock that names no holder before it takes over', async () => {
    for (const text of ['', 'null', '5', '{}', '[]']) {
      const path = newPath();
      writeFileSync(path, text);
      const clock = new VirtualClock();
      const watched: string[] = [];
      const onWait = (holder: string) => watched.push(holder);
      const lock = await takeLock(path, { ...world(machine(), clock), onWait });
      expect(clock.elapsed()).toBeGreaterThanOrEqual(maxSilenceMs);
      expect(watched).toEqual(['another process']);
      lock.release();
    }
  });

  it('aborts a holder that was asleep when another run took over', async () => {
    const path = newPath();
    const clock = new VirtualClock();
    const lock = await takeLock(path, world(machine(10), clock));
    await abandon(path, machine(11));
    await clock.sleep(2 * heartbeatMs);
    expect(lock.lost.reason).toMatchObject({
      name: 'LocalError',
      message: expect.stringContaining('Another run'),
    });
    lock.release();
    expect(readFileSync(path, 'utf8')).toContain('"pid":11');
  });

  it.runIf(isRoot)(
    'proposes to free space when the disk is full (runs where tests can mount a disk)',
    async (test) => {
      const disk = mountDisk('size=8k');
      if (disk === undefined) return test.skip('this container may not mount a tmpfs');
      writeFileSync(join(disk, 'filler'), Buffer.alloc(8_192));
      await expect(takeLock(join(disk, 'a.lock'), world(machine()))).rejects.toMatchObject({
        message: expect.stringContaining('no space left on device (ENOSPC)'),
        hint: 'Nothing recorded so far is lost. Free space on the disk and run the same command again.',
      });
    },
  );

  it('takes over at once from a dead process whose parent does not reap it', async () => {
    const proc = procOf(process.pid);
    const here = thisMachine(process.pid, proc);
    const path = newPath();
    await abandon(path, here);
    writeFileSync(join(proc, `${process.pid}/stat`), `1 (node) Z ${'1 '.repeat(40)}`);
    const clock = new VirtualClock();
    (await takeLock(path, world(here, clock))).release();
    expect(clock.elapsed()).toBeLessThan(1_000);
  });

  it('relies on the heartbeat when /proc lists the processes of another PID namespace', async () => {
    const here = thisMachine(process.pid, procOf(process.pid + 1));
    const ours = thisMachine(process.pid, procOf(process.pid));
    const clock = new VirtualClock();
    const path = newPath();
    await abandon(path, here);
    (await takeLock(path, world(here, clock))).release();
    expect(clock.elapsed()).toBeGreaterThanOrEqual(maxSilenceMs);
    await abandon(path, ours);
    await expect(takeLock(path, world(ours, clock))).rejects.toMatchObject({
      name: 'LocalError',
    });
  });

  /* Writes the lock of a killed process. */
  async function abandon(path: string, machine: MachineIdentity): Promise<void> {
    const self = { ...machine.self, token: 'dead', since: '2026-01-15T00:00:00.000Z', beat: 3 };
    writeFileSync(path, JSON.stringify(self));
  }

  /* Creates a directory like /proc in which the reader has this process id. */
  function procOf(pid: number): string {
    const proc = newFolder();
    for (const folder of ['sys/kernel/random', `${pid}/ns`, `${process.pid}`]) {
      mkdirSync(join(proc, folder), { recursive: true });
    }
    writeFileSync(join(proc, 'sys/kernel/random/boot_id'), 'boot\n');
    symlinkSync('pid:[4026531836]', join(proc, `${pid}/ns/pid`));
    symlinkSync(`${pid}`, join(proc, 'self'));
    writeFileSync(join(proc, `${process.pid}/stat`), `1 (node) S ${'1 '.repeat(40)}`);
    return proc;
  }
});
