/*
 * One writer of the stored profiles at a time, among processes that may die at any moment.
 *
 * The lock is a folder that holds one file, named by its holder alone, and what the holder writes
 * meanwhile. A folder that holds a file can be neither replaced nor removed, so it arrives complete
 * (by rename) and goes only after its files, by their names: whoever removes a dead holder's files,
 * however late, cannot touch the lock of the next one. Whatever a killed process leaves is in such
 * a folder, so the next holder finds and removes all of it.
 */
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import {
  isAlive,
  type MachineIdentity,
  type ProcessIdentity,
  thisMachine,
} from '../runtime/machine.ts';

/*
 * A write takes milliseconds: a holder of whom nothing is known, and who holds it for longer, is
 * dead.
 */
const maxHoldMs = 10_000;
/* A holder that is alive and holds the lock for so long is stopped, or its disk hangs. */
const maxWaitMs = 30_000;
/* A wait that nobody notices needs no message. */
const silentWaitMs = 1_000;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A lock that is held. */
export interface ProfilesLock {
  /**
   * Folder of the lock. What is written there disappears with the lock, also when its holder is
   * killed.
   */
  readonly folder: string;
  /** Unique to this holder; names of files that it writes in the folder must begin with it. */
  readonly name: string;
  /** Gives the lock back and removes what was written in its folder. */
  release(): void;
}

/**
 * Takes the lock of a file and removes what killed processes left of theirs. Takes over from a dead
 * holder: at once where the holder is known to be dead, after 10 s where nothing is known. Waits
 * for a living one, however old its lock is.
 * @param onWait called once when the wait is long enough to be noticed, with a text for the user
 * @throws LocalError that names the holder, after 30 s
 */
export async function takeLock(
  context: Context,
  file: string,
  onWait: (text: string) => void,
): Promise<ProfilesLock> {
  const path = `${file}.lock`;
  const { clock, signal, platform } = context;
  const machine = thisMachine(context.process.id);
  const name = randomUUID();
  const own = `${path}.${name}`;
  const began = clock.elapsed();
  let isSilent = true;
  try {
    for (;;) {
      stage(own, name, machine.self);
      if (arrive(own, path, platform)) break;
      const nowMs = statSync(join(own, name)).mtimeMs;
      const dead = filesOfDead(path, nowMs, machine);
      if (dead !== undefined) remove(path, dead);
      else if (clock.elapsed() - began >= maxWaitMs) throw busy(file, path);
      else if (isSilent && clock.elapsed() - began >= silentWaitMs) {
        isSilent = false;
        onWait(
          `${describe(path)} is changing ${file}. carbon waits for it, up to ${maxWaitMs / 1_000} s.`,
        );
      }
      await clock.sleep(10 + 40 * context.random(), signal);
    }
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    throw error;
  }
  removeAbandoned(path, name, machine);
  return { folder: path, name, release: () => remove(path, ownFiles(path, name)) };
}

/* At each attempt, so that its time is that of taking the lock, by the clock of this disk. */
function stage(own: string, name: string, self: ProcessIdentity): void {
  try {
    mkdirSync(own, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  writeFileSync(join(own, name), JSON.stringify(self), { mode: 0o600 });
}

/* Whether a folder took the place of the lock; false when somebody's lock is there. */
function arrive(own: string, path: string, platform: NodeJS.Platform): boolean {
  const taken = [
    'EEXIST',
    'ENOTEMPTY',
    'ENOTDIR',
    ...(platform === 'win32' ? ['EPERM', 'EACCES'] : []),
  ];
  try {
    renameSync(own, path);
    return true;
  } catch (error) {
    if (taken.includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}

/*
 * Removes the folders of processes that were killed before they held the lock; the living ones
 * change theirs.
 */
function removeAbandoned(path: string, name: string, machine: MachineIdentity): void {
  const nowMs = statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs;
  const prefix = `${basename(path)}.`;
  if (nowMs === undefined) return;
  for (const entry of namesIn(dirname(path))) {
    const staged = join(dirname(path), entry);
    const isStaged = entry.startsWith(prefix) && uuid.test(entry.slice(prefix.length));
    const dead = isStaged ? filesOfDead(staged, nowMs, machine) : undefined;
    if (dead !== undefined) remove(staged, dead);
  }
}

/*
 * The names of a dead holder's files, undefined while the holder may be alive. Only these may be
 * removed: another process may take the lock between this look and the removal.
 */
function filesOfDead(
  path: string,
  nowMs: number,
  machine: MachineIdentity,
): readonly string[] | undefined {
  const names = namesIn(path);
  const holder = holderOf(path, names);
  const isKnownAlive = holder && isAlive(holder, machine);
  if (isKnownAlive !== undefined) return isKnownAlive ? undefined : names;
  const files = names.length > 0 ? names.map((name) => join(path, name)) : [path];
  const isOld = files.every((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    // A time far ahead is from before the clock was set back.
    return stat === undefined || Math.abs(nowMs - stat.mtimeMs) > maxHoldMs;
  });
  return isOld ? names : undefined;
}

/* Undefined for a lock of an earlier version, which does not name its holder. */
function holderOf(path: string, names = namesIn(path)): ProcessIdentity | undefined {
  const name = names.find((entry) => uuid.test(entry));
  if (name === undefined) return undefined;
  try {
    const holder: unknown = JSON.parse(readFileSync(join(path, name), 'utf8'));
    return typeof holder === 'object' && holder !== null && 'pid' in holder
      ? (holder as ProcessIdentity)
      : undefined;
  } catch {
    return undefined;
  }
}

function describe(path: string): string {
  const holder = holderOf(path);
  return holder === undefined
    ? 'Another carbon'
    : `Another carbon (process ${holder.pid} on ${holder.host})`;
}

function busy(file: string, path: string): LocalError {
  return new LocalError(`${describe(path)} has been changing ${file} for too long`, {
    hint: `Wait until it has ended, or end it, and run the same command again. Its lock is ${path}.`,
  });
}

function ownFiles(path: string, holder: string): string[] {
  return namesIn(path).filter((name) => name.startsWith(holder));
}

/*
 * Removes files of a lock by their names, then its folder if it is empty; an earlier version's lock
 * is a file.
 */
function remove(path: string, names: readonly string[]): void {
  for (const name of names) attempt(() => unlinkSync(join(path, name)));
  if (names.length === 0) attempt(() => unlinkSync(path));
  attempt(() => rmdirSync(path));
}

function namesIn(folder: string): string[] {
  let names: string[] = [];
  attempt(() => {
    names = readdirSync(folder);
  });
  return names;
}

/* A refusal means that another process was quicker; the next attempt shows what it did. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
