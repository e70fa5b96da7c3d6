/* The backup name and the lock of a journal. */
import { existsSync } from 'node:fs';
import { LocalError } from '../runtime/carbon-error.ts';
import { type FileLock, type LockContext, lockFile } from '../runtime/file-lock.ts';

/** Returns the first backup name of a file that is not in use. */
export function unusedName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${path}.previous${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(name)) return name;
  }
}

/**
 * Takes the lock of a journal.
 * @throws LocalError when another run holds it
 */
export function lockJournal(journal: string, context: LockContext): Promise<FileLock> {
  const path = `${journal}.lock`;
  const busy = (holder: string) =>
    new LocalError(`Another run is in progress on this file: ${holder}`, {
      hint: `Wait until that run ends, or stop it. Then run the same command to resume. The lock is ${path}; if its process has died, the next run replaces it.`,
    });
  const unwritable = 'The journal needs a writable directory. Use --keep to choose another one.';
  return lockFile(path, { busy, unwritable }, context);
}
