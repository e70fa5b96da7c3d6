/* Creates, reads, replaces and removes the files of journal locks. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { temporaryPath } from '../../runtime/atomic-file.ts';
import { LocalError } from '../../runtime/carbon-error.ts';
import { isInUse, whileInUse } from '../../runtime/file-in-use.ts';
import type { ProcessIdentity } from '../../runtime/machine.ts';
import { codeOf, explainSystemError } from '../../runtime/system-error.ts';

/**
 * Creates a lock file; returns false if one exists.
 *
 * @throws LocalError when it cannot be written
 */
export async function createLock(path: string, text: string): Promise<boolean> {
  try {
    await whileInUse(() => writeFileSync(path, text, { flag: 'wx', mode: 0o600 }));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw unwritable(path, error);
  }
}

/**
 * Replaces a lock file by renaming another, so that no run reads a partially written one.
 *
 * @throws LocalError when it cannot be written, immediately also if another program has it open
 */
export function replaceLock(path: string, text: string, self: ProcessIdentity): void {
  const aside = temporaryPath(path, self);
  try {
    writeFileSync(aside, text, { mode: 0o600 });
    renameSync(aside, path);
  } catch (error) {
    try {
      rmSync(aside, { force: true });
    } catch {
      // Another program has it open. A later run removes it as a stale file.
    }
    throw unwritable(path, error);
  }
}

/**
 * Returns the text of a lock file; undefined if there is none.
 *
 * @throws LocalError when it cannot be read
 */
export async function readLock(path: string): Promise<string | undefined> {
  try {
    return await whileInUse(() => readLockText(path));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Removes a lock file if its text is that of the holder.
 *
 * If another program on Windows has the file open, it stays, and the next run replaces it.
 */
export function releaseLock(path: string, isOwn: (text: string | undefined) => boolean): void {
  try {
    if (isOwn(readLockText(path))) rmSync(path, { force: true });
  } catch (error) {
    if (!isInUse(error)) throw unwritable(path, error);
  }
}

/**
 * Removes a lock file if its text is still this one. If that fails, the file stays.
 *
 * A run that takes the lock at this moment finds out in its last check, or at its next heartbeat,
 * that the file is missing.
 */
export function removeDeadLock(path: string, text: string): void {
  try {
    releaseLock(path, (now) => now === text);
  } catch (error) {
    // This run does not need the lock, and a later run checks again.
    if (!(error instanceof LocalError)) throw error;
  }
}

/** Returns the text of a lock file, without waiting for other programs; undefined if none. */
export function readLockText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isDiskFull(cause: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(cause));
}

function unwritable(path: string, cause: unknown): LocalError {
  return new LocalError(`Cannot write the lock ${path}: ${explainSystemError(cause)}`, {
    hint: isDiskFull(cause)
      ? 'Nothing recorded so far is lost. Free space on the disk and run the same command again.'
      : 'The journal needs a writable directory. Use --journal to name a file in another directory.',
    cause,
  });
}
