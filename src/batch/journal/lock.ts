import { dirname } from 'node:path';
import { removeStaleFiles } from '../../runtime/atomic-file.ts';
import { LocalError } from '../../runtime/carbon-error.ts';
import { type FileLock, type LockContext, lockFile } from '../../runtime/file-lock.ts';
import { checkFileName } from '../../runtime/windows-name.ts';
import type { Shard } from '../shard.ts';
import { journalFiles, lockPath } from './paths.ts';

/**
 * Takes the lock of a journal.
 *
 * Shards of the same count may run at the same time; any other two runs on one input exclude each
 * other. A run takes its lock before it tries the others, so that at least one of two simultaneous
 * runs sees the other.
 *
 * @param unsharded path of the journal of an unsharded run
 * @throws LocalError when another run holds this lock or one that excludes this run
 */
export async function lockJournal(
  unsharded: string,
  journal: string,
  shard: Shard | undefined,
  context: LockContext,
): Promise<FileLock> {
  checkFileName(journal);
  const lock = await take(lockPath(journal), context);
  try {
    await removeStaleFiles(dirname(journal), context.machine);
    for (const other of journalFiles(unsharded, 'locks')) {
      const mayRun =
        other.path === journal || (shard !== undefined && other.shard?.count === shard.count);
      if (!mayRun) (await take(lockPath(other.path), context)).release();
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function take(path: string, context: LockContext): Promise<FileLock> {
  const busy = (holder: string) =>
    new LocalError(`Another run is in progress on this file: ${holder}`, {
      hint: `Wait until that run ends, or stop it. Then run the same command to resume. The lock is ${path}; if its process has died, the next run replaces it.`,
    });
  const unwritable =
    'The journal needs a writable directory. Use --journal to name a file in another directory.';
  return lockFile(path, { maxWaitMs: 0, busy, unwritable }, context);
}
