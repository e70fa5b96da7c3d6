import type { Organization } from '../contract.ts';
import { type RecordFile, readDocuments } from './documents.ts';
import { type Entry, readEntry } from './entry.ts';
import { readItem } from './item.ts';

/** What was read, beside the organizations themselves. */
export interface Counts {
  /** Records, superseded ones included. */
  readonly records: number;
  /** Records that a later one of the same id took the place of. */
  readonly superseded: number;
  /** Records without an id: each counts as an organization. */
  readonly withoutId: number;
  /** Items that failed: `"ok":false`. */
  readonly failed: number;
  /** Lines without a record, such as rows that a batch had done earlier. */
  readonly withoutRecord: number;
  /** Records of which a value of an unexpected type was left out. */
  readonly odd: number;
  /** Where a last line was cut off and left out, such as `a.ndjson, line 7`. */
  readonly torn: readonly string[];
}

/** Organizations by id, in the order of their first record; those without an id have keys that no id has. */
export interface Snapshot<Kept> {
  readonly organizations: ReadonlyMap<string, Kept>;
  readonly counts: Counts;
}

/**
 * Reads records, the latest of an id wins: later lines and later files are later.
 * @param keep what is kept of a record; it decides the memory that is needed
 * @throws UsageError as `readDocuments` and `readItem` do
 */
export async function readSnapshot<Kept>(
  files: readonly RecordFile[],
  keep: (record: Organization) => Kept,
): Promise<Snapshot<Kept>> {
  const organizations = new Map<string, Kept>();
  const counts = { records: 0, superseded: 0, withoutId: 0, failed: 0, withoutRecord: 0, odd: 0 };
  const torn: string[] = [];
  for (const file of files) {
    for await (const document of readDocuments(file)) {
      if ('torn' in document) {
        torn.push(`${file.name}, line ${document.torn}`);
        continue;
      }
      const item = readItem(document.value, `${file.name}, line ${document.line}`);
      if (item.kind === 'failed') counts.failed += 1;
      if (item.kind === 'without record') counts.withoutRecord += 1;
      if (item.kind !== 'record') continue;
      counts.records += 1;
      counts.odd += Number(item.isOdd);
      const { id } = item.record;
      const isNamed = id !== undefined && id !== null && id !== '';
      if (!isNamed) counts.withoutId += 1;
      const key = isNamed ? `id ${id}` : `record ${counts.records}`;
      if (organizations.has(key)) counts.superseded += 1;
      organizations.set(key, keep(item.record));
    }
  }
  return { organizations, counts: { ...counts, torn } };
}

/** Reads what reports tell of each organization. */
export function readEntries(files: readonly RecordFile[]): Promise<Snapshot<Entry>> {
  return readSnapshot(files, readEntry);
}
