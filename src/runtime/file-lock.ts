/*
 * Admits one process at a time, on one machine or on several that share a disk. The lock is a file
 * that its holder rewrites every few seconds.
 *
 * Within one PID namespace of Linux, the start time in the lock shows whether its process lives: a
 * living one keeps the lock however long it is suspended, and a missing one, or another one with
 * the same id, has lost it at once. A holder elsewhere may only be asleep; its lock may be taken
 * after ten minutes without a change, and the holder finds that out before it writes again.
 *
 * A takeover follows Fischer's algorithm: write your token, wait longer than others need between
 * reading and writing, then check that the file still has your token.
 */
import { readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, platform } from 'node:os';
import { dirname } from 'node:path';
import { isInUse, temporaryPath, whileInUse } from './atomic-file.ts';
import { type CarbonError, codeOf, explainSystemError, LocalError } from './carbon-error.ts';
import type { Clock } from './clock.ts';
import { isAlive } from './context.ts';

/** Interval at which a holder rewrites its lock, in milliseconds. */
export const heartbeatMs = 2_000;
/** Time without a change after which a holder elsewhere counts as dead, in milliseconds. */
export const maxSilenceMs = 600_000;
/** The same for locks that are held only for a moment, and for those of 0.2.0. */
export const briefSilenceMs = 15_000;
/* Waits for a simultaneous takeover, in milliseconds: on one machine, and on a shared disk. */
const sameMachineMs = 50;
const otherMachineMs = 1_000;

/** A process that exists. */
export interface ProcessState {
  /** When it started, by the clock of the kernel; undefined if unknown. */
  readonly start: string | undefined;
  readonly isSuspended: boolean;
}

/** Identifies this process, also to other hosts that share the disk, and finds other processes. */
export interface MachineIdentity {
  readonly host: string;
  readonly pid: number;
  /**
   * Where process ids are unique: on Linux the boot id of the machine and the namespace, otherwise
   * the machine; undefined if unknown.
   */
  readonly space: string | undefined;
  /** Returns undefined for a process that has ended. */
  find(pid: number): ProcessState | undefined;
}

const recordVersion = 2;

/* `since` is a time of the holder's clock, for messages. 0.2.0 wrote no version and no start. */
interface LockRecord extends Omit<MachineIdentity, 'find'> {
  readonly version?: typeof recordVersion;
  readonly start?: string | undefined;
  readonly token: string;
  readonly since: string;
  readonly beat: number;
}

/** What a lock protects. */
export interface LockPurpose {
  /**
   * Returns the error for a live holder.
   * @param holder describes its process
   * @param suspended its process id if it is suspended on this machine
   */
  busy(holder: string, suspended: number | undefined): CarbonError;
  /** What to do if the lock cannot be written. */
  readonly unwritable: string;
  /** How long to wait for live holders, in milliseconds; such a lock is held only for a moment. */
  readonly patienceMs?: number;
}

export interface LockContext {
  readonly clock: Clock;
  readonly machine: MachineIdentity;
  readonly signal: AbortSignal;
  /** Called once before the wait for a holder whose life is unknown, with its maximum duration. */
  readonly onWait?: ((holder: string, maxMs: number) => void) | undefined;
}

/** A lock that this process holds. */
export interface FileLock {
  /** Aborted with a `LocalError` when another process took over, as after the machine slept. */
  readonly lost: AbortSignal;
  /** Whether the earlier holder may only be asleep, in the middle of a write. */
  readonly isTakenOver: boolean;
  /**
   * Reads the lock: call it before each append to a file that the lock protects.
   * @throws LocalError if another process took over
   */
  check(): void;
  /**
   * Writes the lock and reads it back: call it before each rename.
   * @throws LocalError if another process took over
   */
  confirm(): void;
  /**
   * Returns the path of a temporary file next to the lock. Who takes the lock over removes that
   * file, so that a suspended holder cannot rename it later.
   */
  readonly aside: string;
  release(): void;
}

/**
 * Takes the lock at this path, also from a dead holder.
 * @throws the error of `busy`; LocalError if the lock cannot be written
 */
export async function lockFile(
  path: string,
  purpose: LockPurpose,
  context: LockContext,
): Promise<FileLock> {
  const explain = (cause: unknown) => {
    if (!(cause instanceof Error && ('syscall' in cause || isInUse(cause)))) return cause;
    const message = `Cannot write the lock ${path}: ${explainSystemError(cause)}`;
    return new LocalError(message, { hint: purpose.unwritable, cause });
  };
  try {
    const { own, isTakenOver } = await take(path, purpose, context);
    const lock = hold(path, own, context, explain);
    return { ...lock, isTakenOver };
  } catch (cause) {
    throw explain(cause);
  }
}

/* Returns what it wrote to the lock. */
async function take(path: string, { busy, patienceMs = 0 }: LockPurpose, context: LockContext) {
  const { clock, machine, signal, onWait } = context;
  const { randomUUID } = await import('node:crypto');
  const { host, pid, space } = machine;
  const own: LockRecord = {
    version: recordVersion,
    host,
    pid,
    space,
    start: machine.find(pid)?.start,
    token: randomUUID(),
    since: new Date(clock.now()).toISOString(),
    beat: 0,
  };
  const isBrief = patienceMs > 0;
  const began = clock.elapsed();
  /* The text of the lock, and when its holder counts as dead if it stays the same. */
  let seen: { text: string | undefined; untilMs: number } | undefined;
  let hasChanged = false;
  let hasWaited = false;
  for (;;) {
    try {
      const once = { flag: 'wx', mode: 0o600 };
      await whileInUse(() => writeFileSync(path, JSON.stringify(own), once));
      return { own, isTakenOver: false };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        // A full disk leaves an empty file.
        attempt(() => rmSync(path, { force: true }));
        throw error;
      }
    }
    const text = await whileInUse(() => read(path));
    const holder = parse(text);
    const { life, isSuspended } = lifeOf(holder, machine);
    const nowMs = clock.elapsed();
    if (seen === undefined || seen.text !== text) {
      // A released lock, or a link to nothing, has no text.
      hasChanged ||= seen?.text !== undefined && text !== undefined;
      const isLong = !isBrief && life === 'unknown' && holder?.version === recordVersion;
      // The holder of an old lock may have slept, and go on at any moment.
      const minMs = isLong ? maxSilenceMs - ageOf(path) : 0;
      seen = { text, untilMs: nowMs + Math.max(minMs, briefSilenceMs) };
    }
    const waitMs = seen.untilMs - nowMs;
    const name = holder
      ? `process ${holder.pid} on ${holder.host}, since ${holder.since}`
      : 'another process';
    if (life === 'dead' || (life === 'unknown' && waitMs <= 0)) {
      replace(path, own);
      await clock.sleep(life === 'dead' ? sameMachineMs : otherMachineMs, signal);
      if (parse(await whileInUse(() => read(path)))?.token === own.token) {
        removeAside(path, holder);
        return { own, isTakenOver: life === 'unknown' };
      }
      continue;
    }
    const isLive = life === 'alive' || hasChanged;
    if (isLive && nowMs - began >= patienceMs)
      throw busy(name, isSuspended ? holder?.pid : undefined);
    if (!isBrief && !hasWaited) onWait?.(name, Math.ceil(waitMs / 1000) * 1000);
    hasWaited = true;
    await clock.sleep(isBrief ? sameMachineMs : otherMachineMs, signal);
  }
}

interface Life {
  readonly life: 'dead' | 'alive' | 'unknown';
  readonly isSuspended?: boolean;
}

function lifeOf(holder: LockRecord | undefined, machine: MachineIdentity): Life {
  if (holder?.space === undefined || holder.space !== machine.space) return { life: 'unknown' };
  const found = machine.find(holder.pid);
  if (found === undefined) return { life: 'dead' };
  if (holder.version !== recordVersion) return { life: 'unknown' };
  // The process 1 of a container that was started again may even have the same namespace.
  if (holder.pid === machine.pid) return { life: 'dead' };
  if (holder.start === undefined || found.start === undefined) return { life: 'unknown' };
  const { start, isSuspended } = found;
  return start === holder.start ? { life: 'alive', isSuspended } : { life: 'dead' };
}

/* Returns the age of a lock by the clock of its file system, in milliseconds. */
function ageOf(path: string): number {
  const probe = temporaryPath(path);
  return (
    attempt(() => {
      writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
      try {
        return Math.max(0, statSync(probe).mtimeMs - statSync(path).mtimeMs);
      } finally {
        rmSync(probe, { force: true });
      }
    }) ?? 0
  );
}

function asideOf(path: string, token: string): string {
  return `${dirname(path)}/.carbon-${token}`;
}

function removeAside(path: string, holder: LockRecord | undefined): void {
  const token = holder?.token;
  if (typeof token === 'string' && /^[0-9a-f-]{36}$/.test(token))
    rmSync(asideOf(path, token), { force: true });
}

function hold(
  path: string,
  own: LockRecord,
  { clock }: LockContext,
  explain: (cause: unknown) => unknown,
): Omit<FileLock, 'isTakenOver'> {
  const lost = new AbortController();
  const ended = new AbortController();
  const isOwn = () => parse(read(path))?.token === own.token;
  let beats = 0;
  const end = (error: unknown): never => {
    const explained = explain(error);
    lost.abort(explained);
    throw explained;
  };
  /* Another program on Windows may have it open: the next heartbeat comes early enough. */
  const access = (work: () => void) => {
    lost.signal.throwIfAborted();
    try {
      work();
    } catch (error) {
      if (!isInUse(error)) end(error);
    }
  };
  const check = () =>
    access(() => {
      if (isOwn()) return;
      throw new LocalError(`Another run took the lock ${path}, or it was removed`, {
        hint: 'Everything that this run recorded is kept, and the other run continues. Nothing is registered twice.',
      });
    });
  const confirm = () => {
    check();
    access(() => {
      beats += 1;
      replace(path, { ...own, beat: beats });
    });
    check();
  };
  const beat = async () => {
    for (;;) {
      await clock.sleep(heartbeatMs, ended.signal);
      confirm();
    }
  };
  // `confirm` has aborted `lost`, or the lock is released.
  beat().catch(() => undefined);
  return {
    lost: lost.signal,
    check,
    confirm,
    aside: asideOf(path, own.token),
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
  const host = hostname();
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'));
  const hasNamespaces = !['darwin', 'win32'].includes(platform());
  const machine = hasNamespaces ? undefined : `${platform()} ${host}`;
  const space = boot && namespace ? `${boot} ${namespace}` : machine;
  // Another namespace may have mounted the processes.
  const isOurs = attempt(() => readlinkSync('/proc/self')) === String(pid);
  const find = (other: number) => (isAlive(other) ? stateOf(other, isOurs) : undefined);
  return { host, pid, space, find };
}

/* Reads what proc_pid_stat(5) calls state (field 3) and starttime (field 22). */
function stateOf(pid: number, isReadable: boolean): ProcessState | undefined {
  const unknown = { start: undefined, isSuspended: false };
  const text = isReadable ? attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) : undefined;
  if (text === undefined) return unknown;
  // The name of the program, in parentheses, may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  // A process that has ended keeps its id until its parent asks for the exit code.
  if (/[ZXx]/.test(state)) return undefined;
  return { start: fields[19], isSuspended: /[Tt]/.test(state) };
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
