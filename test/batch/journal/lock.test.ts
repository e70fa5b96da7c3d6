import { spawn } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  checkUnlocked,
  heartbeatMs,
  maxSilenceMs,
  takeLock,
} from '../../../src/batch/journal/lock.ts';
import type { MachineIdentity } from '../../../src/runtime/machine.ts';
import { thisMachine } from '../../../src/runtime/machine.ts';
import { VirtualClock } from '../../support/clock.ts';
import { isRoot, mountDisk } from '../../support/disk.ts';
import { newFolder } from '../../support/run.ts';
import { BatchFixture, machine } from '../batch-fixture.ts';

const signal = new AbortController().signal;
const world = (machine: MachineIdentity, clock = new VirtualClock()) => ({
  clock,
  machine,
  signal,
});
const newPath = () => join(newFolder(), 'a.lock');

/*
 * Two containers on one node: the same kernel, the same host name, and both are process 1 of their
 * own space.
 */
const container = (space: string): MachineIdentity => ({
  self: { host: 'batch', pid: 1, space: `boot ${space}`, started: space },
  startOf: (pid) => (pid === 1 ? space : undefined),
});

describe('lockProfiles', () => {
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
      onWatch: (holder) => watched.push(holder),
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

  it('takes over a lock whose holder was killed while it wrote the file', async () => {
    const path = newPath();
    writeFileSync(path, '');
    (await takeLock(path, world(machine()))).release();
  });

  it('watches a lock that names no holder before it takes over', async () => {
    for (const text of ['null', '5', '{}', '[]']) {
      const path = newPath();
      writeFileSync(path, text);
      const clock = new VirtualClock();
      const watched: string[] = [];
      const onWatch = (holder: string) => watched.push(holder);
      const lock = await takeLock(path, { ...world(machine(), clock), onWatch });
      expect(clock.elapsed()).toBeGreaterThanOrEqual(maxSilenceMs);
      expect(watched).toEqual(['another run']);
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

  it.each([
    ['of a dead process', machine(10)],
    ['of another machine that is silent', container('A')],
  ])('removes the lock %s that it only checks', async (_, dead) => {
    const path = newPath();
    await abandon(path, dead);
    await checkUnlocked(path, world(machine(11)));
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('lets a run take over while another run removes the same dead lock', async () => {
    const path = newPath();
    await abandon(path, container('A'));
    const clock = new VirtualClock();
    const [taken] = await Promise.all([
      takeLock(path, world(container('B'), clock)),
      checkUnlocked(path, world(container('C'), clock)).catch(() => undefined),
    ]);
    expect(readFileSync(path, 'utf8')).toContain('boot B');
    taken.release();
  });

  it('leaves no lock of a killed run of the complete file after the runs of its shards', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    await abandon(`${fixture.path}.carbon.jsonl.lock`, machine(10));
    for (const index of [1, 2]) await fixture.run({ shard: { index, count: 2 } });
    expect(readdirSync(fixture.folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
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

  it('accepts a path without a lock', async () => {
    await expect(checkUnlocked(newPath(), world(machine()))).resolves.toBeUndefined();
  });

  it('identifies this machine', () => {
    const { self, startOf } = thisMachine(process.pid);
    expect(self.started).toBe(startOf(process.pid));
    expect(startOf(2 ** 22 + 1)).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')(
    'takes over at once from a dead process whose parent does not reap it (Linux)',
    async () => {
      const pid = await unreaped();
      const path = newPath();
      const here = thisMachine(process.pid);
      // Of a process that has ended, /proc keeps the time at which it began.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      await abandon(path, { ...here, self: { ...here.self, pid, started } });
      const clock = new VirtualClock();
      (await takeLock(path, world(here, clock))).release();
      expect(clock.elapsed()).toBeLessThan(1_000);
    },
  );

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

  it('relies on the heartbeat when the start time of the holder is unknown', async () => {
    const { self } = machine(10);
    const unknown = { ...self, started: undefined };
    for (const startOf of [() => undefined, () => '1000']) {
      const clock = new VirtualClock();
      const path = newPath();
      const lock = await takeLock(path, world({ self: unknown, startOf }, clock));
      const second = { self: { ...self, pid: 11 }, startOf };
      await expect(takeLock(path, world(second, clock))).rejects.toMatchObject({
        name: 'LocalError',
      });
      lock.release();
      await abandon(path, { self: unknown, startOf });
      const began = clock.elapsed();
      (await takeLock(path, world(second, clock))).release();
      expect(clock.elapsed() - began).toBeGreaterThanOrEqual(maxSilenceMs);
    }
  });

  it('lets only shards of the same count run at the same time', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const shard = (index: number, count: number) => ({ shard: { index, count } });
    const first = await fixture.open(shard(1, 2));
    const second = await fixture.open(shard(2, 2));
    for (const choices of [{}, shard(1, 2), shard(3, 4)]) {
      await expect(fixture.open(choices)).rejects.toMatchObject({
        name: 'LocalError',
        message: expect.stringContaining('Another run'),
      });
    }
    first.close();
    await expect(fixture.open()).rejects.toMatchObject({ name: 'LocalError' });
    second.close();
    const whole = await fixture.open();
    await expect(fixture.open(shard(1, 2))).rejects.toMatchObject({ name: 'LocalError' });
    whole.close();
    expect(readdirSync(fixture.folder)).toEqual(['suppliers.csv']);
  });

  it.each([
    ['a symbolic link', (journal: string, name: string) => symlinkSync(journal, name)],
    [
      'a link to a link',
      (journal: string, name: string) => {
        symlinkSync(journal, `${name}.1`);
        symlinkSync(`${basename(name)}.1`, name);
      },
    ],
    ['a hard link', (journal: string, name: string) => linkSync(journal, name)],
  ])('refuses a second run on a journal by another name: %s', async (_, link) => {
    const fixture = new BatchFixture('name\nAcme\n');
    const { journal } = await fixture.run();
    const name = join(fixture.folder, 'other.jsonl');
    link(journal, name);
    for (const [first, second] of [
      [journal, name],
      [name, journal],
    ] as const) {
      const running = await fixture.open({ journal: first });
      await expect(fixture.open({ journal: second })).rejects.toMatchObject({
        name: 'LocalError',
        message: expect.stringContaining('Another run'),
      });
      running.close();
    }
    expect((await fixture.run({ journal: name })).sent).toEqual([]);
  });

  it('refuses a journal with a hard link in another directory, and sends nothing', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const { journal } = await fixture.run();
    const elsewhere = join(newFolder(), 'j.jsonl');
    linkSync(journal, elsewhere);
    fixture.write('name\nAcme\nGlobex\n');
    // It does not make up for the name that is not found.
    symlinkSync(journal, `${journal}.link`);
    for (const name of [journal, `${journal}.link`, elsewhere]) {
      await expect(fixture.run({ journal: name })).rejects.toMatchObject({
        name: 'UsageError',
        message: `The journal ${name} has a hard link in another directory, so two runs could use it at the same time`,
        hint: 'Copy the journal, or remove the hard link.',
      });
    }
    expect(fixture.api.bodies).toHaveLength(1);
    expect(readdirSync(fixture.folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
    unlinkSync(elsewhere);
    expect((await fixture.run()).sent).toEqual([{ name: 'Globex' }]);
  });

  it('refuses a second run on a journal that does not exist yet, by a link or a relative path', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const folder = newFolder();
    const journal = join(folder, 'j.jsonl');
    const link = join(fixture.folder, 'link.jsonl');
    symlinkSync(journal, link);
    const running = await fixture.open({ journal: link });
    for (const name of [journal, relative(process.cwd(), journal)]) {
      await expect(fixture.open({ journal: name })).rejects.toMatchObject({ name: 'LocalError' });
    }
    running.close();
    await fixture.run({ journal: link });
    expect(readdirSync(folder)).toEqual(['j.jsonl']);
  });

  it('renames the target of a journal link when the run starts over', async () => {
    const fixture = new BatchFixture('name\nAcme\n');
    const journal = join(newFolder(), 'j.jsonl');
    const link = join(fixture.folder, 'link.jsonl');
    symlinkSync(journal, link);
    await fixture.run({ journal: link });
    await fixture.run({ journal: link, restart: true });
    expect((await fixture.run({ journal })).sent).toEqual([]);
    expect(readFileSync(`${journal}.previous`, 'utf8')).toContain('"key"');
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

  /*
   * The number of a process that has ended and whose parent lives on without asking for its exit
   * code.
   */
  async function unreaped(): Promise<number> {
    // The shell becomes a program that knows nothing of its child before that ends with its input.
    const script = 'exec 3<&0; cat <&3 >/dev/null & echo $!; exec tail -f /dev/null';
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.on('data', (text: Buffer) => resolve(Number(text)));
    });
    const poll = (read: () => string) => expect.poll(read, { timeout: 30_000 });
    await poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('tail\n');
    parent.stdin.end();
    await poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain('(cat) Z');
    return pid;
  }
});
