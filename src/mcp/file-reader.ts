/*
 * Reads records below the root for tools, which share what they read: those of files, and those
 * that `carbon sync` keeps of lists.
 */
import type { FileHandle } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { Organization } from '../api/schema.ts';
import { type FoundList, findList } from '../records/files.ts';
import type { RecordFile } from '../records/json-documents.ts';
import {
  type Counts,
  LatestRecords,
  type OnRecord,
  readSnapshot,
  requireRecords,
} from '../records/records.ts';
import { chooseKept, findStores } from '../sync/kept-files.ts';
import { openStoredRecords, type StoredRecords, type ViewOptions } from '../sync/view.ts';
import type { RootDirectory } from './root-directory.ts';

/** The path of a file. */
export const path = z.string().check(z.minLength(1));

/** The files of a portfolio. */
export const files = z
  .array(path)
  .check(z.minLength(1), z.maxLength(20), z.describe('Lists or records (see list_files)'));

/** The first item to return. */
export const offset = z._default(z.int().check(z.nonnegative(), z.describe('Items to skip')), 0);

/** The maximum number of items to return. */
export const limit = z._default(
  z.int().check(z.minimum(1), z.maximum(200), z.describe('Items to return')),
  50,
);

/* An open file of records, or the records of a list. */
interface OpenedRecords extends RecordFile {
  readonly stored?: StoredRecords;
}

/** What was read: the numbers of records, and descriptions of the lists that they belong to. */
export interface ReadCounts extends Counts {
  readonly lists: readonly object[];
}

/** Reads files of records and the records of lists. */
export class FileReader {
  readonly root: RootDirectory;
  #last: { readonly key: string; readonly value: unknown } | undefined;

  constructor(root: RootDirectory) {
    this.root = root;
  }

  /**
   * Returns what `make` makes of records. A dialog asks several questions about one list: a value
   * is kept until another one is needed, or until a file changes.
   * @param about what else the value depends on
   */
  async once<Value>(
    about: readonly unknown[],
    paths: readonly string[],
    make: () => Promise<Value>,
  ): Promise<Value> {
    const versions: string[] = [];
    for (const path of paths) {
      const handle = await this.root.openFile(path);
      const list = await this.#listBehind(path, handle).finally(() => handle.close());
      const stores = list === undefined ? [] : findStores(list.path, chooseKept(list.path, {}));
      for (const each of [path, ...stores.map(({ records }) => records)])
        versions.push(await this.versionOf(each));
    }
    const key = JSON.stringify([about, versions]);
    if (this.#last?.key !== key) {
      this.#last = undefined;
      this.#last = { key, value: await make() };
    }
    return this.#last.value as Value;
  }

  /** Returns a text that changes with a file. */
  async versionOf(path: string): Promise<string> {
    const handle = await this.root.openFile(path);
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
      return [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
    } finally {
      await handle.close();
    }
  }

  /**
   * Reads what a tool needs of the latest record of each organization; a record without an id is a
   * separate one.
   * @throws UsageError if there is no record
   */
  async latest<Value>(
    paths: readonly string[],
    read: (record: Organization) => Value,
    signal: AbortSignal,
    at?: string,
  ): Promise<{ readonly latest: LatestRecords<Value>; readonly counts: ReadCounts }> {
    const latest = new LatestRecords<Value>();
    const take: OnRecord = (record, key, { retrievedAt }) =>
      latest.add(read(record), key, retrievedAt);
    const counts = await this.read(paths, signal, take, { at });
    return { latest, counts };
  }

  /**
   * Reads each record in the order of the files.
   * @param view which of the stored records of lists to read
   * @throws UsageError if there is no record
   */
  async read(
    paths: readonly string[],
    signal: AbortSignal,
    take: OnRecord,
    view: Pick<ViewOptions, 'allCurrencies' | 'at'> = {},
  ): Promise<ReadCounts> {
    const open = (path: string) => this.#open(path, signal, view);
    const lists: object[] = [];
    async function* opened() {
      for (const path of paths) {
        const file = await open(path);
        const { stored } = file;
        if (stored !== undefined)
          lists.push({ list: path, ...stored.facts, damaged_lines: stored.damaged.length });
        yield file;
      }
    }
    const counts = await readSnapshot(opened(), (...record) => {
      signal.throwIfAborted();
      return take(...record);
    });
    requireRecords(counts, paths);
    return { ...counts, lists };
  }

  async #open(path: string, signal: AbortSignal, view: ViewOptions): Promise<OpenedRecords> {
    const handle = await this.root.openFile(path);
    const list = await this.#listBehind(path, handle).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    if (list === undefined) return { name: path, bytes: handle.createReadStream({ signal }) };
    await handle.close();
    const openFile = (file: string) => this.root.openFile(file);
    const stored = await openStoredRecords(list.path, { ...view, openFile });
    if (stored === undefined) throw list.error;
    return { name: path, bytes: stored.bytes(), stored };
  }

  /* A workbook that carbon made names its list, which may be anywhere. */
  async #listBehind(path: string, handle: FileHandle): Promise<FoundList | undefined> {
    const list = await findList(this.root.resolve(path), handle);
    if (list !== undefined) await (await this.root.openFile(list.path)).close();
    return list;
  }
}

/** Describes the input of a tool in its result. */
export function describeInput(counts: ReadCounts): object {
  const { records, withoutId, failed, withoutRecord, unexpected, truncated, lists } = counts;
  return {
    records,
    without_id: withoutId,
    failed,
    without_record: withoutRecord,
    unexpected_values: unexpected,
    truncated,
    lists,
  };
}
