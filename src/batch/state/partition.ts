/* Chooses the shards of a report when the journals of a file have several numbers of shards. */
import { stat } from 'node:fs/promises';
import type { JournalFile } from '../journal/paths.ts';
import { maxShards, type Shard } from '../shard.ts';

/** A journal of the file, and when it changed last. */
export interface DatedJournal extends JournalFile {
  /** Milliseconds since 1970; undefined if there is only a lock. */
  readonly writtenMs: number | undefined;
}

/** The shards of a report. A file without shards has one, with no number. */
export interface Partition {
  /** Number of shards; undefined for a file without shards. */
  readonly count: number | undefined;
  readonly shards: readonly (Shard | undefined)[];
}

/** Reads when each journal changed last. */
export async function dateJournals(files: readonly JournalFile[]): Promise<DatedJournal[]> {
  const writtenMs = (path: string) =>
    stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  return Promise.all(
    files.map(async (file) => ({ ...file, writtenMs: await writtenMs(file.path) })),
  );
}

/**
 * Returns the division whose journals changed last, because the next run continues it. Journals
 * without rows count only if there are no others.
 *
 * @param shard the shard that the user named: then the report has only this one
 */
export function choosePartition(
  journals: readonly DatedJournal[],
  hasRows: (path: string) => boolean,
  shard: Shard | undefined,
): Partition {
  if (shard !== undefined) return { count: shard.count, shards: [shard] };
  const withRows = journals.filter(({ path }) => hasRows(path));
  const candidates = (withRows.length > 0 ? withRows : journals).filter(isPossible);
  const [latest] = [...candidates].sort((a, b) => (b.writtenMs ?? 0) - (a.writtenMs ?? 0));
  const count = latest?.shard?.count;
  if (count === undefined) return { count, shards: [undefined] };
  const shards = Array.from({ length: count }, (_, at) => ({ index: at + 1, count }));
  return { count, shards };
}

/* Other programs may have created a file with such a name. */
function isPossible({ shard }: JournalFile): boolean {
  return shard === undefined || (shard.index <= shard.count && shard.count <= maxShards);
}
