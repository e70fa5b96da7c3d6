/*
 * One run per journal, on one machine or on several that share a disk. The lock is a file that its
 * holder changes every few seconds. Another run watches it: when it does not change for a while, by
 * the watcher's own clock, the holder is dead. Clocks of different machines are never compared, and
 * process numbers only within one space of them, because in containers everybody is process 1.
 *
 * Taking over is by Fischer's rule: write one's own name, wait longer than others need between
 * looking and writing, look whose name stands there.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { asidePath } from '../../runtime/atomic-file.ts';
import { LocalError } from '../../runtime/carbon-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isAlive, type MachineIdentity, type ProcessIdentity } from '../../runtime/machine.ts';
import { explainSystemError } from '../../runtime/system-error.ts';

/** How often a holder changes its lock, in milliseconds. */
export const heartbeatMs = 2_000;
/** How long a lock may stay unchanged before its holder counts as dead, in milliseconds. */
export const silenceMs = 15_000;
/** How often a lock is looked at meanwhile, in milliseconds. */
const lookMs = 500;
/** How long one waits to see whether another took over at the same time, in milliseconds. */
const settleMs = { sameMachine: 50, otherMachine: 1_000 } as const;

interface Written extends ProcessIdentity {
  readonly token: string;
  /** ISO 8601 time at which the lock was taken, by the holder's clock. */
  readonly since: string;
  readonly beat: number;
}

/** What a lock needs from outside. */
export interface LockWorld {
  readonly clock: Clock;
  readonly machine: MachineIdentity;
  readonly signal: AbortSignal;
  /**
   * Told when a lock is watched because its holder may be dead, with who it is and for how long at
   * most.
   */
  readonly onWatch?: ((holder: string, atMostMs: number) => void) | undefined;
}

/** A lock that is held. */
export interface Lock {
  /** Aborted with a `LocalError` when another run took over, as after a machine was asleep. */
  readonly lost: AbortSignal;
  /** Ends the heartbeat and removes the lock. */
  release(): void;
}

/**
 * Takes the lock of this path, also from a holder that is dead.
 * @throws LocalError when another run holds it, or when it cannot be written
 */
export async function takeLock(path: string, world: LockWorld): Promise<Lock> {
  const { clock, machine, signal } = world;
  const mine = { ...machine.self, token: randomUUID(), since: new Date(clock.now()).toISOString() };
  for (;;) {
    if (create(path, { ...mine, beat: 0 })) return hold(path, mine, world);
    const found = await inspect(path, world);
    if (found.state === 'alive') throw busy(path, found.holder);
    if (found.state === 'gone') continue;
    replace(path, { ...mine, beat: 0 });
    await clock.sleep(found.isNear ? settleMs.sameMachine : settleMs.otherMachine, signal);
    if (parse(readText(path))?.token === mine.token) return hold(path, mine, world);
  }
}

/**
 * Makes sure that nobody holds the lock of this path.
 * @throws LocalError when somebody does
 */
export async function checkUnlocked(path: string, world: LockWorld): Promise<void> {
  const found = await inspect(path, world);
  if (found.state === 'alive') throw busy(path, found.holder);
}

type Found =
  | { readonly state: 'gone' }
  | { readonly state: 'alive'; readonly holder: Written | undefined }
  | { readonly state: 'dead'; readonly isNear: boolean };

async function inspect(
  path: string,
  { clock, machine, signal, onWatch }: LockWorld,
): Promise<Found> {
  const first = readText(path);
  const holder = parse(first);
  if (first === undefined) return { state: 'gone' };
  const known = holder && isAlive(holder, machine);
  if (known !== undefined)
    return known ? { state: 'alive', holder } : { state: 'dead', isNear: true };
  onWatch?.(name(holder), silenceMs);
  const began = clock.elapsed();
  while (clock.elapsed() - began < silenceMs) {
    await clock.sleep(lookMs, signal);
    const text = readText(path);
    if (text === undefined) return { state: 'gone' };
    if (text !== first) return { state: 'alive', holder: parse(text) ?? holder };
  }
  return { state: 'dead', isNear: false };
}

function hold(path: string, mine: Omit<Written, 'beat'>, { clock }: LockWorld): Lock {
  const lost = new AbortController();
  const ended = new AbortController();
  const isMine = () => parse(readText(path))?.token === mine.token;
  const beat = async () => {
    for (let count = 1; ; count += 1) {
      await clock.sleep(heartbeatMs, ended.signal);
      if (!isMine())
        throw new LocalError(`The lock ${path} was taken by another run or removed`, {
          hint: takenHint,
        });
      replace(path, { ...mine, beat: count });
    }
  };
  beat().catch((error: unknown) => {
    if (!ended.signal.aborted) lost.abort(error);
  });
  return {
    lost: lost.signal,
    release() {
      ended.abort();
      if (isMine()) rmSync(path, { force: true });
    },
  };
}

const takenHint =
  'What this run has journaled is kept; the other one goes on. Nothing is registered twice.';

function create(path: string, written: Written): boolean {
  try {
    writeFileSync(path, JSON.stringify(written), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(path, error);
  }
}

/* By renaming, so that nobody reads half of it. */
function replace(path: string, written: Written): void {
  const aside = asidePath(path, written);
  try {
    writeFileSync(aside, JSON.stringify(written), { mode: 0o600 });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw unwritable(path, error);
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unwritable(path, error);
  }
}

function parse(text: string | undefined): Written | undefined {
  try {
    return JSON.parse(text ?? '') as Written;
  } catch {
    return undefined;
  }
}

function name(holder: Written | undefined): string {
  return holder === undefined
    ? 'another run'
    : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
}

function busy(path: string, holder: Written | undefined): LocalError {
  return new LocalError(`Another run is at work on this file: ${name(holder)}`, {
    hint: `Wait until it has ended, or stop it; the same command then goes on from there. Its lock is ${path}, which a dead run leaves to the next one.`,
  });
}

function unwritable(path: string, cause: unknown): LocalError {
  return new LocalError(`The lock ${path} cannot be written: ${explainSystemError(cause)}`, {
    hint: 'The journal needs a folder that can be written; --journal names another place.',
    cause,
  });
}
