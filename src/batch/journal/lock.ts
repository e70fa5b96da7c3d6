/*
 * Admits one run per journal, on one machine or on several that share a disk. The lock is a file
 * that its holder rewrites every few seconds. Another run watches the file: if it does not change
 * for a while, by the clock of the watcher, the holder is dead. carbon never compares the clocks of
 * two machines. It compares process ids only within one PID namespace, because every container has
 * a process 1.
 *
 * A takeover follows Fischer's algorithm: write your token, wait longer than others need between
 * reading and writing, then check that the file still has your token.
 */
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { isObject } from '../../api/ids.ts';
import { removeStaleFiles } from '../../runtime/atomic-file.ts';
import { LocalError, UsageError } from '../../runtime/carbon-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isInUse } from '../../runtime/file-in-use.ts';
import { isAlive, type MachineIdentity, type ProcessIdentity } from '../../runtime/machine.ts';
import { checkFileName } from '../../runtime/windows-name.ts';
import type { Shard } from '../shard.ts';
import {
  createLock,
  readLock,
  readLockText,
  releaseLock,
  removeDeadLock,
  replaceLock,
} from './lock-file.ts';
import { journalFiles, linkedJournal, lockFile, otherNames } from './paths.ts';

/** Interval at which a holder rewrites its lock, in milliseconds. */
export const heartbeatMs = 2_000;
/** Time without a change after which a holder counts as dead, in milliseconds. */
export const maxSilenceMs = 15_000;
/* Interval at which a watcher reads the lock, in milliseconds. */
const watchIntervalMs = 500;
/* Wait that reveals a simultaneous takeover by another run, in milliseconds. */
const settleMs = { sameMachine: 50, otherMachine: 1_000 } as const;

/* Attempts to replace a lock that another program has open, such as a virus scanner. */
const maxTakeoverFailures = 3;

/* The content of a lock file. */
interface LockRecord extends ProcessIdentity {
  readonly token: string;
  /** ISO 8601 time at which the lock was taken, by the clock of the holder. */
  readonly since: string;
  readonly beat: number;
}

/** Dependencies of a lock. */
export interface LockContext {
  readonly clock: Clock;
  readonly machine: MachineIdentity;
  readonly signal: AbortSignal;
  /** Called before carbon watches a lock whose holder may be dead. */
  readonly onWatch?: ((holder: string, maxWaitMs: number) => void) | undefined;
}

/** A lock that this run holds. */
export interface Lock {
  /** Aborted with a `LocalError` when another run took over, as after the machine was asleep. */
  readonly lost: AbortSignal;
  /** Ends the heartbeat and removes the lock. */
  release(): void;
}

/**
 * Takes the lock at this path, also from a dead holder.
 *
 * @throws LocalError when another run holds it, or when it cannot be written
 */
export async function takeLock(path: string, context: LockContext): Promise<Lock> {
  const { clock, machine, signal } = context;
  const own = { ...machine.self, token: randomUUID(), since: new Date(clock.now()).toISOString() };
  for (let failures = 0; ; ) {
    if (await createLock(path, JSON.stringify({ ...own, beat: 0 })))
      return hold(path, own, context);
    const inspected = await inspect(path, context);
    if (inspected.state === 'alive') throw busy(path, inspected.holder);
    if (inspected.state === 'gone') continue;
    try {
      replace(path, { ...own, beat: 0 });
    } catch (error) {
      // A repeated write could come so late that it replaces the lock of a run that was faster.
      failures += 1;
      if (!isOpenElsewhere(error) || failures > maxTakeoverFailures) throw error;
      continue;
    }
    await clock.sleep(inspected.isNear ? settleMs.sameMachine : settleMs.otherMachine, signal);
    if (parse(await readLock(path))?.token === own.token) return hold(path, own, context);
  }
}

/**
 * Checks that no run holds the lock at this path, and removes the lock of a dead holder.
 *
 * @throws LocalError when a run holds the lock
 */
export async function checkUnlocked(path: string, context: LockContext): Promise<void> {
  const inspected = await inspect(path, context);
  if (inspected.state === 'alive') throw busy(path, inspected.holder);
  if (inspected.state === 'dead') removeDeadLock(path, inspected.text);
}

type Inspection =
  | { readonly state: 'gone' }
  | { readonly state: 'alive'; readonly holder: LockRecord | undefined }
  | { readonly state: 'dead'; readonly isNear: boolean; readonly text: string };

async function inspect(
  path: string,
  { clock, machine, signal, onWatch }: LockContext,
): Promise<Inspection> {
  const first = await readLock(path);
  const holder = parse(first);
  if (first === undefined) return { state: 'gone' };
  const known = holder && isAlive(holder, machine);
  if (known !== undefined)
    return known ? { state: 'alive', holder } : { state: 'dead', isNear: true, text: first };
  onWatch?.(describe(holder), maxSilenceMs);
  const startedAt = clock.elapsed();
  while (clock.elapsed() - startedAt < maxSilenceMs) {
    await clock.sleep(watchIntervalMs, signal);
    const text = await readLock(path);
    if (text === undefined) return { state: 'gone' };
    if (text !== first) return { state: 'alive', holder: parse(text) ?? holder };
  }
  return { state: 'dead', isNear: false, text: first };
}

function hold(path: string, own: Omit<LockRecord, 'beat'>, { clock }: LockContext): Lock {
  const lost = new AbortController();
  const ended = new AbortController();
  const isOwn = (text: string | undefined) => parse(text)?.token === own.token;
  const beat = async () => {
    for (let count = 1; ; count += 1) {
      await clock.sleep(heartbeatMs, ended.signal);
      try {
        const text = await readLock(path);
        if (ended.signal.aborted) return;
        if (!isOwn(text))
          throw new LocalError(`Another run took the lock ${path}, or it was removed`, {
            hint: takenHint,
          });
        replace(path, { ...own, beat: count });
      } catch (error) {
        // The next heartbeat comes long before the lock counts as abandoned.
        if (!isOpenElsewhere(error)) throw error;
      }
    }
  };
  beat().catch((error: unknown) => {
    if (!ended.signal.aborted) lost.abort(error);
  });
  return {
    lost: lost.signal,
    release() {
      ended.abort();
      releaseLock(path, isOwn);
    },
  };
}

function replace(path: string, written: LockRecord): void {
  replaceLock(path, JSON.stringify(written), written);
}

function isOpenElsewhere(error: unknown): boolean {
  return error instanceof LocalError && isInUse(error.cause);
}

const takenHint =
  'The journal keeps what this run recorded, and the other run continues. Nothing is registered twice.';

/** Reads a lock file and its holder; undefined without a lock. */
export function readHolder(
  path: string,
): { readonly text: string; readonly holder: ProcessIdentity | undefined } | undefined {
  const text = readLockText(path);
  return text === undefined ? undefined : { text, holder: parse(text) };
}

/* Returns undefined for a lock that another program changed: then only its heartbeat counts. */
function parse(text: string | undefined): LockRecord | undefined {
  try {
    const read: unknown = JSON.parse(text ?? '');
    return isObject(read) && 'pid' in read ? (read as unknown as LockRecord) : undefined;
  } catch {
    return undefined;
  }
}

function describe(holder: LockRecord | undefined): string {
  return holder === undefined
    ? 'another run'
    : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
}

function busy(path: string, holder: LockRecord | undefined): LocalError {
  return new LocalError(`Another run is in progress on this file: ${describe(holder)}`, {
    hint: `Wait until that run ends, or stop it. Then run the same command to resume. The lock is ${path}; if its process has died, the next run replaces it.`,
  });
}

/**
 * Takes the lock of a journal.
 *
 * Shards of the same count may run at the same time; any other two runs on one input exclude each
 * other. A run takes its lock before it looks at the others, so that at least one of two
 * simultaneous runs sees the other. All names of a journal share one lock.
 *
 * @param unsharded path of the journal of an unsharded run
 * @throws LocalError when another run holds this lock or one that excludes this run; UsageError
 * when the journal has a hard link in another directory, where carbon cannot find its lock
 */
export async function lockJournal(
  unsharded: string,
  journal: string,
  shard: Shard | undefined,
  context: LockContext,
): Promise<Lock> {
  checkFileName(journal);
  const real = linkedJournal(journal);
  const lock = await takeLock(lockFile(real), context);
  try {
    await removeStaleFiles(dirname(real), context.machine);
    const { paths, hasMore } = otherNames(real);
    if (hasMore) throw unknownName(journal);
    for (const name of paths) await checkUnlocked(lockFile(name), context);
    for (const name of new Set([unsharded, linkedJournal(unsharded)])) {
      for (const other of journalFiles(name, 'locks')) {
        const mayRun =
          other.path === real || (shard !== undefined && other.shard?.count === shard.count);
        if (!mayRun) await checkUnlocked(lockFile(other.path), context);
      }
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function unknownName(journal: string): UsageError {
  return new UsageError(
    `The journal ${journal} has a hard link in another directory, so two runs could use it at the same time`,
    'Copy the journal, or remove the hard link.',
  );
}
