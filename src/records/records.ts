/* Reads the records of files in their order, line by line, on one thread or two. */

import type { OrganizationId } from '../api/ids.ts';
import type { RecordSchema } from '../api/read-record.ts';
import type { Organization } from '../api/schema.ts';
import { type Document, DocumentReader, type RecordFile } from './json-documents.ts';
import { type Counts, RecordCounter } from './record-counter.ts';
import { type RecordSource, readItem } from './record-item.ts';
import type { RecordReduction } from './record-slab.ts';
import type { SlabOptions, SlabQueue, SlabThread, Unread } from './slab-queue.ts';
import { utf8Of } from './text-lines.ts';

export type { Counts } from './record-counter.ts';
export type { RecordSource } from './record-item.ts';

/**
 * Receives a record; a later one of the same key replaces it. Records without an id have no key.
 */
export type OnRecord = (
  record: Organization,
  key: OrganizationId | undefined,
  source: RecordSource,
) => Promise<void> | void;

/**
 * Reads the records of files in their order.
 * @param onRecord receives each record; what it keeps determines the memory use
 * @param schema the members to check, all by default
 * @throws UsageError as `DocumentReader` and `readItem` do
 */
export function readSnapshot(
  files: readonly RecordFile[],
  onRecord: OnRecord,
  schema?: RecordSchema,
): Promise<Counts> {
  return new SnapshotReader(onRecord, schema, undefined).read(files);
}

/** How to read records that another thread may reduce. */
export interface SnapshotReduction<Reduced> extends RecordReduction<Reduced> {
  /** Receives each reduced record in order. */
  readonly onReduced: (reduced: Reduced, key: OrganizationId | undefined) => Promise<void> | void;
  /** Starts another thread; undefined if there is none. */
  readonly startThread: () => Promise<SlabThread<Reduced> | undefined>;
  /** Bytes of each file that this thread reads alone, 4 MiB by default. */
  readonly aloneBytes?: number;
  /** Bytes of a slab, 256 KiB by default. */
  readonly slabBytes?: number;
}

/**
 * Reads the records of files in their order, large files on two threads.
 * @throws UsageError as `readSnapshot` does
 */
export function readReduced<Reduced>(
  files: readonly RecordFile[],
  reduction: SnapshotReduction<Reduced>,
): Promise<Counts> {
  const { reduce, onReduced, schema } = reduction;
  const onRecord: OnRecord = (record, key, source) => onReduced(reduce(record, key, source), key);
  return new SnapshotReader(onRecord, schema, reduction).read(files);
}

/* A thread takes as long to start as reading some MiB. */
const defaultAloneBytes = 1 << 22;
const defaultSlabBytes = 1 << 18;

class SnapshotReader<Reduced> {
  readonly #onRecord: OnRecord;
  readonly #schema: RecordSchema | undefined;
  readonly #reduction: SnapshotReduction<Reduced> | undefined;
  readonly #counter = new RecordCounter();
  /* Null if there is no other thread. */
  #slabs: ((line: number) => SlabQueue<Reduced>) | null | undefined;
  #file = '';
  #documents = new DocumentReader('');
  #bytesAlone = 0;

  constructor(
    onRecord: OnRecord,
    schema: RecordSchema | undefined,
    reduction: SnapshotReduction<Reduced> | undefined,
  ) {
    this.#onRecord = onRecord;
    this.#schema = schema;
    this.#reduction = reduction;
    this.#slabs = reduction === undefined ? null : undefined;
  }

  async read(files: readonly RecordFile[]): Promise<Counts> {
    for (const file of files) {
      this.#file = file.name;
      this.#documents = new DocumentReader(file.name);
      this.#bytesAlone = 0;
      try {
        await this.#readFile(file);
      } catch (error) {
        throw this.#documents.explain(error);
      }
    }
    return this.#counter.result();
  }

  async #readFile(file: RecordFile): Promise<void> {
    let queue: SlabQueue<Reduced> | undefined;
    for await (const bytes of utf8Of(file.bytes)) {
      if (queue === undefined) {
        await this.#take(this.#documents.push(bytes));
        this.#bytesAlone += bytes.length;
        queue = await this.#openQueue();
      } else {
        const unread = await queue.add(bytes);
        if (unread === undefined) continue;
        queue = undefined;
        await this.#readAlone(unread);
      }
    }
    if (queue !== undefined) await this.#readAlone(await queue.end());
    await this.#take(this.#documents.end());
  }

  async #readAlone({ line, chunks }: Unread): Promise<void> {
    this.#documents = new DocumentReader(this.#file, line);
    this.#bytesAlone = 0;
    for (const bytes of chunks) await this.#take(this.#documents.push(bytes));
  }

  /* Opens a queue if the file is large and a document ends here. */
  async #openQueue(): Promise<SlabQueue<Reduced> | undefined> {
    const { rest } = this.#documents;
    const { aloneBytes = defaultAloneBytes } = this.#reduction ?? {};
    if (this.#slabs === null || rest === undefined || rest.line === 1) return undefined;
    if (this.#bytesAlone < aloneBytes) return undefined;
    if (this.#slabs === undefined) this.#slabs = await this.#startThread();
    const queue = this.#slabs?.(rest.line);
    const unread = await queue?.add(rest.bytes);
    if (unread !== undefined) await this.#readAlone(unread);
    return unread === undefined ? queue : undefined;
  }

  async #startThread(): Promise<((line: number) => SlabQueue<Reduced>) | null> {
    const reduction = this.#reduction;
    const thread = await reduction?.startThread();
    if (reduction === undefined || thread === undefined) return null;
    const { slabBytes = defaultSlabBytes } = reduction;
    const onCounts = (counts: Counts) => this.#counter.absorb(counts);
    const options: SlabOptions<Reduced> = { ...reduction, thread, slabBytes, onCounts };
    const { SlabQueue } = await import('./slab-queue.ts');
    return (line) => new SlabQueue(options, line);
  }

  async #take(documents: Iterable<Document>): Promise<void> {
    for (const document of documents) {
      if ('truncatedAt' in document) {
        this.#counter.truncated.push(`${this.#file}, line ${document.truncatedAt}`);
        continue;
      }
      const item = readItem(document, this.#file, this.#schema);
      this.#counter.add(item);
      if (item.kind !== 'record') continue;
      const taken = this.#onRecord(item.record, item.key, item.source);
      if (taken !== undefined) await taken;
    }
  }
}
