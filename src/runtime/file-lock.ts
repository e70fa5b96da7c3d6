/*
 * Admits one process at a time, on one machine or on several that share a disk. The lock is a file
 * that its holder rewrites every few seconds: without a change for a while, by the clock of the
 * watcher, the holder is dead. So is a missing process, but only within one PID namespace, because
 * every container has a process 1.
 *
 * A takeover follows Fischer's algorithm: write your token, wait longer than others need between
 * reading and writing, then check that the file still has your token.
 */
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isInUse, temporaryPath, whileInUse } from './atomic-file.ts';
import { type CarbonError, codeOf, explainSystemError, LocalError } from './carbon-error.ts';
import type { Clock } from './clock.ts';
import { isAlive } from './context.ts';

/** Interval at which a holder rewrites its lock, in milliseconds. */
export const heartbeatMs = 2_000;
/** Time without a change after which a holder counts as dead, in milliseconds. */
export const maxSilenceMs = 15_000;
/* Waits for a simultaneous takeover, in milliseconds: on one machine, and on a shared disk. */
const sameMachineMs = 50;
const otherMachineMs = 1_000;

/** Identifies this process, also to other hosts that share the disk, and finds living processes. */
export interface MachineIdentity {
  readonly host: string;
  readonly pid: number;
  /** Boot id of the machine and its namespace of process ids (Linux); undefined if unknown. */
  readonly space: string | undefined;
  isAlive(pid: number): boolean;
}

/* `since` is a time of the holder's clock, for messages. */
type LockRecord = Omit<MachineIdentity, 'isAlive'> & { token: string; since: string; beat: number };

export interface LockContext {
  readonly clock: Clock;
  readonly machine: MachineIdentity;
  readonly signal: AbortSignal;
  /** Called once before the wait for a holder whose life is unknown. */
  readonly onWait?: ((holder: string) => void) | undefined;
}

/** A lock that this process holds. */
export interface FileLock {
  /** Aborted with a `LocalError` when another process took over, as after the machine slept. */
  readonly lost: AbortSignal;
  release(): void;
}

/**
 * Takes the lock at this path, also from a dead holder.
 *
 * @param purpose.busy returns the error for a live holder
 * @param purpose.unwritable what to do if the lock cannot be written
 * @throws the error of `busy`; LocalError if the lock cannot be written
 */
export async function lockFile(
  path: string,
  { busy, unwritable }: { busy(holder: string): CarbonError; readonly unwritable: string },
  context: LockContext,
): Promise<FileLock> {
  const explain = (cause: unknown) => {
    if (!(cause instanceof Error && ('syscall' in cause || isInUse(cause)))) return cause;
    const message = `Cannot write the lock ${path}: ${explainSystemError(cause)}`;
    return new LocalError(message, { hint: unwritable, cause });
  };
  try {
    return hold(path, await take(path, busy, context), context, explain);
  } catch (cause) {
    throw explain(cause);
  }
}

/* Returns what it wrote to the lock. */
async function take(path: string, busy: (holder: string) => CarbonError, context: LockContext) {
  const { clock, machine, signal, onWait } = context;
  const { randomUUID } = await import('node:crypto');
  const since = new Date(clock.now()).toISOString();
  const { host, pid, space } = machine;
  const own: LockRecord = { host, pid, space, token: randomUUID(), since, beat: 0 };
  const began = clock.elapsed();
  let first: string | undefined;
  for (;;) {
    try {
      const once = { flag: 'wx', mode: 0o600 };
      await whileInUse(() => writeFileSync(path, JSON.stringify(own), once));
      return own;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        // A full disk leaves an empty file.
        attempt(() => rmSync(path, { force: true }));
        throw error;
      }
    }
    const text = await whileInUse(() => read(path));
    const holder = parse(text);
    const name = holder
      ? `process ${holder.pid} on ${holder.host}, since ${holder.since}`
      : 'another process';
    if (first !== undefined && text !== undefined && text !== first) throw busy(name);
    const isOurs = holder?.space !== undefined && holder.space === space;
    const isDead = isOurs && !machine.isAlive(holder.pid);
    if (isDead || clock.elapsed() - began >= maxSilenceMs) {
      replace(path, own);
      await clock.sleep(isDead ? sameMachineMs : otherMachineMs, signal);
      if (parse(await whileInUse(() => read(path)))?.token === own.token) return own;
    } else {
      if (first === undefined) onWait?.(name);
      await clock.sleep(otherMachineMs, signal);
    }
    // A released lock, or a link to nothing.
    first ??= text ?? '';
  }
}

function hold(
  path: string,
  own: LockRecord,
  { clock }: LockContext,
  explain: (cause: unknown) => unknown,
): FileLock {
  const lost = new AbortController();
  const ended = new AbortController();
  const isOwn = () => parse(read(path))?.token === own.token;
  const beat = async () => {
    for (let count = 1; ; count += 1) {
      await clock.sleep(heartbeatMs, ended.signal);
      try {
        if (!isOwn())
          throw new LocalError(`Another run took the lock ${path}, or it was removed`, {
            hint: 'Everything that this run recorded is kept, and the other run continues. Nothing is registered twice.',
          });
        replace(path, { ...own, beat: count });
      } catch (error) {
        // Another program on Windows has it open: the next heartbeat comes early enough.
        if (!isInUse(error)) throw error;
      }
    }
  };
  beat().catch((error: unknown) => {
    if (!ended.signal.aborted) lost.abort(explain(error));
  });
  return {
    lost: lost.signal,
    release() {
      ended.abort();
      // Otherwise the next process finds the lock of a dead one.
      attempt(() => isOwn() && rmSync(path, { force: true }));
    },
  };
}

/* Renames another file, so that nobody reads a partial one. */
function replace(path: string, record: LockRecord): void {
  const aside = temporaryPath(path);
  try {
    writeFileSync(aside, JSON.stringify(record), { mode: 0o600 });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/* Returns undefined for a partial or foreign file: then only its changes count. */
function parse(text = ''): LockRecord | undefined {
  const record = attempt(() => JSON.parse(text));
  return Object(record).pid === undefined ? undefined : record;
}

/** Identifies this process and its machine. */
export function thisMachine(pid: number): MachineIdentity {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'));
  const space = boot && namespace && `${boot} ${namespace}`;
  return { host: hostname(), pid, space, isAlive };
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
