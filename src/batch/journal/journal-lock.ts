import { dirname } from 'node:path';
import { removeAbandoned } from '../../runtime/atomic-file.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { Shard } from '../shard.ts';
import { checkUnlocked, type Lock, type LockWorld, takeLock } from './lock.ts';
import { journalFiles, linkedJournal, lockFile, otherNames } from './paths.ts';

/**
 * Takes the lock of a run's journal. Shards of one count may run side by side; everything else on
 * one input excludes each other. The own lock is taken first, so that of two runs that begin at
 * once at least one sees the other. A journal has one lock, by whichever of its names it is given.
 *
 * @param whole path of the journal of an unsharded run
 * @throws LocalError when another run holds the lock, or one that excludes this run; UsageError
 * when the journal has a name in another folder, whose lock cannot be found
 */
export async function lockJournal(
  whole: string,
  journal: string,
  options: LockWorld & { readonly shard?: Shard | undefined },
): Promise<Lock> {
  const { shard, machine } = options;
  const real = linkedJournal(journal);
  const lock = await takeLock(lockFile(real), options);
  try {
    await removeAbandoned(dirname(real), machine);
    const { paths, hasMore } = otherNames(real);
    if (hasMore) throw unknownName(journal);
    for (const name of paths) await checkUnlocked(lockFile(name), options);
    for (const name of new Set([whole, linkedJournal(whole)])) {
      for (const other of journalFiles(name, 'locks')) {
        const mayRun =
          other.path === real || (shard !== undefined && other.shard?.count === shard.count);
        if (!mayRun) await checkUnlocked(lockFile(other.path), options);
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
    `The journal ${journal} has another name (hard link) that carbon cannot find, so two runs could use it at once`,
    'Copy it or remove the other name.',
  );
}
