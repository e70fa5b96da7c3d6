/* Reads files of records below the root for tools, which share what they read. */
import * as z from 'zod/mini';
import type { Organization } from '../api/schema.ts';
import {
  type Counts,
  LatestRecords,
  type OnRecord,
  readSnapshot,
  requireRecords,
} from '../records/records.ts';
import { FileCache } from './file-cache.ts';
import type { RootDirectory } from './root-directory.ts';
import type { Call } from './tool.ts';

/** The path of a file. */
export const path = z.string().check(z.minLength(1));

/** The files of a portfolio. */
export const files = z
  .array(path)
  .check(z.minLength(1), z.maxLength(20), z.describe('Files of records (see list_files)'));

/** The first item to return. */
export const offset = z._default(z.int().check(z.nonnegative(), z.describe('Items to skip')), 0);

/** The maximum number of items to return. */
export const limit = z._default(
  z.int().check(z.minimum(1), z.maximum(200), z.describe('Items to return')),
  50,
);

const recordsPerNotice = 2_000;

/** Reads files of records. */
export class FileReader {
  readonly root: RootDirectory;
  readonly cache: FileCache;

  constructor(root: RootDirectory) {
    this.root = root;
    this.cache = new FileCache(root);
  }

  /**
   * Reads what a tool needs of the latest record of each organization; a record without an id is a
   * separate one.
   * @throws UsageError if there is no record
   */
  async latest<Value>(
    paths: readonly string[],
    read: (record: Organization) => Value,
    call: Call,
  ): Promise<{ readonly latest: LatestRecords<Value>; readonly counts: Counts }> {
    const latest = new LatestRecords<Value>();
    const counts = await this.read(paths, call, (record, key, { retrievedAt }) =>
      latest.add(read(record), key, retrievedAt),
    );
    return { latest, counts };
  }

  /**
   * Reads each record in the order of the files, and reports progress.
   * @throws UsageError if there is no record
   */
  async read(paths: readonly string[], { signal, report }: Call, take: OnRecord): Promise<Counts> {
    const { root } = this;
    async function* opened() {
      for (const each of paths) yield await root.openRecords(each, signal);
    }
    let records = 0;
    const counts = await readSnapshot(opened(), (...record) => {
      signal.throwIfAborted();
      records += 1;
      if (records % recordsPerNotice === 0) report(records, `${records} records read`);
      return take(...record);
    });
    requireRecords(counts, paths);
    return counts;
  }
}

/** Describes the input of a tool in its result. */
export function describeInput(counts: Counts): object {
  const { records, withoutId, failed, withoutRecord, unexpected, truncated } = counts;
  return {
    records,
    without_id: withoutId,
    failed,
    without_record: withoutRecord,
    unexpected_values: unexpected,
    truncated,
  };
}
