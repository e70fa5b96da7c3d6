import { setImmediate } from 'node:timers/promises';
import { requireRecords } from '../../records/records.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { readRecords } from '../read-snapshot.ts';
import type { Session } from '../session.ts';
import { LatestRows } from './latest-rows.ts';
import { readQuery } from './read-query.ts';
import { type Item, rowReader } from './read-row.ts';
import { rowForm, rowFormat } from './row-format.ts';

const maxRowsPerTurn = 256;

/**
 * Reads the records of files, and prints those that a query selects. A later record of an
 * organization replaces an earlier one.
 * @throws UsageError for an invalid query, and if there is no record
 */
export async function selectLatest(
  session: Session,
  files: readonly string[],
  options: QueryOptions,
): Promise<void> {
  const query = await readQuery(options, session.format);
  const format = await rowFormat(session, query);
  const read = rowReader(query, await rowForm(session));
  const rows = new LatestRows<Item>(query);
  const counts = await readRecords(session, files, (record, key, { json, retrievedAt }) =>
    rows.add(read(record, json), key, retrievedAt),
  );
  requireRecords(counts, files);
  format.begin();
  let printed = 0;
  for (const row of rows.rows()) {
    // Yields to the event loop, so that it can handle a signal.
    if (printed++ % maxRowsPerTurn === 0) await setImmediate();
    session.context.signal.throwIfAborted();
    await format.add(row);
  }
  format.end();
  rows.counts.report(session, 'shows');
}
