import { requireRecords } from '../../records/require-records.ts';
import type { QueryOptions } from '../option-parsers.ts';
import { readReducedRecords } from '../read-snapshot.ts';
import type { Session } from '../session.ts';
import { LatestRows } from './latest-rows.ts';
import { readQuery } from './read-query.ts';
import type { Item } from './read-row.ts';
import { rowForm, rowFormat } from './row-format.ts';

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
  const { columns, sort, top, where } = options;
  const parsed = await readQuery(options, session.format);
  const format = await rowFormat(session, parsed);
  const query = { columns, sort, top, where };
  const reduction = { kind: 'selection', query, form: await rowForm(session) } as const;
  const rows = new LatestRows<Item>(parsed, session.context.signal);
  try {
    const counts = await readReducedRecords(session, files, reduction, (text, key) =>
      rows.add(text, key),
    );
    requireRecords(counts, files);
    format.begin();
    for await (const row of rows.rows()) await format.add(row);
    format.end();
    rows.counts.report(session, 'shows');
  } finally {
    await rows.close();
  }
}
