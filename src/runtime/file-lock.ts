/*
 * Admits one process at a time, on one machine or on several that share a disk. The lock is a file
 * that its holder rewrites every few seconds. carbon compares process ids only within one PID
 * namespace, because every container has a process 1. If the holder is elsewhere, carbon watches
 * the file: without a change for a while, by the clock of the watcher, the holder is dead. The
 * clocks of two machines are never compared.
 *
 * A takeover follows Fischer's algorithm: write your token, wait longer than others need between
 * reading and writing, then check that the file still has your token.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isInUse, temporaryPath, whileInUse } from './atomic-file.ts';
import { type CarbonError, LocalError } from './carbon-error.ts';
import type { Clock } from './clock.ts';
import { codeOf, explainSystemError } from './system-error.ts';

/** Interval at which a holder rewrites its lock, in milliseconds. */
export const heartbeatMs = 2_000;
/** Time without a change after which a holder counts as dead, in milliseconds. */
export const maxSilenceMs = 15_000;
/* Wait before the user learns why nothing happens, in milliseconds. */
const quietMs = 1_000;
/*
 * Interval at which carbon reads a lock again, and wait that reveals a simultaneous takeover, in
 * milliseconds; longer on a disk that machines share.
 */
const sameMachineMs = 50;
const otherMachineMs = 1_000;

/** Identifies this process, also to other hosts that share the disk, and finds living processes. */
export interface MachineIdentity {
  readonly self: ProcessIdentity;
  /** Returns the start time of a process in `self.space`; undefined if it does not exist. */
  startOf(pid: number): string | undefined;
}

interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Boot id of the machine and its namespace of process ids (Linux); undefined if unknown. */
  readonly space: string | undefined;
  /** Start time of the process in the machine's own unit, because process ids are reused. */
  readonly started: string | undefined;
}

/* `since` is the time of the holder's clock at which it took the lock; only messages use it. */
interface LockRecord extends ProcessIdentity {
  readonly token: string;
  readonly since: string;
  readonly beat: number;
}

export interface LockContext {
  readonly clock: Clock;
  readonly machine: MachineIdentity;
  readonly signal: AbortSignal;
  /** Called once if the wait for another process takes longer than a second. */
  readonly onWait?: ((holder: string) => void) | undefined;
}

interface LockPurpose {
  /** Returns the error for a live holder. */
  busy(holder: string): CarbonError;
  /** What to do if the lock cannot be written. */
  readonly unwritable: string;
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
 * @throws the error of `busy` while another process holds it; LocalError if it cannot be written
 */
export async function lockFile(
  path: string,
  purpose: LockPurpose,
  context: LockContext,
): Promise<FileLock> {
  try {
    return await take(path, purpose, context);
  } catch (cause) {
    if (!(cause instanceof Error && ('syscall' in cause || isInUse(cause)))) throw cause;
    const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(cause));
    throw new LocalError(`Cannot write the lock ${path}: ${explainSystemError(cause)}`, {
      hint: isFull
        ? 'Nothing recorded so far is lost. Free space on the disk and run the same command again.'
        : purpose.unwritable,
      cause,
    });
  }
}

async function take(path: string, { busy }: LockPurpose, context: LockContext) {
  const { clock, machine, signal, onWait } = context;
  const own = { ...machine.self, token: randomUUID(), since: new Date(clock.now()).toISOString() };
  const created = JSON.stringify({ ...own, beat: 0 });
  let first: { readonly text: string; readonly at: number } | undefined;
  let isReported = false;
  for (;;) {
    try {
      await whileInUse(() => writeFileSync(path, created, { flag: 'wx', mode: 0o600 }));
      return hold(path, own, context);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const text = await whileInUse(() => read(path));
    if (text === undefined) continue;
    const now = clock.elapsed();
    first ??= { text, at: now };
    const holder = parse(text);
    const known = holder && isAlive(holder, machine);
    const hasChanged = text !== first.text;
    const isSilent = !hasChanged && now - first.at >= maxSilenceMs;
    if (known === false || (known === undefined && isSilent)) {
      replace(path, created);
      await clock.sleep(known === false ? sameMachineMs : otherMachineMs, signal);
      if (parse(await whileInUse(() => read(path)))?.token === own.token)
        return hold(path, own, context);
      continue;
    }
    const name = holder
      ? `process ${holder.pid} on ${holder.host}, since ${holder.since}`
      : 'another process';
    if (known === true || hasChanged) throw busy(name);
    if (!isReported && now - first.at >= quietMs) {
      isReported = true;
      onWait?.(name);
    }
    await clock.sleep(otherMachineMs, signal);
  }
}

function hold(path: string, own: Omit<LockRecord, 'beat'>, { clock }: LockContext): FileLock {
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
        replace(path, JSON.stringify({ ...own, beat: count }));
      } catch (error) {
        // Another program on Windows has it open: the next heartbeat comes early enough.
        if (!isInUse(error)) throw error;
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
      // Otherwise the next process finds the lock of a dead one.
      attempt(() => isOwn() && rmSync(path, { force: true }));
    },
  };
}

/* Renames another file, so that nobody reads a partial one. */
function replace(path: string, text: string): void {
  const aside = temporaryPath(path);
  try {
    writeFileSync(aside, text, { mode: 0o600 });
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

/* Returns undefined for a process in another namespace of ids, or without a start time. */
function isAlive(holder: ProcessIdentity, { self, startOf }: MachineIdentity): boolean | undefined {
  const { space, pid, started } = holder;
  if (space === undefined || space !== self.space || started === undefined) return undefined;
  return startOf(pid) === started;
}

/**
 * Identifies this process and its machine.
 *
 * `space` is undefined on systems other than Linux, so locks there depend on the heartbeat alone.
 * The same holds if /proc lists the process ids of another namespace (`unshare --pid --fork`).
 */
export function thisMachine(pid: number, proc = '/proc'): MachineIdentity {
  const isOurs = attempt(() => readlinkSync(`${proc}/self`)) === `${pid}`;
  const startOf = (other: number) => (isOurs ? readStartTime(proc, other) : undefined);
  const boot = attempt(() => readFileSync(`${proc}/sys/kernel/random/boot_id`, 'utf8').trim());
  const namespace = attempt(() => readlinkSync(`${proc}/self/ns/pid`));
  const space = isOurs && boot && namespace ? `${boot} ${namespace}` : undefined;
  return { self: { host: hostname(), pid, space, started: startOf(pid) }, startOf };
}

/*
 * Returns field 22 of /proc/<pid>/stat (proc(5)). Field 2, a name in parentheses, may contain any
 * character. State Z or X in field 3 is a process that ended but whose parent, such as the first
 * process of a container, has not read its exit code.
 */
function readStartTime(proc: string, pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`${proc}/${pid}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
