import { datesOf } from '../../../src/portfolio/records/dates.ts';
import type { RecordFile } from '../../../src/portfolio/records/json-documents.ts';
import { LatestRecords, readSnapshot } from '../../../src/portfolio/records/records.ts';
import { rankEmitters } from '../../../src/portfolio/report/asks.ts';
import { documentOf } from '../../../src/portfolio/report/document.ts';
import { findDoubts } from '../../../src/portfolio/report/doubts.ts';
import type { Unit } from '../../../src/portfolio/report/emissions.ts';
import { type Entry, readEntry } from '../../../src/portfolio/report/entry.ts';
import { type Portfolio, summarizePortfolio } from '../../../src/portfolio/report/summary.ts';

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

/** What a report reads. */
export interface Snapshot extends Portfolio {
  readonly entries: readonly Entry[];
}

/** Reads files as a report does. */
export async function readEntries(files: readonly RecordFile[]): Promise<Snapshot> {
  const latest = new LatestRecords<Entry>();
  const take = latest.taking((record) =>
    readEntry(record, { today: '2025-06-01', asOf: '2025-06-01', retrievedAt: null }),
  );
  const counts = await readSnapshot(files, take);
  const entries = [...latest.values()];
  const doubts = await findDoubts(entries);
  return { entries, times: new Map(latest.timed()), counts, doubts };
}

/** The snapshot of these documents, each on a line. */
export function snapshotOf(...documents: unknown[]): Promise<Snapshot> {
  return readEntries([file(documents.map((document) => `${JSON.stringify(document)}\n`).join(''))]);
}

/**
 * The summary of a snapshot, its organizations, the largest emitters first, and the report of both,
 * of 21 November 2026.
 */
export function summarize(portfolio: Portfolio, unit?: Unit) {
  const { summary, members } = summarizePortfolio(portfolio, unit);
  const emitters = rankEmitters(portfolio.times.keys());
  const dates = datesOf(portfolio.times.values(), Date.UTC(2026, 10, 21));
  return { summary, emitters, members, document: documentOf(summary, dates) };
}
