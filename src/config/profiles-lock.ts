/*
 * Lets one process at a time write the stored profiles, although any process may die at any moment.
 *
 * The lock is a directory with one file, whose name is unique to the holder, and the files that the
 * holder writes. A directory that is not empty can be neither replaced nor removed. So a process
 * takes the lock by renaming a complete directory, and releases it by removing its files by name,
 * then the directory. A process that removes the files of a dead holder, however late, cannot touch
 * the next lock. Everything that a killed process leaves is in such a directory, so the next holder
 * removes all of it.
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

/* A write takes milliseconds: an unidentified process that holds the lock for longer is dead. */
const maxHoldMs = 10_000;
/* A live holder that takes this long is suspended, or its disk hangs. */
const maxWaitMs = 30_000;
/* A user does not notice a shorter wait, so it needs no message. */
const maxSilentWaitMs = 1_000;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Represents the lock while this process holds it. */
export interface ProfilesLock {
  /** Directory of the lock. Its files disappear with the lock, even if the holder is killed. */
  readonly directory: string;
  /** Unique name of the holder; every file that it writes in the directory starts with it. */
  readonly name: string;
  /** Releases the lock and removes the files in its directory. */
  release(): void;
}

/**
 * Locks the configuration file and removes the locks of killed processes.
 *
 * Replaces the lock of a dead holder: immediately if the holder is known to be dead, after 10 s if
 * nothing is known. Waits for a live holder, however old its lock is.
 * @param onWait called once after 1 s with a message for the user
 * @throws LocalError that names the holder, after 30 s
 */
export async function lockProfiles(
  context: Context,
  file: string,
  onWait: (text: string) => void,
): Promise<ProfilesLock> {
  const path = `${file}.lock`;
  const { clock, signal, platform } = context;
  const machine = thisMachine(context.process.id);
  const name = randomUUID();
  const staged = `${path}.${name}`;
  const startedAt = clock.elapsed();
  let isSilent = true;
  try {
    for (;;) {
      stage(staged, name, machine.self);
      if (takePlace(staged, path, platform)) break;
      const nowMs = statSync(join(staged, name)).mtimeMs;
      const dead = filesOfDead(path, nowMs, machine);
      if (dead !== undefined) remove(path, dead);
      else if (clock.elapsed() - startedAt >= maxWaitMs) throw busy(file, path);
      else if (isSilent && clock.elapsed() - startedAt >= maxSilentWaitMs) {
        isSilent = false;
        onWait(
          `${describe(path)} is changing ${file}. Waiting for it, up to ${maxWaitMs / 1_000} s.`,
        );
      }
      await clock.sleep(10 + 40 * context.random(), signal);
    }
  } catch (error) {
    rmSync(staged, { recursive: true, force: true });
    throw error;
  }
  removeStaleFiles(path, name, machine);
  return { directory: path, name, release: () => remove(path, filesOfHolder(path, name)) };
}

/* Runs at each attempt, so that the file has the time of the lock by the clock of this disk. */
function stage(staged: string, name: string, self: ProcessIdentity): void {
  try {
    mkdirSync(staged, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  writeFileSync(join(staged, name), JSON.stringify(self), { mode: 0o600 });
}

/* Renames the staged directory to the lock; returns false if another process holds the lock. */
function takePlace(staged: string, path: string, platform: NodeJS.Platform): boolean {
  const heldCodes = [
    'EEXIST',
    'ENOTEMPTY',
    'ENOTDIR',
    ...(platform === 'win32' ? ['EPERM', 'EACCES', 'EBUSY'] : []),
  ];
  try {
    renameSync(staged, path);
    return true;
  } catch (error) {
    if (heldCodes.includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}

/*
 * Removes the staged directories of processes that were killed before they took the lock. Live
 * processes renew theirs.
 */
function removeStaleFiles(path: string, name: string, machine: MachineIdentity): void {
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
 * Returns the names of a dead holder's files; undefined while the holder may be alive. The caller
 * may remove only these, because another process may take the lock before the removal.
 */
function filesOfDead(
  path: string,
  nowMs: number,
  machine: MachineIdentity,
): readonly string[] | undefined {
  const names = namesIn(path);
  const holder = readHolder(path, names);
  const isKnownAlive = holder && isAlive(holder, machine);
  if (isKnownAlive !== undefined) return isKnownAlive ? undefined : names;
  const files = names.length > 0 ? names.map((name) => join(path, name)) : [path];
  const isOld = files.every((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    // A time in the future dates from before the clock was set back.
    return stat === undefined || Math.abs(nowMs - stat.mtimeMs) > maxHoldMs;
  });
  return isOld ? names : undefined;
}

/* Returns undefined for a lock of an earlier version, which does not name its holder. */
function readHolder(path: string, names = namesIn(path)): ProcessIdentity | undefined {
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
  const holder = readHolder(path);
  return holder === undefined
    ? 'Another carbon process'
    : `Another carbon process (PID ${holder.pid} on ${holder.host})`;
}

function busy(file: string, path: string): LocalError {
  return new LocalError(`${describe(path)} has been changing ${file} for too long`, {
    hint: `Wait until it ends, or stop it, then run the same command again. Its lock is ${path}.`,
  });
}

function filesOfHolder(path: string, holder: string): string[] {
  return namesIn(path).filter((name) => name.startsWith(holder));
}

/*
 * Removes files of a lock by name, then its directory if it is empty. The lock of an earlier
 * version is a file.
 */
function remove(path: string, names: readonly string[]): void {
  for (const name of names) attempt(() => unlinkSync(join(path, name)));
  if (names.length === 0) attempt(() => unlinkSync(path));
  attempt(() => rmdirSync(path));
}

function namesIn(directory: string): string[] {
  let names: string[] = [];
  attempt(() => {
    names = readdirSync(directory);
  });
  return names;
}

/* Ignores failures: another process was faster, and the next attempt shows what it did. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
