/*
 * A slab is a part of an input that ends at a line feed, so that another thread can read it. It
 * buys half of the time of `report`, `list`, `diff` and `footprint` on two cores (`npm run bench --
 * --only report`). A slab with anything but complete documents on single lines is read only up to
 * there: the reader of the entire input continues, and reports errors with their line.
 */

import type { OrganizationId } from '../api/ids.ts';
import type { RecordSchema } from '../api/read-record.ts';
import type { Organization } from '../api/schema.ts';
import { isOpening, parseDocuments } from './json-documents.ts';
import { type Counts, RecordCounter } from './record-counter.ts';
import { type RecordSource, readItem } from './record-item.ts';
import { lineFeed, textOf } from './text-lines.ts';

/** Reduces a record to what a command needs of it, which can be sent between threads. */
export type Reduce<Reduced> = (
  record: Organization,
  key: OrganizationId | undefined,
  source: RecordSource,
) => Reduced;

/** How a command reads records. */
export interface RecordReduction<Reduced> {
  readonly reduce: Reduce<Reduced>;
  /** The members to check, all by default. */
  readonly schema?: RecordSchema | undefined;
}

/** What a slab contains. */
export interface SlabResult<Reduced> {
  /** Bytes that were read; fewer than those of the slab if it needs the other reader. */
  readonly bytes: number;
  /** Lines that were read. */
  readonly lines: number;
  readonly counts: Counts;
  readonly keys: readonly (OrganizationId | undefined)[];
  readonly reduced: readonly Reduced[];
}

/** Reads a slab, which begins and ends between two lines. */
export function readSlab<Reduced>(
  slab: Buffer,
  { reduce, schema }: RecordReduction<Reduced>,
): SlabResult<Reduced> {
  const counter = new RecordCounter();
  const keys: (OrganizationId | undefined)[] = [];
  const reduced: Reduced[] = [];
  let start = 0;
  let lines = 0;
  for (let end = slab.indexOf(lineFeed); end !== -1; end = slab.indexOf(lineFeed, start)) {
    const found = readLine(slab, start, end, { reduce, schema });
    if (found === undefined) break;
    for (const { item, result } of found) {
      counter.add(item);
      if (item.kind !== 'record') continue;
      keys.push(item.key);
      reduced.push(result as Reduced);
    }
    start = end + 1;
    lines += 1;
  }
  return { bytes: start, lines, counts: counter.result(), keys, reduced };
}

/* Returns undefined for a line that only the reader of the entire input can read or report. */
function readLine<Reduced>(
  slab: Buffer,
  start: number,
  end: number,
  { reduce, schema }: RecordReduction<Reduced>,
) {
  try {
    const text = textOf(slab, start, end);
    if (isOpening(text)) return undefined;
    const documents = text.trim() === '' ? [] : parseDocuments(text, 0);
    return documents?.map((document) => {
      const item = readItem(document, '', schema);
      if (item.kind !== 'record') return { item, result: undefined };
      return { item, result: reduce(item.record, item.key, item.source) };
    });
  } catch {
    return undefined;
  }
}
