import type { RecordFile } from '../../src/report/documents.ts';
import type { Entry } from '../../src/report/entry.ts';
import { readEntries, type Snapshot } from '../../src/report/snapshot.ts';

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

/** The snapshot of these documents, each on a line. */
export function snapshotOf(...documents: unknown[]): Promise<Snapshot<Entry>> {
  return readEntries([file(documents.map((one) => `${JSON.stringify(one)}\n`).join(''))]);
}
