import type { RecordFile } from '../../../src/portfolio/records/json-documents.ts';
import {
  type Counts,
  LatestRecords,
  readSnapshot,
} from '../../../src/portfolio/records/records.ts';
import type { Unit } from '../../../src/portfolio/report/emissions.ts';
import { type Entry, readEntry } from '../../../src/portfolio/report/entry.ts';
import { summarize as summarizeEntries } from '../../../src/portfolio/report/summary.ts';

/** A file of records with this content, in one piece or several. */
export function file(
  content: string | Uint8Array | readonly (string | Uint8Array)[],
  name = 'a.ndjson',
): RecordFile {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  return {
    name,
    bytes: (async function* () {
      yield* pieces;
    })(),
  };
}

/** What a report reads: the latest record of each organization. */
export interface Snapshot {
  readonly entries: readonly Entry[];
  readonly times: ReadonlyMap<Entry, string | undefined>;
  readonly counts: Counts;
}

/** Reads files as a report does. */
export async function readEntries(files: readonly RecordFile[]): Promise<Snapshot> {
  const latest = new LatestRecords<Entry>();
  const take = latest.taking((record) => readEntry(record, '2025-06-01'));
  const counts = await readSnapshot(files, take);
  return { entries: [...latest.values()], times: new Map(latest.timed()), counts };
}

/** The snapshot of these documents, each on a line. */
export function snapshotOf(...documents: unknown[]): Promise<Snapshot> {
  return readEntries([file(documents.map((document) => `${JSON.stringify(document)}\n`).join(''))]);
}

/** The summary of a snapshot, and its largest emitters. */
export function summarize({ entries, counts, times }: Snapshot, unit?: Unit) {
  return summarizeEntries(entries, counts, unit, times);
}
