import { dirname } from 'node:path';
import { removeStaleFiles } from '../../runtime/atomic-file.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Shard } from '../shard.ts';
import { checkUnlocked, type Lock, type LockContext, takeLock } from './lock.ts';
import { journalFiles, linkedJournal, lockFile, otherNames } from './paths.ts';

/**
 * Takes the lock of a journal.
 *
 * Shards of the same count may run at the same time; any other two runs on one input exclude each
 * other. A run takes its lock before it looks at the others, so that at least one of two
 * simultaneous runs sees the other. All names of a journal share one lock.
 *
 * @param unsharded path of the journal of an unsharded run
 * @throws LocalError when another run holds this lock or one that excludes this run; UsageError
 * when the journal has a hard link in another directory, where carbon cannot find its lock
 */
export async function lockJournal(
  unsharded: string,
  journal: string,
  shard: Shard | undefined,
  context: LockContext,
): Promise<Lock> {
  const real = linkedJournal(journal);
  const lock = await takeLock(lockFile(real), context);
  try {
    await removeStaleFiles(dirname(real), context.machine);
    const { paths, hasMore } = otherNames(real);
    if (hasMore) throw unknownName(journal);
    for (const name of paths) await checkUnlocked(lockFile(name), context);
    for (const name of new Set([unsharded, linkedJournal(unsharded)])) {
      for (const other of journalFiles(name, 'locks')) {
        const mayRun =
          other.path === real || (shard !== undefined && other.shard?.count === shard.count);
        if (!mayRun) await checkUnlocked(lockFile(other.path), context);
      }
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function unknownName(journal: string): UsageError {
  return new UsageError(
    `The journal ${journal} has a hard link in another directory, so two runs could use it at the same time`,
    'Copy the journal, or remove the hard link.',
  );
}
