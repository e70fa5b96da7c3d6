/*
 * One writer of the stored profiles at a time, among processes that may die at any moment.
 *
 * The lock is a folder that holds one file, named by its holder alone. A folder that holds a file can be neither
 * replaced nor removed, so it arrives whole (by rename) and goes only after that one file, by its name: whoever
 * removes a dead holder's file, however late, cannot touch the lock of the next one.
 */
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Context } from './context.ts';

/* A write takes milliseconds: who holds the lock for longer is dead. */
const longestHoldMs = 10_000;

/**
 * Takes the lock at a path, over from the dead if need be; waits for the living.
 * @returns how to let go of it
 */
export async function takeLock(context: Context, path: string): Promise<() => void> {
  const { clock, signal, platform } = context;
  const name = randomUUID();
  const own = `${path}.${name}`;
  mkdirSync(own, { mode: 0o700 });
  try {
    for (;;) {
      // Written at each try, so that its time is that of taking the lock, and now by the clock of this disk.
      writeFileSync(join(own, name), '.', { mode: 0o600 });
      if (arrive(own, path, platform)) return () => release(path, name);
      removeDead(path, statSync(join(own, name)).mtimeMs);
      await clock.sleep(10 + 40 * context.random(), signal);
    }
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    throw error;
  }
}

/* Whether a folder took the place of the lock; false when somebody's lock is there. */
function arrive(own: string, path: string, platform: NodeJS.Platform): boolean {
  const taken = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR', ...(platform === 'win32' ? ['EPERM', 'EACCES'] : [])];
  try {
    renameSync(own, path);
    return true;
  } catch (error) {
    if (taken.includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  }
}

function release(path: string, name: string): void {
  attempt(() => unlinkSync(join(path, name)));
  attempt(() => rmdirSync(path));
}

/* Removes a lock that nobody holds any more. */
function removeDead(path: string, nowMs: number): void {
  let holders: string[] = [];
  attempt(() => {
    holders = readdirSync(path);
  });
  const files = holders.length > 0 ? holders.map((name) => join(path, name)) : [path];
  const isDead = files.every((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    // A time far ahead is from before the clock was set back.
    return stat === undefined || Math.abs(nowMs - stat.mtimeMs) > longestHoldMs;
  });
  if (!isDead) return;
  for (const file of files) attempt(() => unlinkSync(file));
  attempt(() => rmdirSync(path));
}

/* A refusal means that another process was quicker; the next try tells. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
