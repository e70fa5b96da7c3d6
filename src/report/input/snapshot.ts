import type { Organization } from '../../api/schema.ts';
import { type Key, keyOf } from '../../organizations/key.ts';
import { readItem } from './item.ts';
import { type RecordFile, readDocuments } from './json-documents.ts';

/** What was read, beside the records themselves. */
export interface Counts {
  /** Records, all of an id. */
  readonly records: number;
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

/**
 * Takes a record; a later one of the same key takes its place. Undefined is the key of records
 * without an id.
 */
export type Take = (record: Organization, key: Key | undefined) => Promise<void> | void;

/**
 * Reads records, the earliest first: later lines and later files are later.
 * @param take called for each; what it keeps decides the memory that is needed
 * @throws UsageError as `readDocuments` and `readItem` do
 */
export async function readSnapshot(files: readonly RecordFile[], take: Take): Promise<Counts> {
  const counts = { records: 0, withoutId: 0, failed: 0, withoutRecord: 0, odd: 0 };
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
      const key = keyOf(item.record);
      counts.records += 1;
      counts.odd += Number(item.isOdd);
      counts.withoutId += Number(key === undefined);
      await take(item.record, key);
    }
  }
  return { ...counts, torn };
}
